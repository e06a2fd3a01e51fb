"""The GUI sub-agent: a tool that takes a local goal and acts on the screen until it is done or blocked.

    goal -> look -> chooser: one move -> check -> screen: one action -> event -> look -> ... -> done | blocked

1. A chooser picks typed actions among the elements that are on the screen now: words (the fast default) or a planner.
   An id that is not among them, an action that its element does not take, never reach the phone.
2. Every choice is an event: in an episode of its own, written step by step, and in the evidence of the call.
3. *Done* needs something on the screen that shows it, or something that is gone; without it the goal is blocked.
4. A permission dialog, a sign-in wall, a secure window and a refused confirmation end it with a typed reason: they are
   for a person. So do the limit of steps and the deadline.
"""

import re
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from runtime.contract import (
    Deadline,
    Digests,
    Element,
    Episode,
    EpisodeWriter,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Json,
    Observation,
    Screen,
    Segment,
    Step,
    Stop,
    TaskView,
    Timing,
    ToolCall,
    ToolFailure,
    ToolSpec,
    TraceSink,
)
from runtime.subagents.goal import SPEC, Goal, goal_of
from runtime.subagents.moves import ALONE, FOR_A_PERSON, Act, Blocked, Chooser, Done, Event, Move, View
from runtime.subagents.words import live, lives_of
from runtime.subagents.words_chooser import WordsChooser

STEPS = 25
"""Most choices for one goal."""
STEP_SECONDS = 20.0
"""Longest single action."""
BARREN = 4
"""Failures one after another that end it."""
CODES: dict[str, ErrorCode] = {
    "permission_dialog": ErrorCode.PERMISSION_DENIED, "sign_in": ErrorCode.PERMISSION_DENIED,
    "secure_window": ErrorCode.PERMISSION_DENIED, "not_agreed": ErrorCode.REFUSED_BY_GUARD,
    "not_found": ErrorCode.NOT_FOUND, "time": ErrorCode.TIMEOUT, "phone": ErrorCode.OFFLINE,
}  # fmt: skip
"""Codes of reasons; the others are `conflict`."""
PERSON = {
    "permission_dialog": "a permission dialog is open; answer it on the phone, then ask again",
    "sign_in": "the app wants an account; sign in on the phone, then ask again",
    "secure_window": "a secure window is in front, of which nothing may be copied; go on by hand",
}
"""What a person is told."""
_ASKS = re.compile(r"allow .+ to .+\?", re.IGNORECASE)
_SIGN_IN = ("log in", "sign in", "login", "continue with google")


@dataclass
class Session:
    """One goal while it is worked on."""

    goal: Goal
    events: list[Event] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    """Lines of all looks, for what is said to be gone."""

    @property
    def landed(self) -> Literal["yes", "no", "unknown"]:
        """What is known about the whole."""
        known = {event.landed for event in self.events if event.action not in ("open", "home", "wait", "scroll")}
        return "unknown" if "unknown" in known else "yes" if "yes" in known else "no"


class ScreenAgent:
    """The contract's `ToolProvider` with one tool, over a `Screen`."""

    def __init__(
        self, screen: Screen, chooser: Chooser | None = None, trace: TraceSink | None = None, steps: int = STEPS
    ) -> None:
        """`trace`: where each goal is kept as an episode of its own."""
        self.chooser: Chooser = chooser or WordsChooser()
        self._screen, self._trace, self._steps = screen, trace, steps

    def tools(self) -> Sequence[ToolSpec]:
        """The one tool."""
        return (SPEC,)

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Work on a goal; blocked is a failure with its reason in the details."""
        executed = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=idempotency_key, landed="no")
        try:
            session = Session(goal_of(call.arguments))
        except ToolFailure as failure:
            return Observation(call_id=call.id, call=executed, failure=failure.failure())
        started, clock = datetime.now(UTC).isoformat(timespec="milliseconds"), time.perf_counter()
        view = TaskView(request=session.goal.sentence)
        header: Json = {"task_id": idempotency_key, "agent": self.chooser.identity, "started_at": started}
        with self._trace.episode(view, header) if self._trace else nullcontext() as writer:
            end, last = self._work(session, writer, deadline)
            if writer is not None:
                self._ended(writer, view, end, Timing(started_at=started, seconds=time.perf_counter() - clock))
        executed = executed.model_copy(update={"landed": session.landed})
        return self._told(call, executed, session, end, last)

    def close(self) -> None:
        """Free the chooser."""
        self.chooser.close()

    def _work(self, session: Session, writer: EpisodeWriter | None, deadline: Deadline) -> tuple[Done | Blocked, View]:
        """Until it is done or blocked."""
        self.chooser.begin(session.goal)
        if writer is not None:
            writer.segment(Segment(prefix=session.goal.sentence, reason="sub-agent", exposed=(SPEC.name,)))
        view = View(session.goal, ())
        try:
            for number in range(self._steps + 1):
                view = self._look(session, deadline)
                move = self._stopped(view, number, deadline) or self.chooser.choose(view, deadline)
                move = _checked(move, view, session)
                if not isinstance(move, Act):
                    self._note(writer, number, move, view, ())
                    return move, view
                event, seen = self._act(move, view, deadline)
                session.events.append(event)
                self._note(writer, number, move, view, (seen,))
        except ToolFailure as failure:
            return Blocked("time" if failure.code is ErrorCode.TIMEOUT else "phone", failure.message), view
        return Blocked("steps", f"{self._steps} steps were not enough"), view

    def _look(self, session: Session, deadline: Deadline) -> View:
        elements = tuple(self._screen.observe(deadline))
        session.seen += [one.line for one in lives_of(elements)]
        return View(session.goal, elements, tuple(session.events))

    def _stopped(self, view: View, number: int, deadline: Deadline) -> Blocked | None:
        """What ends it before a choice."""
        last = view.last
        if last is not None and last.obstacle:
            return _for_a_person(last.obstacle)
        if number and (obstacle := obstacle_of(view.elements)):
            return _for_a_person(obstacle)
        if deadline.expired or deadline.cancel.cancelled:
            return Blocked("time", "the time for this goal is over")
        if number >= self._steps:
            return Blocked("steps", f"{self._steps} steps were not enough; hand over a smaller goal")
        failed = [event for event in view.events[-BARREN:] if not event.ok]
        if len(failed) == BARREN:
            return Blocked("phone" if last and last.code == "offline" else "no_effect", failed[-1].said)
        return None

    def _act(self, move: Act, view: View, deadline: Deadline) -> tuple[Event, Observation]:
        chosen = next((one.line for one in lives_of(view.elements) if one.id == move.element), "")
        if problem := _impossible(move, view):
            event = Event(move.action, chosen, move.text, False, "no", "bad_argument", problem)
            refused = Failure(code=ErrorCode.BAD_ARGUMENT, message=problem)
            return event, Observation(call_id="", failure=refused)
        seen = self._screen.act(move.element, move.action, move.text, deadline.within(STEP_SECONDS))
        failure = seen.failure
        return Event(
            action=move.action,
            element=chosen,
            text=move.text,
            ok=seen.ok,
            landed=seen.call.landed if seen.call is not None else "yes" if seen.ok else "unknown",
            code=failure.code.value if failure else "",
            said=failure.message if failure else "",
            changed=bool(seen.data.get("changed")),
            obstacle=str(seen.data.get("obstacle") or (failure.details.get("obstacle") if failure else "") or ""),
        ), seen

    def _note(
        self, writer: EpisodeWriter | None, number: int, move: Move, view: View, seen: Sequence[Observation]
    ) -> None:
        if writer is not None:
            writer.step(Step(index=number, decision=self.chooser.decision(move, view), observations=tuple(seen)))

    def _ended(self, writer: EpisodeWriter, view: TaskView, end: Done | Blocked, timing: Timing) -> None:
        detail = f"{end.reason}: {end.message}" if isinstance(end, Blocked) else ""
        stop = Stop.FINISHED if isinstance(end, Done) else Stop.REFUSED
        digests = Digests(planner=self.chooser.identity)
        episode = Episode(id=writer.id, view=view, stop=stop, stop_detail=detail, digests=digests, timing=timing)
        writer.close(stop, detail, episode)

    def _told(
        self, call: ToolCall, executed: ExecutedCall, session: Session, end: Done | Blocked, last: View
    ) -> Observation:
        """What the planner reads: short; the events are in the evidence."""
        facts: Json = {"steps": [event.as_json() for event in session.events], "differs": []}
        if isinstance(end, Done):
            shown = next((one.line for one in lives_of(last.elements) if one.id == end.shown), "")
            data: Json = {"status": "done", "shows": shown} if shown else {"status": "done", "gone": end.gone}
            data |= {"read": list(end.read)} if end.read else {}
            evidence = Evidence(source="the screen", facts={**facts, **data, "matches": True})
            return Observation(call_id=call.id, call=executed, data=data, evidence=evidence)
        person = end.reason in FOR_A_PERSON
        details: Json = {"status": "blocked", "reason": end.reason, "for_a_person": person}
        there = [one.line for one in lives_of(last.elements)][:40]
        evidence = Evidence(source="the screen", facts={**facts, **details, "matches": False, "shown": there})
        said = {"yes": " Something of it was done; look before anything is repeated.", "no": ""}
        more = said.get(session.landed, " Whether it was done is unknown.")
        message = f"blocked ({end.reason}): {end.message.rstrip('.')}.{more}"
        failure = Failure(code=CODES.get(end.reason, ErrorCode.CONFLICT), message=message, details=details)
        return Observation(call_id=call.id, call=executed, failure=failure, evidence=evidence, data={})


def obstacle_of(elements: Sequence[Element]) -> str:
    """What only a person may pass, by the words on the screen; for screens that don't name it themselves."""
    lives = lives_of(elements)
    if any(one.role != "field" and _ASKS.search(one.title) for one in lives):
        return "permission_dialog"
    secret = any(one.role == "field" and "password" in one.title.casefold() for one in lives)
    return "sign_in" if secret and any(one.title.casefold() in _SIGN_IN for one in lives) else ""


def _for_a_person(obstacle: str) -> Blocked:
    return next(
        (
            Blocked(reason, PERSON[reason])
            for reason in ("permission_dialog", "sign_in", "secure_window")
            if reason == obstacle
        ),
        Blocked("unclear", f"`{obstacle}` is in the way"),
    )


def _impossible(move: Act, view: View) -> str:
    """Why a choice can't be made here; empty where it can."""
    if move.action in ALONE:
        return "" if not move.element else f"`{move.action}` takes no element"
    element = next((one for one in view.elements if one.id == move.element), None)
    if element is None:
        return f"`{move.element}` is not on the screen now"
    if move.action not in element.actions:
        return f"`{live(element).line}` takes {', '.join(element.actions) or 'nothing'}; not `{move.action}`"
    return ""


def _checked(move: Move, view: View, session: Session) -> Move:
    """A *done* that nothing shows is none."""
    if not isinstance(move, Done):
        return move
    now = {one.line for one in lives_of(view.elements)}
    if any(one.id == move.shown for one in view.elements):
        return move
    if move.gone and move.gone in session.seen and move.gone not in now:
        return move
    return Blocked("unproved", "it was called done, and nothing on the screen shows it")

"""The one place through which all that is written into a trace goes: records with their secrets masked.

1. A record's secrets are learned before it is masked, so that a password in a call's arguments is gone from the same
   step's text, read-back and state too. Ids, names of tools, codes of errors and times stay as they are.
2. Token ids spell out the words: once anything of an episode was masked, its steps keep none, and it can't be trained
   on token by token.
3. A secret that is learned late was written before: the writer then masks what stands there already
   (`runtime/trace/write.py`).
"""

from collections.abc import Collection, Mapping
from typing import TypeVar

from runtime.contract import (
    Action,
    Ask,
    Decision,
    Episode,
    Evidence,
    ExecutedCall,
    Failure,
    Finish,
    ImagePart,
    Json,
    Observation,
    ParseError,
    Refuse,
    RowChange,
    Segment,
    StateDiff,
    Step,
    TaskView,
    TextPart,
    ToolCall,
    ToolSpec,
)
from runtime.trace.secrets import Secrets, marked_in

Fields = Mapping[str, Collection[str]]
"""Names of the fields that each tool's schema marks as secret."""
T = TypeVar("T")


def secret_fields(tools: Collection[ToolSpec]) -> dict[str, list[str]]:
    """The marked fields of tools; tools without one are left out."""
    found = {spec.name: sorted(marked_in(spec.parameters)) for spec in tools}
    return {name: fields for name, fields in found.items() if fields}


class Masking:
    """Masks the records of one episode."""

    def __init__(self, secrets: Secrets, fields: Fields | None = None) -> None:
        self.secrets, self.fields = secrets, fields or {}
        self.masked = False
        """Whether anything of the episode was masked."""

    def view(self, view: TaskView) -> TaskView:
        """A task's view."""
        self.secrets.learn([view.request, *(turn.text for turn in view.turns)])
        turns = tuple(turn.model_copy(update={"text": self._text(turn.text)}) for turn in view.turns)
        return self._noted(view, view.model_copy(update={"request": self._text(view.request), "turns": turns}))

    def header(self, header: Json) -> Json:
        """The opening of an episode; settings may hold an address with a password."""
        return self._noted(header, {key: self._header(key, value) for key, value in header.items()})

    def _header(self, key: str, value: object) -> object:
        if key in ("settings", "world"):
            return self.secrets.json(value)
        return self._text(value) if isinstance(value, str) else value

    def segment(self, segment: Segment) -> Segment:
        """A segment without its steps."""
        self.secrets.learn(segment.prefix)
        return self._noted(segment, segment.model_copy(update={"prefix": self._text(segment.prefix)}))

    def step(self, step: Step) -> Step:
        """A step."""
        self._learn(step)
        seen = tuple(self._seen(one) for one in step.observations)
        masked = step.model_copy(update={"decision": self._decision(step.decision), "observations": seen})
        self._noted(step, masked)
        return masked.model_copy(update={"decision": _without_ids(masked.decision)}) if self.masked else step

    def decision(self, decision: Decision) -> Decision:
        """What a step is about to do."""
        self._chosen(decision)
        masked = self._noted(decision, self._decision(decision))
        return _without_ids(masked) if self.masked else decision

    def closing(self, closing: Json) -> Json:
        """The end of an episode."""
        kept: Json = {**closing, "stop_detail": self._text(closing.get("stop_detail") or "")}
        if word := kept.get("confirmation"):
            kept["confirmation"] = {**word, "reasons": [self._text(one) for one in word["reasons"]]}
        self._noted({name: closing.get(name) for name in kept}, kept)
        if self.masked and kept.get("trainable") == "full":
            kept["trainable"] = "sft_only"
        return kept

    def episode(self, episode: Episode) -> Episode:
        """A whole episode, as it may be given away."""
        for step in episode.steps:
            self._learn(step)
        view = self.view(episode.view)
        segments = tuple(
            self.segment(one).model_copy(update={"steps": tuple(self.step(step) for step in one.steps)})
            for one in episode.segments
        )
        end = self.closing(episode.model_dump(mode="json", include={"stop_detail", "confirmation", "trainable"}))
        whole = episode.model_dump(mode="json", exclude={"view", "segments"}) | end
        return Episode.model_validate({**whole, "view": view, "segments": segments})

    def _chosen(self, decision: Decision) -> None:
        for action in decision.actions:
            if isinstance(action, ToolCall):
                self.secrets.learn(action.arguments, self.fields.get(action.name, ()))
            else:
                self.secrets.learn(action.model_dump(mode="json", exclude={"kind"}))

    def _learn(self, step: Step) -> None:
        learn = self.secrets.learn
        self._chosen(step.decision)
        for seen in step.observations:
            marked = self.fields.get(seen.call.name, ()) if seen.call is not None else ()
            changes = [[change.before, change.after] for change in seen.diff.changes]
            facts = seen.evidence.facts if seen.evidence is not None else {}
            said = [part.text for part in seen.parts if isinstance(part, TextPart)]
            failure = [seen.failure.message, seen.failure.details] if seen.failure is not None else []
            learn([seen.data, seen.call.arguments if seen.call else {}, changes, facts, said, failure], marked)

    def _decision(self, decision: Decision) -> Decision:
        return decision.model_copy(
            update={
                "actions": tuple(self._action(one) for one in decision.actions),
                "thought": self._text(decision.thought),
                "raw": self._text(decision.raw),
            }
        )

    def _action(self, action: Action) -> Action:
        if isinstance(action, ToolCall):
            arguments = self.secrets.json(action.arguments, self.fields.get(action.name, ()))
            return action.model_copy(update={"arguments": arguments})
        if isinstance(action, Ask):
            return Ask(question=self._text(action.question))
        if isinstance(action, Refuse):
            return Refuse(reason=self._text(action.reason))
        if isinstance(action, Finish):
            return Finish(answer=self._text(action.answer))
        return ParseError(message=self._text(action.message), raw=self._text(action.raw), truncated=action.truncated)

    def _seen(self, seen: Observation) -> Observation:
        marked = self.fields.get(seen.call.name, ()) if seen.call is not None else ()
        return seen.model_copy(
            update={
                "parts": tuple(self._part(part) for part in seen.parts),
                "data": self.secrets.json(seen.data, marked),
                "call": seen.call and self._call(seen.call, marked),
                "diff": StateDiff(changes=tuple(self._change(one, marked) for one in seen.diff.changes)),
                "evidence": seen.evidence and Evidence(
                    source=seen.evidence.source, facts=self.secrets.json(seen.evidence.facts, marked)
                ),
                "failure": seen.failure and Failure(
                    code=seen.failure.code,
                    message=self._text(seen.failure.message),
                    details=self.secrets.json(seen.failure.details, marked),
                ),
            }
        )  # fmt: skip

    def _part(self, part: TextPart | ImagePart) -> TextPart | ImagePart:
        return TextPart(text=self._text(part.text)) if isinstance(part, TextPart) else part

    def _call(self, call: ExecutedCall, marked: Collection[str]) -> ExecutedCall:
        return call.model_copy(update={"arguments": self.secrets.json(call.arguments, marked)})

    def _change(self, change: RowChange, marked: Collection[str]) -> RowChange:
        rows = {name: self.secrets.json(getattr(change, name), marked) for name in ("before", "after")}
        return change.model_copy(update={**rows, "key": self._text(change.key)})

    def _text(self, text: str) -> str:
        return self.secrets.text(text)

    def _noted(self, before: T, after: T) -> T:
        """`after`, and that something was masked where they differ."""
        self.masked = self.masked or before != after
        return after


def _without_ids(decision: Decision) -> Decision:
    if decision.prompt_ids is None and decision.tokens is None:
        return decision
    return Decision.model_validate({**decision.model_dump(), "prompt_ids": None, "tokens": None})

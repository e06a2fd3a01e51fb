"""One call on a connected phone, from what the planner wrote to the observation.

1. A key that was applied before gives the first observation again; one whose effect stayed unknown is never sent again.
2. The tool, the phone's release, the arguments by the sandbox's readers against the phone's clock; then, for what can't
   be taken back, a person's yes.
3. The tool writes; the watched tables are read again until they say what was asked, or time is up.
4. After a drop in between, the phone is waited for and read: what it then shows to be done is `yes`, all else
   `unknown`; a call that broke off before its end is never wholly done, whatever is read.

What the phone shows goes into the observation as it is: the diff, the rows, and each place that differs.
"""

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json as to_compact

from device.android.connection.server import reconnect
from device.android.errors import BridgeFailure, Landed, check_time, unsupported
from device.android.shell import command_line
from device.android.tools.registry import Offer, offers
from device.android.work import Tables, Work, difference
from device.sandbox.registry import catalogue
from runtime.contract import (
    Confirm,
    Deadline,
    Effect,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Json,
    Observation,
    StateDiff,
    TextPart,
    ToolCall,
    ToolFailure,
)

if TYPE_CHECKING:
    from device.android.phone import AndroidPhone

ASKED = (Effect.SEND, Effect.PAY, Effect.DELETE, Effect.INSTALL, Effect.GRANT, Effect.POWER)
"""Effects that wait for a yes here, whatever planner and harness decided."""
RECOVER_SECONDS = 10.0
"""Longest wait for a phone that dropped in the middle of a call."""
UNFINISHED = "what the call would have done after it broke off"
"""Stands among the differences of a call that did not come to its end: nobody can say that all of it is done."""
_OTHER_WORDS = "-" * 512
"""Room for the other words of a command that holds a text."""
END_SECONDS, END_SHARE = 1.0, 0.1
"""What is kept of a call's time for reading the phone at its end: at most so long, and such a share."""


@dataclass
class Attempt:
    """One call on its way."""

    call: ToolCall
    """As chosen."""
    key: str
    """Idempotency key."""
    arguments: Json | None = None
    """Normalised, as soon as they could be read."""
    work: Work | None = None
    """As soon as the tool began."""

    @property
    def landed(self) -> Landed:
        """What is known about the effect."""
        return "no" if self.work is None else self.work.landed


def execute(phone: "AndroidPhone", call: ToolCall, deadline: Deadline, key: str) -> Observation:
    """Run one call; nothing is raised for what goes wrong."""
    if key and key in phone.applied:
        return _again(phone, call, key)
    attempt = Attempt(call, key)
    try:
        observation = _run(phone, attempt, deadline)
    except ToolFailure as failure:
        observation = _failed(phone, attempt, failure, deadline)
    except Exception as error:
        kind = type(error).__name__
        message = f"`{call.name}` could not read what the phone said ({kind}: {str(error)[:120]})"
        observation = _failed(phone, attempt, BridgeFailure(ErrorCode.INTERNAL, message, attempt.landed), deadline)
    if key and observation.call is not None and observation.call.landed != "no":
        phone.applied[key] = (call, observation)
    return observation


def _but_for_the_end(deadline: Deadline) -> Deadline:
    """The deadline without its last moments, in which the phone is read where the work did not end."""
    left = deadline.remaining()
    return deadline.within(left - min(END_SECONDS, left * END_SHARE))


def _again(phone: "AndroidPhone", call: ToolCall, key: str) -> Observation:
    first, observation = phone.applied[key]
    if (first.name, first.arguments) != (call.name, call.arguments):
        message = f"the idempotency key `{key}` belongs to an earlier call of `{first.name}`; use a new key"
        return _shown_failure(Attempt(call, key), ToolFailure(ErrorCode.CONFLICT, message, key=key), StateDiff(), None)
    return observation.model_copy(update={"call_id": call.id})


def _run(phone: "AndroidPhone", attempt: Attempt, deadline: Deadline) -> Observation:
    call = attempt.call
    check_time(f"`{call.name}`", deadline)
    offer = offer_for(call.name)
    for value in call.arguments.values():
        command_line((str(value), _OTHER_WORDS))  # what no command can hold must not come to light after a first one
    now = phone.now_by(deadline)
    arguments = attempt.arguments = offer.tool.arguments.read(call.arguments, now)
    check_offer(offer, phone.release_by(deadline), arguments)
    _confirm(phone, call, offer, deadline)
    work = attempt.work = Work(phone.shell, phone.agent, now, _but_for_the_end(deadline))
    answer = offer.function(work, **arguments)
    work.finished = True
    after, differs = work.settle()
    data = answer(after) if callable(answer) else answer
    diff = difference(work.before, after)
    writes = offer.spec.effects_of(call.arguments) > {Effect.READ} or work.landed != "no"
    evidence = _evidence(work, after, diff, differs) if writes else None
    if differs:
        places = ", ".join(f"`{place}`" for place in differs)
        message = f"the phone took `{call.name}` and does not show it: {places} differs"
        return _shown_failure(attempt, ToolFailure(ErrorCode.CONFLICT, message, differs=differs), diff, evidence)
    executed = ExecutedCall(name=call.name, arguments=arguments, idempotency_key=attempt.key, landed="yes")
    return Observation(
        call_id=call.id,
        parts=(TextPart(text=_encode(data)),),
        data=data,
        call=executed,
        diff=diff,
        evidence=evidence,
    )


def offer_for(name: str) -> Offer:
    """The tool of that name; a tool that only other phones have is `unsupported`, any other name unknown."""
    offer = offers().get(name)
    if offer is not None:
        return offer
    if name in catalogue().tools:
        raise unsupported(f"a connected phone has no `{name}`: nothing that Android opens to adb does it", tool=name)
    near = difflib.get_close_matches(name, offers(), n=3)
    hint = f"; did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else "; use a tool that is listed"
    raise ToolFailure(ErrorCode.UNKNOWN_TOOL, f"this phone has no tool `{name[:80]}`{hint}", valid=near)


def check_offer(offer: Offer, release: int, arguments: Json) -> None:
    """Raise where this phone's release or the tool's means don't reach."""
    name = offer.spec.name
    if release < offer.since:
        raise unsupported(f"`{name}` needs Android {offer.since}; this phone has {release}", since=offer.since)
    action = arguments.get("action")
    if offer.actions and action not in offer.actions:
        valid = sorted(offer.actions)
        raise unsupported(f"`{name}` can't {action} on a connected phone; it can {', '.join(valid)}", valid=valid)


def _confirm(phone: "AndroidPhone", call: ToolCall, offer: Offer, deadline: Deadline) -> None:
    risky = [effect for effect in ASKED if effect in offer.spec.effects_of(call.arguments)]
    if not risky:
        return
    values = ", ".join(f"{name} = {value!r}" for name, value in call.arguments.items())
    facts = f"`{call.name}` on the phone `{phone.shell.serial}` would {', '.join(risky)} ({values or 'no arguments'})."
    if phone.approver is None:
        raise ToolFailure(ErrorCode.REFUSED_BY_GUARD, f"nobody is there to agree: {facts} It did not run.")
    if not phone.approver.approve(Confirm(call=call, effects=tuple(map(str, risky)), facts=facts), deadline):
        raise ToolFailure(ErrorCode.REFUSED_BY_GUARD, f"the user did not agree to this: {facts} Do not repeat it.")


def _evidence(work: Work, after: Tables, diff: StateDiff, differs: list[str]) -> Evidence | None:
    places = sorted(work.touched() | {(change.table, change.key) for change in diff.changes})
    if not places:
        places = [(table, key) for table, rows in after.items() if table.startswith("_") for key in rows]
    if not places:
        return None
    rows = [{"table": table, "key": key, "row": after.get(table, {}).get(key)} for table, key in places]
    source = "the phone: " + ", ".join(sorted({table.lstrip("_") for table, _ in places}))
    return Evidence(source=source, facts={"rows": rows, "matches": not differs, "differs": differs})


def _failed(phone: "AndroidPhone", attempt: Attempt, failure: ToolFailure, deadline: Deadline) -> Observation:
    """A failure; where something may have landed, the phone is asked what it shows."""
    work = attempt.work
    if work is None or work.landed == "no":
        return _shown_failure(attempt, failure, StateDiff(), None)
    diff, evidence = StateDiff(), None
    try:
        left = deadline.within(RECOVER_SECONDS)
        reconnect(phone.server, phone.shell.serial, left)
        work.deadline = left
        after = work.read_again()
        diff = difference(work.before, after)
        differs = work.unmet(after) + ([] if work.finished else [UNFINISHED])
        evidence = _evidence(work, after, diff, differs)
        if diff.changes and work.landed == "unknown" and not differs:
            work.landed = "yes"
    except BridgeFailure:
        pass
    if work.landed == "yes" and failure.code in (ErrorCode.OFFLINE, ErrorCode.TIMEOUT) and evidence is None:
        work.landed = "unknown"
    return _shown_failure(attempt, failure, diff, evidence)


def _shown_failure(attempt: Attempt, failed: ToolFailure, diff: StateDiff, evidence: Evidence | None) -> Observation:
    landed = attempt.landed
    words = {
        "yes": "Something of it is done: see the differences.",
        "unknown": "It is unknown whether it was done: read the state before anything is repeated.",
        "no": "",
    }
    message = f"{failed.message}. {words[landed]}".strip() if landed != "no" else failed.message
    failure = Failure(code=failed.code, message=message, details=_plain(failed.details))
    shown = {"error": failure.code.value, "status": failure.status, "message": message}
    executed = None
    if attempt.arguments is not None:
        executed = ExecutedCall(
            name=attempt.call.name, arguments=attempt.arguments, idempotency_key=attempt.key, landed=landed
        )
    return Observation(
        call_id=attempt.call.id,
        parts=(TextPart(text=_encode(shown)),),
        call=executed,
        diff=diff,
        evidence=evidence,
        failure=failure,
    )


def _plain(details: dict[str, Any]) -> Json:
    return {
        name: value if isinstance(value, str | int | float | list) else str(value) for name, value in details.items()
    }


def _encode(data: Json) -> str:
    return to_compact(data, inf_nan_mode="constants", fallback=str).decode()

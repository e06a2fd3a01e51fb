"""One call, from what the planner wrote to the observation.

1. The key: one that was applied before gives the first observation again.
2. The tool, its arguments, its permission; what is wrong there is said before anything runs.
3. The tool. Whatever it raises takes back all that it wrote: a call lands whole or not at all.
4. The observation: data, text, the call as normalised, the diff; and a row in the operation log.
"""

import difflib
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json as to_compact

from device.sandbox.built import built
from device.sandbox.errors import conflict
from device.sandbox.journal import NO_CHANGE
from device.sandbox.log import Operation
from device.sandbox.row import to_json
from device.sandbox.tool import Tool
from runtime.contract import (
    Deadline,
    ErrorCode,
    ExecutedCall,
    Failure,
    Json,
    Observation,
    TextPart,
    ToolCall,
    ToolFailure,
)

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox


def _encode(data: Json) -> str:
    return to_compact(data, inf_nan_mode="constants").decode()


class Attempt:
    """One call on its way."""

    __slots__ = ("arguments", "call", "key", "mark", "phone")

    def __init__(self, phone: "Sandbox", call: ToolCall, key: str) -> None:
        self.phone = phone
        self.call = call
        self.key = key
        self.mark = phone.mark()
        self.arguments: Json | None = None
        """Normalised, as soon as they could be read."""


def execute(phone: "Sandbox", call: ToolCall, deadline: Deadline, key: str) -> Observation:
    """Run one call on the phone."""
    if key and key in phone.applied:
        return _again(phone, call, key)
    attempt = Attempt(phone, call, key)
    try:
        _in_time(deadline)
        tool = _tool(phone, call.name)
        arguments = attempt.arguments = tool.arguments.read(call.arguments, attempt.mark.now)
        phone.permissions.check(tool.permission, call.name)
        observation = _landed(attempt, arguments, _result(tool.function(phone, **arguments)))
    except ToolFailure as failure:
        return _failed(attempt, failure)
    except Exception as error:
        kind = type(error).__name__
        message = f"`{call.name}` failed inside with `{kind}`; nothing was changed"
        return _failed(attempt, ToolFailure(ErrorCode.INTERNAL, message, exception=kind))
    except BaseException:
        phone.undo(attempt.mark)
        raise
    if key:
        phone.applied[key] = (call, observation)
    return observation


def _again(phone: "Sandbox", call: ToolCall, key: str) -> Observation:
    """The first observation of this key; 409 where the key belongs to another call."""
    first, observation = phone.applied[key]
    if (first.name, first.arguments) != (call.name, call.arguments):
        message = f"the idempotency key `{key}` belongs to an earlier call of `{first.name}`; use a new key"
        return _failed(Attempt(phone, call, key), conflict(message, key=key))
    return observation if call.id == first.id else observation.model_copy(update={"call_id": call.id})


def _in_time(deadline: Deadline) -> None:
    if deadline.cancel.cancelled:
        raise ToolFailure(ErrorCode.CANCELLED, "the call was cancelled before it began; nothing was changed")
    if deadline.expires_at is not None and deadline.expired:
        raise ToolFailure(ErrorCode.TIMEOUT, "the deadline had passed before the call began; nothing was changed")


def _tool(phone: "Sandbox", name: str) -> Tool[..., Any]:
    tool = phone.catalogue.tools.get(name)
    if tool is None:
        near = difflib.get_close_matches(name, phone.catalogue.tools, n=3)
        hint = (
            f"; did you mean {' or '.join(f'`{other}`' for other in near)}?" if near else "; use a tool that is listed"
        )
        raise ToolFailure(ErrorCode.UNKNOWN_TOOL, f"this phone has no tool `{name[:80]}`{hint}", valid=near)
    return tool


def _result(value: Any) -> Json:
    data = to_json(value)
    if type(data) is not dict:
        raise TypeError(f"a tool returned {type(value).__name__}; it must return an object")
    return data


def _landed(attempt: Attempt, arguments: Json, data: Json) -> Observation:
    """The observation of a call that worked; records are built from data that is valid already."""
    phone, call, mark = attempt.phone, attempt.call, attempt.mark
    touched = phone.journal.touched(mark.journal)
    phone.log.append(Operation(mark.now, call.id, call.name, arguments, "ok", touched))
    executed = built(ExecutedCall, name=call.name, arguments=arguments, idempotency_key=attempt.key, landed="yes")
    return built(
        Observation,
        call_id=call.id,
        parts=(built(TextPart, kind="text", text=_encode(data)),),
        data=data,
        call=executed,
        diff=phone.journal.net(mark.journal) if touched else NO_CHANGE,
        evidence=None,
        failure=None,
        cuts=(),
        seconds=0.0,
    )


def _failed(attempt: Attempt, failed: ToolFailure) -> Observation:
    """The observation of a call that failed and left nothing behind."""
    phone, call, arguments = attempt.phone, attempt.call, attempt.arguments
    phone.undo(attempt.mark)
    given = call.arguments if arguments is None else arguments
    phone.log.append(Operation(phone.now, call.id, call.name, given, failed.code))
    failure = Failure(code=failed.code, message=failed.message, details=_plain(failed.details))
    shown = {"error": failure.code.value, "status": failure.status, "message": failure.message}
    executed = None
    if arguments is not None:
        executed = ExecutedCall.model_construct(
            name=call.name, arguments=arguments, idempotency_key=attempt.key, landed="no"
        )
    return Observation.model_construct(
        call_id=call.id, parts=(TextPart.model_construct(text=_encode(shown)),), call=executed, failure=failure
    )


def _plain(details: Json) -> Json:
    """Details as JSON data; what has no JSON form is shown by its name."""
    try:
        plain: Json = to_json(details)
    except TypeError:
        return {name: str(value) for name, value in details.items()}
    return plain

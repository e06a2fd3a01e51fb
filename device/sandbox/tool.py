"""A tool is one typed function; its signature and docstring make the `ToolSpec`.

1. The first line of the docstring is the description: at most 8 words, because it stands in every prompt.
2. Every argument has a type that is known here: a spoken type, a `Literal` of texts, or a plain JSON type. With a
   default it is optional.
3. `effects` is one effect, or effects by the value of `action`; the other actions write, `query` and `check` read.

What is wrong with a tool is said when its module is imported.
"""

import inspect
import re
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from device.sandbox.arguments import Arguments, Reader, enum_reader, plain_reader, spoken_reader
from device.sandbox.types import Kind, Spoken
from runtime.contract import Domain, Effect, Json, SetupError, ToolHints, ToolSpec

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
DESCRIPTION_WORDS = 8
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_READING_ACTIONS = frozenset(("query", "check"))
_OUTWARD = frozenset((Effect.SEND, Effect.PAY, Effect.INSTALL))


class Tool(Generic[P, T]):
    """A tool with its schema and compiled argument readers; calling it calls the function."""

    __slots__ = ("arguments", "function", "permission", "spec")

    def __init__(self, function: Callable[P, T], spec: ToolSpec, arguments: Arguments, permission: str | None) -> None:
        self.function = function
        self.spec = spec
        self.arguments = arguments
        self.permission = permission

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the function with canonical values."""
        return self.function(*args, **kwargs)


def tool(
    domain: Domain,
    *,
    permission: str | None = None,
    effects: Effect | Mapping[str, Effect] = Effect.WRITE,
    phrases: tuple[str, ...] = (),
) -> Callable[[Callable[Concatenate[R, P], T]], Tool[Concatenate[R, P], T]]:
    """Make a function of a phone and typed arguments a tool; raises `SetupError` for one that can't be described."""

    def make(function: Callable[Concatenate[R, P], T]) -> Tool[Concatenate[R, P], T]:
        name = function.__name__
        if not _NAME.fullmatch(name):
            raise SetupError(f"`{name}` is no tool name; use lower-case letters, digits and `_`")
        parameters, readers, kinds = _parameters(function)
        actions = parameters["properties"].get("action", {}).get("enum", ())
        by_action = _by_action(name, actions, effects)
        union = frozenset(by_action.values()) or frozenset({effects if isinstance(effects, Effect) else Effect.WRITE})
        spec = ToolSpec(
            name=name,
            domain=domain,
            description=_description(function),
            parameters=parameters,
            effects=union,
            action_effects={action: frozenset({effect}) for action, effect in by_action.items()},
            permissions=(permission,) if permission else (),
            hints=_hints(union),
            examples=phrases,
        )
        return Tool(function, spec, Arguments(name, readers, tuple(parameters["required"]), kinds), permission)

    return make


def _description(function: Callable[..., Any]) -> str:
    line = (inspect.getdoc(function) or "").partition("\n")[0].strip()
    words = len(line.split())
    if not 0 < words <= DESCRIPTION_WORDS:
        raise SetupError(
            f"the first docstring line of `{function.__name__}` has {words} words; write 1 to {DESCRIPTION_WORDS}"
        )
    return line


def _by_action(name: str, actions: tuple[str, ...], effects: Effect | Mapping[str, Effect]) -> dict[str, Effect]:
    """The effect of each value of `action`; empty for a tool without actions."""
    special = effects if isinstance(effects, Mapping) else {}
    if unknown := sorted(set(special) - set(actions)):
        raise SetupError(f"`{name}` has no action `{unknown[0]}`; its actions are {list(actions)}")
    default = effects if isinstance(effects, Effect) else Effect.WRITE
    return {action: special.get(action, Effect.READ if action in _READING_ACTIONS else default) for action in actions}


def _hints(effects: frozenset[Effect]) -> ToolHints:
    reads = effects == {Effect.READ}
    return ToolHints(
        read_only=reads, destructive=Effect.DELETE in effects, idempotent=reads, open_world=bool(effects & _OUTWARD)
    )


def _parameters(function: Callable[..., Any]) -> tuple[Json, dict[str, Reader], dict[str, Kind]]:
    """JSON Schema, readers and spoken kinds of the arguments after the phone."""
    properties: Json = {}
    readers: dict[str, Reader] = {}
    kinds: dict[str, Kind] = {}
    required: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        name = parameter.name
        hint = parameter.annotation
        if isinstance(hint, str):
            hint = eval(hint, function.__globals__)
        properties[name], readers[name], kind = _argument(function.__name__, name, hint)
        if kind is not None:
            kinds[name] = kind
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return schema, readers, kinds


def _argument(tool_name: str, name: str, hint: Any) -> tuple[Json, Reader, Kind | None]:
    """Schema, reader and spoken kind of one argument type."""
    origin, options = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType) and type(None) in options:
        rest = tuple(option for option in options if option is not type(None))
        hint = Union[rest]  # noqa: UP007 - built from data
        origin, options = get_origin(hint), get_args(hint)
    if origin is Annotated:
        for mark in options[1:]:
            if isinstance(mark, Spoken):
                return {"type": "string", "x-spoken": mark.kind}, spoken_reader(name, mark.kind), mark.kind
    if origin is Literal and all(isinstance(option, str) for option in options):
        return {"type": "string", "enum": list(options)}, enum_reader(name, options), None
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}, plain_reader(name, hint), None
    raise SetupError(
        f"`{tool_name}` takes `{name}` as `{hint}`; use a spoken type, a `Literal` of texts or a JSON type"
    )

"""A server's tool as a tool of ours: `mcp__SERVER__TOOL`, a closed schema, effects that assume the worst.

1. The schema is copied keyword by keyword into what every planner here can be bound to: closed objects, lists, texts,
   numbers, enumerations. References within the schema are followed, `anyOf` with null loses the null. `pattern` and
   `format` go (a stranger's pattern can take for ever); the server checks its own.
2. An optional argument that can't be copied is left out; a required one leaves the tool out, and says why.
3. Effects come from the user's word (`reads`), from the server's hints only where the user trusts them; else a tool
   may change, send and delete, so that the guard asks before every call.
4. The description is the server's first sentence, in one line and short: it is shown to the planner as text.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from runtime.contract import MCP_PREFIX, Domain, Effect, Json, ToolHints, ToolSpec
from runtime.mcp.records import Pinned, Server

MAX_NAME = 64
"""Characters of a tool's name: endpoints take no more."""
MAX_DESCRIPTION = 160
MAX_ARGUMENTS = 24
MAX_DEPTH = 4
MAX_CHOICES = 40
MAX_BOUND = 1_000_000_000
"""A limit beyond this, up or down, says nothing that a grammar must hold; it is dropped."""
ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
KEPT = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "boolean": (),
}
PAIRS = (("minLength", "maxLength"), ("minimum", "maximum"), ("exclusiveMinimum", "exclusiveMaximum"))
SECRET_MARKS = {"writeOnly": True, "x-secret": True, "format": "password"}
"""What marks a value as secret in a schema; kept as `x-secret`."""
WORST = frozenset({Effect.WRITE, Effect.SEND, Effect.DELETE})
"""Effects of a tool about which nothing is believed."""


class Unusable(Exception):  # noqa: N818 - it carries a reason
    """Why a schema, or a part of one, can't be copied."""


def specs_of(server: Server) -> tuple[dict[str, tuple[ToolSpec, Pinned]], dict[str, str]]:
    """The accepted tools of a server by our names, and those left out with the reason."""
    found: dict[str, tuple[ToolSpec, Pinned]] = {}
    left_out: dict[str, str] = {}
    for tool in server.tools:
        try:
            parameters = parameters_of(tool.declared.get("inputSchema") or {})
        except Unusable as why:
            left_out[tool.name] = str(why)
            continue
        name = _name(server.name, tool.name, found)
        effects, hints = _effects(server, tool)
        spec = ToolSpec(name=name, domain=Domain.UTILITIES, description=described(server.name, tool),
                        parameters=parameters, effects=effects, hints=hints)  # fmt: skip
        found[name] = (spec, tool)
    return found, left_out


def parameters_of(schema: Any) -> Json:
    """A closed object schema; `Unusable` where a required argument can't be copied."""
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        raise Unusable("its arguments are no object")
    copied = _object(schema, schema, 0)
    if len(copied["properties"]) > MAX_ARGUMENTS:
        raise Unusable(f"it takes {len(copied['properties'])} arguments; the limit is {MAX_ARGUMENTS}")
    return copied


def described(server: str, tool: Pinned) -> str:
    """One short line."""
    words = " ".join(str(tool.declared.get("description") or tool.declared.get("title") or "").split())
    words = "".join(char for char in words if char.isprintable()).replace("<", "(").replace(">", ")")
    first = re.split(r"(?<=[.!?])\s", words, maxsplit=1)[0]
    short = first if len(first) <= MAX_DESCRIPTION else first[: MAX_DESCRIPTION - 4].rstrip() + " ..."
    return short or f"{tool.name[:60]} of {server}."


def _object(schema: Json, root: Json, depth: int) -> Json:
    properties = schema.get("properties") or {}
    required = schema.get("required") or []
    named = isinstance(required, list) and all(isinstance(one, str) for one in required)
    if not isinstance(properties, dict) or not named:
        raise Unusable("`properties` or `required` is malformed")
    kept: Json = {}
    for name, inner in properties.items():
        try:
            if not ARGUMENT.fullmatch(name):
                raise Unusable("its name is not one that can be written")
            kept[name] = _copied(inner, root, depth + 1)
        except Unusable as why:
            if name in required:
                raise Unusable(f"`{name[:60]}`: {why}") from None
    missing = [name for name in required if name not in kept]
    if missing:
        raise Unusable(f"`{str(missing[0])[:60]}` is required and not declared")
    return {"type": "object", "properties": kept, "required": list(required), "additionalProperties": False}


def _copied(schema: Any, root: Json, depth: int) -> Json:
    """One value's schema."""
    if depth > MAX_DEPTH:
        raise Unusable(f"it is nested more than {MAX_DEPTH} deep")
    if not isinstance(schema, dict):
        raise Unusable("it has no schema")
    if "$ref" in schema:
        return _copied(_referred(schema["$ref"], root), root, depth + 1)
    marks = {"x-secret": True} if any(schema.get(key) == value for key, value in SECRET_MARKS.items()) else {}
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if choices is not None:
        return {**_choice(choices), **marks}
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return {**_one_of(schema[key], root, depth), **marks}
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    if not isinstance(kind, str | None):
        raise Unusable("its type is no word")
    if kind == "object" and schema.get("properties"):
        return _object(schema, root, depth)
    if kind == "array":
        return {"type": "array", "items": _copied(schema.get("items"), root, depth + 1)}
    if kind not in KEPT:
        raise Unusable(f"`{kind}` can't be bound")
    bounds = {key: schema[key] for key in KEPT[kind] if _bound(kind, key, schema.get(key))}
    if any(bounds.get(low, -MAX_BOUND) > bounds.get(high, MAX_BOUND) for low, high in PAIRS):
        raise Unusable("no value fits its limits")
    return {"type": kind, **bounds, **marks}


def _referred(reference: Any, root: Json) -> Any:
    """What a reference within the schema points to; nothing is ever fetched."""
    if not isinstance(reference, str) or not reference.startswith("#/"):
        raise Unusable("it refers to another document")
    found: Any = root
    for part in reference[2:].split("/"):
        found = found.get(part) if isinstance(found, dict) else None
    if found is None:
        raise Unusable(f"`{reference[:60]}` is not there")
    return found


def _choice(values: Any) -> Json:
    plain = isinstance(values, list) and all(isinstance(one, str | int | bool) for one in values)
    if not plain or not 0 < len(values) <= MAX_CHOICES:
        raise Unusable(f"its choices are not up to {MAX_CHOICES} texts or numbers")
    if any(isinstance(one, str) and (len(one) > MAX_NAME or not one.isprintable() or "<" in one) for one in values):
        raise Unusable("a choice can't be written in a line")
    return {"enum": values} if not all(isinstance(one, str) for one in values) else {"type": "string", "enum": values}


def _one_of(options: Any, root: Json, depth: int) -> Json:
    """The first option that can be copied: a planner is bound to one way to say it."""
    for one in options if isinstance(options, list) else []:
        if isinstance(one, dict) and one.get("type") != "null":
            try:
                return _copied(one, root, depth + 1)
            except Unusable:
                continue
    raise Unusable("none of its forms can be bound")


def _bound(kind: str, key: str, value: Any) -> bool:
    """Whether a limit is one: a number, a length a whole one, and nothing is a multiple of 0 or less."""
    kinds = int if kind == "string" else int | float
    if not isinstance(value, kinds) or isinstance(value, bool) or not abs(value) <= MAX_BOUND:
        return False
    return value > 0 if key == "multipleOf" else kind != "string" or value >= 0


def _name(server: str, tool: str, taken: dict[str, Any]) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", tool.lower()).strip("_") or "tool"
    name = f"{MCP_PREFIX}{server}__{plain}"
    if len(name) > MAX_NAME or name in taken:
        tail = hashlib.sha256(tool.encode()).hexdigest()[:6]
        name = f"{name[: MAX_NAME - 7]}_{tail}"
    return name


def _effects(server: Server, tool: Pinned) -> tuple[frozenset[Effect], ToolHints]:
    hints: Json = tool.declared.get("annotations") or {}
    if tool.name in server.reads or (server.trust_hints and hints.get("readOnlyHint") is True):
        return frozenset({Effect.READ}), ToolHints(read_only=True, idempotent=True, open_world=True)
    if server.trust_hints and hints.get("destructiveHint") is False:
        again = hints.get("idempotentHint") is True
        return frozenset({Effect.WRITE, Effect.SEND}), ToolHints(idempotent=again, open_world=True)
    return WORST, ToolHints(destructive=True, open_world=True)


def names_of(servers: Sequence[Server]) -> dict[str, str]:
    """Our names of all tools of some servers, each with its server."""
    return {name: one.name for one in servers for name in specs_of(one)[0]}

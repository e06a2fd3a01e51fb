"""Arguments against a tool's schema: one sentence for the planner, or nothing.

The schema is JSON Schema 2020-12, checked by `jsonschema`. What a provider normalises (times, dates, contacts as said)
is text here; whether it can be read is the provider's to say.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from runtime.contract import Json, ToolSpec

MAX_CHARS = 4000
"""Longest text argument; limits in the schema itself would make large grammars."""
SHOWN = 60
"""Characters of a wrong value that are quoted back."""


def near(name: str, known: Sequence[str]) -> str:
    """`; did you mean ...?` for a name that is like a known one, else nothing."""
    found = get_close_matches(name, known, n=3, cutoff=0.75)
    return f"; did you mean {', '.join(f'`{one}`' for one in found)}?" if found else ""


def ticked(names: Sequence[object]) -> str:
    """Identifiers in backticks, with commas."""
    return ", ".join(f"`{name}`" for name in names)


class ArgumentCheck:
    """Validators of tools, each made once."""

    def __init__(self) -> None:
        self._validators: dict[str, tuple[Json, Draft202012Validator]] = {}

    def problem(self, spec: ToolSpec, arguments: Json) -> tuple[str, Json] | None:
        """A sentence and its details when `arguments` break the schema of `spec`; None when they hold."""
        for name, value in arguments.items():
            if isinstance(value, str) and len(value) > MAX_CHARS:
                sentence = f"`{name}` has {len(value):,} characters; the limit is {MAX_CHARS:,}. Shorten it."
                return sentence, {"argument": name, "limit": MAX_CHARS}
        error = best_match(self._validator(spec).iter_errors(arguments))
        return None if error is None else _sentence(error, spec, arguments)

    def _validator(self, spec: ToolSpec) -> Draft202012Validator:
        schema, validator = self._validators.get(spec.name, (None, None))
        if validator is None or schema is not spec.parameters:
            validator = Draft202012Validator(spec.parameters)
            self._validators[spec.name] = (spec.parameters, validator)
        return validator


def _sentence(error: ValidationError, spec: ToolSpec, arguments: Json) -> tuple[str, Json]:
    properties: Json = spec.parameters.get("properties", {})
    where = str(error.absolute_path[0]) if error.absolute_path else ""
    if error.validator == "additionalProperties":
        extra = next(name for name in arguments if name not in properties)
        takes = f"It takes {ticked(list(properties))}." if properties else "It takes no arguments."
        hint = near(extra, list(properties)) or "."
        return f"`{spec.name}` has no argument `{extra}`{hint} {takes}", {"argument": extra}
    if error.validator == "required":
        missing = [name for name in spec.parameters["required"] if name not in arguments]
        allowed = properties[missing[0]].get("enum", [])
        choice = f", one of {ticked(allowed)}" if allowed else ""
        return f"`{spec.name}` needs `{missing[0]}`{choice}.", {"argument": missing[0], "allowed": allowed}
    if error.validator == "enum":
        known = [str(value) for value in spec.parameters["properties"][where].get("enum", [])]
        hint = near(str(error.instance), known) or "."
        sentence = f"`{where}` is {_quoted(error.instance)}; it must be one of {ticked(known)}{hint}"
        return sentence, {"argument": where, "allowed": known}
    if error.validator == "type":
        wanted = {"string": "text", "integer": "a whole number", "boolean": "true or false", "number": "a number"}
        kind = wanted.get(str(error.validator_value), str(error.validator_value))
        return f"`{where}` is {_quoted(error.instance)}; it must be {kind}.", {"argument": where}
    return f"`{where or spec.name}`: {error.message[:200]}.", {"argument": where}


def _quoted(value: Any) -> str:
    text = repr(value)
    return f"`{text[:SHOWN]}...`" if len(text) > SHOWN else f"`{text}`"

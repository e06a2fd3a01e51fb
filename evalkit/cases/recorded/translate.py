"""One recorded call in the sandbox's words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalkit.cases.recorded.form import RecordedCall, UnknownFormError
from evalkit.cases.recorded.mapping import MISSING, Map, ToolMap, at
from runtime.arguments import near, ticked
from runtime.contract import Json, ToolSpec

LEFT_OUT = ""
"""A value of the map that leaves an argument out."""


@dataclass(frozen=True)
class Translated:
    """A call that a script can make."""

    recorded: RecordedCall
    """As it was recorded."""
    where: str
    """Its field in the file."""
    spec: ToolSpec
    """The sandbox's tool."""
    map: ToolMap
    """What the map says of it."""
    arguments: Json
    """The sandbox's arguments; `$N.data.PATH` points to an earlier result."""
    known: Json = field(default_factory=dict)
    """Recorded arguments under the recorded and the sandbox's names, for the map's expressions."""

    @property
    def step(self) -> Json:
        """As an entry of a script."""
        return {"name": self.spec.name, "arguments": self.arguments}


class Translator:
    """Translates the calls of one file; `refer` follows ids from result to argument."""

    def __init__(self, path: Path, book: Map, specs: Mapping[str, ToolSpec]) -> None:
        self._path, self._book, self._specs = path, book, specs

    def call(self, call: RecordedCall, where: str, refer: Mapping[str, str]) -> Translated:
        """The call under the sandbox's names; `UnknownFormError` for a tool, an argument or a value nobody knows."""
        name, entry = self._book.of(call.name)
        spec = self._specs.get(name)
        if spec is None:
            hint = near(name, list(self._specs)) or "."
            raise UnknownFormError(
                self._path,
                f"{where}.name",
                f"neither the map nor the sandbox has a tool `{call.name[:80]}`{hint} "
                "Add it to evalkit/cases/recorded/map.toml, or take the case out.",
            )
        given = call.arguments or {}
        said = self._renamed(given, entry)
        for key, path in entry.resolved.items():
            if not call.failed and (value := at(call.result, path)) is not MISSING:
                said[key] = value
        said = entry.defaults | said
        ours = {key: self._value(spec, entry, key, value, f"{where}.arguments") for key, value in said.items()}
        ours = {key: _referred(value, refer) for key, value in ours.items() if value is not MISSING}
        return Translated(call, where, spec, entry, ours, {**said, **given})

    def _renamed(self, given: Json, entry: ToolMap) -> Json:
        said: Json = {}
        for key, value in given.items():
            if key in entry.split and isinstance(value, str):
                first, _, last = value.strip().replace("T", " ").rpartition(" ")
                said |= {name: part for name, part in zip(entry.split[key], (first, last), strict=True) if part}
            elif key not in entry.drop and value is not None:
                said[entry.rename.get(key, key)] = value
        return said

    def _value(self, spec: ToolSpec, entry: ToolMap, key: str, value: Any, where: str) -> Any:
        """One argument as the tool's schema has it; `MISSING` where the map leaves it out."""
        properties: Json = spec.parameters.get("properties", {})
        schema = properties.get(key)
        if schema is None:
            known = ticked(list(properties)) or "none"
            raise UnknownFormError(
                self._path,
                f"{where}.{key}",
                f"`{spec.name}` of the sandbox takes no such argument; it takes {known}. "
                "Name it in evalkit/cases/recorded/map.toml.",
            )
        if schema.get("type") == "string" and not isinstance(value, str):
            value = ", ".join(map(str, value)) if isinstance(value, list) else _plain(value)
        return self._member(schema, entry.values.get(key, {}), value, f"{where}.{key}")

    def _member(self, schema: Json, values: Mapping[str, str], value: Any, where: str) -> Any:
        options = schema.get("enum")
        value = values.get(value, value) if isinstance(value, str) else value
        if options is None or value in options:
            return value
        if alike := [one for one in options if str(one).casefold() == str(value).casefold()]:
            return alike[0]
        if "*" in values:
            return values["*"] if values["*"] != LEFT_OUT else MISSING
        raise UnknownFormError(
            self._path, where, f"it is `{str(value)[:80]}`; the sandbox knows {ticked(options)}. Name it in "
            "evalkit/cases/recorded/map.toml."
        )  # fmt: skip


def _plain(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _referred(value: Any, refer: Mapping[str, str]) -> Any:
    return refer.get(value, value) if isinstance(value, str) else value

"""Takes what is forgotten out of values: texts, JSON, arrays of token ids, packed and raw bytes.

A text is found whatever its case and the spaces between its words, also where it is escaped within a JSON string. In a
JSON value that held it, all token ids go too: their borders don't keep to those of words.
"""

import json
import re
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from memory.erasure.needles import Needle, forms, little
from memory.erasure.scan import unzipped

MARK = "[erased]"
"""Stands where a text stood."""
IDS = ("prompt_ids", "tokens")
"""Keys of a decision that hold token ids."""
Array = npt.NDArray[Any]


class Redactor:
    """Takes texts and token ids out of values."""

    def __init__(self, texts: Sequence[str], ids: Sequence[Sequence[int]] = ()) -> None:
        self.texts = tuple(sorted({text for text in texts if text.strip()}, key=len, reverse=True))
        self.ids = tuple(tuple(one) for one in ids)
        patterns = [_pattern(text) for text in self.texts]
        self._pattern = re.compile("|".join(patterns), re.I) if patterns else None
        self._probes = tuple({_probe(text) for text in self.texts} | {str(one[0]) for one in self.ids})

    def text(self, value: str) -> str:
        """The text with a mark wherever one of the texts stood."""
        if self._pattern is not None:
            value = self._pattern.sub(MARK, value)
            for text in self.texts:
                for form, data in forms(text).items():
                    if form.startswith("json"):
                        value = value.replace(data.decode(), MARK)
        return value

    def json(self, value: Any) -> Any:
        """The value without the texts, and without any token ids where one was found; as it was where none was."""
        changed = self._json(value)
        return value if changed == value else _without_ids(changed)

    def cell(self, value: Any) -> Any:
        """One cell of a database: a text, JSON, or a blob of either that may be packed."""
        if isinstance(value, str):
            return self._said(value)
        if not isinstance(value, bytes):
            return value
        unpacked = unzipped(value) if value[:1] == b"\x78" else None
        if unpacked is not None:
            try:
                said = unpacked.decode()
            except UnicodeDecodeError:
                return zlib.compress(self.raw(unpacked))
            cleaned = self._said(said)
            return value if cleaned == said else zlib.compress(cleaned.encode())
        try:
            said = value.decode()
        except UnicodeDecodeError:
            return self.raw(value)
        cleaned = self._said(said)
        return value if cleaned == said else cleaned.encode()

    def lines(self, value: str) -> str:
        """JSON lines without those that held anything."""
        kept = []
        for line in value.splitlines(keepends=True):
            small = line.lower()
            if not any(probe in small for probe in self._probes):
                kept.append(line)
                continue
            try:
                known = json.loads(line)
            except ValueError:
                kept.append(self.text(line))
                continue
            if self.json(known) == known:
                kept.append(line)
        return "".join(kept)

    def array(self, values: Array) -> Array:
        """An array whose token ids of a text are 0."""
        if values.dtype.kind not in "iu" or not self.ids or values.size == 0:
            return values
        flat = values.reshape(-1).copy()
        for ids in self.ids:
            for at in starts(flat, ids):
                flat[at : at + len(ids)] = 0
        return flat.reshape(values.shape)

    def raw(self, data: bytes) -> bytes:
        """Bytes of an unknown form, of the same length: spaces for texts, zeros for token ids."""
        for text in self.texts:
            for form in forms(text).values():
                data = data.replace(form, b" " * len(form))
        for ids in self.ids:
            for code in ("q", "i", "H"):
                if code != "H" or max(ids) < 2**16:
                    form = little(ids, code)
                    data = data.replace(form, b"\0" * len(form))
        return data

    def _said(self, value: str) -> str:
        """A text that may be JSON."""
        if value[:1] in ("{", "["):
            try:
                known = json.loads(value)
            except ValueError:
                return self.text(value)
            cleaned = self.json(known)
            return value if cleaned == known else json.dumps(cleaned, ensure_ascii=False, separators=(",", ":"))
        return self.text(value)

    def _json(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self._json(one) for key, one in value.items()}
        if isinstance(value, list):
            return [] if self._holds_ids(value) else [self._json(one) for one in value]
        return value

    def _holds_ids(self, values: list[Any]) -> bool:
        """Whether a list of token ids, or of generated tokens, has those of a text."""
        ids = [one.get("id") if isinstance(one, dict) else one for one in values] if self.ids else []
        if not ids or not all(isinstance(one, int) and 0 <= one < 2**31 for one in ids):
            return False
        row = np.array(ids, np.int64)
        return any(len(starts(row, wanted)) for wanted in self.ids)


def starts(values: Array, ids: Sequence[int]) -> list[int]:
    """Where a sequence begins in a row of numbers; places that overlap an earlier one are left out."""
    count = len(values) - len(ids) + 1
    if count <= 0:
        return []
    here = np.ones(count, bool)
    for offset, one in enumerate(ids):
        here &= values[offset : offset + count] == one
    found: list[int] = []
    for at in map(int, np.flatnonzero(here)):
        if not found or at >= found[-1] + len(ids):
            found.append(at)
    return found


def redactor_for(needles: Sequence[Needle], texts: Sequence[str], ids: Sequence[Sequence[int]]) -> Redactor:
    """A redactor for the texts and token ids that some needles are of."""
    held = {needle.data for needle in needles}
    some_texts = [text for text in texts if held & set(forms(text).values())]
    some_ids = [one for one in ids if _held(one, held)]
    return Redactor(some_texts, some_ids)


def _held(ids: Sequence[int], held: set[bytes]) -> bool:
    known = {little(ids, "i"), little(ids, "q"), ",".join(map(str, ids)).encode()}
    return bool(known & held) or (max(ids) < 2**16 and little(ids, "H") in held)


def _probe(text: str) -> str:
    """What stands in every line that holds the text, however it is escaped: its longest run of plain letters."""
    return max(re.findall(r"[a-z0-9]+", text.lower()), key=len, default="")


def _pattern(text: str) -> str:
    """The text with any spaces between its words."""
    return r"\s+".join(re.escape(word) for word in text.split())


def _without_ids(value: Any) -> Any:
    """JSON without token ids; an episode says that it can't be learned from."""
    if isinstance(value, dict):
        kept = {key: None if key in IDS and isinstance(one, list) else _without_ids(one) for key, one in value.items()}
        return {**kept, "trainable": "none"} if "trainable" in kept else kept
    if isinstance(value, list):
        return [_without_ids(one) for one in value]
    return value

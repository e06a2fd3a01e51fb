"""What must be found nowhere any more: a text in all the forms in which a file may hold it.

1. UTF-8, UTF-16 in both orders, and JSON strings, escaped once or again within another JSON string, with and without
   `\\uXXXX`. A long text is looked for in pieces, so that a part of it is found too.
2. Token ids of each piece: as int32 and int64, little-endian, as uint16 where they fit, and as numbers in JSON. The
   first and last id depend on the neighbours and are left out.
3. Vectors, as float32.
4. A needle's label names the record and the form, never the text. All of this lives in memory alone.
"""

import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

TokenIds = Callable[[str], Sequence[int]]
"""Token ids of a text in a planner's vocabulary."""
WHOLE = 160
"""Characters up to which a text is looked for as a whole."""
PIECE = 60
"""Characters of a piece of a longer one."""
LEAST_BYTES = 6
"""A shorter text would be found everywhere."""
LEAST_WORD = 12
"""As would a single plain word of fewer letters."""
LEAST_IDS = 4
"""Fewer token ids would be found everywhere."""
MOST_IDS = 64
"""Token ids that are looked for together; a piece seldom has more."""
ESCAPES = 3
"""How deep JSON within JSON may be."""
VECTOR_BYTES = 3072
"""Bytes of a vector that are looked for: so many lie together on one page."""


class Needle(NamedTuple):
    """One byte sequence."""

    record: str
    """The record that it tells of."""
    form: str
    """In which form."""
    data: bytes
    """The bytes."""
    numbers: bool = False
    """Numbers in JSON without spaces: a digit before or behind means another number."""


def pieces(text: str) -> list[str]:
    """The texts to look for: the whole, or the pieces of a long one, cut between words; none shorter than it makes
    sense."""
    text = text.strip()
    if len(text) <= WHOLE and "\n" not in text:
        found = [text]
    else:
        found = [piece for line in text.splitlines() for piece in _cut(line.strip())]
    return list(dict.fromkeys(piece for piece in found if telling(piece)))


def telling(text: str) -> bool:
    """Whether a text is more than a word that stands in any file: `default`, `music`."""
    one_word = text.isascii() and text.isalpha()
    return len(text.encode()) >= (LEAST_WORD if one_word else LEAST_BYTES)


def forms(text: str) -> dict[str, bytes]:
    """A text as files may hold it, by form."""
    made = {"utf-8": text.encode(), "utf-16-le": text.encode("utf-16-le"), "utf-16-be": text.encode("utf-16-be")}
    for ascii_only in (False, True):
        escaped = text
        for depth in range(1, ESCAPES + 1):
            escaped = json.dumps(escaped, ensure_ascii=ascii_only)[1:-1]
            made[f"json{'-ascii' if ascii_only else ''}-{depth}"] = escaped.encode()
    distinct: dict[bytes, str] = {}
    for form, data in made.items():
        distinct.setdefault(data, form)
    return {form: data for data, form in distinct.items()}


def sequences(text: str, tokens: TokenIds) -> list[tuple[int, ...]]:
    """Token ids that stand for a text whatever stands around it; more than `MOST_IDS` are looked for in equal parts."""
    made: list[tuple[int, ...]] = []
    for before in ("", " ", "\n"):
        inner = tuple(tokens(before + text))[1:-1]
        if before and len(inner) > 1:
            inner = inner[1:]
        parts = -(-len(inner) // MOST_IDS)
        for number in range(parts):
            part = inner[number * len(inner) // parts : (number + 1) * len(inner) // parts]
            if len(part) >= LEAST_IDS:
                made.append(part)
    return list(dict.fromkeys(made))


def needles_of(record: str, text: str, tokens: TokenIds | None = None) -> Iterator[Needle]:
    """Needles of one piece."""
    for form, data in forms(text).items():
        yield Needle(record, form, data)
    for ids in sequences(text, tokens) if tokens is not None else ():
        yield from id_needles(record, ids)


def id_needles(record: str, ids: Sequence[int]) -> Iterator[Needle]:
    """Needles of token ids."""
    for form, code in (("int32", "i"), ("int64", "q"), ("uint16", "H")):
        if code != "H" or max(ids) < 2**16:
            yield Needle(record, form, little(ids, code))
    yield Needle(record, "numbers", ",".join(map(str, ids)).encode(), numbers=True)


def little(ids: Iterable[int], code: str) -> bytes:
    """Numbers of an `array` type code as little-endian bytes."""
    made = array(code, ids)
    if memoryview(b"\x01\x00").cast("H")[0] != 1:
        made.byteswap()
    return made.tobytes()


def _cut(line: str) -> Iterator[str]:
    """Pieces of about `PIECE` characters."""
    words = re.findall(r"\S+\s*", line)
    piece = ""
    for word in words:
        if piece and len(piece) + len(word) > PIECE:
            yield piece.strip()
            piece = ""
        piece += word
        while len(piece) > 2 * PIECE:  # a text without spaces
            yield piece[:PIECE]
            piece = piece[PIECE:]
    if len(piece.strip()) >= PIECE // 3 or len(line) < PIECE:
        yield piece.strip()

"""Words of others on a terminal: what a terminal would obey, or what turns the reading order, is shown as an escape.

Requests, results and a planner's words may hold anything; stores and `--json` keep it as it is.
"""

import re

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tab and line feed, marks of direction, line separators, halves of surrogate pairs."""


def visible(text: str) -> str:
    r"""`text` with `\x1b` and its like written out; lines and tabs stay."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def in_one_line(text: str) -> str:
    r"""As `visible`, with line feeds and tabs written out too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")

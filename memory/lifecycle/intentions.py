"""Wishes for later in what the user says: "next time I fly, check me in early". Only events; a clock time is a reminder
of the phone's own, which the planner sets with its tools.
"""

import re

from memory.records import Intention

_VERBS = "remind tell ask warn show help offer suggest check book order use turn set call send text"
_ASK = rf"(?:please )?(?:{_VERBS.replace(' ', '|')}|don't let)"
_WHEN = r"(?:the )?(?:next time|when|whenever|as soon as|once)(?: that)? (?:I|we)"
_LATER = (
    re.compile(rf"^(?P<when>{_WHEN} (?P<event>[^,]+)),\s*(?P<what>{_ASK}\b.+)$", re.I),
    re.compile(rf"^(?P<what>(?:please )?remind me (?:to|about|of) .+?) (?P<when>{_WHEN} (?P<event>.+?))[.!]?$", re.I),
)


def intention_in(text: str) -> Intention | None:
    """The wish that a sentence holds; None when it holds none, or waits for a time and not for an event."""
    for form in _LATER:
        if match := form.match(text.strip()):
            return Intention(condition=match["when"].strip(), event=match["event"].strip(" .!"))
    return None

"""Patterns that fill a tool's arguments from a request: the keyword agent's only knowledge."""

import json
import re
from collections.abc import Sequence
from typing import Any

from runtime.contract import Json, ToolSpec

NUMBER_WORD = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|"
    "half an?)"
)
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
CLOCK = (
    r"(?:half past|quarter (?:past|to)) \w+|\d{1,2}:\d{2}(?: ?[ap]\.?m\.?)?|\d{1,2} ?(?:[ap]\.?m\.?|o'clock)|"
    rf"noon|midnight|{NUMBER_WORD} (?:o'clock|[ap]\.?m\.?|thirty)"
)
DATE = (
    rf"(?:the )?day after tomorrow|today|tonight|tomorrow(?: (?:morning|afternoon|evening|night))?|"
    rf"(?:next |this )?{DAY}|next (?:week|month)|"
    rf"\d{{4}}-\d{{2}}-\d{{2}}|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}"
)
PATTERNS: dict[str, str] = {
    "time": CLOCK,
    "date": DATE,
    "moment": rf"(?:{CLOCK})(?: (?:on )?(?:{DATE}))?|(?:{DATE})(?: at (?:{CLOCK}))?",
    "duration": rf"(?:\d+(?:\.\d+)?|{NUMBER_WORD}|an?) ?(?:seconds?|minutes?|mins?|hours?|days?|weeks?)",
    "recurrence": rf"every \w+|daily|weekly|monthly|weekdays|weekends|on {DAY}",
    "number": rf"-?\d+(?:\.\d+)?|{NUMBER_WORD}",
    "percent": rf"(?:\d+|{NUMBER_WORD}) ?(?:%|percent)|\d+",
    "amount": r"[$€£] ?\d+(?:\.\d+)?|\d+(?:\.\d+)? ?(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp)|\d+(?:\.\d+)?",
    "phone_number": r"\+?\d[\d -]{5,}\d",
    "contact": r"(?:to|with|call|text|message|email|from|for|tell|ask|phone|dial|ring) (?:my )?"
    r"((?:[A-Z]\w+)(?: [A-Z]\w+)?|mom|dad|mum|boss|wife|husband|brother|sister)",
}
"""What a value of each spoken kind looks like; the first group, where there is one, is the value."""
ACTION_WORDS: dict[str, str] = {
    "enable": "turn on|switch on|enable|start|activate|on",
    "disable": "turn off|switch off|disable|stop|deactivate|off|kill",
    "query": "is|what|which|show|list|check|how|are|when|read|tell me",
    "create": "create|add|set|make|new|wake|remind|schedule|put",
    "delete": "delete|remove|cancel|clear|erase|drop",
    "update": "update|change|move|edit|rename|reschedule",
    "increase": "up|increase|raise|louder|brighter|more",
    "decrease": "down|decrease|lower|quieter|dimmer|less",
}
"""Phrasings of common enumerated values."""
INTRODUCED: dict[str, str] = {
    "label": "call it|called|named|labell?ed|label it",
    "title": "call it|called|titled|named|about",
    "name": "called|named|open|play",
    "content": "saying|says|that says|that|note|write",
    "text": "saying|says|that says|that|translate|say",
    "message": "saying|says|that says|that",
    "body": "saying|says|that says|that",
    "query": "for|about|is|are|up",
    "song": "play|song|hear",
    "artist": "by|from",
    "album": "album",
    "genre": "some",
    "app": "open|launch|close|install|uninstall|start|app",
    "city": "in|near|for",
    "location": "in|near|at|for",
    "place": "in|near|at|to",
    "destination": "to",
    "origin": "from",
    "device": "the|my",
    "language": "to|into|in",
}
"""Words after which a text argument of that name usually stands."""
TEXT_END = r"(?=$|[.,!?]| (?:at|on|in|to|from|for|by|every|tomorrow|today|and)\b)"


def fill(tool: ToolSpec, request: str) -> Json:
    """The arguments of `tool` that patterns find in `request`, in the schema's order."""
    properties: Json = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", [])
    arguments: Json = {}
    left = request
    for name, schema in properties.items():
        value = slot(name, schema, left, required=name in required)
        if value is not None:
            arguments[name] = value
            if isinstance(value, str) and "enum" not in schema:
                left = left.replace(value, " ", 1)
    return arguments


def slot(name: str, schema: Json, request: str, required: bool) -> Any:
    """The value of one argument, or None."""
    if "enum" in schema:
        return _enumerated(schema["enum"], request, required)
    kind = schema.get("x-spoken") or {"integer": "number", "number": "number"}.get(schema.get("type", ""), "text")
    if schema.get("type") == "boolean":
        return True if re.search(rf"\b{_words(name)}\b", request, re.IGNORECASE) else None
    if kind == "text":
        return _text(name, request, required)
    match = re.search(
        PATTERNS[kind] if kind == "contact" else rf"(?<!\w)(?:{PATTERNS[kind]})(?!\w)", request, _flags(kind)
    )
    if kind == "amount" and match is None:
        match = re.search(PATTERNS[kind], request)
    if match is None:
        return None
    found = match[1] if match.re.groups else match[0]
    if schema.get("type") in ("integer", "number"):
        return json.loads(found) if re.fullmatch(r"-?[1-9]\d*(?:\.\d+)?|0", found) else None
    return found


def _flags(kind: str) -> re.RegexFlag:
    return re.RegexFlag(0) if kind == "contact" else re.IGNORECASE


def _enumerated(values: Sequence[Any], request: str, required: bool) -> Any:
    """The value whose words, or usual phrasings, come first in the request."""
    places = []
    for value in values:
        phrasings = ACTION_WORDS.get(str(value), "") + "|" + _words(str(value))
        match = re.search(rf"\b(?:{phrasings.strip('|')})\b", request, re.IGNORECASE)
        if match:
            places.append((match.start(), -len(match[0]), value))
    if places:
        return min(places, key=lambda place: place[:2])[2]
    return values[0] if required else None


def _text(name: str, request: str, required: bool) -> str | None:
    """What is quoted, what a word introduces, or (if it must be) the request itself."""
    quoted = re.search(r"[\"“]([^\"”]*\w[^\"”]*)[\"”]|(?<!\w)'([^']*\w[^']*)'(?!\w)", request)
    if quoted:
        return quoted[1] or quoted[2]
    before = INTRODUCED.get(name, "called|named|about|for|to" if required else "")
    word = "|".join(part for part in (_words(name), before) if part)
    match = re.search(rf"\b(?:{word})(?: is| it)? (?:the |my )?(.{{2,60}}?){TEXT_END}", request, re.IGNORECASE)
    if match:
        return match[1].strip()
    return request.strip()[:120] or None if required else None


def _words(name: str) -> str:
    """`itemType` and `item_type` as `item type`, for a pattern."""
    return re.escape(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower())

"""Recurrences: "every weekday", "mon wed and fri", "every other monday", "monthly on the 3rd".

The canonical form is the RRULE value of RFC 5545 with its parts in the order FREQ, INTERVAL, BYDAY, BYMONTHDAY,
BYMONTH: `FREQ=DAILY`, `FREQ=WEEKLY;BYDAY=MO,WE,FR`, `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO`, `FREQ=MONTHLY;BYMONTHDAY=3`,
`FREQ=MONTHLY;BYDAY=-1FR`. Days stand in the order of the week, all seven of them are `FREQ=DAILY`. What happens one
time only is `ONCE`.
"""

from __future__ import annotations

import re
from typing import Final

from device.spoken.clock import PART, PART_NAMES
from device.spoken.dates import DAY_NAME, MONTH_NAME
from device.spoken.days import MONTH, WEEKDAY
from device.spoken.draft import Contradiction, Draft

CODES: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ONCE: Final = "ONCE"
_SETS: Final = {"weekday": CODES[:5], "weekend": CODES[5:], "workday": CODES[:5]}
_FREQ: Final = {
    "minute": "MINUTELY", "hour": "HOURLY", "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY",
}  # fmt: skip
_ADVERB: Final = {
    "hourly": ("HOURLY", 1), "daily": ("DAILY", 1), "nightly": ("DAILY", 1), "weekly": ("WEEKLY", 1),
    "fortnightly": ("WEEKLY", 2), "biweekly": ("WEEKLY", 2), "monthly": ("MONTHLY", 1), "yearly": ("YEARLY", 1),
    "annually": ("YEARLY", 1), "annual": ("YEARLY", 1),
}  # fmt: skip
_GROUP: Final = r"weekday|weekend|workday|business day|working day|work day"
_ANY_DAY: Final = rf"(?:(?:every|each) )?(?:the )?(?:{_GROUP}|{DAY_NAME})s?\b"
_LIST: Final = re.compile(rf"{_ANY_DAY}(?:,? (?:(?:and|or|on) )*{_ANY_DAY})*")
_RANGE: Final = re.compile(rf"(?:(?:every|each) )?({DAY_NAME})s? (?:to|until) ({DAY_NAME})s?\b")
_DAY: Final = re.compile(rf"({_GROUP}|{DAY_NAME})(s?)\b")
_EVERY: Final = re.compile(r"(?:every|each|all)(?: single)? (?:(other|alternate|2nd|3rd|4th|\d{1,3}) )?")
_UNIT: Final = re.compile(r"(minute|hour|day|week|fortnight|month|year)s?\b")
_EVERY_PART: Final = re.compile(rf"(?:(?:every|each) (?:day )?(?:in the )?|on )?({PART})\b")
_PART_PLURAL: Final = re.compile(r"(?:in the )?(mornings|afternoons|evenings|nights)\b")
_ADVERBS: Final = re.compile(rf"({'|'.join(_ADVERB)})\b")
_PER: Final = re.compile(
    r"(?:once|1 time|one time) (?:a|an|per|every|each) (hour|day|week|month|year)\b|(7 day) (?:a|per) week\b"
)
_ON_DAYS: Final = re.compile(rf" (?:on|every) (?={_ANY_DAY})")
_ON_DATE: Final = re.compile(
    r" (?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)?\b(?: (?:day )?of (?:the|every|each) month)?(?! ?(?:am|pm|oclock|:))"
)
_DATE_OF: Final = re.compile(
    r"(?:on )?(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)|(1st|last) day)(?: day)? of (?:every|each|the) month\b"
)
_NTH_OF: Final = re.compile(
    rf"(?:(?:every|each|the) )*(\dst|\dnd|\drd|\dth|last) ({DAY_NAME}) of (every|each|the) month\b"
)
_YEARLY: Final = re.compile(
    rf"(?:every|each) (?:year on )?(?:(?:the )?(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({MONTH_NAME})"
    rf"|({MONTH_NAME}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?)\b"
)
_ONCE: Final = re.compile(
    r"(?:only |just )?(?:once|1 time(?: only)?|never|no repeat|not repeating|does not repeat|one time)(?: only)?$"
)
_CANONICAL: Final = re.compile(
    r"FREQ=(MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)(?:;INTERVAL=([1-9]\d{0,2}))?"
    r"(?:;BYDAY=((?:-?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:MO|TU|WE|TH|FR|SA|SU))*))?"
    r"(?:;BYMONTHDAY=(-1|[1-9]|[12]\d|3[01]))?(?:;BYMONTH=([1-9]|1[0-2]))?"
)


def rule(freq: str, interval: int = 1, by_day: str = "", month_day: int | None = None, month: int | None = None) -> str:
    """The canonical string of a recurrence."""
    parts = [f"FREQ={freq}"]
    parts += [f"INTERVAL={interval}"] if interval != 1 else []
    parts += [f"BYDAY={by_day}"] if by_day else []
    parts += [f"BYMONTHDAY={month_day}"] if month_day else []
    parts += [f"BYMONTH={month}"] if month else []
    return ";".join(parts)


def weekly(codes: set[str], interval: int = 1) -> str:
    """The canonical string for some days of the week."""
    if len(codes) == 7 and interval == 1:
        return rule("DAILY")
    return rule("WEEKLY", interval, ",".join(code for code in CODES if code in codes))


def weekdays_of(canonical: str) -> tuple[str, ...]:
    """The days ("MO", ...) in the order of the week on which a daily or plain weekly recurrence happens.

    Empty for `ONCE` and for every recurrence that days of the week can't express.
    """
    found = _CANONICAL.fullmatch(canonical)
    if found is None or found[2] or found[4] or found[5]:
        return ()
    if found[1] == "DAILY" and not found[3]:
        return CODES
    return tuple(found[3].split(",")) if found[1] == "WEEKLY" and found[3] else ()


def canonical_rule(said: str) -> str | None:
    """`said` where it is a canonical recurrence already (its days may stand in any order); else None."""
    if said == ONCE:
        return said
    found = _CANONICAL.fullmatch(said)
    if found is None:
        return None
    codes = found[3] or ""
    if found[1] == "WEEKLY" and codes and not codes[0].isdigit() and codes[0] != "-":
        return weekly(set(codes.split(",")), int(found[2] or 1))
    month_day = int(found[4]) if found[4] else None
    return rule(found[1], int(found[2] or 1), codes, month_day, int(found[5]) if found[5] else None)


def _codes(text: str) -> set[str]:
    """Every day that a list names."""
    found: set[str] = set()
    for name, _ in _DAY.findall(text):
        found.update(
            [CODES[WEEKDAY[name]]] if name in WEEKDAY else _SETS["weekend" if name == "weekend" else "weekday"]
        )
    return found


def _list(draft: Draft, text: str, pos: int) -> int | None:
    """Days of the week: a range, a list, a plural, or "every" before them."""
    every = text.startswith(("every ", "each "), pos) or draft.want == "recurrence"
    if (found := _RANGE.match(text, pos)) and (every or "days" in found[0]):
        low, high = WEEKDAY[found[1]], WEEKDAY[found[2]]
        draft.set_rule(weekly({CODES[(low + n) % 7] for n in range((high - low) % 7 + 1)}))
        return found.end()
    if not (found := _LIST.match(text, pos)) or text.startswith("the ", pos):
        return None
    names = _DAY.findall(found[0])
    plural = any(s for _, s in names) or any(name not in WEEKDAY and name != "weekend" for name, _ in names)
    if not (every or plural or len(names) > 1):
        return None
    draft.set_rule(weekly(_codes(found[0])))
    return found.end()


def _every(draft: Draft, text: str, pos: int) -> int | None:
    """Every day, every other monday, every 3 hours, every 2 weeks on monday."""
    if not (found := _EVERY.match(text, pos)):
        return None
    count = {"other": 2, "alternate": 2, None: 1}.get(found[1]) or int(re.sub(r"\D", "", found[1]) or 0)
    if unit := _UNIT.match(text, found.end()):
        if unit[1] == "fortnight":
            return _tail(draft, text, unit.end(), "WEEKLY", 2 * count)
        return _tail(draft, text, unit.end(), _FREQ[unit[1]], count)
    if count > 1 and (listed := _LIST.match(text, found.end())):
        draft.set_rule(weekly(_codes(listed[0]), count))
        return listed.end()
    if count == 1 and (part := _EVERY_PART.match(text, found.end())):
        draft.set_part(PART_NAMES[part[1]])
        draft.set_rule(rule("DAILY"))
        return part.end()
    return None


def _tail(draft: Draft, text: str, end: int, freq: str, count: int) -> int:
    """What may follow a frequency: the days of a week, the day of a month."""
    if count < 1:
        raise Contradiction
    if freq == "WEEKLY" and (found := _ON_DAYS.match(text, end)) and (listed := _LIST.match(text, found.end())):
        draft.set_rule(weekly(_codes(listed[0]), count))
        return listed.end()
    if freq == "MONTHLY" and (found := _ON_DATE.match(text, end)) and 1 <= int(found[1]) <= 31:
        draft.set_rule(rule("MONTHLY", count, month_day=int(found[1])))
        return found.end()
    draft.set_rule(rule(freq, count))
    return end


def match_recurrence(draft: Draft, text: str, pos: int) -> int | None:
    """Read a recurrence at `pos`; the end of what was read, or None."""
    if (found := _NTH_OF.match(text, pos)) and (found[3] != "the" or draft.want == "recurrence"):
        n = "-1" if found[1] == "last" else found[1][0]
        draft.set_rule(rule("MONTHLY", by_day=n + CODES[WEEKDAY[found[2]]]))
    elif (found := _DATE_OF.match(text, pos)) and (
        "every" in found[0] or "each" in found[0] or draft.want == "recurrence"
    ):
        draft.set_rule(rule("MONTHLY", month_day=_month_day(found)))
    elif found := _YEARLY.match(text, pos):
        draft.set_rule(_yearly(int(found[1] or found[4]), MONTH[found[2] or found[3]]))
    elif found := _ADVERBS.match(text, pos):
        return _tail(draft, text, found.end(), *_ADVERB[found[1]])
    elif found := _PER.match(text, pos):
        draft.set_rule(rule("DAILY" if found[2] else _FREQ[found[1]]))
    elif found := _PART_PLURAL.match(text, pos):
        draft.set_part(PART_NAMES[found[1]])
        if draft.rule is None:
            draft.set_rule(rule("DAILY"))
    elif draft.want == "recurrence" and (found := _ONCE.match(text, pos)):
        draft.set_rule(ONCE)
    else:
        end = _every(draft, text, pos)
        return end if end is not None else _list(draft, text, pos)
    return found.end()


def _month_day(found: re.Match[str]) -> int:
    number = -1 if found[2] == "last" else int(found[1] or 1)
    if number > 31 or number == 0:
        raise Contradiction
    return number


def _yearly(day: int, month: int) -> str:
    if not 1 <= day <= 31:
        raise Contradiction
    return rule("YEARLY", month_day=day, month=month)

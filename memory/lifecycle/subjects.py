"""What a text states, by rule: whose, which attribute, which value. So a later statement finds the one it replaces.

    "My sister moved to Lyon"  ->  sister: home = lyon     "the deadline is May 5 now"  ->  deadline = 5 may (changed)
    "I stopped drinking coffee"  ->  something with "drink coffee" is over

Statements are the writer's own, in the present; questions, wishes and reports of others state nothing. What no rule
reads stays without a subject, and then nothing is closed: a wrong rule would hide what is true.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.lifecycle.lexicon import about, domains, ended, frames, listed, pattern
from memory.lifecycle.nouns import is_person, noun_key, stable
from memory.lifecycle.text import clauses, sentences, stem, telling, words
from memory.lifecycle.weak import habits

MAX_CLAUSE = 300
"""Characters of a clause that rules read."""
_OVER = re.compile(r"\s+(?:to|over|rather than|instead of)\s+(?!be\b|have\b)", re.I)
_BESIDE = re.compile(r"\s(?:on|in|at|for|when|with|from)\s", re.I)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a clause states."""

    holder: str
    """Whose it is, by a normalised name; empty: the speaker's own."""
    attribute: str
    """What is stated; empty when only what is over is known."""
    value: str
    """Its value, normalised; empty when something is over."""
    strong: bool
    """The attribute has one value at a time."""
    changed: bool
    """The clause has a word of change."""
    said: frozenset[str]
    """Stems of the whole clause."""
    over: frozenset[str] = frozenset()
    """Stems of what the clause says to be over."""
    habit: bool = False
    """One of several readings of a habit (weak.py)."""

    @property
    def key(self) -> str:
        """What the statement is about; empty when unknown."""
        if not self.attribute:
            return ""
        return f"{self.holder}: {self.attribute}" if self.holder else self.attribute


@dataclass(frozen=True, slots=True)
class _Found:
    """A statement that a rule read, before its clause is known."""

    attribute: str
    value: str
    holder: str = ""
    strong: bool = True
    over: frozenset[str] = frozenset()
    habit: bool = False


_YOU = (
    (re.compile(r"\b(?:you are|you're)\b", re.I), "I am"),
    (re.compile(r"\byour\b", re.I), "my"),
    (re.compile(r"\byou\b", re.I), "I"),
)


def told_back(text: str) -> str:
    """What an agent tells the user about himself, in the user's own person: "your bank is X" is "my bank is X"."""
    for form, own in _YOU:
        text = form.sub(own, text)
    return text


def subject_of(text: str) -> str:
    """The key of the first thing that a text states, for a record's `subject`; empty when no rule reads it.

    A habit, which nothing closes without a word of change, is named by its likeliest reading: the latest ranks first.
    """
    found = [one for one in statements(text) if one.key]
    sure = [one for one in found if not one.habit] or found
    return next((one.key for one in sure if one.strong), sure[0].key if sure else "")


@lru_cache(maxsize=8192)
def statements(text: str) -> tuple[Statement, ...]:
    """All that a text states, in order."""
    return tuple(one for clause in clauses_of(text) for one in stated(clause))


@lru_cache(maxsize=8192)
def clauses_of(text: str) -> tuple[str, ...]:
    """The clauses of a text that are no questions."""
    kept = (sentence for sentence in sentences(text) if not sentence.rstrip("\"')").endswith("?"))
    return tuple(clause for sentence in kept for clause in clauses(sentence))


@lru_cache(maxsize=8192)
def stated(clause: str) -> tuple[Statement, ...]:
    """What one clause states."""
    if len(clause) > MAX_CLAUSE:
        return ()
    bare = pattern("leading").sub("", clause, count=1)
    if pattern("hypothetical").search(bare) and not pattern("elliptic").match(bare):
        return ()
    changed, said = pattern("cue").search(clause) is not None, telling(clause)
    beside = pattern("additive").search(clause) is not None
    found = dict.fromkeys([*_of_self(bare), *_of_noun(bare), *_about(clause)])
    return tuple(
        Statement(
            one.holder,
            one.attribute,
            one.value,
            one.strong and not beside,
            (changed and not beside) or bool(one.over),
            said,
            one.over,
            one.habit,
        )
        for one in found
        if (one.attribute and one.value) or one.over
    )


def _of_self(clause: str) -> list[_Found]:
    """What a clause states of the one who speaks."""
    match = pattern("self").match(clause) or pattern("elliptic").match(clause)
    if match is None:
        return []
    rest = pattern("adverb").sub("", match["rest"])
    if over := _over("", rest):
        return over
    found = _framed("", rest)
    for name in ("i_changed", "new_one"):
        if change := pattern(name).match(rest):
            return [*found, _Found(noun_key(change["np"]), value_of(change["value"]))]
    if switch := pattern("switched").match(rest):
        return found or [_Found("", value_of(switch["value"]), over=telling(switch["old"]))]
    usual = pattern("tail").split(rest)[0]
    return found or [_Found(attribute, value_of(value), strong=False, habit=True) for attribute, value in habits(usual)]


def _of_noun(clause: str) -> list[_Found]:
    """What a clause states of a person or a thing that it names."""
    if inverted := pattern("inverted").match(clause):
        return [_Found(noun_key(inverted["np"]), value_of(inverted["value"]))]
    found = (pattern(name).match(clause) for name in ("relative", "noun", "named"))
    match = next(filter(None, found), None)
    if match is None or match["np"].lower() in listed("no_name"):
        return []
    np, rest = match["np"], pattern("adverb").sub("", match["rest"])
    holder = noun_key(np) if is_person(np) else ""
    if over := _over(holder, rest, telling(np)):
        return over
    if holder and (framed := _framed(holder, rest)):
        return framed
    if change := pattern("changed_to").match(rest):
        return [_Found(noun_key(np), value_of(change["value"]))]
    copula = pattern("copula").match(rest)
    if copula is None and (match.groupdict().get("det") or "").lower() in ("my", "our"):
        usual = habits(pattern("tail").split(rest)[0])
        return [_Found(f"{noun_key(np)} {name}", value_of(value), strong=False, habit=True) for name, value in usual]
    if copula is None or not stable(np, copula["value"]):
        return []
    end = " end" if (copula["point"] or "").lower().startswith("end") else ""
    return [_Found(noun_key(np) + end, value_of(copula["value"]))]


def _about(clause: str) -> list[_Found]:
    """What a clause states of a speaker who is not its subject."""
    matches = ((attribute, form.search(clause)) for attribute, form in about())
    return [_Found(attribute, value_of(match["value"])) for attribute, match in matches if match is not None]


def _framed(holder: str, rest: str) -> list[_Found]:
    """What the frames read in what follows a person."""
    found: list[_Found] = []
    shorter, pronouns = pattern("tail").split(rest)[0], listed("pronouns")
    for frame in frames():
        match = frame.pattern.match(rest) or frame.pattern.match(shorter)
        if match is None:
            continue
        groups = match.groupdict()
        key, value = value_of(groups.get("key") or ""), frame.says or value_of(groups.get("value") or "")
        if frame.attribute == "prefer":
            found += [_Found(name, liked, holder) for name, liked in _preferences(groups["value"])]
        elif not set(value.split()) & pronouns and not ("key" in groups and set(key.split()) <= pronouns):
            found.append(_Found(frame.attribute.replace("{key}", key), value, holder, frame.strong))
    return found


def _over(holder: str, rest: str, more: frozenset[str] = frozenset()) -> list[_Found]:
    """What the rest of a clause says to be over; `more` are the stems of what it is said of."""
    match = next(filter(None, (one.match(rest) for one in ended())), None)
    if match is None:
        return []
    over = telling(pattern("tail").split(match["value"])[0]) | (frozenset() if holder else more)
    return [_Found("", "", holder, strong=False, over=over)] if over else []


def _preferences(value: str) -> list[tuple[str, str]]:
    """(attribute, value) of a preference, about the kind of thing if the list knows it, else its head noun."""
    chosen, *others = _OVER.split(value, maxsplit=1)
    kept = words(_BESIDE.split(chosen)[0])
    kinds = domains()
    known = dict.fromkeys(kinds[word] for word in kept if word in kinds)
    names = [f"prefer {name}" for name in known] or ([f"prefer {stem(kept[-1])}"] if kept else [])
    if others and not known:
        one, other = sorted((value_of(chosen), value_of(others[0])))
        names = [f"prefer {one} or {other}"]
    return [(name, value_of(chosen)) for name in names]


def value_of(text: str) -> str:
    """A value in normal form: without reasons, times of change and articles, in stems."""
    parts = [part for part in pattern("tail").split(text.strip()) if part]
    kept = words(parts[0]) if parts else []
    without = [stem(word) for word in kept if word not in listed("plain")]
    return " ".join(without or kept)

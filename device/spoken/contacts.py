"""Which of the phone's contacts a spoken name means, or that it could be several, or none.

Names are tried from the strictest reading to the loosest, and the first that finds somebody decides: the same full
name; every said word among the words of the name, from its start on ("anna", "anna k"); a diminutive ("bob" for
Robert); a slip of hearing or writing (a similarity of `SLIP` or more in 100 by rapidfuzz). A looser reading never adds
to a stricter one, so "Anna" is not ambiguous because there is an Annabel. Relations ("my mum") are aliases: the caller
passes them among the names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import DamerauLevenshtein

from device.spoken.text import fold_text

SLIP: Final = 80
"""Least similarity of two words, in 100, for one to be a slip of the other; shorter words than 4 must be equal."""

_DIMINUTIVES: Final = (
    "robert bob bobby rob robbie", "william bill billy will willy liam", "richard rick dick rich ricky",
    "james jim jimmy jamie", "john johnny jack jon", "jonathan jon johnny", "michael mike mick mickey micky",
    "elizabeth liz lizzie beth betty eliza lisa", "margaret maggie meg peggy", "katherine kate katie kathy kat",
    "catherine kate katie cathy cat", "kathryn kate katie kathy", "edward ed eddie ted ned", "thomas tom tommy",
    "charles charlie chuck", "daniel dan danny", "david dave davy", "joseph joe joey", "anthony tony",
    "andrew andy drew", "christopher chris kit", "christina chris tina", "christine chris tina", "matthew matt",
    "nicholas nick nicky", "alexander alex sasha al", "alexandra alex sasha sandra", "samuel sam sammy",
    "samantha sam sammy", "benjamin ben benny", "jennifer jen jenny", "jessica jess jessie", "rebecca becky becca",
    "susan sue susie", "patricia pat patty tricia", "patrick pat paddy", "victoria vicky tori", "stephen steve",
    "steven steve", "gregory greg", "jeffrey jeff", "timothy tim timmy", "kenneth ken kenny", "lawrence larry",
    "frederick fred freddie", "deborah deb debbie", "theodore ted theo teddy", "abigail abby", "gabriel gabe",
    "gabriella gabby ella", "nathan nate", "nathaniel nate nat", "zachary zach zack", "peter pete", "raymond ray",
    "ronald ron ronnie", "donald don donnie", "philip phil", "phillip phil", "vincent vince vinny", "walter walt",
    "henry harry hank", "harold harry hal", "jacob jake", "joshua josh", "natalie nat", "natasha tasha nat",
    "olivia liv livvy", "isabella bella izzy", "maria mia", "amanda mandy", "barbara barb", "cynthia cindy",
    "dorothy dot dottie", "eleanor ellie nell nora", "emily em emmy", "francis frank", "frances fran",
    "franklin frank", "george georgie", "gerald gerry jerry", "leonard len leo lenny", "martin marty", "melissa mel",
    "melanie mel", "pamela pam", "teresa terry tess", "theresa terry tess", "valerie val",
    "mother mum mom mommy mummy mama ma", "father dad daddy papa pa", "grandmother grandma granny nana gran",
    "grandfather grandpa granddad grandad", "brother bro", "sister sis",
)  # fmt: skip
"""A name and its short forms, a row each; a short form may belong to several names."""
_KIN: Final = frozenset(("mother", "father", "grandmother", "grandfather"))


def _short_forms() -> dict[str, frozenset[str]]:
    """Each short form with the names that it may stand for; for kin the other short forms too ("mum" for "mom")."""
    table: dict[str, frozenset[str]] = {}
    for row in _DIMINUTIVES:
        full, *short = row.split()
        for word in short:
            meant = {full, *short} if full in _KIN else {full}
            table[word] = table.get(word, frozenset()) | meant
    return table


_SHORT: Final = _short_forms()
_NAMES: Final = frozenset(word for row in _DIMINUTIVES for word in row.split())
"""Names and short forms that are known: two of them are never slips of each other ("grandpa", "grandma")."""
_TITLES: Final = frozenset("dr doctor mr mister mrs ms miss prof professor".split())  # noqa: SIM905
_LEAD: Final = re.compile(r"^(?:my|our|to|with|from|for|call|contact) +", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s\b|(?<=s)['’](?=\s|$)")


@lru_cache(maxsize=4_096)
def _words(name: str) -> tuple[str, ...]:
    """The folded words of a name, without a leading "my" and possessive endings."""
    bare = _LEAD.sub("", _POSSESSIVE.sub("", name.strip()))
    return tuple(fold_text(bare or name).split())


def _starts(said: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Every said word is a word of the name, or the initial of one, in the name's order."""
    at = 0
    for word in said:
        while at < len(words) and not (words[at] == word or (len(word) == 1 and at and words[at][0] == word)):
            at += 1
        if at == len(words):
            return False
        at += 1
    return True


def _short_for(said: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """The first word is a diminutive of the name's first, or the other way round; the rest is in the name."""
    if not words:
        return False
    same = words[0] in _SHORT.get(said[0], ()) or said[0] in _SHORT.get(words[0], ())
    return same and _starts(said[1:], words[1:])


def _slip_of(said: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Each said word is a slip of the name's word at some place, in order."""
    at = 0
    for word in said:
        while at < len(words) and not _like(word, words[at]):
            at += 1
        if at == len(words):
            return False
        at += 1
    return True


def _like(word: str, other: str) -> bool:
    if word == other:
        return True
    if min(len(word), len(other)) < 4 or word[0] != other[0] or {word, other} <= _NAMES:
        return False
    return DamerauLevenshtein.normalized_similarity(word, other) * 100 >= SLIP


def match_contact(said: str, names: Sequence[str]) -> list[str]:
    """The names that `said` may mean, in the order given: none [], one, or several where the user must be asked."""
    spoken = _words(said)
    if not spoken:
        return []
    folded = [(name, _words(name)) for name in names]
    if exact := [name for name, words in folded if words == spoken]:
        return exact
    untitled = tuple(word for word in spoken if word not in _TITLES) or spoken
    for reading in (_starts, _short_for, _slip_of):
        for form in dict.fromkeys((spoken, untitled)):
            if found := [name for name, words in folded if reading(form, words)]:
                return found
    return []

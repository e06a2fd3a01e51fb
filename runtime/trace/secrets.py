"""What is a secret: passwords, codes, tokens, keys, and whatever a tool's schema marks.

1. By name: the value of an argument, a result's field or a row's column whose name says so (`password`, `pinCode`,
   `setup_key`, `code` with a digit), or that the tool's schema marks (`x-secret`, `writeOnly`, format `password`).
2. By its words: what follows "password is", "pin 1234", "482913 is your ... code", in digits or in words.
3. By its form: keys and tokens that services give out, JSON web tokens, private keys, passwords in addresses.

A value of 1 or 2 is remembered: wherever it stands from then on, in whatever spelling a JSON text, an address or base64
gives it, it is masked. Short ones (under `LEAST` characters) are masked only where they are found.
"""

import base64
import html
import json
import re
from collections.abc import Collection, Iterable
from typing import Any
from urllib.parse import quote, quote_plus

MASK = "[secret]"
"""Stands where a secret stood."""
LEAST = 4
"""Characters from which a value is looked for everywhere."""
MOST = 1000
"""Values that are remembered; beyond, the oldest go."""

_WORDS = {"password", "passwd", "passphrase", "passcode", "pin", "otp", "totp", "cvv", "cvc", "secret", "token",
          "apikey", "credential"}  # fmt: skip
_ENDS = tuple(
    f"{first}_{last}"
    for first, last in [
        *((kind, "key") for kind in ("api", "setup", "access", "private", "secret", "encryption")),
        *((kind, "code") for kind in ("verification", "security", "unlock", "pin", "auth", "recovery", "backup",
                                      "sms", "confirmation", "access", "login", "time", "pairing")),
    ]
)  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s.-]+")

_DIGITS = r"\d(?:[ -]?\d){2,18}"
_NUMBERS = r"(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)(?:[\s,-]+|\b)){3,}"
_TEN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPOKEN = {"oh": "0", **{word: str(number) for number, word in enumerate(_TEN)}}
_BREAKS = re.compile(r"[\s,-]+")
_ALL_NUMBERS = re.compile(_NUMBERS, re.I)
_VALUE = r"[^\s\"'”’`,;<>()\[\]{}\\]{3,64}"
_OPEN = r"[\\\"'“‘`]*"
_IS = r"(?:\s+(?:is|was|are|as|to|will be|should be)\s+|\s*(?::=|=|:|->)\s*)"
_PASSWORD = (
    r"pass(?:word|phrase|code|wd)|pwd?|secret(?: key)?"
    r"|(?:api|access|private|setup|wi-?fi|wlan|wpa\d?|network|router)[ _-]?key|(?:access|auth|api)[ _-]?token"
)
_FOR = r"(?:\s+(?:for|to|of|on|at)(?:\s+[\w'’-]+){1,5}?)"
_AS = r"[\"'”’`]?\s+as\s+(?:[\w'’-]+\s+){0,3}?"
_CODE = (
    r"(?<!zip )(?<!area )(?<!post )(?<!postal )(?<!country )(?<!dress )(?<!qr )(?<!error )(?<!status )(?<!exit )"
    r"(?<!flight )(?<!source )(?<!promo )(?<!discount )(?:pin(?:[ -]?(?:code|number))?|cvv|cvc|otp|code|token)"
)
_LINK = (
    r"(?:and|or|so|for|to|on|in|at|of|the|an|my|your|his|her|it|is|was|then|please|with|by|when|if|but|from|not|now"
    r"|tonight|today|tomorrow|thanks|via|because|since|which|that|who)\b"
)
_PHRASE = rf"(?!{_LINK})[^\W\d_]{{3,20}}(?:[\s-]{{1,3}}(?!{_LINK})[^\W\d_]{{3,20}}){{1,24}}\b(?:[ -]\d{{1,8}}\b)?"
"""A password of several plain words without quotes, up to a short word or one that goes on with the sentence."""
_QUOTED = r"(?=[^\"“”`\n\\]* )[^\"“”`\n\\]{3,200}"
"""One of several words that stands in quotes."""
_IN_QUOTES = re.compile(rf"\b(?=[pasnrw])(?:{_PASSWORD})\b{_FOR}?{_OPEN}{_IS}[\"“`](?P<value>{_QUOTED})[\"”`]", re.I)
_SAID = (
    _IN_QUOTES,
    re.compile(rf"\b(?=[pasnrw])(?:{_PASSWORD})\b{_FOR}?{_OPEN}{_IS}{_OPEN}(?P<value>{_PHRASE})", re.I),
    re.compile(rf"\b(?=[pasnrw])(?:{_PASSWORD})\b{_OPEN}{_IS}{_OPEN}(?P<value>{_DIGITS}|{_NUMBERS}|{_VALUE})", re.I),
    re.compile(rf"\b(?=[pasnrw])(?:{_PASSWORD})\b{_FOR}\s+is\s+{_OPEN}(?P<value>{_DIGITS}|{_NUMBERS}|{_VALUE})", re.I),
    re.compile(rf"\b(?=[pasnrw])(?:{_PASSWORD})\b\s+[\"'“‘`](?P<value>{_VALUE})[\"'”’`]", re.I),
    re.compile(rf"\b(?=[pasnrw])(?:{_PASSWORD})\b(?:['’]s)?\s+(?P<value>(?=\S*\d){_VALUE}|{_NUMBERS})", re.I),
    re.compile(rf"(?<![^\s\"'“‘`])(?P<value>(?=\S{{0,63}}?\d){_VALUE}){_AS}(?:{_PASSWORD}|pin|otp)\b", re.I),
    re.compile(rf"\b(?=[pcot]){_CODE}\b{_OPEN}(?:{_IS}|\s+){_OPEN}(?P<value>{_DIGITS}|{_NUMBERS})", re.I),
    re.compile(rf"\b(?=[pcot]){_CODE}\b{_OPEN}{_IS}{_OPEN}(?P<value>(?=[\w-]*\d)[A-Za-z0-9-]{{4,20}}\b)", re.I),
    re.compile(r"\b(?P<value>(?:[A-Z]-)?\d{4,8})\b(?= is (?:your|the)\b.{0,40}\b(?:code|pin|password|otp)\b)", re.I),
)
_FORMS = re.compile(
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(?:sk|pk|rk)[-_](?:live[-_]|test[-_]|proj[-_])?[A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abeprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}|(?<=\bBearer )[\w.~+/=-]{8,}|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
    re.S,
)
_PLAIN = """
missing required wrong incorrect needed invalid empty not the a an for too in on set saved kept unknown none null true
false text string str int num bool secret password there correct right my your his her this that it same now what
whatever something [secret] and or of with changed protected
"""
_NO_VALUE = frozenset(_PLAIN.split())
"""Words that follow "password is" and are none."""


def names_a_secret(name: str, marked: Collection[str] = ()) -> bool:
    """Whether a field of this name holds a secret; `marked` are those that the tool's schema marks."""
    if name in marked:
        return True
    words = [word.lower() for word in _CAMEL.sub("_", name).split("_") if word]
    return bool(_WORDS.intersection(words)) or "_".join(words).endswith(_ENDS)


def marked_in(schema: Any) -> frozenset[str]:
    """Names of the properties that a schema marks as secret, at any depth."""
    if isinstance(schema, list):
        return frozenset().union(*map(marked_in, schema))
    if not isinstance(schema, dict):
        return frozenset()
    own = {
        str(name)
        for name, one in (schema.get("properties") or {}).items()
        if isinstance(one, dict)
        and (one.get("x-secret") is True or one.get("writeOnly") is True or one.get("format") == "password")
    }
    return frozenset(own).union(*(marked_in(value) for value in schema.values()))


class Secrets:
    """The secrets of one process: found, remembered, masked."""

    def __init__(self) -> None:
        self._values: dict[str, None] = {}
        self._pattern: re.Pattern[str] | None = None

    @property
    def values(self) -> tuple[str, ...]:
        """What is remembered, oldest first."""
        return tuple(self._values)

    def learn(self, value: Any, marked: Collection[str] = ()) -> None:
        """Remember the secrets of a text, or of JSON with `marked` names."""
        for one in (way for found in _found(value, marked, "") for way in (found, _digits(found))):
            if len(one) >= LEAST and one.lower() not in _NO_VALUE and one not in self._values:
                self._values[one] = None
                self._pattern = None
        while len(self._values) > MOST:
            del self._values[next(iter(self._values))]

    def text(self, text: str) -> str:
        """`text` with its secrets masked."""
        if not text:
            return text
        if self._values:
            if self._pattern is None:
                longest = sorted(self._values, key=len, reverse=True)
                ways = (way for value in longest for way in sorted(_spellings(value), key=lambda way: (-len(way), way)))
                self._pattern = re.compile("|".join(ways), re.I)
            text = self._pattern.sub(MASK, text)
        text = _FORMS.sub(MASK, text)
        for said in _SAID:
            text = said.sub(_masked, text)
        return text

    def json(self, value: Any, marked: Collection[str] = (), name: str = "") -> Any:
        """The same JSON with its secrets masked; names of fields stay."""
        if isinstance(value, dict):
            return {key: self.json(inner, marked, str(key)) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.json(inner, marked, name) for inner in value)
        if name and _is_secret(name, value, marked):
            return MASK
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int) and not isinstance(value, bool) and str(value) in self._values:
            return MASK
        return value


def _digits(said: str) -> str:
    """The digits of a code that was said in words; else nothing."""
    return (
        "".join(_SPOKEN.get(word.lower(), "") for word in _BREAKS.split(said)) if _ALL_NUMBERS.fullmatch(said) else ""
    )


def _found(value: Any, marked: Collection[str], name: str) -> Iterable[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _found(inner, marked, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _found(inner, marked, name)
    elif name and _is_secret(name, value, marked):
        yield str(value)
    elif isinstance(value, str):
        for said in _SAID:
            yield from (one for match in said.finditer(value) if (one := _value_of(match)))


def _is_secret(name: str, value: Any, marked: Collection[str]) -> bool:
    """Whether a field holds one: a text or number under a secret's name; under `code` only with a digit."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value in ("", MASK):
        return False
    if name.lower() == "code" and name not in marked:
        return 4 <= len(str(value)) <= 12 and any(char.isdigit() for char in str(value))
    return names_a_secret(name, marked) and (isinstance(value, str) or len(str(value)) >= LEAST)


def _value_of(match: re.Match[str]) -> str:
    """What a match says to be one; nothing where its words are none ("the password is wrong again")."""
    value = match["value"].rstrip(".!?: ,-")
    first, *others = value.lower().split() or [""]
    plain = first in _NO_VALUE and sum(word not in _NO_VALUE for word in others) < 3
    return "" if len(value) < 3 or (plain and match.re is not _IN_QUOTES) else value


def _masked(match: re.Match[str]) -> str:
    value = _value_of(match)
    if not value:
        return match[0]
    start = match.start("value") - match.start()
    return match[0][:start] + MASK + match[0][start + len(value) :]


def _spellings(value: str) -> set[str]:
    """The value as patterns, in the ways in which texts hold it."""
    encoded = re.escape(base64.b64encode(value.encode()).decode().rstrip("="))
    if re.fullmatch(_DIGITS, value):
        return {r"(?<!\d)" + r"[\s-]?".join(re.sub(r"\D", "", value)) + r"(?!\d)", encoded}
    ways = {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], html.escape(value),
            quote(value, safe=""), quote_plus(value)}  # fmt: skip
    escaped = {re.escape(way) for way in ways}
    bound = {rf"(?<!\w){way}(?!\w)" if value.isalnum() else way for way in escaped}
    return bound | {encoded}

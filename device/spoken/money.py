"""Money: "$20", "twenty five us dollars", "five dollars and twenty cents" -> an amount and an ISO 4217 code.

"Dollars" and "bucks" are USD, "pounds" GBP, "rupees" INR; "pesos" alone could be many currencies and is unreadable.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from device.spoken.amounts import number_text, split_number, tidy
from device.spoken.currencies import CURRENCY, ISO, SIGN
from device.spoken.errors import Unreadable
from device.spoken.text import LIMIT

_CENTS: Final = {"cent": "USD", "penny": "GBP", "pence": "GBP"}
_WITH_CENTS: Final = re.compile(r"(.+?) (?:and )?(\d{1,2})(?: (?:cents?|pence|penny))?")
_INITIALS: Final = re.compile(r"(?<=\b[a-z])\. ?")


def read_money(said: str, default: str | None = None) -> tuple[Decimal, str]:
    """An amount of money and its ISO 4217 code; `default` is the code where none was said. Raises `Unreadable`."""
    if len(said) <= LIMIT:
        text, negative = number_text(SIGN.sub(r" \1 ", said.casefold()))
        sign, _, rest = text.partition(" ")
        code = CURRENCY[sign] if SIGN.fullmatch(sign) or sign.upper() in ISO else None
        split = split_number(rest if code else text)
        if split is not None and not negative:
            found = _priced(*split, code, default)
            if found is not None:
                return found
    raise Unreadable(said, "money", "say an amount with its currency such as `20 dollars` or `EUR 12.50`")


def _priced(value: Decimal, unit: str, code: str | None, default: str | None) -> tuple[Decimal, str] | None:
    """The amount when `unit` stands behind the number and `code` (or nothing) before it; None where they disagree."""
    if not unit:
        known = code or default
        return (tidy(value), known) if known else None
    if code is None and (small := _CENTS.get(unit) or _CENTS.get(unit.removesuffix("s"))):
        return tidy(value / 100), small
    if found := _WITH_CENTS.fullmatch(unit):
        unit, value = found[1], value + Decimal(found[2]) / 100
    named = read_currency(unit)
    return (tidy(value), named) if named and code in (None, named) else None


def read_currency(said: str) -> str | None:
    """The ISO 4217 code of a currency's name, sign or code ("us dollars", "€", "inr"); None where none is meant."""
    folded = _INITIALS.sub("", said.casefold().strip().removeprefix("of ")).strip()
    for form in (folded, folded.removesuffix("s")):
        if form in CURRENCY:
            return CURRENCY[form]
    return None

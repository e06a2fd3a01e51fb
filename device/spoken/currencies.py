"""The currencies that are read: codes of ISO 4217, their signs, and the names that people say."""

from __future__ import annotations

import re
from typing import Final

ISO: Final = frozenset((
    "USD", "EUR", "GBP", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "CHF", "SEK", "NOK", "DKK", "CZK", "PLN", "HUF",
    "RUB", "UAH", "TRY", "AED", "SAR", "ILS", "ZAR", "NGN", "KES", "EGP", "MXN", "BRL", "ARS", "CLP", "COP", "PEN",
    "PHP", "IDR", "MYR", "SGD", "THB", "VND", "KRW", "TWD", "HKD", "PKR", "BDT", "LKR", "IRR", "ZWL", "RON", "BGN",
    "ISK",
))  # fmt: skip
"""Codes of ISO 4217 that are read as such."""
CURRENCY: Final[dict[str, str]] = {code.lower(): code for code in ISO if code != "TRY"} | {
    "$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₱": "PHP", "₽": "RUB",
    "dollar": "USD", "buck": "USD", "us dollar": "USD", "american dollar": "USD", "euro": "EUR", "pound": "GBP",
    "quid": "GBP", "british pound": "GBP", "pound sterling": "GBP", "sterling": "GBP", "yen": "JPY",
    "japanese yen": "JPY", "yuan": "CNY", "chinese yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "rupee": "INR",
    "rs": "INR", "indian rupee": "INR", "canadian dollar": "CAD", "cdn": "CAD", "australian dollar": "AUD",
    "aussie dollar": "AUD", "aus dollar": "AUD", "new zealand dollar": "NZD", "swiss franc": "CHF", "franc": "CHF",
    "won": "KRW", "korean won": "KRW", "real": "BRL", "brazilian real": "BRL", "mexican peso": "MXN",
    "philippine peso": "PHP", "argentine peso": "ARS", "argentinian peso": "ARS", "ruble": "RUB", "rouble": "RUB",
    "zloty": "PLN", "dirham": "AED", "shekel": "ILS", "rand": "ZAR", "turkish lira": "TRY", "lira": "TRY",
    "swedish krona": "SEK", "norwegian krone": "NOK", "danish krone": "DKK", "hryvnia": "UAH", "naira": "NGN",
    "hong kong dollar": "HKD", "singapore dollar": "SGD", "zimbabwe dollar": "ZWL", "baht": "THB", "us": "USD",
    "iranian rial": "IRR", "pakistani rupee": "PKR", "forint": "HUF", "czech koruna": "CZK",
}  # fmt: skip
"""Names, signs and codes in lower case, singular; a name that several countries share is there where one is meant
by far most often, and left out ("peso") where not."""
SIGN: Final = re.compile(r"(us\$|[$€£¥₹₩₱₽])")

"""Currencies: units to one US dollar in a fixed table, and the names that people say. The rates are invented."""

from device.spoken.text import fold_text

RATES: dict[str, float] = {
    "USD": 1.0, "EUR": 0.9, "GBP": 0.8, "JPY": 150.0, "CNY": 7.2, "INR": 84.0, "CAD": 1.36, "AUD": 1.5, "NZD": 1.65,
    "CHF": 0.88, "SEK": 10.5, "NOK": 10.7, "DKK": 6.7, "PLN": 3.9, "CZK": 22.5, "HUF": 360.0, "RUB": 92.0, "TRY": 34.0,
    "MXN": 18.0, "BRL": 5.4, "ARS": 950.0, "CLP": 930.0, "COP": 4100.0, "PEN": 3.75, "ZAR": 18.2, "EGP": 48.0,
    "NGN": 1550.0, "KES": 129.0, "ILS": 3.7, "AED": 3.67, "SAR": 3.75, "KRW": 1350.0, "HKD": 7.8, "TWD": 32.0,
    "SGD": 1.34, "THB": 35.0, "MYR": 4.4, "IDR": 15800.0, "PHP": 57.0, "VND": 25000.0, "PKR": 278.0,
}  # fmt: skip
"""Units of each currency in one US dollar."""

_NAMES: dict[str, str] = {
    "dollar": "USD", "us dollar": "USD", "american dollar": "USD", "buck": "USD", "american": "USD", "euro": "EUR",
    "pound": "GBP", "british pound": "GBP", "pound sterling": "GBP", "pounds sterling": "GBP", "sterling": "GBP",
    "quid": "GBP", "yen": "JPY", "japanese yen": "JPY", "yuan": "CNY", "chinese yuan": "CNY", "renminbi": "CNY",
    "rmb": "CNY", "rupee": "INR", "indian rupee": "INR", "canadian dollar": "CAD", "canadian": "CAD", "loonie": "CAD",
    "australian dollar": "AUD", "aussie dollar": "AUD", "new zealand dollar": "NZD", "kiwi dollar": "NZD",
    "swiss franc": "CHF", "franc": "CHF", "swedish krona": "SEK", "krona": "SEK", "norwegian krone": "NOK",
    "danish krone": "DKK", "krone": "NOK", "zloty": "PLN", "polish zloty": "PLN", "czech koruna": "CZK",
    "koruna": "CZK",
    "forint": "HUF", "ruble": "RUB", "rouble": "RUB", "russian ruble": "RUB", "lira": "TRY", "turkish lira": "TRY",
    "peso": "MXN", "mexican peso": "MXN", "real": "BRL", "reais": "BRL", "brazilian real": "BRL",
    "argentine peso": "ARS", "chilean peso": "CLP", "colombian peso": "COP", "sol": "PEN", "rand": "ZAR",
    "south african rand": "ZAR", "egyptian pound": "EGP", "naira": "NGN", "kenyan shilling": "KES", "shekel": "ILS",
    "dirham": "AED", "riyal": "SAR", "won": "KRW", "korean won": "KRW", "hong kong dollar": "HKD",
    "taiwan dollar": "TWD", "singapore dollar": "SGD", "baht": "THB", "thai baht": "THB", "ringgit": "MYR",
    "rupiah": "IDR", "philippine peso": "PHP", "dong": "VND", "pakistani rupee": "PKR",
}  # fmt: skip
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "us$": "USD"}


def currency_code(said: str) -> str | None:
    """The ISO code of a currency as said ("bucks", "€", "japanese yen"); None where it isn't known."""
    if (sign := _SIGNS.get(said.strip().casefold())) is not None:
        return sign
    text = fold_text(said)
    if text.upper() in RATES:
        return text.upper()
    return _NAMES.get(text) or _NAMES.get(text.removesuffix("s")) or _NAMES.get(text.removesuffix("es"))

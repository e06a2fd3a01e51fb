"""Units of measurement under the names that people say: category, factor to the category's base, names.

Factors are those of the SI and of the international yard and pound; volumes, tons and cups are those of the United
States. Temperatures are no multiples of each other and carry an offset.
"""

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: `base = value * factor + offset` in the base unit of its category."""

    name: str
    """Canonical name, plural."""
    category: str
    """`length`, `weight`, ..."""
    factor: float
    """Base units in one of it."""
    offset: float = 0.0
    """Of temperatures only: kelvins at zero."""


_TABLE: dict[str, tuple[tuple[str, float, str], ...]] = {
    "length": (
        ("meters", 1.0, "meter metre m"),
        ("kilometers", 1_000.0, "kilometer kilometre km kms k"),
        ("centimeters", 0.01, "centimeter centimetre cm"),
        ("millimeters", 0.001, "millimeter millimetre mm"),
        ("micrometers", 1e-6, "micrometer micrometre micron um"),
        ("miles", 1_609.344, "mile mi"),
        ("yards", 0.9144, "yard yd"),
        ("feet", 0.3048, "foot feet ft"),
        ("inches", 0.0254, "inch inches in"),
        ("nautical miles", 1_852.0, "nautical_mile nmi"),
        ("light years", 9.4607304725808e15, "light_year lightyear ly"),
    ),
    "weight": (
        ("grams", 1.0, "gram gramme g gm"),
        ("kilograms", 1_000.0, "kilogram kilo kg kgs"),
        ("milligrams", 0.001, "milligram mg"),
        ("tonnes", 1e6, "tonne metric_ton t"),
        ("tons", 907_184.74, "ton short_ton"),
        ("pounds", 453.59237, "pound lb lbs"),
        ("ounces", 28.349523125, "ounce oz"),
        ("stones", 6_350.29318, "stone st"),
    ),
    "volume": (
        ("liters", 1.0, "liter litre l"),
        ("milliliters", 0.001, "milliliter millilitre ml cc"),
        ("cubic meters", 1_000.0, "cubic_meter cubic_metre m3"),
        ("gallons", 3.785411784, "gallon gal"),
        ("quarts", 0.946352946, "quart qt"),
        ("pints", 0.473176473, "pint pt"),
        ("cups", 0.2365882365, "cup"),
        ("fluid ounces", 0.0295735295625, "fluid_ounce fl_oz floz"),
        ("tablespoons", 0.01478676478125, "tablespoon tbsp"),
        ("teaspoons", 0.00492892159375, "teaspoon tsp"),
    ),
    "time": (
        ("seconds", 1.0, "second sec s"),
        ("milliseconds", 0.001, "millisecond ms"),
        ("minutes", 60.0, "minute min mins"),
        ("hours", 3_600.0, "hour hr hrs h"),
        ("days", 86_400.0, "day d"),
        ("weeks", 604_800.0, "week wk"),
        ("years", 31_557_600.0, "year yr"),
    ),
    "speed": (
        ("meters per second", 1.0, "meter_per_second metre_per_second mps m/s"),
        ("kilometers per hour", 1 / 3.6, "kilometer_per_hour kilometre_per_hour kph kmh km/h"),
        ("miles per hour", 0.44704, "mile_per_hour mph"),
        ("knots", 1_852 / 3_600, "knot kn"),
    ),
    "area": (
        ("square meters", 1.0, "square_meter square_metre sqm m2"),
        ("square kilometers", 1e6, "square_kilometer square_kilometre km2"),
        ("hectares", 10_000.0, "hectare ha"),
        ("acres", 4_046.8564224, "acre"),
        ("square miles", 2_589_988.110336, "square_mile"),
        ("square feet", 0.09290304, "square_foot square_feet sqft ft2"),
    ),
    "data": (
        ("bytes", 1.0, "byte b"),
        ("kilobytes", 1e3, "kilobyte kb"),
        ("megabytes", 1e6, "megabyte mb meg megs"),
        ("gigabytes", 1e9, "gigabyte gb gig gigs"),
        ("terabytes", 1e12, "terabyte tb"),
    ),
    "energy": (
        ("joules", 1.0, "joule j"),
        ("kilojoules", 1_000.0, "kilojoule kj"),
        ("calories", 4_184.0, "calorie kilocalorie kcal cal"),
        ("kilowatt hours", 3.6e6, "kilowatt_hour kwh"),
    ),
}

_TEMPERATURES = (
    Unit("celsius", "temperature", 1.0, 273.15),
    Unit("fahrenheit", "temperature", 5 / 9, 459.67 * 5 / 9),
    Unit("kelvin", "temperature", 1.0),
)
_TEMPERATURE_NAMES = {"c": 0, "celsius": 0, "centigrade": 0, "f": 1, "fahrenheit": 1, "k": 2, "kelvin": 2, "kelvins": 2}


def said_unit(said: str) -> str:
    """A unit's name as it is looked up: small letters, no points, articles or the word degrees."""
    text = said.casefold().replace("°", "").replace("²", "2").replace("³", "3").replace(".", "")
    return re.sub(r"^(?:degrees?|deg|an?|the)\s+|(?<=\w)\s+degrees?$", "", re.sub(r"[\s-]+", " ", text).strip())


@cache
def _units() -> dict[str, list[Unit]]:
    """Every name, singular and plural, with the units that carry it."""
    found: dict[str, list[Unit]] = {}
    for category, rows in _TABLE.items():
        for canonical, factor, names in rows:
            unit = Unit(canonical, category, factor)
            spoken = {name.replace("_", " ") for name in names.split()}
            plural = {f"{name}s" for name in spoken if len(name) > 2 and not name.endswith(("s", "feet"))}
            plural |= {re.sub(r"^(\w+) per", r"\1s per", name) for name in spoken if " per " in name}
            for name in {canonical} | spoken | plural:
                found.setdefault(name, []).append(unit)
    for name, at in _TEMPERATURE_NAMES.items():
        found.setdefault(name, []).append(_TEMPERATURES[at])
    found["ounces"] = found["ounce"] = found["oz"] = [*found["oz"], *found["fluid ounce"]]
    return found


def units_named(said: str) -> list[Unit]:
    """The units that `said` may mean ("oz" is a weight and a volume); empty where none is known."""
    return _units().get(said_unit(said), [])


def categories() -> dict[str, list[str]]:
    """The canonical names of each category."""
    return {category: [name for name, _, _ in rows] for category, rows in _TABLE.items()} | {
        "temperature": [unit.name for unit in _TEMPERATURES]
    }


def convert(value: float, source: Unit, target: Unit) -> float:
    """`value` of `source` in `target`, to 9 significant digits; both are of one category."""
    return float(f"{(value * source.factor + source.offset - target.offset) / target.factor:.9g}")

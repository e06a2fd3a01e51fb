"""Dependent families by theme."""

from evalkit.suites.core.families import calendar, facts, files, money, people, travel

ALL = (
    *people.FAMILIES,
    *calendar.FAMILIES,
    *travel.FAMILIES,
    *files.FAMILIES,
    *money.FAMILIES,
    *facts.FAMILIES,
)
"""In this order."""

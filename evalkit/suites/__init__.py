"""Task suites. A suite is a package with a function `tasks(split)`; `load_suite` finds it by name."""

from evalkit.suites.registry import SUITES, Suite, load_suite

__all__ = ["SUITES", "Suite", "load_suite"]

"""Task suites. `load_suite` finds a split by name, `try_suite` tries its drafts anew."""

from evalkit.suites.registry import SUITES, Suite, load_suite, try_suite

__all__ = ["SUITES", "Suite", "load_suite", "try_suite"]

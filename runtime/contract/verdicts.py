"""What the verifier found, each check with its evidence."""

from pydantic import Field

from runtime.contract.base import Json, Record


class CheckResult(Record):
    """One check of one outcome."""

    name: str
    """What was checked, in words."""
    passed: bool
    """Whether it holds."""
    evidence: Json = Field(default_factory=dict)
    """The row, call or text that decided it."""


class Verdict(Record):
    """The verifier's word on one episode; taken after the episode has ended, never before."""

    success: bool
    """Some accepted outcome holds whole."""
    progress: float
    """Verified progress in [0, 1]: the largest share of passed checks over the outcomes."""
    checks: tuple[CheckResult, ...] = ()
    """Checks of the best outcome."""
    valid: bool = True
    """False: infrastructure failed, and the record says nothing about the planner."""
    grading: str = ""
    """Version of the grading rules; scores of different versions are not compared."""

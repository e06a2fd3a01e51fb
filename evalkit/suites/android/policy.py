"""A policy as a connected phone can be held to it: the same rows, in the columns that a phone shows.

1. A required row keeps its shown columns. Where none of them changes, or the phone has no such table, the row may
   change and decides nothing; so the policy also holds on the sandbox.
2. Ids are each backend's own. A row that a phone knows by its moment goes and comes where the sandbox changes it.
3. What is in front, what is shown and what plays moves with every action on a phone: any change of it is allowed.

A policy that neither requires a row nor a read any more says nothing, and its task is left out.
"""

from collections.abc import Iterator

from evalkit.android.columns import BOOKKEEPING, GO_AND_COME, columns, parts_of, shown
from runtime.contract import CallCheck, Outcome, Policy, RowPattern, StateCheck
from runtime.contract.tasks import Check

ALLOWED = tuple(
    RowPattern(table=table, change=change) for table in BOOKKEEPING for change in ("insert", "update", "delete")
)


def on_android(policy: Policy) -> Policy | None:
    """The policy in a phone's columns; None where nothing is left that a phone shows."""
    outcomes = [_outcome(outcome) for outcome in policy.outcomes]
    kept = tuple(outcome for outcome in outcomes if _says(outcome))
    return policy.model_copy(update={"outcomes": kept}) if kept else None


def _says(outcome: Outcome) -> bool:
    return any(
        (isinstance(check, StateCheck) and check.required) or isinstance(check, CallCheck) for check in outcome.checks
    )


def _outcome(outcome: Outcome) -> Outcome:
    return outcome.model_copy(update={"checks": tuple(_check(check) for check in outcome.checks)})


def _check(check: Check) -> Check:
    if not isinstance(check, StateCheck):
        return check
    required: list[RowPattern] = []
    allowed = [*check.allowed, *ALLOWED]
    for pattern in check.required:
        seen = [one for table in parts_of(pattern.table) for one in _shown(pattern, table)]
        required += seen
        if not seen or pattern.table in GO_AND_COME:
            allowed.append(pattern)
    return StateCheck(required=tuple(required), allowed=tuple(allowed))


def _shown(pattern: RowPattern, table: str) -> Iterator[RowPattern]:
    """What a phone shows of a required row in one of its tables."""
    if table not in columns():
        return
    before = shown(table, pattern.where if pattern.change != "insert" else None)
    after = shown(table, pattern.values if pattern.change != "delete" else None)
    if table == "app_permissions" and not (before and after):
        return
    if before and after and all(before.get(name) == value for name, value in after.items()):
        return
    if table in GO_AND_COME or pattern.change != "update":
        if before:
            yield RowPattern(table=table, change="delete", where=before)
        if after:
            yield RowPattern(table=table, change="insert", values=after)
    else:
        yield RowPattern(table=table, change="update", where=before or {}, values=after or {})

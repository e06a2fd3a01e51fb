"""Roles, rules, and the one decision that every access goes through. Nothing is allowed unless something allows it.

1. A role allows actions within a reach: on one's own records, on what the workspace shares, on all of the workspace.
2. A rule names a principal and allows or denies one action, for one type of record or for all, on the records of one
   owner. A rule that denies wins over role and rule; one that has ended or was revoked says nothing.
3. An administrator manages tokens, rules and deletion, and reads nobody's memories unless a rule says so.
"""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from memory.records import Kind
from runtime.contract import Record

SHARED_OWNER = ""
"""The user of a shared experience: it belongs to nobody."""


class Role(StrEnum):
    """What a caller is."""

    USER = "user"
    """A person, with their own memory."""
    AGENT = "agent"
    """An agent that serves a user."""
    READER = "reader"
    """A service that only looks."""
    MAINTAINER = "maintainer"
    """Maintenance: consolidates, deletes nothing."""
    ADMINISTRATOR = "administrator"
    """Tokens, rules, deletion, the audit log."""


class Action(StrEnum):
    """What can be done."""

    READ = "read"
    CREATE = "create"
    MODIFY = "modify"
    DELETE = "delete"
    SHARE = "share"
    MANAGE = "manage"
    AUDIT = "audit"


Reach = Literal["own", "shared", "workspace"]
"""Whose records: one's own, what the workspace shares, everybody's in the workspace."""

_OWN = frozenset[tuple[Action, Reach]](
    {(Action.READ, "own"), (Action.CREATE, "own"), (Action.MODIFY, "own"), (Action.DELETE, "own"),
     (Action.SHARE, "own"), (Action.READ, "shared")}
)  # fmt: skip
ALLOWED: dict[Role, frozenset[tuple[Action, Reach]]] = {
    Role.USER: _OWN | {(Action.AUDIT, "own")},
    Role.AGENT: _OWN,
    Role.READER: frozenset({(Action.READ, "own"), (Action.READ, "shared")}),
    Role.MAINTAINER: frozenset({(Action.READ, "own"), (Action.CREATE, "own"), (Action.MODIFY, "own")}),
    Role.ADMINISTRATOR: frozenset(
        {(Action.DELETE, "workspace"), (Action.MANAGE, "workspace"), (Action.AUDIT, "workspace")}
    ),
}
"""What each role may do. What isn't here is denied."""


class Rule(Record):
    """One permission, or one prohibition."""

    id: str = ""
    """Unique; the book gives it."""
    principal: str
    """Whom it concerns: `user:NAME`, `token:ID` or `role:NAME`."""
    effect: Literal["allow", "deny"]
    """What it says."""
    action: Action
    """About which action."""
    kind: Kind | None = None
    """On which type of record; None: on all."""
    owner: str | None = None
    """On whose records; None: on the caller's own."""
    workspace: str = "default"
    """In which workspace."""
    expires_at: str | None = None
    """UTC, ISO 8601: from then on it says nothing; None: until it is revoked."""


class Asked(Record):
    """One question to the rights."""

    principals: tuple[str, ...]
    """Everything that the caller is: `user:NAME`, `token:ID`, `role:NAME`."""
    role: Role
    """The caller's role."""
    user: str
    """The caller's user."""
    workspace: str
    """The caller's workspace."""
    action: Action
    """What is to be done."""
    kind: Kind | None = None
    """To which type of record; None: to any of them."""
    owner: str
    """Whose records."""
    of_workspace: str = Field(default="default")
    """Where they are."""
    shared: bool = False
    """Whether they are shared experiences."""


def allowed(asked: Asked, rules: tuple[Rule, ...], now: str) -> bool:
    """Whether it may be done: no rule denies it, and the role or a rule allows it. Another workspace never may."""
    if asked.of_workspace != asked.workspace:
        return False
    meant = [rule for rule in rules if _concerns(rule, asked, now)]
    if any(rule.effect == "deny" for rule in meant):
        return False
    return any((asked.action, reach) in ALLOWED[asked.role] for reach in _reaches(asked)) or bool(meant)


def _concerns(rule: Rule, asked: Asked, now: str) -> bool:
    owner = asked.user if rule.owner is None else rule.owner
    return (
        rule.principal in asked.principals
        and rule.action is asked.action
        and rule.workspace == asked.of_workspace
        and owner == asked.owner
        and (rule.kind is None or rule.kind == asked.kind)
        and (rule.expires_at is None or rule.expires_at > now)
    )


def _reaches(asked: Asked) -> tuple[Reach, ...]:
    if asked.shared:
        return ("shared", "workspace")
    return ("own", "workspace") if asked.owner == asked.user and asked.user else ("workspace",)

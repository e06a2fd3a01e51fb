"""One caller's access: the filter that goes into every query before anything is scored, and a check for each deed.

A filter is made of what the caller may read: their own records of the allowed types, of their workspace and agent, with
what others share where that is allowed; and of what the owner wants: for a type that isn't reused across sessions only
the running session counts, and nothing counts that has outlived its retention.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NoReturn

from pydantic import Field

from memory.access.rights import SHARED_OWNER, Action, Asked, Role, Rule, allowed
from memory.access.settings import KindSetting
from memory.records import Kind, MemoryRecord
from memory.store.filter import Filter, KindLimit
from runtime.contract import ErrorCode, Record, ToolFailure


class Access(Record):
    """Who asks, and what they may do. Made by `AccessBook`; default: nothing beyond the role."""

    role: Role
    """The caller's role."""
    user: str = "user"
    """Whose memory it is about."""
    workspace: str = "default"
    """In which workspace."""
    agent: str = ""
    """Through which agent; empty: records of every agent."""
    session: str = ""
    """The running session."""
    token: str = ""
    """Id of the token that was shown; empty: the device's own user, who needs none."""
    rules: tuple[Rule, ...] = ()
    """Rules that may concern the caller."""
    wishes: dict[str, tuple[KindSetting, ...]] = Field(default_factory=dict)
    """What the owners of records that may be read have set, by owner."""

    @property
    def principals(self) -> tuple[str, ...]:
        """Everything that a rule may call this caller."""
        named = (f"role:{self.role}", f"user:{self.user}" if self.user else "", f"token:{self.token}")
        return tuple(name for name in named if name and not name.endswith(":"))

    @property
    def name(self) -> str:
        """Who it is, for the audit log."""
        return f"token:{self.token}" if self.token else f"user:{self.user}"

    def may(self, action: Action, record: MemoryRecord) -> bool:
        """Whether an action on a record is allowed."""
        return self._may(action, record.kind, record.user, record.workspace, record.shared) and (
            not self.agent or record.agent in ("", self.agent)
        )

    def require(self, action: Action, record: MemoryRecord | None = None) -> None:
        """Nothing when it is allowed; else a 403. A record that may not even be read is not found (404)."""
        if record is None:
            if not self._may(action, None, self.user, self.workspace):
                self._refuse(action)
            return
        if self.may(action, record):
            return
        if not self.may(Action.READ, record):
            raise ToolFailure(
                ErrorCode.NOT_FOUND, f"there is no memory `{record.id}`; use an id that `search_user_memory` gave"
            )
        self._refuse(action, record)

    def filter(self, kinds: Sequence[Kind] = (), *, of: str | None = None, now: datetime | None = None) -> Filter:
        """The records that may be read, as the store's filter. `of`: another owner's, where a rule allows that.

        A 403 when no type of record may be read.
        """
        owner = self.user if of is None else of
        wanted = tuple(kinds) or tuple(Kind)
        own = tuple(kind for kind in wanted if self._may(Action.READ, kind, owner, self.workspace))
        shared = tuple(
            kind for kind in wanted if self._may(Action.READ, kind, SHARED_OWNER, self.workspace, shared=True)
        )
        agent = self.agent or None
        if not own and not (shared and of is None):
            self._refuse(Action.READ)
        if not own:
            return Filter(workspace=self.workspace, agent=agent, shared=True, kinds=_some(shared))
        return Filter(
            user=owner,
            or_shared=of is None and set(own) <= set(shared),
            workspace=self.workspace,
            agent=agent,
            kinds=_some(own),
            limits=self._limits(owner, own, now or datetime.now()),
        )

    def setting(self, kind: Kind) -> KindSetting:
        """What the user set for a type; the defaults where they set nothing."""
        return next((one for one in self.wishes.get(self.user, ()) if one.kind is kind), KindSetting(kind=kind))

    def _may(self, action: Action, kind: Kind | None, owner: str, workspace: str, shared: bool = False) -> bool:
        asked = Asked(principals=self.principals, role=self.role, user=self.user, workspace=self.workspace,
                      action=action, kind=kind, owner=owner, of_workspace=workspace, shared=shared)  # fmt: skip
        return allowed(asked, self.rules, datetime.now(UTC).isoformat(timespec="seconds"))

    def _limits(self, owner: str, kinds: Sequence[Kind], now: datetime) -> tuple[KindLimit, ...]:
        limits = []
        for one in self.wishes.get(owner, ()):
            if one.kind in kinds and (not one.reuse or one.retention_days is not None):
                since = None if one.retention_days is None else now - timedelta(days=one.retention_days)
                limits.append(
                    KindLimit(
                        kind=one.kind,
                        session=None if one.reuse else self.session,
                        since=since and since.isoformat(timespec="seconds"),
                    )
                )
        return tuple(limits)

    def _refuse(self, action: Action, record: MemoryRecord | None = None) -> NoReturn:
        what = f"`{record.id}`" if record is not None else f"memories of `{self.user or 'nobody'}`"
        raise ToolFailure(
            ErrorCode.PERMISSION_DENIED,
            f"`{self.role}` may not {action} {what} in workspace `{self.workspace}`; ask an administrator for a rule",
            action=action.value,
            role=self.role.value,
        )


def _some(kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """No limit where all types are meant."""
    return () if set(kinds) == set(Kind) else kinds


def device_access(user: str = "user", workspace: str = "default", session: str = "") -> Access:
    """The access of whoever can open the files, without rules and settings: the device's own user."""
    return Access(role=Role.USER, user=user, workspace=workspace, session=session)

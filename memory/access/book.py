"""The access book: tokens, rules and settings in one file, and the way in.

1. `enter` turns a token into an `Access`; `device` is the access of whoever can open the files, who needs no token.
2. Whoever changes tokens, rules or another user's settings shows an access that may manage. Everything that changes
   goes into the audit log, under aliases.
3. Rules are read with every entrance, so that what was revoked no longer counts from the next one on.
"""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.access.access import Access
from memory.access.rights import Action, Role, Rule
from memory.access.settings import KindSetting, SettingsTable
from memory.access.tokens import DAYS, NewToken, Token, TokenTable
from memory.audit import Audit, Event
from memory.sqlite import open_database
from runtime.contract import ErrorCode, Schema, ToolFailure, UserError

_FIRST = """
CREATE TABLE tokens (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, user TEXT NOT NULL, workspace TEXT NOT NULL,
    agent TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL, revoked_at TEXT,
    salt BLOB NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TABLE rules (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, principal TEXT NOT NULL, effect TEXT NOT NULL,
    action TEXT NOT NULL, kind TEXT, owner TEXT, workspace TEXT NOT NULL, expires_at TEXT, revoked_at TEXT
) STRICT;
CREATE INDEX rules_principal ON rules (principal);
CREATE TABLE settings (
    user TEXT NOT NULL, workspace TEXT NOT NULL, kind TEXT NOT NULL, retention_days INTEGER, reuse INTEGER NOT NULL,
    sharing INTEGER NOT NULL, PRIMARY KEY (user, workspace, kind)
) STRICT, WITHOUT ROWID
"""
SCHEMA = Schema(noun="access file", tables=("tokens",), steps=(_FIRST,), durable=True, forgets=True)


class AccessBook:
    """Tokens, rules and settings of all users."""

    def __init__(
        self,
        path: Path | None = None,
        audit: Audit | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open or make the file; None: in memory."""
        self._database = open_database(path, SCHEMA)
        self._audit, self._clock = audit, clock
        self.tokens = TokenTable(self._database, clock)
        self.settings = SettingsTable(self._database)

    # the way in

    def enter(self, secret: str, user: str = "", session: str = "") -> Access:
        """The access that a token gives; a 403 for a token that isn't good, or is another user's.

        `user`: for whom a service asks, where its token names nobody.
        """
        try:
            token = self.tokens.check(secret)
        except ToolFailure:
            self._log(Event.TOKEN_REFUSED, "token:unknown")
            raise
        if token.user and user and user != token.user:
            self._log(Event.DENIED, f"token:{token.id}", f"user:{user}")
            raise ToolFailure(
                ErrorCode.PERMISSION_DENIED, "this token belongs to another user; use your own", user=user
            )
        return self._access(
            role=token.role, user=token.user or user, workspace=token.workspace, agent=token.agent, session=session,
            token=token.id,
        )  # fmt: skip

    def device(
        self,
        user: str = "user",
        workspace: str = "default",
        agent: str = "",
        session: str = "",
        role: Role = Role.USER,
    ) -> Access:
        """The access of whoever can open the files: its own user, or who looks after them (`ADMINISTRATOR`)."""
        return self._access(role=role, user=user, workspace=workspace, agent=agent, session=session)

    def _access(self, **given: Any) -> Access:
        bare = Access(**given)
        rules = tuple(rule for name in bare.principals for rule in self._rules_of(name))
        owners = {bare.user, *(rule.owner for rule in rules if rule.owner is not None)}
        wishes = {owner: self.settings.of(owner, bare.workspace) for owner in sorted(owners)}
        return bare.model_copy(update={"rules": rules, "wishes": wishes})

    # tokens

    def create_token(
        self, by: Access, name: str, role: Role, *, user: str = "", agent: str = "", days: int = DAYS
    ) -> NewToken:
        """A token for the caller's workspace. Its secret is in the answer, and nowhere else."""
        by.require(Action.MANAGE)
        made = self.tokens.create(name, role, user=user, workspace=by.workspace, agent=agent, days=days)
        self._log(Event.TOKEN_CREATED, by.name, f"token:{made.token.id}", days=days)
        return made

    def revoke_token(self, by: Access, token_id: str) -> Token:
        """End a token at once."""
        by.require(Action.MANAGE)
        token = self.tokens.revoke(token_id)
        self._log(Event.TOKEN_REVOKED, by.name, f"token:{token.id}")
        return token

    # rules

    def rule(self, by: Access, rule: Rule) -> Rule:
        """Keep a rule of the caller's workspace."""
        by.require(Action.MANAGE)
        kept = rule.model_copy(update={"id": secrets.token_hex(4), "workspace": by.workspace})
        if kept.principal.partition(":")[0] not in ("user", "token", "role") or not kept.principal.partition(":")[2]:
            raise UserError(
                f"a rule's principal is `user:NAME`, `token:ID` or `role:NAME`, not `{kept.principal[:80]}`."
            )
        values = kept.model_dump(mode="json")
        with self._database.writing():
            self._database.execute(
                f"INSERT INTO rules ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
                tuple(values.values()),
            )
        self._log(Event.GRANTED, by.name, kept.principal, allow=int(kept.effect == "allow"))
        return kept

    def revoke_rule(self, by: Access, rule_id: str) -> None:
        """Take a rule back; `UserError` for one that doesn't exist."""
        by.require(Action.MANAGE)
        with self._database.writing():
            query = "UPDATE rules SET revoked_at = ? WHERE id = ? AND workspace = ? AND revoked_at IS NULL"
            found = self._database.execute(query, (self._now(), rule_id, by.workspace)).rowcount
        if not found:
            raise UserError(f"there is no rule `{rule_id[:80]}` in workspace `{by.workspace}`. List them first.")
        self._log(Event.GRANT_REVOKED, by.name, f"rule:{rule_id}")

    def rules(self) -> list[Rule]:
        """All rules that count, oldest first."""
        query = "SELECT * FROM rules WHERE revoked_at IS NULL ORDER BY number"
        return [_rule(row) for row in self._database.execute(query)]

    def _rules_of(self, principal: str) -> list[Rule]:
        query = "SELECT * FROM rules WHERE principal = ? AND revoked_at IS NULL ORDER BY number"
        return [_rule(row) for row in self._database.execute(query, (principal,))]

    # settings

    def set_wishes(self, by: Access, setting: KindSetting, user: str | None = None) -> KindSetting:
        """Keep a user's wishes for one type of record; what they were before. Another's need an administrator."""
        concerned = by.user if user is None else user
        if concerned != by.user or by.role not in (Role.USER, Role.ADMINISTRATOR):
            by.require(Action.MANAGE)
        before = self.settings.put(concerned, by.workspace, setting)
        self._log(Event.SETTINGS_CHANGED, by.name, f"user:{concerned}")
        return before

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")

    def _log(self, event: Event, actor: str, subject: str = "", **counts: int) -> None:
        if self._audit is not None:
            self._audit.append(event, actor, subject, **counts)


def _rule(row: Any) -> Rule:
    return Rule(**{name: row[name] for name in Rule.model_fields})

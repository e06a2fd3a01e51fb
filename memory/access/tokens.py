"""Tokens of services and administrators: made once, shown once, kept as a salted hash, with an end, revocable.

A token is `pkm_ID_SECRET`. The secret has 256 random bits, so that a salted SHA-256 is enough: there is nothing to
guess. A wrong, ended or revoked token is refused with one and the same sentence.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import Field

from memory.access.rights import Role
from runtime.contract import Database, ErrorCode, Record, ToolFailure, UserError

PREFIX = "pkm"
DAYS = 90
"""For which a token is good unless another number is given."""
MOST_DAYS = 730


class Token(Record):
    """What is kept of a token, its secret left out."""

    id: str
    """Part of the token; names it in lists and rules."""
    name: str
    """What it is for."""
    role: Role
    """What its bearer is."""
    user: str
    """Whose memory it is for; empty: the service names its user with each call."""
    workspace: str
    """In which workspace."""
    agent: str = ""
    """Through which agent."""
    created_at: str
    """UTC, ISO 8601."""
    expires_at: str
    """UTC, ISO 8601: from then on it is refused."""
    revoked_at: str | None = None
    """When it was revoked."""


class NewToken(Record):
    """A token that was just made."""

    token: Token
    """What is kept."""
    secret: str = Field(repr=False)
    """The token itself: shown this once."""


class TokenTable:
    """All tokens."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database, self._clock = database, clock

    def create(
        self, name: str, role: Role, *, user: str = "", workspace: str = "default", agent: str = "", days: int = DAYS
    ) -> NewToken:
        """A new token; `UserError` for a name or a number of days that can't be."""
        if not name.strip() or len(name) > 80:
            raise UserError(f"a token's name has 1 to 80 characters; `{name[:20]}` has {len(name.strip())}.")
        if not 1 <= days <= MOST_DAYS:
            raise UserError(f"a token is good for 1 to {MOST_DAYS} days, not for {days}. Renew it by making a new one.")
        now, secret, salt = self._clock(), secrets.token_urlsafe(32), secrets.token_bytes(16)
        token = Token(
            id=secrets.token_hex(4), name=name.strip(), role=role, user=user, workspace=workspace, agent=agent,
            created_at=_text(now), expires_at=_text(now + timedelta(days=days)),
        )  # fmt: skip
        kept = token.model_dump(mode="json")
        with self._database.writing():
            self._database.execute(
                f"INSERT INTO tokens (salt, hash, {', '.join(kept)}) VALUES ({', '.join('?' * (len(kept) + 2))})",
                (salt, _hash(salt, secret), *kept.values()),
            )
        return NewToken(token=token, secret=f"{PREFIX}_{token.id}_{secret}")

    def check(self, given: str) -> Token:
        """The token that was shown; a 403 for any that isn't good, without saying why."""
        parts = given.strip().split("_", 2)
        row = self._row(parts[1]) if len(parts) == 3 and parts[0] == PREFIX else None
        # a hash is made in any case, so that the time tells nothing
        salt, wanted = (row["salt"], row["hash"]) if row else (b"", "")
        right = hmac.compare_digest(_hash(salt, parts[-1]), wanted)
        token = _token(row) if row else None
        if token is None or not right or token.revoked_at or token.expires_at <= _text(self._clock()):
            raise ToolFailure(ErrorCode.PERMISSION_DENIED, "this token isn't good; ask an administrator for a new one")
        return token

    def revoke(self, token_id: str) -> Token:
        """End a token at once; `UserError` for one that doesn't exist."""
        row = self._row(token_id)
        if row is None:
            raise UserError(f"there is no token `{token_id[:80]}`. List them first.")
        with self._database.writing():
            query = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
            self._database.execute(query, (_text(self._clock()), token_id))
        return _token(self._row(token_id))

    def all(self) -> list[Token]:
        """All tokens, oldest first, ended ones too."""
        return [_token(row) for row in self._database.execute("SELECT * FROM tokens ORDER BY created_at, id")]

    def _row(self, token_id: str) -> Any:
        return self._database.execute("SELECT * FROM tokens WHERE id = ?", (token_id,)).fetchone()


def _token(row: Any) -> Token:
    return Token(**{name: row[name] for name in Token.model_fields})


def _hash(salt: bytes, secret: str) -> str:
    return hashlib.sha256(salt + secret.encode()).hexdigest()


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")

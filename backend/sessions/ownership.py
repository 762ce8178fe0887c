"""Whose a session is, and what it is a copy of.

A session's id grants the right to act on it, unless it was created with an owner's key. Then its id
is the right to read it, and only the key, which only the answer to its creation tells, is the right
to change it.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from backend.http.errors import NotYoursError


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who may act on a session, as a hash of the key, and what it was copied from."""

    owner_key_hash: str | None = None
    forked_from: dict[str, object] | None = None

    @property
    def owned(self) -> bool:
        """Whether only the owner's key is the right to act."""
        return self.owner_key_hash is not None


def new_key(*, owned: bool) -> str | None:
    """A key of 256 random bits for a session that shall have an owner."""
    return secrets.token_urlsafe(32) if owned else None


def told(key: str | None) -> dict[str, str]:
    """What the answer to a creation says of the key: nothing where there is none."""
    return {} if key is None else {"owner_key": key}


def provenance(key: str | None, forked_from: dict[str, object] | None = None) -> Provenance:
    """What is stored of a key and of an origin."""
    return Provenance(None if key is None else _hashed(key), forked_from)


def check_owner(of: Provenance, authorization: str | None) -> None:
    """Raises NotYoursError where a session has an owner, and the header does not have its key."""
    if of.owner_key_hash is None:
        return
    scheme, _, key = (authorization or "").partition(" ")
    own = key.strip() if scheme.lower() == "bearer" else ""
    if not hmac.compare_digest(of.owner_key_hash, _hashed(own)):
        raise NotYoursError(
            "This run belongs to its creator. To continue from here, make your own copy: "
            'POST /api/v1/sessions with "session" and "at".',
            code="not_owner",
        )


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()

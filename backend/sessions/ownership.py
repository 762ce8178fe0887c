"""The owner and the origin of a session.

A session's id grants the right to act on it, unless the session was created with an owner's key.
Then the id grants only the right to read, and acting requires the key, which only the response to
the creation contains.
"""

import hashlib
import hmac
import secrets

from backend.answers.open_run import Provenance
from backend.http.errors import NotYoursError
from backend.http.parameters import bearer_of


def new_key(*, owned: bool) -> str | None:
    """A key of 256 random bits, as text, for a new session with an owner; None without an owner."""
    return secrets.token_urlsafe(32) if owned else None


def owner_key_member(key: str | None) -> dict[str, str]:
    """The member of a creation's response that contains the key; empty without a key."""
    return {} if key is None else {"owner_key": key}


def provenance(key: str | None, forked_from: dict[str, object] | None = None) -> Provenance:
    """The columns to store for a key and an origin."""
    return Provenance(None if key is None else _hashed(key), forked_from)


def check_owner(of: Provenance, authorization: str | None) -> None:
    """Raise NotYoursError if the session has an owner and the header does not contain the owner's
    key.
    """
    if of.owner_key_hash is None:
        return
    if not hmac.compare_digest(of.owner_key_hash, _hashed(bearer_of(authorization))):
        raise NotYoursError(
            "This run belongs to its creator. To continue from here, make your own copy: "
            'POST /api/v1/sessions with "session" and "at".',
            code="not_owner",
        )


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()

"""Requests that are repeated with the same key store something once, and return the same token to
delete it.
"""

import hashlib
import hmac

from sqlalchemy.ext.asyncio import AsyncSession

from backend.http.errors import InvalidInputError, LimitError
from backend.limit_table import KEY_CHARACTERS
from backend.limits.visitors import current_visitor
from backend.shares import repository
from backend.shares.tables import IdempotencyKeyRow


def checked_key(key: str) -> bytes:
    """The client's key. Raises LimitError if it is not allowed."""
    if not key or len(key) > KEY_CHARACTERS.number or not key.isascii() or not key.isprintable():
        raise LimitError(KEY_CHARACTERS)
    return key.encode()


def hash_of_key(about: str, key: bytes) -> str:
    """The hash of a key, for this visitor and what is stored: another visitor who chose the same
    key must not receive this one's delete token.
    """
    return sha256(b"\n".join((about.encode(), current_visitor().network.encode(), key)))


async def claimed_before(
    db: AsyncSession, key_hash: str, body_hash: str
) -> IdempotencyKeyRow | None:
    """The claim of this key, if it was used for the same request; None if it was not used. Raises
    InvalidInputError if it was used for another request.
    """
    claimed = await repository.get_key(db, key_hash)
    if claimed is not None and not hmac.compare_digest(claimed.body_hash, body_hash):
        raise InvalidInputError(
            "This Idempotency-Key was used for another request.", code="idempotency_key_reused"
        )
    return claimed


def delete_token(salt: str, key: bytes) -> str:
    """Derive the delete token from the client's key and a secret in the database."""
    return hmac.new(bytes.fromhex(salt), key, hashlib.sha256).hexdigest()


def sha256(data: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()

"""The codes of presentations, which people read from a screen and type."""

import secrets

# Without characters that are easily confused when they are read from the last row of a room.
_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 5


def new_code() -> str:
    """A random code, which another presentation may already have."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def canonical_code(text: str) -> str | None:
    """The normalized code, or None if `text` is not a valid code. Does not query the database."""
    code = text.lower()
    return code if len(code) == _LENGTH and set(code) <= set(_ALPHABET) else None

"""Ids of sessions and shares: 128 random bits, encoded in 26 characters.

Crockford's base32 in lower case. People dictate and type ids, so `I` and `L` are accepted for `1`,
`O` for `0`, and upper case for lower case; `canonical_id` normalizes them. An id grants access, so
logs contain `hashed` of it and never the id.
"""

import hashlib
import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 26
_BITS = 128
_MEANT = str.maketrans({"i": "1", "l": "1", "o": "0"})
# 26 characters carry 130 bits, so the first one holds only three of the 128.
_FIRST = frozenset(_ALPHABET[:8])
_REST = frozenset(_ALPHABET)
PAGE_MARK = "z"
"""The first character of the ids of runs that a page keeps. No id of the service begins with it."""


def new_id() -> str:
    """A new id, from the operating system's random source."""
    number = secrets.randbits(_BITS)
    characters = []
    for _ in range(_LENGTH):
        characters.append(_ALPHABET[number & 31])
        number >>= 5
    return "".join(reversed(characters))


def new_page_id() -> str:
    """A new id for a run that only a page keeps."""
    return PAGE_MARK + new_id()[1:]


def is_page_id(text: str) -> bool:
    """Whether a text is such an id."""
    return len(text) == _LENGTH and text[0] == PAGE_MARK and _REST.issuperset(text)


def canonical_id(text: str) -> str | None:
    """The normalized id, or None if `text` is not a valid id. Does not query the database."""
    if len(text) != _LENGTH or not text.isascii():
        return None
    canonical = text.lower().translate(_MEANT)
    if canonical[0] not in _FIRST or not _REST.issuperset(canonical):
        return None
    return canonical


def hashed(identifier: str) -> str:
    """Eight hex digits that identify an id in log lines."""
    return hashlib.sha256(identifier.encode()).hexdigest()[:8]

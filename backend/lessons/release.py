"""The digest of this build's lessons: whatever has it in its address never changes."""

import hashlib
from collections.abc import Sequence, Set
from functools import cache
from pathlib import Path
from typing import Annotated

from fastapi import Query

from backend.http.responses import IMMUTABLE

Digest = Annotated[
    str | None,
    Query(
        alias="v",
        max_length=64,
        description="The digest of the running build, as its pages have it. With it, the response "
        "may be kept for good.",
    ),
]
"""A parameter of a route whose response changes only with the build."""

_CODE = Path(__file__).resolve().parents[2]


@cache
def release_digest() -> str:
    """Of the engine, of its lessons, and of the code that writes their files."""
    rooms = ("sim_engine", "backend/frames", "backend/lessons")
    return digest_of(rooms, frozenset({".py", ".yaml", ".ftl"}))


def digest_of(rooms: Sequence[str], suffixes: Set[str]) -> str:
    """Hexadecimal, of the files below these folders that end so."""
    digest = hashlib.sha256()
    for room in rooms:
        for path in sorted((_CODE / room).rglob("*")):
            if path.suffix in suffixes:
                content = path.read_bytes()
                name = path.relative_to(_CODE).as_posix()
                digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def kept_for(digest: str | None) -> dict[str, str]:
    """The header of such a response: for how long it may be kept."""
    return {"Cache-Control": IMMUTABLE if digest == release_digest() else "no-cache"}

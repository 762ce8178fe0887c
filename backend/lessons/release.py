"""The digest of this build's lessons: whatever has it in its address never changes."""

import hashlib
from functools import cache
from pathlib import Path

_CODE = Path(__file__).resolve().parents[2]
# What the files of lessons are made of.
_ROOMS = ("sim_engine", "backend/frames", "backend/lessons")
_KINDS = frozenset({".py", ".yaml", ".ftl"})


@cache
def release_digest() -> str:
    """Hexadecimal, of the engine, of its lessons, and of the code that writes their files."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((_CODE / room).rglob("*")):
            if path.suffix in _KINDS:
                content = path.read_bytes()
                name = path.relative_to(_CODE).as_posix()
                digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]

"""Writes files to a folder that several processes share: each file is complete or absent."""

import hashlib
import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary path to write to. It is renamed to `target` when the block ends, and removed
    if the block fails.
    """
    unfinished = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        yield unfinished
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def short_id(document: object) -> str:
    """Return a short id derived from a JSON document: equal documents have equal ids."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]

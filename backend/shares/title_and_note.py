"""The author's title and note of a share, as they are stored."""

import re

from backend.http.errors import LimitError
from backend.limit_table import NOTE_CHARACTERS, TITLE_CHARACTERS, Limit
from backend.runs.plain_text import without_direction

_BLANK_LINES = re.compile(r"\n{3,}")


def checked_title(words: str | None) -> str | None:
    """The title as one line; None if it is empty. Raises LimitError if it is too long."""
    return _checked(" ".join(without_direction(words or "").split()), TITLE_CHARACTERS, "/title")


def checked_note(words: str | None) -> str | None:
    """The note with normalized line breaks, and at most one empty line between two lines; None if
    it is empty.

    Raises LimitError if it is too long.
    """
    lines = (line.rstrip() for line in without_direction(words or "").splitlines())
    return _checked(_BLANK_LINES.sub("\n\n", "\n".join(lines)).strip(), NOTE_CHARACTERS, "/note")


def _checked(words: str, limit: Limit, where: str) -> str | None:
    if len(words) > limit.number:
        raise LimitError(limit, where=where)
    return words or None

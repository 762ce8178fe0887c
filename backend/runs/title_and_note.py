"""An author's title and note, as they are stored and shown: plain text without markup.

Code that displays it must escape it for its context.
"""

import re
import unicodedata

from backend.html.frontend_build import text
from backend.http.errors import LimitError
from backend.limit_table import NOTE_CHARACTERS, TITLE_CHARACTERS, Limit

_BLANK_LINES = re.compile(r"\n{3,}")
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def without_direction(words: str) -> str:
    """The text without Unicode direction marks."""
    return _DIRECTION.sub("", unicodedata.normalize("NFC", words))


def paragraphs(note: str) -> str:
    """A note as HTML."""
    return "".join(
        f"<p>{text(paragraph).replace(chr(10), '<br>')}</p>" for paragraph in note.split("\n\n")
    )


def with_note(said: str, note: str | None) -> str:
    """A one-line description of a run, followed by the author's note."""
    return " – ".join(part for part in (said, " ".join((note or "").split())) if part)


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

"""An author's title and note as they are shown: plain text without markup.

Code that displays it must escape it for its context.
"""

import re
import unicodedata

from backend.html.frontend_build import text

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

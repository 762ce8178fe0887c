"""The statements of an import: its interpretations and assumptions.

A statement is a name with values. Its sentence is in `cluster_import.ftl` of each language.
"""

from msgspec import Struct

from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, say

TEXTS = "cluster_import"


class Statement(Struct, frozen=True):
    """One statement, and the place that it is about, if any."""

    name: str
    numbers: dict[str, object] = {}
    file: str | None = None
    line: int | None = None
    """The first line that it concerns, from 1."""
    last_line: int | None = None

    def text(self, lang: str = DEFAULT_LANGUAGE) -> str:
        """The sentence in a language."""
        return say(lang, TEXTS, self.name, **self.numbers)

    def texts(self) -> dict[str, str]:
        """The sentence in every language."""
        return {lang: self.text(lang) for lang in LANGUAGES}

"""The statements of an import: its interpretations and assumptions.

A statement is a name with values, which can themselves be texts. Its sentence is in
`cluster_import.ftl` of each language.
"""

from collections.abc import Sequence

from msgspec import Struct

from sim_engine.error_texts import Wording
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, say
from sim_engine.left_out import LeftOut

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
        numbers = {
            name: value.text(lang) if isinstance(value, Wording) else value
            for name, value in self.numbers.items()
        }
        return say(lang, TEXTS, self.name, **numbers)

    def texts(self) -> dict[str, str]:
        """The sentence in every language."""
        return {lang: self.text(lang) for lang in LANGUAGES}


def left_out_statement(
    row: LeftOut, names: Sequence[str], file: str | None = None, line: int | None = None
) -> Statement:
    """The statement that these names of the input are omitted, because the engine leaves them
    out.
    """
    numbers: dict[str, object] = {"names": list(names), "what": row.title, "reason": row.means}
    return Statement("left_out", numbers, file, line, line)

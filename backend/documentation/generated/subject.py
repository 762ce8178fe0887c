"""The input of the generators, and helpers to write Markdown."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from backend.documentation.contents import WORDS
from backend.settings import Settings
from sim_engine.json_types import JsonObject
from sim_engine.languages import say as say_message


@dataclass(frozen=True, slots=True)
class Subject:
    """One service: its settings, and its OpenAPI document."""

    settings: Settings
    openapi: Callable[[], JsonObject]


def table(lang: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; `heads` are the names of messages for its column headings."""
    lines = [
        [say_message(lang, WORDS, f"head-{head}") for head in heads],
        ["---"] * len(heads),
        *([_in_a_cell(cell) for cell in row] for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(value: object) -> str:
    """A value as inline code; an empty string for an empty value."""
    return "" if value is None or value == "" else f"`{value}`"


def anchored(anchor: str, shown: str) -> str:
    """A text with an anchor, so that the address of the page can name it: `#limit-body_bytes`."""
    return f'<a id="{anchor}"></a>{shown}'


def _in_a_cell(said: str) -> str:
    return " ".join(said.replace("|", "\\|").split())

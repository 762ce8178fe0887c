"""A document as plain data, with the position of every value."""

import json

from msgspec import Struct, field

from sim_engine.error_texts import Wording, error
from sim_engine.scenario_reader.document import Problem, ScenarioError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 200_000
_MOST_SHOWN = 40

Position = tuple[int, int]
"""Line and column, both counted from 1."""


class Source(Struct, frozen=True, kw_only=True):
    """A document as plain data: mappings with string keys, lists, strings, numbers, switches.

    The tables map JSON Pointers to the start of a value and of its key, and to numbers with a
    fraction as they were written. They are empty for a document that was not read from text.
    """

    document: object
    positions: dict[str, Position] = field(default_factory=dict)
    key_positions: dict[str, Position] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    def place(self, where: str, *, at_key: bool = False) -> Position | None:
        """The position of a place; if it does not exist, the position of its container."""
        if at_key and where in self.key_positions:
            return self.key_positions[where]
        while where not in self.positions and where:
            where = where.rpartition("/")[0]
        return self.positions.get(where)


def pointer(parent: str, key: str | int) -> str:
    """The JSON Pointer (RFC 6901) of a member of `parent`."""
    return f"{parent}/{str(key).replace('~', '~0').replace('/', '~1')}"


def step_pointer(item: int | None) -> str:
    """The place of an entry of a scenario's steps; of all of them if it is None."""
    return "/steps" if item is None else pointer("/steps", item)


def shown(value: object) -> str:
    """Format a value for messages: a short word or a number as it is, and "…" for any other text,
    because no message may repeat what could be more than a word, such as markup.
    """
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if is_word(text) else "…"


def is_word(text: str) -> bool:
    """Whether a text is a word that a message may repeat: letters, digits and `._-+/*`."""
    return 1 <= len(text) <= _MOST_SHOWN and all(c.isalnum() or c in "._-+/*" for c in text)


class PlacedNodes:
    """Counts the values of a document and records their positions, for every syntax."""

    def __init__(self) -> None:
        self.positions: dict[str, Position] = {}
        self.key_positions: dict[str, Position] = {}
        self.written: dict[str, str] = {}

    def place(self, where: str, position: Position) -> None:
        """Record the start of a value. Raises `ScenarioError` for more than `MAX_NODES` values."""
        if len(self.positions) >= MAX_NODES:
            raise wrong_source(
                "",
                error("document_too_long", most=MAX_NODES),
                position,
                code="too_big",
                limit="scenario_values",
            )
        self.positions[where] = position

    def source(self, document: object) -> Source:
        """The document with every position recorded so far."""
        return Source(
            document=document,
            positions=self.positions,
            key_positions=self.key_positions,
            written=self.written,
        )


def wrong_source(
    where: str,
    reason: Wording,
    at: Position | None,
    *,
    code: str = "wrong_document",
    limit: str | None = None,
) -> ScenarioError:
    """A `ScenarioError` with one problem. `where` is a JSON Pointer; `at` is None if there is no
    text.
    """
    line, column = at if at is not None else (None, None)
    return ScenarioError(
        (Problem(where=where, reason=reason, line=line, column=column, code=code, limit=limit),)
    )

"""A document as plain data, with the place of everything in it."""

import json

from msgspec import Struct, field

from sim_engine.scenario_reader.document import Problem, ScenarioError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 200_000

Position = tuple[int, int]
"""Line and column, both counted from 1."""


class Source(Struct, frozen=True, kw_only=True):
    """A document as plain data: mappings with string keys, lists, strings, numbers, switches.

    The tables are by JSON Pointer: where a value and where its key starts, and numbers with a
    fraction as they were written. They are empty for a document that did not come from text.
    """

    document: object
    positions: dict[str, Position] = field(default_factory=dict)
    key_positions: dict[str, Position] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    def place(self, where: str, *, at_key: bool = False) -> Position | None:
        """Where something is, or what contains it where it is not there itself."""
        if at_key and where in self.key_positions:
            return self.key_positions[where]
        while where not in self.positions and where:
            where = where.rpartition("/")[0]
        return self.positions.get(where)


def pointer(parent: str, key: str | int) -> str:
    """The JSON Pointer (RFC 6901) of something inside `parent`."""
    return f"{parent}/{str(key).replace('~', '~0').replace('/', '~1')}"


def shown(value: object) -> str:
    """A value as a message may repeat it: short, on one line, nothing unprintable."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    text = "".join(character if character.isprintable() else "?" for character in text[:41])
    return text if len(text) <= 40 else f"{text[:37]}..."


class PlacedNodes:
    """Counts and places what a document is made of, however it is written."""

    def __init__(self) -> None:
        self.positions: dict[str, Position] = {}
        self.key_positions: dict[str, Position] = {}
        self.written: dict[str, str] = {}

    def place(self, where: str, position: Position) -> None:
        """Record where a value starts. Raises `ScenarioError` past `MAX_NODES`."""
        if len(self.positions) >= MAX_NODES:
            raise wrong_source(
                "",
                f"the document has more than {MAX_NODES} values",
                position,
                code="too_big",
                limit="scenario_values",
            )
        self.positions[where] = position

    def source(self, document: object) -> Source:
        """The document with every place recorded so far."""
        return Source(
            document=document,
            positions=self.positions,
            key_positions=self.key_positions,
            written=self.written,
        )


def wrong_source(
    where: str,
    message: str,
    at: Position | None,
    *,
    code: str = "wrong_document",
    limit: str | None = None,
) -> ScenarioError:
    """One problem as an error. `where` is a JSON Pointer; `at` is None outside of text."""
    line, column = at if at is not None else (None, None)
    return ScenarioError(
        (Problem(where=where, message=message, line=line, column=column, code=code, limit=limit),)
    )

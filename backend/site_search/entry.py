"""What can be found: an entry of the search, and the file with all of them."""

from functools import cache
from typing import Literal, get_args

from msgspec import Struct

from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Text
from sim_engine.versions import list_versions

Kind = Literal[
    "error",
    "term",
    "lesson",
    "step",
    "claim",
    "setting",
    "word",
    "loss",
    "finding",
    "challenge",
    "release",
    "kip",
    "doc",
    "left_out",
]
"""`word`: a metric or a log line. `loss`: a known way to lose. `kip`: a change of Kafka, also one
that is an issue."""

KINDS: tuple[Kind, ...] = get_args(Kind)


class Entry(Struct, frozen=True, kw_only=True):
    """One thing that can be found. Texts are by language; English is shown where one is missing."""

    kind: Kind
    id: str
    address: str
    title: Text
    text: Text
    """The line below the title."""
    names: tuple[str, ...] = ()
    """What it is called in every language: identifiers, abbreviations."""
    sort: Text = {}
    """What it is, in a word: for those who ask for "the metric that ..."."""
    asked: Text = {}
    """How somebody asks for it who does not know what it is called."""
    more: Text = {}
    """What is searched too, and not shown."""
    lines: tuple[tuple[str, ...], ...] = ()
    """Of a log line: the fixed parts of each of its forms, by which a pasted one is known."""
    rank: float = 1.0
    """How likely it is what a reader looks for, among those of its kind."""
    sign: str | None = None
    """The number of an error, the assessment of a claim."""
    holds: tuple[bool, ...] | None = None
    """Of a claim: whether it is correct, for each release of `menu()`."""
    picture: JsonObject | None = None
    """The small picture of a lesson."""


class KeptEntries(Struct, frozen=True):
    """All entries, as the file in a build of the pages has them."""

    made_of: str
    """The digest of the code that they were collected from."""
    entries: tuple[Entry, ...]


@cache
def menu() -> tuple[str, ...]:
    """The releases that a reader can choose, oldest first."""
    return tuple(str(version["kafka"]) for version in list_versions())

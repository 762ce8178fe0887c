"""What holds the engine to Kafka, as readers are told: `FIDELITY.md`, and the recordings and cases.

The recordings and Kafka's cases are with the tests; `scripts/write-scenarios` lists them in
`evidence.json` beside this file, and a test holds it against them.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from msgspec import Struct, json

SectionName = Literal["modelled", "tests", "losses", "simpler", "left_out"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""The sections of FIDELITY.md, in their order."""

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class RecordingEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A recording of a real cluster, which the engine must reproduce step by step."""

    id: str
    kafka: str
    title: str
    shows: str
    steps: int

    @property
    def name(self) -> str:
        """What it is called, in addresses too: its id, and the release that was recorded."""
        return f"{self.id}-{self.kafka}"


class Evidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of it. `cases` are those of Kafka's own tests; of some only a part can be said."""

    recordings: tuple[RecordingEntry, ...]
    cases: int
    cases_in_part: int

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases that were recorded, oldest first."""
        named = {recording.kafka for recording in self.recordings}
        return tuple(sorted(named, key=lambda kafka: [int(part) for part in kafka.split(".")]))


class Section(Struct, frozen=True, kw_only=True):
    """A section of FIDELITY.md: its words and its table. Code is enclosed in backticks."""

    name: SectionName
    paragraphs: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def read_evidence() -> Evidence:
    """The recordings and the cases."""
    text = files("sim_engine.conformance").joinpath("evidence.json").read_bytes()
    return json.decode(text, type=Evidence)


@cache
def fidelity() -> tuple[Section, ...]:
    """The sections of FIDELITY.md."""
    text = files("sim_engine").joinpath("FIDELITY.md").read_text(encoding="utf-8")
    parts = text.split("\n## ")[1:]
    assert len(parts) == len(SECTIONS), "each section of FIDELITY.md has a name"
    return tuple(_section(name, part) for name, part in zip(SECTIONS, parts, strict=True))


def _section(name: SectionName, text: str) -> Section:
    _, *lines = _LINK.sub(r"\1", text).splitlines()
    table = [line for line in lines if line.startswith("|")]
    return Section(
        name=name,
        paragraphs=tuple(line for line in lines if line and not line.startswith("|")),
        # The first two lines are the head of the table.
        rows=tuple(
            tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in table[2:]
        ),
    )

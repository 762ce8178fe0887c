"""The fidelity checks of the engine: `FIDELITY.md`, the recordings, and Kafka's own test cases.

The recordings and Kafka's cases are with the tests; `scripts/write-scenarios` lists them in
`fidelity.json` in this folder, and a test compares it with them.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from msgspec import Struct, json

from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, translations_of

SectionName = Literal["modelled", "tests", "losses", "simpler", "left_out"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""The sections of FIDELITY.md, in order."""

RECORDING_TITLES = "recording_titles"
"""The Fluent file of a language, without ".ftl", that contains the texts of recordings by id: the
title, and what it shows as the attribute `shows`.
"""

_FILE = "FIDELITY.md"
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
        """Its name, also in addresses: its id and the recorded release."""
        return f"{self.id}-{self.kafka}"

    def titles(self) -> Mapping[str, str]:
        """Its title in English, and in every language that has a translation."""
        return {DEFAULT_LANGUAGE: self.title, **_translated_texts().get(self.id, {})}

    def said(self) -> Mapping[str, str]:
        """What it shows, in English and in every language that has a translation."""
        return {DEFAULT_LANGUAGE: self.shows, **_translated_texts().get(_shows(self.id), {})}


class FidelityChecks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All recordings and test cases. `cases` are those of Kafka's own tests; some can be expressed
    only in part.
    """

    recordings: tuple[RecordingEntry, ...]
    cases: int
    cases_in_part: int

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases that were recorded, oldest first."""
        named = {recording.kafka for recording in self.recordings}
        return tuple(sorted(named, key=lambda kafka: [int(part) for part in kafka.split(".")]))


class Section(Struct, frozen=True, kw_only=True):
    """A section of FIDELITY.md: its text and its table. Code is enclosed in backticks."""

    name: SectionName
    paragraphs: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def read_fidelity_checks() -> FidelityChecks:
    """Read the list of recordings and test cases that comes with the engine."""
    text = files("sim_engine.conformance").joinpath("fidelity.json").read_bytes()
    return json.decode(text, type=FidelityChecks)


def recording_texts() -> Mapping[str, str]:
    """The English texts of each recording by the name of their message: `ID`, `ID.shows`."""
    return {
        name: text
        for one in read_fidelity_checks().recordings
        for name, text in ((one.id, one.title), (_shows(one.id), one.shows))
    }


def _shows(recording: str) -> str:
    return f"{recording}.shows"


@cache
def _translated_texts() -> Mapping[str, Mapping[str, str]]:
    return translations_of(RECORDING_TITLES, recording_texts().keys())


def fidelity_path(lang: str) -> str | None:
    """The path of FIDELITY.md in a language, from the engine's folder; None if it has none."""
    if lang == DEFAULT_LANGUAGE:
        return _FILE
    path = f"languages/{lang}/{_FILE}"
    return path if files("sim_engine").joinpath(path).is_file() else None


def fidelity_languages() -> tuple[str, ...]:
    """The languages in which FIDELITY.md exists."""
    return tuple(lang for lang in LANGUAGES if fidelity_path(lang) is not None)


@cache
def fidelity(lang: str = DEFAULT_LANGUAGE) -> tuple[Section, ...]:
    """The sections of FIDELITY.md in one of its languages."""
    path = fidelity_path(lang)
    assert path is not None, "FIDELITY.md exists in this language"
    text = files("sim_engine").joinpath(path).read_text(encoding="utf-8")
    parts = text.split("\n## ")[1:]
    assert len(parts) == len(SECTIONS), "each section of FIDELITY.md has a name"
    return tuple(_section(name, part) for name, part in zip(SECTIONS, parts, strict=True))


def _section(name: SectionName, text: str) -> Section:
    _, *lines = _LINK.sub(r"\1", text).splitlines()
    lines = [line for line in lines if not line.startswith("<!--")]
    table = [line for line in lines if line.startswith("|")]
    return Section(
        name=name,
        paragraphs=tuple(line for line in lines if line and not line.startswith("|")),
        # The first two lines are the head of the table.
        rows=tuple(
            tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in table[2:]
        ),
    )

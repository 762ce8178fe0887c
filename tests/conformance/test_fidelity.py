"""The fidelity page's data matches the recordings and FIDELITY.md."""

import re
from pathlib import Path

import pytest

from sim_engine.conformance.fidelity import (
    SECTIONS,
    fidelity,
    fidelity_languages,
    fidelity_path,
    read_fidelity_checks,
    recording_titles,
    walked_releases,
)
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.languages import say as say_message
from sim_engine.releases import RELEASES
from tests.conformance.fidelity_lists import RECORDINGS, fidelity_text

REPOSITORY = Path(__file__).resolve().parents[2]
TRANSLATIONS = [lang for lang in fidelity_languages() if lang != DEFAULT_LANGUAGE]
# What a translation does not change: code, sources, versions, lessons, settings and errors.
FIXED = re.compile(r"`[^`]+`|K(?:IP|AFKA)-\d+|\d+(?:\.\d+)+|\bs\d+\b|\b[A-Z]+_[A-Z_]+\b")


def test_the_list_is_up_to_date():
    """`scripts/write scenarios` updates it."""
    written = REPOSITORY / "sim_engine/conformance/fidelity.json"

    assert written.read_text(encoding="utf-8") == fidelity_text()


def test_it_contains_every_recording_and_its_releases_are_sorted():
    checks = read_fidelity_checks()

    assert len(checks.recordings) == len(list(RECORDINGS.glob("*.json")))
    assert checks.releases[0] == "0.10.2.2"
    assert checks.releases.index("2.8.2") < checks.releases.index("3.9.2")


def test_every_row_of_the_page_is_told():
    sections = fidelity()

    assert [section.name for section in sections] == list(SECTIONS)
    text = (REPOSITORY / "sim_engine/FIDELITY.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    heads = sum(line.startswith("| ---") for line in rows) * 2
    assert sum(len(section.rows) for section in sections) == len(rows) - heads
    assert all(len(row) == len(section.rows[0]) for section in sections for row in section.rows)


def lines_of(lang: str) -> list[str]:
    path = fidelity_path(lang)
    assert path is not None
    return (REPOSITORY / "sim_engine" / path).read_text(encoding="utf-8").splitlines()


def shape_of(line: str) -> tuple[str, int, list[str]]:
    """The kind of a line, its number of cells, and what a translation does not change in it."""
    kind = line.split(" ")[0] if line.startswith(("#", "|")) else "text" if line else ""
    return kind, line.count(" | "), sorted(set(FIXED.findall(line)))


def test_it_is_translated_into_chinese():
    assert TRANSLATIONS == ["zh"]


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_a_translation_has_the_structure_and_the_sources_of_the_original(lang: str):
    original, translation = lines_of(DEFAULT_LANGUAGE), lines_of(lang)

    assert len(translation) == len(original)
    for line, translated in zip(original, translation, strict=True):
        assert shape_of(translated) == shape_of(line), translated


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_a_translation_has_the_titles_of_the_page(lang: str):
    titles = [line.removeprefix("## ") for line in lines_of(lang) if line.startswith("## ")]

    assert titles == [say_message(lang, "interface/fidelity", name) for name in SECTIONS]


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_every_row_is_translated(lang: str):
    for section, translated in zip(fidelity(), fidelity(lang), strict=True):
        for row, said in zip(section.rows, translated.rows, strict=True):
            assert said[1] != row[1], said


WALKED = ["0.11.0.3", "1.1.1", "2.0.1", "2.8.2", "3.4.1", "3.4.1", "3.5.2", "3.9.2", "4.3.1"]
"""3.4.1 was walked with both controllers."""
EXPLAINED = {"4.4.0": ("A KRaft broker that starts loads a snapshot",)}
"""How the row of FIDELITY begins that explains a difference of the night, by release."""


def test_each_difference_of_a_night_over_old_and_new_releases_is_explained() -> None:
    walked = walked_releases()

    assert [one.kafka for one in walked] == [*WALKED, RELEASES[-1]]
    assert all(one.agrees <= one.schedules and one.cpu_s > 0 for one in walked)
    assert sum(one.cpu_s for one in walked) > 3_600
    differing = {one.kafka: one.differs for one in walked if one.differs}
    assert differing == {kafka: len(rows) for kafka, rows in EXPLAINED.items()}
    told = (REPOSITORY / "sim_engine" / "FIDELITY.md").read_text(encoding="utf-8")
    assert all(f"| {row}" in told for rows in EXPLAINED.values() for row in rows)


def test_a_title_of_ones_own_is_not_replaced_by_that_of_a_known_recording() -> None:
    known = read_fidelity_checks().recordings[0]

    assert recording_titles(known.id, known.title).keys() == {"en", "zh"}
    assert recording_titles(known.id, "Mine") == {"en": "Mine"}
    assert recording_titles("mine", known.title) == {"en": known.title}

"""How the diagram of messages over time draws events, as the page reads it."""

import json
from pathlib import Path

import pytest

from sim_engine.events import EVENTS, drawings
from sim_engine.languages import LANGUAGES, messages
from sim_engine.narration import catalogue
from tests.sim_engine.events.declared import number_names

PAGE_FIXTURE = Path("frontend/src/trace/fixtures/catalogue.json")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_drawing_has_a_label_in_every_language(lang: str) -> None:
    labels = {drawing.label for drawn in drawings().values() for drawing in drawn}

    assert labels <= messages(lang, "interface/diagram").keys()


def test_a_drawing_names_only_numbers_and_events_that_there_are() -> None:
    for (kind, _), drawn in drawings().items():
        numbers = number_names(EVENTS[kind]) | {"variant"}
        for drawing in drawn:
            assert set(drawing.values.values()) <= numbers, kind
            assert drawing.needs is None or drawing.needs in numbers, kind
            assert not drawing.if_moved or {"before", "after"} <= numbers, kind
            assert drawing.unless is None or drawing.unless in EVENTS, kind


def test_a_variant_is_drawn_differently_where_its_case_says_so() -> None:
    drawn = catalogue()["drawings"]

    assert drawn["LeaderElected"] == [
        {"label": "electedLeader", "at": "controller", "tone": "accent"}
    ]
    assert drawn["LeaderElected-unclean"][0]["tone"] == "bad"
    assert drawn["FetchApplied-empty"] == []
    assert "FetchSent" not in drawn


def test_the_tests_of_the_page_use_the_drawings_of_the_engine() -> None:
    used = json.loads(PAGE_FIXTURE.read_text(encoding="utf-8"))["drawings"]

    drawn = catalogue()["drawings"]
    assert used == {name: drawn[name] for name in used}

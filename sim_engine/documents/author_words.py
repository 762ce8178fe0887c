"""Selects the author's words that a run shows. Words that the run contradicts are never shown.

Words with a list of releases are shown under those releases. Without one, words of a shipped lesson
apply to every release, which the library's tests verify. In any other scenario they were written
for the scenario's own version; under another version they are shown only until the first step that
ends differently. The words of a lesson that runs with other settings are shown until the first step
that ends differently than in the lesson.
"""

import json
from functools import lru_cache

from sim_engine.documents.comparison import comparison_document
from sim_engine.scenario_reader.applicability import WordsShown, author_text, words_under
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import (
    list_shipped,
    load_shipped,
    read_scenario_document,
)
from sim_engine.scenario_reader.scenario_json import ScenarioJson, StepJson
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline


def unrefuted_words(scenario: Scenario, kafka: str, control: str) -> WordsShown:
    """Like `words_under`, without the words that a run under this release and controller
    contradicts."""
    document = scenario_document(scenario)
    words = words_under(document, kafka, control)
    shipped = next((one for one in list_shipped() if one.id == scenario.id), None)
    if shipped == scenario:
        return words
    lesson = None if shipped is None else _lesson_with_other_settings(shipped, document)
    unlike = _first_step_unlike(json.dumps(document), lesson, kafka, control)
    if unlike is None:
        return words
    told = [
        place
        for place in words["steps"]
        if place < unlike or (lesson is None and _names_releases(document["steps"][place]))
    ]
    return {**words, "steps": told}


def _names_releases(step: StepJson) -> bool:
    words = author_text(step)
    return isinstance(words, dict) and ("kafka" in words or "control" in words)


def _lesson_with_other_settings(shipped: Scenario, document: ScenarioJson) -> str | None:
    """The id of the shipped lesson if this document has its steps, apart from their arguments;
    otherwise None."""
    steps = scenario_document(shipped)["steps"]
    alike = [list(step) for step in steps] == [list(step) for step in document["steps"]]
    return shipped.id if alike else None


@lru_cache(maxsize=64)
def _first_step_unlike(document: str, lesson: str | None, kafka: str, control: str) -> int | None:
    """The first entry of the steps that ends differently than in the run for which the words were
    written: that of the lesson with this id, or that under the scenario's own version. -1 if the
    runs differ from the start, or if one of them is too long to compare."""
    scenario = read_scenario_document(json.loads(document))
    if lesson is not None:
        own = Timeline(load_shipped(lesson), kafka, control)
    else:
        own = Timeline(scenario)
        if (own.profile.kafka, own.profile.control) == (kafka, control):
            return None
    other = Timeline(scenario, kafka, control)
    try:
        own.run_all()
        other.run_all()
    except LimitReachedError:
        return -1
    for step in comparison_document(own, other).steps:
        if step.differs:
            return -1 if step.item is None else step.item
    return None

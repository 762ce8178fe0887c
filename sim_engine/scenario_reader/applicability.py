"""The releases to which an author's texts apply: notes, questions, title and summary.

Texts without a condition apply to every release. `kafka` is a release or a range of releases, and
`control` one of the two controllers.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from sim_engine.actions import Ask, Note, name_of
from sim_engine.actions.author_words import AuthorText
from sim_engine.json_types import JsonView
from sim_engine.languages import say
from sim_engine.releases import is_within
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.scenario_json import ScenarioJson, StepJson


class WordsShown(TypedDict):
    """What a run shows of its scenario's words: its title, whether the summary applies, and the
    places in the scenario's steps of the notes and questions that do."""

    title: Text
    summary: bool
    steps: list[int]


CONDITION_KEYS = ("kafka", "control")


def applies(words: JsonView, kafka: str, control: str) -> bool:
    """Whether texts apply to a release under a controller."""
    ranges = words.get("kafka")
    if isinstance(ranges, str):
        ranges = (ranges,)
    if isinstance(ranges, Sequence) and not any(is_within(kafka, text) for text in ranges):
        return False
    return words.get("control") in (None, control)


def title_under(scenario: Scenario, kafka: str, control: str) -> Text:
    """A scenario's title. If it does not apply to this release, the title names the releases to
    which it does.
    """
    return _title(scenario.title, scenario.applies_to, scenario.kafka, kafka, control)


def words_under(document: ScenarioJson, kafka: str, control: str) -> WordsShown:
    """The texts of a scenario document that apply to a run under a release.

    `title` is the title of the run, `summary` whether the summary applies, and `steps` the indexes
    in the document's `steps` of the notes and questions that apply.
    """
    condition = document.get("applies_to") or {}
    return {
        "title": _title(document["title"], condition, document["kafka"], kafka, control),
        "summary": applies(condition, kafka, control),
        "steps": [
            place
            for place, step in enumerate(document["steps"])
            for words in (author_text(step),)
            if words is not None and (isinstance(words, str) or applies(words, kafka, control))
        ],
    }


def author_text(step: StepJson) -> JsonView | str | None:
    """The words of a note or a question; null for any other step."""
    # A note may be a text alone, where other steps have arguments.
    words: object = step.get(name_of(Note), step.get(name_of(Ask)))
    return words if isinstance(words, Mapping | str) else None


def places_of_words(scenario: Scenario, kafka: str, control: str) -> frozenset[int]:
    """The indexes of the notes and questions that apply to a run under a release: like
    `words_under`, for a parsed scenario.
    """
    return frozenset(
        place
        for place, said in enumerate(scenario.steps)
        if isinstance(said.step, AuthorText) and applies(said.step.arguments(), kafka, control)
    )


def _title(title: Text, condition: JsonView, written_for: str, kafka: str, control: str) -> Text:
    if applies(condition, kafka, control):
        return dict(title)
    return {
        lang: say(lang, "narration/scenarios", "otherRelease", title=words, kafka=written_for)
        for lang, words in title.items()
    }

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
from sim_engine.scenario_reader.document import MAX_TITLE_CHARACTERS, Scenario, Text
from sim_engine.scenario_reader.scenario_json import ScenarioJson, StepJson


class WordsShown(TypedDict):
    """What a run shows of its scenario's words: its title, whether the summary applies, and the
    places in the scenario's steps of the notes and questions that do."""

    title: Text
    summary: bool
    steps: list[int]


CONDITION_KEYS = ("kafka", "control")

_GAP = "\N{OBJECT REPLACEMENT CHARACTER}"


def applies(words: JsonView, kafka: str, control: str) -> bool:
    """Whether texts apply to a release under a controller."""
    ranges = words.get("kafka")
    if isinstance(ranges, str):
        ranges = (ranges,)
    if isinstance(ranges, Sequence) and not any(is_within(kafka, text) for text in ranges):
        return False
    return words.get("control") in (None, control)


def words_under(document: ScenarioJson, kafka: str, control: str) -> WordsShown:
    """The texts of a scenario document that apply to a run under a release.

    `title` is the title of the run; if the scenario's does not apply to this release, it names the
    release for which it was written, or the controller if it is another one under the same release.
    `summary` is whether the summary applies, and `steps` the
    indexes in the document's `steps` of the notes and questions that apply.
    """
    about = document.get("applies_to") or {}
    holds = applies(about, kafka, control)
    title = document["title"]
    other = about.get("control", control)
    if not holds and document["kafka"] == kafka and other != control:
        title = title_about("otherControl", title, control=str(other))
    elif not holds:
        title = title_about("otherRelease", title, kafka=document["kafka"])
    return {
        "title": title,
        "summary": holds,
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


def title_about(message: str, title: Text, **values: str) -> Text:
    """The title of a run other than the one that this title is about. `message` is one of
    `narration/scenarios.ftl`. If the title already has that form, it stays. One that would be too
    long for a scenario is shortened.
    """

    def about(lang: str, words: str) -> str:
        return say(lang, "narration/scenarios", message, title=words, **values)

    def fitted(lang: str, words: str) -> str:
        before, after = about(lang, _GAP).split(_GAP)
        if words.startswith(before) and words.endswith(after):
            return words
        most = MAX_TITLE_CHARACTERS - len(before) - len(after)
        return about(lang, words if len(words) <= most else words[: most - 1].rstrip() + "…")

    return {lang: fitted(lang, words) for lang, words in title.items()}

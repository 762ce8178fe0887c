"""To which releases an author's words apply: a note or a question, a title and its summary.

Words without such a condition apply to every release. `kafka` is a release or a range of releases,
`control` one of the two controllers.
"""

from sim_engine.actions.words import Said
from sim_engine.json_types import JsonObject, JsonView
from sim_engine.languages import say
from sim_engine.releases import is_within
from sim_engine.scenario_reader.document import Scenario, Text

CONDITION_KEYS = ("kafka", "control")


def applies(words: JsonView, kafka: str, control: str) -> bool:
    """Whether words are true of a release under a controller, as far as they say."""
    ranges = words.get("kafka")
    if isinstance(ranges, str):
        ranges = (ranges,)
    if ranges is not None and not any(is_within(kafka, text) for text in ranges):
        return False
    return words.get("control") in (None, control)


def title_under(scenario: Scenario, kafka: str, control: str) -> Text:
    """A scenario's title; where it does not apply to this release, with the one that it does."""
    return _title(scenario.title, scenario.applies_to, scenario.kafka, kafka, control)


def words_under(document: JsonView, kafka: str, control: str) -> JsonObject:
    """What of a scenario's document a reader is told in a run under a release.

    `title` is what the run is called, `summary` whether the summary applies, and `steps` the places
    in the document's `steps` of the notes and questions that do.
    """
    condition = document.get("applies_to") or {}
    return {
        "title": _title(document["title"], condition, document["kafka"], kafka, control),
        "summary": applies(condition, kafka, control),
        "steps": [
            place
            for place, step in enumerate(document["steps"])
            for words in (step.get("note", step.get("ask")),)
            if words is not None and (isinstance(words, str) or applies(words, kafka, control))
        ],
    }


def places_of_words(scenario: Scenario, kafka: str, control: str) -> frozenset[int]:
    """The places in a scenario's steps of the notes and questions that a reader is told in a run
    under a release: `words_under` of a scenario that was read."""
    return frozenset(
        place
        for place, said in enumerate(scenario.steps)
        if isinstance(said.step, Said) and applies(said.step.arguments(), kafka, control)
    )


def _title(title: Text, condition: JsonView, written_for: str, kafka: str, control: str) -> Text:
    if applies(condition, kafka, control):
        return dict(title)
    return {
        lang: say(lang, "narration/scenarios", "otherRelease", title=words, kafka=written_for)
        for lang, words in title.items()
    }

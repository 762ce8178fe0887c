"""Each term of the glossary has a lesson, and that lesson shows it."""

import re
from collections.abc import Iterator, Mapping

from sim_engine.curriculum import lessons_of_terms, lines_to_remember
from sim_engine.documents.runs import story_to
from sim_engine.events.base import Event
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.narration import catalogue, sentence_of
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.runs import play
from tests.tables import for_each

TEXTS = catalogue()["languages"][DEFAULT_LANGUAGE]

DRAWN = {
    "OSR": "IsrShrunk",
    "remote-log-end-offset": "FetchHandled",
    "znode-version": "IsrChangesTold",
    "long-poll": "LongPollExpired",
    "leader-recovery-state": "LeaderElected.unclean",
    "OffsetsForLeaderEpoch": "EpochLookupSent",
    "StopReplica": "ReplicaDeleted",
    "UpdateMetadata": "IsrChangesTaken",
}
"""Terms that the texts of their lessons do not use → the event at which the page shows them."""


def test_every_term_has_a_lesson():
    assert lessons_of_terms().keys() == TEXTS["terms"].keys()


@for_each("term, lesson", lambda: lessons_of_terms().items())
def test_the_lesson_of_a_term_shows_it(term: str, lesson: str):
    scenario = load_shipped(lesson)
    timeline = play(scenario)
    events = [e for at in timeline.path(timeline.head) for e in timeline.frames[at].events]

    if term in DRAWN:
        kind, _, variant = DRAWN[term].partition(".")
        assert any(e.kind == kind and variant in ("", e.variant) for e in events)
    else:
        words = "|".join(re.escape(word) for word in words_of(term))
        said = "\n".join((*lesson_texts(scenario, timeline), *map(sentence, events)))
        assert re.search(rf"(?<![\w-])({words})(?![\w-])", said)


def words_of(term: str) -> list[str]:
    spelled = (term.replace("-", " "), term.replace("-", "."))
    return [*spelled, *str(TEXTS["term_words"].get(term, term)).split("|")]


def sentence(event: Event) -> str:
    return sentence_of(event, DEFAULT_LANGUAGE)


def lesson_texts(scenario: Scenario, timeline: Timeline) -> Iterator[str]:
    yield lines_to_remember()[scenario.id][DEFAULT_LANGUAGE]
    yield from strings(scenario_document(scenario))
    for step in story_to(timeline, timeline.head):
        yield step.summary[DEFAULT_LANGUAGE]


def strings(document: object) -> Iterator[str]:
    """The English texts of a document, and the names of its settings."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping):
        for name, part in document.items():
            yield name
            yield from strings(part) if name != "zh" else ()
    elif isinstance(document, list | tuple):
        for part in document:
            yield from strings(part)

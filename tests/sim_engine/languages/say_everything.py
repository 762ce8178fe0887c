"""Formats every text in a language: running lessons, and each message with arguments of each type.

Started as a program of its own by `test_third_language.py`, in a copy of the engine that has one
language more. Prints what is left of English. A value in a sentence is no word of the language:
values are taken out first.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import sim_engine.languages
from sim_engine.actions import Ask, Note, Words
from sim_engine.articles import list_articles, source_name
from sim_engine.challenges import list_challenges
from sim_engine.conformance.fidelity import read_fidelity_checks
from sim_engine.curriculum import lines_to_remember
from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import story_to
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.languages import LANGUAGES, find_language, in_language, messages
from sim_engine.languages.fluent import Pattern, placeholders
from sim_engine.narration import (
    change_name,
    formula_of,
    property_title,
    reason_text,
    rule_text,
    sentence_of,
    step_label,
    texts_in,
)
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from tests.sim_engine.runs import play

LETTERS = re.compile("[A-Za-z]+")
# None, one, several and many; a name; lists with one and with several elements; no value.
SHAPES: tuple[object, ...] = (0, 1, 2, 21, -1, "7", [1], [1, 2], {}, None)


def values(given: object) -> Iterator[str]:
    """Every value of an event or argument of a step, as text."""
    if isinstance(given, Mapping):
        for key, value in given.items():
            # `metadata_version` of a scenario file is Kafka's `metadata.version`.
            yield from (str(key), str(key).replace("_", "."))
            yield from values(value)
    elif isinstance(given, list | tuple):
        for value in given:
            yield from values(value)
    else:
        yield str(given).lower() if isinstance(given, bool) else str(given)


def english(said: str | None, given: object) -> str | None:
    """A sentence with English letters other than in its values; null if it has none."""
    left = said or ""
    for value in sorted(set(values(given)), key=len, reverse=True):
        left = left.replace(value, "")
    return said if LETTERS.search(left) else None


def author_words() -> Iterator[Mapping[str, str]]:
    """The English texts in the files of lessons, articles, challenges and recordings."""
    for scenario in list_shipped():
        yield from _lesson_words(scenario)
    yield from lines_to_remember().values()
    for article in list_articles():
        yield from (article.title, article.about, source_name(article.source))
        for claim in article.claims:
            yield from (claim.claim, claim.kafka)
        for question in article.questions:
            yield from (question.question, question.answer)
    for challenge in list_challenges():
        yield from (challenge.title, challenge.goal, *challenge.hints)
    for recording in read_fidelity_checks().recordings:
        yield recording.titles()


def _lesson_words(scenario: Scenario) -> Iterator[Mapping[str, str]]:
    yield from (scenario.title, scenario.summary)
    for step in scenario.steps:
        if isinstance(step.step, Note | Ask):
            yield step.step.text
        if isinstance(step.step, Ask):
            yield from (*step.step.answers, *(step.step.reasons or ()))


def runs(lang: str) -> Iterator[str | None]:
    """The texts of every running lesson: events, buttons, steps of the story, changes."""
    for scenario in list_shipped():
        timeline = play(scenario)
        told: list[object] = [
            step.step.arguments() for step in scenario.steps if not isinstance(step.step, Words)
        ]
        for frame in timeline.frames:
            if frame.action is not None:
                yield english(step_label(frame.action, lang, strict=True), frame.action)
                told.append(frame.action)
            for event in frame.events:
                yield english(sentence_of(event, lang, strict=True), event.numbers())
                yield english(formula_of(event, lang, strict=True), event.numbers())
                told.append(event.numbers())
        for step in story_to(timeline, timeline.head):
            yield english(step.title[lang], told)
            yield english(step.summary[lang], told)
        for choice in timeline.choices(timeline.head):
            yield english(step_label(choice.step, lang, strict=True), choice.step)
            if choice.reason_code is not None:
                numbers = choice.reason_numbers
                yield english(reason_text(choice.reason_code, numbers, lang), numbers)
        for change in frame_document(timeline, timeline.head).changes:
            name = change_name(change.what, change.subject, lang, control=timeline.profile.control)
            yield english(name, change.subject)


def names(lang: str) -> Iterator[str | None]:
    """The texts without a run: properties, rules, terms, changes, steps, reasons."""
    for name in PROPERTY_NAMES:
        yield english(property_title(name, lang, violated=True), {})
        yield english(property_title(name, lang, violated=False), {})
    for rule in texts_in(lang).plain["rules"]:
        yield english(rule_text(rule, lang), {})


def every_message(lang: str) -> Iterator[str | None]:
    """Each message of each file, and its attributes, with arguments of each type."""
    root = Path(sim_engine.languages.__path__[0]) / lang
    for path in sorted(root.rglob("*.ftl")):
        file = path.relative_to(root).with_suffix("").as_posix()
        if file != "language":
            for message in messages(lang, file).values():
                yield from _every_shape(lang, message.text)
                for attribute in message.attributes.values():
                    yield from _every_shape(lang, attribute)


def _every_shape(lang: str, pattern: Pattern | None) -> Iterator[str | None]:
    words = placeholders(pattern) if pattern is not None else ()
    for shape in SHAPES if words else SHAPES[:1]:
        numbers = dict.fromkeys(words, shape)
        yield english(find_language(lang).fill(pattern or (), numbers, strict=True), ())


def everything(lang: str) -> Iterator[str | None]:
    yield from (english(in_language(words, lang), {}) for words in author_words())
    yield from runs(lang)
    yield from names(lang)
    yield from every_message(lang)


if __name__ == "__main__":
    said = list(everything(sys.argv[1]))
    left = sorted({sentence for sentence in said if sentence is not None})
    json.dump({"languages": LANGUAGES, "said": len(said), "english": left}, sys.stdout)

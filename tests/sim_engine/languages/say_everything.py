"""Runs every shipped lesson and says all of it in a language; prints what is left of English.

Started as a program of its own by `test_third_language.py`, in a copy of the engine that has one
language more. A value in a sentence is no word of the language: values are taken out first.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping

from sim_engine import LANGUAGES, PROPERTY_NAMES, Scenario, Timeline, list_shipped, property_title
from sim_engine.actions import Ask, Note
from sim_engine.narration import formula_of, reason_text, sentence_of, step_label, texts_in
from sim_engine.narration.sentences import rule_text

LETTERS = re.compile("[A-Za-z]+")


def values(given: object) -> Iterator[str]:
    """Everything in the numbers of an event or the arguments of a step, as text."""
    if isinstance(given, Mapping):
        for key, value in given.items():
            yield str(key)
            yield from values(value)
    elif isinstance(given, list | tuple):
        for value in given:
            yield from values(value)
    else:
        yield str(given).lower() if isinstance(given, bool) else str(given)


def english(said: str | None, given: object) -> str | None:
    """A sentence that has English letters beside its values; null where it has none."""
    left = said or ""
    for value in sorted(set(values(given)), key=len, reverse=True):
        left = left.replace(value, "")
    return said if LETTERS.search(left) else None


def author_words(scenario: Scenario) -> Iterator[Mapping[str, str]]:
    yield scenario.title
    yield scenario.summary
    for step in scenario.steps:
        if isinstance(step.step, Note | Ask):
            yield step.step.text
        if isinstance(step.step, Ask):
            yield from step.step.answers


def everything(lang: str) -> Iterator[str | None]:
    for scenario in list_shipped():
        yield from (english(words[lang], {}) for words in author_words(scenario))
        timeline = Timeline(scenario)
        timeline.run_all()
        for frame in timeline.frames:
            if frame.action is not None:
                yield english(step_label(frame.action, lang, strict=True), frame.action)
            for event in frame.events:
                yield english(sentence_of(event, lang, strict=True), event.numbers())
                yield english(formula_of(event, lang, strict=True), event.numbers())
        for choice in timeline.choices(timeline.head):
            yield english(step_label(choice.step, lang, strict=True), choice.step)
            if choice.reason_code is not None:
                numbers = choice.reason_numbers
                yield english(reason_text(choice.reason_code, numbers, lang), numbers)
    for name in PROPERTY_NAMES:
        yield english(property_title(name, lang, violated=True), {})
        yield english(property_title(name, lang, violated=False), {})
    for rule in texts_in(lang).plain["rules"]:
        yield english(rule_text(rule, lang), {})


if __name__ == "__main__":
    said = list(everything(sys.argv[1]))
    left = sorted({sentence for sentence in said if sentence is not None})
    json.dump({"languages": LANGUAGES, "said": len(said), "english": left}, sys.stdout)

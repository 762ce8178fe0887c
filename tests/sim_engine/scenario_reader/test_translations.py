"""The translations of a lesson, which are in the languages' folders."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from sim_engine import languages
from sim_engine.languages.fluent import LanguageFileError, read_messages
from sim_engine.scenario_reader import reader
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import (
    list_shipped,
    load_shipped,
    read_scenario_document,
    read_scenario_file,
    read_scenario_text,
    shipped_text,
)
from sim_engine.scenario_reader.source import read_source
from sim_engine.scenario_reader.translations import (
    english_texts,
    lesson_places,
    translated,
    translated_text,
)
from tests.sim_engine.scenario_reader.documents import in_every_language
from tests.tables import for_each

LESSON = """# A lesson.
id: short
kafka: "3.9"
title: {en: "Short"}
summary:
  en: "Two words."   # of two
brokers: [1]
topics: [{name: t, partitions: [{replicas: [1]}]}]
steps:
  - note: One.
  - settle: {}
  - ask:
      en: "Two?"
      answers: [{en: "yes"}, "no"]
      correct: 0
      reasons: [{en: "It is."}, {en: "It is not."}]
  - note: {en: "Three.", kafka: ">=3.9"}
"""
SAID = """title = 短
summary = 两个词。
remember = 记住。
note-1 = 一{ "{" }1{ "}" }。
note-2 = 三。
ask-1 = 二？
    .answer-2 = 否
    .reason-1 = 是的。
"""
DOCUMENT = read_source(LESSON).document
PLACES = lesson_places(DOCUMENT)
TWO_ROUNDS = Path(reader.__file__).parents[1] / "lessons" / "basics" / "two-rounds.yaml"

Say: TypeAlias = Callable[[str], None]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Say:
    """Provides a Chinese translation of the lesson, as a file in the folder would."""

    def said(source: str) -> None:
        def found(lang, file):
            assert file == "lessons/short"
            return read_messages(source, "short.ftl") if lang == "zh" else {}

        monkeypatch.setattr(languages, "find_messages", found)

    return said


def test_the_texts_of_a_lesson_are_named_by_what_they_are():
    assert english_texts(DOCUMENT, PLACES) == {
        "title": "Short",
        "summary": "Two words.",
        "note-1": "One.",
        "ask-1": "Two?",
        "ask-1.answer-1": "yes",
        "ask-1.answer-2": "no",
        "ask-1.reason-1": "It is.",
        "ask-1.reason-2": "It is not.",
        "note-2": "Three.",
    }


def test_a_folder_says_a_title_a_note_a_question_its_answers_and_their_reasons(say):
    say(SAID)

    scenario = read_scenario_document(translated(DOCUMENT, PLACES, "lessons/short"))

    assert scenario.title == in_every_language("Short", "短")
    assert scenario.summary["zh"] == "两个词。"
    assert scenario.steps[0].step.arguments() == in_every_language("One.", "一{1}。")
    asked = scenario.steps[2].step.arguments()
    assert (asked["en"], asked["zh"], asked["correct"]) == ("Two?", "二？", 0)
    assert asked["answers"] == [in_every_language("yes", "yes"), in_every_language("no", "否")]
    assert asked["reasons"] == [
        in_every_language("It is.", "是的。"),
        in_every_language("It is not.", "It is not."),
    ]
    assert scenario.steps[3].step.arguments()["kafka"] == [">=3.9"]
    assert scenario.steps[3].step.arguments()["zh"] == "三。"


def test_the_text_of_the_file_has_them_where_its_author_has_the_english(say):
    say(SAID)

    text = translated_text(LESSON, DOCUMENT, PLACES, "lessons/short")

    assert text.splitlines() == [
        "# A lesson.",
        "id: short",
        'kafka: "3.9"',
        'title: {en: "Short", zh: "短"}',
        "summary:",
        '  en: "Two words."',
        '  zh: "两个词。"   # of two',
        "brokers: [1]",
        "topics: [{name: t, partitions: [{replicas: [1]}]}]",
        "steps:",
        '  - note: {en: "One.", zh: "一{1}。"}',
        "  - settle: {}",
        "  - ask:",
        '      en: "Two?"',
        '      zh: "二？"',
        '      answers: [{en: "yes"}, {en: "no", zh: "否"}]',
        "      correct: 0",
        '      reasons: [{en: "It is.", zh: "是的。"}, {en: "It is not."}]',
        '  - note: {en: "Three.", zh: "三。", kafka: ">=3.9"}',
    ]


@for_each("scenario", list_shipped, lambda scenario: scenario.id)
def test_the_file_that_is_handed_out_reads_as_the_lesson_in_every_language(scenario):
    read = read_scenario_text(shipped_text(scenario))

    assert read.title == scenario.title
    assert (read.summary, read.steps) == (scenario.summary, scenario.steps)


def test_a_lesson_read_by_its_path_has_its_translations_and_a_copy_elsewhere_has_not(
    tmp_path: Path,
):
    lesson = TWO_ROUNDS
    copy = tmp_path / "two-rounds.yaml"
    copy.write_bytes(lesson.read_bytes())
    linked = tmp_path / "linked"
    linked.symlink_to(lesson.parent)

    assert read_scenario_file(lesson).title == load_shipped("two-rounds").title
    assert read_scenario_file(linked / lesson.name).title == load_shipped("two-rounds").title
    assert read_scenario_file(copy).title["zh"] == load_shipped("two-rounds").title["en"]


@pytest.mark.parametrize("name", ["note-3", "ask-2", "titel"])
def test_a_message_about_something_that_is_not_there_is_an_error(say, name):
    say(f"{name} = x\n")

    with pytest.raises(LanguageFileError, match=f"zh/lessons/short.ftl: there is no text '{name}'"):
        translated(DOCUMENT, PLACES, "lessons/short")


@pytest.mark.parametrize("attribute", ["answer-3", "reason-0", "anser-1"])
def test_so_is_an_attribute(say, attribute):
    say(f"ask-1 = x\n    .{attribute} = y\n")

    with pytest.raises(LanguageFileError, match=f"there is no text 'ask-1.{attribute}'"):
        translated(DOCUMENT, PLACES, "lessons/short")


@pytest.mark.parametrize("steps", ["3", "[3, {ask: 3}, {ask: {answers: 3}}, {note: [3]}]"])
def test_a_file_that_is_wrong_is_left_to_its_reader(say, steps):
    say("title = 短\n")
    document = read_source(f"{{title: a, steps: {steps}}}").document

    found = translated(document, lesson_places(document), "lessons/short")

    assert isinstance(found, dict)
    assert found["title"] == {"en": "a", "zh": "短"}


def test_a_lesson_with_a_translation_of_nothing_is_one_problem_that_names_the_file(monkeypatch):
    def found(lang, _file):
        return read_messages("note-99 = x\n", "x.ftl") if lang == "zh" else {}

    monkeypatch.setattr(languages, "find_messages", found)

    with pytest.raises(ScenarioError, match=r"zh/lessons/two-rounds\.ftl: .* no text 'note-99'"):
        read_scenario_file(TWO_ROUNDS)

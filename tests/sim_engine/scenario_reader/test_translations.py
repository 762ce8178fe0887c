"""A shipped scenario's words in a language that its file does not have."""

import pytest

from sim_engine.languages import LanguageFileError, read_messages
from sim_engine.scenario_reader import translations
from sim_engine.scenario_reader.reader import read_scenario_text
from tests.sim_engine.scenario_reader.documents import in_every_language

SCENARIO = """
id: short
kafka: "3.9"
title: Short
summary: Two words.
brokers: [1]
topics: [{name: t, partitions: [{replicas: [1]}]}]
steps:
  - note: One.
  - settle: {}
  - ask: {en: "Two?", answers: ["yes", "no"], correct: 0, reasons: ["It is.", "It is not."]}
"""


@pytest.fixture
def say(monkeypatch):
    """Says of the scenario what a folder's file would, in Chinese, which is a language like any."""

    def said(source: str):
        def found(lang, file):
            assert file == "lessons/short"
            return read_messages(source, "short.ftl") if lang == "zh" else {}

        monkeypatch.setattr(translations, "find_messages", found)
        return translations.translated(read_scenario_text(SCENARIO))

    return said


def test_a_folder_says_a_title_a_note_a_question_its_answers_and_their_reasons(say):
    scenario = say(
        "title = 短\nsummary = 两个词。\nstep-0 = 一。\nstep-2 = 二？\nstep-2-answer-1 = 否\n"
        "step-2-reason-0 = 是的。\n"
    )

    assert scenario.title == in_every_language("Short", "短")
    assert scenario.summary["zh"] == "两个词。"
    assert scenario.steps[0].step.arguments() == in_every_language("One.", "一。")
    asked = scenario.steps[2].step.arguments()
    assert (asked["en"], asked["zh"], asked["correct"]) == ("Two?", "二？", 0)
    assert asked["answers"] == [in_every_language("yes", "yes"), in_every_language("no", "否")]
    assert asked["reasons"] == [
        in_every_language("It is.", "是的。"),
        in_every_language("It is not.", "It is not."),
    ]


def test_what_it_leaves_out_is_said_as_before(say):
    assert say("title = 短\n").summary == in_every_language("Two words.", "Two words.")


@pytest.mark.parametrize(
    "name", ["step-1", "step-3", "step-2-answer-2", "step-2-reason-2", "titel"]
)
def test_a_message_about_something_that_is_not_there_is_an_error(say, name):
    with pytest.raises(
        LanguageFileError, match=f"zh/lessons/short.ftl: the scenario has no {name}"
    ):
        say(f"{name} = x\n")

"""An author's words are told of the releases of which they are true."""

from typing import Any

import pytest

from sim_engine import (
    Scenario,
    ScenarioError,
    is_told_of,
    list_shipped,
    load_shipped,
    read_scenario_document,
    scenario_document,
    title_under,
)
from sim_engine.cli import main
from tests.sim_engine.scenarios.documents import document


@pytest.mark.parametrize(
    ("told", "kafka", "holds"),
    [
        ({}, "0.8.2", True),
        ({"since": "0.11"}, "0.10.2", False),
        ({"since": "0.11"}, "0.11", True),
        ({"since": "2.0.1"}, "2.0.0", False),
        ({"until": "0.10.2"}, "0.10.2.2", True),
        ({"until": "0.10.2"}, "0.11", False),
        ({"until": "2.0.0"}, "2.0.1", False),
        ({"until": "2.1"}, "2.1.1", True),
        ({"since": "2.8", "until": "3.4.0"}, "3.3", True),
        ({"since": "2.8", "until": "3.4.0"}, "3.4.1", False),
        ({"control": "kraft"}, "3.9", False),
        ({"control": "zookeeper"}, "3.9", True),
    ],
)
def test_words_are_told_from_one_release_to_another(
    told: dict[str, str], kafka: str, holds: bool
) -> None:
    assert is_told_of(told, kafka, "zookeeper") is holds


def words(step: dict[str, Any], **more: Any) -> dict[str, Any]:
    return document(steps=[step], **more)


NOTE: dict[str, Any] = {"note": {"en": "a", "zh": "b", "since": "0.11", "until": "2.7"}}
ASK: dict[str, Any] = {
    "ask": {"en": "a", "zh": "b", "answers": ["1", "2"], "correct": 0, "control": "kraft"}
}


@pytest.mark.parametrize("step", [NOTE, ASK])
def test_a_note_and_a_question_keep_of_what_they_are_told(step: dict[str, Any]) -> None:
    scenario = read_scenario_document(words(step, told={"until": "0.10.2"}))

    again = scenario_document(scenario)

    ((kind, given),) = step.items()
    assert {key: again["steps"][0][kind][key] for key in given if key != "answers"} == {
        key: value for key, value in given.items() if key != "answers"
    }
    assert again["told"] == {"until": "0.10.2"}
    assert read_scenario_document(again) == scenario


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"note": {"en": "a", "since": "0.7"}}, "/steps/0/note/since"),
        ({"note": {"en": "a", "until": 0.10}}, "/steps/0/note/until"),
        ({"note": {"en": "a", "control": "raft"}}, "/steps/0/note/control"),
        ({"note": {"en": "a", "kafka": ["3.9"]}}, "/steps/0/note/kafka"),
        ({"note": {"since": "0.11"}}, "/steps/0/note"),
    ],
)
def test_what_is_wrong_in_it_is_named(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        read_scenario_document(words(wrong))

    assert raised.value.problems[0].where == where


def test_a_title_of_another_release_says_of_which() -> None:
    loss = load_shipped("kip-101-data-loss")

    assert title_under(loss, "0.9", "zookeeper") == loss.title
    assert title_under(loss, "3.9", "kraft") == {
        "en": "An acknowledged record vanishes (told of Kafka 0.10.2)",
        "zh": "一条已确认的记录消失了（讲的是 Kafka 0.10.2）",
    }


def test_a_run_is_told_under_a_title_that_is_true_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "kip-101-data-loss", "--kafka", "3.9"])

    assert capsys.readouterr().out.startswith(
        "An acknowledged record vanishes (told of Kafka 0.10.2) (kip-101-data-loss)\n"
    )


def told_at(scenario: Scenario, words: str) -> dict[str, str]:
    """Of what the note or question is told that begins so."""
    for step in scenario.steps:
        if step.kind in ("note", "ask") and step.arguments["en"].startswith(words):
            return {
                key: step.arguments[key]
                for key in ("since", "until", "control")
                if key in step.arguments
            }
    raise AssertionError(f"nothing begins with: {words}")


@pytest.mark.parametrize(
    ("scenario", "begins", "told"),
    [
        ("kip-101-data-loss", "Nothing is lost yet", {"until": "0.10.2"}),
        ("follower-bounce-five-records", "Broker 1 is told to follow", {"until": "0.10.2"}),
        ("expansion-waits-for-the-joiner", "The controller has not answered", {"since": "2.7"}),
        ("message-lag", "replica.lag.max.messages is 40", {"until": "0.8.2"}),
        ("surviving-copy-destroyed", "A clean election", {"until": "4.0"}),
        ("eligible-replica-elected", "Nobody is left", {"since": "4.1"}),
        ("consumer-truncation", "The consumer asks for what comes next", {"until": "2.2"}),
    ],
)
def test_words_that_other_releases_refute_are_kept_to_theirs(
    scenario: str, begins: str, told: dict[str, str]
) -> None:
    assert told_at(load_shipped(scenario), begins) == told


def test_every_title_is_told_of_the_release_that_it_is_written_for() -> None:
    for scenario in list_shipped():
        control = scenario.control or "zookeeper"
        assert is_told_of(scenario.told, scenario.kafka, control), scenario.id

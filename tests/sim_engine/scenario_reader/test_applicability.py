"""An author's words are shown in runs of the releases to which they apply."""

from typing import Any

import pytest

from sim_engine.actions import Ask, Note
from sim_engine.command_line import main
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import list_shipped, load_shipped, read_scenario_document
from sim_engine.scenario_reader.version import applies, words_under
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.versions import resolve_profile
from tests.sim_engine.scenario_reader.documents import document


@pytest.mark.parametrize(
    ("condition", "kafka", "holds"),
    [
        ({}, "0.8.2", True),
        ({"kafka": [">=0.11"]}, "0.10.2", False),
        ({"kafka": [">=0.11"]}, "0.11", True),
        ({"kafka": [">=2.0.1"]}, "2.0.0", False),
        ({"kafka": ["<=0.10.2"]}, "0.10.2.2", True),
        ({"kafka": ["<=0.10.2"]}, "0.11", False),
        ({"kafka": ["<=2.0.0"]}, "2.0.1", False),
        ({"kafka": [">=2.8 <=3.4.0"]}, "3.3", True),
        ({"kafka": [">=2.8 <=3.4.0"]}, "3.4.1", False),
        ({"kafka": ["0.9", ">=2.8"]}, "0.9", True),
        ({"control": "kraft"}, "3.9", False),
        ({"control": "zookeeper"}, "3.9", True),
    ],
)
def test_words_apply_to_releases_and_to_a_controller(
    condition: dict[str, Any], kafka: str, holds: bool
) -> None:
    assert applies(condition, kafka, "zookeeper") is holds


def words(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return document(steps=list(steps), **more)


NOTE: dict[str, Any] = {"note": {"en": "a", "zh": "b", "kafka": [">=0.11 <=2.7"]}}
ASK: dict[str, Any] = {
    "ask": {"en": "a", "zh": "b", "answers": ["1", "2"], "correct": 0, "control": "kraft"}
}


@pytest.mark.parametrize("step", [NOTE, ASK])
def test_a_note_and_a_question_keep_their_condition(step: dict[str, Any]) -> None:
    scenario = read_scenario_document(words(step, applies_to={"kafka": "<=0.10.2"}))

    again = scenario_document(scenario)

    ((kind, given),) = step.items()
    assert {key: again["steps"][0][kind][key] for key in given if key != "answers"} == {
        key: value for key, value in given.items() if key != "answers"
    }
    assert again["applies_to"] == {"kafka": ["<=0.10.2"]}
    assert read_scenario_document(again) == scenario


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"note": {"en": "a", "kafka": "0.7"}}, "/steps/0/note/kafka"),
        ({"note": {"en": "a", "kafka": [">=0.99"]}}, "/steps/0/note/kafka/0"),
        ({"note": {"en": "a", "control": "raft"}}, "/steps/0/note/control"),
        ({"note": {"en": "a", "since": "3.9"}}, "/steps/0/note/since"),
        ({"note": {"kafka": "0.11"}}, "/steps/0/note"),
    ],
)
def test_what_is_wrong_in_a_condition_is_named(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        read_scenario_document(words(wrong))

    assert raised.value.problems[0].where == where


def test_a_run_is_given_the_words_that_apply_to_its_release() -> None:
    given = scenario_document(read_scenario_document(words(NOTE, ASK, applies_to={"kafka": "2.8"})))

    under = words_under(given, "2.7", "kraft")

    assert under["steps"] == [0, 1]
    assert under["summary"] is False
    assert under["title"]["en"].startswith(f"Kafka {given['kafka']}: ")
    assert words_under(given, "3.9", "zookeeper")["steps"] == []
    assert words_under(given, "2.8", "zookeeper")["title"] == given["title"]


def test_a_title_of_another_release_names_it() -> None:
    loss = load_shipped("kip-101-data-loss")

    assert words_under(scenario_document(loss), "0.9", "zookeeper")["title"] == loss.title
    title = words_under(scenario_document(loss), "3.9", "kraft")["title"]
    assert title["en"] == "Kafka 0.10.2: An acknowledged record is lost"
    assert title["zh"] == "Kafka 0.10.2：一条已确认的消息丢失了"


def test_the_command_line_shows_a_title_that_is_true_of_the_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["run", "kip-101-data-loss", "--kafka", "3.9"])

    assert capsys.readouterr().out.startswith(
        "Kafka 0.10.2: An acknowledged record is lost (kip-101-data-loss)\n"
    )


def condition_of(scenario: Scenario, words: str) -> dict[str, Any]:
    """The condition of the note or question that begins with this text."""
    for entry in scenario.steps:
        if isinstance(entry.step, Note | Ask) and entry.step.text["en"].startswith(words):
            said = entry.step.arguments()
            return {key: said[key] for key in ("kafka", "control") if key in said}
    raise AssertionError(f"nothing begins with: {words}")


@pytest.mark.parametrize(
    ("scenario", "begins", "releases"),
    [
        ("kip-101-data-loss", "A clean election", "<=0.10.2"),
        ("follower-bounce-five-records", "Broker 1 becomes a follower", "<=0.10.2"),
        ("expansion-waits-for-the-joiner", "The controller has not responded", ">=2.7"),
        ("message-lag", "replica.lag.max.messages is 40", "<=0.8.2"),
        ("surviving-copy-destroyed", "The election is clean", "<=4.0"),
        ("eligible-replica-elected", "No broker is alive", ">=4.1"),
        ("consumer-truncation", "The consumer fetches the next records", "<=2.2"),
    ],
)
def test_words_that_other_releases_refute_are_kept_to_theirs(
    scenario: str, begins: str, releases: str
) -> None:
    assert condition_of(load_shipped(scenario), begins) == {"kafka": [releases]}


def test_every_title_applies_to_the_release_that_it_is_written_for() -> None:
    for scenario in list_shipped():
        control = resolve_profile(scenario.kafka, control=scenario.control).control
        assert applies(scenario.applies_to, scenario.kafka, control), scenario.id

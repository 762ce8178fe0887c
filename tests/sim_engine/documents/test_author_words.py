"""An author's text is hidden if the run contradicts it."""

from sim_engine import load_shipped, read_scenario_document, unrefuted_words, words_under
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.to_document import scenario_document

NOTES = {"both": 4, "cut": 9, "ranged": 10}


def restart(kafka: str = "0.10.2") -> Scenario:
    """A follower restarts with a stale high watermark; before 0.11 it truncates to it."""
    return read_scenario_document(
        {
            "scenario": 1,
            "id": "restart",
            "title": "Mine",
            "summary": "",
            "kafka": kafka,
            "brokers": [1, 2],
            "topics": [{"name": "t", "partitions": [{"replicas": [2, 1]}]}],
            "steps": [
                {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
                {"fetch": {"broker": 1}},
                {"fetch": {"broker": 1, "drop": "response"}},
                {"timer": {"broker": 1, "kind": "high_watermark_checkpoint"}},
                {"note": "m1 is on both."},
                {"crash": {"broker": 1}},
                {"detect": {"broker": 1}},
                {"start": {"broker": 1}},
                {"expect": {"leader": 2}},
                {"note": "Broker 1 has cut m1."},
                {"note": {"en": "Any release.", "zh": "任何版本。", "kafka": ">=0.8.2"}},
            ],
        }
    )


def test_under_the_version_that_they_were_written_for_all_are_told():
    assert unrefuted_words(restart(), "0.10.2", "zookeeper")["steps"] == list(NOTES.values())


def test_under_another_version_those_are_told_up_to_which_the_run_is_the_same():
    assert unrefuted_words(restart(), "0.11", "zookeeper")["steps"] == [
        NOTES["both"],
        NOTES["ranged"],
    ]


def test_under_a_version_that_changes_nothing_all_are_told():
    assert unrefuted_words(restart(), "0.10.1", "zookeeper")["steps"] == list(NOTES.values())


def test_the_words_of_a_shipped_lesson_apply_to_the_releases_that_they_name():
    lesson = load_shipped("kip-101-data-loss")

    told = unrefuted_words(lesson, "0.11", "zookeeper")

    assert told == words_under(scenario_document(lesson), "0.11", "zookeeper")


def test_the_words_of_a_lesson_with_other_settings_are_told_until_it_goes_differently():
    lesson = load_shipped("kip-101-data-loss")
    written = words_under(scenario_document(lesson), lesson.kafka, "zookeeper")["steps"]

    def told(configs: dict[str, object], acks: str | int) -> list[int]:
        document = scenario_document(lesson)
        steps = [
            {"produce": {**step["produce"], "acks": acks}} if "produce" in step else step
            for step in document["steps"]
        ]
        changed = {**document, "configs": {**document["configs"], **configs}, "steps": steps}
        return unrefuted_words(read_scenario_document(changed), lesson.kafka, "zookeeper")["steps"]

    assert told({"min.insync.replicas": 2}, "all") == written
    # With acks=1 the first record is acknowledged at once.
    assert told({}, 1) == written[:1]


def test_a_lesson_that_was_rewritten_is_another_scenario():
    lesson = load_shipped("kip-101-data-loss")
    document = scenario_document(lesson)
    rewritten = {**document, "steps": [*document["steps"], {"note": "Mine."}]}

    told = unrefuted_words(read_scenario_document(rewritten), lesson.kafka, "zookeeper")["steps"]

    assert len(document["steps"]) in told

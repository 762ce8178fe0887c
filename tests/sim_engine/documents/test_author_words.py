"""An author's text is hidden if the run contradicts it."""

import pytest

from sim_engine.documents import author_words
from sim_engine.documents.author_words import unrefuted_words, without_words_changed
from sim_engine.documents.runs import story_to
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.scenario_reader.version import WordsShown, title_about, words_under
from sim_engine.scenario_reader.writer import scenario_document
from tests.sim_engine.runs import down, play

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
                *down(1),
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


def test_under_another_version_the_title_names_the_one_that_it_was_written_for():
    own = unrefuted_words(restart(), "0.10.2", "zookeeper")
    same = unrefuted_words(restart(), "0.10.1", "zookeeper")
    other = unrefuted_words(restart(), "0.11", "zookeeper")

    assert (own["title"]["en"], own["summary"]) == ("Mine", True)
    assert (same["title"]["en"], same["summary"]) == ("Mine", True)
    assert (other["title"]["en"], other["summary"]) == ("Kafka 0.10.2: Mine", False)


def test_under_the_other_controller_the_title_names_the_one_that_it_was_written_for():
    about = scenario_document(restart("3.3"))
    about["applies_to"] = {"kafka": ["3.3"], "control": "kraft"}

    assert words_under(about, "3.3", "zookeeper")["title"] == {
        "en": "With KRaft: Mine",
        "zh": "KRaft 模式：Mine",
    }
    assert words_under(about, "3.2", "zookeeper")["title"]["en"] == "Kafka 3.3: Mine"


def test_a_run_that_is_too_long_to_compare_has_no_words_of_another_version(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(author_words, "_MOST_FRAMES_COMPARED", 5)
    author_words._first_step_unlike.cache_clear()

    assert unrefuted_words(restart(), "0.10.1", "zookeeper")["steps"] == [NOTES["ranged"]]

    author_words._first_step_unlike.cache_clear()


def test_the_title_of_a_lesson_with_other_settings_states_that_they_differ():
    lesson = load_shipped("kip-101-data-loss")
    document = scenario_document(lesson)
    steps = [
        {"produce": {**step["produce"], "acks": 1}} if "produce" in step else step
        for step in document["steps"]
    ]
    changed = read_scenario_document({**document, "steps": steps})

    words = unrefuted_words(changed, lesson.kafka, "zookeeper")

    assert words["title"] == {
        "en": "“An acknowledged record is lost” with other settings",
        "zh": "“一条已确认的消息丢失了”：更改设置后",
    }


def test_a_title_is_marked_once_and_still_fits():
    title = {"en": "T" * 120, "zh": "题" * 120}

    once = title_about("otherSettings", title)
    twice = title_about("otherSettings", once)

    assert once == twice
    assert {len(words) for words in once.values()} == {120}
    assert once["en"].endswith("T…” with other settings")


def own_with(kafka: str, **produce: object) -> WordsShown:
    """The words of one's own scenario in a run whose producer has other settings."""
    scenario = restart()
    document = scenario_document(scenario)
    first, *others = document["steps"]
    document["steps"] = [{"produce": {**first["produce"], **produce}}, *others]
    changed = without_words_changed(scenario, document, "0.10.2", "zookeeper")
    return unrefuted_words(read_scenario_document(changed), kafka, "zookeeper")


def test_the_words_of_an_own_scenario_are_told_until_other_settings_make_a_difference():
    alike = own_with("0.10.2", timeout_ms=20_000)
    # With acks=1 the record is acknowledged at once.
    unlike = own_with("0.10.2", acks=1)

    assert (alike["title"], alike["steps"]) == ({"en": "Mine", "zh": "Mine"}, [*NOTES.values()])
    assert (unlike["summary"], unlike["steps"]) == (True, [])
    assert unlike["title"]["en"] == "“Mine” with other settings"


def test_words_with_releases_are_not_told_under_one_that_was_not_compared():
    assert own_with("0.11", timeout_ms=20_000)["steps"] == [NOTES["both"]]


def marked(kafka: str) -> list[str]:
    """The titles of the steps that have the mark of a note, without the last note."""
    document = scenario_document(restart())
    document["steps"].pop()
    timeline = play(read_scenario_document(document), kafka)
    return [step.title["en"] for step in story_to(timeline, timeline.head) if "note" in step.marks]


def test_the_marks_of_the_story_are_those_of_the_words_that_are_told():
    assert marked("0.10.2") == ["broker 1 saves its HW", "start broker 1"]
    assert marked("0.11") == ["broker 1 saves its HW"]


def test_a_branch_that_left_a_step_has_no_words_about_its_end():
    timeline = play(restart())
    started = timeline.played_steps[-1].frames
    end = timeline.act(started[0], {"crash": {"broker": 1}}).head

    def is_marked(head: FrameNumber) -> bool:
        return any(
            "note" in step.marks
            for step in story_to(timeline, head)
            if step.first_frame == started[0]
        )

    assert is_marked(started[-1])
    assert not is_marked(end)
    assert NOTES["cut"] in unrefuted_words(timeline.scenario, "0.10.2", "zookeeper")["steps"]


def test_a_lesson_without_some_of_its_words_is_still_the_lesson():
    lesson = load_shipped("kip-101-data-loss")
    document = scenario_document(lesson)
    told = unrefuted_words(lesson, "3.9", "kraft")
    taken_out = told["steps"][0]
    document["steps"][taken_out] = {"expect": {"holds": []}}

    words = unrefuted_words(read_scenario_document(document), "3.9", "kraft")

    assert words == {**told, "steps": told["steps"][1:]}

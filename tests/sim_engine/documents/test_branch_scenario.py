"""A branch of a run as a scenario that replays it."""

from typing import Any

from sim_engine.command_line.check import judge_run
from sim_engine.documents.author_words import branch_scenario, ending
from sim_engine.documents.frames import frame_document
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import ScenarioJson
from sim_engine.scenario_reader.reader import read_scenario_document, read_scenario_text
from sim_engine.scenario_reader.writer import scenario_text
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.documents.test_author_words import restart
from tests.sim_engine.runs import lesson, play


def act(timeline: Timeline, after: FrameNumber, step: JsonObject) -> FrameNumber:
    return timeline.act(after, step).frames[-1]


def played(document: ScenarioJson) -> Timeline:
    """The document through a file and back, run to its end."""
    text = scenario_text(read_scenario_document(document))
    return play(read_scenario_text(text))


def test_a_lesson_is_the_same_run_with_its_words():
    timeline = lesson("zombie-leader")

    made = branch_scenario(timeline, timeline.head)
    again = played(made.document)

    assert made.is_exact
    assert frame_document(again, again.head).state == frame_document(timeline, timeline.head).state
    kinds = [next(iter(step)) for step in made.document["steps"]]
    assert "note" in kinds
    assert "ask" in kinds
    assert "expect" not in kinds
    assert kinds[kinds.index("detect") + 1] == "note"


def test_what_a_person_did_follows_what_the_scenario_did():
    timeline = lesson("zombie-leader")
    after = timeline.played_steps[2].frames[-1]
    end = act(timeline, act(timeline, after, {"crash": {"broker": 3}}), {"settle": {}})

    made = branch_scenario(timeline, end)
    again = played(made.document)

    kinds = [next(iter(step)) for step in made.document["steps"]]
    assert kinds == ["produce", "settle", "isolate", "crash", "settle"]
    assert ending(frame_document(again, again.head)) == ending(frame_document(timeline, end))


def test_a_step_that_was_left_in_the_middle_is_written_as_its_actions():
    timeline = lesson("zombie-leader")
    settled = timeline.played_steps[1].frames
    end = act(timeline, settled[2], {"crash": {"broker": 2}})

    made = branch_scenario(timeline, end)
    again = played(made.document)

    assert made.is_exact
    kinds = [next(iter(step)) for step in made.document["steps"]]
    assert kinds == ["produce", "send_fetch", "send_fetch", "deliver", "crash"]
    assert ending(frame_document(again, again.head)) == ending(frame_document(timeline, end))


def test_a_file_that_cannot_end_like_the_branch_states_so():
    timeline = lesson("controlled-shutdown")
    stopped = next(done for done in timeline.played_steps if "shutdown" in done.step).frames
    end = act(timeline, stopped[0], {"crash": {"broker": 3}})

    made = branch_scenario(timeline, end)
    again = played(made.document)

    assert not made.is_exact
    assert ending(frame_document(again, again.head)) != ending(frame_document(timeline, end))


def test_another_release_keeps_what_it_refused_and_leaves_out_what_it_removed():
    timeline = lesson("message-lag", "3.9")

    made = branch_scenario(timeline, timeline.head)
    again = played(made.document)

    assert made.document["kafka"] == "3.9"
    assert "replica.lag.max.messages" not in made.document["configs"]
    assert frame_document(again, again.head).state.replicas == (
        frame_document(timeline, timeline.head).state.replicas
    )


def test_a_branch_of_ones_own_has_neither_the_title_nor_the_summary_of_the_lesson():
    timeline = lesson("zombie-leader")
    whole = branch_scenario(timeline, timeline.head).document
    end = act(timeline, timeline.played_steps[2].frames[-1], {"crash": {"broker": 3}})

    own = branch_scenario(timeline, end).document

    assert (whole["title"], whole["summary"]) == (
        timeline.scenario.title,
        timeline.scenario.summary,
    )
    assert own["title"]["en"] == f"Branch of “{timeline.scenario.title['en']}”"
    assert own["summary"] == {"en": "", "zh": ""}


def test_a_lesson_that_was_continued_after_its_end_is_called_so():
    timeline = lesson("zombie-leader")
    end = act(timeline, timeline.head, {"crash": {"broker": 3}})
    later = act(timeline, end, {"advance": {"ms": 1}})

    titles = [branch_scenario(timeline, frame).document["title"] for frame in (end, later)]

    given = timeline.scenario.title
    assert titles == [{"en": f"“{given['en']}”, continued", "zh": f"“{given['zh']}”：后续"}] * 2


def test_words_that_another_release_contradicts_are_not_in_its_file():
    own = restart()
    timeline = play(own, "0.11")

    made = branch_scenario(timeline, timeline.head).document

    notes = [step["note"]["en"] for step in made["steps"] if "note" in step]
    assert notes == ["m1 is on both.", "Any release."]
    assert (made["title"]["en"], made["summary"]["en"]) == ("Kafka 0.10.2: Mine", "")


def test_a_refused_step_is_marked_as_refused():
    timeline = lesson("zombie-leader")
    document = branch_scenario(timeline, timeline.head).document
    document["steps"].append({"start": {"broker": 2}})
    refusing = play(read_scenario_document(document))

    made = branch_scenario(refusing, refusing.head)

    assert made.document["steps"][-1] == {"start": {"broker": 2, "refused": True}}


def test_the_ending_has_the_leader_the_lost_records_and_the_violated_properties():
    timeline = lesson("kip-101-data-loss")

    *_, last = ending(frame_document(timeline, timeline.head))
    expected = ending(frame_document(timeline, timeline.head))[0]["expect"]

    assert last == {"expect": {"violated": ["NoAckedRecordLost"], "lost": ["m2"]}}
    assert expected["partition"] == "t-0"
    assert expected["leader"] == 1
    assert expected["replicas"] == {"1": {"leo": 1, "hw": 1}, "2": {"leo": 1, "hw": 1}}


# Broker 1 is down with the only copy of m1 when m2 is committed at its offset: m1 is lost for ever.
REPLACED: dict[str, Any] = {
    "scenario": 1,
    "id": "replaced",
    "title": "Replaced",
    "kafka": "2.1",
    "brokers": [1, 2],
    "configs": {"unclean.leader.election.enable": True},
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2], "isr": [1]}]}],
    "steps": [
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        {"crash": {"broker": 1}},
        {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
        {"expect": {"lost": [], "violated": ["AckedRecordAtRisk"]}},
        {"produce": {"to": "t-0", "values": ["m2"], "broker": 2, "as": "p2"}},
        {"expect": {"lost": ["m1"], "violated": ["NoAckedRecordLost"]}},
    ],
}


def test_a_record_counts_as_lost_when_its_fate_is_although_a_copy_is_left():
    scenario = read_scenario_document(REPLACED)
    timeline = play(scenario)
    frame = frame_document(timeline, timeline.head)
    (m1, _) = frame.state.clients.produced

    assert (m1.fate, m1.lost_frame, m1.copies) == ("lost", None, (1,))
    assert judge_run(timeline, "2.1").differences == ()
    assert ending(frame)[-1] == {"expect": {"violated": ["NoAckedRecordLost"], "lost": ["m1"]}}

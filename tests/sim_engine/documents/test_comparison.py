"""Two compared scenarios: which steps they share, and where the runs diverge."""

from functools import partial
from typing import Any

import msgspec

from sim_engine.documents.comparison import comparison_document
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.runs import Run, run

PRODUCE = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}
FETCH = {"fetch": {"broker": 2}}
CRASH = {"crash": {"broker": 2}}
DETECT = {"detect": {"broker": 2}}
NOTE = {"note": "Words make no step."}


played = partial(run, replicas=[1, 2])


def compared(a: Timeline, b: Timeline) -> dict[str, Any]:
    """The comparison as JSON."""
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(comparison_document(a, b)))
    return document


def items_of(found: dict[str, Any]) -> list[tuple[int | None, int | None]]:
    return [(step["item"], step["item_b"]) for step in found["steps"]]


def test_equal_steps_are_paired_wherever_they_are():
    found = compared(
        played(PRODUCE, FETCH, FETCH, CRASH), played(PRODUCE, NOTE, FETCH, FETCH, CRASH)
    )

    assert items_of(found) == [(0, 0), (1, 2), (2, 3), (3, 4)]
    assert found["where"] is None
    assert found["parting"] is None


def test_what_only_one_side_does_is_compared_where_it_has_ended():
    here, there = played(PRODUCE, FETCH, CRASH), played(PRODUCE, FETCH, FETCH, FETCH, CRASH)

    found = compared(here, there)

    assert items_of(found) == [(0, 0), (1, 1), (None, 3), (2, 4)]
    assert found["parting"] == {
        "item": None,
        "item_b": 3,
        "steps_a": [],
        "steps_b": [FETCH, FETCH],
        "frame_a": found["steps"][1]["frame_a"],
        "frame_b": found["steps"][2]["frame_b"],
    }
    assert found["item_b"] == 3
    assert (found["where"], found["a"], found["b"]) == ("/replicas/t-0/1/high_watermark", 0, 1)


def test_a_stretch_that_both_do_otherwise_is_one_and_what_follows_is_paired_again():
    here = played(PRODUCE, FETCH, CRASH, DETECT)
    there = played(PRODUCE, {"advance": {"ms": 5}}, FETCH, FETCH, FETCH, CRASH, DETECT)

    found = compared(here, there)

    assert items_of(found) == [(0, 0), (None, 1), (1, 2), (None, 4), (2, 5), (3, 6)]
    assert found["parting"]["steps_b"] == [{"advance": {"ms": 5}}]
    assert [step["differs"] for step in found["steps"]][:3] == [False] * 3


def test_steps_in_another_order_are_not_taken_for_the_same():
    here, there = played(PRODUCE, FETCH, CRASH), played(PRODUCE, CRASH, DETECT)

    found = compared(here, there)

    assert items_of(found) == [(0, 0), (1, None), (2, 1), (None, 2)]
    assert found["parting"]["steps_a"] == [FETCH]


def test_two_starts_are_compared_before_any_step():
    found = compared(
        played(PRODUCE),
        played(PRODUCE, topics=[{"name": "t", "partitions": [{"replicas": [2, 1]}]}]),
    )

    assert found["start"] == ["topics"]
    assert (found["frame_a"], found["frame_b"]) == (0, 0)
    assert (found["where"], found["a"], found["b"]) == (
        "/replicas/t-0/1/role",
        "leader",
        "follower",
    )
    assert items_of(found) == [(None, None), (0, 0)]


def test_a_deposition_that_is_missed_parts_from_the_one_that_is_noticed_where_it_is_read():
    missed, noticed = (Timeline(load_shipped(name)) for name in ("s54", "s54b"))
    missed.run_all()
    noticed.run_all()

    found = compared(missed, noticed)

    records = [
        [step["deliver"]["records"] for step in found["parting"][side]]
        for side in ("steps_a", "steps_b")
    ]
    assert records == [[3], [1, 2]]
    assert found["where"] == "/clients/produced/1/outcome"
    assert (found["a"], found["b"]) == ("pending", "failed")
    assert (found["frame_a"], found["frame_b"]) == (
        found["parting"]["frame_a"],
        found["parting"]["frame_b"],
    )
    assert found["property"]["violated_in"] == "a"
    assert found["start"] == []
    # Only the delivery differs: every later step is paired with an equal one.
    assert [(item, item_b) for item, item_b in items_of(found) if None in (item, item_b)] == []


def test_too_many_steps_to_weigh_are_one_stretch(monkeypatch):
    monkeypatch.setattr("sim_engine.documents.comparison._MOST_WEIGHED", 1)

    found = compared(played(PRODUCE, FETCH, CRASH), played(PRODUCE, CRASH, DETECT))

    assert items_of(found) == [(0, 0), (2, 2)]


ALONE = [{"name": "t", "partitions": [{"replicas": [1]}]}]
LOSS = ({"crash": {"broker": 1}}, {"disk_loss": {"broker": 1}})


def played_alone(*steps: Any) -> Run:
    """A run with one replica, which holds the only copy of m1."""
    return played(*steps, topics=ALONE)


def test_the_loss_on_one_side_is_named_although_another_property_fell_first():
    lost, kept = (
        Timeline(load_shipped("unnoticed-bounce"), kafka=kafka) for kafka in ("0.10.2", "0.11")
    )
    lost.run_all()
    kept.run_all()

    found, turned = compared(lost, kept), compared(kept, lost)

    assert found["property"]["name"] == "WeakIsr"
    assert (found["loss"]["name"], found["loss"]["violated_in"]) == ("NoAckedRecordLost", "a")
    assert found["loss"]["first_frame"] == lost.head
    assert found["loss"]["frame_a"] > found["property"]["frame_a"]
    assert turned["loss"]["violated_in"] == "b"
    assert turned["loss"]["first_frame"] == lost.head


def test_a_loss_that_fell_first_is_both_the_property_and_the_loss():
    found = compared(played_alone(PRODUCE, *LOSS), played_alone(PRODUCE))

    assert found["loss"]["violated_in"] == "a"
    assert found["loss"] == found["property"]


def test_a_loss_on_both_sides_is_none_of_one_side_however_much_later():
    other_steps = (CRASH, DETECT, {"start": {"broker": 2}})
    sooner = played_alone(PRODUCE, *LOSS, *other_steps)
    later = played_alone(PRODUCE, *other_steps, *LOSS)

    found = compared(sooner, later)

    assert found["property"] is None
    assert found["loss"] is None


def test_a_later_loss_counts_only_on_the_compared_branch():
    timeline = played_alone(PRODUCE, *LOSS)
    before = timeline.frame.parent
    assert before is not None

    both = comparison_document(timeline, timeline)
    one = comparison_document(timeline, timeline, at_b=before)

    assert both.loss is None
    assert one.loss is not None
    assert one.loss.violated_in == "a"


def test_a_loss_on_neither_side_is_none():
    found = compared(played(PRODUCE, FETCH, CRASH), played(PRODUCE, FETCH, FETCH))

    assert found["where"] is not None
    assert found["loss"] is None


def test_acks_1_is_no_better_if_its_record_is_lost_too():
    weak = {"produce": {**PRODUCE["produce"], "acks": 1}}

    found = compared(played_alone(PRODUCE, *LOSS), played_alone(weak, *LOSS))

    assert found["property"] is None
    assert found["loss"] is None

"""ConsistentRead: a consumer sees one history, without gaps."""

from msgspec.structs import replace

from tests.sim_engine.builders import (
    B1,
    B2,
    PARTITION,
    change_replica,
    cluster,
    crash,
    elect,
    lead,
    log,
    read_by,
    stand_at,
    with_second_partition,
)
from tests.sim_engine.invariants.runs import NOTHING, evidence_of, status_of, verdict_of

NAME = "ConsistentRead"


def test_is_not_exercised_before_the_first_read():
    start = cluster({1: "m1/0"}, high_watermarks={1: 1})

    assert status_of(NAME, start) == "not_exercised"


def test_holds_while_a_consumer_reads_on():
    start = cluster({1: "m1/0 m2/0 m3/0"}, high_watermarks={1: 3})
    leader = start.replica(B1, PARTITION)
    first = read_by(start, "c1", leader, 0, 1, frame=1)

    assert status_of(NAME, start, first, read_by(first, "c1", leader, 2, frame=2)) == "holds"


def test_two_consumers_may_read_different_histories():
    start = cluster({1: "m1/0", 2: "x/1"}, high_watermarks={1: 1, 2: 1})
    one = read_by(start, "c1", start.replica(B1, PARTITION), 0, frame=1)

    assert (
        status_of(NAME, start, one, read_by(one, "c2", one.replica(B2, PARTITION), 0, frame=2))
        == "holds"
    )


def test_is_violated_by_another_record_at_an_offset_that_was_read():
    start = cluster({1: "m1/0 m2/0", 2: "m1/0 x/1"}, high_watermarks={1: 2, 2: 2})
    first = read_by(start, "c1", start.replica(B1, PARTITION), 0, 1, frame=1)
    moved = elect(lead(crash(first, 1), 2, 1, isr=[2]), 2, 1, isr=[2])
    reset = stand_at(moved, "c1", moved.replica(B2, PARTITION), 1)
    again = read_by(reset, "c1", reset.replica(B2, PARTITION), 1, frame=4)

    evidence = evidence_of(NAME, start, first, moved, reset, again)

    assert evidence == {
        **NOTHING,
        "replicas": [2],
        "offsets": [1],
        "records": [
            {"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"},
            {"offset": 1, "epoch": 1, "value": "x", "id": "x/1@1"},
        ],
        "how": "reread",
        "consumer": "c1",
        "frames": [1, 4],
    }


def test_is_violated_by_a_read_beyond_the_position():
    start = cluster({1: "m1/0 m2/0 m3/0"}, high_watermarks={1: 3})
    leader = start.replica(B1, PARTITION)
    first = read_by(start, "c1", leader, 0, frame=1)

    verdict = verdict_of(NAME, start, first, read_by(first, "c1", leader, 2, frame=2))

    assert (verdict.status, verdict.evidence["how"]) == ("violated", "gap")
    assert verdict.evidence["offsets"] == [1]


def test_is_violated_by_a_hole_within_one_read():
    start = cluster({1: "m1/0 m2/0 m3/0"}, high_watermarks={1: 3})

    verdict = verdict_of(
        NAME, start, read_by(start, "c1", start.replica(B1, PARTITION), 0, 2, frame=1)
    )

    assert (verdict.evidence["how"], verdict.evidence["offsets"]) == ("gap", [1])


def test_a_reset_after_an_out_of_range_answer_is_not_silent():
    start = cluster({1: "m1/0 m2/0 m3/0"}, high_watermarks={1: 3})
    leader = start.replica(B1, PARTITION)
    first = read_by(start, "c1", leader, 0, frame=1)
    reset = stand_at(first, "c1", leader, 2)

    assert status_of(NAME, start, first, reset, read_by(reset, "c1", leader, 2, frame=3)) == "holds"


def test_is_violated_when_what_was_read_is_replaced_and_the_consumer_reads_on():
    # The new leader has grown past the consumer's position before it asks again.
    start = cluster({1: "m1/0 m2/0 m3/0", 2: "m1/0 x/1 y/1 z/1"}, high_watermarks={1: 3, 2: 4})
    first = read_by(start, "c1", start.replica(B1, PARTITION), 0, 1, 2, frame=1)
    moved = elect(lead(crash(first, 1), 2, 1, isr=[2]), 2, 1, isr=[2])
    on = read_by(moved, "c1", moved.replica(B2, PARTITION), 3, frame=3)

    evidence = evidence_of(NAME, start, first, moved, on)

    assert (evidence["how"], evidence["offsets"]) == ("replaced", [1, 2])
    assert evidence["records"] == [
        {"offset": 2, "epoch": 0, "value": "m3", "id": "m3/0@2"},
        {"offset": 3, "epoch": 1, "value": "z", "id": "z/1@3"},
        {"offset": 1, "epoch": 1, "value": "x", "id": "x/1@1"},
        {"offset": 2, "epoch": 1, "value": "y", "id": "y/1@2"},
    ]


def test_a_record_that_no_log_holds_any_more_is_shown_as_it_was_read():
    start = cluster({1: "m1/0"}, high_watermarks={1: 1})
    first = read_by(start, "c1", start.replica(B1, PARTITION), 0, frame=1)
    rewritten = change_replica(stand_at(first, "c1", first.replica(B1, PARTITION), 0), 1, log="x/1")
    again = read_by(rewritten, "c1", rewritten.replica(B1, PARTITION), 0, frame=3)

    verdict = verdict_of(NAME, start, first, rewritten, again)

    assert verdict.evidence["records"] == [
        {"offset": 0, "epoch": None, "value": "m1", "id": "m1/0@0"},
        {"offset": 0, "epoch": 1, "value": "x", "id": "x/1@0"},
    ]


def test_the_same_offset_of_another_partition_is_another_place():
    start = with_second_partition(cluster({1: "m1/0"}, high_watermarks={1: 1}))
    first = read_by(start, "c1", start.broker(B1).replicas[0], 0, frame=1)
    other = replace(start.broker(B1).replicas[1], log=log("x/1"))

    assert status_of(NAME, start, first, read_by(first, "c1", other, 0, frame=2)) == "holds"

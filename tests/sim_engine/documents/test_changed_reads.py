"""`changed` of a record that a consumer read: the different record that the leader has there."""

from sim_engine.cluster.state import ClusterState
from sim_engine.documents.runs import story_to
from sim_engine.documents.state import state_document
from sim_engine.events.clients import ReadReplaced
from sim_engine.identifiers import NO_LEADER
from tests.sim_engine.builders import B1, PARTITION, cluster, elect, lead, log, read_by
from tests.sim_engine.builders import change_replica as changed_replica
from tests.sim_engine.runs import lesson

READ = read_by(
    start := cluster({1: "m1/0 m2/0", 2: "m1/0 x/1"}, high_watermarks={1: 2, 2: 2}),
    "c1",
    start.replica(B1, PARTITION),
    0,
    1,
    frame=1,
)


def changed_in(state: ClusterState) -> list[object]:
    return [read.changed for read in state_document(state).clients.consumed]


def test_is_null_while_the_leader_has_what_was_read():
    assert changed_in(READ) == [None, None]


def test_is_the_value_of_the_record_that_a_new_leader_has_there():
    assert changed_in(elect(lead(READ, 2, 1, isr=[2]), 2, 1, isr=[2])) == [None, "x"]


def test_is_null_where_the_leader_has_no_record_and_without_a_leader():
    shorter = changed_replica(READ, 2, log=log("m1/0"))

    assert changed_in(elect(lead(shorter, 2, 1, isr=[2]), 2, 1, isr=[2])) == [None, None]
    assert changed_in(elect(READ, NO_LEADER, 1, isr=[2])) == [None, None]


def test_is_the_same_value_if_another_record_has_it():
    again = changed_replica(READ, 2, log=log("m1/0 m2/1"))

    assert changed_in(elect(lead(again, 2, 1, isr=[2]), 2, 1, isr=[2])) == [None, "m2"]


def test_is_told_when_the_leader_gets_the_other_record_and_marks_the_step():
    timeline = lesson("unclean-election")

    (replaced,) = (
        (frame, happened)
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, ReadReplaced)
    )
    frame, happened = replaced

    assert (happened.values, happened.instead) == (("second",), ("third",))
    assert "surprise" in story_to(timeline, timeline.head)[frame.place.step].marks

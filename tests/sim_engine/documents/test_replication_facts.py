"""The state of replication in frames: copies, lag, and out-of-sync replicas."""

from functools import partial

from sim_engine.documents.frames import frame_document
from sim_engine.documents.state import StateDocument, state_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.builders import PARTITION
from tests.sim_engine.runs import down, lesson, run
from tests.tables import for_each

ran = partial(run, kafka="2.1", brokers=(1, 2))
"""A partition that broker 1 leads and broker 2 follows, after these steps."""


def states(timeline: Timeline) -> list[StateDocument]:
    return [state_document(frame.cluster) for frame in timeline.frames]


PRODUCE = {"produce": {"to": PARTITION, "values": ["m1"], "acks": "all"}}
FETCH = {"fetch": {"broker": 2}}


def lags(timeline: Timeline) -> list[object]:
    return [
        state.replicas[PARTITION]["1"].followers["2"].behind_ms
        for state in states(timeline)
        if "2" in state.replicas[PARTITION]["1"].followers
    ]


def test_an_acknowledged_record_names_the_brokers_that_have_it_up_or_down():
    timeline = lesson("kip-101-data-loss", kafka="0.10.2")

    copies = [
        record.copies
        for state in states(timeline)
        for record in state.clients.produced
        if record.value == "m2"
    ]

    assert copies[0] == (2,)
    assert (1, 2) in copies
    assert copies[-1] == ()


def test_lost_copies_are_a_change_and_new_copies_are_not():
    timeline = lesson("kip-101-data-loss", kafka="0.10.2")

    changes = [
        (change.subject, change.before, change.after)
        for frame in timeline.frames
        for change in frame_document(timeline, frame.frame).changes
        if change.what == "copies"
    ]

    assert changes == [("m2", 2, 1), ("m2", 1, 0)]


def test_a_follower_lags_from_when_it_last_had_everything_until_it_has_again():
    timeline = ran(FETCH, PRODUCE, {"advance": {"ms": 2_000}}, FETCH, FETCH)

    told = lags(timeline)

    assert 2_000 in told
    assert told[-1] == 0


def test_before_time_alone_counted_a_follower_that_fetches_does_not_lag():
    behind = ran(FETCH, PRODUCE, {"advance": {"ms": 2_000}}, kafka="0.8.2")

    assert lags(behind)[-1] == 2_000
    assert lags(ran(FETCH, PRODUCE, {"advance": {"ms": 2_000}}, FETCH, kafka="0.8.2"))[-1] == 0


def test_the_replicas_outside_the_isr_are_out_of_sync():
    timeline = ran(*down(2))

    assert [state.partitions[PARTITION].osr for state in states(timeline)][-1] == (2,)
    assert state_document(timeline.frames[0].cluster).partitions[PARTITION].osr == ()


def test_an_isr_change_stands_with_its_leader_then_in_zookeeper_and_is_gone_when_it_is_read():
    timeline = ran(
        *down(2),
        {"start": {"broker": 2}},
        FETCH,
        {"advance": {"ms": 30_000}},
        {"deliver": {"kind": "isr_change_notification", "from": 1, "to": "controller"}},
    )

    noted = [state.brokers["1"].isr_changes for state in states(timeline)]
    written = [
        znode.value
        for state in states(timeline)
        for znode in state.controller.znodes or ()
        if znode.path == "/isr_change_notification"
    ]

    assert (PARTITION,) in noted
    assert noted[-1] == ()
    assert any(isinstance(value, dict) and (PARTITION,) in value.values() for value in written)
    assert written[-1] == {}


def test_zookeeper_names_no_broker_as_the_controller_because_it_is_simulated_apart():
    (first,) = states(ran(kafka="1.1"))
    (kraft,) = states(ran(kafka="4.0"))

    znodes = {znode.path: znode.value for znode in first.controller.znodes or ()}
    assert znodes["/controller"] == {"version": 1, "brokerid": None}
    assert kraft.controller.znodes is None


def test_where_leaders_announce_no_changes_there_is_no_such_path():
    (first,) = states(ran(kafka="3.9"))

    assert first.brokers["1"].isr_changes is None


@for_each("kafka", ["2.3", "2.4"])
def test_zookeeper_has_the_assignment_the_overridden_settings_and_the_reassignment(kafka):
    timeline = ran(
        {"config": {"topic": "t", "unclean.leader.election.enable": True}},
        {"reassign": {"partition": PARTITION, "replicas": [1, 3]}},
        brokers=(1, 2, 3),
        replicas=(1, 2),
        kafka=kafka,
    )

    before, after = (
        {znode.path: znode.value for znode in state.controller.znodes or ()}
        for state in (states(timeline)[0], states(timeline)[-1])
    )
    moving = {"adding_replicas": {"0": (3,)}, "removing_replicas": {"0": (2,)}}
    empty: dict[str, object] = {"adding_replicas": {}, "removing_replicas": {}}
    is_old = kafka == "2.3"
    assert before["/brokers/topics/t"] == {"partitions": {"0": (1, 2)}, **({} if is_old else empty)}
    topic = after["/brokers/topics/t"]
    assert isinstance(topic, dict)
    assert {name: topic[name] for name in topic if name != "partitions"} == (
        {} if is_old else moving
    )
    assert before["/config/topics/t"] == {"config": {}}
    assert after["/config/topics/t"] == {"config": {"unclean.leader.election.enable": "true"}}
    asked = {"partitions": {PARTITION: (1, 3)}}
    assert after.get("/admin/reassign_partitions") == (asked if is_old else None)
    assert "/admin/reassign_partitions" not in before

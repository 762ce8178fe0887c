"""A partition is reassigned to other brokers, by either controller, step by step."""

import pytest

from sim_engine.documents.state import state_document
from sim_engine.events.fetch import FetchRejected
from sim_engine.events.log import ReplicaDeleted
from sim_engine.identifiers import FIRST_EPOCH, ErrorCode
from sim_engine.protocol.controller.kraft import controller as kraft
from sim_engine.protocol.messages import AlterPartitionRequest
from tests.sim_engine.builders import B1, B2, B3, PARTITION
from tests.sim_engine.runs import SETTLE, Run, Step, down, run


def moved(*steps: Step, kafka: str, replicas: list[int] | None = None) -> Run:
    """A run of brokers 1 to 4 whose partition t-0 begins on 1 and 2, with two records."""
    produce = {"produce": {"to": "t-0", "values": ["m1", "m2"]}}
    return run(
        produce, SETTLE, *steps, kafka=kafka, brokers=(1, 2, 3, 4), replicas=replicas or [1, 2]
    )


def to(*replicas: int) -> Step:
    return {"reassign": {"partition": "t-0", "replicas": list(replicas)}}


@pytest.mark.parametrize("kafka", ["0.10.2", "1.1", "2.1", "2.8", "3.5", "3.9"])
def test_a_moved_partition_ends_on_its_target_with_every_record(kafka):
    timeline = moved(to(2, 3), SETTLE, kafka=kafka)

    state = state_document(timeline.cluster)
    after = timeline.registration()
    assert (after.replicas, after.leader, set(after.isr)) == ((2, 3), 2, {2, 3})
    assert (after.adding_replicas, after.removing_replicas) == ((), ())
    assert list(state.replicas["t-0"]) == ["2", "3"]
    for replica in state.replicas["t-0"].values():
        assert [record.value for record in replica.log] == ["m1", "m2"]
    assert not timeline.has_replica(1)
    assert timeline.kinds().count(ReplicaDeleted) == 1


def test_kraft_tells_a_leader_that_does_not_stay_that_another_leads():
    cluster = moved(to(2, 3), kafka="3.9").frames[-1].cluster

    error, outcome = kraft.respond_to_alter_partition(
        cluster.situation(),
        PARTITION,
        B1,
        AlterPartitionRequest(
            leader_epoch=FIRST_EPOCH,
            partition_epoch=1,
            new_isr=(B1, B2, B3),
            broker_epochs=None,
            leader_recovery_state="RECOVERED",
        ),
    )

    assert outcome is not None
    assert error is ErrorCode.NEW_LEADER_ELECTED
    assert outcome.controller.partition(PARTITION).isr == (2, 3)


@pytest.mark.parametrize(("kafka", "leader_epoch"), [("3.9", 1), ("2.1", 2)])
def test_taking_a_replica_away_is_done_at_once_under_a_new_epoch(kafka, leader_epoch):
    timeline = moved(to(1, 2), kafka=kafka, replicas=[1, 2, 3])

    after = timeline.registration()
    assert (after.replicas, after.isr, after.leader) == ((1, 2), (1, 2), 1)
    assert after.leader_epoch == leader_epoch
    leading = timeline.leading(1)
    assert [remote.broker_id for remote in leading.remotes] == [2]


@pytest.mark.parametrize("kafka", ["2.8", "3.9"])
def test_a_move_waits_for_a_new_replica_that_cannot_fetch(kafka):
    cut = {"isolate": {"broker": 3, "from": "brokers"}}
    timeline = moved(cut, to(2, 3), {"run": {"ms": 5000}}, kafka=kafka)

    during = timeline.registration()
    assert (during.adding_replicas, during.leader) == ((3,), 1)
    timeline.do({"heal": {"broker": 3}}, SETTLE)
    assert timeline.registration().replicas == (2, 3)


@pytest.mark.parametrize("kafka", ["2.8", "3.9"])
def test_a_move_under_way_can_be_taken_back(kafka):
    timeline = moved(to(2, 3), to(1, 2), SETTLE, kafka=kafka)

    after = timeline.registration()
    assert (after.replicas, after.adding_replicas, after.removing_replicas) == ((1, 2), (), ())
    assert not timeline.has_replica(3)


def test_before_2_4_a_move_under_way_cannot_be_replaced():
    timeline = moved(to(2, 3), kafka="2.1")

    assert timeline.refused(to(2, 4)).code == "reassignment_in_progress"


def test_a_removed_kraft_replica_whose_broker_was_down_is_deleted_when_it_is_back():
    timeline = moved(*down(1), to(2, 3), SETTLE, kafka="3.9")
    assert timeline.has_replica(1)

    timeline.do({"start": {"broker": 1}})

    assert not timeline.has_replica(1)


def test_a_fetch_of_a_broker_that_is_no_replica_moves_no_belief():
    timeline = moved(
        {"produce": {"to": "t-0", "values": ["m3"], "acks": 1}},
        {"send_fetch": {"broker": 2}},
        {"hold": {"kind": "fetch_request", "from": 2, "to": 1}},
        {"isolate": {"broker": 2, "from": "controller"}},
        to(1, 3),
        {"run": {"ms": 1000}},
        {"release": {"kind": "fetch_request", "from": 2, "to": 1}},
        {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}},
        kafka="3.9",
    )

    assert isinstance(timeline.frame.events[0], FetchRejected)
    leading = timeline.leading(1)
    assert 2 not in leading.isr
    assert 2 not in [remote.broker_id for remote in leading.remotes]

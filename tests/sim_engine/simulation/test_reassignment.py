"""A partition is reassigned to other brokers, by either controller, step by step."""

from typing import Any

import pytest

from sim_engine import Timeline, read_scenario_document
from sim_engine.documents.state import state_document
from sim_engine.events import Event
from sim_engine.events.fetch import FetchRejected
from sim_engine.events.log import ReplicaDeleted
from sim_engine.identifiers import FIRST_EPOCH, ErrorCode
from sim_engine.protocol.controller.kraft import controller as kraft
from sim_engine.protocol.messages import AlterPartitionRequest, PartitionRegistration
from sim_engine.simulation.working_copy import RefusedError
from tests.sim_engine.builders import B1, B2, B3, PARTITION


def moved(*steps: dict[str, Any], kafka: str, replicas: list[int] | None = None) -> Timeline:
    """A run of brokers 1 to 4 whose partition t-0 begins on 1 and 2, with two records."""
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "moved",
                "kafka": kafka,
                "brokers": [1, 2, 3, 4],
                "topics": [{"name": "t", "partitions": [{"replicas": replicas or [1, 2]}]}],
                "steps": [
                    {"produce": {"to": "t-0", "values": ["m1", "m2"]}},
                    {"settle": {}},
                    *steps,
                ],
            }
        )
    )
    timeline.run_all()
    return timeline


def registration(timeline: Timeline) -> PartitionRegistration:
    return timeline.frames[timeline.head].cluster.controller.partition(PARTITION)


def kinds(timeline: Timeline) -> list[type[Event]]:
    return [type(happened) for frame in timeline.frames for happened in frame.events]


def to(*replicas: int) -> dict[str, Any]:
    return {"reassign": {"partition": "t-0", "replicas": list(replicas)}}


@pytest.mark.parametrize("kafka", ["0.10.2", "1.1", "2.1", "2.8", "3.5", "3.9"])
def test_a_moved_partition_ends_on_its_target_with_every_record(kafka):
    timeline = moved(to(2, 3), {"settle": {}}, kafka=kafka)

    state = state_document(timeline.frames[timeline.head].cluster)
    after = registration(timeline)
    assert (after.replicas, after.leader, set(after.isr)) == ((2, 3), 2, {2, 3})
    assert (after.adding_replicas, after.removing_replicas) == ((), ())
    assert list(state.replicas["t-0"]) == ["2", "3"]
    for replica in state.replicas["t-0"].values():
        assert [record.value for record in replica.log] == ["m1", "m2"]
    assert timeline.frames[timeline.head].cluster.broker(B1).replica(PARTITION) is None
    assert kinds(timeline).count(ReplicaDeleted) == 1


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

    after = registration(timeline)
    assert (after.replicas, after.isr, after.leader) == ((1, 2), (1, 2), 1)
    assert after.leader_epoch == leader_epoch
    leading = timeline.frames[timeline.head].cluster.replica(B1, PARTITION).leading
    assert leading is not None
    assert [remote.broker_id for remote in leading.remotes] == [2]


@pytest.mark.parametrize("kafka", ["2.8", "3.9"])
def test_a_move_waits_for_a_new_replica_that_cannot_fetch(kafka):
    cut = {"isolate": {"broker": 3, "from": "brokers"}}
    timeline = moved(cut, to(2, 3), {"run": {"ms": 5000}}, kafka=kafka)

    during = registration(timeline)
    assert (during.adding_replicas, during.leader) == ((3,), 1)
    timeline.act(timeline.head, {"heal": {"broker": 3}})
    timeline.act(timeline.head, {"settle": {}})
    assert registration(timeline).replicas == (2, 3)


@pytest.mark.parametrize("kafka", ["2.8", "3.9"])
def test_a_move_under_way_can_be_taken_back(kafka):
    timeline = moved(to(2, 3), to(1, 2), {"settle": {}}, kafka=kafka)

    after = registration(timeline)
    assert (after.replicas, after.adding_replicas, after.removing_replicas) == ((1, 2), (), ())
    assert timeline.frames[timeline.head].cluster.broker(B3).replica(PARTITION) is None


def test_before_2_4_a_move_under_way_cannot_be_replaced():
    timeline = moved(to(2, 3), kafka="2.1")

    with pytest.raises(RefusedError) as refused:
        timeline.act(timeline.head, to(2, 4))

    assert refused.value.code == "reassignment_in_progress"


def test_a_removed_kraft_replica_whose_broker_was_down_is_deleted_when_it_is_back():
    timeline = moved(
        {"crash": {"broker": 1}}, {"detect": {"broker": 1}}, to(2, 3), {"settle": {}}, kafka="3.9"
    )
    assert timeline.frames[timeline.head].cluster.broker(B1).replica(PARTITION) is not None

    timeline.act(timeline.head, {"start": {"broker": 1}})

    assert timeline.frames[timeline.head].cluster.broker(B1).replica(PARTITION) is None


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

    last = timeline.frames[timeline.head]
    assert isinstance(last.events[0], FetchRejected)
    leading = last.cluster.replica(B1, PARTITION).leading
    assert leading is not None
    assert 2 not in leading.isr
    assert 2 not in [remote.broker_id for remote in leading.remotes]

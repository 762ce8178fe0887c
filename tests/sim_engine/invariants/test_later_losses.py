"""The evidence of losses names every record that is lost so far, in every partition."""

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import BrokerId, TopicPartition
from tests.sim_engine.builders import (
    B1,
    PARTITION,
    acknowledged,
    change_replica,
    cluster,
    with_second_partition,
)
from tests.sim_engine.invariants.runs import verdict_of

LOST, AT_RISK = "NoAckedRecordLost", "AckedRecordAtRisk"


def acked(
    state: ClusterState, *offsets: int, partition: TopicPartition = PARTITION
) -> ClusterState:
    """The cluster in which these records are acknowledged, each in the frame after the last."""
    for frame, offset in enumerate(offsets, start=1):
        state = acknowledged(state, state.replica(B1, partition), offset, frame=frame)
    return state


def two_acknowledged() -> ClusterState:
    return acked(cluster({1: "m1/0 m2/0"}, high_watermarks={1: 2}), 0, 1)


def test_a_record_that_is_lost_later_is_added_to_the_evidence_of_the_first_loss():
    start = two_acknowledged()
    less = change_replica(start, 1, log="m1/0")
    nothing = change_replica(less, 1, log="")

    first = verdict_of(LOST, start, less)
    both = verdict_of(LOST, start, less, nothing)

    assert [record["value"] for record in first.evidence["records"]] == ["m2"]
    assert first.evidence["acked_frame"] == 2
    assert (both.status, both.first_frame) == ("violated", 1)
    assert both.evidence == {
        **first.evidence,
        "offsets": [0, 1],
        "acked_frame": 1,
        "records": [
            {"offset": 0, "epoch": 0, "value": "m1", "id": "m1/0@0"},
            {"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"},
        ],
    }


def test_the_evidence_is_the_same_while_nothing_else_is_lost():
    start = two_acknowledged()
    less = change_replica(start, 1, log="m1/0")
    another = acked(less, 0)

    assert verdict_of(LOST, start, less, another) == verdict_of(LOST, start, less)


def test_losses_in_another_partition_are_named_with_it():
    start = acked(with_second_partition(two_acknowledged()), 0, 1, partition=TopicPartition("t-1"))
    less = change_replica(start, 1, log="m1/0")
    gone = without_records_of(without_records_of(less, "t-1"), PARTITION)

    evidence = verdict_of(LOST, start, less, gone).evidence

    assert [record["value"] for record in evidence["records"]] == ["m1", "m2"]
    assert {
        partition: [record["value"] for record in records]
        for partition, records in evidence["elsewhere"].items()
    } == {"t-1": ["m1", "m2"]}


def test_records_at_risk_in_several_partitions_are_all_named():
    start = acked(with_second_partition(two_acknowledged()), 1, partition=TopicPartition("t-1"))
    registrations = [
        replace(registration, leader=BrokerId(2), isr=(BrokerId(2),))
        for registration in start.controller.partitions
    ]
    elsewhere = replace(
        start, controller=replace(start.controller, partitions=tuple(registrations))
    )

    evidence = verdict_of(AT_RISK, start, elsewhere).evidence

    assert [record["value"] for record in evidence["records"]] == ["m1", "m2"]
    assert [record["value"] for record in evidence["elsewhere"][TopicPartition("t-1")]] == ["m2"]


def without_records_of(state: ClusterState, partition: str) -> ClusterState:
    """The cluster in which no broker has a record of a partition any more."""
    return replace(
        state,
        brokers=tuple(
            replace(
                broker,
                replicas=tuple(
                    replace(replica, log=replace(replica.log, records=()), high_watermark=0)
                    if replica.partition == partition
                    else replica
                    for replica in broker.replicas
                ),
            )
            for broker in state.brokers
        ),
    )

"""D: which replicas may join a leader's ISR, and when (`PartitionTest`)."""

from typing import Any

from sim_engine.identifiers import FIRST_EPOCH, ErrorCode, LeaderEpoch
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.isr_steps import (
    LAG_MS,
    answer,
    broker_epoch,
    commit,
    isr,
    joins,
    leader_hears_of,
    outside,
    proposals,
)
from tests.sim_engine.kafka_cases.kafka_tests import pt
from tests.sim_engine.kafka_cases.world import World, values


@case("D01", pt("testIsrExpansion"))
def test_a_follower_below_the_high_watermark_does_not_join():
    world = outside()

    joins(world, 3)

    assert isr(world) == ({1}, {1}, False)
    assert proposals(world) == []


@case("D02", pt("testIsrExpansion"))
def test_a_follower_at_the_high_watermark_is_proposed_and_counts_as_pending():
    world = outside()

    joins(world)
    world.wait(LAG_MS + 1)
    world.produce("n", acks=1)

    assert [proposal.new_isr for proposal in proposals(world)] == [(1, 2)]
    assert isr(world) == ({1}, {1, 2}, True)
    assert world.replica(1).high_watermark == 10


@case("D03", pt("testIsrExpansion"))
def test_a_proposal_that_the_controller_took_is_the_isr():
    world = outside(partition_epoch=1)
    joins(world)

    commit(world)

    assert isr(world) == ({1, 2}, {1, 2}, False)
    assert world.replica(1).partition_epoch == 2
    assert proposals(world) == []


@case("D04", pt("testIsrNotExpandedIfUpdateFails"))
def test_an_expansion_refused_for_its_version_stays_pending_and_is_not_asked_again():
    world = outside()
    joins(world)

    answer(world, ErrorCode.INVALID_UPDATE_VERSION)
    joins(world)

    assert isr(world) == ({1}, {1, 2}, True)
    assert proposals(world) == []


@case("D05", pt("testIsrNotExpandedIfReplicaIsFencedOrShutdown"))
def test_a_broker_that_may_not_join_is_not_proposed_until_it_may():
    ineligible: list[dict[str, Any]] = [
        {"fenced": True}, {"in_controlled_shutdown": True}, {"broker_epoch": 99},
    ]  # fmt: skip
    for fields in ineligible:
        world = outside()
        leader_hears_of(world, 2, **fields)

        joins(world)
        refused = proposals(world)
        leader_hears_of(world, 2)
        joins(world)

        assert refused == [], fields
        assert [proposal.new_isr for proposal in proposals(world)] == [(1, 2)], fields


@case("D06", pt("testIsrNotExpandedIfReplicaIsInControlledShutdown"))
def test_an_ineligible_replica_takes_the_leader_back_to_the_committed_isr():
    world = outside()
    world.change_registered_broker(2, in_controlled_shutdown=True)
    joins(world)

    commit(world)
    after = (isr(world), proposals(world))
    leader_hears_of(world, 2)
    joins(world)
    while_it_shuts_down = proposals(world)
    world.change_registered_broker(2, in_controlled_shutdown=False)
    leader_hears_of(world, 2)
    joins(world)

    assert after == (({1}, {1}, False), [])
    assert while_it_shuts_down == []
    assert len(proposals(world)) == 1


@case("D07", pt("testIsrCanExpandedIfBrokerEpochsMatchWithKraftMetadataCache"))
def test_an_expansion_carries_the_broker_epochs_that_the_fetches_carried():
    logs = {1: {"log": values(10), "high_watermark": 10}}
    world = World(isr=[1, 3], logs=logs)

    world.fetch_as(2, 10, epoch=FIRST_EPOCH, broker_epoch=broker_epoch(world, 2) + 1)
    other_epoch = proposals(world)
    joins(world)

    assert other_epoch == []
    assert [proposal.new_isr for proposal in proposals(world)] == [(1, 3, 2)]
    assert [proposal.broker_epochs for proposal in proposals(world)] == [
        (broker_epoch(world, 1), -1, broker_epoch(world, 2))
    ]


def led_twice() -> World:
    """Broker 1 led epoch 8 (5 records, high watermark 1), followed in 9, and leads epoch 10.

    Broker 2 is in the ISR, broker 3 is not; the epoch starts at 5 and a record has come since.
    """
    logs = {1: {"log": values(5, 8), "high_watermark": 0}}
    world = World(isr=[1, 2], logs=logs, leader_epoch=8)
    world.fetch_as(2, 1, epoch=LeaderEpoch(8))
    world.tell(1, leader=2, leader_epoch=9, partition_epoch=1)
    world.change_registration(leader_epoch=10, partition_epoch=2)
    world.tell(1)
    world.produce("n", acks=1)
    return world


@case("D17", pt("testFollowerDoesNotJoinISRUntilCaughtUpToOffsetWithinCurrentLeaderEpoch"))
def test_reaching_the_high_watermark_below_the_epoch_s_start_is_not_enough_to_join():
    world = led_twice()
    assert world.leading(1).leader_epoch_start_offset == 5

    for offset in (0, 1):
        world.fetch_as(3, offset, epoch=LeaderEpoch(10), broker_epoch=broker_epoch(world, 3))

    assert world.replica(1).high_watermark == 1
    assert (proposals(world), isr(world)) == ([], ({1, 2}, {1, 2}, False))


@case("D18", pt("testFollowerDoesNotJoinISRUntilCaughtUpToOffsetWithinCurrentLeaderEpoch"))
def test_reaching_the_epoch_s_start_is_enough_to_join():
    world = led_twice()

    world.fetch_as(3, 5, epoch=LeaderEpoch(10), broker_epoch=broker_epoch(world, 3))

    assert [proposal.new_isr for proposal in proposals(world)] == [(1, 2, 3)]
    assert [len(one) for one in isr(world)[:2]] == [2, 3]

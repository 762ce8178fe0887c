"""D: which replicas leave an ISR, and how long the high watermark waits (`PartitionTest`)."""

from typing import Any

from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.isr_steps import (
    LAG_MS,
    commit,
    isr,
    joins,
    leader_hears_of,
    proposals,
    stuck_follower,
)
from tests.sim_engine.kafka_cases.kafka_tests import pt
from tests.sim_engine.kafka_cases.world import World, outcome_of, values


@case("D08", pt("testMaybeShrinkIsr"))
def test_a_shrink_counts_once_it_is_committed():
    world = stuck_follower()
    pending = (isr(world), world.replica(1).high_watermark)
    proposed = [proposal.new_isr for proposal in proposals(world)]

    commit(world)

    assert proposed == [(1, 2)]
    assert pending == (({1, 2, 3}, {1, 2, 3}, True), 0)
    assert isr(world) == ({1, 2}, {1, 2}, False)
    assert world.replica(1).high_watermark == 10


@case("D09", pt("testHighWatermarkAdvanceShouldNotAdvanceWhenUnderMinISR"))
def test_below_min_insync_replicas_the_high_watermark_stays_until_a_join_is_committed():
    world = World(isr=[1, 2], configs={"min.insync.replicas": 3}, logs={1: {"log": values(10)}})
    world.change(1, high_watermark=0)

    joins(world, follower=2)
    below = world.replica(1).high_watermark
    joins(world, follower=3)
    pending = (len(world.leading(1).maximal_isr), world.replica(1).high_watermark)
    commit(world)

    assert (below, pending) == (0, (3, 0))
    assert world.replica(1).high_watermark == 10


@case("D10", pt("testShouldNotShrinkIsrIfPreviousFetchIsCaughtUp"))
def test_a_follower_that_reached_the_end_of_its_previous_fetch_stays():
    world = World(replicas=[1, 2], logs={1: {"log": values(10)}})
    began_ms = world.now_ms
    world.wait(5_000)
    joins(world, 5)
    first_ms, first = world.now_ms, world.replica(1).high_watermark
    world.wait(5_001)
    for number in range(5):
        world.produce(f"n{number}", acks=1)
    joins(world)
    second = world.replica(1).high_watermark

    caught_up_ms = world.remote(1, 2).last_caught_up_time_ms
    world.wait(LAG_MS + 1 - (world.now_ms - began_ms))
    world.do("timer", broker=1, kind="isr_expiration")

    assert (first, second) == (5, 10)
    assert caught_up_ms == first_ms
    assert (proposals(world), isr(world)) == ([], ({1, 2}, {1, 2}, False))


@case("D11", pt("testShouldNotShrinkIsrIfFollowerCaughtUpToLogEnd"))
def test_a_follower_that_idles_at_the_end_stays():
    world = World(replicas=[1, 2], logs={1: {"log": values(10)}})
    joins(world)

    world.wait(LAG_MS + 1)
    world.do("timer", broker=1, kind="isr_expiration")

    assert proposals(world) == []
    assert isr(world) == ({1, 2}, {1, 2}, False)


def shrunk_by_the_controller(**follower: Any) -> World:
    """Ten records committed, ten more; the controller has taken broker 2 out of the ISR."""
    logs = {1: {"log": values(20), "high_watermark": 10}}
    world = World(replicas=[1, 2], isr=[1, 2], logs=logs)
    world.change(1, high_watermark=0)
    joins(world)
    assert world.replica(1).high_watermark == 10
    leader_hears_of(world, 2, **follower)
    world.tell(1, isr=(1,), partition_epoch=1)
    return world


@case("D19", pt("testHighWatermarkIncreasesWithFencedOrShutdownFollower"))
def test_the_high_watermark_waits_for_an_outsider_that_was_caught_up_and_could_join():
    world = shrunk_by_the_controller()

    assert world.now_ms - world.remote(1, 2).last_caught_up_time_ms <= LAG_MS
    assert world.replica(1).high_watermark == 10


@case("D20", pt("testHighWatermarkIncreasesWithFencedOrShutdownFollower"))
def test_the_high_watermark_does_not_wait_for_an_outsider_that_could_not_join():
    reached = {}

    for follower in ("fenced", "in_controlled_shutdown"):
        world = shrunk_by_the_controller(**{follower: True})
        reached[follower] = world.replica(1).high_watermark

    assert reached == {"fenced": 20, "in_controlled_shutdown": 20}


@case("D25", pt("testIsUnderMinIsr"))
def test_only_a_leader_with_fewer_than_min_insync_replicas_is_below_it():
    answers = {}

    for members in ([1], [1, 2], [1, 2, 3]):
        world = World(isr=members, configs={"min.insync.replicas": 2})
        world.produce("m", acks="all")
        answers[len(members)] = outcome_of(world, "m")
    world = World(isr=[1], configs={"min.insync.replicas": 2})
    world.produce("m", acks="all", broker=2)

    assert answers == {
        1: ("failed", "NOT_ENOUGH_REPLICAS"),
        2: ("pending", None),
        3: ("pending", None),
    }
    assert outcome_of(world, "m") == ("failed", "NOT_LEADER_OR_FOLLOWER")

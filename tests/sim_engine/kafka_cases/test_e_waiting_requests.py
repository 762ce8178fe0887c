"""E: what ends the wait of a request (`DelayedFetchTest`, `ReplicaManagerTest`)."""

from sim_engine.identifiers import ErrorCode
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.kafka_tests import rmt
from tests.sim_engine.kafka_cases.world import World, outcome_of, values


def park(world: World, offset: int, **request) -> int:
    """Let a fetch of broker 2 wait at broker 1, and return its number."""
    assert world.fetch_as(2, offset, **request) is None
    return world.leading(1).parked[0].message_id


def answer_of(world: World, number: int):
    """The response to a fetch that waited; none if it is still waiting."""
    for message in world.in_flight("fetch_response"):
        if message.in_reply_to == number:
            return message.payload
    return None


@case("E21", "DelayedFetchTest.testFetchWithFencedEpoch")
def test_a_new_leader_epoch_ends_a_wait_of_the_old_one():
    world = World(leader_epoch=5)
    parked = park(world, 0, epoch=5)

    world.tell(1, leader_epoch=6, partition_epoch=1)
    # The waiting fetch is checked (`tryComplete`) on the next append, not on becoming leader.
    assert answer_of(world, parked) is None
    world.produce("m", acks=1)

    assert answer_of(world, parked).error is ErrorCode.FENCED_LEADER_EPOCH


@case("E22", "DelayedFetchTest.testNotLeaderOrFollower")
def test_a_wait_ends_where_nobody_leads_any_more():
    world = World(leader_epoch=5)
    parked = park(world, 0)

    world.tell(1, leader=-1, leader_epoch=6, partition_epoch=1)

    assert answer_of(world, parked).error is ErrorCode.NOT_LEADER_OR_FOLLOWER


@case("E23", "DelayedFetchTest.testDivergingEpoch")
def test_a_wait_ends_where_the_epoch_fetched_last_turns_out_to_end_earlier():
    world = World(logs={1: {"log": values(500, 9)}}, leader_epoch=10)
    parked = park(world, 500, epoch=10, last_epoch=9)
    assert answer_of(world, parked) is None

    world.change(1, epoch_cache=((9, 0), (10, 499)))
    world.produce("m", acks=1)

    assert answer_of(world, parked).diverging_epoch == (9, 499)


@case("E24", rmt("testBecomeFollowerWhileNewClientFetchInPurgatory"))
def test_a_broker_that_turns_follower_answers_who_waits():
    errors = []

    for epoch in (None, 5):
        world = World(leader_epoch=5)
        parked = park(world, 0, epoch=epoch)
        world.tell(1, leader=3, leader_epoch=6, partition_epoch=1)
        errors.append(answer_of(world, parked).error)

    assert errors == [ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH]


@case("E25", rmt("testDeltaToFollowerCompletesProduce"))
def test_a_broker_that_turns_follower_fails_the_produces_that_wait():
    world = World()
    world.produce("m1")
    assert outcome_of(world, "m1") == ("pending", None)

    world.tell(1, leader=2, leader_epoch=1, partition_epoch=1)

    assert outcome_of(world, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")

"""G: leader epochs through whole runs, under ZooKeeper.

The cases of `EpochDrivenReplicationProtocolAcceptanceTest` and `LeaderEpochIntegrationTest`. A
bounce is a clean stop and a start.
"""

from typing import Any

from sim_engine.events.fetch import FetchRejected
from sim_engine.identifiers import ErrorCode
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.world import World, kinds


def edr(method: str) -> str:
    return f"EpochDrivenReplicationProtocolAcceptanceTest.{method}"


def lei(method: str) -> str:
    return f"LeaderEpochIntegrationTest.{method}"


def zookeeper(**about: Any) -> World:
    return World("3.7", control="zookeeper", **about)


def caches(world: World) -> tuple[Any, Any]:
    return world.replica(1).epoch_cache, world.replica(2).epoch_cache


def bounce(world: World, broker: int) -> None:
    world.do("shutdown", broker=broker)
    world.do("start", broker=broker)
    world.do("settle")


def produced(world: World, *values: str) -> World:
    """Write to the current leader: a rejected producer refreshes its metadata."""
    world.produce(*values, broker=world.registration().leader)
    world.do("settle")
    return world


def one_message() -> World:
    return produced(zookeeper(replicas=[1, 2]), "m1")


def follower_bounced() -> World:
    world = one_message()
    bounce(world, 2)
    return world


def second_message() -> World:
    return produced(follower_bounced(), "m2")


@case("G01", edr("shouldFollowLeaderEpochBasicWorkflow"))
def test_the_first_message_brings_the_first_epoch_to_both():
    assert caches(one_message()) == (((0, 0),), ((0, 0),))


@case("G02", edr("shouldFollowLeaderEpochBasicWorkflow"))
def test_a_follower_that_came_back_does_not_know_the_new_epoch():
    assert caches(follower_bounced()) == (((0, 0), (1, 1)), ((0, 0),))


@case("G03", edr("shouldFollowLeaderEpochBasicWorkflow"))
def test_a_follower_learns_an_epoch_with_its_first_message():
    assert caches(second_message()) == (((0, 0), (1, 1)), ((0, 0), (1, 1)))


@case("G04", edr("shouldFollowLeaderEpochBasicWorkflow"))
def test_after_the_leader_s_bounce_the_new_leader_knows_first():
    world = second_message()

    bounce(world, 1)
    leader = world.registration().leader
    after_bounce = caches(world)
    produced(world, "m3")

    assert leader == 2
    assert after_bounce == (((0, 0), (1, 1)), ((0, 0), (1, 1), (2, 2)))
    assert caches(world) == (((0, 0), (1, 1), (2, 2)),) * 2


def leader_lost_five_of_ten() -> World:
    """Ten messages on both; both die, five of broker 1's with it; it leads again and writes 9."""
    world = produced(zookeeper(replicas=[1, 2]), *(f"m{number}" for number in range(10)))
    world.do("power_loss", broker=1, keep={"t-0": 5})
    world.do("crash", broker=2)
    world.do("detect", broker=2)
    world.do("start", broker=1)
    world.produce(*(f"n{number}" for number in range(9)), acks=1)
    world.do("start", broker=2)
    return world


@case("G05", edr("shouldNotAllowDivergentLogs"))
def test_logs_that_went_apart_by_a_power_loss_are_made_equal():
    world = leader_lost_five_of_ten()
    apart = world.log(1) != world.log(2)

    world.do("settle")

    assert apart
    assert world.replica(1).log == world.replica(2).log
    assert world.replica(1).log_end_offset == 5 + 9
    assert caches(world)[0] == caches(world)[1]


@case("G06", edr("offsetsShouldNotGoBackwards"))
def test_what_is_read_after_a_leader_s_bounce_never_goes_back():
    # Kafka compresses the batches; a batch here is one record, and its offset and epoch are held.
    world = leader_lost_five_of_ten()
    world.do("settle")
    bounce(world, 1)
    produced(world, "o1", "o2")

    world.do("consume", partition="t-0", **{"as": "c1"})

    read = [record.offset for record in world.cluster.clients.consumed]
    epochs = [record.epoch for record in world.replica(2).log.records]
    assert world.registration().leader == 2
    assert read == list(range(16))
    assert epochs == sorted(epoch for epoch in epochs if epoch is not None)
    assert world.log(1) == world.log(2)


@case("G07", edr("shouldSurviveFastLeaderChange"))
def test_logs_stay_equal_while_leadership_flips():
    world = zookeeper(replicas=[1, 2])
    epochs = []

    for number in range(5):
        leader = world.registration().leader
        world.produce(f"m{number}", acks=1, broker=leader)
        world.do("fetch", broker=3 - leader)
        world.do("crash", broker=leader)
        world.do("detect", broker=leader)
        world.do("start", broker=leader)
        for _ in range(2):
            world.do("fetch", broker=leader)
        world.deliver_all("alter_partition_request")
        world.deliver_all("alter_partition_response")
        assert world.registration().leader == 3 - leader
        epochs.append(world.registration().leader_epoch)
    world.do("settle")

    assert epochs == sorted(set(epochs))
    assert world.replica(1).log == world.replica(2).log
    assert [record.value for record in world.replica(1).log.records] == [
        f"m{number}" for number in range(5)
    ]


def sole_replica(bounces: int) -> World:
    """A partition on one broker, one message before and one after each bounce."""
    world = produced(zookeeper(brokers=[1, 2], replicas=[1]), "m0")
    for number in range(bounces):
        bounce(world, 1)
        produced(world, f"m{number + 1}")
    return world


def ends(world: World, *epochs: int) -> list[tuple[int, int]]:
    return [world.lookup_as(2, epoch).end_offset for epoch in epochs]


@case("G08", lei("shouldIncreaseLeaderEpochBetweenLeaderRestarts"))
def test_a_sole_replica_s_bounce_costs_two_epochs():
    assert [sole_replica(bounces).registration().leader_epoch for bounces in (0, 1)] == [0, 2]


@case("G09", lei("shouldIncreaseLeaderEpochBetweenLeaderRestarts"))
def test_an_epoch_that_nobody_led_ends_with_the_one_before():
    assert ends(sole_replica(1), 0, 1, 2) == [(0, 1), (0, 1), (2, 2)]


@case("G10", lei("shouldIncreaseLeaderEpochBetweenLeaderRestarts"))
def test_every_epoch_after_two_bounces():
    world = sole_replica(2)

    assert world.registration().leader_epoch == 4
    assert ends(world, 0, 1, 2, 3, 4, 5) == [(0, 1), (0, 1), (2, 2), (2, 2), (4, 3), (-1, -1)]


@case("G11", lei("shouldSendLeaderEpochRequestAndGetAResponse"))
def test_only_the_leader_returns_the_end_of_an_epoch():
    world = produced(zookeeper(replicas=[1, 2]), "m1")

    follower = world.lookup_as(1, 0, leader=2)
    leader = world.lookup_as(2, 0, leader=1)

    assert (follower.error, follower.end_offset) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, (-1, -1))
    assert (leader.error, leader.end_offset) == (ErrorCode.NONE, (0, 1))
    assert kinds(world.do("fetch", broker=2))[-1] != FetchRejected

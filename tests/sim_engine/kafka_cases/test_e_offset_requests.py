"""E: which offsets a leader returns to a client that asks for the latest (`PartitionTest`)."""

from typing import Literal

from sim_engine.identifiers import FIRST_EPOCH, ErrorCode, LeaderEpoch
from sim_engine.protocol.leader.requests import list_offset
from sim_engine.protocol.log import Isolation
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.kafka_tests import pt
from tests.sim_engine.kafka_cases.world import World, values


def told(world: World, which: Literal["latest", "earliest"], isolation: Isolation) -> object:
    """The first or the next offset that a client gets."""
    rules = world.cluster.profile.rules
    return list_offset(world.replica(1), which, isolation=isolation, rules=rules)


@case("E28", pt("testListOffsetIsolationLevels"))
def test_the_latest_offset_depends_on_the_requester():
    world = World(replicas=[1, 2])
    world.do("transaction", do="begin", **{"as": "p1"})
    world.produce("a", "b", "c", **{"as": "p1"})
    seen = []

    for acknowledged in (0, 1):
        world.fetch_as(2, acknowledged, epoch=FIRST_EPOCH)
        seen.append(
            (
                world.list_offsets_as(2, "latest", epoch=FIRST_EPOCH).offset,
                told(world, "latest", "read_uncommitted"),
                told(world, "latest", "read_committed"),
            )
        )

    assert world.replica(1).log_end_offset == 3
    assert seen == [(3, 0, 0), (3, 1, 0)]


def led_again_below_its_epoch_s_start(kafka: str = "3.9") -> World:
    """Five records, high watermark 2; broker 1 leads again in epoch 10, which starts at 5."""
    logs = {1: {"log": values(5, 8), "high_watermark": 2}}
    world = World(kafka, control="zookeeper", leader=2, logs=logs, leader_epoch=9)
    world.change(1, high_watermark=2)
    world.change_registration(leader=1, leader_epoch=10, partition_epoch=1)
    world.tell(1)
    return world


@case("E29", pt("testMonotonicOffsetsAfterLeaderChange"))
def test_a_new_leader_does_not_return_a_latest_offset_below_the_start_of_its_epoch():
    # Kafka's test also looks up by timestamp; records have none here.
    world = led_again_below_its_epoch_s_start()
    before = led_again_below_its_epoch_s_start("2.1")

    assert world.leading(1).leader_epoch_start_offset == 5
    assert told(world, "latest", "read_uncommitted") is ErrorCode.OFFSET_NOT_AVAILABLE
    assert told(world, "latest", "read_committed") is ErrorCode.OFFSET_NOT_AVAILABLE
    assert told(world, "earliest", "read_uncommitted") == 0
    assert world.list_offsets_as(2, "latest", epoch=LeaderEpoch(10)).offset == 5
    assert told(before, "latest", "read_uncommitted") == 2


@case("E30", pt("testMonotonicOffsetsAfterLeaderChange"))
def test_the_latest_offset_is_returned_once_the_high_watermark_reaches_the_start_of_the_epoch():
    world = led_again_below_its_epoch_s_start()

    for follower in (2, 3):
        world.fetch_as(follower, 5, epoch=LeaderEpoch(10))

    assert world.replica(1).high_watermark == 5
    assert told(world, "latest", "read_uncommitted") == 5

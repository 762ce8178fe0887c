"""B: the log and its high watermark (`UnifiedLogTest`, `LogLoaderTest`, `LogRecoveryTest`)."""

import pytest
from msgspec.structs import replace

from sim_engine.events.clients import ConsumeFailed, ConsumerOutOfRange
from sim_engine.events.log import FollowerHighWatermarkSet
from sim_engine.identifiers import Offset, TopicPartition
from sim_engine.protocol.follower.fetch_loop import fetcher_of
from sim_engine.protocol.messages import FetchResponse
from sim_engine.protocol.replica import truncate_to
from sim_engine.versions import PROFILE_NAMES
from tests.sim_engine.builders import stand_at
from tests.sim_engine.kafka_cases.cases import case, row
from tests.sim_engine.kafka_cases.world import World, kinds, values


@case("B01", "UnifiedLogTest.testHighWatermarkMaintenance")
def test_an_append_does_not_move_the_high_watermark():
    world = World(replicas=[1, 2])

    world.produce("m1", "m2", "m3", acks=1)

    assert (world.replica(1).log_end_offset, world.replica(1).high_watermark) == (3, 0)


@case("B02", "UnifiedLogTest.testHighWatermarkMaintenance")
def test_the_high_watermark_is_limited_to_the_log():
    logs = {1: {"log": values(3), "high_watermark": 0}, 2: {"log": values(3), "high_watermark": 0}}
    world = World(replicas=[1, 2], logs=logs)

    world.fetch_as(2, 1)
    world.answer_with(FetchResponse, high_watermark=5)

    assert world.replica(1).high_watermark == 1
    assert world.replica(2).high_watermark == 3


@case("B03", "UnifiedLogTest.testHighWatermarkMaintenance")
def test_a_truncation_takes_the_high_watermark_along_and_an_append_does_not_bring_it_back():
    logs = {1: {"log": values(6)}, 2: {"log": values(6), "high_watermark": 6}}
    world = World(replicas=[1, 2], logs=logs, isr=[1, 2])
    gone = world.replica(2).log.records[3:]

    cut, _, _ = truncate_to(world.replica(2), Offset(3), world.cluster.profile.rules)
    world.change(2, log=cut.log, high_watermark=cut.high_watermark)
    world.change(2, fetcher=replace(fetcher_of(world.replica(2)), fetch_offset=3))
    assert (cut.log_end_offset, cut.high_watermark) == (3, 3)
    world.answer_with(FetchResponse, high_watermark=3, records=gone)

    assert (world.replica(2).log_end_offset, world.replica(2).high_watermark) == (6, 3)


@case("B04", "UnifiedLogTest.testMaybeUpdateHighWatermarkAsFollower")
def test_a_follower_sets_its_high_watermark_within_its_log():
    world = World(replicas=[1, 2], logs={2: {"log": values(100), "high_watermark": 0}})
    moved = []

    for told in (99, 99, 100, 100, 101):
        happened = kinds(world.answer_with(FetchResponse, high_watermark=told))
        moved.append((FollowerHighWatermarkSet in happened, world.replica(2).high_watermark))

    assert moved == [(True, 99), (False, 99), (True, 100), (False, 100), (False, 100)]


@case("B05", "UnifiedLogTest.testFetchUpToHighWatermark")
def test_a_consumer_reads_below_the_high_watermark_and_nothing_without_error_above_it():
    read = {}

    for high_watermark in (0, 3, 5):
        for position in range(6):
            world = World(logs={1: {"log": values(5), "high_watermark": high_watermark}})
            world.cluster = stand_at(world.cluster, "c1", world.replica(1), position)
            happened = kinds(world.do("consume", partition="t-0", **{"as": "c1"}))
            assert ConsumeFailed not in happened
            assert ConsumerOutOfRange not in happened
            read[high_watermark, position] = len(world.cluster.clients.consumed)

    assert read == {
        (high_watermark, position): max(0, high_watermark - position)
        for high_watermark in (0, 3, 5)
        for position in range(6)
    }


@case("B06", "UnifiedLogTest.testTruncateToEndOffsetClearsEpochCache")
def test_a_truncation_that_cuts_nothing_still_drops_the_epoch_without_records():
    for leader_epoch, offset in ((20, 29), (24, 30)):
        logs = {2: {"log": values(2, 19), "log_start": 27}}
        world = World(replicas=[1, 2], logs=logs, leader_epoch=19)
        world.tell(2, leader=2, leader_epoch=leader_epoch, partition_epoch=1)
        led = world.replica(2)
        assert led.epoch_cache == ((19, 27), (leader_epoch, 29))

        cut, removed, _ = truncate_to(led, Offset(offset), world.cluster.profile.rules)

        assert (cut.epoch_cache, cut.log_end_offset, removed) == (((19, 27),), 29, ())


@case("B07", "LogLoaderTest.testLogRecoversForLeaderEpoch")
def test_recovery_notes_the_epochs_that_a_damaged_file_lacks():
    world = World(logs={2: {"log": "a/1 b/2 c/2 d/3"}}, leader_epoch=3)
    world.change(2, epoch_cache=((1, 0),))
    world.do("crash", broker=2)

    world.do("boot", broker=2)

    assert world.replica(2).epoch_cache == ((1, 0), (2, 1), (3, 3))
    assert world.replica(2).log_end_offset == 4


@case("B08", "PartitionTest.testUseCheckpointToInitializeHighWatermark")
def test_a_log_opens_with_the_high_watermark_of_its_checkpoint():
    world = World(logs={2: {"log": values(6), "checkpoint": {"high_watermark": 4}}})
    world.do("crash", broker=2)

    world.do("boot", broker=2)

    assert (world.replica(2).log_end_offset, world.replica(2).high_watermark) == (6, 4)


@case("B09", "HighwatermarkPersistenceTest.testHighWatermarkPersistenceMultiplePartitions")
def test_each_partition_s_high_watermark_is_kept_apart():
    topics = [
        {"name": "t", "partitions": [{"replicas": [1]}]},
        {"name": "u", "partitions": [{"replicas": [1]}]},
    ]
    world = World(topics=topics, brokers=[1], replicas=[1])
    world.cluster = replace(
        world.cluster,
        brokers=tuple(
            replace(
                broker,
                replicas=tuple(
                    replace(one, checkpoint_high_watermark=None) for one in broker.replicas
                ),
            )
            for broker in world.cluster.brokers
        ),
    )
    world.do("crash", broker=1)
    world.do("start", broker=1)
    opened = world.replica(1).high_watermark

    for value in range(5):
        world.produce(f"a{value}")
    world.do("timer", broker=1, kind="high_watermark_checkpoint")
    first = world.replica(1).checkpoint_high_watermark
    for value in range(10):
        world.produce(f"b{value}")
        world.produce(f"c{value}", to="u-0")
    world.do("timer", broker=1, kind="high_watermark_checkpoint")
    world.do("crash", broker=1)
    world.do("boot", broker=1)

    assert (opened, first) == (0, 5)
    assert world.replica(1).high_watermark == 15
    assert world.replica(1, TopicPartition("u-0")).high_watermark == 10


@case("B10", "LogRecoveryTest.testHWCheckpointNoFailuresSingleLogSegment")
def test_after_clean_stops_both_checkpoints_hold_all_that_was_acknowledged():
    world = World(replicas=[1, 2])
    world.produce("m1", "m2")
    world.do("settle")

    world.do("shutdown", broker=1)
    world.do("shutdown", broker=2)

    assert [world.replica(broker).checkpoint_high_watermark for broker in (1, 2)] == [2, 2]
    assert [world.replica(broker).log_end_offset for broker in (1, 2)] == [2, 2]


@pytest.mark.parametrize(
    "kafka_releases",
    [row("B11", "LogRecoveryTest.testHWCheckpointWithFailuresSingleLogSegment", PROFILE_NAMES)],
)
def test_a_follower_that_was_killed_catches_up_in_every_release(kafka_releases):
    for kafka in kafka_releases:
        world = World(kafka, replicas=[1, 2])
        world.produce("m1", acks=1)
        world.do("settle")
        world.do("crash", broker=2)
        world.do("detect", broker=2)
        world.produce("m2", "m3", acks=1)
        world.do("start", broker=2)
        world.do("settle")
        world.do("shutdown", broker=1)
        world.do("shutdown", broker=2)

        assert world.log(2) == world.log(1), kafka
        assert [world.replica(broker).log_end_offset for broker in (1, 2)] == [3, 3], kafka
        assert [world.replica(one).checkpoint_high_watermark for one in (1, 2)] == [3, 3], kafka


@case("B12", "ReplicaManagerTest.testCheckpointHwOnShutdown")
def test_a_clean_stop_writes_the_high_watermark_and_a_crash_does_not():
    written = {}

    for way in ("shutdown", "crash"):
        world = World(replicas=[1])
        world.produce("m1", "m2")
        world.do(way, broker=1)
        written[way] = world.replica(1).checkpoint_high_watermark

    assert written == {"shutdown": 2, "crash": 0}

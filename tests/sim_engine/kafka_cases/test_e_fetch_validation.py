"""E: which fetches a broker serves, where logs diverge, and what a response contains
(`PartitionTest`, `ReplicaManagerTest`).
"""

import pytest

from sim_engine.events.clients import ConsumerReadNothing
from sim_engine.events.log import LogTruncated
from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, ErrorCode, LeaderEpoch, Offset
from sim_engine.protocol.messages import FetchRequest, ListOffsetsRequest
from tests.sim_engine.builders import B1, stand_at
from tests.sim_engine.kafka_cases.cases import case, row
from tests.sim_engine.kafka_cases.kafka_tests import pt, rmt
from tests.sim_engine.kafka_cases.world import World, kinds, outcome_of, values

EPOCH_5: dict[int | None, ErrorCode] = {
    4: ErrorCode.FENCED_LEADER_EPOCH,
    6: ErrorCode.UNKNOWN_LEADER_EPOCH,
}
"""What a broker in leader epoch 5 says to requests of the epochs beside it."""


def leader_of_17_records(log_start: int = 0) -> World:
    """Epochs 0 at 0, 3 at 2, 4 at 8, 7 at 13, 9 at 14; log end 17; the leader is in epoch 10."""
    epochs = [0] * 2 + [3] * 6 + [4] * 5 + [7] + [9] * 3
    log = " ".join(f"m{offset}/{epoch}" for offset, epoch in enumerate(epochs[log_start:]))
    logs = {1: {"log": log, "log_start": log_start}}
    return World(replicas=[1, 2], isr=[1], logs=logs, leader_epoch=10)


ACCEPTED = "accepted"


@pytest.mark.parametrize(
    ("log_start", "expected"),
    [
        row("E01", pt("testLastFetchedOffsetValidation"), 0, {(2, 5): (0, 2)}),
        row("E02", pt("testLastFetchedOffsetValidation"), 0, {(0, 4): (0, 2)}),
        row("E03", pt("testLastFetchedOffsetValidation"), 0, {(6, 6): (4, 13)}),
        row("E04", pt("testLastFetchedOffsetValidation"), 0, {(5, 9): (4, 13)}),
        row("E05", pt("testLastFetchedOffsetValidation"), 0, {(10, 18): (10, 17)}),
        row("E06", pt("testLastFetchedOffsetValidation"), 0,
            dict.fromkeys([(0, 2), (7, 14), (9, 17), (10, 17)], ACCEPTED)),
        row("E07", pt("testLastFetchedOffsetValidation"), 0,
            {(11, 5): ErrorCode.OFFSET_OUT_OF_RANGE}),
        row("E08", pt("testLastFetchedOffsetValidation"), 5, {(2, 8): (2, 5)}),
        row("E09", pt("testLastFetchedOffsetValidation"), 5,
            dict.fromkeys([(0, 5), (3, 5)], ACCEPTED)),
        row("E10", pt("testLastFetchedOffsetValidation"), 5,
            {(0, 0): ErrorCode.OFFSET_OUT_OF_RANGE}),
        row("E11", pt("testLastFetchedOffsetValidation"), 10,
            dict.fromkeys([(5, 6), (3, 6)], ErrorCode.OFFSET_OUT_OF_RANGE)),
        row("E12", pt("testLastFetchedOffsetValidation"), 5, {(5, 9): (4, 13)}),
    ],
)  # fmt: skip
def test_a_fetch_parts_from_the_leader_where_its_last_epoch_ends_here(log_start, expected):
    found: dict[tuple[int, int], object] = {}

    for last_epoch, offset in expected:
        world = leader_of_17_records(log_start)
        answer = world.fetch_as(
            2, offset, epoch=LeaderEpoch(10), last_epoch=last_epoch, min_bytes=0
        )
        assert answer is not None
        if answer.error is not ErrorCode.NONE:
            found[last_epoch, offset] = answer.error
        elif answer.diverging_epoch is not None:
            assert answer.records == ()
            found[last_epoch, offset] = answer.diverging_epoch
        else:
            assert len(answer.records) == 17 - offset
            found[last_epoch, offset] = ACCEPTED

    assert found == expected


def errors_of(world: World, broker: int) -> list[dict[int | None, ErrorCode]]:
    """A broker's responses to a fetch, a lookup and an offset request of each epoch."""
    asked: list[dict[int | None, ErrorCode]] = [{}, {}, {}]
    for asked_in in (5, 4, 6, None):
        epoch = None if asked_in is None else LeaderEpoch(asked_in)
        fetched = world.fetch_as(3, 0, leader=broker, epoch=epoch, min_bytes=0)
        assert fetched is not None
        asked[0][epoch] = fetched.error
        asked[1][epoch] = world.lookup_as(3, 5, leader=broker, epoch=epoch).error
        asked[2][epoch] = world.list_offsets_as(3, "latest", leader=broker, epoch=epoch).error
    return asked


@case("E13", pt("testFetchOffsetSnapshotEpochValidationForLeader"))
def test_a_leader_serves_its_own_epoch_and_requests_without_one():
    expected: dict[int | None, ErrorCode] = {5: ErrorCode.NONE, None: ErrorCode.NONE, **EPOCH_5}

    assert errors_of(World(leader_epoch=5), 1) == [expected, expected, expected]


@case("E14", pt("testFetchOffsetSnapshotEpochValidationForFollower"))
def test_a_follower_checks_the_epoch_before_it_responds_that_it_is_not_the_leader():
    not_leader = ErrorCode.NOT_LEADER_OR_FOLLOWER
    expected: dict[int | None, ErrorCode] = {5: not_leader, None: not_leader, **EPOCH_5}

    assert errors_of(World(leader_epoch=5), 2) == [expected, expected, expected]


@case("E15", pt("testFetchFromUnrecognizedFollower"))
def test_a_fetch_of_a_replica_that_is_not_assigned_is_an_error():
    world = World(replicas=[1, 2], brokers=[1, 2, 3], leader_epoch=5)

    with_epoch = world.fetch_as(3, 0, epoch=LeaderEpoch(5), min_bytes=0)
    without = world.fetch_as(3, 0, min_bytes=0)
    world.tell(1, replicas=(1, 2, 3), partition_epoch=1)
    assigned = world.fetch_as(3, 0, epoch=LeaderEpoch(5), min_bytes=0)
    before = World("3.0", replicas=[1, 2], brokers=[1, 2, 3], leader_epoch=5)
    empty = before.fetch_as(3, 0, epoch=LeaderEpoch(5), min_bytes=0)

    answers = [with_epoch, without, assigned, empty]
    assert [answer.error for answer in answers if answer is not None] == [
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.NONE,
        ErrorCode.NONE,
    ]


@case("E16", rmt("testFetchBeyondHighWatermark"))
def test_above_the_high_watermark_a_follower_gets_records_and_a_consumer_nothing():
    world = World(logs={1: {"log": values(2), "high_watermark": 0}})
    world.cluster = stand_at(world.cluster, "c1", world.replica(1), 1)

    follower = world.fetch_as(2, 1)
    consumer = kinds(world.do("consume", partition="t-0", **{"as": "c1"}))

    assert follower is not None
    assert [record.offset for record in follower.records] == [1]
    assert consumer == [ConsumerReadNothing]


@case("E17", rmt("testFollowerStateNotUpdatedIfLogReadFails"))
def test_a_fenced_fetch_moves_no_belief():
    world = World(logs={1: {"log": values(5, 5)}}, leader_epoch=5)
    world.fetch_as(2, 0, epoch=LeaderEpoch(5))

    answer = world.fetch_as(2, 3, epoch=LeaderEpoch(4))

    assert answer is not None
    assert answer.error is ErrorCode.FENCED_LEADER_EPOCH
    assert world.remote(1, 2).log_end_offset == 0


@case("E18", rmt("testFollowerStateNotUpdatedIfLogReadFails"))
def test_a_diverging_fetch_moves_no_belief():
    world = World(logs={1: {"log": values(5, 5)}}, leader_epoch=5)
    world.fetch_as(2, 0, epoch=LeaderEpoch(5))

    answer = world.fetch_as(2, 3, epoch=LeaderEpoch(5), last_epoch=LeaderEpoch(4))

    assert answer is not None
    assert answer.diverging_epoch == (4, 0)
    assert world.remote(1, 2).log_end_offset == 0


@case("E19", rmt("testFollowerFetchWithDefaultSelectorNoForcedHwPropagation"))
def test_an_immediate_response_has_the_high_watermark_from_before_the_fetch():
    world = World(replicas=[1, 2])
    world.produce("m1", "m2")

    answer = world.fetch_as(2, 2, epoch=FIRST_EPOCH, min_bytes=0)

    assert answer is not None
    assert (answer.high_watermark, world.replica(1).high_watermark) == (0, 2)
    assert outcome_of(world, "m2") == ("acked", None)


@case("E20", rmt("testFollowerFetchWithDefaultSelectorNoForcedHwPropagation"))
def test_a_fetch_that_waited_carries_the_high_watermark_of_its_end():
    world = World(replicas=[1, 2], configs={"replica.fetch.wait.max.ms": 1_000})
    world.produce("m1", "m2")

    at_once = world.fetch_as(2, 2, epoch=FIRST_EPOCH, min_bytes=1_000)
    parked = world.leading(1).parked[0]
    assert parked.deadline_ms == world.now_ms + 1_000
    world.wait(1_001)
    world.do("timer", broker=1, kind="long_poll")
    answer = world.in_flight("fetch_response")[0].payload

    assert at_once is None
    assert answer.in_reply_to == parked.message_id  # type: ignore[union-attr]
    assert answer.high_watermark == 2  # type: ignore[union-attr]


@case("E26", rmt("testBecomeFollowerWhenLeaderIsUnchangedButMissedLeaderUpdate"))
def test_a_follower_that_missed_an_epoch_truncates_once_as_its_release_does():
    truncations = {}

    for kafka in ("2.0.0", "2.0.1", "2.1", "3.9"):
        logs = {1: {"log": values(5, 1)}, 2: {"log": values(10, 1)}}
        world = World(kafka, replicas=[1, 2], isr=[1], logs=logs, leader_epoch=1)
        fetcher = world.replica(2).fetcher
        assert fetcher is not None
        world.change(2, high_watermark=5)
        # It followed in epoch 1 and had caught up; the leader is then elected twice.
        follows = type(fetcher)(
            leader=B1,
            leader_epoch=LeaderEpoch(1),
            phase="fetching",
            fetch_offset=Offset(10),
            truncation_fallback=Offset(5),
        )
        world.change(2, fetcher=follows)
        for broker in (2, 1):
            world.tell(broker, leader_epoch=3, partition_epoch=2)
        world.produce("n", acks=1)
        restarted = world.replica(2).fetcher != follows
        happened = [*world.do("send_fetch", broker=2)]
        asked_first = bool(world.in_flight("offsets_for_leader_epoch_request"))
        if restarted:
            happened += world.do("fetch", broker=2)
        truncations[kafka] = (asked_first, kinds(happened).count(LogTruncated))

    assert truncations == {
        "2.0.0": (False, 0),
        "2.0.1": (True, 1),
        "2.1": (True, 1),
        "3.9": (False, 1),
    }


@case("E27", rmt("testFetcherAreNotRestartedIfLeaderEpochIsNotBumpedWithKRaftPath"))
def test_a_new_partition_epoch_alone_does_not_restart_the_fetcher():
    for control in ("zookeeper", "kraft"):
        world = World("3.5", control=control, leader_epoch=5)
        world.do("send_fetch", broker=2)
        before = world.replica(2).fetcher

        world.tell(2, isr=(1, 2), partition_epoch=1)
        same = world.replica(2).fetcher
        world.tell(2, leader_epoch=6, partition_epoch=2)

        assert same is before, control
        assert world.replica(2).fetcher != before, control


def test_requests_by_hand_are_what_followers_send():
    """The requests above equal those of the engine's own followers."""
    world = World(leader_epoch=5)
    world.do("send_fetch", broker=2)

    sent = world.in_flight("fetch_request")[0].payload

    assert sent == FetchRequest(
        fetch_offset=FIRST_OFFSET,
        log_start_offset=FIRST_OFFSET,
        current_leader_epoch=LeaderEpoch(5),
        broker_epoch=2,
    )
    assert ListOffsetsRequest(which="latest").current_leader_epoch is None

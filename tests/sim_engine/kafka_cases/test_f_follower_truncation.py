"""F: a follower truncates its log to match its leader's.

The cases of `AbstractFetcherThreadTest` and `ReplicaFetcherThreadTest`. Where those mock the leader
or a cache, the answer is written by hand. Kafka's inter-broker protocol 2.6, with a truncation
before the first fetch, is release 2.1 here.
"""

import pytest

from sim_engine.events.base import Event
from sim_engine.events.fetch import (
    EpochLookupSent,
    FetchApplied,
    FetchErrorReceived,
    LateResponseDiscarded,
    PartitionFailed,
)
from sim_engine.events.log import LogTruncated
from sim_engine.events.network import ResponseIgnored
from sim_engine.identifiers import FIRST_EPOCH, ErrorCode, LeaderEpoch, Offset
from sim_engine.protocol.log import ReplicaLog
from sim_engine.protocol.messages import (
    FetchRequest,
    FetchResponse,
    ListOffsetsResponse,
    OffsetsForLeaderEpochResponse,
)
from tests.sim_engine.builders import B1, B2
from tests.sim_engine.kafka_cases.cases import case, row
from tests.sim_engine.kafka_cases.world import World, kinds, values

LOOKUP_FIRST = "2.1"
ON_FETCH = "3.9"


def aft(method: str) -> str:
    return f"AbstractFetcherThreadTest.{method}"


def rft(method: str) -> str:
    return f"ReplicaFetcherThreadTest.{method}"


def two(kafka: str, leader_log: str, follower_log: str, leader_epoch: int, **follower) -> World:
    """Broker 2 follows broker 1 and has sent neither a lookup nor a fetch."""
    logs = {1: {"log": leader_log}, 2: {"log": follower_log, **follower}}
    return World(kafka, replicas=[1, 2], isr=[1], logs=logs, leader_epoch=leader_epoch)


def follows(kafka: str, epochs: str, *, leader_epoch: int = 5, high_watermark: int = 0) -> World:
    """Broker 2 alone with a long log; its leader's responses are written by hand."""
    return two(kafka, "", epochs, leader_epoch, high_watermark=high_watermark)


def fetch_round(world: World) -> list[type[Event]]:
    """One request of any kind and its response."""
    world.do("send_fetch", broker=2)
    request = next(one for one in world.cluster.messages if one.sender == 2)
    happened = [*world.deliver(request)]
    waiting = [one for one in world.cluster.messages if one.receiver == 2]
    if not waiting:
        happened += world.do("timer", broker=1, kind="long_poll")
        waiting = [one for one in world.cluster.messages if one.receiver == 2]
    return kinds([*happened, *world.deliver(waiting[0])])


def rounds(world: World, count: int) -> list[type[Event]]:
    """This many rounds, one after another."""
    return [kind for _ in range(count) for kind in fetch_round(world)]


def ends(world: World) -> int:
    return world.replica(2).log_end_offset


def phase(world: World) -> str:
    fetcher = world.replica(2).fetcher
    assert fetcher is not None
    return fetcher.phase


def lookup_answer(world: World, epoch: int, offset: int, **more) -> list[type[Event]]:
    """The leader's response to a lookup, written by hand."""
    return kinds(
        world.answer_with(OffsetsForLeaderEpochResponse, end_offset=(epoch, offset), **more)
    )


@case("F01", aft("testTruncation"))
def test_a_log_without_a_common_epoch_is_cut_to_nothing_and_copied():
    for kafka in (LOOKUP_FIRST, ON_FETCH):
        world = two(kafka, "x/1 y/3 z/5", "a/0 b/2 c/4", 5)

        happened = kinds(world.do("fetch", broker=2))

        assert LogTruncated in happened, kafka
        assert world.log(2) == "x/1 y/3 z/5", kafka


@case("F02", aft("testDivergingEpochs"))
def test_each_fetch_carries_the_epoch_that_the_log_ends_in():
    world = two(ON_FETCH, "a/0 b/2 z/5", "a/0 b/2 c/4", 5)
    asked = []

    for _ in range(3):
        world.do("send_fetch", broker=2)
        request = world.in_flight("fetch_request")[0]
        assert isinstance(request.payload, FetchRequest)
        asked.append(request.payload.last_fetched_epoch)
        world.deliver(request)
        if not world.in_flight("fetch_response"):
            world.do("timer", broker=1, kind="long_poll")
        world.deliver_all("fetch_response")

    assert asked == [4, 2, 5]
    assert world.log(2) == world.log(1) == "a/0 b/2 z/5"


@case("F03", aft("testTruncateOnFetchDoesNotProcessPartitionData"))
def test_a_diverging_answer_truncates_and_its_high_watermark_is_not_taken():
    logs = {
        1: {"log": "a/0 b/0 c/2 x/5 y/5", "high_watermark": 4},
        2: {"log": "a/0 b/0 c/2 d/4 e/4 f/4", "high_watermark": 1},
    }
    world = World(ON_FETCH, replicas=[1, 2], isr=[1], logs=logs, leader_epoch=5)
    world.change(1, high_watermark=4)

    first = fetch_round(world)
    assert (ends(world), world.replica(2).high_watermark, phase(world)) == (3, 1, "fetching")
    second = fetch_round(world)

    assert (ends(world), world.replica(2).high_watermark) == (5, 4)
    assert [*first, *second].count(LogTruncated) == 1


@case("F04", rft("testTruncateOnFetchDoesNotUpdateHighWatermark"))
def test_a_diverging_answer_of_a_leader_that_is_ahead_leaves_the_high_watermark():
    world = follows(ON_FETCH, f"{values(149, 4)} n/5", leader_epoch=6, high_watermark=130)

    world.answer_with(FetchResponse, high_watermark=160, diverging_epoch=(4, 140))

    assert (ends(world), world.replica(2).high_watermark) == (140, 130)


@case("F05", aft("testTruncateToHighWatermarkIfLeaderEpochRequestNotSupported"))
def test_before_epochs_a_new_follower_cuts_to_its_high_watermark():
    world = World("0.10.2", logs={2: {"log": "a b c", "high_watermark": 2}}, leader_epoch=4)

    world.tell(2, leader=3, leader_epoch=5)

    assert (ends(world), world.replica(2).high_watermark) == (2, 2)


@case("F06", aft("testTruncateToHighWatermarkIfLeaderEpochInfoNotAvailable"))
def test_a_log_without_epochs_is_truncated_to_its_high_watermark_without_a_request():
    for kafka in (LOOKUP_FIRST, ON_FETCH):
        world = two(kafka, "a/5 b/5", "a/0 b/0 c/0", 5, high_watermark=2, epochs=[])

        happened = kinds(world.do("send_fetch", broker=2))

        assert (ends(world), EpochLookupSent in happened) == (2, False), kafka
        assert len(world.in_flight("fetch_request")) == 1, kafka


@case("F07", rft("shouldFilterPartitionsMadeLeaderDuringLeaderEpochRequest"))
def test_an_answer_that_comes_after_becoming_leader_truncates_nothing():
    world = two(LOOKUP_FIRST, "a/0", "a/0 b/1", 2)
    world.do("send_fetch", broker=2)
    world.deliver_all("offsets_for_leader_epoch_request")

    world.tell(2, leader=2, leader_epoch=3)
    happened = kinds(world.deliver_all("offsets_for_leader_epoch_response"))

    assert happened == [ResponseIgnored]
    assert world.log(2) == "a/0 b/1"


@case("F08", aft("testTruncationSkippedIfNoEpochChange"))
def test_receiving_the_same_epoch_again_does_not_truncate_again():
    for kafka in (LOOKUP_FIRST, ON_FETCH):
        world = two(kafka, "a/0 b/2 x/4", "a/0 b/2 c/3", 4)
        first = kinds(world.do("fetch", broker=2))

        world.tell(2, partition_epoch=1)
        second = kinds(world.do("fetch", broker=2))

        assert first.count(LogTruncated) == 1, kafka
        assert set(second).isdisjoint({EpochLookupSent, LogTruncated}), kafka


@case("F09", aft("testLeaderEpochChangeDuringSuccessfulFetchEpochsFromLeader"))
def test_an_answer_of_an_older_epoch_is_ignored_also_where_it_fences():
    for error in (ErrorCode.NONE, ErrorCode.FENCED_LEADER_EPOCH):
        world = two(LOOKUP_FIRST, "a/0 x/5", "a/0 b/4 c/4", 5)
        world.do("send_fetch", broker=2)
        request = world.in_flight("offsets_for_leader_epoch_request")[0]

        world.tell(2, leader_epoch=6)
        answer = OffsetsForLeaderEpochResponse(
            in_reply_to=request.id,
            requested_epoch=LeaderEpoch(4),
            error=error,
            end_offset=(FIRST_EPOCH, Offset(1)),
        )
        happened = kinds(world.deliver(world.send(B1, B2, answer)))

        assert happened == [LateResponseDiscarded], error
        assert (ends(world), phase(world)) == (3, "truncating"), error


@case("F10", aft("testFencedTruncation"))
def test_a_fenced_follower_gives_the_partition_up():
    for kafka in (LOOKUP_FIRST, ON_FETCH):
        world = two(kafka, "a/0", "a/0 b/4", 4)
        world.tell(1, leader_epoch=5, partition_epoch=1)

        happened = fetch_round(world)

        assert PartitionFailed in happened, kafka
        assert (phase(world), ends(world)) == ("failed", 2), kafka


@case("F11", aft("testUnknownLeaderEpochInTruncation"))
def test_a_follower_ahead_of_its_leader_waits_for_it():
    for kafka in (LOOKUP_FIRST, ON_FETCH):
        world = two(kafka, "a/0 x/0", "a/0 b/0", 0)
        world.tell(2, leader_epoch=1, partition_epoch=1)
        before = phase(world)

        fetch_round(world)
        waits = world.replica(2).fetcher
        assert waits is not None
        assert (waits.phase, waits.delayed_until_ms) == (before, world.now_ms + 1_000), kafka
        world.tell(1, leader_epoch=1, partition_epoch=1)
        world.produce("m", acks=1)
        world.do("timer", broker=2, kind="fetch_backoff")
        world.do("fetch", broker=2)

        assert world.log(2).endswith(" m/1"), kafka


@case("F12", aft("testFollowerFetchOutOfRangeHigh"))
def test_a_follower_of_an_emptied_leader_starts_over():
    for kafka in (LOOKUP_FIRST, ON_FETCH):
        world = two(kafka, "a/0 b/0", "a/0 b/0", 0, high_watermark=2)
        world.do("fetch", broker=2)
        world.change(1, log=ReplicaLog(), epoch_cache=(), high_watermark=0)

        happened = rounds(world, 2)
        cut = (ends(world), world.replica(2).high_watermark)
        world.produce("x", acks=1)
        world.do("fetch", broker=2)

        assert FetchErrorReceived in happened, kafka
        assert cut == (0, 0), kafka
        assert world.log(2) == world.log(1) == "x/0", kafka


@case("F13", aft("testFollowerFetchOutOfRangeLow"))
def test_a_follower_below_its_leader_s_start_begins_there():
    for kafka in (LOOKUP_FIRST, ON_FETCH):
        logs = {1: {"log": "c/0 d/0", "log_start": 2}}
        world = World(kafka, replicas=[1, 2], isr=[1], logs=logs)

        happened = kinds(world.do("fetch", broker=2))

        assert FetchErrorReceived in happened, kafka
        assert world.replica(2).log.log_start_offset == 2, kafka
        assert (world.log(2), ends(world)) == ("c/0 d/0", 4), kafka


@case("F14", aft("testFencedOffsetResetAfterOutOfRange"))
def test_a_follower_out_of_range_may_be_fenced_or_have_to_wait():
    phases = {}

    for error in (ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH):
        world = follows(ON_FETCH, "a/0 b/0")
        world.answer_with(FetchResponse, error=ErrorCode.OFFSET_OUT_OF_RANGE)
        world.answer_with(ListOffsetsResponse, error=error)
        phases[error] = phase(world)
    world.do("timer", broker=2, kind="fetch_backoff")
    world.answer_with(ListOffsetsResponse, offset=1)

    assert phases == {
        ErrorCode.FENCED_LEADER_EPOCH: "failed",
        ErrorCode.UNKNOWN_LEADER_EPOCH: "resetting_latest",
    }
    assert (ends(world), phase(world)) == (1, "fetching")


@pytest.mark.parametrize(
    ("kafka", "epochs", "answers"),
    [
        row("F15", rft("shouldTruncateToOffsetSpecifiedInEpochOffsetResponse"),
            LOOKUP_FIRST, values(200, 5), {(5, 156): 156, (5, 172): 172}),
        row("F16",
            rft("shouldTruncateToOffsetSpecifiedInEpochOffsetResponseIfFollowerHasNoMoreEpochs"),
            "2.0.0", values(200, 5), {(4, 156): 156, (4, 202): 200}),
        row("F19", rft("shouldUseLeaderEndOffsetIfInterBrokerVersionBelow20"),
            "1.1", values(200, 5), {(-1, 155): 155, (-1, 143): 143}),
    ],
)  # fmt: skip
def test_one_lookup_settles_where_to_cut(kafka, epochs, answers):
    cut = {}

    for answer in answers:
        world = follows(kafka, epochs)
        lookup_answer(world, *answer)
        assert phase(world) == "fetching"
        cut[answer] = ends(world)

    assert cut == answers


@case("F17", rft("shouldFetchLeaderEpochSecondTimeIfLeaderRepliesWithEpochNotKnownToFollower"))
def test_an_answer_of_an_unknown_epoch_makes_the_follower_ask_again():
    for second, expected in ((101, 101), (102, 102)):
        world = follows(LOOKUP_FIRST, f"m*120/3 {values(80, 5, 'n')}")

        first = lookup_answer(world, 4, 155)
        assert (ends(world), phase(world)) == (120, "truncating")
        asked_again = lookup_answer(world, 3, second)

        assert (ends(world), phase(world)) == (expected, "fetching")
        assert [*first, *asked_again].count(LogTruncated) == 2


@case("F18", rft("shouldTruncateIfLeaderRepliesWithDivergingEpochNotKnownToFollower"))
def test_each_diverging_response_truncates_further_and_the_follower_keeps_fetching():
    # Kafka mocks own ends 149, 129 and 119 that no one log has: the last answer names epoch 1 here.
    log = f"{values(119, 1, 'a')} {values(10, 2, 'b')} {values(20, 4, 'c')} d/5"
    world = follows(ON_FETCH, log, leader_epoch=6)
    cut = []

    for diverging in ((4, 140), (3, 130), (1, 120)):
        world.answer_with(FetchResponse, high_watermark=0, diverging_epoch=diverging)
        cut.append((ends(world), phase(world)))

    assert cut == [(140, "fetching"), (129, "fetching"), (119, "fetching")]


@case("F20", rft("shouldTruncateToInitialFetchOffsetIfLeaderReturnsUndefinedOffset"))
def test_an_undefined_answer_cuts_to_the_high_watermark():
    for kafka in ("1.1", "2.0.0", "2.0.1", LOOKUP_FIRST):
        world = follows(kafka, values(200, 5), high_watermark=100)

        lookup_answer(world, -1, -1)

        assert (ends(world), phase(world)) == (100, "fetching"), kafka


@case("F21", rft("shouldPollIndefinitelyIfLeaderReturnsAnyException"))
def test_a_follower_asks_until_it_is_answered():
    world = follows(LOOKUP_FIRST, values(200, 5))

    for _ in range(3):
        lookup_answer(world, -1, -1, error=ErrorCode.NOT_LEADER_OR_FOLLOWER)
        assert (ends(world), phase(world)) == (200, "truncating")
        world.do("timer", broker=2, kind="fetch_backoff")
    lookup_answer(world, 5, 156)

    assert (ends(world), phase(world)) == (156, "fetching")


@case("F22", aft("testCorruptMessage"))
def test_a_corrupt_batch_delays_the_partition_and_does_not_end_it():
    # The error that the follower finds in the batch is in the response here.
    world = two(ON_FETCH, "a/0 b/0", "", 0, epochs=[[0, 0]])

    world.answer_with(FetchResponse, error=ErrorCode.CORRUPT_MESSAGE)
    waits = world.replica(2).fetcher
    assert waits is not None
    assert (waits.phase, waits.delayed_until_ms) == ("fetching", world.now_ms + 1_000)
    world.do("timer", broker=2, kind="fetch_backoff")
    world.do("fetch", broker=2)

    assert world.log(2) == "a/0 b/0"


@case("F23", aft("testSimpleFetch"))
def test_one_fetch_copies_the_leader_s_log():
    world = two(ON_FETCH, "a/0 b/0", "", 0)

    happened = kinds(world.do("fetch", broker=2))

    assert happened.count(FetchApplied) == 1
    assert world.replica(2).log == world.replica(1).log
    assert ends(world) == 2

"""Rules that arrived with one release: what a broker does with each, and what it did before."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Literal

import pytest
from msgspec.structs import replace

from sim_engine.actions import AskElection, Fetch, Produce
from sim_engine.cluster.start import start_timers
from sim_engine.error_codes import ErrorCode
from sim_engine.events.fetch import FetchedEpochForgotten, FetchSent, LeaderOffsetHeard
from sim_engine.events.high_watermark import HighWatermarkHeld
from sim_engine.events.isr import FollowerOutOfSync
from sim_engine.events.metadata import LeaderStateReset
from sim_engine.identifiers import (
    FIRST_EPOCH,
    FIRST_OFFSET,
    BrokerId,
    FrameNumber,
    LeaderEpoch,
    Offset,
    TimeMs,
)
from sim_engine.protocol.follower.becoming_follower import become_follower
from sim_engine.protocol.follower.fetch_state import start_fetching
from sim_engine.protocol.follower.out_of_range import handle_list_offsets_response
from sim_engine.protocol.leader.follower_fetches import handle_fetch
from sim_engine.protocol.leader.isr_membership import (
    maybe_shrink_isr,
    out_of_sync_events,
    why_out_of_sync,
)
from sim_engine.protocol.leader.leadership import become_leader, with_isr
from sim_engine.protocol.log.replica_log import ReplicaLog
from sim_engine.protocol.messages import (
    FetchRequest,
    FetchResponse,
    ListOffsetsResponse,
    Message,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import (
    FetcherState,
    LeadingState,
    PendingIsr,
    RemoteReplica,
    Replica,
    truncate_to,
)
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.records import Record
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.performing.partitions import elect
from sim_engine.simulation.play import Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step
from sim_engine.simulation.turn import Turn
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import (
    B1,
    B2,
    B3,
    PARTITION,
    change_registered_broker,
    change_registration,
    change_replica,
    cluster,
    crash,
)
from tests.sim_engine.kafka_cases.world import World, values

NOW = 3_600_000
LAG_MS = 10_000


def settings(
    kafka: str,
    rules: Mapping[str, bool] | None = None,
    *,
    control: str | None = None,
    lag_messages: int = 4_000,
) -> PartitionSettings:
    """A partition's settings under a release, with single rules switched."""
    return PartitionSettings(
        profile=resolve_profile(kafka, control=control, rules=rules),
        replication_factor=3,
        min_insync_replicas=1,
        unclean_leader_election_enable=False,
        replica_lag_time_max_ms=LAG_MS,
        replica_lag_max_messages=lag_messages,
        replica_fetch_wait_max_ms=500,
        replica_fetch_backoff_ms=1_000,
        flush_messages=None,
    )


def records(count: int, *, epoch: LeaderEpoch | None = FIRST_EPOCH) -> ReplicaLog:
    return ReplicaLog(
        tuple(Record(Offset(offset), epoch, f"m{offset}", f"r{offset}") for offset in range(count))
    )


def leader(
    log_end: int,
    *remotes: RemoteReplica,
    isr: Sequence[int] = (1, 2, 3),
    high_watermark: int = 0,
    leader_epoch: int = 0,
) -> Replica:
    """Broker 1 leading, with what it believes of its followers."""
    return Replica(
        partition=PARTITION,
        broker_id=B1,
        log=records(log_end),
        epoch_cache=((FIRST_EPOCH, FIRST_OFFSET),),
        loaded=True,
        leader=B1,
        leader_epoch=LeaderEpoch(leader_epoch),
        partition_epoch=4,
        high_watermark=Offset(high_watermark),
        leading=LeadingState(
            leader_epoch_start_offset=FIRST_OFFSET, isr=tuple(map(BrokerId, isr)), remotes=remotes
        ),
    )


def follower(log_end: int, *, kafka: str, leader_epoch: int = 0) -> Replica:
    """Broker 2 following broker 1."""
    replica = Replica(
        partition=PARTITION,
        broker_id=B2,
        log=records(log_end),
        epoch_cache=((FIRST_EPOCH, FIRST_OFFSET),),
        loaded=True,
        leader=B1,
        leader_epoch=LeaderEpoch(leader_epoch),
        following=True,
    )
    return replace(
        replica,
        fetcher=start_fetching(replica, B1, LeaderEpoch(leader_epoch), resolve_profile(kafka)),
    )


def fetch(
    replica: Replica,
    of: PartitionSettings,
    offset: int,
    *,
    sender: int = 2,
    now_ms: int = NOW,
    epoch: LeaderEpoch | None = None,
    last_epoch: LeaderEpoch | None = None,
    broker_epochs: tuple[int, int] | None = None,
    message_id: int = 1,
) -> Outcome:
    """A follower's fetch arrives at the leader; `broker_epochs` are the one it names and the one
    that the leader knows."""
    claimed, known = broker_epochs or (None, None)
    request = FetchRequest(
        fetch_offset=Offset(offset),
        log_start_offset=FIRST_OFFSET,
        current_leader_epoch=epoch,
        last_fetched_epoch=last_epoch,
        broker_epoch=claimed,
    )
    message = Message(
        id=message_id,
        sender=BrokerId(sender),
        receiver=B1,
        partition=PARTITION,
        payload=request,
        sent_ms=TimeMs(now_ms),
    )
    return handle_fetch(
        replica,
        message,
        request,
        settings=of,
        now_ms=TimeMs(now_ms),
        eligible=frozenset({B1, B2, B3}),
        known_broker_epoch=known,
    )


def answers(outcome: Outcome) -> list[FetchResponse]:
    return [send.payload for send in outcome.sends if isinstance(send.payload, FetchResponse)]


def believed(outcome: Outcome, broker_id: int) -> RemoteReplica:
    assert outcome.replica.leading is not None
    return next(
        remote for remote in outcome.replica.leading.remotes if remote.broker_id == broker_id
    )


# --- KIP-16: lag by messages (0.8), by time (0.9 on) -----------------------------------------


@pytest.mark.parametrize(("log_end", "why"), [(6_000, None), (5_999, "slow")])
def test_in_0_8_a_follower_is_slow_when_more_than_lag_max_messages_behind(log_end, why):
    remote = RemoteReplica(broker_id=B2, log_end_offset=log_end, last_fetch_time_ms=TimeMs(NOW))

    assert (
        why_out_of_sync(remote, Offset(10_000), settings=settings("0.8.2"), now_ms=TimeMs(NOW))
        == why
    )


def test_how_many_records_a_follower_is_behind_plays_no_part_from_0_9_on():
    remote = RemoteReplica(
        broker_id=B2, log_end_offset=FIRST_OFFSET, last_caught_up_time_ms=TimeMs(NOW - LAG_MS)
    )

    assert (
        why_out_of_sync(remote, Offset(10_000), settings=settings("0.9"), now_ms=TimeMs(NOW))
        is None
    )


@pytest.mark.parametrize(("elapsed_ms", "why"), [(LAG_MS, None), (LAG_MS + 1, "stuck")])
def test_in_0_8_a_follower_that_stops_fetching_is_stuck_even_at_the_leaders_end(elapsed_ms, why):
    remote = RemoteReplica(
        broker_id=B2, log_end_offset=Offset(5), last_fetch_time_ms=NOW - elapsed_ms
    )

    assert why_out_of_sync(remote, Offset(5), settings=settings("0.8.2"), now_ms=TimeMs(NOW)) == why


def test_in_0_8_a_follower_that_keeps_fetching_behind_stays_and_from_0_9_on_it_leaves():
    remote = RemoteReplica(
        broker_id=B2,
        log_end_offset=Offset(3),
        last_fetch_time_ms=TimeMs(NOW),
        last_caught_up_time_ms=TimeMs(NOW - LAG_MS - 1),
    )

    assert (
        why_out_of_sync(remote, Offset(5), settings=settings("0.8.2"), now_ms=TimeMs(NOW)) is None
    )
    assert (
        why_out_of_sync(remote, Offset(5), settings=settings("0.9"), now_ms=TimeMs(NOW)) == "late"
    )


def test_kip_16_can_be_switched_off_in_a_later_release():
    remote = RemoteReplica(
        broker_id=B2,
        log_end_offset=FIRST_OFFSET,
        last_fetch_time_ms=TimeMs(NOW),
        last_caught_up_time_ms=TimeMs(NOW),
    )
    without = settings("3.9", {"KIP-16": False}, lag_messages=4)

    assert why_out_of_sync(remote, Offset(5), settings=without, now_ms=TimeMs(NOW)) == "slow"
    assert (
        why_out_of_sync(
            remote, Offset(5), settings=settings("3.9", lag_messages=4), now_ms=TimeMs(NOW)
        )
        is None
    )


def test_a_shrink_says_of_each_follower_why():
    replica = leader(
        5,
        RemoteReplica(broker_id=B2, log_end_offset=FIRST_OFFSET, last_fetch_time_ms=TimeMs(NOW)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(5), last_fetch_time_ms=TimeMs(NOW - LAG_MS - 7)
        ),
    )
    of = settings("0.8.2", lag_messages=4)

    change = maybe_shrink_isr(replica, settings=of, now_ms=TimeMs(NOW))
    assert change is not None
    events = out_of_sync_events(replica, change, settings=of, now_ms=TimeMs(NOW))

    assert change.isr == (1,)
    slow, stuck = events
    assert isinstance(slow, FollowerOutOfSync)
    assert isinstance(stuck, FollowerOutOfSync)
    assert (slow.variant, slow.replica, slow.behind) == ("slow", 2, 5)
    assert (stuck.variant, stuck.replica, stuck.elapsed_ms) == ("stuck", 3, LAG_MS + 7)


# --- KAFKA-4485, KAFKA-7152: when a follower counts as caught up -----------------------------


@pytest.mark.parametrize(("kafka", "caught_up_ms"), [("0.10.1", 100), ("0.10.2", NOW - 2_000)])
def test_asking_for_what_was_the_end_counts_as_of_the_previous_fetch_from_0_10_2_on(
    kafka, caught_up_ms
):
    replica = leader(
        15,
        RemoteReplica(
            broker_id=B2,
            log_end_offset=Offset(5),
            last_fetch_leader_log_end_offset=Offset(10),
            last_fetch_time_ms=TimeMs(NOW - 2_000),
            last_caught_up_time_ms=TimeMs(100),
        ),
        isr=(1, 2),
    )

    outcome = fetch(replica, settings(kafka), 10)

    assert believed(outcome, 2).last_caught_up_time_ms == caught_up_ms


def test_asking_for_the_end_counts_as_of_now_in_every_release():
    replica = leader(15, RemoteReplica(broker_id=B2, log_end_offset=Offset(5)), isr=(1, 2))

    for kafka in ("0.9", "0.10.1", "0.10.2", "3.9"):
        assert believed(fetch(replica, settings(kafka), 15), 2).last_caught_up_time_ms == NOW


@pytest.mark.parametrize(("kafka", "high_watermark"), [("0.10.1", 10), ("0.10.2", 6)])
def test_the_high_watermark_waits_for_a_caught_up_outsider_from_0_10_2_on(kafka, high_watermark):
    replica = leader(
        10,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(6)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(6), last_caught_up_time_ms=TimeMs(NOW - 1)
        ),
        isr=(1, 2),
        high_watermark=6,
    )

    assert fetch(replica, settings(kafka), 10).replica.high_watermark == high_watermark


@pytest.mark.parametrize(("kafka", "period_ms"), [("0.9", 10_000), ("0.10.2", 5_000)])
def test_the_isr_is_checked_twice_as_often_from_0_10_2_on(kafka, period_ms):
    periods = {timer.kind: timer.period_ms for timer in start_timers(cluster(kafka=kafka))}

    assert periods["isr_expiration"] == period_ms


@pytest.mark.parametrize(("kafka", "why"), [("2.0.1", "late"), ("2.1", None)])
def test_a_follower_at_the_leaders_end_stays_however_long_ago_it_fetched_from_2_1_on(kafka, why):
    remote = RemoteReplica(
        broker_id=B2, log_end_offset=Offset(5), last_caught_up_time_ms=TimeMs(100)
    )

    assert why_out_of_sync(remote, Offset(5), settings=settings(kafka), now_ms=TimeMs(NOW)) == why


@pytest.mark.parametrize(("kafka", "remembered"), [("3.0", 8), ("3.3", 9)])
def test_the_end_remembered_from_a_fetch_does_not_fall_from_3_3_on(kafka, remembered):
    replica = leader(
        8, RemoteReplica(broker_id=B2, last_fetch_leader_log_end_offset=Offset(9)), isr=(1, 2)
    )

    outcome = fetch(replica, settings(kafka), 8)

    assert believed(outcome, 2).last_fetch_leader_log_end_offset == remembered


# --- KIP-392's eager wake, KAFKA-8841, KAFKA-13091: when the high watermark is looked at ------


def high_watermarks_told(kafka: str) -> list[tuple[int, int]]:
    """Broker 3 waits at the end; then broker 2 acknowledges everything. Who hears of it at once."""
    of = settings(kafka)
    replica = leader(
        1,
        RemoteReplica(broker_id=B2, log_end_offset=FIRST_OFFSET),
        RemoteReplica(broker_id=B3, log_end_offset=FIRST_OFFSET),
    )
    waiting = fetch(replica, of, 1, sender=3, message_id=1)
    assert answers(waiting) == []

    outcome = fetch(waiting.replica, of, 1, sender=2, message_id=2)

    assert outcome.replica.high_watermark == 1
    return [
        (send.receiver, answer.high_watermark)
        for send, answer in zip(outcome.sends, answers(outcome), strict=True)
        if isinstance(send.receiver, int)
    ]


def test_a_new_high_watermark_is_told_at_once_in_2_4_only():
    assert high_watermarks_told("2.3") == []
    assert high_watermarks_told("2.4") == [(3, 1), (2, 1)]
    assert high_watermarks_told("2.7") == []


def test_in_2_4_a_fetch_is_not_kept_waiting_when_the_follower_was_told_less():
    replica = leader(
        1, RemoteReplica(broker_id=B2, log_end_offset=Offset(1)), isr=(1, 2), high_watermark=1
    )

    told = fetch(replica, settings("2.4"), 1)
    told_already = fetch(told.replica, settings("2.4"), 1)

    assert [answer.high_watermark for answer in answers(told)] == [1]
    assert answers(told_already) == []


@pytest.mark.parametrize("kafka", ["2.3", "2.4", "2.7"])
def test_a_shrink_that_moves_the_high_watermark_wakes_who_waits_in_2_4_only(kafka):
    of = settings(kafka)
    replica = leader(1, RemoteReplica(broker_id=B2), RemoteReplica(broker_id=B3))
    waiting = fetch(replica, of, 1).replica

    outcome = with_isr(
        waiting,
        (B1, B2),
        5,
        settings=of,
        now_ms=TimeMs(NOW),
        eligible=frozenset({B1, B2, B3}),
        look_at_high_watermark=True,
    )

    assert outcome.replica.high_watermark == 1
    assert len(answers(outcome)) == (1 if kafka == "2.4" else 0)


@pytest.mark.parametrize(("kafka", "high_watermark"), [("2.3", 2), ("2.4", 1)])
def test_a_fetch_from_where_the_follower_was_moves_no_high_watermark_from_2_4_on(
    kafka, high_watermark
):
    """Broker 3, outside the ISR, was waited for until now; nothing but time has changed."""
    replica = leader(
        2,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(2)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(1), last_caught_up_time_ms=TimeMs(NOW - LAG_MS - 1)
        ),
        isr=(1, 2),
        high_watermark=1,
    )

    assert fetch(replica, settings(kafka), 2).replica.high_watermark == high_watermark


# --- KAFKA-13790: what a change of the partition resets --------------------------------------


def after_a_change_of_the_isr(kafka: str) -> Outcome:
    replica = leader(
        7,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(6), last_fetch_time_ms=TimeMs(9)),
        isr=(1, 2),
    )
    return become_leader(
        replica,
        PartitionRegistration(
            partition=PARTITION,
            replicas=(B1, B2),
            isr=(B1,),
            leader=B1,
            leader_epoch=FIRST_EPOCH,
            partition_epoch=5,
        ),
        settings=settings(kafka, control="kraft"),
        now_ms=TimeMs(NOW),
        eligible=frozenset({B1, B2}),
    )


def test_up_to_3_2_every_change_makes_a_kraft_leader_begin_anew():
    outcome = after_a_change_of_the_isr("3.0")

    assert outcome.replica.leading is not None
    assert outcome.replica.leading.leader_epoch_start_offset == 7
    assert believed(outcome, 2).log_end_offset == 6
    assert believed(outcome, 2).last_fetch_leader_log_end_offset == 7
    assert LeaderStateReset in [type(event) for event in outcome.events]


def test_from_3_3_on_only_a_new_leader_epoch_does():
    outcome = after_a_change_of_the_isr("3.3")

    assert outcome.replica.leading is not None
    assert outcome.replica.leading.leader_epoch_start_offset == 0
    assert believed(outcome, 2).last_fetch_time_ms == 9
    assert LeaderStateReset not in [type(event) for event in outcome.events]


# --- KAFKA-13837, KAFKA-14078: who may fetch -------------------------------------------------


@pytest.mark.parametrize(
    ("epoch", "error"),
    [(0, ErrorCode.UNKNOWN_LEADER_EPOCH), (None, ErrorCode.NOT_LEADER_OR_FOLLOWER)],
)
def test_from_3_3_on_a_fetch_of_no_replica_is_an_error(epoch, error):
    replica = leader(2, RemoteReplica(broker_id=B2), isr=(1,))

    outcome = fetch(replica, settings("3.3"), 0, sender=9, epoch=epoch)

    assert [answer.error for answer in answers(outcome)] == [error]
    assert outcome.replica == replica


def test_before_3_3_a_fetch_of_no_replica_gets_nothing_and_no_error():
    replica = leader(2, RemoteReplica(broker_id=B2), isr=(1,))

    outcome = fetch(replica, settings("3.0"), 0, sender=9, epoch=FIRST_EPOCH)

    assert [(answer.error, answer.records) for answer in answers(outcome)] == [(ErrorCode.NONE, ())]
    assert outcome.replica == replica


def test_the_epoch_is_checked_before_who_fetches():
    """Without KAFKA-14078 a broker that does not lead knows no follower, and says so first."""
    not_leading = follower(2, kafka="3.3")
    without = settings("3.3", {"KAFKA-14078": False})

    with_rule = fetch(not_leading, settings("3.3"), 0, sender=3, epoch=FIRST_EPOCH)
    without_rule = fetch(not_leading, without, 0, sender=3, epoch=FIRST_EPOCH)

    assert answers(with_rule)[0].error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert answers(without_rule)[0].error is ErrorCode.UNKNOWN_LEADER_EPOCH


# --- KAFKA-7164 and after: when a follower starts its fetcher anew ---------------------------


@pytest.mark.parametrize(
    ("kafka", "epoch", "restarts"),
    [
        ("2.0.0", 1, False),
        ("2.0.0", 2, False),
        ("2.0.1", 1, False),
        ("2.0.1", 2, True),
        ("2.1", 1, True),
        ("3.3", 1, True),
    ],
)
def test_the_same_leader_in_a_later_epoch_restarts_the_fetcher_by_version(kafka, epoch, restarts):
    following = follower(3, kafka=kafka)
    assert following.fetcher is not None
    busy = replace(following, fetcher=replace(following.fetcher, phase="fetching", awaiting=7))

    outcome = become_follower(
        busy,
        PartitionRegistration(
            partition=PARTITION,
            replicas=(B1, B2),
            isr=(B1, B2),
            leader=B1,
            leader_epoch=epoch,
            partition_epoch=5,
        ),
        settings=settings(kafka),
    )

    assert outcome.replica.fetcher is not None
    assert (outcome.replica.fetcher.awaiting is None) == restarts


# --- OFFSET_OUT_OF_RANGE at the follower -----------------------------------------------------


def out_of_range(
    kafka: str, which: Literal["earliest", "latest"], leader_offset: int, *, unclean: bool = True
) -> Outcome:
    """Broker 2, with two records, hears the leader's end or start after it was out of range."""
    replica = replace(
        follower(2, kafka=kafka),
        fetcher=FetcherState(
            leader=B1,
            leader_epoch=FIRST_EPOCH,
            phase="resetting_latest" if which == "latest" else "resetting_earliest",
            fetch_offset=Offset(2),
            truncation_fallback=FIRST_OFFSET,
            awaiting=1,
        ),
    )
    return handle_list_offsets_response(
        replica,
        ListOffsetsResponse(in_reply_to=1, which=which, offset=Offset(leader_offset)),
        settings=replace(settings(kafka), unclean_leader_election_enable=unclean),
        now_ms=TimeMs(NOW),
    )


@pytest.mark.parametrize(
    ("kafka", "ends"),
    [
        ("0.8.2", "halt"),
        ("0.9", "halt"),
        ("0.10.1", "hang"),
        ("0.10.2", "hang"),
        ("0.11", "exit"),
        ("2.0.0", "exit"),
        ("2.0.1", None),
    ],
)
def test_a_longer_log_than_the_leaders_ends_the_process_by_version(kafka, ends):
    outcome = out_of_range(kafka, "latest", 1, unclean=False)

    assert outcome.process_ends == ends
    assert outcome.replica.log_end_offset == (1 if ends is None else 2)
    assert out_of_range(kafka, "latest", 1).process_ends is None


@pytest.mark.parametrize(("kafka", "log_end"), [("0.8.2", 0), ("0.9", 2)])
def test_in_0_8_a_follower_in_range_again_drops_its_whole_log(kafka, log_end):
    """The leader had caught up by the time it was asked for its end, so its start is asked for."""
    assert out_of_range(kafka, "earliest", 0).replica.log_end_offset == log_end


@pytest.mark.parametrize("kafka", ["0.8.2", "0.9", "3.9"])
def test_a_follower_below_the_leaders_start_begins_there_in_every_release(kafka):
    replica = out_of_range(kafka, "earliest", 5).replica

    assert (replica.log.log_start_offset, replica.log_end_offset) == (5, 5)


# --- KAFKA-10706: empty epochs at the end ----------------------------------------------------


@pytest.mark.parametrize(("kafka", "kept"), [("2.4", ((0, 0), (1, 2))), ("2.7", ((0, 0),))])
def test_a_truncation_that_cuts_nothing_drops_empty_epochs_from_2_6_1_on(kafka, kept):
    replica = replace(follower(2, kafka=kafka), epoch_cache=((0, 0), (1, 2)))

    cut, removed, _ = truncate_to(replica, Offset(2), resolve_profile(kafka).rules)

    assert removed == ()
    assert cut.epoch_cache == kept


# --- KIP-497: one change at a time, and the larger set ----------------------------------------


@pytest.mark.parametrize(("kafka", "is_pending"), [("2.4", False), ("2.7", True)])
def test_who_joins_counts_at_once_from_2_7_on(kafka, is_pending):
    replica = leader(
        3, RemoteReplica(broker_id=B2, log_end_offset=FIRST_OFFSET), isr=(1,), high_watermark=3
    )

    outcome = fetch(replica, settings(kafka), 3)

    assert outcome.isr_write == PendingIsr(kind="expand", isr=(B1, B2), replicas=(B2,))
    assert outcome.replica.leading is not None
    assert (outcome.replica.leading.pending_isr is not None) == is_pending
    assert outcome.replica.leading.isr == (1,)


# --- how a process ends, and who may ask for an unclean election -----------------------------


@pytest.mark.parametrize(
    ("how", "process", "clean", "checkpoint"),
    [
        ("halt", "failed", False, 0),
        ("exit", "failed", True, 2),
        ("hang", "shutting_down", False, 0),
    ],
)
def test_a_broker_that_exits_writes_its_files_and_one_that_halts_or_hangs_does_not(
    how, process, clean, checkpoint
):
    state = cluster({1: "m1 m2", 2: "m1 m2"}, kafka="0.10.1", high_watermarks={2: 2})
    turn = Turn(state, frame=FrameNumber(1))

    apply_outcome(turn, Outcome(replica=state.replica(B2, PARTITION), process_ends=how))

    broker = turn.cluster.broker(B2)
    assert (broker.process, broker.clean_shutdown) == (process, clean)
    assert broker.replicas[0].checkpoint_high_watermark == checkpoint


@pytest.mark.parametrize(("kafka", "leader_after"), [("2.3", -1), ("2.4", 2)])
def test_an_administrator_can_ask_for_an_unclean_election_from_2_4_on(kafka, leader_after):
    state = crash(cluster(kafka=kafka, isr=(1,)), 1)
    turn = Turn(change_registration(state, leader=-1), frame=FrameNumber(1))
    turn.cluster = change_registered_broker(turn.cluster, 1, live=False)

    with nullcontext() if leader_after == 2 else pytest.raises(RefusedError):
        elect(turn, AskElection(partition=PARTITION, kind="unclean"))

    assert turn.cluster.controller.partition(PARTITION).leader == leader_after


def test_an_outsider_that_alone_holds_the_high_watermark_is_named():
    replica = leader(
        10,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(10)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(6), last_caught_up_time_ms=TimeMs(NOW - 1)
        ),
        isr=(1, 2),
        high_watermark=6,
    )

    outcome = fetch(replica, settings("2.3"), 10)

    held = next(event for event in outcome.events if isinstance(event, HighWatermarkHeld))
    assert (held.variant, held.outsiders) == ("outsider", (3,))
    assert (held.high_watermark, held.without) == (6, 10)


# --- fetches that prove nothing ---------------------------------------------------------------


@pytest.mark.parametrize(("is_on", "log_end"), [(True, -1), (False, 6)])
def test_a_fetch_that_diverges_tells_the_leader_nothing(is_on, log_end):
    replica = leader(4, RemoteReplica(broker_id=B2), isr=(1, 2), high_watermark=0)
    of = settings("2.8", {"KAFKA-13141": is_on})

    outcome = fetch(replica, of, 6, epoch=FIRST_EPOCH, last_epoch=FIRST_EPOCH)

    assert answers(outcome)[0].diverging_epoch == (0, 4)
    assert believed(outcome, 2).log_end_offset == log_end
    assert outcome.replica.high_watermark == (0 if is_on else 4)


@pytest.mark.parametrize(
    ("kafka", "named"), [("3.4.1", [0, 0, 0]), ("3.6", [0, None, 0]), ("3.7", [0, 0, 0])]
)
def test_an_empty_first_answer_makes_a_follower_forget_its_epoch_until_3_7(kafka, named):
    state = cluster({1: "m1/0", 2: "m1/0"}, kafka=kafka, brokers=(1, 2), leader=1)
    following = state.replica(B2, PARTITION).fetcher
    assert following is not None
    fetcher = replace(following, has_fetched=False)
    play = Play(change_replica(state, 2, fetcher=fetcher, leader_epoch=0), FrameNumber(1), 100)

    play_step(play, Fetch(broker=B2))
    play_step(play, Produce(to=PARTITION, values=("m2",), acks=1))
    play_step(play, Fetch(broker=B2))
    play_step(play, Fetch(broker=B2))

    said = [one for played in play.played for one in played.transition.events]
    asked = [one.last_fetched_epoch for one in said if isinstance(one, FetchSent)]
    assert [asked[0], asked[1], asked[-1]] == named
    assert any(isinstance(one, FetchedEpochForgotten) for one in said) is (None in named)


@pytest.mark.parametrize(
    ("which", "offset", "variant"), [("latest", 2, "latest"), ("earliest", 0, None)]
)
def test_a_follower_that_is_told_an_offset_within_its_log_says_so(which, offset, variant):
    outcome = out_of_range("3.9", which, offset)

    assert [(type(one), one.variant) for one in outcome.events] == [(LeaderOffsetHeard, variant)]
    assert outcome.replica.log_end_offset == 2


@pytest.mark.parametrize(
    ("kafka", "error", "log_end"),
    [
        ("3.4.1", ErrorCode.NONE, 2),
        ("3.5", ErrorCode.NONE, 2),
        ("3.6", ErrorCode.NONE, 2),
        ("3.7", ErrorCode.NOT_LEADER_OR_FOLLOWER, -1),
    ],
)
def test_a_fetch_of_the_process_before_is_rejected_from_3_7_on(kafka, error, log_end):
    replica = leader(3, RemoteReplica(broker_id=B2), isr=(1, 2))

    stale = fetch(replica, settings(kafka, control="kraft"), 2, broker_epochs=(1, 2))
    current = fetch(replica, settings(kafka, control="kraft"), 2, broker_epochs=(2, 2))

    assert [answer.error for answer in answers(stale)] == [error]
    assert believed(stale, 2).log_end_offset == log_end
    assert believed(current, 2).log_end_offset == 2


def test_under_zookeeper_no_broker_epoch_is_asked_for():
    replica = leader(3, RemoteReplica(broker_id=B2), isr=(1, 2))

    outcome = fetch(replica, settings("3.7", control="zookeeper"), 2, broker_epochs=(1, 2))

    assert [answer.error for answer in answers(outcome)] == [ErrorCode.NONE]


# --- KAFKA-6857: where "no epoch" ends -------------------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "log"),
    [
        ("0.11.0.2", "a x"),
        ("0.11.0.3", "a"),
        ("1.0.1", "a x"),
        ("1.0.2", "a"),
        ("1.1.0", "a x"),
        ("1.1.1", "a"),
    ],
)
def test_no_epoch_ends_nowhere_from_1_0_2_and_1_1_1_on(kafka, log):
    """Neither replica knows an epoch, as after an upgrade; the follower is ahead."""
    logs = {
        1: {"log": "a b", "high_watermark": 1},
        2: {"log": "a x", "high_watermark": 1},
    }
    world = World(kafka, logs=logs)
    for broker in (1, 2):
        world.change(broker, epoch_cache=())

    world.do("fetch", broker=2, only="truncation")

    assert world.log(2).replace("/0", "") == log


# --- KAFKA-5758: the high watermark of an answer that carries records ------------------------


@pytest.mark.parametrize(
    ("kafka", "high_watermark"),
    [
        ("0.11.0.3", 1),
        ("1.0.0", 2),
        ("1.0.1", 2),
        ("1.0.2", 1),
        ("1.1.0", 2),
        ("1.1.1", 1),
        ("2.0.0", 1),
    ],
)
def test_an_answer_with_records_has_the_new_high_watermark_in_three_releases(kafka, high_watermark):
    world = World(
        kafka,
        replicas=[1, 2],
        logs={
            1: {"log": "a/0 b/0 c/0", "high_watermark": 1},
            2: {"log": "a/0 b/0", "high_watermark": 1},
        },
    )

    answer = world.fetch_as(2, 2)

    assert answer is not None
    assert (len(answer.records), answer.high_watermark) == (1, high_watermark)
    assert world.replica(1).high_watermark == 2


def test_who_joins_by_the_fetch_counts_for_the_high_watermark_of_its_answer():
    world = World(
        "1.0.1",
        replicas=[1, 2],
        isr=[1],
        logs={
            1: {"log": "a/0 b/0 c/0", "high_watermark": 1},
            2: {"log": "a/0 b/0", "high_watermark": 1},
        },
    )

    answer = world.fetch_as(2, 2)

    assert answer is not None
    assert (answer.high_watermark, world.replica(1).high_watermark) == (2, 2)


# --- KAFKA-12996: below the leader's log start -----------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "error", "agrees_through"),
    [
        ("2.8.0", ErrorCode.NONE, 0),
        ("2.8.1", ErrorCode.OFFSET_OUT_OF_RANGE, None),
        ("3.9", ErrorCode.OFFSET_OUT_OF_RANGE, None),
    ],
)
def test_a_fetch_from_below_the_log_is_out_of_range_from_2_8_1_on(kafka, error, agrees_through):
    world = World(kafka, leader_epoch=4, logs={1: {"log": values(5) + " d/4"}})
    world.change(
        1,
        log=ReplicaLog(world.replica(1).log.records[3:], Offset(3)),
        epoch_cache=((0, 3), (4, 5)),
        high_watermark=3,
    )

    answer = world.fetch_as(2, 1, last_epoch=LeaderEpoch(2))

    assert answer is not None
    assert answer.error is error
    assert answer.diverging_epoch == (None if agrees_through is None else (agrees_through, 5))

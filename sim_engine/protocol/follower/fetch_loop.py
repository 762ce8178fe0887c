"""A partition as a follower handles it: send the next request, apply its answer, truncate.

A follower has at most one request under way for a partition. What it sends next depends only on its
phase: a lookup while truncating, a fetch while fetching, an offset request after it fell out of the
leader's range.
"""

from collections.abc import Mapping
from typing import Literal, TypedDict

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event, Evidence
from sim_engine.events.fetch import (
    DivergenceHeard,
    EpochLookupSent,
    FetchApplied,
    FetchedEpochForgotten,
    FetchErrorReceived,
    FetchSent,
    LeaderOffsetHeard,
    ListOffsetsSent,
    PartitionFailed,
)
from sim_engine.events.high_watermark import FollowerHighWatermarkSet
from sim_engine.events.log import EpochsDropped, LogTruncated, TruncationCase, TruncationNotNeeded
from sim_engine.events.metadata import BecameFollower, BecameLeaderless, PartitionChangeTaken
from sim_engine.events.process import (
    BrokerExited,
    BrokerHalted,
    BrokerHung,
    LongerThanLeader,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.appending import append_records
from sim_engine.protocol.follower.truncation import (
    TruncationPoint,
    by_common_epoch,
    by_offset_alone,
    epoch_to_ask,
)
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset, EpochEntries
from sim_engine.protocol.log.replica_log import ReplicaLog
from sim_engine.protocol.messages import (
    FetchRequest,
    FetchResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    Send,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.outcome import Outcome, ProcessEnd, step_down_answers
from sim_engine.protocol.replica import (
    FetcherState,
    LateRequest,
    Replica,
    late_requests_of,
    truncate_to,
)
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.records import Record
from sim_engine.versions import Profile


def fetcher_of(replica: Replica) -> FetcherState:
    """The fetch loop of a replica that follows somebody."""
    assert replica.fetcher is not None, "the replica follows a leader"
    return replica.fetcher


# --- becoming follower -----------------------------------------------------------------------


def become_follower(
    replica: Replica, registration: PartitionRegistration, *, settings: PartitionSettings
) -> Outcome:
    """Follow as the controller says (`Partition.makeFollower`, `ReplicaManager.makeFollowers`).

    Waiting produces are told that this is no leader. The fetch loop starts anew, and with it
    truncation, only where the version's rule says so; before 0.11 it begins by cutting the log to
    this replica's own high watermark. One that goes on with the same leader says what epoch it has
    read.
    """
    profile = settings.profile
    restart = _restarts_fetcher(replica, registration, profile)
    answers = step_down_answers(replica)
    events: list[Event] = []
    if restart or replica.leading is not None:
        events.append(
            BecameFollower(
                broker=replica.broker_id,
                partition=replica.partition,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
            )
        )
    elif (registration.leader_epoch, registration.partition_epoch) != (
        replica.leader_epoch,
        replica.partition_epoch,
    ):
        same = registration.leader_epoch == replica.leader_epoch
        events.append(
            PartitionChangeTaken(
                variant="follower" if same else "follower_epoch",
                rule="KRAFT-PARTITION-CHANGE" if same else None,
                broker=replica.broker_id,
                partition=replica.partition,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
                partition_epoch=registration.partition_epoch,
            )
        )
    fetcher = replica.fetcher
    replica = replace(
        replica,
        leader=registration.leader,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        leading=None,
        late_requests=late_requests_of(replica) if restart else replica.late_requests,
        following=True,
    )
    if not restart:
        return Outcome(replica=replica, answers=answers, events=tuple(events))
    if not profile.has_epochs:
        replica, cut = _truncated(
            replica,
            TruncationPoint(offset=replica.high_watermark, complete=True, variant="high_watermark"),
            settings,
            rule="HW-TRUNCATION",
            sources=("ReplicaManager", "KIP-101"),
        )
        events.extend(cut)
    fetcher = start_fetching(replica, registration.leader, registration.leader_epoch, profile)
    return Outcome(replica=replace(replica, fetcher=fetcher), answers=answers, events=tuple(events))


def become_leaderless(replica: Replica, registration: PartitionRegistration) -> Outcome:
    """Nobody leads: stay a follower without a fetch loop (KRaft, `applyLocalFollowersDelta`)."""
    return Outcome(
        replica=replace(
            replica,
            leader=NO_LEADER,
            leader_epoch=registration.leader_epoch,
            partition_epoch=registration.partition_epoch,
            leading=None,
            fetcher=None,
            late_requests=late_requests_of(replica),
            following=True,
        ),
        answers=step_down_answers(replica),
        events=(
            BecameLeaderless(
                broker=replica.broker_id,
                partition=replica.partition,
                leader_epoch=registration.leader_epoch,
            ),
        ),
    )


def _restarts_fetcher(
    replica: Replica, registration: PartitionRegistration, profile: Profile
) -> bool:
    new_leader = replica.leader != registration.leader or replica.fetcher is None
    epochs_ahead = registration.leader_epoch - replica.leader_epoch
    if profile.fetcher_restart == "leader_changed":
        return new_leader
    if profile.fetcher_restart == "leader_changed_or_epoch_gap":
        return new_leader or epochs_ahead > 1
    if profile.fetcher_restart == "leader_or_epoch":
        return new_leader or epochs_ahead != 0
    return new_leader or epochs_ahead > 0


def start_fetching(
    replica: Replica, leader: int, leader_epoch: int, profile: Profile
) -> FetcherState:
    """A fetch loop that begins (`AbstractFetcherThread.partitionFetchState`).

    With truncation on fetch a replica that knows any epoch fetches at once; without epochs at all
    it fetches at once too; else it truncates first.
    """
    if not profile.has_epochs or (profile.rules.truncation_on_fetch and replica.epoch_cache):
        phase, offset = "fetching", replica.log_end_offset
    else:
        phase = "truncating"
        offset = (
            replica.high_watermark
            if profile.initial_fetch_offset == "high_watermark"
            else replica.log_end_offset
        )
    return FetcherState(
        leader=leader,
        leader_epoch=leader_epoch,
        phase="fetching" if phase == "fetching" else "truncating",
        fetch_offset=offset,
        truncation_fallback=replica.high_watermark,
    )


# --- sending ---------------------------------------------------------------------------------


def send_next(
    replica: Replica,
    *,
    settings: PartitionSettings,
    broker_epoch: int | None,
    message_id: int,
    max_records: int | None = None,
) -> Outcome:
    """Send the next request of the fetch loop, which will carry `message_id`."""
    profile = settings.profile
    rules = profile.rules
    reconciled = truncate_where_diverging(replica, settings=settings)
    replica = reconciled.replica
    fetcher = fetcher_of(replica)
    events: list[Event] = list(reconciled.events)
    if (
        fetcher.phase == "truncating"
        and not replica.epoch_cache
        and rules.iterative_epoch_truncation
    ):
        replica, cut = _truncated(
            replica,
            TruncationPoint(offset=fetcher.truncation_fallback, complete=True, variant="no_epochs"),
            settings,
            rule="KIP-279",
            sources=("AbstractFetcherThread",),
        )
        fetcher = replace(fetcher, phase="fetching", fetch_offset=replica.log_end_offset)
        events.extend(cut)
    current_epoch = fetcher.leader_epoch if rules.fetch_fencing else None
    payload: FetchRequest | OffsetsForLeaderEpochRequest | ListOffsetsRequest
    if fetcher.phase == "truncating":
        asked = epoch_to_ask(replica)
        payload = OffsetsForLeaderEpochRequest(
            leader_epoch=asked, current_leader_epoch=current_epoch
        )
        events.append(
            EpochLookupSent(
                variant=None if replica.epoch_cache else "no_epoch",
                broker=replica.broker_id,
                partition=replica.partition,
                leader=fetcher.leader,
                epoch=asked,
            )
        )
    elif fetcher.phase == "fetching":
        names_epoch = rules.truncation_on_fetch and replica.epoch_cache and not fetcher.forgot_epoch
        last_epoch = replica.latest_epoch if names_epoch else None
        payload = FetchRequest(
            fetch_offset=fetcher.fetch_offset,
            log_start_offset=replica.log.log_start_offset,
            current_leader_epoch=current_epoch,
            last_fetched_epoch=last_epoch,
            broker_epoch=broker_epoch if rules.broker_epoch_in_isr else None,
            max_records=max_records,
        )
        events.append(
            FetchSent(
                variant="with_epoch" if last_epoch is not None else None,
                broker=replica.broker_id,
                partition=replica.partition,
                leader=fetcher.leader,
                fetch_offset=fetcher.fetch_offset,
                leader_epoch=current_epoch,
                last_fetched_epoch=last_epoch,
            )
        )
    else:
        which: Literal["latest", "earliest"] = (
            "latest" if fetcher.phase == "resetting_latest" else "earliest"
        )
        payload = ListOffsetsRequest(which=which, current_leader_epoch=current_epoch)
        events.append(
            ListOffsetsSent(
                broker=replica.broker_id,
                partition=replica.partition,
                leader=fetcher.leader,
                which=which,
            )
        )
    return Outcome(
        replica=replace(
            replica, fetcher=replace(fetcher, awaiting=message_id, delayed_until_ms=None)
        ),
        sends=(Send(receiver=fetcher.leader, partition=replica.partition, payload=payload),),
        events=tuple(events),
    )


# --- answers ---------------------------------------------------------------------------------


def handle_fetch_response(
    replica: Replica,
    response: FetchResponse,
    *,
    settings: PartitionSettings,
    now_ms: int,
    asked_in: LeaderEpoch | None = None,
) -> Outcome:
    """Append what came and take over the leader's high watermark, or truncate, or start over.

    `asked_in` is the epoch that the request carried where an earlier fetch loop sent it.

    The high watermark is set, not raised: it may go down (see
    `ReplicaFetcherThread.processPartitionData`). It never truncates anything by itself.
    """
    rules = settings.profile.rules
    fetcher = fetcher_of(replica)
    if response.error is ErrorCode.OFFSET_OUT_OF_RANGE:
        return Outcome(
            replica=replace(
                replica, fetcher=replace(fetcher, phase="resetting_latest", awaiting=None)
            ),
            events=(_error_event(replica, fetcher, response.error, None),),
        )
    if response.error is not ErrorCode.NONE:
        return _after_error(
            replica, response.error, settings=settings, now_ms=now_ms, asked_in=asked_in
        )
    if response.diverging_epoch is not None:
        diverging = replace(
            replica,
            fetcher=replace(fetcher, awaiting=None, diverging_epoch=response.diverging_epoch),
        )
        if rules.diverging_response_is_only_that:
            return truncate_where_diverging(diverging, settings=settings)
        raised, before = _with_high_watermark(diverging, response.high_watermark)
        done = truncate_where_diverging(raised, settings=settings)
        if raised.high_watermark <= done.replica.log_end_offset:
            return replace(done, events=(*before, *done.events))
        # Until it truncates, which is its next step, it shows as committed what it will cut.
        heard = DivergenceHeard(
            broker=replica.broker_id,
            partition=replica.partition,
            leader=fetcher.leader,
            diverging_epoch=response.diverging_epoch[0],
            end_offset=response.diverging_epoch[1],
            high_watermark=raised.high_watermark,
        )
        moved = tuple(
            replace(happened, variant="diverging", rule="KAFKA-14704") for happened in before
        )
        return Outcome(replica=raised, events=moved or (heard,))
    appended = append_records(replica, response.records, settings=settings)
    replica, high_watermark_events = _with_high_watermark(appended.replica, response.high_watermark)
    applied = FetchApplied(
        variant=None if response.records else "empty",
        broker=replica.broker_id,
        partition=replica.partition,
        leader=fetcher.leader,
        records=len(response.records),
        values=tuple(record.value for record in response.records),
        log_end_offset=replica.log_end_offset,
        high_watermark=response.high_watermark,
        evidence=Evidence(
            partition=replica.partition,
            replicas=(replica.broker_id,),
            offsets=tuple(record.offset for record in response.records),
            records=response.records,
        ),
    )
    forgets = (
        rules.empty_first_answer_forgets_epoch
        and not fetcher.has_fetched
        and not response.records
        and bool(replica.epoch_cache)
    )
    forgotten: tuple[Event, ...] = ()
    if forgets:
        forgotten = (
            FetchedEpochForgotten(
                broker=replica.broker_id,
                partition=replica.partition,
                leader=fetcher.leader,
                epoch=replica.latest_epoch,
            ),
        )
    return Outcome(
        replica=replace(
            replica,
            fetcher=replace(
                fetcher,
                awaiting=None,
                has_fetched=True,
                forgot_epoch=forgets or (fetcher.forgot_epoch and not response.records),
                fetch_offset=replica.log_end_offset,
            ),
        ),
        events=(applied, *appended.events, *forgotten, *high_watermark_events),
    )


def _with_high_watermark(
    replica: Replica, response_high_watermark: int
) -> tuple[Replica, tuple[Event, ...]]:
    before = replica.high_watermark
    after = max(replica.log.log_start_offset, min(response_high_watermark, replica.log_end_offset))
    if after == before:
        return replica, ()
    return replace(replica, high_watermark=after), (
        FollowerHighWatermarkSet(
            variant="back" if after < before else None,
            broker=replica.broker_id,
            partition=replica.partition,
            before=before,
            after=after,
            response_high_watermark=response_high_watermark,
            log_end_offset=replica.log_end_offset,
        ),
    )


def handle_offsets_for_leader_epoch_response(
    replica: Replica,
    response: OffsetsForLeaderEpochResponse,
    *,
    settings: PartitionSettings,
    now_ms: int,
) -> Outcome:
    """Truncate to where the leader says the epochs part, or ask again (KIP-101, KIP-279)."""
    rules = settings.profile.rules
    fetcher = fetcher_of(replica)
    if response.error is not ErrorCode.NONE:
        return _after_error(replica, response.error, settings=settings, now_ms=now_ms)
    if rules.iterative_epoch_truncation:
        point = by_common_epoch(replica, fetcher.truncation_fallback, response.end_offset, rules)
    else:
        point = by_offset_alone(replica, fetcher.truncation_fallback, response.end_offset)
    return _after_lookup(
        replica, point, response.end_offset, settings=settings, stays_fetching=False
    )


def _after_lookup(
    replica: Replica,
    point: TruncationPoint,
    leader_end: tuple[int, int],
    *,
    settings: PartitionSettings,
    stays_fetching: bool,
) -> Outcome:
    rule = "KIP-279" if settings.profile.rules.iterative_epoch_truncation else "KIP-101"
    if stays_fetching:
        rule = "KAFKA-10554"
    replica, events = _truncated(
        replica,
        point,
        settings,
        rule=rule,
        sources=(rule, "AbstractFetcherThread"),
        on_fetch=stays_fetching,
        leader_end=leader_end,
    )
    done = point.complete or stays_fetching
    return Outcome(
        replica=_continuing(replica, "fetching" if done else "truncating"), events=events
    )


def truncate_where_diverging(replica: Replica, *, settings: PartitionSettings) -> Outcome:
    """Cut the log where the leader's answer said that it parts from its own, if one did
    (`AbstractFetcherThread.truncateOnFetchResponse`)."""
    fetcher = replica.fetcher
    if fetcher is None or fetcher.diverging_epoch is None:
        return Outcome(replica=replica)
    return _after_lookup(
        replace(replica, fetcher=replace(fetcher, diverging_epoch=None)),
        by_common_epoch(
            replica, fetcher.truncation_fallback, fetcher.diverging_epoch, settings.profile.rules
        ),
        fetcher.diverging_epoch,
        settings=settings,
        stays_fetching=True,
    )


_ENDS: Mapping[ProcessEnd, type[LongerThanLeader]] = {
    "exit": BrokerExited,
    "halt": BrokerHalted,
    "hang": BrokerHung,
}


def handle_list_offsets_response(
    replica: Replica,
    response: ListOffsetsResponse,
    *,
    settings: PartitionSettings,
    now_ms: int,
) -> Outcome:
    """After OFFSET_OUT_OF_RANGE: cut to the leader's end, or start over at its start.

    Up to 2.0.0 a broker whose log is the longer one ends itself instead, where unclean election is
    off (`ReplicaFetcherThread.handleOffsetOutOfRange`, KAFKA-7414).
    """
    fetcher = fetcher_of(replica)
    profile = settings.profile
    if response.error is not ErrorCode.NONE:
        return _after_error(replica, response.error, settings=settings, now_ms=now_ms)
    if response.which == "earliest":
        return _after_earliest(replica, response.offset, profile.rules)
    leader_end = response.offset
    if leader_end >= replica.log_end_offset:
        return Outcome(
            replica=replace(
                replica, fetcher=replace(fetcher, phase="resetting_earliest", awaiting=None)
            ),
            events=(
                LeaderOffsetHeard(
                    variant="latest",
                    broker=replica.broker_id,
                    partition=replica.partition,
                    leader=fetcher.leader,
                    offset=leader_end,
                    log_end_offset=replica.log_end_offset,
                ),
            ),
        )
    if profile.out_of_range_exit != "none" and not settings.unclean_leader_election_enable:
        how = profile.out_of_range_exit
        return Outcome(
            replica=replace(replica, fetcher=replace(fetcher, phase="failed", awaiting=None)),
            process_ends=how,
            events=(
                _ENDS[how](
                    broker=replica.broker_id,
                    partition=replica.partition,
                    leader_log_end_offset=leader_end,
                    log_end_offset=replica.log_end_offset,
                ),
            ),
        )
    replica, events = _truncated(
        replica,
        TruncationPoint(offset=leader_end, complete=True, variant="out_of_range"),
        settings,
        rule="OFFSET-OUT-OF-RANGE",
        sources=("AbstractFetcherThread", "ReplicaFetcherThread"),
        leader_log_end_offset=leader_end,
    )
    return Outcome(replica=_continuing(replica, "fetching"), events=events)


def _after_earliest(replica: Replica, leader_start: int, rules: Rules) -> Outcome:
    """Start over at the leader's start where the log ends below it; in 0.8 always (KAFKA-2143)."""
    fetcher = fetcher_of(replica)
    events: tuple[Event, ...] = (
        LeaderOffsetHeard(
            broker=replica.broker_id,
            partition=replica.partition,
            leader=fetcher.leader,
            offset=leader_start,
            log_end_offset=replica.log_end_offset,
        ),
    )
    if leader_start > replica.log_end_offset or not rules.keep_log_within_leaders_range:
        removed = replica.log.records
        before = replica.log_end_offset
        replica = replace(
            replica,
            log=ReplicaLog((), leader_start),
            flushed=leader_start,
            epoch_cache=(),
            high_watermark=leader_start,
        )
        events = (
            LogTruncated(
                variant="full",
                rule="OFFSET-OUT-OF-RANGE",
                sources=("AbstractFetcherThread",),
                broker=replica.broker_id,
                partition=replica.partition,
                to=leader_start,
                before=before,
                high_watermark=replica.high_watermark,
                values=tuple(record.value for record in removed),
                log_start_offset=leader_start,
                evidence=Evidence(
                    partition=replica.partition,
                    replicas=(replica.broker_id,),
                    offsets=tuple(record.offset for record in removed),
                    records=removed,
                ),
            ),
        )
    return Outcome(replica=_continuing(replica, "fetching"), events=events)


def _continuing(replica: Replica, phase: Literal["fetching", "truncating"]) -> Replica:
    """The fetch loop goes on from the end of a log that has been reconciled."""
    return replace(
        replica,
        fetcher=replace(
            fetcher_of(replica),
            phase=phase,
            awaiting=None,
            forgot_epoch=False,
            fetch_offset=replica.log_end_offset,
        ),
    )


def _after_error(
    replica: Replica,
    error: ErrorCode,
    *,
    settings: PartitionSettings,
    now_ms: int,
    asked_in: LeaderEpoch | None = None,
) -> Outcome:
    """Give the partition up when fenced, else try again after the backoff.

    Who has a newer epoch by now than the one it asked in tries again
    (`AbstractFetcherThread.onPartitionFenced`).
    """
    fetcher = fetcher_of(replica)
    is_present = asked_in in (None, fetcher.leader_epoch)
    if error is ErrorCode.FENCED_LEADER_EPOCH and is_present:
        return Outcome(
            replica=replace(replica, fetcher=replace(fetcher, phase="failed", awaiting=None)),
            events=(
                PartitionFailed(
                    broker=replica.broker_id,
                    partition=replica.partition,
                    error=error,
                ),
            ),
        )
    backoff = settings.replica_fetch_backoff_ms
    return Outcome(
        replica=replace(
            replica,
            fetcher=replace(fetcher, awaiting=None, delayed_until_ms=now_ms + backoff),
        ),
        events=(_error_event(replica, fetcher, error, backoff),),
    )


def _error_event(
    replica: Replica, fetcher: FetcherState, error: ErrorCode, backoff_ms: int | None
) -> Event:
    return FetchErrorReceived(
        variant="out_of_range" if backoff_ms is None else None,
        rule="OFFSET-OUT-OF-RANGE" if backoff_ms is None else None,
        broker=replica.broker_id,
        partition=replica.partition,
        leader=fetcher.leader,
        error=error,
        backoff_ms=backoff_ms,
    )


def without_late_request(replica: Replica, message_id: int) -> Replica:
    """A request of an earlier fetch loop is under way no longer."""
    return replace(
        replica,
        late_requests=tuple(
            late for late in replica.late_requests if late.message_id != message_id
        ),
    )


LateAnswer = Literal["taken", "other_epoch", "not_asked"]
"""What becomes of the answer to a request of an earlier fetch loop: it is applied; it is dropped
for its leader epoch alone; it is not what the present loop could have asked for."""


def what_becomes_of(
    late: LateRequest,
    response: FetchResponse | OffsetsForLeaderEpochResponse | ListOffsetsResponse,
    replica: Replica,
    *,
    rules: Rules,
) -> LateAnswer:
    """Whether the present fetch loop applies the answer to a request of an earlier one
    (`AbstractFetcherThread.processFetchRequest`, `truncateToEpochEndOffsets`).

    The thread looks for the partition's state of now. A fetch counts where that is ready and
    fetches from the offset that was asked for; that it was asked for in the same epoch counts from
    3.9.1 and 4.0.1 on (KAFKA-18991), for a lookup from 2.1.1 on (KAFKA-7786). Offsets are asked for
    with the partitions locked, so no loop begins anew meanwhile.
    """
    fetcher = replica.fetcher
    if fetcher is None or fetcher.leader != late.leader or fetcher.phase == "failed":
        return "not_asked"
    if isinstance(response, FetchResponse):
        is_ready = fetcher.phase == "fetching" and fetcher.delayed_until_ms is None
        could_ask = is_ready and late.fetch_offset == fetcher.fetch_offset
        compares_epochs = rules.fetch_answer_must_be_of_epoch
    else:
        could_ask = isinstance(response, OffsetsForLeaderEpochResponse)
        compares_epochs = rules.lookup_answer_must_be_of_epoch
    if not could_ask:
        return "not_asked"
    if compares_epochs and late.leader_epoch != fetcher.leader_epoch:
        return "other_epoch"
    return "taken"


def disconnected(replica: Replica, message_id: int) -> Replica:
    """The connection of a request under way is gone: it will be sent anew."""
    replica = without_late_request(replica, message_id)
    if replica.fetcher is None or replica.fetcher.awaiting != message_id:
        return replica
    return replace(replica, fetcher=replace(replica.fetcher, awaiting=None))


# --- truncation ------------------------------------------------------------------------------


_ON_FETCH: Mapping[TruncationCase, TruncationCase] = {
    "kip_279": "on_fetch",
    "kip_279_again": "on_fetch_again",
    "kip_279_alone": "on_fetch_alone",
}
"""What the cases of KIP-279 are called where a fetch response is what says where to cut."""


class _TruncationNumbers(TypedDict):
    """What is said of a truncation whether or not it cuts anything."""

    broker: BrokerId
    partition: TopicPartition
    to: Offset
    high_watermark: Offset
    next_epoch: LeaderEpoch
    leader_epoch_answered: LeaderEpoch | UnsetType
    diverging_epoch: LeaderEpoch | UnsetType
    leader_end_offset: Offset | UnsetType
    own_end_offset: Offset | UnsetType
    leader_log_end_offset: Offset | UnsetType


def _truncated(
    replica: Replica,
    point: TruncationPoint,
    settings: PartitionSettings,
    *,
    rule: str,
    sources: tuple[str, ...],
    on_fetch: bool = False,
    leader_end: EpochEndOffset | None = None,
    leader_log_end_offset: Offset | UnsetType = UNSET,
) -> tuple[Replica, tuple[Event, ...]]:
    """Cut the log where the rule says, and say what went."""
    before = replica.log_end_offset
    own_end = before if point.own_end_offset is None else point.own_end_offset
    high_watermark = replica.high_watermark
    replica, removed, dropped = truncate_to(replica, point.offset, settings.profile.rules)
    variant = _ON_FETCH.get(point.variant, point.variant) if on_fetch else point.variant
    common: _TruncationNumbers = {
        "broker": replica.broker_id,
        "partition": replica.partition,
        "to": point.offset,
        "high_watermark": high_watermark,
        "next_epoch": replica.latest_epoch,
        "leader_epoch_answered": UNSET if leader_end is None else leader_end[0],
        "diverging_epoch": UNSET if leader_end is None else leader_end[0],
        "leader_end_offset": UNSET if leader_end is None else leader_end[1],
        "own_end_offset": UNSET if leader_end is None else own_end,
        "leader_log_end_offset": leader_log_end_offset,
    }
    happened: Event
    if removed:
        happened = LogTruncated(
            variant=variant,
            rule=rule,
            sources=sources,
            evidence=_removed_evidence(replica, removed),
            **common,
            before=before,
            values=tuple(record.value for record in removed),
        )
    else:
        happened = TruncationNotNeeded(
            variant=variant, rule=rule, sources=sources, **common, log_end_offset=before
        )
    return replica, (happened, *_dropped_event(replica, dropped))


def _removed_evidence(replica: Replica, removed: tuple[Record, ...]) -> Evidence:
    return Evidence(
        partition=replica.partition,
        replicas=(replica.broker_id,),
        offsets=tuple(record.offset for record in removed),
        records=removed,
    )


def _dropped_event(replica: Replica, dropped: EpochEntries) -> tuple[Event, ...]:
    if not dropped:
        return ()
    return (
        EpochsDropped(
            broker=replica.broker_id,
            partition=replica.partition,
            epochs=tuple(f"{epoch}→{start}" for epoch, start in dropped),
        ),
    )

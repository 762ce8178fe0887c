"""A follower's fetch loop for one partition: how it starts, continues after an error, and ends.

`PartitionFetchState` in Kafka, and its transitions in `AbstractFetcherThread`. The phases:

truncating           looks up the end of its latest epoch at the leader, and truncates there
fetching             fetches from the end of its log
resetting_latest     after OFFSET_OUT_OF_RANGE: requests the leader's log end offset
resetting_earliest   then, if its own log is not longer: requests the leader's log start offset
failed               does not fetch until newer metadata arrives from the controller

The fetcher thread for a leader outlives the loop of one partition, so a response may arrive after
its loop has ended.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.fetch import FetchErrorReceived, PartitionFailed
from sim_engine.events.metadata import (
    BecameFollower,
    BecameLeaderless,
    FetchingStopped,
    PartitionChangeTaken,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, ErrorCode, LeaderEpoch
from sim_engine.kafka_history import Rules
from sim_engine.protocol.follower.truncation import TruncationPoint, truncate_log
from sim_engine.protocol.messages import (
    FetchResponse,
    FollowerResponse,
    OffsetsForLeaderEpochResponse,
    PartitionRegistration,
)
from sim_engine.protocol.replica import (
    BrokerView,
    FetcherPhase,
    FetcherState,
    LateRequest,
    Outcome,
    Replica,
    late_requests_of,
    step_down_responses,
)
from sim_engine.versions import Profile


def fetcher_of(replica: Replica) -> FetcherState:
    """The fetch loop of a replica that follows a leader. Any other replica has none (asserted)."""
    assert replica.fetcher is not None, "the replica follows a leader"
    return replica.fetcher


def restarts_fetcher(
    replica: Replica, registration: PartitionRegistration, profile: Profile
) -> bool:
    """Whether the loop restarts, with truncation, when the replica follows `registration`.

    For another leader it always does. For the same leader in a newer leader epoch it depends on the
    release (`ReplicaManager.makeFollowers`, `AbstractFetcherManager.addFetcherForPartitions`).
    """
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
    replica: Replica, leader: BrokerId, leader_epoch: LeaderEpoch, profile: Profile
) -> FetcherState:
    """A new fetch loop (`AbstractFetcherThread.partitionFetchState`).

    With truncation on fetch, a replica with an epoch in its cache fetches immediately. In releases
    without epochs it fetches immediately too. Otherwise it truncates first.
    """
    fetches_at_once = not profile.has_epochs or (
        profile.rules.truncation_on_fetch and bool(replica.epoch_cache)
    )
    from_high_watermark = not fetches_at_once and profile.rules.fetch_begins_at_high_watermark
    return FetcherState(
        leader=leader,
        leader_epoch=leader_epoch,
        phase="fetching" if fetches_at_once else "truncating",
        fetch_offset=replica.high_watermark if from_high_watermark else replica.log_end_offset,
        truncation_fallback=replica.high_watermark,
    )


def in_phase(replica: Replica, phase: FetcherPhase) -> Replica:
    """The replica whose fetch loop is in this phase and has no request in flight."""
    return replace(replica, fetcher=replace(fetcher_of(replica), phase=phase, awaiting=None))


def continue_from_log_end(
    reconciled: Outcome, phase: Literal["fetching", "truncating"] = "fetching"
) -> Outcome:
    """The fetch loop continues from the end of a log that has been reconciled with the leader's."""
    replica = in_phase(reconciled.replica, phase)
    fetcher = replace(fetcher_of(replica), forgot_epoch=False, fetch_offset=replica.log_end_offset)
    return replace(reconciled, replica=replace(replica, fetcher=fetcher))


def after_error(
    replica: Replica, error: ErrorCode, view: BrokerView, *, asked_in: LeaderEpoch | None = None
) -> Outcome:
    """Stop fetching the partition if fenced; otherwise retry after the backoff.

    A follower whose epoch is newer by now than the one in the request retries
    (`AbstractFetcherThread.onPartitionFenced`).
    """
    fetcher = fetcher_of(replica)
    is_present = asked_in in (None, fetcher.leader_epoch)
    if error is ErrorCode.FENCED_LEADER_EPOCH and is_present:
        happened = PartitionFailed(**replica.place(), error=error)
        return Outcome(replica=in_phase(replica, "failed"), events=(happened,))
    backoff_ms = view.settings.replica_fetch_backoff_ms
    return Outcome(
        replica=replace(
            replica,
            fetcher=replace(fetcher, awaiting=None, delayed_until_ms=view.now_ms + backoff_ms),
        ),
        events=(_error_received(replica, error, backoff_ms=backoff_ms),),
    )


def after_out_of_range(replica: Replica) -> Outcome:
    """Request the leader's log end offset next (`AbstractFetcherThread.handleOutOfRangeError`)."""
    return Outcome(
        replica=in_phase(replica, "resetting_latest"),
        events=(_error_received(replica, ErrorCode.OFFSET_OUT_OF_RANGE, backoff_ms=None),),
    )


def _error_received(replica: Replica, error: ErrorCode, *, backoff_ms: int | None) -> Event:
    return FetchErrorReceived(
        variant="out_of_range" if backoff_ms is None else None,
        rule="OFFSET-OUT-OF-RANGE" if backoff_ms is None else None,
        **replica.place(),
        leader=fetcher_of(replica).leader,
        error=error,
        backoff_ms=backoff_ms,
    )


def become_follower(
    replica: Replica,
    registration: PartitionRegistration,
    view: BrokerView,
    *,
    is_stopping: bool = False,
) -> Outcome:
    """Become, or continue as, a follower by decision of the controller (`Partition.makeFollower`,
    `ReplicaManager.makeFollowers`).

    Waiting produce requests fail with NOT_LEADER_OR_FOLLOWER. The fetch loop restarts, with
    truncation, only if the version's rule requires it; before 0.11 it begins by truncating the log
    to this replica's own high watermark. A loop that continues with the same leader takes over the
    new epoch, and an event reports it. A broker that is shutting down starts no loop; from 3.3.2 a
    KRaft broker instead ends one, if it is no longer in the ISR (`isInControlledShutdown`).
    """
    profile = view.settings.profile
    restart = restarts_fetcher(replica, registration, profile)
    produce_responses = step_down_responses(replica)
    events = _role_taken(replica, registration, restart=restart)
    replica = replace(
        replica,
        leader=registration.leader,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        leading=None,
        late_requests=late_requests_of(replica) if restart else replica.late_requests,
        following=True,
    )
    outcome = Outcome(replica=replica, produce_responses=produce_responses, events=events)
    is_out = replica.broker_id not in registration.isr
    ends = is_stopping and (is_out if view.rules.steps_down_while_stopping else restart)
    if not restart:
        return outcome.then(stop_fetching(replica)) if ends else outcome
    if not profile.has_epochs:
        truncated = truncate_log(
            replica,
            TruncationPoint(offset=replica.high_watermark, complete=True, variant="high_watermark"),
            view,
            rule="HW-TRUNCATION",
            sources=("ReplicaManager", "KIP-101"),
        )
        outcome = outcome.then(truncated)
    follower = outcome.replica
    if ends:
        return outcome.then(stop_fetching(replace(follower, fetcher=None)))
    fetcher = start_fetching(follower, registration.leader, registration.leader_epoch, profile)
    return replace(outcome, replica=replace(follower, fetcher=fetcher))


def stop_fetching(replica: Replica) -> Outcome:
    """End the fetch loop of a broker that is shutting down (`ReplicaManager.stopPartitions`)."""
    stopped = replace(replica, fetcher=None, late_requests=late_requests_of(replica))
    return Outcome(replica=stopped, events=(FetchingStopped(**replica.place()),))


def _role_taken(
    replica: Replica, registration: PartitionRegistration, *, restart: bool
) -> tuple[Event, ...]:
    """The event of a new follower, or of the change that a continuing follower read."""
    if restart or replica.leading is not None:
        return (
            BecameFollower(
                **replica.place(),
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
            ),
        )
    same_epoch = registration.leader_epoch == replica.leader_epoch
    if same_epoch and registration.partition_epoch == replica.partition_epoch:
        return ()
    return (
        PartitionChangeTaken(
            variant="follower" if same_epoch else "follower_epoch",
            rule="KRAFT-PARTITION-CHANGE" if same_epoch else None,
            **replica.place(),
            leader=registration.leader,
            leader_epoch=registration.leader_epoch,
            partition_epoch=registration.partition_epoch,
        ),
    )


def become_leaderless(replica: Replica, registration: PartitionRegistration) -> Outcome:
    """The partition has no leader: the replica becomes a follower without a fetch loop (KRaft,
    `applyLocalFollowersDelta`).
    """
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
        produce_responses=step_down_responses(replica),
        events=(BecameLeaderless(**replica.place(), leader_epoch=registration.leader_epoch),),
    )


LateResponseFate = Literal["taken", "other_epoch", "not_asked"]
"""The handling of a response to a request of an earlier fetch loop: it is applied; it is discarded
only because of its leader epoch; or it does not match the current loop.
"""


def fate_of_late_response(
    late: LateRequest, response: FollowerResponse, replica: Replica, *, rules: Rules
) -> LateResponseFate:
    """Whether the current fetch loop applies the response to a request of an earlier one
    (`AbstractFetcherThread.processFetchRequest`, `truncateToEpochEndOffsets`).

    The thread checks the partition's current state. A fetch response is applied if the partition is
    ready and fetches from the requested offset; from 3.9.1 and 4.0.1, the epoch must also be the
    same (KAFKA-18991), and for a lookup from 2.1.1 (KAFKA-7786). Offsets are requested while the
    partitions are locked, so no loop can restart meanwhile.
    """
    fetcher = replica.fetcher
    if fetcher is None or fetcher.leader != late.leader or fetcher.phase == "failed":
        return "not_asked"
    if isinstance(response, FetchResponse):
        is_ready = fetcher.phase == "fetching" and fetcher.delayed_until_ms is None
        could_ask = is_ready and late.fetch_offset == fetcher.fetch_offset
        compares_epochs = rules.fetch_response_must_be_of_epoch
    else:
        could_ask = isinstance(response, OffsetsForLeaderEpochResponse)
        compares_epochs = rules.lookup_response_must_be_of_epoch
    if not could_ask:
        return "not_asked"
    if compares_epochs and late.leader_epoch != fetcher.leader_epoch:
        return "other_epoch"
    return "taken"


def without_late_request(replica: Replica, message_id: int) -> Replica:
    """The replica without a request of an earlier fetch loop, because it is no longer in flight."""
    return replace(
        replica,
        late_requests=tuple(
            late for late in replica.late_requests if late.message_id != message_id
        ),
    )


def disconnected(replica: Replica, message_id: int) -> Replica:
    """The replica after the connection of a request in flight was closed. A request of the current
    fetch loop will be sent again.
    """
    replica = without_late_request(replica, message_id)
    if replica.fetcher is None or replica.fetcher.awaiting != message_id:
        return replica
    return replace(replica, fetcher=replace(replica.fetcher, awaiting=None))

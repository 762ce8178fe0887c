"""A follower's fetch loop for one partition: how it starts, continues and stops.

`PartitionFetchState` in Kafka, and its transitions in `AbstractFetcherThread`. The phases:

truncating           looks up the end of its latest epoch at the leader, and truncates there
fetching             fetches from the end of its log
resetting_latest     after OFFSET_OUT_OF_RANGE: requests the leader's log end offset
resetting_earliest   then, if its own log is not longer: requests the leader's log start offset
failed               does not fetch until newer metadata arrives from the controller
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import FetchErrorReceived, PartitionFailed
from sim_engine.identifiers import BrokerId, LeaderEpoch, TimeMs
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import FetcherState, Replica
from sim_engine.protocol.settings import PartitionSettings
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
    from_high_watermark = not fetches_at_once and profile.initial_fetch_offset == "high_watermark"
    return FetcherState(
        leader=leader,
        leader_epoch=leader_epoch,
        phase="fetching" if fetches_at_once else "truncating",
        fetch_offset=replica.high_watermark if from_high_watermark else replica.log_end_offset,
        truncation_fallback=replica.high_watermark,
    )


def continue_from_log_end(replica: Replica, phase: Literal["fetching", "truncating"]) -> Replica:
    """The fetch loop continues from the end of a log that has been reconciled with the leader's."""
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


def after_error(
    replica: Replica,
    error: ErrorCode,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
    asked_in: LeaderEpoch | None = None,
) -> Outcome:
    """Stop fetching the partition if fenced; otherwise retry after the backoff.

    A follower whose epoch is newer by now than the one in the request retries
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
    backoff_ms = settings.replica_fetch_backoff_ms
    return Outcome(
        replica=replace(
            replica,
            fetcher=replace(fetcher, awaiting=None, delayed_until_ms=now_ms + backoff_ms),
        ),
        events=(_error_received(replica, error, backoff_ms=backoff_ms),),
    )


def after_out_of_range(replica: Replica) -> Outcome:
    """Request the leader's log end offset next (`AbstractFetcherThread.handleOutOfRangeError`)."""
    return Outcome(
        replica=replace(
            replica,
            fetcher=replace(fetcher_of(replica), phase="resetting_latest", awaiting=None),
        ),
        events=(_error_received(replica, ErrorCode.OFFSET_OUT_OF_RANGE, backoff_ms=None),),
    )


def _error_received(replica: Replica, error: ErrorCode, *, backoff_ms: int | None) -> Event:
    return FetchErrorReceived(
        variant="out_of_range" if backoff_ms is None else None,
        rule="OFFSET-OUT-OF-RANGE" if backoff_ms is None else None,
        broker=replica.broker_id,
        partition=replica.partition,
        leader=fetcher_of(replica).leader,
        error=error,
        backoff_ms=backoff_ms,
    )

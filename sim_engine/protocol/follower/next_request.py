"""The next request of a follower's fetch loop, by its phase.

`AbstractFetcherThread.maybeTruncate` and `ReplicaFetcherThread.buildFetch` in Kafka.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.events.fetch import EpochLookupSent, FetchSent, ListOffsetsSent
from sim_engine.identifiers import LeaderEpoch
from sim_engine.kafka_history import Rules
from sim_engine.protocol.follower.epoch_truncation import truncate_where_diverging
from sim_engine.protocol.follower.fetch_state import fetcher_of
from sim_engine.protocol.follower.log_truncation import truncate_log
from sim_engine.protocol.follower.truncation_points import TruncationPoint, epoch_to_ask
from sim_engine.protocol.messages import (
    FetchRequest,
    ListOffsetsRequest,
    OffsetsForLeaderEpochRequest,
    Send,
)
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import FetcherState, Replica
from sim_engine.protocol.settings import PartitionSettings

Request = FetchRequest | OffsetsForLeaderEpochRequest | ListOffsetsRequest


def send_next(
    replica: Replica,
    *,
    settings: PartitionSettings,
    broker_epoch: int | None,
    message_id: int,
    max_records: int | None = None,
) -> Outcome:
    """Send the next request of the fetch loop, with the id `message_id`.

    Truncations without a request come first: after a response with a divergence, and for a log
    without epochs (`AbstractFetcherThread.maybeTruncate`).
    """
    rules = settings.profile.rules
    reconciled = truncate_where_diverging(replica, settings=settings)
    replica = reconciled.replica
    truncated: tuple[Event, ...] = ()
    if (
        fetcher_of(replica).phase == "truncating"
        and not replica.epoch_cache
        and rules.iterative_epoch_truncation
    ):
        replica, truncated = _truncate_without_epochs(replica, settings)
    fetcher = fetcher_of(replica)
    current_epoch = fetcher.leader_epoch if rules.fetch_fencing else None
    request: Request
    sent: Event
    if fetcher.phase == "truncating":
        request, sent = _epoch_lookup(replica, fetcher, current_epoch)
    elif fetcher.phase == "fetching":
        request, sent = _fetch(
            replica,
            fetcher,
            current_epoch,
            rules=rules,
            broker_epoch=broker_epoch,
            max_records=max_records,
        )
    else:
        request, sent = _list_offsets(replica, fetcher, current_epoch)
    return Outcome(
        replica=replace(
            replica, fetcher=replace(fetcher, awaiting=message_id, delayed_until_ms=None)
        ),
        sends=(Send(receiver=fetcher.leader, partition=replica.partition, payload=request),),
        events=(*reconciled.events, *truncated, sent),
    )


def _truncate_without_epochs(
    replica: Replica, settings: PartitionSettings
) -> tuple[Replica, tuple[Event, ...]]:
    """There is no epoch to look up: truncate to the high watermark (`truncateToHighWatermark`)."""
    fetcher = fetcher_of(replica)
    replica, events = truncate_log(
        replica,
        TruncationPoint(offset=fetcher.truncation_fallback, complete=True, variant="no_epochs"),
        settings,
        rule="KIP-279",
        sources=("AbstractFetcherThread",),
    )
    fetcher = replace(fetcher, phase="fetching", fetch_offset=replica.log_end_offset)
    return replace(replica, fetcher=fetcher), events


def _epoch_lookup(
    replica: Replica, fetcher: FetcherState, current_epoch: LeaderEpoch | None
) -> tuple[OffsetsForLeaderEpochRequest, Event]:
    """Look up where the replica's latest epoch ends (`fetchEpochEndOffsets`)."""
    asked = epoch_to_ask(replica)
    return (
        OffsetsForLeaderEpochRequest(leader_epoch=asked, current_leader_epoch=current_epoch),
        EpochLookupSent(
            variant=None if replica.epoch_cache else "no_epoch",
            broker=replica.broker_id,
            partition=replica.partition,
            leader=fetcher.leader,
            epoch=asked,
        ),
    )


def _fetch(
    replica: Replica,
    fetcher: FetcherState,
    current_epoch: LeaderEpoch | None,
    *,
    rules: Rules,
    broker_epoch: int | None,
    max_records: int | None,
) -> tuple[FetchRequest, Event]:
    """Fetch from the loop's offset; with truncation on fetch, the request also contains the latest
    epoch.
    """
    names_epoch = rules.truncation_on_fetch and replica.epoch_cache and not fetcher.forgot_epoch
    last_fetched_epoch = replica.latest_epoch if names_epoch else None
    return (
        FetchRequest(
            fetch_offset=fetcher.fetch_offset,
            log_start_offset=replica.log.log_start_offset,
            current_leader_epoch=current_epoch,
            last_fetched_epoch=last_fetched_epoch,
            broker_epoch=broker_epoch if rules.broker_epoch_in_isr else None,
            max_records=max_records,
        ),
        FetchSent(
            variant="with_epoch" if last_fetched_epoch is not None else None,
            broker=replica.broker_id,
            partition=replica.partition,
            leader=fetcher.leader,
            fetch_offset=fetcher.fetch_offset,
            leader_epoch=current_epoch,
            last_fetched_epoch=last_fetched_epoch,
        ),
    )


def _list_offsets(
    replica: Replica, fetcher: FetcherState, current_epoch: LeaderEpoch | None
) -> tuple[ListOffsetsRequest, Event]:
    """Request the end or the start offset of the leader's log (`LeaderEndPoint`)."""
    which: Literal["latest", "earliest"] = (
        "latest" if fetcher.phase == "resetting_latest" else "earliest"
    )
    return (
        ListOffsetsRequest(which=which, current_leader_epoch=current_epoch),
        ListOffsetsSent(
            broker=replica.broker_id,
            partition=replica.partition,
            leader=fetcher.leader,
            which=which,
        ),
    )

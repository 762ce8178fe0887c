"""Requests whose response never arrives, or arrives after their fetch loop has ended.

The fetcher thread for a leader outlives the loop of one partition, so the response still arrives.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.kafka_history import Rules
from sim_engine.protocol.messages import (
    FetchResponse,
    ListOffsetsResponse,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.protocol.replica import LateRequest, Replica

LateResponseFate = Literal["taken", "other_epoch", "not_asked"]
"""The handling of a response to a request of an earlier fetch loop: it is applied; it is discarded
only because of its leader epoch; or it does not match the current loop.
"""


def fate_of_late_response(
    late: LateRequest,
    response: FetchResponse | OffsetsForLeaderEpochResponse | ListOffsetsResponse,
    replica: Replica,
    *,
    rules: Rules,
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

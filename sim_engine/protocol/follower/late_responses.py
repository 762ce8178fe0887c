"""Requests whose response no longer arrives, or arrives at a later fetch loop than the one that
asked.

The fetcher thread of a leader outlives the loop of one partition, so its response still comes.
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


def without_late_request(replica: Replica, message_id: int) -> Replica:
    """A request of an earlier fetch loop is under way no longer."""
    return replace(
        replica,
        late_requests=tuple(
            late for late in replica.late_requests if late.message_id != message_id
        ),
    )


def disconnected(replica: Replica, message_id: int) -> Replica:
    """The connection of a request in flight is closed: the request will be sent again."""
    replica = without_late_request(replica, message_id)
    if replica.fetcher is None or replica.fetcher.awaiting != message_id:
        return replica
    return replace(replica, fetcher=replace(replica.fetcher, awaiting=None))

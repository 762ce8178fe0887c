"""The point to which a follower truncates its log, for each family of rules.

Each function computes one point and changes nothing; `epoch_truncation.py` truncates.

HW           truncate to the follower's own high watermark on becoming a follower (up to 0.10.2)
KIP101       look up the end of the follower's latest epoch at the leader, and truncate there, once
KIP279_200   the response contains an epoch: truncate to the lower of the two logs' ends of that
             epoch, and repeat
KIP279       the same, with caches that also contain epochs without records
KIP320       the same, with requests fenced by the leader epoch
TOF          truncation on fetch: each fetch contains the latest epoch, and its response contains
             the result of the lookup
"""

from msgspec import Struct

from sim_engine.events.log import TruncationCase
from sim_engine.identifiers import UNDEFINED_EPOCH, UNDEFINED_OFFSET, LeaderEpoch, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset, end_offset_for
from sim_engine.protocol.replica import Replica


class TruncationPoint(Struct, frozen=True, gc=False, kw_only=True):
    """The truncation point, and whether it is final or needs another lookup.

    `variant` is the rule's case for the narration; `own_end_offset` is the follower's own end of
    the epoch in the response, if it has one.
    """

    offset: Offset
    complete: bool
    variant: TruncationCase
    own_end_offset: Offset | None = None


def by_offset_alone(
    replica: Replica, fallback: Offset, leader_end: EpochEndOffset
) -> TruncationPoint:
    """KIP-101: the leader's end of the follower's latest epoch, or the follower's high watermark if
    there is none.

    A follower without an epoch looks up -1, which a leader without an epoch treats as its latest.
    """
    offset = leader_end[1]
    if offset == UNDEFINED_OFFSET:
        return TruncationPoint(
            offset=fallback,
            complete=True,
            variant="undefined" if replica.epoch_cache else "no_answer",
        )
    return TruncationPoint(
        offset=min(offset, replica.log_end_offset),
        complete=True,
        variant="kip_101" if replica.epoch_cache else "no_epoch_either",
    )


def by_common_epoch(
    replica: Replica, fallback: Offset, leader_end: EpochEndOffset, rules: Rules
) -> TruncationPoint:
    """KIP-279: the end of the common epoch on both logs.

    Kafka: `AbstractFetcherThread.getOffsetTruncationState`.
    """
    leader_epoch, leader_offset = leader_end
    own_log_end = replica.log_end_offset
    if leader_offset == UNDEFINED_OFFSET:
        return TruncationPoint(offset=fallback, complete=True, variant="undefined")
    if leader_epoch == UNDEFINED_EPOCH:
        return TruncationPoint(
            offset=min(leader_offset, own_log_end), complete=True, variant="kip_101"
        )
    own_epoch, own_offset = end_offset_for(replica.epoch_cache, leader_epoch, own_log_end, rules)
    if own_offset == UNDEFINED_OFFSET:
        return TruncationPoint(
            offset=min(leader_offset, own_log_end),
            complete=True,
            variant="kip_279_alone",
            own_end_offset=own_log_end,
        )
    if own_epoch != leader_epoch:
        return TruncationPoint(
            offset=min(own_offset, own_log_end),
            complete=False,
            variant="kip_279_again",
            own_end_offset=own_offset,
        )
    return TruncationPoint(
        offset=min(own_offset, leader_offset, own_log_end),
        complete=True,
        variant="kip_279",
        own_end_offset=own_offset,
    )


def epoch_to_ask(replica: Replica) -> LeaderEpoch:
    """The epoch that a truncating follower looks up: the latest in its cache, or -1 if the cache is
    empty.
    """
    return replica.latest_epoch

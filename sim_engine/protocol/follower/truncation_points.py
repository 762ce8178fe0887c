"""Where a follower cuts its log, by the rules of each family.

Each function answers one question and changes nothing; `epoch_truncation.py` acts on the answer.

=============  ==========================================================================
HW             cut to one's own high watermark on becoming a follower (up to 0.10.2)
KIP101         ask the leader where one's latest epoch ends, cut there, once
KIP279_200     the reply names its epoch; intersect with one's own end of it, repeat
KIP279         the same on caches that know the epochs in which nothing was written
KIP320         the same, fenced by the leader epoch
TOF            the same question asked by every fetch, the answer in its response
=============  ==========================================================================
"""

from msgspec import Struct

from sim_engine.events.log import TruncationCase
from sim_engine.identifiers import UNDEFINED_EPOCH, UNDEFINED_OFFSET, LeaderEpoch, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset, end_offset_for
from sim_engine.protocol.replica import Replica


class TruncationPoint(Struct, frozen=True, gc=False, kw_only=True):
    """Where to cut, and whether the answer settles it or the follower asks again.

    `variant` names the rule's case for narration; `own_end_offset` is the follower's own end of the
    epoch answered, where it has one.
    """

    offset: Offset
    complete: bool
    variant: TruncationCase
    own_end_offset: Offset | None = None


def by_offset_alone(
    replica: Replica, fallback: Offset, leader_end: EpochEndOffset
) -> TruncationPoint:
    """KIP-101: the leader's end of my latest epoch, or my high watermark where it has none.

    Who knows no epoch asks with -1, which a leader that knows none either takes for its latest.
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
    """The epoch a truncating follower asks about: its latest, -1 where it has none."""
    return replica.latest_epoch

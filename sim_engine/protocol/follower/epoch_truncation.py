"""A follower truncates its log to the point where its epochs and the leader's diverge.

The leader sends this point in its response to a lookup (`truncateToEpochEndOffsets`, KIP-101,
KIP-279) or to a fetch (`truncateOnFetchResponse`, KAFKA-10554).
"""

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import TimeMs
from sim_engine.protocol.follower.fetch_state import after_error, continue_from_log_end, fetcher_of
from sim_engine.protocol.follower.log_truncation import truncate_log
from sim_engine.protocol.follower.truncation_points import (
    TruncationPoint,
    by_common_epoch,
    by_offset_alone,
)
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset
from sim_engine.protocol.messages import OffsetsForLeaderEpochResponse
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import Replica
from sim_engine.protocol.settings import PartitionSettings


def handle_offsets_for_leader_epoch_response(
    replica: Replica,
    response: OffsetsForLeaderEpochResponse,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
) -> Outcome:
    """Truncate to the point of divergence in the leader's response, or look up another epoch
    (KIP-101, KIP-279).
    """
    rules = settings.profile.rules
    fallback = fetcher_of(replica).truncation_fallback
    if response.error is not ErrorCode.NONE:
        return after_error(replica, response.error, settings=settings, now_ms=now_ms)
    if rules.iterative_epoch_truncation:
        point = by_common_epoch(replica, fallback, response.end_offset, rules)
        rule = "KIP-279"
    else:
        point = by_offset_alone(replica, fallback, response.end_offset)
        rule = "KIP-101"
    return _truncate_and_continue(
        replica, point, response.end_offset, settings=settings, rule=rule, on_fetch=False
    )


def truncate_where_diverging(replica: Replica, *, settings: PartitionSettings) -> Outcome:
    """Truncate the log to the point of divergence in the leader's last fetch response, if there is
    one (`AbstractFetcherThread.truncateOnFetchResponse`).
    """
    fetcher = replica.fetcher
    if fetcher is None or fetcher.diverging_epoch is None:
        return Outcome(replica=replica)
    point = by_common_epoch(
        replica, fetcher.truncation_fallback, fetcher.diverging_epoch, settings.profile.rules
    )
    return _truncate_and_continue(
        replace(replica, fetcher=replace(fetcher, diverging_epoch=None)),
        point,
        fetcher.diverging_epoch,
        settings=settings,
        rule="KAFKA-10554",
        on_fetch=True,
    )


def _truncate_and_continue(
    replica: Replica,
    point: TruncationPoint,
    leader_end: EpochEndOffset,
    *,
    settings: PartitionSettings,
    rule: str,
    on_fetch: bool,
) -> Outcome:
    """Truncate, and then fetch, unless the response requires another lookup."""
    replica, events = truncate_log(
        replica,
        point,
        settings,
        rule=rule,
        sources=(rule, "AbstractFetcherThread"),
        on_fetch=on_fetch,
        leader_end=leader_end,
    )
    is_done = point.complete or on_fetch
    return Outcome(
        replica=continue_from_log_end(replica, "fetching" if is_done else "truncating"),
        events=events,
    )

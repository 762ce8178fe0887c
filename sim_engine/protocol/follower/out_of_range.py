"""After OFFSET_OUT_OF_RANGE: a follower requests the offsets of the leader's log and reacts to
them.

`AbstractFetcherThread.fetchOffsetAndTruncate` in Kafka, `ReplicaFetcherThread
.handleOffsetOutOfRange` up to 2.0.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import LeaderOffsetHeard
from sim_engine.events.process import BrokerExited, BrokerHalted, BrokerHung, LongerThanLeader
from sim_engine.identifiers import Offset, TimeMs
from sim_engine.kafka_history import Rules
from sim_engine.protocol.follower.fetch_state import after_error, continue_from_log_end, fetcher_of
from sim_engine.protocol.follower.log_truncation import restart_log, truncate_log
from sim_engine.protocol.follower.truncation_points import TruncationPoint
from sim_engine.protocol.messages import ListOffsetsResponse
from sim_engine.protocol.outcome import Outcome, ProcessEnd
from sim_engine.protocol.replica import Replica
from sim_engine.protocol.settings import PartitionSettings

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
    now_ms: TimeMs,
) -> Outcome:
    """After OFFSET_OUT_OF_RANGE: truncate to the leader's end, or restart the log at the leader's
    start.

    Up to 2.0.0, if unclean election is disabled, a broker with a longer log than its leader
    terminates instead (`ReplicaFetcherThread.handleOffsetOutOfRange`, KAFKA-7414).
    """
    if response.error is not ErrorCode.NONE:
        return after_error(replica, response.error, settings=settings, now_ms=now_ms)
    if response.which == "earliest":
        return _after_earliest(replica, response.offset, settings.profile.rules)
    return _after_latest(replica, response.offset, settings)


def _after_latest(replica: Replica, leader_end: Offset, settings: PartitionSettings) -> Outcome:
    """Truncate to the leader's end if this log is longer. Otherwise the fetch offset was below the
    leader's start.
    """
    if leader_end >= replica.log_end_offset:
        return Outcome(
            replica=replace(
                replica,
                fetcher=replace(fetcher_of(replica), phase="resetting_earliest", awaiting=None),
            ),
            events=(_leader_offset_heard(replica, "latest", leader_end),),
        )
    ends = settings.profile.out_of_range_exit
    if ends != "none" and not settings.unclean_leader_election_enable:
        return _end_process(replica, leader_end, ends)
    replica, events = truncate_log(
        replica,
        TruncationPoint(offset=leader_end, complete=True, variant="out_of_range"),
        settings,
        rule="OFFSET-OUT-OF-RANGE",
        sources=("AbstractFetcherThread", "ReplicaFetcherThread"),
        leader_log_end_offset=leader_end,
    )
    return Outcome(replica=continue_from_log_end(replica, "fetching"), events=events)


def _end_process(replica: Replica, leader_end: Offset, ends: ProcessEnd) -> Outcome:
    """The log is longer than the leader's, so records would be lost: the broker terminates."""
    return Outcome(
        replica=replace(
            replica, fetcher=replace(fetcher_of(replica), phase="failed", awaiting=None)
        ),
        process_ends=ends,
        events=(
            _ENDS[ends](
                broker=replica.broker_id,
                partition=replica.partition,
                leader_log_end_offset=leader_end,
                log_end_offset=replica.log_end_offset,
            ),
        ),
    )


def _after_earliest(replica: Replica, leader_start: Offset, rules: Rules) -> Outcome:
    """Restart the log at the leader's start if it ends below that; in 0.8 always (KAFKA-2143)."""
    if leader_start > replica.log_end_offset or not rules.keep_log_within_leaders_range:
        replica, happened = restart_log(replica, leader_start)
    else:
        happened = _leader_offset_heard(replica, None, leader_start)
    return Outcome(replica=continue_from_log_end(replica, "fetching"), events=(happened,))


def _leader_offset_heard(
    replica: Replica, variant: Literal["latest"] | None, offset: Offset
) -> Event:
    return LeaderOffsetHeard(
        variant=variant,
        broker=replica.broker_id,
        partition=replica.partition,
        leader=fetcher_of(replica).leader,
        offset=offset,
        log_end_offset=replica.log_end_offset,
    )

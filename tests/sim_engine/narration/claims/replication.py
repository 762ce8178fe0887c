"""Claims about fetches, logs and high watermarks."""

from typing import Any

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.replica import remote_of
from tests.sim_engine.narration.claims.states import claims, holders_of, led, own


@claims("FetchOutOfRange")
def is_out_of_range(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "below_start":
        return event.fetch_offset < event.log_start_offset
    if event.variant == "undefined":
        return event.log_start_offset <= event.fetch_offset
    return event.fetch_offset > event.log_end_offset


@claims("FetchRejected-FENCED_LEADER_EPOCH")
def is_of_an_older_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    epochs = (own(event, before).leader_epoch, own(event, after).leader_epoch)
    return event.request_epoch < event.leader_epoch and event.leader_epoch in epochs


@claims("FetchRejected-UNKNOWN_LEADER_EPOCH")
def is_of_a_newer_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    epochs = (own(event, before).leader_epoch, own(event, after).leader_epoch)
    return event.request_epoch > event.leader_epoch and event.leader_epoch in epochs


@claims(
    "FetchRejected-NOT_LEADER_OR_FOLLOWER",
    "ProduceFailed-NOT_LEADER_OR_FOLLOWER",
    "ConsumeFailed-NOT_LEADER_OR_FOLLOWER",
)
def is_not_the_leader(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, before).leading is None or own(event, after).leading is None


@claims("FetchHandled", "FetchParked", "LongPollExpired")
def is_the_leader(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, before).leading is not None


@claims("FetchRejected-stale_broker_epoch")
def has_restarted(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.request_broker_epoch < event.broker_epoch


@claims("FetchHandled-empty")
def has_none_from_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    return is_the_leader(event, before, after) and event.fetch_offset >= event.log_end_offset


@claims("FetchRejected-unknown_replica", "FetchHandled-no_replica")
def is_no_replica(event: Any, before: ClusterState, after: ClusterState) -> object:
    leading = own(event, before).leading
    return leading is not None and remote_of(leading, event.follower) is None


@claims("FetchDiverging")
def does_not_match(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.diverging_epoch < event.last_fetched_epoch or event.end_offset < event.fetch_offset


@claims("EpochLookupSent")
def asks_for_its_latest(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.epoch == own(event, after).latest_epoch


@claims("EpochLookupAnswered")
def a_broker_asked(event: Any, before: ClusterState, after: ClusterState) -> object:
    return isinstance(event.follower, int)


@claims("LeaderOffsetHeard")
def nothing_to_truncate(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "latest":
        return event.offset >= event.log_end_offset
    return event.log_end_offset >= event.offset


@claims("FollowerHighWatermarkSet")
def is_the_lower_one(event: Any, before: ClusterState, after: ClusterState) -> object:
    is_back = event.variant == "back"
    return (
        event.after == min(event.response_high_watermark, event.log_end_offset)
        and (event.after < event.before) == is_back
    )


@claims("HighWatermarkAdvanced")
def advanced(event: Any, before: ClusterState, after: ClusterState) -> object:
    ends = [int(end.rpartition(": ")[2]) for end in event.log_end_offsets]
    return event.before < event.after == min(ends)


@claims(
    "HighWatermarkHeld",
    "ProduceFailed-NOT_ENOUGH_REPLICAS",
    "ProduceFailed-NOT_ENOUGH_REPLICAS_AFTER_APPEND",
)
def isr_is_too_small(event: Any, before: ClusterState, after: ClusterState) -> object:
    return len(event.isr) < event.min_insync_replicas


@claims("HighWatermarkHeld-outsider")
def waits_for_outsiders(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not set(event.outsiders) & set(event.isr) and event.without > event.high_watermark


@claims("RoundsRepeat")
def repeats(event: Any, before: ClusterState, after: ClusterState) -> object:
    follower = own(event, after)
    leader = after.replica(event.leader, event.partition)
    known = any(epoch == event.epoch for epoch, _ in leader.epoch_cache)
    return event.epoch == follower.latest_epoch and (event.variant == "lookup" or not known)


@claims("TruncationNotNeeded-high_watermark")
def is_its_high_watermark(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.to in (own(event, before).high_watermark, own(event, after).high_watermark)


@claims("TruncationNotNeeded")
def has_nothing_beyond(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.to >= event.log_end_offset


@claims("LogTruncated")
def is_shorter_afterwards(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.to < event.before


@claims("TruncationNotNeeded-no_epochs")
def has_no_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not own(event, before).epoch_cache


@claims("EpochAssigned-leader", "EpochAssigned-goes_on", "EpochAssigned-not_appended")
def has_no_record_of_the_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.start_offset == own(event, before).log_end_offset


@claims("StopReplicaIgnored")
def has_no_replica(event: Any, before: ClusterState, after: ClusterState) -> object:
    return before.broker(event.broker).replica(event.partition) is None


@claims("StopReplicaIgnored-same_epoch")
def knows_that_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.leader_epoch <= own(event, before).leader_epoch


@claims("FetchingStopped")
def stops_without_a_fetcher(event: Any, before: ClusterState, after: ClusterState) -> object:
    stops = after.broker(event.broker).process == "shutting_down"
    return stops and own(event, after).fetcher is None


@claims("DeletionDelayed")
def waits_for_its_last_fetch(event: Any, before: ClusterState, after: ClusterState) -> object:
    fetcher = own(event, before).fetcher
    ending = [one.request for one in after.broker(event.broker).ending_fetchers]
    return fetcher is not None and fetcher.awaiting in ending


@claims("RecordLost")
def the_last_copy_is_gone(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not holders_of(after, event.partition, (event.value,))


@claims("RecordLost-acked", "RecordLost-last_copy")
def nobody_has_it_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    """The value may still be at another offset: of a request before its retry was acknowledged."""
    return not any(
        (record.offset, record.value) == (event.offset, event.value)
        for broker in after.brokers
        for replica in broker.replicas
        if replica.partition == event.partition
        for record in replica.log.records
    )


@claims("RecordLost-sent_again")
def its_retry_is_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    return bool(holders_of(after, event.partition, (event.value,)))


@claims("RecordLost-replaced")
def another_is_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    return bool(holders_of(after, event.partition, (event.instead,)))


@claims("RecordsAtRisk")
def are_at_risk(event: Any, before: ClusterState, after: ClusterState) -> object:
    holders = holders_of(after, event.partition, event.values)
    leaderless = event.variant in ("leaderless", "no_candidate")
    if leaderless != (led(event, after).leader == NO_LEADER):
        return False
    return set(event.holders) <= holders


@claims("RecordsSafeAgain-leaderless")
def has_no_leader_afterwards(event: Any, before: ClusterState, after: ClusterState) -> object:
    return led(event, after).leader < 0

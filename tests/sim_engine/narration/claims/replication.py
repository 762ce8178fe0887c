"""Claims about fetches, logs and high watermarks."""

from typing import Any

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.replica import remote_of
from tests.sim_engine.narration.claims.states import holders_of, led, own


def is_out_of_range(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "below_start":
        return event.fetch_offset < event.log_start_offset
    if event.variant == "undefined":
        return event.log_start_offset <= event.fetch_offset
    return event.fetch_offset > event.log_end_offset


def is_of_an_older_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    epochs = (own(event, before).leader_epoch, own(event, after).leader_epoch)
    return event.request_epoch < event.leader_epoch and event.leader_epoch in epochs


def is_of_a_newer_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    epochs = (own(event, before).leader_epoch, own(event, after).leader_epoch)
    return event.request_epoch > event.leader_epoch and event.leader_epoch in epochs


def is_not_the_leader(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, before).leading is None or own(event, after).leading is None


def is_the_leader(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, before).leading is not None


def has_restarted(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.request_broker_epoch < event.broker_epoch


def has_none_from_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    return is_the_leader(event, before, after) and event.fetch_offset >= event.log_end_offset


def is_no_replica(event: Any, before: ClusterState, after: ClusterState) -> object:
    leading = own(event, before).leading
    return leading is not None and remote_of(leading, event.follower) is None


def does_not_match(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.diverging_epoch < event.last_fetched_epoch or event.end_offset < event.fetch_offset


def asks_for_its_latest(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.epoch == own(event, after).latest_epoch


def a_broker_asked(event: Any, before: ClusterState, after: ClusterState) -> object:
    return isinstance(event.follower, int)


def nothing_to_truncate(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "latest":
        return event.offset >= event.log_end_offset
    return event.log_end_offset >= event.offset


def is_the_lower_one(event: Any, before: ClusterState, after: ClusterState) -> object:
    is_back = event.variant == "back"
    return (
        event.after == min(event.response_high_watermark, event.log_end_offset)
        and (event.after < event.before) == is_back
    )


def advanced(event: Any, before: ClusterState, after: ClusterState) -> object:
    ends = [int(end.rpartition(": ")[2]) for end in event.log_end_offsets]
    return event.before < event.after == min(ends)


def isr_is_too_small(event: Any, before: ClusterState, after: ClusterState) -> object:
    return len(event.isr) < event.min_insync_replicas


def waits_for_outsiders(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not set(event.outsiders) & set(event.isr) and event.without > event.high_watermark


def repeats(event: Any, before: ClusterState, after: ClusterState) -> object:
    follower = own(event, after)
    leader = after.replica(event.leader, event.partition)
    known = any(epoch == event.epoch for epoch, _ in leader.epoch_cache)
    return event.epoch == follower.latest_epoch and (event.variant == "lookup" or not known)


def is_its_high_watermark(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.to in (own(event, before).high_watermark, own(event, after).high_watermark)


def has_nothing_beyond(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.to >= event.log_end_offset


def is_shorter_afterwards(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.to < event.before


def has_no_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not own(event, before).epoch_cache


def has_no_record_of_the_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.start_offset == own(event, before).log_end_offset


def has_no_replica(event: Any, before: ClusterState, after: ClusterState) -> object:
    return before.broker(event.broker).replica(event.partition) is None


def waits_for_its_last_fetch(event: Any, before: ClusterState, after: ClusterState) -> object:
    fetcher = own(event, before).fetcher
    ending = [one.request for one in after.broker(event.broker).ending_fetchers]
    return fetcher is not None and fetcher.awaiting in ending


def the_last_copy_is_gone(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not holders_of(after, event.partition, (event.value,))


def nobody_has_it_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    """The value may still be at another offset: of a request before its retry was acknowledged."""
    return not any(
        (record.offset, record.value) == (event.offset, event.value)
        for broker in after.brokers
        for replica in broker.replicas
        if replica.partition == event.partition
        for record in replica.log.records
    )


def its_retry_is_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    return bool(holders_of(after, event.partition, (event.value,)))


def another_is_there(event: Any, before: ClusterState, after: ClusterState) -> object:
    return bool(holders_of(after, event.partition, (event.instead,)))


def are_at_risk(event: Any, before: ClusterState, after: ClusterState) -> object:
    holders = holders_of(after, event.partition, event.values)
    leaderless = event.variant in ("leaderless", "no_candidate")
    if leaderless != (led(event, after).leader == NO_LEADER):
        return False
    return set(event.holders) <= holders

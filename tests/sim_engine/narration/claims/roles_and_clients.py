"""Claims about clients, metadata and what brokers do with them."""

from typing import Any

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from tests.sim_engine.narration.claims.states import claims, holders_of, is_alive, led, own


@claims("ProduceAcknowledged-all")
def the_isr_has_it(event: Any, before: ClusterState, after: ClusterState) -> object:
    leading = own(event, after).leading
    if leading is None or event.high_watermark <= event.offset:
        return False
    ends = {remote.broker_id: remote.log_end_offset for remote in leading.remotes}
    return all(member == event.broker or ends[member] > event.offset for member in leading.isr)


@claims("ProduceFailed-LEADER_NOT_AVAILABLE", "ConsumeFailed-LEADER_NOT_AVAILABLE")
def has_no_leader(event: Any, before: ClusterState, after: ClusterState) -> object:
    return led(event, before).leader == NO_LEADER


@claims("ProduceWaiting-isr_write")
def waits_for_zookeeper(event: Any, before: ClusterState, after: ClusterState) -> object:
    leading = own(event, before).leading
    return leading is not None and leading.blocked_isr is not None


@claims("ConsumerReadNothing")
def has_more_than_it_may_read(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "committed":
        return event.high_watermark > event.last_stable_offset
    if event.variant == "end":
        return event.offset >= event.log_end_offset
    if event.variant == "follower":
        return event.offset >= event.high_watermark
    return event.log_end_offset > event.high_watermark


@claims("ConsumerOutOfRange")
def is_past_the_end(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "below_start":
        return event.offset < event.log_start_offset
    return event.offset > event.log_end_offset


@claims("ConsumerOffsetNotAvailable")
def has_not_reached_its_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.high_watermark < event.leader_epoch_start_offset


@claims("ConsumerTruncationDetected")
def ends_below_the_position(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.end_offset < event.offset


@claims("ConsumerPositionValidated")
def ends_at_or_above_the_position(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.end_offset >= event.offset


@claims("DuplicateRecognised")
def is_a_retry(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.sequence <= event.last_sequence


@claims("MetadataApplied")
def changes_no_replica(event: Any, before: ClusterState, after: ClusterState) -> object:
    one, other = before.broker(event.broker), after.broker(event.broker)
    return [(r.log, r.leader, r.leader_epoch, r.partition_epoch) for r in one.replicas] == [
        (r.log, r.leader, r.leader_epoch, r.partition_epoch) for r in other.replicas
    ]


@claims("BecameFollower")
def follows(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, after).leader == event.leader and own(event, after).leading is None


@claims("CommandIgnored")
def is_not_newer(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.leader_epoch <= event.local_leader_epoch


@claims("ResponseIgnored-another_epoch")
def of_another_epoch(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.leader_epoch != event.own_leader_epoch


@claims("CommandIgnored-no_leader")
def stays_without_a_leader(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.local_leader_epoch == own(event, after).leader_epoch < event.leader_epoch


@claims(
    "MessageDropped-fetch_request",
    "MessageDropped-fetch_response",
    "MessageDropped-fetch_response_empty",
    "MessageDropped-fetch_response_without_effect",
)
def will_retry(event: Any, before: ClusterState, after: ClusterState) -> object:
    """That a follower which lost a request or its response will fetch again."""
    follower = event.from_ if event.message == "fetch_request" else event.to
    return after.broker(follower).alive and after.replica(follower, event.partition).leading is None


@claims("CommandFenced-STALE_CONTROLLER_EPOCH", "CommandFenced-STALE_BROKER_EPOCH")
def is_outdated(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "STALE_BROKER_EPOCH":
        return event.broker_epoch < event.own_broker_epoch
    return event.controller_epoch < event.known_controller_epoch


@claims("ConsumerRead")
def reads_below_its_bound(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "committed":
        return event.to_offset <= event.last_stable_offset
    follows = own(event, before).leading is None
    return event.to_offset <= event.high_watermark and (event.variant != "follower" or follows)


@claims("ConsumerSentToFollower")
def is_in_the_rack(event: Any, before: ClusterState, after: ClusterState) -> object:
    return before.broker(event.follower).rack == event.rack


@claims("IsrChangesKept")
def is_not_due(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.since_change_ms <= 5_000 and event.since_propagation_ms <= 60_000


@claims("IsrChangesTold")
def is_due(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant == "overdue":
        return event.since_propagation_ms > 60_000
    return event.since_change_ms > 5_000


@claims("LateResponseAccepted")
def is_of_another_epoch_at_the_same_offset(
    event: Any, before: ClusterState, after: ClusterState
) -> object:
    fetcher = own(event, before).fetcher
    return (
        event.asked_in != event.leader_epoch
        and fetcher is not None
        and (event.variant == "lookup" or fetcher.fetch_offset == event.fetch_offset)
    )


@claims("LeaderElected-last_known_leader")
def nobody_else_is_eligible(event: Any, before: ClusterState, after: ClusterState) -> object:
    was = led(event, before)
    return not any(
        is_alive(after, member) for member in (*was.isr, *was.elr) if member != event.leader
    )


@claims("LeaderElected-reassigned")
def previous_is_no_replica(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.previous_leader not in led(event, after).replicas


@claims("LeaderRecovered")
def was_recovering(event: Any, before: ClusterState, after: ClusterState) -> object:
    return led(event, before).leader_recovery_state == "RECOVERING"


@claims("LogLoaded-clean")
def left_a_marker(event: Any, before: ClusterState, after: ClusterState) -> object:
    return before.broker(event.broker).clean_shutdown


@claims("LogLoaded-recovered", "LogLoaded-recovered_outside_log")
def left_no_marker(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not before.broker(event.broker).clean_shutdown


@claims("PartitionChangeTaken")
def remains_leader(event: Any, before: ClusterState, after: ClusterState) -> object:
    was, now = own(event, before), own(event, after)
    return was.leading is not None and now.leading is not None


@claims("PartitionChangeTaken-follower", "PartitionChangeTaken-follower_epoch")
def keeps_following(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, before).leader == own(event, after).leader == event.leader


@claims("ProduceFailed-REQUEST_TIMED_OUT")
def is_not_committed(event: Any, before: ClusterState, after: ClusterState) -> object:
    request = next(one for one in before.clients.produced if _is_of(one, event))
    return request.offset is not None and own(event, before).high_watermark <= request.offset


def _is_of(request: Any, event: Any) -> bool:
    return (request.producer, request.value, request.outcome) == (
        event.producer,
        event.value,
        "pending",
    )


@claims("ProduceFailed-UNKNOWN_PRODUCER_ID")
def log_has_none_of_it(event: Any, before: ClusterState, after: ClusterState) -> object:
    records = own(event, before).log.records
    return all(record.producer_id != event.producer_id for record in records)


@claims("ProduceFailed-OUT_OF_ORDER_SEQUENCE_NUMBER")
def does_not_follow(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.last_sequence is None or event.sequence != event.last_sequence + 1


@claims("RecordsSafeAgain")
def leader_has_them(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.leader in holders_of(after, event.partition, event.values)


@claims("RegistrationRefused")
def its_session_exists(event: Any, before: ClusterState, after: ClusterState) -> object:
    return before.controller.broker(event.broker).live


@claims("ReplicaCreated")
def log_is_empty(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not own(event, after).log.records


@claims("UnflushedRecordsLost")
def was_flushed_so_far(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, before).flushed <= event.kept < event.before


@claims("MessageDropped-unawaited")
def nobody_waits(event: Any, before: ClusterState, after: ClusterState) -> object:
    follower = event.from_ if event.message == "fetch_request" else event.to
    was, now = before.replica(follower, event.partition), after.replica(follower, event.partition)
    return was == now


@claims("BecameLeaderless")
def has_no_leader_now(event: Any, before: ClusterState, after: ClusterState) -> object:
    return own(event, after).fetcher is None and own(event, after).leading is None

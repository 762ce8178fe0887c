"""Handles followers' requests at the leader, and the responses at the follower's fetch loop."""

from sim_engine.cluster.state import (
    ClusterState,
    eligible_for_isr,
    error_without_replica,
    known_broker_epoch,
)
from sim_engine.events import Event
from sim_engine.events.fetch import LateResponseAccepted, LateResponseDiscarded
from sim_engine.events.network import ResponseIgnored
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.follower.fetch_loop import (
    LateResponseFate,
    fate_of_late_response,
    without_late_request,
)
from sim_engine.protocol.follower.fetching import (
    handle_fetch_response,
    handle_list_offsets_response,
    handle_offsets_for_leader_epoch_response,
)
from sim_engine.protocol.leader.fetches import handle_fetch
from sim_engine.protocol.leader.requests import handle_list_offsets, handle_offsets_for_leader_epoch
from sim_engine.protocol.messages import (
    FetchRequest,
    FetchResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.protocol.replica import LateRequest, Replica, late_request
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.working_copy import (
    AppliesOutcomes,
    ChangesBrokers,
)


def receive_fetch_request(work: AppliesOutcomes, message: Message, request: FetchRequest) -> None:
    """A leader serves a fetch, or parks it until there are records to send."""
    cluster = work.cluster
    replica = _receiving_replica(work.cluster, message)
    outcome = handle_fetch(
        replica,
        message,
        request,
        settings=cluster.settings_at(replica.broker_id, replica.partition),
        now_ms=cluster.now_ms,
        eligible=_eligible(cluster, replica.broker_id, message, request),
        known_broker_epoch=known_broker_epoch(cluster, replica.broker_id, message.sender),
        missing=error_without_replica(cluster, replica.broker_id, replica.partition),
    )
    apply_outcome(work, outcome)


def receive_offsets_for_leader_epoch_request(
    work: AppliesOutcomes, message: Message, request: OffsetsForLeaderEpochRequest
) -> None:
    """A leader responds to an epoch lookup."""
    replica = _receiving_replica(work.cluster, message)
    outcome = handle_offsets_for_leader_epoch(
        replica,
        message,
        request,
        settings=work.cluster.settings_at(replica.broker_id, replica.partition),
        missing=error_without_replica(
            work.cluster, replica.broker_id, replica.partition, "epoch_lookup"
        ),
    )
    apply_outcome(work, outcome)


def receive_list_offsets_request(
    work: AppliesOutcomes, message: Message, request: ListOffsetsRequest
) -> None:
    """A leader responds with the start or end offset of its log."""
    replica = _receiving_replica(work.cluster, message)
    missing = error_without_replica(work.cluster, replica.broker_id, replica.partition)
    apply_outcome(work, handle_list_offsets(replica, message, request, missing=missing))


def _receiving_replica(cluster: ClusterState, message: Message) -> Replica:
    assert isinstance(message.receiver, int), "brokers fetch from brokers"
    assert message.partition is not None, "requests and responses carry one partition"
    return cluster.replica(message.receiver, message.partition)


def _eligible(
    cluster: ClusterState, leader: BrokerId, message: Message, request: FetchRequest
) -> frozenset[BrokerId]:
    """The brokers that may join the ISR, according to the leader's metadata: not a follower that
    fetches with a different broker epoch (KIP-903).
    """
    assert isinstance(message.sender, int), "followers fetch"
    eligible = eligible_for_isr(cluster, leader)
    if request.broker_epoch in (None, known_broker_epoch(cluster, leader, message.sender)):
        return eligible
    return eligible - {message.sender}


def receive_fetch_response(
    work: AppliesOutcomes, message: Message, response: FetchResponse
) -> None:
    """A follower appends the fetched records or handles the error, if its fetch loop accepts the
    response.
    """
    taken = _taken(work, message, response)
    if taken is None:
        return
    replica, late = taken
    outcome = handle_fetch_response(
        replica,
        response,
        settings=work.cluster.settings_at(replica.broker_id, replica.partition),
        now_ms=work.cluster.now_ms,
        asked_in=None if late is None else late.leader_epoch,
    )
    apply_outcome(work, outcome)


def receive_offsets_for_leader_epoch_response(
    work: AppliesOutcomes, message: Message, response: OffsetsForLeaderEpochResponse
) -> None:
    """A follower truncates its log by the epoch's end offset, if its fetch loop accepts the
    response.
    """
    taken = _taken(work, message, response)
    if taken is None:
        return
    replica, _ = taken
    outcome = handle_offsets_for_leader_epoch_response(
        replica,
        response,
        settings=work.cluster.settings_at(replica.broker_id, replica.partition),
        now_ms=work.cluster.now_ms,
    )
    apply_outcome(work, outcome)


def receive_list_offsets_response(
    work: AppliesOutcomes, message: Message, response: ListOffsetsResponse
) -> None:
    """A follower that was out of range continues at the returned offset, if its fetch loop accepts
    the response.
    """
    taken = _taken(work, message, response)
    if taken is None:
        return
    replica, _ = taken
    outcome = handle_list_offsets_response(
        replica,
        response,
        settings=work.cluster.settings_at(replica.broker_id, replica.partition),
        now_ms=work.cluster.now_ms,
    )
    apply_outcome(work, outcome)


def _taken(
    work: ChangesBrokers,
    message: Message,
    response: FetchResponse | OffsetsForLeaderEpochResponse | ListOffsetsResponse,
) -> tuple[Replica, LateRequest | None] | None:
    """The replica that applies a response and, for a late response, its request; None if the
    response is discarded.

    A response is applied if the fetch loop still waits for it, or accepts the response to a request
    of an earlier loop on the same thread.
    """
    replica = _receiving_replica(work.cluster, message)
    late = late_request(replica, response.in_reply_to)
    if late is not None:
        replica = without_late_request(replica, late.message_id)
        work.put_replica(replica)
        fate = fate_of_late_response(late, response, replica, rules=work.cluster.profile.rules)
        work.say(_late_response_event(replica, message, late, fate))
        return (replica, late) if fate == "taken" else None
    fetcher = replica.fetcher
    if fetcher is None or (fetcher.awaiting, fetcher.leader) != (
        response.in_reply_to,
        message.sender,
    ):
        work.say(_response_ignored_event(replica, message))
        return None
    return replica, None


def _response_ignored_event(replica: Replica, message: Message) -> Event:
    return ResponseIgnored(
        sources=("AbstractFetcherThread",),
        broker=replica.broker_id,
        partition=replica.partition,
        message=message.kind,
        why="the fetch loop began anew meanwhile",
    )


def _late_response_event(
    replica: Replica, message: Message, late: LateRequest, fate: LateResponseFate
) -> Event:
    if fate == "not_asked":
        return _response_ignored_event(replica, message)
    is_lookup = isinstance(message.payload, OffsetsForLeaderEpochResponse)
    rule = "KAFKA-7786" if is_lookup else "KAFKA-18991"
    arrived = LateResponseAccepted if fate == "taken" else LateResponseDiscarded
    return arrived(
        variant="lookup" if is_lookup else None,
        rule=rule,
        sources=(rule, "AbstractFetcherThread"),
        broker=replica.broker_id,
        partition=replica.partition,
        leader=late.leader,
        message=message.kind,
        fetch_offset=late.fetch_offset,
        asked_in=late.leader_epoch,
        leader_epoch=replica.leader_epoch,
    )

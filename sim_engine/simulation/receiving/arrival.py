"""The handling of arriving messages: fetches and lookups, those about ISR changes, and the table
from every payload to its function.

A response to a request of a fetch loop that has ended is late: the release's rules decide whether
the current loop accepts it. A leader proposes an ISR (KIP-497: `ReplicationControlManager
.alterPartition` and `Partition.submitAlterPartition` in Kafka), and the controller responds. Up to
2.6 a leader has written the ISR to ZooKeeper itself, and the controller reads it.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from sim_engine.class_tables import for_class
from sim_engine.cluster.state import ClusterState, error_without_replica, known_broker_epoch
from sim_engine.events.base import Event
from sim_engine.events.fetch import LateResponseAccepted, LateResponseDiscarded
from sim_engine.events.isr import IsrChangeRejected, IsrChangesTaken, IsrCommitted
from sim_engine.events.network import IgnoredCase, ResponseIgnored
from sim_engine.identifiers import CONTROLLER, ErrorCode
from sim_engine.protocol import messages
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
from sim_engine.protocol.leader.isr import with_pending_isr
from sim_engine.protocol.leader.requests import handle_list_offsets, handle_offsets_for_leader_epoch
from sim_engine.protocol.replica import LateRequest, PendingIsr, Replica, late_request
from sim_engine.simulation.effects.brokers import apply_outcome, finish_reassignment, take_isr
from sim_engine.simulation.effects.messages import (
    apply_controller_outcome,
    propose_again,
    send,
    tell_metadata,
)
from sim_engine.simulation.receiving.metadata import (
    receive_leader_and_isr,
    receive_metadata_records,
    receive_stop_replica,
    receive_update_metadata,
)
from sim_engine.simulation.working_copy import (
    ActsAsController,
    AppliesOutcomes,
    ChangesBrokers,
    ChangesNetwork,
    ReadsCluster,
)


def receive_fetch_request(
    work: AppliesOutcomes, request: messages.FetchRequest, message: messages.Message
) -> None:
    """A leader serves a fetch, or parks it until there are records to send."""
    cluster = work.cluster
    replica = _receiving_replica(cluster, message)
    outcome = handle_fetch(
        replica,
        message,
        request,
        cluster.view_of(replica),
        known_broker_epoch=known_broker_epoch(cluster, replica.broker_id, message.sender),
        missing=error_without_replica(cluster, replica.broker_id, replica.partition),
    )
    apply_outcome(work, outcome)


def receive_offsets_for_leader_epoch_request(
    work: AppliesOutcomes, request: messages.OffsetsForLeaderEpochRequest, message: messages.Message
) -> None:
    """A leader responds to an epoch lookup."""
    replica = _receiving_replica(work.cluster, message)
    outcome = handle_offsets_for_leader_epoch(
        replica,
        message,
        request,
        work.cluster.view_of(replica),
        missing=error_without_replica(
            work.cluster, replica.broker_id, replica.partition, "epoch_lookup"
        ),
    )
    apply_outcome(work, outcome)


def receive_list_offsets_request(
    work: AppliesOutcomes, request: messages.ListOffsetsRequest, message: messages.Message
) -> None:
    """A leader responds with the start or end offset of its log."""
    replica = _receiving_replica(work.cluster, message)
    missing = error_without_replica(work.cluster, replica.broker_id, replica.partition)
    apply_outcome(work, handle_list_offsets(replica, message, request, missing=missing))


def _receiving_replica(cluster: ClusterState, message: messages.Message) -> Replica:
    return cluster.replica(message.receiving_broker, message.only_partition)


def receive_response(
    work: AppliesOutcomes, response: messages.FollowerResponse, message: messages.Message
) -> None:
    """A follower appends the fetched records, truncates its log, continues at the returned offset
    or handles the error, if its fetch loop accepts the response.
    """
    taken = _taken(work, message, response)
    if taken is None:
        return
    replica, late = taken
    view = work.cluster.view_of(replica)
    if isinstance(response, messages.FetchResponse):
        asked_in = None if late is None else late.leader_epoch
        outcome = handle_fetch_response(replica, response, view, asked_in=asked_in)
    elif isinstance(response, messages.OffsetsForLeaderEpochResponse):
        outcome = handle_offsets_for_leader_epoch_response(replica, response, view)
    else:
        outcome = handle_list_offsets_response(replica, response, view)
    apply_outcome(work, outcome)


def _taken(
    work: ChangesBrokers, message: messages.Message, response: messages.FollowerResponse
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


def _response_ignored_event(replica: Replica, message: messages.Message) -> Event:
    return ResponseIgnored(
        sources=("AbstractFetcherThread",),
        **replica.place(),
        message=message.kind,
        why="the fetch loop began anew meanwhile",
    )


def _late_response_event(
    replica: Replica, message: messages.Message, late: LateRequest, fate: LateResponseFate
) -> Event:
    if fate == "not_asked":
        return _response_ignored_event(replica, message)
    is_lookup = isinstance(message.payload, messages.OffsetsForLeaderEpochResponse)
    rule = "KAFKA-7786" if is_lookup else "KAFKA-18991"
    arrived = LateResponseAccepted if fate == "taken" else LateResponseDiscarded
    return arrived(
        variant="lookup" if is_lookup else None,
        rule=rule,
        sources=(rule, "AbstractFetcherThread"),
        **replica.place(),
        leader=late.leader,
        message=message.kind,
        fetch_offset=late.fetch_offset,
        asked_in=late.leader_epoch,
        leader_epoch=replica.leader_epoch,
    )


def receive_alter_partition_request(
    work: ActsAsController, proposal: messages.AlterPartitionRequest, message: messages.Message
) -> None:
    """The controller decides about a leader's ISR proposal, and responds (KIP-497)."""
    leader, partition = message.sending_broker, message.only_partition
    cluster = work.cluster
    error, outcome = cluster.controller_kind.respond_to_alter_partition(
        cluster.situation(), partition, leader, proposal
    )
    if outcome is not None:
        apply_controller_outcome(work, outcome)
    else:
        work.say(
            IsrChangeRejected(
                sources=("KIP-497", "ReplicationControlManager"),
                broker=leader,
                partition=partition,
                error=error,
            )
        )
    accepted = outcome is not None and error is ErrorCode.NONE
    registration = work.cluster.controller.partition(partition) if accepted else None
    response = messages.AlterPartitionResponse(
        in_reply_to=message.id, error=error, registration=registration
    )
    send(work, CONTROLLER, leader, partition, response)
    finish_reassignment(work, partition)


def receive_alter_partition_response(
    work: AppliesOutcomes, response: messages.AlterPartitionResponse, message: messages.Message
) -> None:
    """The leader receives the result of its proposal (`Partition.handleAlterPartitionUpdate`)."""
    replica = _receiving_replica(work.cluster, message)
    pending = replica.pending_isr
    if pending is None or pending.request != response.in_reply_to:
        _ignore(work, replica, message, "newer metadata has come meanwhile")
    elif response.registration is None:
        _reject(work, replica, pending, response.error)
    elif response.registration.leader_epoch != replica.leader_epoch:
        work.put_replica(with_pending_isr(replica, _given_up(pending)))
        _leave_to_metadata(work, replica, message, response.registration)
    elif response.registration.partition_epoch < replica.partition_epoch:
        work.put_replica(with_pending_isr(replica, _given_up(pending)))
        _ignore(work, replica, message, "it has an older partition epoch", variant="given_up")
    else:
        _commit(work, replica, response.registration)


def _commit(
    work: AppliesOutcomes, leader: Replica, registration: messages.PartitionRegistration
) -> None:
    work.say(
        IsrCommitted(
            **leader.place(), isr=registration.isr, partition_epoch=registration.partition_epoch
        )
    )
    take_isr(work, leader, registration)


def _reject(work: ChangesNetwork, leader: Replica, pending: PendingIsr, error: ErrorCode) -> None:
    assert leader.leading is not None, "only a leader proposes"
    sends_again = error not in (*STAYS_PENDING, *REVERTS)
    after: PendingIsr | None = None
    if sends_again:
        after = replace(pending, request=None)
    elif error in STAYS_PENDING:
        after = _given_up(pending)
    work.put_replica(replace(leader, leading=replace(leader.leading, pending_isr=after)))
    work.say(
        IsrChangeRejected(
            variant="sent_again" if sends_again else "heard", **leader.place(), error=error
        )
    )
    if sends_again:
        propose_again(work, leader.broker_id)


def _given_up(pending: PendingIsr) -> PendingIsr:
    """The change stays pending, but is not sent again."""
    return replace(pending, request=None, given_up=True)


def _leave_to_metadata(
    work: ReadsCluster,
    replica: Replica,
    message: messages.Message,
    registration: messages.PartitionRegistration,
) -> None:
    """A change with a new leader epoch is applied from the metadata, not from the response."""
    work.say(
        ResponseIgnored(
            variant="another_epoch",
            **replica.place(),
            message=message.kind,
            leader_epoch=registration.leader_epoch,
            own_leader_epoch=replica.leader_epoch,
        )
    )


def _ignore(
    work: ReadsCluster,
    replica: Replica,
    message: messages.Message,
    why: str,
    variant: IgnoredCase = "superseded",
) -> None:
    work.say(ResponseIgnored(variant=variant, **replica.place(), message=message.kind, why=why))


def receive_isr_change_notification(
    work: ChangesNetwork, notification: messages.IsrChangeNotification, message: messages.Message
) -> None:
    """The controller reads the ISRs that a leader has written, sends them to every live broker, and
    deletes the notification. No epoch changes and no LeaderAndIsr is sent
    (`processIsrChangeNotification`).
    """
    work.say(IsrChangesTaken(broker=message.sending_broker, partitions=notification.partitions))
    controller = work.cluster.controller
    changed = tuple(controller.partition(name) for name in notification.partitions)
    for registered in controller.brokers:
        if registered.live:
            tell_metadata(work, registered.broker_id, changed)


def receive(work: AppliesOutcomes, message: messages.Message) -> None:
    """Let the receiver of a message handle it. The receiver must be running, and the message must
    have left the network.
    """
    RECEIVERS[type(message.payload)](work, message.payload, message)


Receiver: TypeAlias = Callable[[AppliesOutcomes, object, messages.Message], None]

RECEIVERS: Mapping[type[object], Receiver] = dict(
    (
        for_class(messages.FetchRequest, receive_fetch_request),
        for_class(messages.FetchResponse, receive_response),
        for_class(messages.OffsetsForLeaderEpochRequest, receive_offsets_for_leader_epoch_request),
        for_class(messages.OffsetsForLeaderEpochResponse, receive_response),
        for_class(messages.ListOffsetsRequest, receive_list_offsets_request),
        for_class(messages.ListOffsetsResponse, receive_response),
        for_class(messages.LeaderAndIsr, receive_leader_and_isr),
        for_class(messages.StopReplica, receive_stop_replica),
        for_class(messages.UpdateMetadata, receive_update_metadata),
        for_class(messages.IsrChangeNotification, receive_isr_change_notification),
        for_class(messages.MetadataRecords, receive_metadata_records),
        for_class(messages.AlterPartitionRequest, receive_alter_partition_request),
        for_class(messages.AlterPartitionResponse, receive_alter_partition_response),
    )
)
"""The function for every payload."""

STAYS_PENDING = (
    ErrorCode.FENCED_LEADER_EPOCH,
    ErrorCode.INVALID_UPDATE_VERSION,
    ErrorCode.INVALID_REQUEST,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.NEW_LEADER_ELECTED,
)
"""Errors of AlterPartition after which the leader stops sending, and its change stays pending until
newer metadata arrives (`Partition.handleAlterPartitionError`).
"""

REVERTS = (ErrorCode.INELIGIBLE_REPLICA, ErrorCode.OPERATION_NOT_ATTEMPTED)
"""Errors after which the leader reverts to the last committed ISR; a later fetch may propose the
change again. After any other error it resends the same change.
"""

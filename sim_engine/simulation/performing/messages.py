"""A message in flight arrives, is lost, or is held."""

from msgspec.structs import replace

from sim_engine.actions import Deliver, Drop, Hold, OneMessage, Release
from sim_engine.cluster.state import ClusterState
from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import LateAnswerDropped, LateAnswerTaken
from sim_engine.events.isr import IsrChangeRejected, IsrChangesTaken, IsrCommitted
from sim_engine.events.network import (
    IgnoredCase,
    MessageDropped,
    MessageEvent,
    MessageHeld,
    MessageReleased,
    ResponseIgnored,
)
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId
from sim_engine.protocol.controller import kraft as kraft_controller
from sim_engine.protocol.controller import zookeeper as zookeeper_controller
from sim_engine.protocol.follower.fetch_loop import (
    LateAnswer,
    handle_fetch_response,
    handle_list_offsets_response,
    handle_offsets_for_leader_epoch_response,
    what_becomes_of,
    without_late_request,
)
from sim_engine.protocol.leader.follower_fetches import handle_fetch
from sim_engine.protocol.leader.offset_requests import (
    handle_list_offsets,
    handle_offsets_for_leader_epoch,
)
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    AlterPartitionResponse,
    FetchRequest,
    FetchResponse,
    IsrChangeNotification,
    LeaderAndIsr,
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    MetadataRecords,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    StopReplica,
    UpdateMetadata,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import LateRequest, Replica, late_request
from sim_engine.simulation.performing.late_metadata import (
    as_one_delivery,
    hold_metadata,
    is_metadata_held,
    release_metadata,
    skip_command,
    waiting_records,
)
from sim_engine.simulation.receiving.controller_commands import (
    handle_leader_and_isr,
    handle_metadata,
    handle_stop_replica,
    handle_update_metadata,
    waiting_fetcher,
)
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import COMMANDS, ZOOKEEPER_COMMANDS, Turn

STAYS_PENDING = (
    ErrorCode.FENCED_LEADER_EPOCH,
    ErrorCode.INVALID_UPDATE_VERSION,
    ErrorCode.INVALID_REQUEST,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.NEW_LEADER_ELECTED,
)
"""Answers to AlterPartition after which the leader gives up, its change pending until newer
metadata arrives (`Partition.handleAlterPartitionError`)."""

REVERTS = (ErrorCode.INELIGIBLE_REPLICA, ErrorCode.OPERATION_NOT_ATTEMPTED)
"""Answers after which the leader goes back to the ISR last committed; a later fetch may try again.
After any other error it sends the same change again."""


def matching(cluster: ClusterState, action: OneMessage) -> list[Message]:
    """The messages in flight that a step means, oldest first."""
    return [
        message
        for message in cluster.messages
        if message.kind == action.kind
        and message.sender == action.from_
        and message.receiver == action.to
        and action.partition in (None, message.partition)
    ]


def why_undeliverable(cluster: ClusterState, message: Message) -> RefusedError | None:
    """Why a message cannot arrive now; null where it can."""
    if message.held:
        return RefusedError(
            "message_held",
            kind=message.kind,
            link=(message.sender, message.receiver),
        )
    if cluster.is_cut(message.sender, message.receiver):
        return RefusedError("link_cut", rule="TCP-ORDER", link=(message.sender, message.receiver))
    if isinstance(message.receiver, int) and not cluster.broker(message.receiver).running:
        return RefusedError(
            "receiver_down",
            broker=message.receiver,
            state=cluster.broker(message.receiver).process,
        )
    if message.kind in COMMANDS and isinstance(message.receiver, int):
        ending = waiting_fetcher(cluster, message.receiver)
        if ending is not None:
            return RefusedError("fetcher_ending", rule="KAFKA-6051", broker=message.receiver)
    first = next(
        other
        for other in cluster.messages
        if (other.sender, other.receiver) == (message.sender, message.receiver)
        and _in_one_order(other, message)
        # Another controller has a connection of its own.
        and other.controller_epoch == message.controller_epoch
    )
    if first.id != message.id and first.sender == CONTROLLER:
        return RefusedError(
            "message_held",
            rule="TCP-ORDER",
            kind=message.kind,
            link=(message.sender, message.receiver),
        )
    return None


def _in_one_order(first: Message, second: Message) -> bool:
    """Whether one of two messages on a link cannot arrive before the other.

    A broker reads one metadata log, and has one queue of commands, for all partitions.
    """
    if first.kind in ZOOKEEPER_COMMANDS and second.kind in ZOOKEEPER_COMMANDS:
        return True
    one_log = first.kind in COMMANDS
    return first.kind == second.kind and (one_log or first.partition == second.partition)


def deliver(turn: Turn, action: Deliver) -> None:
    """The oldest matching message arrives and is handled.

    `records` hands so many records of the metadata log over in one delivery, held back or not;
    `skip` drops a LeaderAndIsr in favour of the next.
    """
    if action.records is not None:
        _deliver_together(turn, _reader_of(action), action.records)
        return
    messages = matching(turn.cluster, action)
    if not messages:
        raise _no_such_message(action)
    if action.skip:
        skip_command(turn, messages[0])
        return
    free = [message for message in messages if not message.held] or messages
    # What a controller that is over has on its way does not hold up the next one's.
    arriving = next(
        (message for message in free if why_undeliverable(turn.cluster, message) is None), free[0]
    )
    refused = why_undeliverable(turn.cluster, arriving)
    if refused is not None:
        raise refused
    turn.take(arriving)
    _handle(turn, arriving)


def _deliver_together(turn: Turn, broker_id: BrokerId, records: int) -> None:
    """A broker reads so many records at once, each what the controller wrote at once. A hold lets
    exactly these through."""
    _require_metadata_log(turn.cluster, broker_id)
    waiting = waiting_records(turn.cluster, broker_id)
    if len(waiting) < records:
        raise RefusedError(
            "too_few_records",
            broker=broker_id,
            waiting=len(waiting),
            records=records,
        )
    refused = why_undeliverable(turn.cluster, replace(waiting[0], held=False))
    if refused is not None:
        raise refused
    for message in waiting[:records]:
        turn.take(message)
    handle_metadata(turn, broker_id, as_one_delivery(waiting[:records]))


def _require_metadata_log(cluster: ClusterState, broker_id: BrokerId) -> None:
    if cluster.profile.control != "kraft":
        raise RefusedError("no_metadata_log", broker=broker_id)


def drop(turn: Turn, action: Drop) -> None:
    """The oldest matching message is lost, and its connection with it.

    Of the metadata log nothing is: whoever loses the connection reads on from where it was.
    """
    messages = matching(turn.cluster, action)
    if not messages:
        raise _no_such_message(action)
    if action.is_metadata_log:
        raise RefusedError("metadata_is_read_again", broker=_reader_of(action))
    turn.lose(messages[0])
    turn.say(_message_event(MessageDropped, messages[0]))


def hold(turn: Turn, action: Hold) -> None:
    """The oldest matching message stays where it is until it is released.

    The metadata log is held as a whole, with what it will gain: a broker reads it in order.
    """
    if action.is_metadata_log:
        broker_id = _reader_of(action)
        _require_metadata_log(turn.cluster, broker_id)
        hold_metadata(turn, broker_id)
        turn.say(_log_event(MessageHeld, action))
        return
    messages = [message for message in matching(turn.cluster, action) if not message.held]
    if not messages:
        raise _no_such_message(action)
    _set_held(turn, messages[0], held=True)
    turn.say(_message_event(MessageHeld, messages[0]))


def release(turn: Turn, action: Release) -> None:
    """The oldest matching held message may arrive again; of the metadata log, everything may."""
    messages = [message for message in matching(turn.cluster, action) if message.held]
    if action.is_metadata_log and is_metadata_held(turn.cluster, _reader_of(action)):
        release_metadata(turn, _reader_of(action))
        turn.say(_log_event(MessageReleased, action))
        return
    if not messages:
        raise _no_such_message(action)
    _set_held(turn, messages[0], held=False)
    turn.say(_message_event(MessageReleased, messages[0]))


def _set_held(turn: Turn, message: Message, *, held: bool) -> None:
    turn.cluster = replace(
        turn.cluster,
        messages=tuple(
            replace(other, held=held) if other.id == message.id else other
            for other in turn.cluster.messages
        ),
    )


def _no_such_message(action: OneMessage) -> RefusedError:
    return RefusedError("no_such_message", kind=action.kind, link=(action.from_, action.to))


def _message_event(kind: type[MessageEvent], message: Message) -> Event:
    return kind(
        variant=message.kind,
        partition=message.partition,
        message=message.kind,
        from_=message.sender,
        to=message.receiver,
    )


def _reader_of(action: OneMessage) -> BrokerId:
    """The broker that reads the metadata log."""
    assert isinstance(action.to, int), "the controller does not read its own log"
    return action.to


def _log_event(kind: type[MessageEvent], action: OneMessage) -> Event:
    return kind(
        variant=METADATA_RECORD,
        partition=None,
        message=METADATA_RECORD,
        from_=action.from_,
        to=action.to,
    )


def _handle(turn: Turn, message: Message) -> None:
    payload = message.payload
    receiver = message.receiver
    if isinstance(payload, AlterPartitionRequest):
        _answer_alter_partition(turn, message, payload)
    elif isinstance(payload, IsrChangeNotification):
        _take_isr_changes(turn, message, payload)
    elif isinstance(receiver, int):
        if isinstance(payload, LeaderAndIsr):
            handle_leader_and_isr(turn, receiver, payload)
        elif isinstance(payload, UpdateMetadata):
            handle_update_metadata(turn, receiver, payload)
        elif isinstance(payload, StopReplica):
            assert message.partition is not None, "a replica is of one partition"
            handle_stop_replica(turn, receiver, message.partition, payload)
        elif isinstance(payload, MetadataRecords):
            handle_metadata(turn, receiver, payload)
        elif isinstance(payload, AlterPartitionResponse):
            _handle_alter_partition_response(turn, receiver, message, payload)
        elif isinstance(payload, FetchRequest | OffsetsForLeaderEpochRequest | ListOffsetsRequest):
            _serve(turn, receiver, message, payload)
        else:
            _take_answer(turn, receiver, message)


def _take_isr_changes(turn: Turn, message: Message, payload: IsrChangeNotification) -> None:
    """The controller reads the ISRs that a leader has written, tells every live broker, and deletes
    the note; no epoch moves and no LeaderAndIsr is sent (`processIsrChangeNotification`)."""
    assert isinstance(message.sender, int), "leaders tell"
    turn.say(IsrChangesTaken(broker=message.sender, partitions=payload.partitions))
    controller = turn.cluster.controller
    changed = tuple(controller.partition(name) for name in payload.partitions)
    for registered in controller.brokers:
        if registered.live:
            turn.tell_metadata(registered.broker_id, changed)


def _serve(
    turn: Turn,
    broker_id: BrokerId,
    message: Message,
    payload: FetchRequest | OffsetsForLeaderEpochRequest | ListOffsetsRequest,
) -> None:
    assert message.partition is not None, "requests carry one partition"
    cluster = turn.cluster
    replica = cluster.replica(broker_id, message.partition)
    settings = cluster.settings_of(message.partition)
    if isinstance(payload, FetchRequest):
        turn.apply(
            handle_fetch(
                replica,
                message,
                payload,
                settings=settings,
                now_ms=cluster.now_ms,
                eligible=_eligible(turn, broker_id, message, payload),
                known_broker_epoch=_known_broker_epoch(turn, broker_id, message),
            )
        )
    elif isinstance(payload, OffsetsForLeaderEpochRequest):
        turn.apply(handle_offsets_for_leader_epoch(replica, message, payload, settings=settings))
    else:
        turn.apply(handle_list_offsets(replica, message, payload))


def _eligible(
    turn: Turn, leader: BrokerId, message: Message, request: FetchRequest
) -> frozenset[BrokerId]:
    """Who may join, as far as the leader knows: not a follower that fetches with another broker
    epoch than the leader has read of (KIP-903)."""
    assert isinstance(message.sender, int), "followers fetch"
    eligible = turn.eligible(leader)
    if request.broker_epoch in (None, _known_broker_epoch(turn, leader, message)):
        return eligible
    return eligible - {message.sender}


def _known_broker_epoch(turn: Turn, leader: BrokerId, message: Message) -> int | None:
    """The broker epoch of whoever fetches, as far as the leader has read the metadata log and takes
    it for live."""
    for broker in turn.cluster.broker(leader).known_brokers:
        if broker.broker_id == message.sender and broker.live and not broker.fenced:
            return broker.broker_epoch
    return None


def _take_answer(turn: Turn, broker_id: BrokerId, message: Message) -> None:
    """Apply an answer if the fetch loop still waits for it, or takes what an earlier one has asked
    for on the same thread."""
    payload = message.payload
    assert message.partition is not None, "answers carry one partition"
    assert isinstance(
        payload, FetchResponse | OffsetsForLeaderEpochResponse | ListOffsetsResponse
    ), "the other answers have a handler of their own"
    replica = turn.cluster.replica(broker_id, message.partition)
    fetcher = replica.fetcher
    late = late_request(replica, payload.in_reply_to)
    if late is not None:
        replica = without_late_request(replica, late.message_id)
        turn.put(replica)
        fate = what_becomes_of(late, payload, replica, rules=turn.cluster.profile.rules)
        turn.say(_late_answer_event(replica, message, late, fate))
        if fate != "taken":
            return
    elif fetcher is None or (fetcher.awaiting, fetcher.leader) != (
        payload.in_reply_to,
        message.sender,
    ):
        turn.say(_answer_ignored_event(replica, message))
        return
    settings = turn.cluster.settings_of(message.partition)
    now_ms = turn.cluster.now_ms
    if isinstance(payload, FetchResponse):
        turn.apply(
            handle_fetch_response(
                replica,
                payload,
                settings=settings,
                now_ms=now_ms,
                asked_in=None if late is None else late.leader_epoch,
            )
        )
    elif isinstance(payload, OffsetsForLeaderEpochResponse):
        turn.apply(
            handle_offsets_for_leader_epoch_response(
                replica, payload, settings=settings, now_ms=now_ms
            )
        )
    else:
        turn.apply(handle_list_offsets_response(replica, payload, settings=settings, now_ms=now_ms))


def _answer_ignored_event(replica: Replica, message: Message) -> Event:
    return ResponseIgnored(
        sources=("AbstractFetcherThread",),
        broker=replica.broker_id,
        partition=replica.partition,
        message=message.kind,
        why="the fetch loop began anew meanwhile",
    )


def _late_answer_event(
    replica: Replica, message: Message, late: LateRequest, fate: LateAnswer
) -> Event:
    if fate == "not_asked":
        return _answer_ignored_event(replica, message)
    is_lookup = isinstance(message.payload, OffsetsForLeaderEpochResponse)
    rule = "KAFKA-7786" if is_lookup else "KAFKA-18991"
    arrived = LateAnswerTaken if fate == "taken" else LateAnswerDropped
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


def _answer_alter_partition(turn: Turn, message: Message, payload: AlterPartitionRequest) -> None:
    assert message.partition is not None, "a proposal is about one partition"
    assert isinstance(message.sender, int), "leaders propose"
    cluster = turn.cluster
    if cluster.profile.control == "kraft":
        error, outcome = kraft_controller.answer_alter_partition(
            cluster.controller,
            message.partition,
            message.sender,
            leader_epoch=payload.leader_epoch,
            partition_epoch=payload.partition_epoch,
            new_isr=payload.new_isr,
            broker_epochs=payload.broker_epochs,
            leader_recovery_state=payload.leader_recovery_state,
            broker_epoch=payload.broker_epoch,
            profile=cluster.profile,
            policies=cluster.policies(),
        )
    else:
        error, outcome = zookeeper_controller.answer_alter_partition(
            cluster.controller,
            message.partition,
            message.sender,
            leader_epoch=payload.leader_epoch,
            partition_epoch=payload.partition_epoch,
            new_isr=payload.new_isr,
            profile=cluster.profile,
        )
    if outcome is not None:
        turn.apply_controller(outcome)
    else:
        turn.say(
            IsrChangeRejected(
                sources=("KIP-497", "ReplicationControlManager"),
                broker=message.sender,
                partition=message.partition,
                error=error,
            )
        )
    turn.send(
        CONTROLLER,
        message.sender,
        message.partition,
        AlterPartitionResponse(
            in_reply_to=message.id,
            error=error,
            registration=(
                None
                if outcome is None or error is not ErrorCode.NONE
                else outcome.controller.partition(message.partition)
            ),
        ),
    )
    turn.finish_reassignment(message.partition)


def _handle_alter_partition_response(
    turn: Turn, broker_id: BrokerId, message: Message, payload: AlterPartitionResponse
) -> None:
    """The leader hears what became of its proposal (`Partition.handleAlterPartitionUpdate`)."""
    assert message.partition is not None, "answers carry one partition"
    replica = turn.cluster.replica(broker_id, message.partition)
    leading = replica.leading
    registration = payload.registration
    pending = None if leading is None else leading.pending_isr
    if leading is None or pending is None or pending.request != payload.in_reply_to:
        _ignored(turn, replica, message, "newer metadata has come meanwhile")
        return
    given_up = replace(leading, pending_isr=replace(pending, request=None, given_up=True))
    if registration is not None:
        if (
            registration.leader_epoch != replica.leader_epoch
            or registration.partition_epoch < replica.partition_epoch
        ):
            turn.put(replace(replica, leading=given_up))
            if registration.leader_epoch == replica.leader_epoch:
                _ignored(
                    turn,
                    replica,
                    message,
                    "it speaks of an older partition epoch",
                    variant="given_up",
                )
            else:
                _of_another_epoch(turn, replica, message, registration)
            return
        turn.say(
            IsrCommitted(
                broker=broker_id,
                partition=message.partition,
                isr=registration.isr,
                partition_epoch=registration.partition_epoch,
            )
        )
        turn.take_isr(replica, registration)
    else:
        sends_again = payload.error not in (*STAYS_PENDING, *REVERTS)
        if sends_again:
            changed = replace(leading, pending_isr=replace(pending, request=None))
        elif payload.error in STAYS_PENDING:
            changed = given_up
        else:
            changed = replace(leading, pending_isr=None)
        turn.put(replace(replica, leading=changed))
        turn.say(
            IsrChangeRejected(
                variant="sent_again" if sends_again else "heard",
                broker=broker_id,
                partition=message.partition,
                error=payload.error,
            )
        )
        if sends_again:
            turn.propose_again(broker_id)


def _of_another_epoch(
    turn: Turn, replica: Replica, message: Message, registration: PartitionRegistration
) -> None:
    """A change that cost a leader epoch is taken from the metadata, not from the answer."""
    turn.say(
        ResponseIgnored(
            variant="another_epoch",
            broker=replica.broker_id,
            partition=replica.partition,
            message=message.kind,
            leader_epoch=registration.leader_epoch,
            own_leader_epoch=replica.leader_epoch,
        )
    )


def _ignored(
    turn: Turn, replica: Replica, message: Message, why: str, variant: IgnoredCase = "superseded"
) -> None:
    turn.say(
        ResponseIgnored(
            variant=variant,
            broker=replica.broker_id,
            partition=replica.partition,
            message=message.kind,
            why=why,
        )
    )

"""Fetch requests are sent, and messages in flight delivered, dropped, held and released, also late
metadata: a held metadata log, several records in one delivery, and a command that is never
delivered.

A KRaft broker reads one log and applies only the final state of each delivery
(`ReplicaManager.applyDelta`). Under ZooKeeper a failed controller leaves commands unsent, and its
successor sends the current state. In both cases a broker may never learn of a state in between, not
even that another broker was leader.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from sim_engine.actions.steps import Deliver, Drop, Hold, OneMessage, Release, SendFetch
from sim_engine.class_tables import for_class
from sim_engine.cluster.state import ALIVE, RUNNING, ClusterState
from sim_engine.events.base import Event
from sim_engine.events.metadata import CommandSkipped
from sim_engine.events.network import (
    DroppedCase,
    MessageDropped,
    MessageEvent,
    MessageHeld,
    MessageReleased,
)
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    NO_LEADER,
    BrokerId,
    Endpoint,
    ErrorCode,
    MessageKind,
    TopicPartition,
)
from sim_engine.narration import RefusedError
from sim_engine.protocol.follower.fetching import send_next
from sim_engine.protocol.messages import (
    COMMANDS,
    ZOOKEEPER_COMMANDS,
    FetchRequest,
    FetchResponse,
    LeaderAndIsr,
    Message,
    MetadataRecords,
    PartitionRegistration,
    with_newer,
)
from sim_engine.protocol.replica import Replica, late_request, late_request_to
from sim_engine.simulation.effects.brokers import apply_outcome
from sim_engine.simulation.effects.messages import lose, remove, replace_message
from sim_engine.simulation.receiving.arrival import receive
from sim_engine.simulation.receiving.metadata import waiting_fetcher
from sim_engine.simulation.working_copy import AppliesOutcomes, ChangesNetwork


def why_no_fetch(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> RefusedError | None:
    """Why a follower cannot send its next request now; None if it can."""
    broker = cluster.broker(broker_id)
    if not broker.running:
        return RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    replica = broker.replica(partition)
    if replica is None:
        return RefusedError("not_a_replica", broker=broker_id, partition=partition)
    if replica.leading is not None:
        return RefusedError("is_leader", broker=broker_id, partition=partition)
    fetcher = replica.fetcher
    if fetcher is None or fetcher.leader == NO_LEADER:
        if cluster.controller.partition(partition).leader == NO_LEADER:
            return RefusedError("no_leader", partition=partition)
        if replica.leader != NO_LEADER:
            return RefusedError("fetching_stopped", broker=broker_id, partition=partition)
        return RefusedError("leader_unknown", broker=broker_id, partition=partition)
    if fetcher.phase == "failed":
        return RefusedError("fetcher_failed", broker=broker_id, partition=partition)
    if fetcher.awaiting is not None or late_request_to(replica, fetcher.leader) is not None:
        return RefusedError("request_in_flight", broker=broker_id, partition=partition)
    process = cluster.process_of(fetcher.leader)
    if process not in ALIVE:
        return RefusedError("receiver_down", broker=fetcher.leader, state=process)
    if cluster.is_cut(broker_id, fetcher.leader):
        return RefusedError("link_cut", rule="TCP-ORDER", link=(broker_id, fetcher.leader))
    return None


def send_fetch(work: AppliesOutcomes, action: SendFetch) -> None:
    """A follower sends the next request of its fetch loop, of whatever kind."""
    broker_id = action.broker
    partition = followed_partition(work.cluster, broker_id, action.partition)
    refused = why_no_fetch(work.cluster, broker_id, partition)
    if refused is not None:
        raise refused
    replica = work.cluster.replica(broker_id, partition)
    outcome = send_next(
        replica,
        work.cluster.view_of(replica),
        broker_epoch=work.cluster.controller.broker(broker_id).broker_epoch,
        message_id=work.cluster.next_message_id,
        max_records=action.records,
    )
    apply_outcome(work, outcome)


def followed_partition(
    cluster: ClusterState, broker_id: BrokerId, asked: TopicPartition | None
) -> TopicPartition:
    """The partition of a fetch step: the named one, otherwise the first that the broker follows."""
    if asked is not None:
        return asked
    replicas = cluster.broker(broker_id).replicas
    for replica in replicas:
        if replica.fetcher is not None:
            return replica.partition
    if not replicas:
        raise RefusedError("not_a_replica", broker=broker_id, partition=cluster.partitions[0])
    return replicas[0].partition


def matching(cluster: ClusterState, action: OneMessage) -> list[Message]:
    """The messages in flight that a step selects, oldest first; with `nth` at most one."""
    matches = [
        message
        for message in cluster.messages
        if message.kind == action.kind
        and message.sender == action.from_
        and message.receiver == action.to
        and action.partition in (None, message.partition)
    ]
    return matches if action.nth is None else matches[action.nth - 1 : action.nth]


def why_undeliverable(cluster: ClusterState, message: Message) -> RefusedError | None:
    """Why a message cannot arrive now; None if it can."""
    if message.held:
        return RefusedError(
            "message_held", kind=message.kind, link=(message.sender, message.receiver)
        )
    if cluster.is_cut(message.sender, message.receiver):
        return RefusedError("link_cut", rule="TCP-ORDER", link=(message.sender, message.receiver))
    if isinstance(message.receiver, int):
        process = cluster.process_of(message.receiver)
        if process not in RUNNING:
            return RefusedError("receiver_down", broker=message.receiver, state=process)
    if message.kind in COMMANDS and isinstance(message.receiver, int):
        ending = waiting_fetcher(cluster, message.receiver)
        if ending is not None:
            return RefusedError("fetcher_ending", rule="KAFKA-6051", broker=message.receiver)
    if message.sender != CONTROLLER:
        return None
    first = next(
        other
        for other in cluster.messages
        if (other.sender, other.receiver) == (message.sender, message.receiver)
        and _in_one_order(other, message)
        # A different controller has a separate connection.
        and other.controller_epoch == message.controller_epoch
    )
    if first.id != message.id:
        return RefusedError(
            "earlier_message_first",
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


def deliver(work: AppliesOutcomes, action: Deliver) -> None:
    """Delivers the oldest matching message, and the receiver handles it.

    `records` delivers that many records of the metadata log at once, whether held or not. `skip`
    replaces a LeaderAndIsr by the next one.
    """
    if action.records is not None:
        _deliver_together(work, _reader_of(action), action.records)
        return
    messages = matching(work.cluster, action)
    if not messages:
        raise _not_selected(work.cluster, action)
    if action.skip:
        skip_command(work, messages[0])
        return
    free = [message for message in messages if not message.held] or messages
    refusals: list[RefusedError] = []
    for arriving in free:
        refused = why_undeliverable(work.cluster, arriving)
        if refused is None:
            remove(work, arriving)
            receive(work, arriving)
            return
        # Messages in flight from a former controller do not delay those of the next one.
        refusals.append(refused)
    raise refusals[0]


def _deliver_together(work: AppliesOutcomes, broker_id: BrokerId, records: int) -> None:
    """A broker reads several records in one delivery, each of them one write of the controller. A
    hold lets exactly these through.
    """
    _require_metadata_log(work.cluster, broker_id)
    waiting = waiting_records(work.cluster, broker_id)
    if len(waiting) < records:
        raise RefusedError(
            "too_few_records", broker=broker_id, waiting=len(waiting), records=records
        )
    refused = why_undeliverable(work.cluster, replace(waiting[0], held=False))
    if refused is not None:
        raise refused
    for message in waiting[:records]:
        remove(work, message)
    receive(work, replace(waiting[records - 1], payload=as_one_delivery(waiting[:records])))


def _require_metadata_log(cluster: ClusterState, broker_id: BrokerId) -> None:
    if not cluster.controller_kind.has_metadata_log:
        raise RefusedError("no_metadata_log", broker=broker_id)


def drop(work: ChangesNetwork, action: Drop) -> None:
    """Drops the oldest matching message and closes its connection.

    Records of the metadata log cannot be dropped: after a disconnect, a broker continues reading
    where it was.
    """
    messages = matching(work.cluster, action)
    if not messages:
        raise _not_selected(work.cluster, action)
    if action.is_metadata_log:
        raise RefusedError("metadata_is_read_again", broker=_reader_of(action))
    dropped = messages[0]
    case = _dropped_case(work.cluster, dropped)
    lose(work, dropped)
    work.say(_message_event(MessageDropped, dropped, case))


def _dropped_case(cluster: ClusterState, message: Message) -> MessageKind | DroppedCase:
    """The kind of a dropped message; for a response to a fetch also what is lost with it, and for
    a request or response that its follower no longer waits for "unawaited".
    """
    response = message.payload
    if isinstance(response, FetchRequest | FetchResponse):
        is_request = isinstance(response, FetchRequest)
        follower = message.sending_broker if is_request else message.receiving_broker
        request = message.id if message.in_reply_to is None else message.in_reply_to
        if not is_awaited(cluster.replica(follower, message.only_partition), request):
            return "unawaited"
    if not isinstance(response, FetchResponse):
        return message.kind
    if response.error is not ErrorCode.NONE or response.diverging_epoch is not None:
        return "fetch_response_without_effect"
    return message.kind if response.records else "fetch_response_empty"


def is_awaited(replica: Replica, request: int) -> bool:
    """Whether a fetch loop of a follower, or its fetcher thread, waits for a request's response."""
    fetcher = replica.fetcher
    awaited = fetcher is not None and fetcher.awaiting == request
    return awaited or late_request(replica, request) is not None


def hold(work: ChangesNetwork, action: Hold) -> None:
    """Hold the oldest matching message until it is released.

    The metadata log is held as a whole, including future records, because a broker reads it in
    order.
    """
    if action.is_metadata_log:
        broker_id = _reader_of(action)
        _require_metadata_log(work.cluster, broker_id)
        if is_metadata_held(work.cluster, broker_id):
            raise RefusedError("metadata_held_already", broker=broker_id)
        _hold_log(work, broker_id, held=True)
        work.say(_log_event(MessageHeld, action))
        return
    messages = [message for message in matching(work.cluster, action) if not message.held]
    if not messages:
        raise _not_selected(work.cluster, action, "message_held")
    replace_message(work, replace(messages[0], held=True))
    work.say(_message_event(MessageHeld, messages[0]))


def release(work: ChangesNetwork, action: Release) -> None:
    """Releases the oldest matching held message. For the metadata log, releases everything."""
    messages = [message for message in matching(work.cluster, action) if message.held]
    if action.is_metadata_log and is_metadata_held(work.cluster, _reader_of(action)):
        _hold_log(work, _reader_of(action), held=False)
        work.say(_log_event(MessageReleased, action))
        return
    if not messages:
        raise _not_selected(work.cluster, action, "message_not_held")
    replace_message(work, replace(messages[0], held=False))
    work.say(_message_event(MessageReleased, messages[0]))


def _not_selected(
    cluster: ClusterState,
    action: OneMessage,
    if_selected: Literal["message_held", "message_not_held"] | None = None,
) -> RefusedError:
    """The reason why a step finds no message: none is in flight, none of this partition, or not as
    many; `if_selected` if there are some, but all of them are held, or none is.
    """
    link = (action.from_, action.to)
    if if_selected is not None and matching(cluster, action):
        return RefusedError(if_selected, kind=action.kind, link=link)
    if not matching(cluster, replace(action, partition=None, nth=None)):
        return RefusedError("no_such_message", kind=action.kind, link=link)
    if action.partition is None or matching(cluster, replace(action, nth=None)):
        assert action.nth is not None, "without it, a message would be selected"
        return RefusedError("too_few_messages", kind=action.kind, link=link, nth=action.nth)
    return RefusedError(
        "no_message_of_partition", kind=action.kind, link=link, partition=action.partition
    )


def _message_event(
    kind: type[MessageEvent], message: Message, variant: MessageKind | DroppedCase | None = None
) -> Event:
    return kind(
        variant=variant or message.kind,
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


def is_metadata_held(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether new metadata records are held for a broker."""
    return (METADATA_RECORD, CONTROLLER, broker_id) in cluster.network_holds


def waiting_records(cluster: ClusterState, broker_id: BrokerId) -> list[Message]:
    """The metadata that the controller has written and a broker has not read, oldest first.

    Each message is one atomic write of the controller.
    """
    return [
        message
        for message in cluster.messages
        if message.kind == METADATA_RECORD and message.receiver == broker_id
    ]


def as_one_delivery(messages: Sequence[Message]) -> MetadataRecords:
    """Several messages merged into one delivery: the final state of each partition."""
    merged: MetadataRecords | None = None
    for message in messages:
        following = message.payload
        assert isinstance(following, MetadataRecords), "a metadata log has nothing else"
        merged = following if merged is None else _merge(merged, following)
    assert merged is not None, "a delivery has messages"
    return merged


def _merge(before: MetadataRecords, following: MetadataRecords) -> MetadataRecords:
    partitions = {registration.partition: registration for registration in before.partitions}
    newer = {registration.partition: registration for registration in following.partitions}
    passed_over = (partitions[name] for name in newer if name in partitions)
    return MetadataRecords(
        offset=following.offset,
        partitions=tuple({**partitions, **newer}.values()),
        brokers=with_newer(before.brokers, following.brokers),
        records=(*before.records, *following.records),
        passed_over=(*before.passed_over, *passed_over),
    )


def skip_command(work: ChangesNetwork, skipped: Message) -> None:
    """Skip a LeaderAndIsr: it is never delivered, and later ones to the same broker replace it.

    Refused unless each of its partitions is in a later one in flight.
    """
    assert isinstance(skipped.payload, LeaderAndIsr), "only a LeaderAndIsr is skipped"
    later = [
        message
        for message in work.cluster.messages
        if message.kind == skipped.kind
        and message.receiver == skipped.receiver
        and message.id > skipped.id
    ]
    for registration in skipped.payload.partitions:
        if not any(_speaks_of(message, registration) for message in later):
            raise RefusedError(
                "nothing_in_its_place",
                rule="ZK-SKIPPED-COMMAND",
                broker=skipped.receiving_broker,
                partition=registration.partition,
            )
    remove(work, skipped, "lost")
    for registration in skipped.payload.partitions:
        heir = next(message for message in later if _speaks_of(message, registration))
        passed_over = [
            state
            for state in (*skipped.payload.passed_over, registration)
            if state.partition == registration.partition
        ]
        _pass_over(work, heir.id, tuple(passed_over))
        work.say(
            CommandSkipped(
                broker=skipped.receiving_broker,
                partition=registration.partition,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
            )
        )


def _speaks_of(message: Message, registration: PartitionRegistration) -> bool:
    assert isinstance(message.payload, LeaderAndIsr), "the other commands have no leader epoch"
    return any(
        later.partition == registration.partition
        and later.leader_epoch >= registration.leader_epoch
        for later in message.payload.partitions
    )


def _pass_over(
    work: ChangesNetwork, heir_id: int, states: tuple[PartitionRegistration, ...]
) -> None:
    heir = next(message for message in work.cluster.messages if message.id == heir_id)
    assert isinstance(heir.payload, LeaderAndIsr), "a command is replaced by a command"
    passed_over = (*heir.payload.passed_over, *states)
    replace_message(work, replace(heir, payload=replace(heir.payload, passed_over=passed_over)))


def _hold_log(work: ChangesNetwork, broker_id: BrokerId, *, held: bool) -> None:
    """Hold the metadata log for a broker, or let it read on. Its heartbeats, its requests to the
    controller and their responses pass in both cases.
    """
    work.put_messages(
        tuple(
            replace(message, held=held)
            if message.kind == METADATA_RECORD and message.receiver == broker_id
            else message
            for message in work.cluster.messages
        )
    )
    route: tuple[MessageKind, Endpoint, Endpoint] = (METADATA_RECORD, CONTROLLER, broker_id)
    others = tuple(one for one in work.cluster.network_holds if one != route)
    work.put_network_holds((*others, route) if held else others)


PERFORMED = (
    for_class(SendFetch, send_fetch),
    for_class(Deliver, deliver),
    for_class(Drop, drop),
    for_class(Hold, hold),
    for_class(Release, release),
)

"""The key by which a search identifies states: everything that can still make a difference.

Times, frame numbers and message numbers are excluded, so two paths to the same state have equal
keys. For a request, only whether a sender still waits for it matters, not its number.
"""

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.protocol.messages import Answer, Message
from sim_engine.protocol.replica import Replica, late_request
from sim_engine.simulation.fetch_rounds import observable


def state_key(cluster: ClusterState) -> tuple[object, ...]:
    """The state reduced to what later steps depend on. Two states with equal keys have the same
    continuations.
    """
    brokers, controller, clients, _ = observable(cluster)
    del clients  # contains frame numbers; the relevant parts are added below
    told = tuple(
        (record.id, record.outcome, record.fate, record.retried)
        for record in cluster.clients.produced
    )
    read = tuple((record.consumer, record.offset, record.id) for record in cluster.clients.consumed)
    return (
        brokers,
        tuple([_memory(broker) for broker in cluster.brokers]),
        _order_of_losses(cluster),
        controller,
        cluster.clients.clients,
        told,
        read,
        cluster.links_cut,
        cluster.network_holds,
        tuple([_in_flight(cluster, message) for message in cluster.messages]),
    )


def _memory(broker: Broker) -> tuple[object, ...]:
    return (
        broker.contact_lost_ms is None,
        broker.broker_session_kept,
        broker.broker_epoch,
        broker.previous_broker_epoch,
        broker.clean_shutdown_epoch,
        broker.known_partitions,
        broker.isr_changes.partitions,
        len(broker.ending_fetchers),
        tuple([_loops(replica) for replica in broker.replicas]),
    )


def _loops(replica: Replica) -> tuple[object, ...]:
    """The fetch loops of a replica and, if it leads, its parked fetches."""
    fetcher, leading = replica.fetcher, replica.leading
    return (
        None
        if fetcher is None
        else (
            fetcher.leader,
            fetcher.truncation_fallback,
            fetcher.forgot_epoch,
            fetcher.awaiting is None,
            fetcher.delayed_until_ms is None,
        ),
        tuple(
            [(late.leader, late.leader_epoch, late.fetch_offset) for late in replica.late_requests]
        ),
        None
        if leading is None
        else (
            leading.leader_epoch_start_offset,
            tuple([(waiting.follower, waiting.request) for waiting in leading.parked]),
            tuple([(one.last_sent_high_watermark, one.broker_epoch) for one in leading.remotes]),
        ),
    )


def _order_of_losses(cluster: ClusterState) -> tuple[int, ...]:
    """The order in which the controller lost contact with brokers, because it reacts in
    that order.
    """
    away = [broker for broker in cluster.brokers if broker.contact_lost_ms is not None]
    return tuple(
        broker.broker_id for broker in sorted(away, key=lambda one: one.contact_lost_order)
    )


def _in_flight(cluster: ClusterState, message: Message) -> tuple[object, ...]:
    payload = message.payload
    awaited = False
    if isinstance(payload, Answer):
        awaited = _is_awaited(cluster, message, payload.in_reply_to)
        payload = replace(payload, in_reply_to=0)
    elif isinstance(message.sender, int) and message.partition is not None:
        replica = cluster.replica(message.sender, message.partition)
        awaited = _waits_for(replica, message.id)
    return (
        message.kind,
        message.sender,
        message.receiver,
        message.partition,
        payload,
        message.held,
        awaited,
    )


def _is_awaited(cluster: ClusterState, message: Message, request: int) -> bool:
    if not isinstance(message.receiver, int) or message.partition is None:
        return False
    return _waits_for(cluster.replica(message.receiver, message.partition), request)


def _waits_for(replica: Replica, request: int) -> bool:
    if replica.fetcher is not None and replica.fetcher.awaiting == request:
        return True
    pending = replica.leading.pending_isr if replica.leading is not None else None
    if pending is not None and pending.request == request:
        return True
    return late_request(replica, request) is not None

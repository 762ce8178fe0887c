"""Determines what a follower's next fetch round would change, and handles rounds that change
nothing.

A round that would change nothing is not played: only the leader's state of the follower is updated
(`refresh_beliefs`), so an idle cluster creates no frames.
"""

from msgspec.structs import replace

from sim_engine.actions import Deliver, SendFetch, Timer
from sim_engine.cluster.state import Broker, ClusterState, with_replica
from sim_engine.identifiers import FIRST_FRAME, BrokerId, TopicPartition
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import (
    LeadingState,
    PendingIsr,
    Replica,
    late_request_to,
    remote_of,
)
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.transition import perform


def observable(cluster: ClusterState) -> tuple[object, ...]:
    """The visible part of a state: everything except times and message numbers."""
    return (
        tuple([_observable_broker(broker) for broker in cluster.brokers]),
        cluster.controller,
        cluster.clients,
        _observable_messages(cluster),
    )


def looks_the_same(one: ClusterState, other: ClusterState) -> bool:
    """Whether the visible parts of two states are equal.

    An action replaces only the objects that it changes, so most objects of a state and of the one
    after it are the same; those are not compared.
    """
    return (
        len(one.brokers) == len(other.brokers)
        and all(map(_same_broker, one.brokers, other.brokers))
        and one.controller == other.controller
        and one.clients == other.clients
        and _observable_messages(one) == _observable_messages(other)
    )


def _same_broker(one: Broker, other: Broker) -> bool:
    if one is other:
        return True
    return (
        _observable_process(one) == _observable_process(other)
        and len(one.replicas) == len(other.replicas)
        and all(map(_same_replica, one.replicas, other.replicas))
    )


def _same_replica(one: Replica, other: Replica) -> bool:
    return one is other or _observable_replica(one) == _observable_replica(other)


def _observable_broker(broker: Broker) -> tuple[object, ...]:
    replicas = tuple([_observable_replica(replica) for replica in broker.replicas])
    return (*_observable_process(broker), replicas)


def _observable_process(broker: Broker) -> tuple[object, ...]:
    return (broker.process, broker.clean_shutdown, broker.known_brokers)


def _observable_replica(replica: Replica) -> tuple[object, ...]:
    fetcher = replica.fetcher
    return (
        replica.log,
        replica.flushed,
        replica.epoch_cache,
        replica.checkpoint_high_watermark,
        replica.checkpoint_recovery_point,
        replica.leader,
        replica.leader_epoch,
        replica.partition_epoch,
        replica.high_watermark,
        replica.following,
        observable_leading(replica.leading),
        None
        if fetcher is None
        else (
            fetcher.phase,
            fetcher.fetch_offset,
            fetcher.has_fetched,
            fetcher.diverging_epoch,
        ),
    )


def observable_leading(leading: LeadingState | None) -> tuple[object, ...] | None:
    """The visible part of a leader's state, without its log; None for other replicas."""
    if leading is None:
        return None
    return (
        leading.isr,
        _without_request(leading.pending_isr),
        leading.blocked_isr,
        tuple([(remote.broker_id, remote.log_end_offset) for remote in leading.remotes]),
        tuple([waiting.request for waiting in leading.produces]),
    )


def _observable_messages(cluster: ClusterState) -> list[tuple[object, ...]]:
    return [
        (message.kind, message.sender, message.receiver, message.partition)
        for message in cluster.messages
    ]


def _without_request(pending: PendingIsr | None) -> tuple[PendingIsr, bool] | None:
    if pending is None:
        return None
    return replace(pending, request=None), pending.request is None


def delivery_of(message: Message) -> Deliver:
    """The action that delivers a message."""
    return Deliver(
        kind=message.kind,
        from_=message.sender,
        to=message.receiver,
        partition=message.partition,
    )


def long_poll(leader: BrokerId, partition: TopicPartition, follower: BrokerId) -> Timer:
    """The action that ends one follower's long poll."""
    return Timer(broker=leader, kind="long_poll", partition=partition, follower=follower)


def round_changes_something(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> bool:
    """Whether a follower's next complete round would change anything visible; also true if the
    round cannot be completed, for example because the response is held.
    """
    try:
        after = play_round(cluster, broker_id, partition)
    except RefusedError:
        return True
    return not looks_the_same(after, cluster)


def play_round(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> ClusterState:
    """The state after a follower's next round: request, handling, wait, response, application.

    Raises `RefusedError` if a part of the round is not possible now.
    """
    fetcher = cluster.replica(broker_id, partition).fetcher
    assert fetcher is not None, "the broker follows"
    leader = fetcher.leader
    cluster = perform(
        cluster, SendFetch(broker=broker_id, partition=partition), FIRST_FRAME
    ).cluster
    cluster = _deliver_newest(cluster, broker_id, leader, partition)
    leading = cluster.replica(leader, partition).leading
    if leading is not None and any(parked.follower == broker_id for parked in leading.parked):
        cluster = perform(cluster, long_poll(leader, partition, broker_id), FIRST_FRAME).cluster
    return _deliver_newest(cluster, leader, broker_id, partition)


def _deliver_newest(
    cluster: ClusterState, sender: BrokerId, receiver: BrokerId, partition: TopicPartition
) -> ClusterState:
    message = _newest(cluster, sender, receiver, partition)
    return perform(cluster, delivery_of(message), FIRST_FRAME).cluster


def _newest(
    cluster: ClusterState, sender: BrokerId, receiver: BrokerId, partition: TopicPartition
) -> Message:
    for message in reversed(cluster.messages):
        if (message.sender, message.receiver, message.partition) == (sender, receiver, partition):
            return message
    raise RefusedError("no_such_message", kind="fetch_response", link=(sender, receiver))


def awaited_response(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Message | None:
    """The response in flight that a follower's fetcher thread waits for; None if there is none."""
    awaited = request_under_way(cluster, broker_id, partition)
    for message in cluster.messages:
        if awaited is not None and message.receiver == broker_id and message.in_reply_to == awaited:
            return message
    return None


def request_under_way(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> int | None:
    """The message id of the request that a follower's fetcher thread waits for, which may be one
    of an earlier fetch loop; None if it waits for none.
    """
    replica = cluster.replica(broker_id, partition)
    if replica.fetcher is None:
        return None
    late = late_request_to(replica, replica.fetcher.leader)
    return replica.fetcher.awaiting if late is None else late.message_id


def refresh_beliefs(cluster: ClusterState) -> ClusterState:
    """Record for every idle follower that it fetches now.

    An idle follower's rounds change nothing visible, but they update the leader's
    `last_caught_up_time_ms` of it (`Replica.updateFetchStateOrThrow`). Without this, the ISR of an
    idle partition would shrink.
    """
    for broker in cluster.brokers:
        for replica in broker.replicas:
            fetcher = replica.fetcher
            if (
                fetcher is None
                or fetcher.phase != "fetching"
                or not broker.running
                or fetcher.delayed_until_ms is not None
                or cluster.is_cut(broker.broker_id, fetcher.leader)
                or cluster.is_cut(fetcher.leader, broker.broker_id)
                or _is_held_back(cluster, broker, fetcher.leader)
                or not cluster.broker(fetcher.leader).running
            ):
                continue
            cluster = _note_fetch(cluster, broker, fetcher.leader, replica.partition)
    return cluster


def _is_held_back(cluster: ClusterState, broker: Broker, leader: BrokerId) -> bool:
    return any(
        message.held and {message.sender, message.receiver} == {broker.broker_id, leader}
        for message in cluster.messages
    )


def _note_fetch(
    cluster: ClusterState, broker: Broker, leader: BrokerId, partition: TopicPartition
) -> ClusterState:
    led = cluster.replica(leader, partition)
    follower = cluster.replica(broker.broker_id, partition)
    if led.leading is None or led.leader_epoch != follower.leader_epoch:
        return cluster
    remote = remote_of(led.leading, broker.broker_id)
    if remote is None or remote.log_end_offset != led.log_end_offset:
        return cluster
    if follower.log_end_offset != led.log_end_offset:
        return cluster
    fresh = replace(
        remote, last_fetch_time_ms=cluster.now_ms, last_caught_up_time_ms=cluster.now_ms
    )
    return with_replica(
        cluster,
        replace(
            led,
            leading=replace(
                led.leading,
                remotes=tuple(
                    fresh if other.broker_id == fresh.broker_id else other
                    for other in led.leading.remotes
                ),
            ),
        ),
    )

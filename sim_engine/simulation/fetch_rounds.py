"""Determines what a follower's next fetch round would change, and recognises rounds that change
nothing or lead back to the state in which they began.

A round that would change nothing is not played: only the leader's state of the follower is updated
(`refresh_beliefs`), so an idle cluster creates no frames. What a follower's rounds do depends only
on its own state and its leader's. If rounds lead back to a state in which the step has begun one
before, they repeat until something else changes, for example until the leader appends a record
(KAFKA-10706, KAFKA-15608). A step shows such rounds once.
"""

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.steps import Deliver, SendFetch, Timer
from sim_engine.cluster.state import Broker, ClusterState, with_replica
from sim_engine.events.fetch import RoundsRepeat
from sim_engine.identifiers import FIRST_FRAME, BrokerId, TopicPartition
from sim_engine.narration import RefusedError
from sim_engine.protocol.follower.fetch_loop import fetcher_of
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import (
    FetcherState,
    LeadingState,
    PendingIsr,
    Replica,
    late_request_to,
    remote_of,
)
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
        else (fetcher.phase, fetcher.fetch_offset, fetcher.has_fetched, fetcher.diverging_epoch),
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
        kind=message.kind, from_=message.sender, to=message.receiver, partition=message.partition
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
    leader = fetcher_of(cluster.replica(broker_id, partition)).leader
    cluster = perform(
        cluster, SendFetch(broker=broker_id, partition=partition), FIRST_FRAME
    ).cluster
    cluster = _deliver_newest(cluster, broker_id, leader, partition)
    if is_parked(cluster, broker_id, leader, partition):
        cluster = perform(cluster, long_poll(leader, partition, broker_id), FIRST_FRAME).cluster
    return _deliver_newest(cluster, leader, broker_id, partition)


def is_parked(
    cluster: ClusterState, broker_id: BrokerId, leader: BrokerId, partition: TopicPartition
) -> bool:
    """Whether a fetch of a broker is parked at the leader."""
    parked = cluster.replica(leader, partition).parked
    return any(fetch.follower == broker_id for fetch in parked)


def _deliver_newest(
    cluster: ClusterState, sender: BrokerId, receiver: BrokerId, partition: TopicPartition
) -> ClusterState:
    for message in reversed(cluster.messages):
        if (message.sender, message.receiver, message.partition) == (sender, receiver, partition):
            return perform(cluster, delivery_of(message), FIRST_FRAME).cluster
    raise RefusedError("no_such_message", kind="fetch_response", link=(sender, receiver))


def awaited_response(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Message | None:
    """The response in flight that a follower's fetcher thread waits for; None if there is none."""
    awaited = request_under_way(cluster.replica(broker_id, partition))
    for message in cluster.messages:
        if awaited is not None and message.receiver == broker_id and message.in_reply_to == awaited:
            return message
    return None


def request_under_way(replica: Replica) -> int | None:
    """The message id of the request that a follower's fetcher thread waits for, which may be one
    of an earlier fetch loop; None if it waits for none.
    """
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
    if remote is None or not (
        remote.log_end_offset == follower.log_end_offset == led.log_end_offset
    ):
        return cluster
    now_ms = cluster.now_ms
    fresh = replace(remote, last_fetch_time_ms=now_ms, last_caught_up_time_ms=now_ms)
    remotes = tuple(fresh if other is remote else other for other in led.leading.remotes)
    return with_replica(cluster, replace(led, leading=replace(led.leading, remotes=remotes)))


_MOST_ROUNDS = 8
"""Of a loop. Known ones have one (an epoch lookup) or three (a fetch and two offset lookups)."""


class _Begun(Struct, gc=False):
    """The rounds that one follower began while `data`, what both replicas store, was the same."""

    data: tuple[object, ...]
    fetchers: list[FetcherState]
    repeat: bool = False


class FetchLoops:
    """The rounds that one step has begun.

    For each follower, only those since the last change of its data or its leader's are kept, so
    the cost of a round does not grow with the length of the step.
    """

    def __init__(self) -> None:
        self._begun: dict[tuple[BrokerId, TopicPartition], _Begun] = {}

    def is_due(self, cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition) -> bool:
        """Whether a follower's next round is worth a frame: it changes something visible, or is a
        lookup that leads to the same lookup, and this step has not reported yet that it repeats.
        """
        fetcher = fetcher_of(cluster.replica(broker_id, partition))
        begun = self._begun.get((broker_id, partition))
        if (
            begun is not None
            and begun.repeat
            and fetcher in begun.fetchers
            and begun.data == _data_of(cluster, fetcher, broker_id, partition)
        ):
            return False
        return round_changes_something(cluster, broker_id, partition) or (
            fetcher.phase == "truncating" and _leads_back(cluster, broker_id, partition)
        )

    def begin(
        self, cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
    ) -> RoundsRepeat | None:
        """Note that a round begins now. If this step has shown it and it repeats, return the event
        that reports this; the round should not be played again then.
        """
        fetcher = fetcher_of(cluster.replica(broker_id, partition))
        data = _data_of(cluster, fetcher, broker_id, partition)
        begun = self._begun.get((broker_id, partition))
        if begun is None or begun.data != data:
            begun = self._begun[broker_id, partition] = _Begun(data, [])
        if fetcher not in begun.fetchers or not _leads_back(cluster, broker_id, partition):
            begun.fetchers.append(fetcher)
            return None
        begun.repeat = True
        is_lookup = {one.phase for one in begun.fetchers} == {"truncating"}
        return RoundsRepeat(
            variant="lookup" if is_lookup else "out_of_range",
            rule="KIP-101" if is_lookup else "OFFSET-OUT-OF-RANGE",
            sources=("KAFKA-10706" if is_lookup else "KAFKA-15608", "AbstractFetcherThread"),
            broker=broker_id,
            partition=partition,
            leader=fetcher.leader,
            epoch=cluster.replica(broker_id, partition).latest_epoch,
        )


def _data_of(
    cluster: ClusterState, fetcher: FetcherState, broker_id: BrokerId, partition: TopicPartition
) -> tuple[object, ...]:
    """What a round depends on, apart from the fetch loop itself."""
    follower = cluster.replica(broker_id, partition)
    leader = cluster.replica(fetcher.leader, partition)
    return (
        follower.log,
        follower.epoch_cache,
        follower.high_watermark,
        leader.log,
        leader.epoch_cache,
        leader.high_watermark,
        leader.leader_epoch,
        observable_leading(leader.leading),
    )


def _leads_back(cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition) -> bool:
    """Whether a follower's next rounds lead back to this state. A retry after a backoff does not
    count: its error states that it is repeated.
    """
    fetcher = fetcher_of(cluster.replica(broker_id, partition))
    after = cluster
    for _ in range(_MOST_ROUNDS):
        try:
            after = play_round(after, broker_id, partition)
        except RefusedError:
            return False
        now = after.replica(broker_id, partition).fetcher
        if now is None or now.phase == "failed":
            return False
        if now == fetcher:
            return looks_the_same(after, cluster)
    return False

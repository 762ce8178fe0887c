"""Checks for bugs in the engine, whatever Kafka does: that every state is well formed, and that
every change of a replica's beliefs is reported by an event of the same frame.

A state is well formed if the invariants of its types hold. These are not properties of Kafka that a
version could violate.

Sentences, highlights and statistics are derived only from events. A change without an event is
invisible, and a sentence such as "nothing changes" would be false.
"""

from collections.abc import Iterator
from itertools import pairwise

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.events.base import BrokerEvent, Event
from sim_engine.events.registry import beliefs_reported_by
from sim_engine.events.telling import BELIEFS, NO_BELIEFS, Belief, Beliefs
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.protocol.messages import COMMANDS, ZOOKEEPER_COMMANDS, PartitionRegistration
from sim_engine.protocol.replica import FetcherState, LeadingState, Replica
from sim_engine.simulation.timeline import Frame


def find_malformed(before: ClusterState | None, cluster: ClusterState) -> str | None:
    """The first error in a state, or in its transition from the previous state; None if there is
    none.
    """
    return next(_problems(before, cluster), None)


def _problems(before: ClusterState | None, cluster: ClusterState) -> Iterator[str]:
    yield from _messages(cluster)
    yield from _clients(cluster)
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for problem in _replica(cluster, broker, replica):
                yield f"broker {broker.broker_id}, {replica.partition}: {problem}"
    for registration in cluster.controller.partitions:
        for problem in _registration(cluster, registration):
            yield f"controller, {registration.partition}: {problem}"
    if before is not None:
        yield from _goes_on(before, cluster)


def _messages(cluster: ClusterState) -> Iterator[str]:
    ids = [message.id for message in cluster.messages]
    if any(one >= other for one, other in pairwise(ids)):
        yield "messages are not in the order of sending"
    if ids and ids[-1] >= cluster.next_message_id:
        yield "a message has a number that has not been assigned yet"
    for message in cluster.messages:
        for end in (message.sender, message.receiver):
            gone = isinstance(end, int) and not cluster.broker(end).alive
            if gone and message.kind not in ZOOKEEPER_COMMANDS:
                yield f"{message.kind} {message.id} outlived broker {end}"
        if message.kind not in COMMANDS and cluster.is_cut(message.sender, message.receiver):
            yield f"{message.kind} {message.id} is on a link that is cut"


def _clients(cluster: ClusterState) -> Iterator[str]:
    for index, produced in enumerate(cluster.clients.produced):
        if produced.request != index:
            yield f"produce request {index} has number {produced.request}"
        if produced.outcome == "acked" and produced.acked_frame is None:
            yield f"produce request {index} is acknowledged, but has no frame of acknowledgement"


def _replica(cluster: ClusterState, broker: Broker, replica: Replica) -> Iterator[str]:
    log = replica.log
    start, end = log.log_start_offset, log.log_end_offset
    if start < 0:
        yield "the log starts below 0"
    if any(record.offset != start + index for index, record in enumerate(log.records)):
        yield "offsets of the log are not consecutive"
    if not 0 <= replica.flushed <= end:
        yield f"flushed to {replica.flushed}, the log ends at {end}"
    if any(epoch < 0 for epoch, _ in replica.epoch_cache):
        yield "an epoch of the cache is below 0"
    if not broker.alive:
        if replica.loaded or replica.leading or replica.fetcher or replica.following:
            yield "a broker without a process has in-memory state"
        return
    if replica.loaded and not start <= replica.high_watermark <= end:
        yield f"high watermark {replica.high_watermark} is outside {start} to {end}"
    # The epoch file is flushed with every entry, so after a power loss it may be ahead of the log
    # until it is loaded.
    if replica.loaded and any(first > end for _, first in replica.epoch_cache):
        yield f"the epoch cache has offsets beyond {end}"
    if replica.leading is not None and (replica.following or replica.fetcher is not None):
        yield "it is leader and follower"
    if replica.fetcher is not None:
        yield from _fetcher(cluster, broker, replica, replica.fetcher)
    yield from _late_requests(cluster, replica)
    if replica.leading is not None:
        yield from _leading(cluster, replica, replica.leading)
    registered = cluster.controller.partition(replica.partition)
    if replica.leader_epoch > registered.leader_epoch:
        yield f"leader epoch {replica.leader_epoch} is newer than the controller's"


def _fetcher(
    cluster: ClusterState, broker: Broker, replica: Replica, fetcher: FetcherState
) -> Iterator[str]:
    if fetcher.leader == broker.broker_id:
        yield "it follows itself"
    if fetcher.fetch_offset < 0:
        yield f"it fetches from {fetcher.fetch_offset}"
    if fetcher.awaiting is not None:
        yield from _in_flight(cluster, replica, fetcher.leader, fetcher.awaiting)


def _late_requests(cluster: ClusterState, replica: Replica) -> Iterator[str]:
    for late in replica.late_requests:
        yield from _in_flight(cluster, replica, late.leader, late.message_id)
    waits_for = [late.leader for late in replica.late_requests]
    if replica.fetcher is not None and replica.fetcher.awaiting is not None:
        waits_for.append(replica.fetcher.leader)
    if len(waits_for) != len(set(waits_for)):
        yield "it waits for two requests of one leader"


def _in_flight(
    cluster: ClusterState, replica: Replica, leader_id: BrokerId, request: int
) -> Iterator[str]:
    leader = cluster.broker(leader_id).replica(replica.partition)
    parked = () if leader is None or leader.leading is None else leader.leading.parked
    in_flight = sum(
        message.id == request or message.in_reply_to == request
        for message in cluster.messages
        if message.kind not in ("alter_partition_request", "alter_partition_response")
    ) + sum(waiting.message_id == request for waiting in parked)
    if in_flight != 1:
        yield f"it waits for request {request}, which is in flight {in_flight} times"


def _leading(cluster: ClusterState, replica: Replica, leading: LeadingState) -> Iterator[str]:
    remotes = {remote.broker_id for remote in leading.remotes}
    if replica.broker_id in remotes:
        yield "the leader counts itself among its followers"
    if not set(leading.isr) <= {*remotes, replica.broker_id}:
        yield f"its ISR {leading.isr} has brokers that are not replicas"
    if leading.pending_isr is not None and not cluster.profile.rules.alter_partition:
        yield "an ISR change is pending in a version that writes it immediately"
    followers = [waiting.follower for waiting in leading.parked]
    if len(followers) != len(set(followers)):
        yield "two fetches of one follower are parked"
    for delayed in leading.produces:
        if cluster.clients.produced[delayed.request].outcome != "pending":
            yield f"produce request {delayed.request} is waiting although it already has a response"
        if delayed.required_offset > replica.log_end_offset:
            yield f"produce request {delayed.request} waits for records that are not in the log"


def _registration(cluster: ClusterState, registered: PartitionRegistration) -> Iterator[str]:
    if registered.leader != NO_LEADER and registered.leader not in registered.replicas:
        yield f"leader {registered.leader} is not a replica"
    if not set(registered.isr) <= set(registered.replicas):
        yield f"ISR {registered.isr} has brokers that are not replicas"
    if len(set(registered.isr)) != len(registered.isr):
        yield f"ISR {registered.isr} contains a broker twice"


def _goes_on(before: ClusterState, cluster: ClusterState) -> Iterator[str]:
    if cluster.now_ms < before.now_ms:
        yield "time decreased"
    if cluster.next_message_id < before.next_message_id:
        yield "message numbers decreased"
    for was, now in zip(before.controller.partitions, cluster.controller.partitions, strict=True):
        if (now.leader_epoch, now.partition_epoch) != (was.leader_epoch, was.partition_epoch):
            if now.leader_epoch < was.leader_epoch:
                yield f"controller, {now.partition}: the leader epoch decreased"
            if now.partition_epoch < was.partition_epoch:
                yield f"controller, {now.partition}: the partition epoch decreased"
        elif now.isr != was.isr or now.leader != was.leader:
            yield f"controller, {now.partition}: changed without a new epoch"
    for broker_was, broker in zip(before.brokers, cluster.brokers, strict=True):
        same_process = broker.alive and broker.incarnation == broker_was.incarnation
        if same_process and broker.metadata_offset < broker_was.metadata_offset:
            yield f"broker {broker.broker_id}: it reads the metadata log backwards"
    for one, other in zip(before.clients.produced, cluster.clients.produced, strict=False):
        if one.outcome != "pending" and one.outcome != other.outcome:
            yield f"produce request {one.request} was {one.outcome} and is {other.outcome}"


def find_unexplained(before: ClusterState | None, frame: Frame) -> str | None:
    """The first belief that changed in a frame without an event that reports it; None if there is
    none.
    """
    if before is None:
        return None
    return next(_unexplained(before, frame), None)


def _unexplained(before: ClusterState, frame: Frame) -> Iterator[str]:
    for was, now in zip(before.brokers, frame.cluster.brokers, strict=True):
        explained = {name for happened in frame.events for name in _reported(happened, now)}
        for partition in frame.cluster.partitions:
            held, holds = _beliefs(was, partition), _beliefs(now, partition)
            for name in BELIEFS:
                if held[name] != holds[name] and name not in explained:
                    yield (
                        f"broker {now.broker_id}, {partition}: {name} was {held[name]} and is "
                        f"{holds[name]}, but no event reports it"
                    )


def _reported(happened: Event, broker: Broker) -> Beliefs:
    """The beliefs whose change an event reports, if it is about that broker."""
    is_there = isinstance(happened, BrokerEvent) and happened.broker == broker.broker_id
    if not is_there and broker.broker_id not in happened.where().replicas:
        return NO_BELIEFS
    return beliefs_reported_by(happened)


def _beliefs(broker: Broker, partition: TopicPartition) -> dict[Belief, object]:
    """What a broker has and believes about a partition. Requests in flight and the times that a
    leader records for its followers are excluded, because they change in every round of fetches.
    """
    replica = broker.replica(partition)
    if replica is None:
        replica = Replica(partition=partition, broker_id=broker.broker_id)
    leading, fetcher = replica.leading, replica.fetcher
    pending = None if leading is None else leading.pending_isr
    blocked = None if leading is None else leading.blocked_isr
    return {
        "log": replica.log,
        "flushed": replica.flushed,
        "epoch_cache": replica.epoch_cache,
        "checkpoint_high_watermark": replica.checkpoint_high_watermark,
        "checkpoint_recovery_point": replica.checkpoint_recovery_point,
        "loaded": replica.loaded,
        "leader": replica.leader,
        "leader_epoch": replica.leader_epoch,
        "partition_epoch": replica.partition_epoch,
        "role": replica.role,
        "high_watermark": replica.high_watermark,
        "isr": leading and leading.isr,
        "pending_isr": pending and (pending.kind, pending.isr, pending.given_up),
        "blocked_isr": blocked and (blocked.kind, blocked.isr),
        "leader_epoch_start_offset": leading and leading.leader_epoch_start_offset,
        "followers": leading
        and [(remote.broker_id, remote.log_end_offset) for remote in leading.remotes],
        "produces": leading and leading.produces,
        "fetches_from": fetcher and (fetcher.leader, fetcher.leader_epoch),
        "fetch_offset": fetcher and fetcher.fetch_offset,
        "fetch_phase": fetcher and fetcher.phase,
        "has_fetched": fetcher and fetcher.has_fetched,
        "forgot_epoch": fetcher and fetcher.forgot_epoch,
        "diverging_epoch": fetcher and fetcher.diverging_epoch,
    }

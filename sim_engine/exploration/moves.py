"""The moves of a search: one function for each kind, which reads only the parts of the cluster on
which its moves depend.

A move is offered only if the engine does not certainly refuse it and, for a timer, only if it does
something. A function reads one broker, one partition of the controller, one link or its messages in
flight. No function reads a budget.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import cast

from msgspec import Struct

from sim_engine.actions.steps import (
    Advance,
    Boot,
    Consume,
    Cut,
    Deliver,
    Detect,
    Drop,
    Fetch,
    Happening,
    Heal,
    Hold,
    Isolate,
    OneBroker,
    Pause,
    PowerLoss,
    Produce,
    Refresh,
    Release,
    Resume,
    Retry,
    SendFetch,
    Shutdown,
    Start,
    Timer,
)
from sim_engine.cluster.state import Broker, ClusterState, known_registration
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    NO_LEADER,
    Acks,
    BrokerId,
    Endpoint,
    Offset,
    TopicPartition,
)
from sim_engine.protocol.leader.isr import maybe_shrink_isr
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.fetch_rounds import delivery_of, long_poll, request_under_way
from sim_engine.simulation.performing.brokers import broker_session_lives
from sim_engine.simulation.performing.controller import (
    broker_is_back,
    broker_session_has_ended,
    is_unnoticed,
    may_elect_preferred,
    may_elect_uncleanly,
)
from sim_engine.simulation.performing.messages import (
    is_metadata_held,
    waiting_records,
    why_no_fetch,
    why_undeliverable,
)
from sim_engine.simulation.performing.producers import may_retry
from sim_engine.simulation.performing.timers import isr_changes_are_due

PRODUCER, CONSUMER = "searcher", "reader"
"""The clients of a search."""


class Move(Struct, frozen=True, gc=False):
    """One move of a search: steps that are taken together, and the entry of the budget that it
    uses; null if it uses none.
    """

    steps: tuple[Happening, ...]
    budget: str | None = None


Offer = Callable[..., Iterator[Happening | tuple[Happening, ...]]]
"""Takes a cluster and the subject of a source."""


class Source(Struct, frozen=True, gc=False):
    """The moves of one kind about one subject: a broker, a partition, a link, or the cluster.

    Equal sources offer the same moves in the same state. All moves of a source use the same entry
    of the budget; null if they use none. If `needs` is given, they make a difference only while
    that entry is left.
    """

    offer: Offer
    subject: tuple[object, ...] = ()
    budget: str | None = None
    needs: str | None = None

    def moves(self, cluster: ClusterState) -> tuple[Move, ...]:
        """The moves that are possible in this state."""
        return tuple(
            Move(made if isinstance(made, tuple) else (made,), self.budget)
            for made in self.offer(cluster, *self.subject)
        )


# --- messages in flight ----------------------------------------------------------------------

EXCHANGED = frozenset(
    (
        "fetch_request",
        "fetch_response",
        "offsets_for_leader_epoch_request",
        "offsets_for_leader_epoch_response",
        "list_offsets_request",
        "list_offsets_response",
        "update_metadata",
    )
)
"""The messages that are no steps of their own at the grain of exchanges."""


def deliveries(
    cluster: ClusterState, sender: Endpoint, receiver: Endpoint, exchanged: bool
) -> Iterator[Deliver]:
    """Deliver the oldest message of each kind and partition on one direction of a link. With
    `exchanged`, the messages of exchanges are no moves.
    """
    seen: set[Deliver] = set()
    for message in _in_flight(cluster, sender, receiver, exchanged):
        delivery = delivery_of(message)
        if delivery not in seen and why_undeliverable(cluster, message) is None:
            seen.add(delivery)
            yield delivery


def drops(
    cluster: ClusterState, sender: Endpoint, receiver: Endpoint, exchanged: bool
) -> Iterator[Drop]:
    """Lose the oldest message of each kind and partition on one direction of a link."""
    seen: set[Drop] = set()
    for message in _in_flight(cluster, sender, receiver, exchanged):
        loss = Drop(kind=message.kind, from_=sender, to=receiver, partition=message.partition)
        if loss not in seen:
            seen.add(loss)
            yield loss


def _in_flight(
    cluster: ClusterState, sender: Endpoint, receiver: Endpoint, exchanged: bool
) -> Iterator[Message]:
    for message in cluster.messages:
        if (
            (message.sender, message.receiver) == (sender, receiver)
            and not message.held
            and not (exchanged and message.kind in EXCHANGED)
        ):
            yield message


def late_metadata(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Happening]:
    """Let a broker whose metadata is held read one record, or all records written since, or release
    the metadata (KRaft).
    """
    if not (cluster.broker(broker_id).alive and is_metadata_held(cluster, broker_id)):
        return
    if cluster.broker(broker_id).running and not cluster.is_cut(CONTROLLER, broker_id):
        waiting = len(waiting_records(cluster, broker_id))
        for records in sorted({1, waiting}) if waiting else ():
            yield Deliver(kind=METADATA_RECORD, to=broker_id, records=records)
    yield Release(kind=METADATA_RECORD, to=broker_id)


def metadata_hold(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Hold]:
    """Hold the metadata of a broker: what the controller writes from now on, too (KRaft)."""
    if cluster.broker(broker_id).alive and not is_metadata_held(cluster, broker_id):
        yield Hold(kind=METADATA_RECORD, to=broker_id)


def releases(cluster: ClusterState, sender: Endpoint, receiver: Endpoint) -> Iterator[Release]:
    """Release a message that was held before the search. For the metadata log, see
    `late_metadata`.
    """
    seen: set[Release] = set()
    for message in cluster.messages:
        if (message.sender, message.receiver, message.held) == (sender, receiver, True) and (
            message.kind != METADATA_RECORD
        ):
            release = Release(
                kind=message.kind, from_=sender, to=receiver, partition=message.partition
            )
            if release not in seen:
                seen.add(release)
                yield release


# --- processes and machines ------------------------------------------------------------------


def process_faults(
    cluster: ClusterState, broker_id: BrokerId, kind: type[OneBroker]
) -> Iterator[Happening]:
    """Kill or pause a process."""
    broker = cluster.broker(broker_id)
    if broker.alive if kind is not Pause else broker.process == "running":
        yield cast("Happening", kind(broker=broker_id))


def machine_faults(
    cluster: ClusterState, broker_id: BrokerId, kind: type[OneBroker]
) -> Iterator[Happening]:
    """A machine loses its power or its disk. If the process is already dead, only if its disk has
    something to lose. With the power, the records of each log from any offset on are lost that is
    not below the flushed one, and of one log at least some.
    """
    broker = cluster.broker(broker_id)
    if not (broker.alive or _has_to_lose(broker, kind)):
        return
    yield cast("Happening", kind(broker=broker_id))
    if kind is PowerLoss:
        partly = [one for one in broker.replicas if one.flushed < one.log_end_offset]
        kept = [range(one.flushed, one.log_end_offset + 1) for one in partly]
        # The first keeps only what is flushed, and with the last, nothing is lost.
        for ends in list(product(*kept))[1:-1]:
            keep = {
                one.partition: Offset(end)
                for one, end in zip(partly, ends, strict=True)
                if end > one.flushed
            }
            yield PowerLoss(broker=broker_id, keep=keep)


def _has_to_lose(broker: Broker, kind: type[OneBroker]) -> bool:
    if kind is PowerLoss:
        return broker.process != "stopped" and any(
            replica.flushed < replica.log_end_offset for replica in broker.replicas
        )
    empty = [Replica(partition=one.partition, broker_id=one.broker_id) for one in broker.replicas]
    return broker.clean_shutdown or list(broker.replicas) != empty


def resumptions(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Resume]:
    """A paused process continues."""
    if cluster.broker(broker_id).process == "paused":
        yield Resume(broker=broker_id)


def starts(
    cluster: ClusterState, broker_id: BrokerId, kind: type[Start | Boot]
) -> Iterator[Start | Boot]:
    """Start a broker that is down, completely or only its process, whose old znode may still
    exist (ZooKeeper).
    """
    if not cluster.broker(broker_id).alive:
        yield kind(broker=broker_id)
        if kind is Boot and broker_session_lives(cluster, broker_id):
            yield Boot(broker=broker_id, session="kept")


def shutdowns(cluster: ClusterState, broker_id: BrokerId, whole: bool) -> Iterator[Shutdown]:
    """A controlled shutdown, or its beginning."""
    if cluster.broker(broker_id).process == "running":
        yield Shutdown(broker=broker_id, only=None if whole else "begin")


def shutdown_ends(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Shutdown]:
    """The end of a controlled shutdown."""
    broker = cluster.broker(broker_id)
    if broker.process == "shutting_down" and not hangs(broker):
        yield Shutdown(broker=broker_id, only="end")


def hangs(broker: Broker) -> bool:
    """Whether a process hangs while it shuts down, so that it never ends: its fetchers have
    failed.
    """
    fetchers = [one.fetcher for one in broker.replicas if one.fetcher is not None]
    failed = bool(fetchers) and all(fetcher.phase == "failed" for fetcher in fetchers)
    return broker.process == "shutting_down" and failed


# --- links -----------------------------------------------------------------------------------


def isolations(
    cluster: ClusterState, broker_id: BrokerId, others: tuple[BrokerId, ...]
) -> Iterator[Isolate]:
    """Cut a broker off from the controller, from the other brokers, or from both."""
    if not cluster.broker(broker_id).alive:
        return
    from_controller = _is_linked(cluster, broker_id, CONTROLLER)
    from_brokers = any(_is_linked(cluster, broker_id, other) for other in others)
    if from_controller:
        yield Isolate(broker=broker_id, from_="controller")
    if from_brokers:
        yield Isolate(broker=broker_id, from_="brokers")
    if from_controller and from_brokers:
        yield Isolate(broker=broker_id, from_="all")


def _is_linked(cluster: ClusterState, one: Endpoint, other: Endpoint) -> bool:
    return not (cluster.is_cut(one, other) and cluster.is_cut(other, one))


def cuts(cluster: ClusterState, sender: Endpoint, receiver: Endpoint) -> Iterator[Cut]:
    """Cut one direction of a link."""
    if not cluster.is_cut(sender, receiver):
        yield Cut(from_=sender, to=receiver)


def heals(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Heal]:
    """Restore all links of a broker."""
    if any(broker_id in link for link in cluster.links_cut):
        yield Heal(broker=broker_id)


def one_sided_heals(cluster: ClusterState, sender: Endpoint, receiver: Endpoint) -> Iterator[Heal]:
    """Restore the one cut direction of a link, if its brokers have other cut links too."""
    if not cluster.is_cut(sender, receiver) or cluster.is_cut(receiver, sender):
        return
    brokers = [end for end in (sender, receiver) if isinstance(end, int)]
    if all(sum(broker in link for link in cluster.links_cut) > 1 for broker in brokers):
        yield Heal(from_=sender, to=receiver)


# --- fetches ---------------------------------------------------------------------------------


def fetch_rounds(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition, loses: bool
) -> Iterator[Fetch]:
    """A follower's rounds, to the end; or with the last response lost."""
    if _may_fetch(cluster, broker_id, partition, waits=True):
        yield Fetch(broker=broker_id, partition=partition, drop="response" if loses else None)


def requests(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition, exchanged: bool
) -> Iterator[SendFetch]:
    """The next request of a follower's fetch loop. If it stands for the whole exchange, both
    directions of the link must be open, and the leader must not be paused.
    """
    if not _may_fetch(cluster, broker_id, partition, waits=False):
        return
    if exchanged:
        leader = _leader_of(cluster, broker_id, partition)
        if cluster.is_cut(leader, broker_id) or not cluster.broker(leader).running:
            return
    yield SendFetch(broker=broker_id, partition=partition)


def _may_fetch(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition, *, waits: bool
) -> bool:
    replica = cluster.broker(broker_id).replica(partition)
    if replica is None or replica.fetcher is None:
        return False
    refused = why_no_fetch(cluster, broker_id, partition)
    if refused is None or refused.code != "request_in_flight":
        return refused is None
    return waits and not any(
        message.id == request_under_way(replica) and why_undeliverable(cluster, message) is not None
        for message in cluster.messages
    )


def _leader_of(cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition) -> BrokerId:
    replica = cluster.broker(broker_id).replica(partition)
    assert replica is not None, "it may fetch"
    assert replica.fetcher is not None, "it may fetch"
    return replica.fetcher.leader


def late_exchanges(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Iterator[SendFetch]:
    """A follower's next request, whose exchange takes as long as anything else."""
    if _may_fetch(cluster, broker_id, partition, waits=False):
        yield SendFetch(broker=broker_id, partition=partition)


def exchanges_under_way(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Iterator[Deliver]:
    """Deliver a follower's request in flight, or the response to one, also of an earlier fetch
    loop.

    A `fetch` step would deliver it too, but it would continue with rounds that may repair the
    effect.
    """
    seen: set[Deliver] = set()
    for message in cluster.messages:
        if message.partition != partition or message.held:
            continue
        asked_by = message.receiver if message.in_reply_to is not None else message.sender
        if asked_by == broker_id and message.kind in EXCHANGED:
            delivery = delivery_of(message)
            if delivery not in seen and why_undeliverable(cluster, message) is None:
                seen.add(delivery)
                yield delivery


def isr_proposals(cluster: ClusterState) -> Iterator[Deliver]:
    """Deliver a leader's proposal of an ISR, or the response to it (KIP-497)."""
    seen: set[Deliver] = set()
    for message in cluster.messages:
        if message.kind.startswith("alter_partition"):
            delivery = delivery_of(message)
            if delivery not in seen and why_undeliverable(cluster, message) is None:
                seen.add(delivery)
                yield delivery


# --- timers ----------------------------------------------------------------------------------


def _running(cluster: ClusterState, broker_id: BrokerId) -> Broker | None:
    broker = cluster.broker(broker_id)
    return broker if broker.running else None


def long_polls(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Iterator[Timer]:
    """The end of a follower's wait at its leader."""
    broker = _running(cluster, broker_id)
    replica = None if broker is None else broker.replica(partition)
    for parked in () if replica is None else replica.parked:
        yield long_poll(broker_id, partition, parked.follower)


def isr_expirations(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Timer]:
    """A leader's check of its ISRs, if it removes a member that is out of sync now."""
    broker = _running(cluster, broker_id)
    if broker is not None and any(_shrinks_isr(cluster, one) for one in broker.replicas):
        yield Timer(broker=broker_id, kind="isr_expiration")


def _shrinks_isr(cluster: ClusterState, replica: Replica) -> bool:
    """Whether a check removes a member, or at least begins to. The write of a leader that does not
    know the version of the znode fails and changes nothing.
    """
    if replica.leading is None or maybe_shrink_isr(replica, cluster.view_of(replica)) is None:
        return False
    writes = not cluster.profile.rules.alter_partition
    if not writes or not cluster.reaches_controller(replica.broker_id):
        return True
    registration = cluster.controller.partition(replica.partition)
    return replica.partition_epoch == registration.partition_epoch


def high_watermark_checkpoints(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Timer]:
    """A broker writes its high watermarks, if the file would change."""
    broker = _running(cluster, broker_id)
    if (
        broker is not None
        and broker.checkpoints_high_watermarks
        and any(one.checkpoint_high_watermark != one.high_watermark for one in broker.replicas)
    ):
        yield Timer(broker=broker_id, kind="high_watermark_checkpoint")


def flushes(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Timer]:
    """A broker flushes its logs, if a record is not on disk."""
    broker = _running(cluster, broker_id)
    if broker is not None and any(one.flushed < one.log_end_offset for one in broker.replicas):
        yield Timer(broker=broker_id, kind="flush")


def isr_change_propagations(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Timer]:
    """A leader notifies the controller of the ISRs that it has written to ZooKeeper, if it is time
    to.
    """
    broker = _running(cluster, broker_id)
    if (
        broker is not None
        and isr_changes_are_due(broker.isr_changes, cluster.now_ms)
        and cluster.reaches_controller(broker_id)
    ):
        yield Timer(broker=broker_id, kind="isr_change_propagation")


def produce_timeouts(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Timer]:
    """The oldest request that waits at a leader times out."""
    broker = _running(cluster, broker_id)
    if broker is not None and any(replica.produces for replica in broker.replicas):
        yield Timer(broker=broker_id, kind="produce_timeout")


def session_timeouts(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Timer]:
    """The controller detects that it has lost a broker."""
    if broker_session_has_ended(cluster, broker_id):
        yield Timer(broker=broker_id, kind="session_timeout")


def heartbeats(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Timer]:
    """A returned broker's next heartbeat, which registers or unfences it (KRaft)."""
    if not broker_session_has_ended(cluster, broker_id) and _may_return(cluster, broker_id):
        yield Timer(broker=broker_id, kind="heartbeat")


def detections(cluster: ClusterState, broker_id: BrokerId, whole: bool) -> Iterator[Detect]:
    """The controller detects a broker's state; if not as a whole, then only that the broker has
    returned.
    """
    if whole:
        if is_unnoticed(cluster, broker_id):
            yield Detect(broker=broker_id)
    elif not broker_session_has_ended(cluster, broker_id) and _may_return(cluster, broker_id):
        yield Detect(broker=broker_id, only="controller")


def _may_return(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker is back, and the controller does not fail at its return over and over."""
    return broker_is_back(cluster, broker_id) and broker_id not in cluster.controller.failed_for


def preferred_leader_checks(cluster: ClusterState) -> Iterator[Timer]:
    """The controller's leader rebalance, if it elects a leader."""
    if may_elect_preferred(cluster):
        yield Timer(kind="preferred_leader_check")


def unclean_leader_checks(cluster: ClusterState) -> Iterator[Timer]:
    """The controller's check for leaderless partitions, if it elects a leader (KRaft)."""
    if may_elect_uncleanly(cluster):
        yield Timer(kind="unclean_leader_check")


def waits(cluster: ClusterState) -> Iterator[Advance]:
    """Time passes, until every leader has removed the members that do not catch up from its ISRs:
    replica.lag.time.max.ms, and the period of the check.
    """
    lag_ms = max(settings.replica_lag_time_max_ms for _, settings in cluster.settings)
    yield Advance(ms=2 * lag_ms + 1)


# --- clients ---------------------------------------------------------------------------------


def produces(cluster: ClusterState, partition: TopicPartition, acks: Acks) -> Iterator[Produce]:
    """Send the next record."""
    value = f"s{len(cluster.clients.produced) + 1}"
    yield Produce(to=partition, values=(value,), acks=acks, as_=PRODUCER)


def retries(cluster: ClusterState) -> Iterator[Retry]:
    """A producer sends a record again whose request has failed or has no response."""
    for client in cluster.clients.clients:
        if any(may_retry(client, record) for record in cluster.clients.produced):
            yield Retry(as_=client.name)


def refreshes(cluster: ClusterState) -> Iterator[Refresh]:
    """A client refreshes its metadata, if it then learns of a different leader."""
    for client in cluster.clients.clients:
        for known in client.partitions:
            now = known_registration(cluster, known.partition)
            if (known.leader, known.leader_epoch) != (now.leader, now.leader_epoch):
                yield Refresh(as_=client.name)
                break


def reads(
    cluster: ClusterState, partition: TopicPartition, broker_id: BrokerId | None
) -> Iterator[Consume]:
    """A consumer reads from the leader in its metadata or, from 2.4, from a follower (KIP-392)."""
    if broker_id is None:
        client = cluster.clients.find(CONSUMER)
        leader = None if client is None else client.leader_of(partition)
        if leader is None or leader == NO_LEADER or not cluster.broker(leader).alive:
            leader = known_registration(cluster, partition).leader
        if leader == NO_LEADER or cluster.broker(leader).running:
            yield Consume(partition=partition, as_=CONSUMER)
        return
    broker = cluster.broker(broker_id)
    replica = broker.replica(partition)
    if broker.running and replica is not None and replica.following:
        yield Consume(partition=partition, as_=CONSUMER, broker=broker_id)


READING_MESSAGES: tuple[Offer, ...] = (
    deliveries,
    drops,
    releases,
    late_metadata,
    metadata_hold,
    exchanges_under_way,
    isr_proposals,
)
"""The offers that depend on the messages in flight, which change more often than all else."""

"""The possible next steps: every step with its actor, and the reason if it is not possible.

An offer is a step that makes sense in this state: of the protocol and its clients, or an
intervention in brokers, links, timers, settings and time. Whether it is possible is decided by the
functions that would perform it (`refusals`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import STEPS, steps
from sim_engine.actions.base import StepStruct, specs_of
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.events.run import RefusalNumbers
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    NO_LEADER,
    BrokerId,
    Endpoint,
    MessageKind,
    offset_after,
    offsets_between,
)
from sim_engine.json_types import Document, Step
from sim_engine.protocol.controller.state import assignment_of
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.fetch_rounds import long_poll, round_changes_something
from sim_engine.simulation.performing.brokers import broker_session_lives
from sim_engine.simulation.performing.controller import (
    broker_is_back,
    broker_session_has_ended,
    detection_is_awaited,
    is_unnoticed,
)
from sim_engine.simulation.performing.messages import (
    is_metadata_held,
    waiting_records,
    why_no_fetch,
)
from sim_engine.simulation.performing.producers import hanging_partitions, may_retry
from sim_engine.simulation.step_expansion import refusal
from sim_engine.versions import levels_of


class Offer(Struct, frozen=True, gc=False):
    """An offered step: its actor, and its relevance as a rank; the lowest rank comes first.

    `actor` is a broker id as text, `controller`, a client's name, `network` or `time`.
    """

    rank: int
    actor: str
    step: steps.Happening


def offers_of_messages(cluster: ClusterState) -> Iterator[Offer]:
    """Offers about messages in flight, one set for each kind, link and partition: deliver the
    oldest, drop it, hold it or release it; and the end of each long poll
    (`replica.fetch.wait.max.ms`, `DelayedFetch`).

    Messages that the controller sends are not offered to be dropped: a ZooKeeper controller retries
    a command, and a broker continues to read the metadata log where it was. The metadata log is
    held and released as a whole.
    """
    seen: set[tuple[MessageKind, Endpoint, Endpoint, str | None]] = set()
    for message in cluster.messages:
        key = (message.kind, message.sender, message.receiver, message.partition)
        if key in seen:
            continue
        seen.add(key)
        kind, sender, receiver, partition = key
        is_log = kind == METADATA_RECORD
        if message.held and not is_log:
            yield Offer(
                2,
                "network",
                steps.Release(kind=kind, from_=sender, to=receiver, partition=partition),
            )
        yield Offer(
            0, "network", steps.Deliver(kind=kind, from_=sender, to=receiver, partition=partition)
        )
        if sender != CONTROLLER:
            yield Offer(
                70, "network", steps.Drop(kind=kind, from_=sender, to=receiver, partition=partition)
            )
        if not message.held and not is_log:
            yield Offer(
                71, "network", steps.Hold(kind=kind, from_=sender, to=receiver, partition=partition)
            )
    yield from _late(cluster)
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for parked in replica.parked:
                yield Offer(
                    1,
                    str(broker.broker_id),
                    long_poll(broker.broker_id, replica.partition, parked.follower),
                )


def _late(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of late metadata: hold the metadata log as a whole and deliver any number of records,
    or skip a command in favour of the next.
    """
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        waiting = len(waiting_records(cluster, broker_id))
        for records in sorted({2, waiting}) if waiting >= 2 else ():
            yield Offer(
                2, "network", steps.Deliver(kind=METADATA_RECORD, to=broker_id, records=records)
            )
        if is_metadata_held(cluster, broker_id):
            if waiting:
                yield Offer(
                    2, "network", steps.Deliver(kind=METADATA_RECORD, to=broker_id, records=1)
                )
            yield Offer(2, "network", steps.Release(kind=METADATA_RECORD, to=broker_id))
        elif cluster.controller_kind.has_metadata_log:
            yield Offer(71, "network", steps.Hold(kind=METADATA_RECORD, to=broker_id))
        commands = [
            message
            for message in cluster.messages
            if message.kind == "leader_and_isr" and message.receiver == broker_id
        ]
        if len(commands) >= 2:
            yield Offer(
                72, "network", steps.Deliver(kind="leader_and_isr", to=broker_id, skip=True)
            )


def offers_of_fetches(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of follower fetches, for each replica with a fetcher: a whole round of request and
    response (`fetch`), and the next request alone (`send_fetch`).

    A round that is possible and would change something visible comes first. The partition is
    omitted if the cluster has only one.
    """
    several = len(cluster.partitions) > 1
    for broker in cluster.brokers:
        for replica in broker.replicas:
            if replica.fetcher is None:
                continue
            partition = replica.partition if several else None
            can = why_no_fetch(cluster, broker.broker_id, replica.partition) is None
            useful = can and round_changes_something(cluster, broker.broker_id, replica.partition)
            actor = str(broker.broker_id)
            yield Offer(
                4 if useful else 30,
                actor,
                steps.Fetch(broker=broker.broker_id, partition=partition),
            )
            yield Offer(31, actor, steps.SendFetch(broker=broker.broker_id, partition=partition))


def offers_of_controller(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of the controller: detect a broker's new state, elect a leader of each partition
    (clean, unclean or preferred), reassign its replicas, and fail over.

    A detection that no partition waits for comes after the offers of clients.

    From 3.9, a KRaft cluster with a leaderless partition also offers the check for unclean
    elections (KAFKA-12670).
    """
    leaderless = any(one.leader == NO_LEADER for one in cluster.controller.partitions)
    if leaderless and cluster.profile.rules.unclean_election_by_setting:
        yield Offer(46, CONTROLLER, steps.Timer(kind="unclean_leader_check"))
    for broker in cluster.brokers:
        if is_unnoticed(cluster, broker.broker_id):
            awaited = detection_is_awaited(cluster, broker.broker_id)
            yield Offer(3 if awaited else 24, CONTROLLER, steps.Detect(broker=broker.broker_id))
    yield Offer(55, CONTROLLER, steps.FailController())
    for registration in cluster.controller.partitions:
        name = registration.partition
        leaderless = registration.leader == NO_LEADER
        yield Offer(5 if leaderless else 45, CONTROLLER, steps.Elect(partition=name, kind="clean"))
        yield Offer(
            6 if leaderless else 46, CONTROLLER, steps.Elect(partition=name, kind="unclean")
        )
        away = registration.leader != registration.preferred_leader
        yield Offer(25 if away else 47, CONTROLLER, steps.Elect(partition=name, kind="preferred"))
        for target in _targets(cluster, registration):
            yield Offer(49, CONTROLLER, steps.Reassign(partition=name, replicas=target))


def _targets(
    cluster: ClusterState, registration: PartitionRegistration
) -> Iterator[tuple[BrokerId, ...] | None]:
    """The targets of a reassignment: the last replica moved to each broker without one, one
    replica more, one fewer, and the preferred leader moved to the end. During a reassignment:
    the original replicas, which withdraw it, and None, which cancels it.
    """
    assignment = assignment_of(registration)
    now = assignment.target
    if assignment.in_progress:
        yield tuple(sorted(assignment.original)) or now
        yield None
        return
    spare = [broker.broker_id for broker in cluster.brokers if broker.broker_id not in now]
    yield from ((*now[:-1], broker_id) for broker_id in spare)
    if spare:
        yield (*now, spare[0])
    if len(now) > 1:
        yield now[:-1]
        yield (*now[1:], now[0])


def offers_of_clients(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of producers and consumers; p1 and c1 if there are none yet.

    For each partition, the first producer writes the next unused value m1, m2, …, with each acks
    or idempotently (KIP-98), and the first consumer reads: everything below the high watermark,
    committed records (KIP-98), or from each follower (KIP-392). Every client may also retry,
    refresh its metadata, and begin or end a transaction.
    """
    producers = [client.name for client in cluster.clients.clients if client.kind == "producer"]
    consumers = [client.name for client in cluster.clients.clients if client.kind == "consumer"]
    value = _next_value(cluster)
    for partition in cluster.partitions:
        producer = producers[0] if producers else steps.DEFAULT_PRODUCER
        record = steps.Produce(to=partition, values=(value,), as_=producer)
        yield Offer(10, producer, record)
        yield Offer(40, producer, replace(record, acks=1))
        yield Offer(60, producer, replace(record, acks=0))
        yield Offer(43, producer, replace(record, idempotent=True))
        consumer = consumers[0] if consumers else steps.DEFAULT_CONSUMER
        reads = steps.Consume(partition=partition, as_=consumer)
        yield Offer(20, consumer, reads)
        yield Offer(21, consumer, replace(reads, isolation="read_committed"))
        registration = cluster.controller.partition(partition)
        for follower in registration.replicas:
            if follower != registration.leader:
                yield Offer(49, consumer, replace(reads, broker=follower))
    for client in cluster.clients.clients:
        if any(may_retry(client, record) for record in cluster.clients.produced):
            yield Offer(15, client.name, steps.Retry(as_=client.name))
        yield Offer(61, client.name, steps.Refresh(as_=client.name))
    for name in producers or [steps.DEFAULT_PRODUCER]:
        known = cluster.clients.find(name)
        open_now = known is not None and known.in_transaction
        yield Offer(44, name, steps.Transaction(as_=name, do="begin"))
        if open_now:
            yield Offer(19, name, steps.Transaction(as_=name, do="commit"))
        if open_now or (known is not None and hanging_partitions(cluster, known)):
            yield Offer(22, name, steps.Transaction(as_=name, do="abort"))


def _next_value(cluster: ClusterState) -> str:
    taken = {record.value for record in cluster.clients.produced}
    taken |= {
        record.value
        for broker in cluster.brokers
        for replica in broker.replicas
        for record in replica.log.records
    }
    number = 1
    while f"m{number}" in taken:
        number += 1
    return f"m{number}"


SLOW_MS = 500
"""The delay that an offered `slow` adds to each message of a broker, in ms."""

UNCLEAN = "unclean.leader.election.enable"

_FAULT_RANKS: Mapping[type[StepStruct], int] = {
    steps.PowerLoss: 14,
    steps.Shutdown: 16,
    steps.Pause: 17,
}

_LAST_FAULT_RANK = 65


def _needs_only_a_broker(kind: type[StepStruct]) -> bool:
    return [spec.name for spec in specs_of(kind) if spec.required] == ["broker"]


_OTHER_FAULTS: Sequence[tuple[int, type[steps.OneBroker]]] = sorted(
    (
        (_FAULT_RANKS.get(kind, _LAST_FAULT_RANK), kind)
        for kind in STEPS
        if kind.fault
        and issubclass(kind, steps.OneBroker)
        and _needs_only_a_broker(kind)
        and kind != steps.Crash
    ),
    key=lambda ranked: ranked[0],
)
"""The faults of a broker other than a crash, each with the rank of its choice."""


def offers_of_brokers(cluster: ClusterState) -> Iterator[Offer]:
    """Offers about each broker's process and disk: start it, resume it, and every fault that needs
    no argument other than the broker.

    A start whose registration fails because the old session still exists (`session: kept`) is
    offered only while that session can exist, under ZooKeeper. A power loss is also offered with
    part of the unflushed records kept. `slow` adds `SLOW_MS`, or removes the delay.
    """
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        actor = str(broker_id)
        if not broker.alive:
            yield Offer(8, actor, steps.Start(broker=broker_id))
            yield Offer(48, actor, steps.Boot(broker=broker_id))
            if broker_session_lives(cluster, broker_id):
                yield Offer(66, actor, steps.Boot(broker=broker_id, session="kept"))
        if broker.process == "paused":
            yield Offer(9, actor, steps.Resume(broker=broker_id))
        yield Offer(12, actor, steps.Crash(broker=broker_id))
        if broker.alive:
            yield Offer(50, actor, steps.Start(broker=broker_id))
        for rank, fault in _OTHER_FAULTS:
            if fault is not steps.Pause or broker.process != "paused":
                yield Offer(rank, actor, cast("steps.Happening", fault(broker=broker_id)))
        yield from _partial_power_losses(broker, actor)
        yield Offer(57, actor, steps.Slow(broker=broker_id, ms=0 if broker.slow_ms else SLOW_MS))


def _partial_power_losses(broker: Broker, actor: str) -> Iterator[Offer]:
    """Offers of power losses in which part of the unflushed records survives: one for each offset
    up to the log end offset, the last four at most.
    """
    for replica in broker.replicas:
        for keep in offsets_between(
            offset_after(replica.flushed), offset_after(replica.log_end_offset)
        )[-4:]:
            yield Offer(
                52, actor, steps.PowerLoss(broker=broker.broker_id, keep={replica.partition: keep})
            )


def offers_of_links(cluster: ClusterState) -> Iterator[Offer]:
    """Offers to isolate a broker from the controller, the other brokers or both; to restore all
    links of a broker that has a cut one; and to cut or restore one direction between two brokers.
    """
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        actor = str(broker_id)
        if any(broker_id in link for link in cluster.links_cut):
            yield Offer(7, actor, steps.Heal(broker=broker_id))
        yield Offer(18, actor, steps.Isolate(broker=broker_id, from_="controller"))
        yield Offer(18, actor, steps.Isolate(broker=broker_id, from_="brokers"))
        yield Offer(18, actor, steps.Isolate(broker=broker_id, from_="all"))
    for first in cluster.brokers:
        for second in cluster.brokers:
            if first.broker_id != second.broker_id:
                act = steps.Heal if cluster.is_cut(first.broker_id, second.broker_id) else steps.Cut
                yield Offer(62, "network", act(from_=first.broker_id, to=second.broker_id))


def offers_of_timers(cluster: ClusterState) -> Iterator[Offer]:
    """Offers to fire the periodic tasks of each broker now, without advancing time: the checkpoints
    of high watermarks and recovery points, the check of the ISR (`maybeShrinkIsr`) and the flush.

    Each of them is reported even if it changes nothing.
    """
    for broker in cluster.brokers:
        ranked: tuple[tuple[int, steps.TimerKind], ...] = (
            (32, "high_watermark_checkpoint"),
            (33, "isr_expiration"),
            (34, "flush"),
            (35, "recovery_point_checkpoint"),
        )
        for rank, kind in ranked:
            yield Offer(
                rank, str(broker.broker_id), steps.Timer(broker=broker.broker_id, kind=kind)
            )


def offers_of_timers_due(cluster: ClusterState) -> Iterator[Offer]:
    """Offers to fire timers that would change something now, whether or not their time has come.

    These are the propagation of ISR changes (`maybePropagateIsrChanges`, ZooKeeper), the heartbeat
    of a fenced broker (KRaft), the session timeout, the fetch backoff, the timeout of produce
    requests, and the controller's check of preferred leaders.
    """
    for broker in cluster.brokers:
        ranked: tuple[tuple[int, steps.TimerKind, bool], ...] = (
            (36, "isr_change_propagation", bool(broker.isr_changes.partitions)),
            (37, "heartbeat", _is_fenced(cluster, broker.broker_id)),
            (38, "session_timeout", broker_session_has_ended(cluster, broker.broker_id)),
            (39, "fetch_backoff", any(map(_backs_off, broker.replicas))),
            (39, "produce_timeout", any(replica.produces for replica in broker.replicas)),
        )
        for rank, kind, is_due in ranked:
            if is_due:
                yield Offer(
                    rank, str(broker.broker_id), steps.Timer(broker=broker.broker_id, kind=kind)
                )
    if any(
        one.leader not in (NO_LEADER, one.preferred_leader) for one in cluster.controller.partitions
    ):
        yield Offer(48, CONTROLLER, steps.Timer(kind="preferred_leader_check"))


def _is_fenced(cluster: ClusterState, broker_id: BrokerId) -> bool:
    return cluster.controller_kind.fences_brokers and broker_is_back(cluster, broker_id)


def _backs_off(replica: Replica) -> bool:
    return replica.fetcher is not None and replica.fetcher.delayed_until_ms is not None


def offers_of_settings(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of setting changes: min.insync.replicas by one, unclean election on or off, and the
    protocol level to the newest that the release supports.

    min.insync.replicas stays between 1 and the number of brokers. If a topic has its own value, the
    change is offered for the topic too.
    """
    profile = cluster.profile
    _, newest = levels_of(profile.version, profile.control)
    if profile.level != newest:
        yield Offer(56, CONTROLLER, steps.Config(levels={profile.level_name: newest}))
    for topic in (None, *(name for name, _ in cluster.topic_configs)):
        of_topic = dict(dict(cluster.topic_configs).get(topic, ())) if topic else {}
        in_force = effective(cluster, topic)
        for name in ("min.insync.replicas", UNCLEAN):
            if topic and name not in of_topic:
                continue
            value = in_force[name]
            if name == UNCLEAN:
                yield Offer(58, CONTROLLER, steps.Config(topic=topic, settings={name: not value}))
                continue
            for other in (int(value) + 1, int(value) - 1):
                if 1 <= other <= len(cluster.brokers):
                    yield Offer(59, CONTROLLER, steps.Config(topic=topic, settings={name: other}))


def offers_of_time() -> Iterator[Offer]:
    """Offers to advance time: until nothing is pending (`settle`), by 1 s with everything that is
    due (`run`), or by 30 s with due timers only (`advance`).
    """
    yield Offer(11, "time", steps.Settle())
    yield Offer(41, "time", steps.Run(ms=1_000))
    yield Offer(42, "time", steps.Advance(ms=30_000))


class ChoiceDocument(Document, frozen=True, kw_only=True):
    """A step that a user can be offered."""

    step: Step
    actor: str
    """A broker's id as text, `controller`, a client's name, `network` or `time`."""
    enabled: bool
    rank: int
    """Its relevance: the lowest is the most relevant. The variants of one step for one actor, such
    as the directions in which a broker is isolated, have the same."""
    row: int | None
    """The position of its button on the row of a broker, the lowest first; null if it has none."""
    reason: str | None
    """Why it is not possible now, in English; null if it is possible."""
    reason_code: str | None
    """The reason's code; the texts are in the catalogue under `reasons`. Null if the step is
    possible."""
    reason_numbers: RefusalNumbers
    """The values for the reason's text."""


def list_choices(cluster: ClusterState) -> list[ChoiceDocument]:
    """Every offered step, the most relevant first; impossible ones come last."""
    choices = [_tried(cluster, offer) for offer in _offers(cluster)]
    return sorted(choices, key=lambda choice: (not choice.enabled, choice.rank))


def list_steps(cluster: ClusterState) -> list[steps.Happening]:
    """Every step that makes sense in this state, without checking whether it is possible."""
    return [offer.step for offer in _offers(cluster)]


def _offers(cluster: ClusterState) -> list[Offer]:
    return [
        *offers_of_messages(cluster),
        *offers_of_fetches(cluster),
        *offers_of_controller(cluster),
        *offers_of_clients(cluster),
        *offers_of_brokers(cluster),
        *offers_of_links(cluster),
        *offers_of_timers(cluster),
        *offers_of_timers_due(cluster),
        *offers_of_settings(cluster),
        *offers_of_time(),
    ]


def _tried(cluster: ClusterState, offer: Offer) -> ChoiceDocument:
    refused = refusal(cluster, offer.step)
    return ChoiceDocument(
        step=offer.step.as_step(),
        actor=offer.actor,
        enabled=refused is None,
        rank=offer.rank,
        row=type(offer.step).row,
        reason=None if refused is None else refused.reason,
        reason_code=None if refused is None else refused.code,
        reason_numbers={} if refused is None else refused.numbers,
    )

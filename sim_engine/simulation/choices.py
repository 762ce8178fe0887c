"""What can happen now: every step with its actor, and why it cannot where it cannot.

A choice is tried on the side, so what is offered is exactly what the engine would do.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import (
    STEPS,
    Advance,
    Boot,
    Config,
    Consume,
    Crash,
    Cut,
    Deliver,
    Detect,
    Drop,
    Elect,
    FailController,
    Fetch,
    Happening,
    Heal,
    Hold,
    Isolate,
    OneBroker,
    Pause,
    PowerLoss,
    Produce,
    Reassign,
    Refresh,
    Release,
    Resume,
    Retry,
    Run,
    SendFetch,
    Settle,
    Shutdown,
    Slow,
    Start,
    StepStruct,
    Timer,
    Transaction,
)
from sim_engine.actions.clients import DEFAULT_CONSUMER, DEFAULT_PRODUCER
from sim_engine.actions.time import TimerKind
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    NO_LEADER,
    BrokerId,
    Endpoint,
    MessageKind,
)
from sim_engine.protocol.controller.reassignment import assignment_of
from sim_engine.protocol.events import Number
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.scenario_reader.document import Scenario
from sim_engine.simulation.autoplay import long_poll, round_changes_something
from sim_engine.simulation.broker_actions import session_lives, why_no_fetch
from sim_engine.simulation.client_actions import may_retry
from sim_engine.simulation.controller_actions import (
    broker_is_back,
    is_unnoticed,
    session_has_ended,
)
from sim_engine.simulation.late_metadata import is_metadata_held, waiting_records
from sim_engine.simulation.play import Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step
from sim_engine.versions import levels_of

MOST_FRAMES_TRIED = 400
SLOW_MS = 500
"""What a broker that is made slow adds to each of its messages."""
UNCLEAN = "unclean.leader.election.enable"

_FAULT_RANKS: Mapping[type[StepStruct], int] = {PowerLoss: 14, Shutdown: 16, Pause: 17}
_LAST_FAULT_RANK = 65

_OTHER_FAULTS: Sequence[tuple[int, type[OneBroker]]] = sorted(
    (
        (_FAULT_RANKS.get(kind, _LAST_FAULT_RANK), kind)
        for kind in STEPS
        if kind.fault and issubclass(kind, OneBroker) and kind not in (Crash, Isolate)
    ),
    key=lambda ranked: ranked[0],
)
"""What else than a crash can befall a broker, each with the rank of its choice."""


class Choice(Struct, frozen=True, gc=False, kw_only=True):
    """One step that a person could take.

    `actor` is a broker id as text, `controller`, a client's name, `network` or `time`. Where it is
    not enabled, `reason_code` and `reason_numbers` say why, and `reason` says it in English.
    """

    step: dict[str, Any]
    actor: str
    enabled: bool
    rank: int
    reason: str | None = None
    reason_code: str | None = None
    reason_numbers: Mapping[str, Number] = {}


class _Offer(Struct, frozen=True, gc=False):
    rank: int
    actor: str
    step: Happening


def list_choices(cluster: ClusterState, scenario: Scenario) -> list[Choice]:
    """Every step on offer, the most natural next first; what is refused comes after."""
    choices = [_tried(cluster, offer) for offer in _offers(cluster)]
    return sorted(choices, key=lambda choice: (not choice.enabled, choice.rank))


def list_steps(cluster: ClusterState) -> list[Happening]:
    """The whole alphabet: every step that makes sense to name in this state, untried."""
    return [offer.step for offer in _offers(cluster)]


def _offers(cluster: ClusterState) -> list[_Offer]:
    return [
        *_messages(cluster),
        *_fetches(cluster),
        *_controller(cluster),
        *_clients(cluster),
        *_brokers(cluster),
        *_network(cluster),
        *_timers(cluster),
        *_timers_due(cluster),
        *_settings(cluster),
        *_time(),
    ]


def _tried(cluster: ClusterState, offer: _Offer) -> Choice:
    refused: RefusedError | None = None
    if not isinstance(offer.step, Settle | Run | Advance):
        try:
            play_step(Play(cluster, 0, MOST_FRAMES_TRIED), offer.step)
        except RefusedError as error:
            refused = error
    return Choice(
        step=offer.step.as_step(),
        actor=offer.actor,
        enabled=refused is None,
        rank=offer.rank,
        reason=None if refused is None else refused.reason,
        reason_code=None if refused is None else refused.code,
        reason_numbers={} if refused is None else refused.numbers,
    )


def _messages(cluster: ClusterState) -> Iterator[_Offer]:
    seen: set[tuple[MessageKind, Endpoint, Endpoint, str | None]] = set()
    for message in cluster.messages:
        key = (message.kind, message.sender, message.receiver, message.partition)
        if key in seen:
            continue
        seen.add(key)
        kind, sender, receiver, partition = key
        is_log = kind == METADATA_RECORD
        if message.held and not is_log:
            yield _Offer(
                2, "network", Release(kind=kind, from_=sender, to=receiver, partition=partition)
            )
        yield _Offer(
            0, "network", Deliver(kind=kind, from_=sender, to=receiver, partition=partition)
        )
        if sender != CONTROLLER:
            yield _Offer(
                70, "network", Drop(kind=kind, from_=sender, to=receiver, partition=partition)
            )
        if not message.held and not is_log:
            yield _Offer(
                71, "network", Hold(kind=kind, from_=sender, to=receiver, partition=partition)
            )
    yield from _late(cluster)
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for parked in () if replica.leading is None else replica.leading.parked:
                yield _Offer(
                    1,
                    str(broker.broker_id),
                    long_poll(broker.broker_id, replica.partition, parked.follower),
                )


def _late(cluster: ClusterState) -> Iterator[_Offer]:
    """What a broker can be told late: its metadata log, which is held as a whole and read in
    deliveries of any size, or a command in favour of the next."""
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        waiting = len(waiting_records(cluster, broker_id))
        for records in sorted({2, waiting}) if waiting >= 2 else ():
            yield _Offer(2, "network", Deliver(kind=METADATA_RECORD, to=broker_id, records=records))
        if is_metadata_held(cluster, broker_id):
            if waiting:
                yield _Offer(2, "network", Deliver(kind=METADATA_RECORD, to=broker_id, records=1))
            yield _Offer(2, "network", Release(kind=METADATA_RECORD, to=broker_id))
        elif cluster.profile.control == "kraft":
            yield _Offer(71, "network", Hold(kind=METADATA_RECORD, to=broker_id))
        commands = [
            message
            for message in cluster.messages
            if message.kind == "leader_and_isr" and message.receiver == broker_id
        ]
        if len(commands) >= 2:
            yield _Offer(72, "network", Deliver(kind="leader_and_isr", to=broker_id, skip=True))


def _fetches(cluster: ClusterState) -> Iterator[_Offer]:
    several = len(cluster.partitions) > 1
    for broker in cluster.brokers:
        for replica in broker.replicas:
            if replica.fetcher is None:
                continue
            partition = replica.partition if several else None
            can = why_no_fetch(cluster, broker.broker_id, replica.partition) is None
            useful = can and round_changes_something(cluster, broker.broker_id, replica.partition)
            actor = str(broker.broker_id)
            yield _Offer(
                4 if useful else 30, actor, Fetch(broker=broker.broker_id, partition=partition)
            )
            yield _Offer(31, actor, SendFetch(broker=broker.broker_id, partition=partition))


def _controller(cluster: ClusterState) -> Iterator[_Offer]:
    leaderless = any(one.leader == NO_LEADER for one in cluster.controller.partitions)
    if leaderless and cluster.profile.rules.unclean_election_by_setting:
        yield _Offer(46, CONTROLLER, Timer(kind="unclean_leader_check"))
    for broker in cluster.brokers:
        if is_unnoticed(cluster, broker.broker_id):
            yield _Offer(3, CONTROLLER, Detect(broker=broker.broker_id))
    yield _Offer(55, CONTROLLER, FailController())
    for registration in cluster.controller.partitions:
        name = registration.partition
        leaderless = registration.leader == NO_LEADER
        yield _Offer(5 if leaderless else 45, CONTROLLER, Elect(partition=name, kind="clean"))
        yield _Offer(6 if leaderless else 46, CONTROLLER, Elect(partition=name, kind="unclean"))
        away = registration.leader != registration.preferred_leader
        yield _Offer(25 if away else 47, CONTROLLER, Elect(partition=name, kind="preferred"))
        for target in _targets(cluster, registration):
            yield _Offer(49, CONTROLLER, Reassign(partition=name, replicas=target))


def _targets(
    cluster: ClusterState, registration: PartitionRegistration
) -> Iterator[tuple[BrokerId, ...]]:
    """Where a partition could be moved: its last replica to each other broker, one more, one less;
    back, while it moves."""
    assignment = assignment_of(registration)
    now = assignment.target
    if assignment.in_progress:
        yield tuple(sorted(broker for broker in now if broker not in assignment.adding)) or now
        return
    spare = [broker.broker_id for broker in cluster.brokers if broker.broker_id not in now]
    yield from ((*now[:-1], broker_id) for broker_id in spare)
    if spare:
        yield (*now, spare[0])
    if len(now) > 1:
        yield now[:-1]
        yield (*now[1:], now[0])


def _clients(cluster: ClusterState) -> Iterator[_Offer]:
    producers = [client.name for client in cluster.clients.clients if client.kind == "producer"]
    consumers = [client.name for client in cluster.clients.clients if client.kind == "consumer"]
    for partition in cluster.partitions:
        producer = producers[0] if producers else DEFAULT_PRODUCER
        value = _next_value(cluster)
        record = Produce(to=partition, values=(value,), as_=producer)
        yield _Offer(10, producer, record)
        yield _Offer(40, producer, replace(record, acks=1))
        yield _Offer(60, producer, replace(record, acks=0))
        yield _Offer(43, producer, replace(record, idempotent=True))
        consumer = consumers[0] if consumers else DEFAULT_CONSUMER
        reads = Consume(partition=partition, as_=consumer)
        yield _Offer(20, consumer, reads)
        yield _Offer(21, consumer, replace(reads, isolation="read_committed"))
        registration = cluster.controller.partition(partition)
        for follower in registration.replicas:
            if follower != registration.leader:
                yield _Offer(49, consumer, replace(reads, broker=follower))
    for client in cluster.clients.clients:
        if any(may_retry(client, record) for record in cluster.clients.produced):
            yield _Offer(15, client.name, Retry(as_=client.name))
        yield _Offer(61, client.name, Refresh(as_=client.name))
    for name in producers or [DEFAULT_PRODUCER]:
        open_now = any(
            client.in_transaction for client in cluster.clients.clients if client.name == name
        )
        yield _Offer(44, name, Transaction(as_=name, do="begin"))
        if open_now:
            yield _Offer(19, name, Transaction(as_=name, do="commit"))
            yield _Offer(22, name, Transaction(as_=name, do="abort"))


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


def _brokers(cluster: ClusterState) -> Iterator[_Offer]:
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        actor = str(broker_id)
        if not broker.alive:
            yield _Offer(8, actor, Start(broker=broker_id))
            yield _Offer(48, actor, Boot(broker=broker_id))
            if session_lives(cluster, broker_id):
                yield _Offer(66, actor, Boot(broker=broker_id, session="kept"))
        if broker.process == "paused":
            yield _Offer(9, actor, Resume(broker=broker_id))
        yield _Offer(12, actor, Crash(broker=broker_id))
        if broker.alive:
            yield _Offer(50, actor, Start(broker=broker_id))
        for rank, fault in _OTHER_FAULTS:
            if fault is not Pause or broker.process != "paused":
                yield _Offer(rank, actor, cast("Happening", fault(broker=broker_id)))
        yield from _partial_power_losses(broker, actor)
        yield _Offer(57, actor, Slow(broker=broker_id, ms=0 if broker.slow_ms else SLOW_MS))


def _partial_power_losses(broker: Broker, actor: str) -> Iterator[_Offer]:
    """How much of an unflushed suffix survives is a choice, one a record."""
    for replica in broker.replicas:
        for keep in range(replica.flushed + 1, replica.log_end_offset + 1)[-4:]:
            yield _Offer(
                52,
                actor,
                PowerLoss(broker=broker.broker_id, keep={replica.partition: keep}),
            )


def _network(cluster: ClusterState) -> Iterator[_Offer]:
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        actor = str(broker_id)
        if any(broker_id in link for link in cluster.links_cut):
            yield _Offer(7, actor, Heal(broker=broker_id))
        yield _Offer(18, actor, Isolate(broker=broker_id, from_="controller"))
        yield _Offer(18, actor, Isolate(broker=broker_id, from_="brokers"))
        yield _Offer(18, actor, Isolate(broker=broker_id, from_="all"))
    for first in cluster.brokers:
        for second in cluster.brokers:
            if first.broker_id != second.broker_id:
                act = Heal if cluster.is_cut(first.broker_id, second.broker_id) else Cut
                yield _Offer(62, "network", act(from_=first.broker_id, to=second.broker_id))


def _timers(cluster: ClusterState) -> Iterator[_Offer]:
    for broker in cluster.brokers:
        ranked: tuple[tuple[int, TimerKind], ...] = (
            (32, "high_watermark_checkpoint"),
            (33, "isr_expiration"),
            (34, "flush"),
            (35, "recovery_point_checkpoint"),
        )
        for rank, kind in ranked:
            yield _Offer(rank, str(broker.broker_id), Timer(broker=broker.broker_id, kind=kind))


def _timers_due(cluster: ClusterState) -> Iterator[_Offer]:
    """Timers that would do something now; one that finds nothing to do is left out."""
    for broker in cluster.brokers:
        ranked: tuple[tuple[int, TimerKind, bool], ...] = (
            (36, "isr_change_propagation", bool(broker.isr_changes.partitions)),
            (37, "heartbeat", _is_fenced(cluster, broker.broker_id)),
            (38, "session_timeout", session_has_ended(cluster, broker.broker_id)),
            (39, "fetch_backoff", any(map(_backs_off, broker.replicas))),
            (39, "produce_timeout", any(map(_has_waiting_producers, broker.replicas))),
        )
        for rank, kind, is_due in ranked:
            if is_due:
                yield _Offer(rank, str(broker.broker_id), Timer(broker=broker.broker_id, kind=kind))
    if any(
        one.leader not in (NO_LEADER, one.preferred_leader) for one in cluster.controller.partitions
    ):
        yield _Offer(48, CONTROLLER, Timer(kind="preferred_leader_check"))


def _is_fenced(cluster: ClusterState, broker_id: BrokerId) -> bool:
    return cluster.profile.control == "kraft" and broker_is_back(cluster, broker_id)


def _backs_off(replica: Replica) -> bool:
    return replica.fetcher is not None and replica.fetcher.delayed_until_ms is not None


def _has_waiting_producers(replica: Replica) -> bool:
    return replica.leading is not None and bool(replica.leading.produces)


def _settings(cluster: ClusterState) -> Iterator[_Offer]:
    """What an administrator changes to see what it does: min.insync.replicas by one, unclean
    election on or off, the level of the protocol to the newest that the release speaks.

    A setting is also a topic's where the topic has its own.
    """
    profile = cluster.profile
    _, newest = levels_of(profile.version, profile.control)
    if profile.level != newest:
        yield _Offer(56, CONTROLLER, Config(levels={profile.level_name: newest}))
    for topic in (None, *(name for name, _ in cluster.topic_configs)):
        of_topic = dict(dict(cluster.topic_configs).get(topic, ())) if topic else {}
        in_force = effective(cluster, topic)
        for name in ("min.insync.replicas", UNCLEAN):
            if topic and name not in of_topic:
                continue
            value = in_force[name]
            if name == UNCLEAN:
                yield _Offer(58, CONTROLLER, Config(topic=topic, settings={name: not value}))
                continue
            for other in (int(value) + 1, int(value) - 1):
                if 1 <= other <= len(cluster.brokers):
                    yield _Offer(59, CONTROLLER, Config(topic=topic, settings={name: other}))


def _time() -> Iterator[_Offer]:
    yield _Offer(11, "time", Settle())
    yield _Offer(41, "time", Run(ms=1_000))
    yield _Offer(42, "time", Advance(ms=30_000))

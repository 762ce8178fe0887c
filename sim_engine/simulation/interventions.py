"""What could be done to a cluster now: to brokers, links, timers, settings, and with time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from sim_engine.actions import (
    STEPS,
    Advance,
    Boot,
    Config,
    Crash,
    Cut,
    Happening,
    Heal,
    Isolate,
    OneBroker,
    Pause,
    PowerLoss,
    Resume,
    Run,
    Settle,
    Shutdown,
    Slow,
    Start,
    StepStruct,
    Timer,
)
from sim_engine.actions.fields import specs_of
from sim_engine.actions.time import TimerKind
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId, offset_after, offsets_between
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.offers import Offer
from sim_engine.simulation.performing.controller import (
    broker_is_back,
    session_has_ended,
)
from sim_engine.simulation.performing.processes import session_lives
from sim_engine.versions import levels_of

SLOW_MS = 500
"""What a broker that is made slow adds to each of its messages."""
UNCLEAN = "unclean.leader.election.enable"

_FAULT_RANKS: Mapping[type[StepStruct], int] = {PowerLoss: 14, Shutdown: 16, Pause: 17}
_LAST_FAULT_RANK = 65


def _needs_only_a_broker(kind: type[StepStruct]) -> bool:
    return [spec.name for spec in specs_of(kind) if spec.required] == ["broker"]


_OTHER_FAULTS: Sequence[tuple[int, type[OneBroker]]] = sorted(
    (
        (_FAULT_RANKS.get(kind, _LAST_FAULT_RANK), kind)
        for kind in STEPS
        if kind.fault
        and issubclass(kind, OneBroker)
        and _needs_only_a_broker(kind)
        and kind != Crash
    ),
    key=lambda ranked: ranked[0],
)
"""The faults of a broker other than a crash, each with the rank of its choice."""


def offers_of_brokers(cluster: ClusterState) -> Iterator[Offer]:
    """Offers start and resume, and every fault of a broker."""
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        actor = str(broker_id)
        if not broker.alive:
            yield Offer(8, actor, Start(broker=broker_id))
            yield Offer(48, actor, Boot(broker=broker_id))
            if session_lives(cluster, broker_id):
                yield Offer(66, actor, Boot(broker=broker_id, session="kept"))
        if broker.process == "paused":
            yield Offer(9, actor, Resume(broker=broker_id))
        yield Offer(12, actor, Crash(broker=broker_id))
        if broker.alive:
            yield Offer(50, actor, Start(broker=broker_id))
        for rank, fault in _OTHER_FAULTS:
            if fault is not Pause or broker.process != "paused":
                yield Offer(rank, actor, cast("Happening", fault(broker=broker_id)))
        yield from _partial_power_losses(broker, actor)
        yield Offer(57, actor, Slow(broker=broker_id, ms=0 if broker.slow_ms else SLOW_MS))


def _partial_power_losses(broker: Broker, actor: str) -> Iterator[Offer]:
    """How much of an unflushed suffix survives is a choice, one a record."""
    for replica in broker.replicas:
        for keep in offsets_between(
            offset_after(replica.flushed), offset_after(replica.log_end_offset)
        )[-4:]:
            yield Offer(
                52,
                actor,
                PowerLoss(broker=broker.broker_id, keep={replica.partition: keep}),
            )


def offers_of_links(cluster: ClusterState) -> Iterator[Offer]:
    """Links break and mend, one direction at a time or all of a broker."""
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        actor = str(broker_id)
        if any(broker_id in link for link in cluster.links_cut):
            yield Offer(7, actor, Heal(broker=broker_id))
        yield Offer(18, actor, Isolate(broker=broker_id, from_="controller"))
        yield Offer(18, actor, Isolate(broker=broker_id, from_="brokers"))
        yield Offer(18, actor, Isolate(broker=broker_id, from_="all"))
    for first in cluster.brokers:
        for second in cluster.brokers:
            if first.broker_id != second.broker_id:
                act = Heal if cluster.is_cut(first.broker_id, second.broker_id) else Cut
                yield Offer(62, "network", act(from_=first.broker_id, to=second.broker_id))


def offers_of_timers(cluster: ClusterState) -> Iterator[Offer]:
    """Timers that always have something to do."""
    for broker in cluster.brokers:
        ranked: tuple[tuple[int, TimerKind], ...] = (
            (32, "high_watermark_checkpoint"),
            (33, "isr_expiration"),
            (34, "flush"),
            (35, "recovery_point_checkpoint"),
        )
        for rank, kind in ranked:
            yield Offer(rank, str(broker.broker_id), Timer(broker=broker.broker_id, kind=kind))


def offers_of_timers_due(cluster: ClusterState) -> Iterator[Offer]:
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
                yield Offer(rank, str(broker.broker_id), Timer(broker=broker.broker_id, kind=kind))
    if any(
        one.leader not in (NO_LEADER, one.preferred_leader) for one in cluster.controller.partitions
    ):
        yield Offer(48, CONTROLLER, Timer(kind="preferred_leader_check"))


def _is_fenced(cluster: ClusterState, broker_id: BrokerId) -> bool:
    return cluster.controller_kind.fences_brokers and broker_is_back(cluster, broker_id)


def _backs_off(replica: Replica) -> bool:
    return replica.fetcher is not None and replica.fetcher.delayed_until_ms is not None


def _has_waiting_producers(replica: Replica) -> bool:
    return replica.leading is not None and bool(replica.leading.produces)


def offers_of_settings(cluster: ClusterState) -> Iterator[Offer]:
    """What an administrator changes to see what it does: min.insync.replicas by one, unclean
    election on or off, the level of the protocol to the newest that the release speaks.

    A setting is also a topic's where the topic has its own.
    """
    profile = cluster.profile
    _, newest = levels_of(profile.version, profile.control)
    if profile.level != newest:
        yield Offer(56, CONTROLLER, Config(levels={profile.level_name: newest}))
    for topic in (None, *(name for name, _ in cluster.topic_configs)):
        of_topic = dict(dict(cluster.topic_configs).get(topic, ())) if topic else {}
        in_force = effective(cluster, topic)
        for name in ("min.insync.replicas", UNCLEAN):
            if topic and name not in of_topic:
                continue
            value = in_force[name]
            if name == UNCLEAN:
                yield Offer(58, CONTROLLER, Config(topic=topic, settings={name: not value}))
                continue
            for other in (int(value) + 1, int(value) - 1):
                if 1 <= other <= len(cluster.brokers):
                    yield Offer(59, CONTROLLER, Config(topic=topic, settings={name: other}))


def offers_of_time() -> Iterator[Offer]:
    """Time passes, with everything that is due or alone."""
    yield Offer(11, "time", Settle())
    yield Offer(41, "time", Run(ms=1_000))
    yield Offer(42, "time", Advance(ms=30_000))

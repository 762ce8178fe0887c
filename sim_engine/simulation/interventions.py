"""The possible interventions in a cluster: on brokers, links, timers and settings, and advancing
time.

As in `offers.py`, an offer is a step that makes sense in this state; `choices.py` tries it.
"""

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
from sim_engine.actions.base import specs_of
from sim_engine.actions.steps import TimerKind
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId, offset_after, offsets_between
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.offers import Offer
from sim_engine.simulation.performing.controller import (
    broker_is_back,
    broker_session_has_ended,
)
from sim_engine.simulation.performing.processes import broker_session_lives
from sim_engine.versions import levels_of

SLOW_MS = 500
"""The delay that an offered `slow` adds to each message of a broker, in ms."""
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
            yield Offer(8, actor, Start(broker=broker_id))
            yield Offer(48, actor, Boot(broker=broker_id))
            if broker_session_lives(cluster, broker_id):
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
    """Offers of power losses in which part of the unflushed records survives: one for each offset
    up to the log end offset, the last four at most.
    """
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
    """Offers to isolate a broker from the controller, the other brokers or both; to restore all
    links of a broker that has a cut one; and to cut or restore one direction between two brokers.
    """
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
    """Offers to fire the periodic tasks of each broker now, without advancing time: the checkpoints
    of high watermarks and recovery points, the check of the ISR (`maybeShrinkIsr`) and the flush.

    Each of them is reported even if it changes nothing.
    """
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
    """Offers to fire timers that would change something now, whether or not their time has come.

    These are the propagation of ISR changes (`maybePropagateIsrChanges`, ZooKeeper), the heartbeat
    of a fenced broker (KRaft), the session timeout, the fetch backoff, the timeout of produce
    requests, and the controller's check of preferred leaders.
    """
    for broker in cluster.brokers:
        ranked: tuple[tuple[int, TimerKind, bool], ...] = (
            (36, "isr_change_propagation", bool(broker.isr_changes.partitions)),
            (37, "heartbeat", _is_fenced(cluster, broker.broker_id)),
            (38, "session_timeout", broker_session_has_ended(cluster, broker.broker_id)),
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
    """Offers of setting changes: min.insync.replicas by one, unclean election on or off, and the
    protocol level to the newest that the release supports.

    min.insync.replicas stays between 1 and the number of brokers. If a topic has its own value, the
    change is offered for the topic too.
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
    """Offers to advance time: until nothing is pending (`settle`), by 1 s with everything that is
    due (`run`), or by 30 s with due timers only (`advance`).
    """
    yield Offer(11, "time", Settle())
    yield Offer(41, "time", Run(ms=1_000))
    yield Offer(42, "time", Advance(ms=30_000))

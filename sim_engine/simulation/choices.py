"""What can happen now: every step with its actor, and why it cannot where it cannot.

A choice is tried on the side, so what is offered is exactly what the engine would do.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.events.run import RefusalNumbers
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId, Endpoint
from sim_engine.protocol.controller.reassignment import assignment_of
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.scenario_reader.document import Scenario
from sim_engine.simulation.autoplay import round_changes_something
from sim_engine.simulation.broker_actions import session_lives, why_no_fetch
from sim_engine.simulation.client_actions import may_retry
from sim_engine.simulation.controller_actions import (
    broker_is_back,
    is_unnoticed,
    session_has_ended,
)
from sim_engine.simulation.late_metadata import METADATA, is_metadata_held, waiting_records
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import Play, play_step
from sim_engine.versions import levels_of

MOST_FRAMES_TRIED = 400
SLOW_MS = 500
"""What a broker that is made slow adds to each of its messages."""
UNCLEAN = "unclean.leader.election.enable"


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
    reason_numbers: RefusalNumbers = {}


class _Offer(Struct, frozen=True, gc=False):
    rank: int
    actor: str
    step: dict[str, Any]


def list_choices(cluster: ClusterState, scenario: Scenario) -> list[Choice]:
    """Every step on offer, the most natural next first; what is refused comes after."""
    choices = [_tried(cluster, offer) for offer in _offers(cluster)]
    return sorted(choices, key=lambda choice: (not choice.enabled, choice.rank))


def list_steps(cluster: ClusterState) -> list[dict[str, Any]]:
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
    ((kind, arguments),) = offer.step.items()
    refused: RefusedError | None = None
    if kind not in ("settle", "run", "advance"):
        try:
            play_step(Play(cluster, 0, MOST_FRAMES_TRIED), kind, arguments)
        except RefusedError as error:
            refused = error
    return Choice(
        step=offer.step,
        actor=offer.actor,
        enabled=refused is None,
        rank=offer.rank,
        reason=None if refused is None else refused.reason,
        reason_code=None if refused is None else refused.code,
        reason_numbers={} if refused is None else refused.numbers,
    )


def _messages(cluster: ClusterState) -> Iterator[_Offer]:
    seen: set[tuple[str, Endpoint, Endpoint, str | None]] = set()
    for message in cluster.messages:
        key = (message.kind, message.sender, message.receiver, message.partition)
        if key in seen:
            continue
        seen.add(key)
        where: dict[str, Any] = {
            "kind": message.kind,
            "from": message.sender,
            "to": message.receiver,
        }
        if message.partition is not None:
            where["partition"] = message.partition
        is_log = message.kind == METADATA
        if message.held and not is_log:
            yield _Offer(2, "network", {"release": where})
        yield _Offer(0, "network", {"deliver": where})
        if message.sender != CONTROLLER:
            yield _Offer(70, "network", {"drop": where})
        if not message.held and not is_log:
            yield _Offer(71, "network", {"hold": where})
    yield from _late(cluster)
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for parked in () if replica.leading is None else replica.leading.parked:
                yield _Offer(
                    1,
                    str(broker.broker_id),
                    {
                        "timer": {
                            "broker": broker.broker_id,
                            "kind": "long_poll",
                            "partition": replica.partition,
                            "follower": parked.follower,
                        }
                    },
                )


def _late(cluster: ClusterState) -> Iterator[_Offer]:
    """What a broker can be told late: its metadata log, which is held as a whole and read in
    deliveries of any size, or a command in favour of the next."""
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        where: dict[str, Any] = {"kind": METADATA, "from": CONTROLLER, "to": broker_id}
        waiting = len(waiting_records(cluster, broker_id))
        for records in sorted({2, waiting}) if waiting >= 2 else ():
            yield _Offer(2, "network", {"deliver": {**where, "records": records}})
        if is_metadata_held(cluster, broker_id):
            if waiting:
                yield _Offer(2, "network", {"deliver": {**where, "records": 1}})
            yield _Offer(2, "network", {"release": where})
        elif cluster.profile.control == "kraft":
            yield _Offer(71, "network", {"hold": where})
        commands = [
            message
            for message in cluster.messages
            if message.kind == "leader_and_isr" and message.receiver == broker_id
        ]
        if len(commands) >= 2:
            where = {"kind": "leader_and_isr", "from": CONTROLLER, "to": broker_id}
            yield _Offer(72, "network", {"deliver": {**where, "skip": True}})


def _fetches(cluster: ClusterState) -> Iterator[_Offer]:
    several = len(cluster.partitions) > 1
    for broker in cluster.brokers:
        for replica in broker.replicas:
            if replica.fetcher is None:
                continue
            arguments: dict[str, Any] = {"broker": broker.broker_id}
            if several:
                arguments["partition"] = replica.partition
            can = why_no_fetch(cluster, broker.broker_id, replica.partition) is None
            useful = can and round_changes_something(cluster, broker.broker_id, replica.partition)
            actor = str(broker.broker_id)
            yield _Offer(4 if useful else 30, actor, {"fetch": arguments})
            yield _Offer(31, actor, {"send_fetch": arguments})


def _controller(cluster: ClusterState) -> Iterator[_Offer]:
    leaderless = any(one.leader == NO_LEADER for one in cluster.controller.partitions)
    if leaderless and cluster.profile.rules.unclean_election_by_setting:
        yield _Offer(46, CONTROLLER, {"timer": {"kind": "unclean_leader_check"}})
    for broker in cluster.brokers:
        if is_unnoticed(cluster, broker.broker_id):
            yield _Offer(3, CONTROLLER, {"detect": {"broker": broker.broker_id}})
    yield _Offer(55, CONTROLLER, {"fail_controller": {}})
    for registration in cluster.controller.partitions:
        name = registration.partition
        leaderless = registration.leader == NO_LEADER
        yield _Offer(
            5 if leaderless else 45, CONTROLLER, {"elect": {"partition": name, "kind": "clean"}}
        )
        yield _Offer(
            6 if leaderless else 46, CONTROLLER, {"elect": {"partition": name, "kind": "unclean"}}
        )
        away = registration.leader != registration.preferred_leader
        yield _Offer(
            25 if away else 47, CONTROLLER, {"elect": {"partition": name, "kind": "preferred"}}
        )

        for target in _targets(cluster, registration):
            yield _Offer(
                49, CONTROLLER, {"reassign": {"partition": name, "replicas": list(target)}}
            )


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
        producer = producers[0] if producers else "p1"
        value = _next_value(cluster)
        for rank, acks in ((10, "all"), (40, 1), (60, 0)):
            yield _Offer(
                rank,
                producer,
                {"produce": {"to": partition, "values": [value], "acks": acks, "as": producer}},
            )
        yield _Offer(
            43,
            producer,
            {
                "produce": {
                    "idempotent": True,
                    "to": partition,
                    "values": [value],
                    "acks": "all",
                    "as": producer,
                }
            },
        )
        consumer = consumers[0] if consumers else "c1"
        reads = {"partition": partition, "as": consumer}
        yield _Offer(20, consumer, {"consume": reads})
        yield _Offer(21, consumer, {"consume": {**reads, "isolation": "read_committed"}})
        registration = cluster.controller.partition(partition)
        for follower in registration.replicas:
            if follower != registration.leader:
                yield _Offer(49, consumer, {"consume": {**reads, "broker": follower}})
    for client in cluster.clients.clients:
        if any(may_retry(client, record) for record in cluster.clients.produced):
            yield _Offer(15, client.name, {"retry": {"as": client.name}})
        yield _Offer(61, client.name, {"refresh": {"as": client.name}})
    for name in producers or ["p1"]:
        open_now = any(
            client.in_transaction for client in cluster.clients.clients if client.name == name
        )
        for rank, do in ((44, "begin"), (19, "commit"), (22, "abort")):
            if do == "begin" or open_now:
                yield _Offer(rank, name, {"transaction": {"as": name, "do": do}})


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
        actor = str(broker.broker_id)
        arguments = {"broker": broker.broker_id}
        if not broker.alive:
            yield _Offer(8, actor, {"start": arguments})
            yield _Offer(48, actor, {"boot": arguments})
            if session_lives(cluster, broker.broker_id):
                yield _Offer(66, actor, {"boot": {**arguments, "session": "kept"}})
        if broker.process == "paused":
            yield _Offer(9, actor, {"resume": arguments})
        yield _Offer(12, actor, {"crash": arguments})
        if broker.alive:
            yield _Offer(50, actor, {"start": arguments})
        yield _Offer(14, actor, {"power_loss": arguments})
        yield from _partial_power_losses(broker, actor)
        yield _Offer(16, actor, {"shutdown": arguments})
        if broker.process != "paused":
            yield _Offer(17, actor, {"pause": arguments})
        yield _Offer(65, actor, {"disk_loss": arguments})
        yield _Offer(57, actor, {"slow": {**arguments, "ms": 0 if broker.slow_ms else SLOW_MS}})


def _partial_power_losses(broker: Broker, actor: str) -> Iterator[_Offer]:
    """How much of an unflushed suffix survives is a choice, one a record."""
    for replica in broker.replicas:
        for keep in range(replica.flushed + 1, replica.log_end_offset + 1)[-4:]:
            yield _Offer(
                52,
                actor,
                {"power_loss": {"broker": broker.broker_id, "keep": {replica.partition: keep}}},
            )


def _network(cluster: ClusterState) -> Iterator[_Offer]:
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        actor = str(broker_id)
        if any(broker_id in link for link in cluster.links_cut):
            yield _Offer(7, actor, {"heal": {"broker": broker_id}})
        for whom in ("controller", "brokers", "all"):
            yield _Offer(18, actor, {"isolate": {"broker": broker_id, "from": whom}})
    for first in cluster.brokers:
        for second in cluster.brokers:
            if first.broker_id != second.broker_id:
                link = {"from": first.broker_id, "to": second.broker_id}
                kind = "heal" if cluster.is_cut(first.broker_id, second.broker_id) else "cut"
                yield _Offer(62, "network", {kind: link})


def _timers(cluster: ClusterState) -> Iterator[_Offer]:
    for broker in cluster.brokers:
        for rank, kind in (
            (32, "high_watermark_checkpoint"),
            (33, "isr_expiration"),
            (34, "flush"),
            (35, "recovery_point_checkpoint"),
        ):
            yield _Offer(
                rank,
                str(broker.broker_id),
                {"timer": {"broker": broker.broker_id, "kind": kind}},
            )


def _timers_due(cluster: ClusterState) -> Iterator[_Offer]:
    """Timers that would do something now; one that finds nothing to do is left out."""
    for broker in cluster.brokers:
        for rank, kind, is_due in (
            (36, "isr_change_propagation", bool(broker.isr_changes.partitions)),
            (37, "heartbeat", _is_fenced(cluster, broker.broker_id)),
            (38, "session_timeout", session_has_ended(cluster, broker.broker_id)),
            (39, "fetch_backoff", any(map(_backs_off, broker.replicas))),
            (39, "produce_timeout", any(map(_has_waiting_producers, broker.replicas))),
        ):
            if is_due:
                yield _Offer(
                    rank,
                    str(broker.broker_id),
                    {"timer": {"broker": broker.broker_id, "kind": kind}},
                )
    if any(
        one.leader not in (NO_LEADER, one.preferred_leader) for one in cluster.controller.partitions
    ):
        yield _Offer(48, CONTROLLER, {"timer": {"kind": "preferred_leader_check"}})


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
        yield _Offer(56, CONTROLLER, {"config": {profile.level_name: newest}})
    for topic in (None, *(name for name, _ in cluster.topic_configs)):
        of_topic = dict(dict(cluster.topic_configs).get(topic, ())) if topic else {}
        in_force = effective(cluster, topic)
        where = {"topic": topic} if topic else {}
        for name in ("min.insync.replicas", UNCLEAN):
            if topic and name not in of_topic:
                continue
            value = in_force[name]
            if name == UNCLEAN:
                yield _Offer(58, CONTROLLER, {"config": {**where, name: not value}})
                continue
            for other in (int(value) + 1, int(value) - 1):
                if 1 <= other <= len(cluster.brokers):
                    yield _Offer(59, CONTROLLER, {"config": {**where, name: other}})


def _time() -> Iterator[_Offer]:
    yield _Offer(11, "time", {"settle": {}})
    yield _Offer(41, "time", {"run": {"ms": 1_000}})
    yield _Offer(42, "time", {"advance": {"ms": 30_000}})

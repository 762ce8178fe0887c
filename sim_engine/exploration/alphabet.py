"""The steps that a search may try in one state, at either grain, and the budget that each one uses.

At the grain of steps, a fetch is a whole round and the controller's commands arrive immediately. At
the grain of messages, every message, wait and detection is a separate step; a requested election
and a broker's return are still one step each.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, cast

from msgspec.structs import replace

from sim_engine.actions import STEPS
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import (
    Boot,
    Crash,
    Deliver,
    Detect,
    Drop,
    Elect,
    Fetch,
    Happening,
    Heal,
    Hold,
    Isolate,
    OneBroker,
    Produce,
    Release,
    Resume,
    SendFetch,
    Start,
    Timer,
)
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    NO_LEADER,
    Acks,
    BrokerId,
    TopicPartition,
)
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import Replica, late_request
from sim_engine.simulation.fetch_rounds import delivery_of, long_poll
from sim_engine.simulation.performing.controller import broker_session_has_ended, is_unnoticed
from sim_engine.simulation.performing.messages import is_metadata_held, waiting_records

Grain = Literal["step", "message"]
GRAINS: tuple[Grain, ...] = ("step", "message")

FAULTS_UNASKED = tuple(
    kind for kind in STEPS if kind.affects is not None and issubclass(kind, OneBroker)
)
UNCLEAN = "unclean"
FAULT_KINDS = (
    *(name_of(kind) for kind in FAULTS_UNASKED),
    *(name_of(kind) for kind in (Isolate, Drop, Hold)),
    UNCLEAN,
    name_of(Produce),
)
"""The faults that happen only as often as a budget allows. `drop` is a lost fetch response or, at
the grain of messages, any lost message of a broker. `hold` is a broker that reads its metadata
late, in deliveries of any size (KRaft).
"""

ELECTION, EPOCH = "election", "epoch"
BUDGET_NAMES = (*FAULT_KINDS, ELECTION, EPOCH)
"""The names that a budget may contain. `election` limits how often a partition gets another leader,
and `epoch` by how much leader epochs increase, for any reason; without an entry, neither is
limited.
"""

DEFAULT_BUDGET: Mapping[str, int] = {
    name_of(Crash): 2,
    name_of(Drop): 1,
    name_of(Hold): 1,
    name_of(Produce): 2,
}
"""Power losses need an explicit budget, because they can destroy every record that is
not flushed.
"""

Budget = tuple[int | None, ...]
"""The remaining number for each of `BUDGET_NAMES`; null without a limit."""


def read_budget(text: str) -> dict[str, int]:
    """Parse a budget such as `crash=1,power_loss=1`: name → number.

    Raises `ValueError`, whose argument is the invalid part.
    """
    budget: dict[str, int] = {}
    for part in text.split(","):
        kind, _, count = part.partition("=")
        if kind not in BUDGET_NAMES or not (count.isascii() and count.isdigit()):
            raise ValueError(part)
        budget[kind] = int(count)
    return budget


def whole_budget(allowed: Mapping[str, int]) -> Budget:
    """The budget at the start of a search: the allowed number for each name."""
    faults = tuple(allowed.get(kind, 0) for kind in FAULT_KINDS)
    return (*faults, allowed.get(ELECTION), allowed.get(EPOCH))


def steps_from(
    cluster: ClusterState, budget: Budget, grain: Grain, acks: Acks = "all"
) -> Iterator[tuple[Happening, Budget]]:
    """The steps to try in a state, each with the budget that is left after it.

    Records are sent with `acks`.
    """
    possible = _messages_possible if grain == "message" else _steps_possible
    for step in possible(cluster, acks):
        left = after_step(budget, step)
        if left is not None:
            yield step, left


def after_step(budget: Budget, step: Happening) -> Budget | None:
    """The budget after a step; None if the budget does not allow the step."""
    kind = budgeted_as(step)
    if kind is None:
        return budget
    index = BUDGET_NAMES.index(kind)
    left = budget[index]
    assert left is not None, "every fault has a limit"
    return None if left == 0 else (*budget[:index], left - 1, *budget[index + 1 :])


def after_elections(budget: Budget, before: ClusterState, after: ClusterState) -> Budget | None:
    """The budget after the elections and epochs of one action; None if they exceed it."""
    if budget[-2:] == (None, None) or before.controller is after.controller:
        return budget
    elections = epochs = 0
    for was, now in zip(before.controller.partitions, after.controller.partitions, strict=True):
        elections += now.leader not in (NO_LEADER, was.leader)
        epochs += max(0, now.leader_epoch - was.leader_epoch)
    left = tuple(
        None if allowed is None else allowed - spent
        for allowed, spent in zip(budget[-2:], (elections, epochs), strict=True)
    )
    overdrawn = any(allowed is not None and allowed < 0 for allowed in left)
    return None if overdrawn else (*budget[:-2], *left)


def faults_among(steps: Iterable[Happening]) -> dict[str, int]:
    """The number of faults of each kind among some steps, by `FAULT_KINDS`. Produced records are
    not counted.
    """
    kinds = [budgeted_as(step) for step in steps]
    return {
        kind: kinds.count(kind)
        for kind in FAULT_KINDS
        if kind in kinds and kind != name_of(Produce)
    }


def budgeted_as(step: Happening) -> str | None:
    """The entry of a budget that a step uses; None if it uses none."""
    if isinstance(step, Fetch):
        return None if step.drop is None else name_of(Drop)
    if isinstance(step, Elect):
        return UNCLEAN if step.kind == "unclean" else None
    name = name_of(type(step))
    return name if name in FAULT_KINDS else None


# --- the grain of steps ----------------------------------------------------------------------


def _steps_possible(cluster: ClusterState, acks: Acks) -> Iterator[Happening]:
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        yield Detect(broker=broker_id)
        if broker.alive:
            for replica in broker.replicas:
                if replica.fetcher is None:
                    continue
                fetch = Fetch(broker=broker_id, partition=replica.partition)
                yield fetch
                yield replace(fetch, drop="response")
        else:
            yield Start(broker=broker_id)
        yield from _faults_of_one(cluster, broker)
    for partition in cluster.partitions:
        yield _produce(cluster, partition, acks)
        yield Elect(partition=partition, kind="preferred")
        yield Elect(partition=partition, kind="unclean")
    for message in cluster.messages:
        if message.kind.startswith("alter_partition"):
            yield replace(delivery_of(message), partition=None)
        elif _is_late_response(cluster, message):
            yield delivery_of(message)


def _is_late_response(cluster: ClusterState, message: Message) -> bool:
    """Whether a follower still waits for this response to a request of an earlier fetch loop.

    A `fetch` step would apply it too, but it would continue with rounds that may repair the effect.
    """
    if not isinstance(message.receiver, int) or message.partition is None or message.held:
        return False
    replica = cluster.broker(message.receiver).replica(message.partition)
    if replica is None or message.in_reply_to is None:
        return False
    return late_request(replica, message.in_reply_to) is not None


# --- the grain of messages -------------------------------------------------------------------


def _messages_possible(cluster: ClusterState, acks: Acks) -> Iterator[Happening]:
    seen: set[Deliver] = set()
    for message in cluster.messages:
        delivery = delivery_of(message)
        if message.held or delivery in seen:
            continue
        seen.add(delivery)
        yield delivery
        if message.sender != CONTROLLER:
            yield Drop(
                kind=message.kind,
                from_=message.sender,
                to=message.receiver,
                partition=message.partition,
            )
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        if broker_session_has_ended(cluster, broker_id):
            yield Timer(broker=broker_id, kind="session_timeout")
        elif is_unnoticed(cluster, broker_id):
            yield Detect(broker=broker_id)
        if not broker.alive:
            yield Boot(broker=broker_id)
        for replica in broker.replicas:
            yield from _moves_of(broker_id, replica)
        yield from _faults_of_one(cluster, broker)
    for partition in cluster.partitions:
        yield _produce(cluster, partition, acks)
        yield Elect(partition=partition, kind="unclean")
    yield Timer(kind="preferred_leader_check")


def _moves_of(broker_id: BrokerId, replica: Replica) -> Iterator[Happening]:
    """The next steps of a replica's fetch loop and, if it leads, the waits that can end."""
    if replica.fetcher is not None:
        yield SendFetch(broker=broker_id, partition=replica.partition)
        if replica.fetcher.delayed_until_ms is not None:
            yield Timer(broker=broker_id, kind="fetch_backoff")
    for parked in () if replica.leading is None else replica.leading.parked:
        yield long_poll(broker_id, replica.partition, parked.follower)


# --- at both ---------------------------------------------------------------------------------


def _produce(cluster: ClusterState, partition: TopicPartition, acks: Acks) -> Produce:
    value = f"s{len(cluster.clients.produced) + 1}"
    return Produce(to=partition, values=(value,), acks=acks, as_="searcher")


def _faults_of_one(cluster: ClusterState, broker: Broker) -> Iterator[Happening]:
    """Yield the faults of one broker, and the steps that end them."""
    broker_id = broker.broker_id
    if broker.alive:
        yield from _faults_affecting("process", broker_id)
        yield Isolate(broker=broker_id, from_=CONTROLLER)
    if broker.process == "paused":
        yield Resume(broker=broker_id)
    yield from _faults_affecting("machine", broker_id)
    if any(broker_id in link for link in cluster.links_cut):
        yield Heal(broker=broker_id)
    if broker.alive and cluster.controller_kind.has_metadata_log:
        yield from _late_metadata(cluster, broker_id)


def _late_metadata(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Happening]:
    """Hold a broker's metadata; then let it read one record, or all records written since."""
    if not is_metadata_held(cluster, broker_id):
        yield Hold(kind=METADATA_RECORD, to=broker_id)
        return
    waiting = len(waiting_records(cluster, broker_id))
    for records in sorted({1, waiting}) if waiting else ():
        yield Deliver(kind=METADATA_RECORD, to=broker_id, records=records)
    yield Release(kind=METADATA_RECORD, to=broker_id)


def _faults_affecting(
    what: Literal["process", "machine"], broker_id: BrokerId
) -> Iterator[Happening]:
    """Every fault that can be injected into a broker."""
    for kind in FAULTS_UNASKED:
        if kind.affects == what:
            yield cast("Happening", kind(broker=broker_id))

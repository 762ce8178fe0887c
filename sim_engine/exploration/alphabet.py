"""Everything that a search may try, at each grain, and the budget that limits it.

At the grain of *steps*, a fetch is a whole round and the controller's commands arrive immediately.
At the grain of *messages*, every message, wait and detection is a separate step. At the grain of
*exchanges*, a follower's request stands for the whole exchange: the leader's handling, the wait and
the applied response; and UpdateMetadata arrives immediately. At both of these grains, the messages
of an exchange are separate moves only if the budget lets the exchange be late.

Like every move, those of administrators and the failure of a controller are offered only if the
engine does not certainly refuse them. They read the whole controller; they are rare, because each
uses the budget.

`scope.py` states what a search tries and what it leaves out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Literal, get_args

from sim_engine.actions import STEPS
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import (
    Advance,
    Boot,
    Config,
    Consume,
    Crash,
    Cut,
    Drop,
    Elect,
    FailController,
    Fetch,
    Happening,
    Hold,
    Isolate,
    OneBroker,
    OnlyController,
    PowerLoss,
    Produce,
    Reassign,
    Refresh,
    Retry,
    SendFetch,
    Shutdown,
    Start,
)
from sim_engine.cluster.state import ClusterState
from sim_engine.configs import exists_in
from sim_engine.exploration import moves
from sim_engine.exploration.moves import Move, Source
from sim_engine.identifiers import (
    CONTROLLER,
    NO_LEADER,
    Acks,
    BrokerId,
    Endpoint,
    TopicPartition,
    topic_of,
)
from sim_engine.protocol.controller.state import Controller, ReassignmentRefusal, assignment_of
from sim_engine.simulation.performing.controller import MIN_ISR, broker_session_has_ended

UNCLEAN_ELECTION = "unclean.leader.election.enable"


def _only(whole: bool) -> OnlyController:
    return None if whole else "controller"


def requested_elections(
    cluster: ClusterState, partition: TopicPartition, unclean: bool, whole: bool
) -> Iterator[Elect]:
    """Elect an unclean leader, or the preferred one. As a whole step, the controller first detects
    every failed broker.
    """
    if cluster.controller_kind.why_unsupported("elect", cluster.profile.rules) is not None:
        return
    registration = cluster.controller.partition(partition)
    leader = registration.leader
    is_gone = leader != NO_LEADER and whole and broker_session_has_ended(cluster, leader)
    only = _only(whole)
    if not unclean:
        preferred = registration.preferred_leader
        if (
            (leader != preferred or cluster.profile.rules.preferred_election_always_writes)
            and not (whole and broker_session_has_ended(cluster, preferred))
            and preferred in registration.isr
            and cluster.controller.broker(preferred).active
        ):
            yield Elect(partition=partition, kind="preferred", only=only)
        return
    allowed = (
        cluster.profile.rules.unclean_election_on_request
        or cluster.settings_of(partition).unclean_leader_election_enable
    )
    may_lead = any(
        cluster.controller.broker(one).active
        and not (whole and broker_session_has_ended(cluster, one))
        for one in registration.replicas
    )
    if allowed and may_lead and (leader == NO_LEADER or is_gone):
        yield Elect(partition=partition, kind="unclean", only=only)


def free_elections(
    cluster: ClusterState, partition: TopicPartition, whole: bool
) -> Iterator[tuple[Happening, ...]]:
    """Elect any live member of the ISR, as an administrator of a real cluster does: change the
    order of the assignment so that it comes first, and elect the preferred leader.
    """
    kind, rules = cluster.controller_kind, cluster.profile.rules
    if kind.why_unsupported("elect", rules) or kind.why_unsupported("reassign", rules):
        return
    registration = cluster.controller.partition(partition)
    if registration.leader == NO_LEADER or assignment_of(registration).in_progress:
        return
    # At the other grain, and if the controller checks by itself, that election is free.
    is_free = whole or kind.why_unsupported("preferred_leader_check", rules) is None
    only = _only(whole)
    for chosen in registration.isr:
        is_preferred = chosen == registration.preferred_leader
        if (
            chosen == registration.leader
            or chosen not in registration.replicas
            or (is_preferred and is_free)
            or not cluster.controller.broker(chosen).active
            or (whole and broker_session_has_ended(cluster, chosen))
        ):
            continue
        election = Elect(partition=partition, kind="preferred", leader=chosen, only=only)
        order = (chosen, *(one for one in registration.replicas if one != chosen))
        reordered = Reassign(partition=partition, replicas=order, only=only)
        yield (election,) if is_preferred else (reordered, election)


def reassignments(
    cluster: ClusterState, partition: TopicPartition, brokers: tuple[BrokerId, ...], whole: bool
) -> Iterator[Reassign]:
    """Rotate the order of the replicas, or replace one by a broker outside. While a reassignment is
    in progress, cancel it, or withdraw it: reassign the partition to the replicas that it had.
    """
    kind = cluster.controller_kind
    if kind.why_unsupported("reassign", cluster.profile.rules) is not None:
        return
    assignment = assignment_of(cluster.controller.partition(partition))
    now = assignment.target
    targets: list[tuple[BrokerId, ...] | None] = []
    if assignment.in_progress:
        leader = cluster.controller.partition(partition).leader
        withdrawn = sorted(assignment.original, key=lambda replica: replica != leader)
        targets += [None, tuple(withdrawn)]
    else:
        targets += [(*now[place:], *now[:place]) for place in range(1, len(now))]
        targets += [
            (*now[:place], spare, *now[place + 1 :])
            for spare in brokers
            if spare not in now
            for place in range(len(now))
        ]
    situation = cluster.situation()
    for target in targets:
        if not isinstance(kind.reassign(situation, partition, target), ReassignmentRefusal):
            yield Reassign(partition=partition, replicas=target, only=_only(whole))


def controller_failures(cluster: ClusterState, whole: bool) -> Iterator[FailController]:
    """Another broker becomes the controller (ZooKeeper)."""
    del cluster  # always possible
    yield FailController(only=_only(whole))


def config_changes(
    cluster: ClusterState, partition: TopicPartition, whole: bool
) -> Iterator[Config]:
    """Raise or lower min.insync.replicas by one, or switch unclean leader election of a topic."""
    topic = topic_of(partition)
    kafka = cluster.profile.kafka
    settings = cluster.settings_of(partition)
    if exists_in(MIN_ISR, kafka):
        now = settings.min_insync_replicas
        for value in (now - 1, now + 1):
            if 1 <= value <= settings.replication_factor:
                yield Config(topic=topic, settings={MIN_ISR: value}, only=_only(whole))
    if exists_in(UNCLEAN_ELECTION, kafka):
        switched = not settings.unclean_leader_election_enable
        yield Config(topic=topic, settings={UNCLEAN_ELECTION: switched}, only=_only(whole))


Grain = Literal["step", "exchange", "message"]
GRAINS: tuple[Grain, ...] = get_args(Grain)

# --- budgets ---------------------------------------------------------------------------------

FAULTS_UNASKED = tuple(
    kind for kind in STEPS if kind.affects is not None and issubclass(kind, OneBroker)
)
UNCLEAN, ELECT, LATE = "unclean", name_of(Elect), "late"
FAULT_KINDS = (
    *(name_of(kind) for kind in FAULTS_UNASKED),
    *(name_of(kind) for kind in (Isolate, Drop, Hold)),
    LATE,
    UNCLEAN,
    name_of(Produce),
    name_of(Cut),
    name_of(Shutdown),
    ELECT,
    *(name_of(kind) for kind in (Reassign, FailController, Config)),
    *(name_of(kind) for kind in (Consume, Retry, Refresh)),
    name_of(Advance),
)
"""The faults, and the steps of administrators, clients and time, that happen only as often as a
budget allows; without an entry, they are not tried.

`drop` is a lost fetch response or, if each message is a step, any lost message of a broker. `hold`
is a broker that reads its metadata late, in deliveries of any size (KRaft). `late` is an exchange
of a follower whose request and response arrive at any time; if each message is a step, all do.
`elect` makes any live member of the ISR the leader: a changed order of the assignment and the
election of the preferred leader. `advance` lets time pass until followers that do not catch up have
left the ISR.
"""

ELECTION, EPOCH = "election", "epoch"
BUDGET_NAMES = (*FAULT_KINDS, ELECTION, EPOCH)
"""The names that a budget may contain. `election` limits how often a partition gets another leader,
and `epoch` by how much leader epochs increase, for any reason; without an entry, neither is
limited.
"""

_NO_FAULTS = frozenset(
    name_of(kind) for kind in (Produce, Reassign, Config, Consume, Retry, Refresh, Advance)
) | {ELECT, LATE}
"""The entries that do not count as faults of a run."""

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
) -> Iterator[tuple[Move, Budget]]:
    """The moves to try in a state, each with the budget that is left after it.

    Records are sent with `acks`.
    """
    return allowed_moves(sources(cluster, grain, acks), cluster, budget)


def allowed_moves(
    of: Iterable[Source], cluster: ClusterState, budget: Budget
) -> Iterator[tuple[Move, Budget]]:
    """The moves of some sources that the budget allows, each with the budget that is left after
    it.
    """
    for source in of:
        left = spend(budget, source.budget)
        if left is not None and (source.needs is None or spend(budget, source.needs) is not None):
            for move in source.moves(cluster):
                yield move, left


def spend(budget: Budget, kind: str | None) -> Budget | None:
    """The budget after a move that uses this entry; None if the budget does not allow it."""
    if kind is None:
        return budget
    index = BUDGET_NAMES.index(kind)
    left = budget[index]
    assert left is not None, "every fault has a limit"
    return None if left == 0 else (*budget[:index], left - 1, *budget[index + 1 :])


def entries_used(steps: Sequence[Happening], grain: Grain) -> list[str | None]:
    """The entry of a budget that each of some steps uses. The last step of a move uses that of the
    whole move. At the grain of exchanges, a late exchange begins as any other does, and uses none.
    """
    entries = [
        LATE if grain == "step" and isinstance(step, SendFetch) else budgeted_as(step)
        for step in steps
    ]
    return [
        None if isinstance(step, Reassign) and following == ELECT else entry
        for step, entry, following in zip(steps, entries, (*entries[1:], None), strict=False)
    ]


def after_elections(budget: Budget, before: ClusterState, after: ClusterState) -> Budget | None:
    """The budget after the elections and epochs of one action; None if they exceed it."""
    if budget[-2:] == (None, None) or before.controller is after.controller:
        return budget
    spent = elections_between(before.controller, after.controller)
    left = tuple(
        None if allowed is None else allowed - count
        for allowed, count in zip(budget[-2:], spent, strict=True)
    )
    overdrawn = any(allowed is not None and allowed < 0 for allowed in left)
    return None if overdrawn else (*budget[:-2], *left)


def elections_between(before: Controller, after: Controller) -> tuple[int, int]:
    """How often a partition has got another leader, and by how much leader epochs have increased,
    from one state of the controller to another.
    """
    elections = epochs = 0
    for was, now in zip(before.partitions, after.partitions, strict=True):
        elections += now.leader not in (NO_LEADER, was.leader)
        epochs += max(0, now.leader_epoch - was.leader_epoch)
    return elections, epochs


def faults_among(steps: Iterable[Happening]) -> dict[str, int]:
    """The number of faults of each kind among some steps, by `FAULT_KINDS`. Steps of clients
    and administrators are not counted, except for unclean elections and shutdowns.
    """
    kinds = [budgeted_as(step) for step in steps]
    return {
        kind: kinds.count(kind) for kind in FAULT_KINDS if kind in kinds and kind not in _NO_FAULTS
    }


def budgeted_as(step: Happening) -> str | None:
    """The entry of a budget that a step uses; None if it uses none. An election of a named leader
    stands for the whole move of which it is the last step.
    """
    match step:
        case Fetch(drop=None) | Shutdown(only="end") | Elect(kind="preferred", leader=None):
            return None
        case Fetch():
            return name_of(Drop)
        case Hold(is_metadata_log=False):
            return LATE
        case Elect(kind="unclean"):
            return UNCLEAN
        case Elect():
            return ELECT
    name = name_of(type(step))
    return name if name in FAULT_KINDS else None


# --- sources ---------------------------------------------------------------------------------


def sources(start: ClusterState, grain: Grain, acks: Acks = "all") -> tuple[Source, ...]:
    """Everything that a search may try, from this state on, in the order in which it is tried.

    They depend only on the brokers, the partitions and the release, so they are the same for every
    state that the search reaches. Records are sent with `acks`.
    """
    brokers = tuple(broker.broker_id for broker in start.brokers)
    return (
        *_of_links(start, brokers, grain),
        *(source for broker_id in brokers for source in _of_broker(start, broker_id, grain)),
        *_of_network(brokers),
        *(
            source
            for name in start.partitions
            for source in _of_partition(start, name, grain, acks)
        ),
        *_of_cluster(start, grain),
    )


def _of_links(start: ClusterState, brokers: tuple[BrokerId, ...], grain: Grain) -> Iterator[Source]:
    exchanged = grain == "exchange"
    if grain == "step":
        yield Source(moves.isr_proposals)
    for sender, receiver in _links(brokers):
        yield Source(moves.releases, (sender, receiver))
        if grain == "step":
            continue
        yield Source(moves.deliveries, (sender, receiver, exchanged))
        if sender != CONTROLLER:
            yield Source(moves.drops, (sender, receiver, exchanged), name_of(Drop))


def _links(brokers: tuple[BrokerId, ...]) -> Iterator[tuple[Endpoint, Endpoint]]:
    """Every direction of every link."""
    ends: tuple[Endpoint, ...] = (CONTROLLER, *brokers)
    yield from permutations(ends, 2)


def _of_broker(start: ClusterState, broker_id: BrokerId, grain: Grain) -> Iterator[Source]:
    one = (broker_id,)
    by_log = start.controller_kind.has_metadata_log
    if grain == "step":
        yield Source(moves.detections, (broker_id, True))
    else:
        yield Source(moves.session_timeouts, one)
        yield (
            Source(moves.heartbeats, one)
            if by_log
            else Source(moves.detections, (broker_id, False))
        )
    yield Source(moves.starts, (broker_id, Start if grain == "step" else Boot))
    for partition in start.partitions:
        yield from _of_replica(broker_id, partition, grain)
    if grain != "step":
        yield from _of_timers(start, broker_id)
        yield Source(moves.shutdown_ends, one)
    for kind in FAULTS_UNASKED:
        offer = moves.process_faults if kind.affects == "process" else moves.machine_faults
        yield Source(offer, (broker_id, kind), name_of(kind))
    yield Source(moves.resumptions, one)
    yield Source(moves.shutdowns, (broker_id, grain == "step"), name_of(Shutdown))
    if by_log:
        yield Source(moves.metadata_hold, one, name_of(Hold))
        yield Source(moves.late_metadata, one)


def _of_timers(start: ClusterState, broker_id: BrokerId) -> Iterator[Source]:
    one = (broker_id,)
    yield Source(moves.isr_expirations, one)
    yield Source(moves.high_watermark_checkpoints, one)
    yield Source(moves.flushes, one, needs=name_of(PowerLoss))
    yield Source(moves.produce_timeouts, one, needs=name_of(Retry))
    if start.controller_kind.learns_isr_changes_by_notification(start.profile.rules):
        yield Source(moves.isr_change_propagations, one)


def _of_replica(broker_id: BrokerId, partition: TopicPartition, grain: Grain) -> Iterator[Source]:
    one = (broker_id, partition)
    if grain == "step":
        yield Source(moves.fetch_rounds, (*one, False))
        yield Source(moves.fetch_rounds, (*one, True), name_of(Drop))
    else:
        yield Source(moves.requests, (*one, grain == "exchange"))
        yield Source(moves.long_polls, one)
    if grain != "message":
        yield Source(moves.late_exchanges, one, LATE)
        yield Source(moves.exchanges_under_way, one)


def _of_network(brokers: tuple[BrokerId, ...]) -> Iterator[Source]:
    for broker_id in brokers:
        others = tuple(other for other in brokers if other != broker_id)
        yield Source(moves.isolations, (broker_id, others), name_of(Isolate))
        yield Source(moves.heals, (broker_id,))
    for link in _links(brokers):
        yield Source(moves.cuts, link, name_of(Cut))
        yield Source(moves.one_sided_heals, link)


def _of_partition(
    start: ClusterState, name: TopicPartition, grain: Grain, acks: Acks
) -> Iterator[Source]:
    whole = grain == "step"
    yield Source(moves.produces, (name, acks), name_of(Produce))
    if whole:
        yield Source(requested_elections, (name, False, whole))
    yield Source(requested_elections, (name, True, whole), UNCLEAN)
    yield Source(free_elections, (name, whole), ELECT)
    brokers = tuple(broker.broker_id for broker in start.brokers)
    yield Source(reassignments, (name, brokers, whole), name_of(Reassign))
    yield Source(config_changes, (name, whole), name_of(Config))
    yield Source(moves.reads, (name, None), name_of(Consume))
    if start.profile.rules.follower_reads:
        yield from (Source(moves.reads, (name, one), name_of(Consume)) for one in brokers)


def _of_cluster(start: ClusterState, grain: Grain) -> Iterator[Source]:
    if grain != "step":
        yield Source(moves.preferred_leader_checks)
        if start.profile.rules.unclean_election_by_setting:
            yield Source(moves.unclean_leader_checks)
    if not start.controller_kind.has_metadata_log:
        yield Source(controller_failures, (grain == "step",), name_of(FailController))
    yield Source(moves.retries, (), name_of(Retry))
    yield Source(moves.refreshes, (), name_of(Refresh))
    yield Source(moves.waits, (), name_of(Advance))

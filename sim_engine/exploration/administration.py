"""The moves of a search that administrators make, and the failure of a controller.

Like every move, each is offered only if the engine does not certainly refuse it. These read the
whole controller; they are rare, because each uses the budget.
"""

from collections.abc import Iterator

from sim_engine.actions.steps import (
    Config,
    Elect,
    FailController,
    Happening,
    OnlyController,
    Reassign,
)
from sim_engine.cluster.state import ClusterState
from sim_engine.configs import exists_in
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition, topic_of
from sim_engine.protocol.controller.state import ReassignmentRefusal, assignment_of
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

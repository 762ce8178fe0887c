"""What the controller does about partitions: elect leaders, asked or by itself, and reassign."""

from sim_engine.actions import AskElection, ReassignReplicas
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import ClusterState
from sim_engine.events.election import PreferredLeadersChecked, UncleanLeadersChecked
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition, topic_of
from sim_engine.protocol.controller.reassignment import assignment_of
from sim_engine.protocol.controller.state import ControllerTask
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.simulation.effects.controller_outcomes import apply_controller_outcome
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn


def elect(turn: Turn, action: AskElection) -> None:
    """An administrator requests an election for one partition.

    Brokers of a KRaft cluster answer that with an error until 3.1 (`KafkaApis`).
    """
    name, kind = action.partition, action.kind
    cluster = turn.cluster
    _require_supported(cluster, "elect")
    controller = cluster.controller
    registration = controller.partition(name)
    if kind == "preferred":
        outcome = cluster.controller_kind.elect_preferred(
            controller, name, cluster.profile, cluster.policies()
        )
        if outcome is None:
            raise RefusedError(
                "preferred_not_eligible",
                rule="ELECTION-PREFERRED",
                partition=name,
                broker=registration.preferred_leader,
            )
        apply_controller_outcome(turn, outcome)
        return
    if registration.leader != NO_LEADER:
        raise RefusedError("leader_is_valid", partition=name, leader=registration.leader)
    if (
        kind == "unclean"
        and not cluster.profile.rules.unclean_election_on_request
        and not cluster.settings_of(name).unclean_leader_election_enable
    ):
        raise RefusedError("unclean_disabled", rule="ELECTION-UNCLEAN", partition=name)
    outcome = cluster.controller_kind.elect_asked(
        controller,
        name,
        cluster.profile,
        cluster.policies(),
        unclean=kind == "unclean",
    )
    if outcome is None:
        raise RefusedError(
            "no_eligible_replica",
            rule="ELECTION-CLEAN",
            partition=name,
            isr=list(registration.isr),
        )
    apply_controller_outcome(turn, outcome)


def _require_supported(cluster: ClusterState, task: ControllerTask) -> None:
    """Refuse what a KRaft cluster of this release does not know yet."""
    issue = cluster.controller_kind.why_unsupported(task, cluster.profile.rules)
    if issue is not None:
        raise RefusedError("unknown_to_kraft", rule=issue, kafka=cluster.profile.kafka, step=task)


def reassign(turn: Turn, action: ReassignReplicas) -> None:
    """Give a partition other replicas, or the same ones in another order.

    Under ZooKeeper a broker that is added must be live, and before KIP-455 (2.4) a move under way
    cannot be replaced by another. A KRaft controller reassigns nothing before 3.0.
    """
    cluster = turn.cluster
    _require_supported(cluster, "reassign")
    name, replicas = action.partition, action.replicas
    registration = cluster.controller.partition(name)
    assignment = assignment_of(registration)
    if replicas == assignment.target:
        raise RefusedError("same_replicas", partition=name, replicas=list(replicas))
    _require_movable(cluster, registration, replicas)
    kind = cluster.controller_kind
    only_order = not assignment.in_progress and set(replicas) == set(registration.replicas)
    act = kind.reorder_replicas if only_order else kind.reassign
    apply_controller_outcome(
        turn, act(cluster.controller, name, replicas, cluster.profile, cluster.policies())
    )


def _require_movable(
    cluster: ClusterState, registration: PartitionRegistration, replicas: tuple[BrokerId, ...]
) -> None:
    name = registration.partition
    kind = cluster.controller_kind
    moves = assignment_of(registration).in_progress
    if moves and not kind.replaces_reassignments(cluster.profile.rules):
        raise RefusedError("reassignment_in_progress", rule="REASSIGNMENT", partition=name)
    if not kind.assigns_live_brokers_only:
        return
    for broker_id in replicas:
        added = broker_id not in registration.replicas
        if added and not cluster.controller.broker(broker_id).live:
            raise RefusedError(
                "new_replica_not_live", rule="REASSIGNMENT", partition=name, broker=broker_id
            )


def check_preferred_leaders(turn: Turn) -> None:
    """The controller's rebalance: where the preferred replica could lead and does not, it will.

    A ZooKeeper controller does so for a broker only if more than
    `leader.imbalance.per.broker.percentage` of those that prefer it are led elsewhere. A KRaft
    controller does not look before 3.2.
    """
    cluster = turn.cluster
    _require_supported(cluster, "preferred_leader_check")
    turn.say(PreferredLeadersChecked())
    kind = cluster.controller_kind
    for registration in cluster.controller.partitions:
        if registration.leader in (NO_LEADER, registration.preferred_leader):
            continue
        if kind.balances_by_broker and not _is_imbalanced(cluster, registration.preferred_leader):
            continue
        outcome = kind.elect_preferred(
            turn.cluster.controller,
            registration.partition,
            cluster.profile,
            cluster.policies(),
        )
        if outcome is not None:
            apply_controller_outcome(turn, outcome)


def _is_imbalanced(cluster: ClusterState, broker_id: BrokerId) -> bool:
    preferring = [
        registration
        for registration in cluster.controller.partitions
        if registration.preferred_leader == broker_id
    ]
    elsewhere = [registration for registration in preferring if registration.leader != broker_id]
    percentage = effective(cluster)["leader.imbalance.per.broker.percentage"]
    assert isinstance(percentage, int), "the reader checked the type"
    return 100 * len(elsewhere) > percentage * len(preferring)


def elect_where_nobody_leads(turn: Turn, topic: str | None) -> None:
    """Unclean election was switched on for one topic or for all: a controller that does not wait
    for its next look elects for who has no live leader."""
    cluster = turn.cluster
    for registration in cluster.controller.partitions:
        leads = (
            registration.leader != NO_LEADER and cluster.controller.broker(registration.leader).live
        )
        if leads or topic not in (None, topic_of(registration.partition)):
            continue
        _elect_if_possible(turn, registration.partition, unclean=False)


def check_leaderless_partitions(turn: Turn) -> None:
    """The KRaft controller's pass every five minutes: who may be elected uncleanly is (3.9 on)."""
    cluster = turn.cluster
    if not cluster.profile.rules.unclean_election_by_setting:
        raise RefusedError(
            "unknown_to_version",
            rule="KAFKA-12670",
            kafka=cluster.profile.kafka,
            step="unclean_leader_check",
        )
    turn.say(UncleanLeadersChecked())
    policies = cluster.policies()
    for registration in cluster.controller.partitions:
        name = registration.partition
        if registration.leader == NO_LEADER and policies[name].unclean_leader_election_enable:
            _elect_if_possible(turn, name, unclean=True)


def _elect_if_possible(turn: Turn, partition: TopicPartition, *, unclean: bool) -> None:
    cluster = turn.cluster
    outcome = cluster.controller_kind.elect_asked(
        cluster.controller, partition, cluster.profile, cluster.policies(), unclean=unclean
    )
    if outcome is not None:
        apply_controller_outcome(turn, outcome)


PERFORMED: tuple[Entry, ...] = (
    performs(AskElection, elect),
    performs(ReassignReplicas, reassign),
)

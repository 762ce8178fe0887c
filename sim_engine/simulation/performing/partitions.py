"""The controller's actions about partitions: leader elections, on request or by itself, and
reassignment.
"""

from sim_engine.actions import AskElection, ReassignReplicas
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import ClusterState
from sim_engine.events.election import PreferredLeadersChecked, UncleanLeadersChecked
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition, topic_of
from sim_engine.protocol.controller.state import ControllerTask, ReassignmentRefusal, election_rule
from sim_engine.simulation.effects.controller_outcomes import apply_controller_outcome
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import ActsAsController
from sim_engine.simulation.refusal import RefusedError


def elect(work: ActsAsController, action: AskElection) -> None:
    """An administrator requests an election for one partition.

    Up to 3.1, brokers of a KRaft cluster respond with an error (`KafkaApis`).
    """
    name, kind = action.partition, action.kind
    cluster = work.cluster
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
        apply_controller_outcome(work, outcome)
        return
    elr = cluster.profile.rules.eligible_leader_replicas
    if registration.leader != NO_LEADER:
        raise RefusedError("leader_is_valid", partition=name, leader=registration.leader)
    if (
        kind == "unclean"
        and not cluster.profile.rules.unclean_election_on_request
        and not cluster.settings_of(name).unclean_leader_election_enable
    ):
        rule = election_rule("ELECTION-UNCLEAN", elr=elr)
        raise RefusedError("unclean_disabled", rule=rule, partition=name)
    outcome = cluster.controller_kind.elect_on_request(
        controller,
        name,
        cluster.profile,
        cluster.policies(),
        unclean=kind == "unclean",
    )
    if outcome is None:
        raise RefusedError(
            "no_eligible_replica",
            rule=election_rule("ELECTION-CLEAN", elr=elr),
            partition=name,
            isr=list(registration.isr),
        )
    apply_controller_outcome(work, outcome)


def _require_supported(cluster: ClusterState, task: ControllerTask) -> None:
    """Refuse an operation that a KRaft cluster of this release does not support yet."""
    issue = cluster.controller_kind.why_unsupported(task, cluster.profile.rules)
    if issue is not None:
        raise RefusedError("unknown_to_kraft", rule=issue, kafka=cluster.profile.kafka, step=task)


def reassign(work: ActsAsController, action: ReassignReplicas) -> None:
    """Reassign a partition to other replicas, reorder them, or cancel a reassignment.

    A KRaft controller does not support reassignment before 3.0.
    """
    cluster = work.cluster
    _require_supported(cluster, "reassign")
    name = action.partition
    outcome = cluster.controller_kind.reassign(
        cluster.controller, name, action.replicas, cluster.profile, cluster.policies()
    )
    if not isinstance(outcome, ReassignmentRefusal):
        apply_controller_outcome(work, outcome)
    elif outcome.broker is None:
        raise RefusedError(outcome.code, rule="REASSIGNMENT", partition=name)
    else:
        raise RefusedError(outcome.code, rule="REASSIGNMENT", partition=name, broker=outcome.broker)


def check_preferred_leaders(work: ActsAsController) -> None:
    """The controller's leader rebalance: elect preferred leaders that are available and not the
    leader.

    A ZooKeeper controller does so for a broker only if more than
    `leader.imbalance.per.broker.percentage` of its preferred partitions have another leader, and up
    to 3.3 for none while a partition is being reassigned. A KRaft controller does not do this
    before 3.2.
    """
    cluster = work.cluster
    _require_supported(cluster, "preferred_leader_check")
    kind = cluster.controller_kind
    if not kind.rebalances_now(cluster.controller, cluster.profile.rules):
        work.say(PreferredLeadersChecked(variant="reassigning", rule="KAFKA-10149"))
        return
    work.say(PreferredLeadersChecked())
    for registration in cluster.controller.partitions:
        if registration.leader in (NO_LEADER, registration.preferred_leader):
            continue
        if kind.balances_by_broker and not _is_imbalanced(cluster, registration.preferred_leader):
            continue
        outcome = kind.elect_preferred(
            work.cluster.controller,
            registration.partition,
            cluster.profile,
            cluster.policies(),
        )
        if outcome is not None:
            apply_controller_outcome(work, outcome)


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


def elect_where_nobody_leads(work: ActsAsController, topic: str | None) -> None:
    """Unclean election was enabled for one topic or for all: a controller that does not wait for
    its next check elects leaders for partitions without a live leader.
    """
    cluster = work.cluster
    for registration in cluster.controller.partitions:
        leads = (
            registration.leader != NO_LEADER and cluster.controller.broker(registration.leader).live
        )
        if leads or topic not in (None, topic_of(registration.partition)):
            continue
        _elect_if_possible(work, registration.partition, unclean=False)


def may_elect_uncleanly(cluster: ClusterState) -> bool:
    """Whether the KRaft controller's check for leaderless partitions would elect a leader now."""
    if not cluster.profile.rules.unclean_election_by_setting:
        return False
    return any(
        cluster.controller_kind.elect_on_request(
            cluster.controller,
            registration.partition,
            cluster.profile,
            cluster.policies(),
            unclean=True,
        )
        for registration in cluster.controller.partitions
        if registration.leader == NO_LEADER
        and cluster.settings_of(registration.partition).unclean_leader_election_enable
    )


def check_leaderless_partitions(work: ActsAsController) -> None:
    """The KRaft controller's check every `unclean.leader.election.interval.ms`, five minutes by
    default: elect unclean leaders where this is allowed (from 3.9).
    """
    cluster = work.cluster
    if not cluster.profile.rules.unclean_election_by_setting:
        raise RefusedError(
            "unknown_to_version"
            if cluster.controller_kind.has_metadata_log
            else "unknown_to_zookeeper",
            rule="KAFKA-12670",
            kafka=cluster.profile.kafka,
            step="unclean_leader_check",
        )
    work.say(UncleanLeadersChecked())
    policies = cluster.policies()
    for registration in cluster.controller.partitions:
        name = registration.partition
        if registration.leader == NO_LEADER and policies[name].unclean_leader_election_enable:
            _elect_if_possible(work, name, unclean=True)


def _elect_if_possible(work: ActsAsController, partition: TopicPartition, *, unclean: bool) -> None:
    cluster = work.cluster
    outcome = cluster.controller_kind.elect_on_request(
        cluster.controller, partition, cluster.profile, cluster.policies(), unclean=unclean
    )
    if outcome is not None:
        apply_controller_outcome(work, outcome)


PERFORMED: tuple[Entry, ...] = (
    performs(AskElection, elect),
    performs(ReassignReplicas, reassign),
)

"""Elections under KRaft: one record changes the ISR and, if the leader is no longer valid, the
leader (`PartitionChangeBuilder`, `ReplicationControlManager`).
"""

from collections.abc import Mapping

from sim_engine.events.election import ElectionCase, UncleanSettingNotRead
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.protocol.controller.kraft.eligible_leader_replicas import elr_events
from sim_engine.protocol.controller.kraft.faults import (
    ReplicaNotAssignedError,
    controller_failed,
)
from sim_engine.protocol.controller.kraft.partition_change import (
    LeaderFrom,
    PartitionChange,
    partition_change,
)
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.reassignment import Assignment
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    elected_event,
    isr_shrunk_event,
    leader_lost_event,
    reassignment_completed_event,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile

SOURCES = ("PartitionChangeBuilder", "ReplicationControlManager")


def elect_preferred(
    controller: Controller, partition_name: TopicPartition, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """Elect the first replica of the assignment. None if it cannot be elected or is already the
    leader.
    """
    before = controller.partition(partition_name)
    preferred = before.preferred_leader
    if (
        preferred == before.leader
        or preferred not in before.isr
        or preferred not in controller.active_brokers()
    ):
        return None
    update = KRaftUpdate(controller, profile, policies)
    change_isr_and_elect(update, before, before.isr, preferred_asked=True, variant="preferred")
    return update.outcome()


def elect_on_request(
    controller: Controller,
    partition_name: TopicPartition,
    profile: Profile,
    policies: Policies,
    *,
    unclean: bool,
) -> ControllerOutcome | None:
    """Elect a leader for a leaderless partition. None if no replica can be elected."""
    update = KRaftUpdate(controller, profile, policies)
    before = controller.partition(partition_name)
    try:
        elected = change_isr_and_elect(update, before, before.isr, unclean_asked=unclean)
    except ReplicaNotAssignedError as fault:
        return controller_failed(controller, fault, "election")
    return None if elected is None else update.outcome()


def change_isr_and_elect(
    update: KRaftUpdate,
    before: PartitionRegistration,
    target_isr: tuple[BrokerId, ...],
    *,
    unavailable: BrokerId | None = None,
    available: BrokerId | None = None,
    unclean_shutdown: BrokerId | None = None,
    unclean_asked: bool = False,
    preferred_asked: bool = False,
    variant: ElectionCase = "clean",
    unclean_by_setting: bool = True,
    assignment: Assignment | None = None,
    recovered: bool = False,
) -> PartitionRegistration | None:
    """Change the ISR of a partition, and elect a leader if the current one is no longer valid.
    Returns the new registration; None if nothing changes.

    `unavailable` is a broker that is leaving, and `available` one that is returning, because the
    record is written before or after the registration changes. `unclean_asked` is an
    administrator's request; the setting that allows unclean elections counts only from 3.9
    (KAFKA-12670, `ConfigurationControlManager.uncleanLeaderElectionEnabledForTopic`), and not
    without `unclean_by_setting`: a new reassignment does not read it.
    `unclean_shutdown` is a returning broker that cannot prove a clean shutdown. `assignment` is a
    new assignment; a reassignment that is complete with this ISR is ended.
    """
    rules = update.profile.rules
    policy = update.policies[before.partition]
    by_setting = unclean_by_setting and rules.unclean_election_by_setting
    unclean = unclean_asked or (by_setting and policy.unclean_leader_election_enable)
    acceptable = update.controller.active_brokers() - {unavailable, unclean_shutdown}
    change = partition_change(
        before,
        target_isr=target_isr,
        acceptable=acceptable if available is None else acceptable | {available},
        min_isr=policy.effective_min_insync_replicas,
        rules=rules,
        election="preferred" if preferred_asked else "unclean" if unclean else "online",
        unclean_shutdown=unclean_shutdown,
        recovered=recovered,
        assignment=assignment,
    )
    after = None
    if change is not None:
        after = update.change_partition(before, change)
        update.unclean = update.unclean or change.unclean
        _say_change(update, before, change, after, unclean_shutdown, variant)
    now = before if after is None else after
    _say_if_setting_is_not_read(update, now, available, unavailable)
    return after


def _say_change(
    update: KRaftUpdate,
    before: PartitionRegistration,
    change: PartitionChange,
    after: PartitionRegistration,
    unclean_shutdown: BrokerId | None,
    variant: ElectionCase,
) -> None:
    elr = update.profile.rules.eligible_leader_replicas
    gone = [member for member in before.isr if member not in after.isr]
    if gone and not change.unclean:
        update.events.append(
            isr_shrunk_event(
                after, gone, by="controller", rule="KRAFT-PARTITION-CHANGE", sources=SOURCES
            )
        )
    update.events.extend(elr_events(before, after, unclean_shutdown=unclean_shutdown))
    if after.leader == NO_LEADER != before.leader:
        update.events.append(leader_lost_event(before, after, SOURCES, elr=elr))
    elif after.leader != before.leader:
        is_replica = before.leader in (NO_LEADER, *after.replicas)
        asked: ElectionCase = variant if is_replica else "reassigned"
        case = _CASE_OF.get(change.leader_from, asked)
        if case == "clean" and before.leader == NO_LEADER:
            case = "returned"
        update.events.append(elected_event(before, after, case, SOURCES, elr=elr))
    if change.completes_reassignment:
        update.events.append(reassignment_completed_event(after, SOURCES))


_CASE_OF: Mapping[LeaderFrom, ElectionCase] = {
    "elr": "elr",
    "last_known_leader": "last_known_leader",
    "outside": "unclean",
}
"""The name of an election by the source of its leader, whatever its cause."""


def _say_if_setting_is_not_read(
    update: KRaftUpdate,
    partition: PartitionRegistration,
    available: BrokerId | None,
    unavailable: BrokerId | None,
) -> None:
    """Reports that a replica would be elected if this controller read the setting (KAFKA-12670)."""
    rules = update.profile.rules
    if (
        partition.leader != NO_LEADER
        or rules.unclean_election_by_setting
        or not update.policies[partition.partition].unclean_leader_election_enable
    ):
        return
    active = update.controller.active_brokers() - {unavailable}
    alive = tuple(
        replica for replica in partition.replicas if replica in active or replica == available
    )
    if alive:
        update.events.append(
            UncleanSettingNotRead(
                variant=None if rules.kraft_elects_on_request else "no_request",
                partition=partition.partition,
                live=alive,
                isr=partition.isr,
            )
        )

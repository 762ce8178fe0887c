"""Elections by a ZooKeeper controller (`Election`, `PartitionStateMachine`)."""

from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.events.election import ElectionCase, ElectionNotPossible
from sim_engine.identifiers import NO_LEADER, TopicPartition
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    elected_event,
)
from sim_engine.protocol.controller.zookeeper.update import ZooKeeperUpdate
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile

SOURCES = ("KafkaController", "PartitionStateMachine")
ELECTION_SOURCES = ("Election", *SOURCES)


def elect_preferred(
    controller: Controller, partition_name: TopicPartition, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """Elect the first replica of the assignment. None if it cannot be elected or is already the
    leader.
    """
    before = controller.partition(partition_name)
    preferred = before.preferred_leader
    if preferred not in before.isr or not controller.broker(preferred).active:
        return None
    if before.leader == preferred and not profile.preferred_election_always_writes:
        return None
    update = ZooKeeperUpdate(controller, profile, policies)
    written = update.write_and_queue(replace(before, leader=preferred))
    update.events.append(elected_event(before, written, "preferred", ELECTION_SOURCES))
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
    update = ZooKeeperUpdate(controller, profile, policies)
    if not elect_offline(update, controller.partition(partition_name), unclean_asked=unclean):
        return None
    return update.outcome()


def elect_offline(
    update: ZooKeeperUpdate, before: PartitionRegistration, *, unclean_asked: bool = False
) -> bool:
    """Elect a leader for a partition without a live leader: the first replica of the assignment
    that is live and in the ISR; otherwise, if unclean election is enabled, the first live replica.
    Returns False if no replica can be elected.
    """
    isr = tuple(broker_id for broker_id in before.isr if update.may_lead(broker_id))
    leader = next((broker for broker in before.replicas if broker in isr), NO_LEADER)
    unclean = False
    recovery = before.leader_recovery_state
    if leader == NO_LEADER and (
        unclean_asked or update.policies[before.partition].unclean_leader_election_enable
    ):
        leader = next((one for one in before.replicas if update.may_lead(one)), NO_LEADER)
        unclean = leader != NO_LEADER
        isr = (leader,)
        if update.profile.rules.leader_recovery_state:
            recovery = "RECOVERING"
    if leader == NO_LEADER:
        return False
    written = update.write_and_queue(
        replace(before, leader=leader, isr=isr, leader_recovery_state=recovery)
    )
    update.unclean = update.unclean or unclean
    case: ElectionCase = "unclean" if unclean else "clean"
    if not unclean and before.leader == NO_LEADER:
        case = "returned"
    update.events.append(elected_event(before, written, case, ELECTION_SOURCES))
    return True


def not_possible_event(
    update: ZooKeeperUpdate, partition: PartitionRegistration, *, leader_stops: bool = False
) -> Event:
    """Reports that no replica can be elected, or that a stopping leader has no successor."""
    return ElectionNotPossible(
        variant="shutdown" if leader_stops else None,
        partition=partition.partition,
        isr=partition.isr,
        live=tuple(broker.broker_id for broker in update.controller.brokers if broker.live),
        leader=partition.leader,
    )

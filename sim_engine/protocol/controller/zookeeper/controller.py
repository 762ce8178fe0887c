"""The ZooKeeper controller: a broker that watches sessions and writes state znodes
(`KafkaController`, `ReplicaStateMachine`). This module implements `ControllerKind`.

Up to 2.6 a leader writes the ISR to the state znode itself, and from 2.7 it requests the change
from the controller (KIP-497). Neither changes the leader epoch.
"""

from typing import Final

from msgspec.structs import replace

from sim_engine.events.controller import BrokerJoined, ControllerElected, SessionExpired
from sim_engine.events.isr import IsrChangeRepeated
from sim_engine.identifiers import NO_LEADER, BrokerId, ErrorCode, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.state import (
    BrokerStart,
    Controller,
    ControllerOutcome,
    ControllerTask,
    Situation,
    assignment_of,
    elected_event,
    isr_change_events,
    with_partition,
)
from sim_engine.protocol.controller.zookeeper.reassignment import (
    complete_reassignment as complete_reassignment,
)
from sim_engine.protocol.controller.zookeeper.reassignment import reassign as reassign
from sim_engine.protocol.controller.zookeeper.reassignment import resume, resume_as_new_controller
from sim_engine.protocol.controller.zookeeper.update import (
    ELECTION_SOURCES,
    ZooKeeperUpdate,
    elect_offline,
    not_possible_event,
    remove_from_isr,
    shrunk_event,
)
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    BrokerRegistration,
    PartitionRegistration,
    without,
)

has_metadata_log: Final = False

registers_in_znodes: Final = True

fences_brokers: Final = False

grants_shutdowns: Final = False

session_timeout_config: Final = "zookeeper.session.timeout.ms"

balances_by_broker: Final = True


def rebalances_now(controller: Controller, rules: Rules) -> bool:
    """Up to 3.3 only if no partition is being reassigned (KAFKA-10149)."""
    moves = any(assignment_of(one).in_progress for one in controller.partitions)
    return rules.rebalances_during_reassignments or not moves


def overlooks_restarts(rules: Rules) -> bool:
    """Up to 2.1: the watch on the broker ids does not detect a restart (KIP-380)."""
    return not rules.broker_generations


def learns_isr_changes_by_notification(rules: Rules) -> bool:
    """From 0.9 (KAFKA-1367) up to 2.6; from 2.7 leaders request each change (KIP-497)."""
    return rules.isr_changes_are_propagated and not rules.alter_partition


def elects_when_unclean_is_enabled(rules: Rules, *, for_topic: bool) -> bool:
    """For the cluster from KAFKA-6526 on, for a topic from KAFKA-6835 on."""
    if for_topic:
        return rules.enabling_unclean_on_topic_elects
    return rules.enabling_unclean_elects


def why_unsupported(task: ControllerTask, rules: Rules) -> None:
    """Return None: every release supports all operations."""


def feature_level_changed(at: Situation, level: str) -> None:
    """Return None: the level is a setting of each broker (inter.broker.protocol.version)."""


def min_isr_changed(at: Situation, topic: str | None) -> None:
    """Return None: only leaders read min.insync.replicas, so the controller writes nothing."""


def first_state(
    broker_ids: tuple[BrokerId, ...], partitions: tuple[PartitionRegistration, ...], rules: Rules
) -> Controller:
    """The controller of a cluster in which every broker has a session. With KIP-380 the broker
    epoch is the id of the transaction that created its znode.
    """
    return Controller(
        brokers=tuple(
            BrokerRegistration(
                broker_id=broker_id, broker_epoch=transaction if rules.broker_generations else -1
            )
            for transaction, broker_id in enumerate(broker_ids, start=1)
        ),
        partitions=partitions,
    )


def broker_session_ended(at: Situation, broker_id: BrokerId) -> ControllerOutcome:
    """Elect other leaders for the broker's partitions, then remove it from every ISR."""
    update = ZooKeeperUpdate(at)
    update.change_broker(broker_id, live=False)
    update.events.append(SessionExpired(broker=broker_id))
    for partition in update.controller.partitions:
        if partition.leader == broker_id and not elect_offline(update, partition):
            update.events.append(not_possible_event(update, partition))
    for partition in update.controller.partitions:
        remove_from_isr(update, partition, broker_id)
    return update.outcome()


def broker_returned(at: Situation, start: BrokerStart) -> ControllerOutcome:
    """Send a broker with a new session its partitions, and elect leaders for leaderless ones."""
    broker_id = start.broker_id
    update = ZooKeeperUpdate(at)
    update.change_broker(
        broker_id,
        live=True,
        in_controlled_shutdown=False,
        incarnation=start.incarnation,
        broker_epoch=start.broker_epoch,
    )
    update.events.append(BrokerJoined(broker=broker_id))
    for partition in update.controller.partitions:
        if not _elect_if_nobody_leads(update, partition) and broker_id in partition.replicas:
            update.queue_leader_and_isr(partition, (broker_id,))
        resume(update, partition.partition, broker_id)
    return update.outcome()


def take_over(at: Situation) -> ControllerOutcome:
    """Make another broker the controller (`onControllerFailover`): it reads everything from
    ZooKeeper, sends commands to every live replica again, elects leaders for leaderless partitions,
    and resumes reassignments.

    The controller epoch increases by one. The new controller does not know which brokers were
    shutting down.
    """
    before = at.controller
    after = replace(
        before,
        controller_epoch=before.controller_epoch + 1,
        brokers=tuple(replace(broker, in_controlled_shutdown=False) for broker in before.brokers),
    )
    update = ZooKeeperUpdate(replace(at, controller=after))
    update.events.append(
        ControllerElected(
            before=before.controller_epoch,
            controller_epoch=after.controller_epoch,
            live=tuple(broker.broker_id for broker in before.brokers if broker.live),
        )
    )
    for partition in update.controller.partitions:
        update.queue_leader_and_isr(partition, partition.replicas)
        _elect_if_nobody_leads(update, partition)
        resume_as_new_controller(update, partition.partition)
    return update.outcome()


def _elect_if_nobody_leads(update: ZooKeeperUpdate, partition: PartitionRegistration) -> bool:
    """Elect a leader for a partition without a live leader. Returns whether one was elected."""
    leads = partition.leader != NO_LEADER and update.live(partition.leader)
    return not leads and elect_offline(update, partition)


def begin_controlled_shutdown(at: Situation, broker_id: BrokerId) -> ControllerOutcome:
    """Move leaderships away and remove the broker from every ISR before it stops.

    If no other member of the ISR is live, the leadership stays. The broker stops anyway after its
    retries, and the partition then loses its leader.
    """
    update = ZooKeeperUpdate(at)
    update.change_broker(broker_id, in_controlled_shutdown=True)
    for before in update.controller.partitions:
        if before.leader == broker_id:
            _move_leadership(update, before)
        elif broker_id in before.isr and len(before.isr) > 1:
            written = update.write(replace(before, isr=without(before.isr, broker_id)))
            update.events.append(shrunk_event(written, broker_id))
            update.queue_leader_and_isr(written, without(written.replicas, broker_id))
    return update.outcome()


def _move_leadership(update: ZooKeeperUpdate, before: PartitionRegistration) -> None:
    """Elect the first ISR member that is not shutting down
    (`ControlledShutdownPartitionLeaderElectionStrategy`).
    """
    successors = [
        replica
        for replica in without(before.replicas, before.leader)
        if replica in before.isr and update.controller.broker(replica).active
    ]
    if not successors:
        update.events.append(not_possible_event(update, before, leader_stops=True))
        return
    written = update.write_and_queue(
        replace(before, leader=successors[0], isr=without(before.isr, before.leader))
    )
    update.events.append(elected_event(before, written, "shutdown", ELECTION_SOURCES))


end_controlled_shutdown = broker_session_ended
"""The broker closes its session when its process ends."""


def elect_preferred(at: Situation, partition_name: TopicPartition) -> ControllerOutcome | None:
    """Elect the first replica of the assignment. None if it cannot be elected or already leads."""
    before = at.controller.partition(partition_name)
    preferred = before.preferred_leader
    if preferred not in before.isr or not at.controller.broker(preferred).active:
        return None
    if before.leader == preferred and not at.profile.rules.preferred_election_always_writes:
        return None
    update = ZooKeeperUpdate(at)
    written = update.write_and_queue(replace(before, leader=preferred))
    update.events.append(elected_event(before, written, "preferred", ELECTION_SOURCES))
    return update.outcome()


def elect_on_request(
    at: Situation, partition_name: TopicPartition, *, unclean: bool
) -> ControllerOutcome | None:
    """Elect a leader for a leaderless partition. None if no replica can be elected."""
    update = ZooKeeperUpdate(at)
    if not elect_offline(update, at.controller.partition(partition_name), unclean_asked=unclean):
        return None
    return update.outcome()


def write_isr(
    controller: Controller,
    partition_name: TopicPartition,
    new_isr: tuple[BrokerId, ...],
    expected_partition_epoch: int,
    *,
    recovered: bool,
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Write an ISR if the znode's version is still `expected_partition_epoch`. Returns NONE with
    the outcome, or the error of a failed condition without one.

    The leader epoch does not change. Both a leader that writes the znode itself (up to 2.6) and a
    controller that does it for the leader (KIP-497) use this write.
    """
    before = controller.partition(partition_name)
    if before.partition_epoch != expected_partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION, None
    written = replace(
        before,
        isr=new_isr,
        partition_epoch=before.partition_epoch + 1,
        leader_recovery_state="RECOVERED" if recovered else before.leader_recovery_state,
    )
    return ErrorCode.NONE, ControllerOutcome(
        controller=with_partition(controller, written),
        events=isr_change_events(before, written, "ZK-ISR-WRITE", ("Partition", "KIP-497")),
    )


def respond_to_alter_partition(
    at: Situation, partition_name: TopicPartition, leader: BrokerId, request: AlterPartitionRequest
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Validate and write an ISR change that a leader requests (AlterIsr, KIP-497, from 2.7)."""
    before = at.controller.partition(partition_name)
    registered = at.controller.broker(leader)
    if not registered.live or request.broker_epoch not in (None, registered.broker_epoch):
        return ErrorCode.STALE_BROKER_EPOCH, None
    if request.leader_epoch < before.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH, None
    if before.leader != leader:
        return ErrorCode.INVALID_REQUEST, None
    if request.new_isr == before.isr:
        # The leader repeats the request because the first response was lost. The ISR is already
        # written.
        return ErrorCode.NONE, ControllerOutcome(
            controller=at.controller,
            events=(
                IsrChangeRepeated(
                    partition=partition_name,
                    broker=leader,
                    isr=before.isr,
                    partition_epoch=before.partition_epoch,
                ),
            ),
        )
    if request.partition_epoch < before.partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION, None
    if at.rules.fenced_brokers_stay_out and not all(
        at.controller.broker(member).active for member in request.new_isr
    ):
        return ErrorCode.INELIGIBLE_REPLICA, None
    return write_isr(
        at.controller,
        partition_name,
        request.new_isr,
        before.partition_epoch,
        recovered=at.rules.leader_recovery_state,
    )

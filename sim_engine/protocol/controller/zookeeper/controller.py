"""The ZooKeeper controller: a broker that watches sessions and writes state znodes
(`KafkaController`, `ReplicaStateMachine`). This module implements `ControllerKind`.

Up to 2.6 a leader writes the ISR to the state znode itself, and from 2.7 it requests the change
from the controller (KIP-497). Neither changes the leader epoch.

From 2.4 (KIP-455), a reassignment that replaces one in progress starts from the original replicas:
the current ones without those that are being added (`onPartitionReassignment`).
"""

from typing import Final

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.controller import (
    BrokerJoined,
    ControllerElected,
    ReassignmentDropped,
    ReassignmentRepeated,
    ReplicasReordered,
    SessionExpired,
)
from sim_engine.events.isr import IsrChangeRepeated
from sim_engine.identifiers import NO_LEADER, BrokerId, ErrorCode, LeaderEpoch, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller import state
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
from sim_engine.protocol.controller.zookeeper.update import (
    ELECTION_SOURCES,
    SOURCES,
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
    """Elect leaders for the broker's partitions and for all that have none
    (`triggerOnlinePartitionStateChange`), then remove the broker from every ISR.
    """
    update = ZooKeeperUpdate(at)
    update.change_broker(broker_id, live=False, in_controlled_shutdown=False)
    update.events.append(SessionExpired(broker=broker_id))
    for partition in update.controller.partitions:
        elected = _elect_if_nobody_leads(update, partition)
        if partition.leader == broker_id and not elected:
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
    """Move leaderships away, let the broker stop fetching, and remove it from every ISR before it
    stops.

    If no other member of the ISR is live, the leadership stays. The broker stops anyway after its
    retries, and the partition then loses its leader.
    """
    update = ZooKeeperUpdate(at)
    update.change_broker(broker_id, in_controlled_shutdown=True)
    for before in update.controller.partitions:
        if before.leader == broker_id:
            _move_leadership(update, before)
            continue
        if broker_id in before.replicas and len(before.replicas) > 1:
            update.stop_fetching(before, broker_id)
        if broker_id in before.isr and len(before.isr) > 1:
            written = update.write(replace(before, isr=without(before.isr, broker_id)))
            update.events.append(shrunk_event(written, broker_id))
            update.queue_leader_and_isr(written, without(written.replicas, broker_id))
    return update.outcome()


def _move_leadership(update: ZooKeeperUpdate, before: PartitionRegistration) -> None:
    """Elect an ISR member that is not shutting down
    (`ControlledShutdownPartitionLeaderElectionStrategy`): the first of the assignment; up to 0.9,
    of the ISR (KAFKA-3670). No broker that is shutting down stays in the ISR.
    """
    stay = tuple(
        broker_id
        for broker_id in before.isr
        if not update.controller.broker(broker_id).in_controlled_shutdown
    )
    by_assignment = update.profile.rules.shutdown_elects_by_assignment
    successors = [
        replica
        for replica in (before.replicas if by_assignment else stay)
        if replica in stay and update.live(replica)
    ]
    if not successors:
        update.events.append(not_possible_event(update, before, leader_stops=True))
        return
    written = update.write_and_queue(replace(before, leader=successors[0], isr=stay))
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


def reassigned(assignment: state.Assignment, target: tuple[BrokerId, ...]) -> state.Assignment:
    """The assignment of a reassignment to `target`: the target replicas, then the original ones in
    their order (`ReplicaAssignment.reassignTo`).
    """
    original = assignment.original
    removing = without(original, *target)
    return state.Assignment(
        replicas=(*target, *removing), adding=without(target, *original), removing=removing
    )


def is_complete(assignment: state.Assignment, isr: tuple[BrokerId, ...]) -> bool:
    """Whether all target replicas are in the ISR, or none is moved (`isReassignmentComplete`)."""
    return not assignment.in_progress or {*assignment.target} <= {*isr}


def must_be_live(
    assignment: state.Assignment, target: tuple[BrokerId, ...], rules: Rules
) -> tuple[BrokerId, ...]:
    """The brokers that must be live when a reassignment is requested: up to 0.10.0 all target
    replicas; then none, because the reassignment waits for them (KAFKA-4214); from 2.4 the added
    ones (`KafkaController.validateReplicas`).
    """
    if rules.reassignment_can_be_replaced:
        return assignment.adding
    return () if rules.reassignment_waits_for_dead_brokers else target


def reassign(
    at: state.Situation, partition_name: TopicPartition, target: tuple[BrokerId, ...] | None
) -> state.ControllerOutcome | state.ReassignmentRefusal:
    """Begin a reassignment, replace the one in progress, or cancel it (`target` is None): every
    replica receives a new leader epoch.

    If all target replicas are already in the ISR, the reassignment is completed immediately
    instead. Up to 2.3 one that only reorders the replicas waits for that too. From 2.4, replicas
    that the new assignment does not contain are stopped and deleted first, whatever they have
    (`updateCurrentReassignment`).
    """
    update = ZooKeeperUpdate(at)
    before = at.controller.partition(partition_name)
    current = state.assignment_of(before)
    asked = current.original if target is None else target
    assignment = reassigned(current, asked)
    refusal = _refusal(update, current, assignment, target)
    if refusal is not None:
        return refusal
    if asked == before.replicas and not at.rules.reassignment_can_be_replaced:
        update.events.append(_repeated_event(before, current, asked, writes=False))
        return update.outcome()
    if not (assignment.in_progress or at.rules.reassignment_can_be_replaced):
        assignment = replace(assignment, reorders=not {*asked} <= {*before.isr})
    moving = update.assign(before, assignment)
    update.events.append(_event(before, moving, asked))
    moving = _stop(update, moving, before.replicas)
    if is_complete(assignment, moving.isr):
        _complete(update, moving)
    else:
        update.write_and_queue(moving)
    return update.outcome()


def _refusal(
    update: ZooKeeperUpdate,
    current: state.Assignment,
    assignment: state.Assignment,
    target: tuple[BrokerId, ...] | None,
) -> state.ReassignmentRefusal | None:
    """Up to 2.3 a reassignment in progress stays (KIP-455). A cancelled one is not validated."""
    rules = update.profile.rules
    if not rules.reassignment_can_be_replaced:
        if target is None:
            return state.ReassignmentRefusal(code="reassignment_cannot_be_cancelled")
        if current.in_progress:
            return state.ReassignmentRefusal(code="reassignment_in_progress")
    if target is None:
        return None if current.in_progress else state.ReassignmentRefusal(code="no_reassignment")
    if target == current.replicas and not current.in_progress:
        return None
    for broker_id in must_be_live(assignment, target, rules):
        if not update.may_lead(broker_id):
            return state.ReassignmentRefusal(code="new_replica_not_live", broker=broker_id)
    return None


def _event(
    before: PartitionRegistration, moving: PartitionRegistration, asked: tuple[BrokerId, ...]
) -> Event:
    was, now = state.assignment_of(before), state.assignment_of(moving)
    if now == was:
        return _repeated_event(before, was, asked, writes=True)
    if now.in_progress:
        return state.reassignment_started_event(before, now, asked, SOURCES)
    if was.in_progress:
        return state.reassignment_cancelled_event(before, moving, SOURCES)
    return ReplicasReordered(
        rule="ZK-CONTROLLER-WRITE",
        sources=("KafkaController",),
        partition=before.partition,
        replicas=asked,
        leader_epoch=LeaderEpoch(before.leader_epoch + 1),
    )


def _repeated_event(
    before: PartitionRegistration,
    assignment: state.Assignment,
    asked: tuple[BrokerId, ...],
    *,
    writes: bool,
) -> Event:
    return ReassignmentRepeated(
        variant="epoch" if writes else None,
        sources=("KIP-455", *SOURCES),
        partition=before.partition,
        asked=asked,
        target=assignment.target,
        leader_epoch=LeaderEpoch(before.leader_epoch + int(writes)),
    )


def complete_reassignment(
    at: state.Situation, partition_name: TopicPartition
) -> state.ControllerOutcome | None:
    """Complete a reassignment after an ISR change. None if the ISR does not complete it."""
    before = at.controller.partition(partition_name)
    assignment = state.assignment_of(before)
    if not assignment.in_progress or not is_complete(assignment, before.isr):
        return None
    update = ZooKeeperUpdate(at)
    _complete(update, before)
    return update.outcome()


def resume_as_new_controller(update: ZooKeeperUpdate, partition_name: TopicPartition) -> None:
    """Resume a reassignment in progress as a new controller, or complete it.

    Up to 2.3, only the target replicas are stored (in /admin/reassign_partitions). A reassignment
    whose target is the assignment in force counts as complete, and up to 0.10.0 one whose target
    replicas are not all live fails. Both end without a write, and all current replicas stay.
    """
    rules = update.profile.rules
    moving = update.controller.partition(partition_name)
    assignment = state.assignment_of(moving)
    needed = must_be_live(assignment, assignment.target, rules)
    is_dead = not all(update.may_lead(broker_id) for broker_id in needed)
    if rules.reassignment_can_be_replaced or not assignment.in_progress:
        _resume(update, moving)
    elif assignment.target == moving.replicas or is_dead:
        update.assign(moving, state.Assignment(replicas=moving.replicas))
        update.events.append(
            ReassignmentDropped(
                variant="dead" if assignment.target != moving.replicas else None,
                partition=partition_name,
                target=assignment.target,
                replicas=moving.replicas,
            )
        )
    else:
        _resume(update, moving)


def resume(update: ZooKeeperUpdate, partition_name: TopicPartition, broker_id: BrokerId) -> None:
    """Resume a reassignment of which a target broker has returned (`maybeResumeReassignments`)."""
    moving = update.controller.partition(partition_name)
    if broker_id in state.assignment_of(moving).target:
        _resume(update, moving)


def _resume(update: ZooKeeperUpdate, moving: PartitionRegistration) -> None:
    """Send every replica a new leader epoch, or complete the reassignment."""
    assignment = state.assignment_of(moving)
    if not assignment.in_progress:
        return
    if is_complete(assignment, moving.isr):
        _complete(update, moving)
    else:
        update.write_and_queue(moving)


def _complete(update: ZooKeeperUpdate, moving: PartitionRegistration) -> None:
    """Complete a reassignment: elect a leader among the target replicas, then remove the other
    replicas from the ISR one by one, each write with a new leader epoch, then send StopReplica
    (`onPartitionReassignment`, phase B).

    If the leader has to change and no target replica can be elected, nothing is written for the
    election.
    """
    was = state.assignment_of(moving)
    target = was.target
    written = update.assign(moving, state.Assignment(replicas=target))
    if moving.leader in target and update.may_lead(moving.leader):
        written = update.write(written)
    else:
        candidates = (one for one in target if one in moving.isr and update.may_lead(one))
        leader = next(candidates, NO_LEADER)
        if leader != NO_LEADER:
            written = update.write(replace(written, leader=leader))
            update.events.append(
                state.elected_event(moving, written, "reassigned", ELECTION_SOURCES)
            )
    update.queue_leader_and_isr(written, target)
    written = _stop(update, written, moving.replicas)
    if was.in_progress:
        update.events.append(state.reassignment_completed_event(written, SOURCES))


def _stop(
    update: ZooKeeperUpdate, after: PartitionRegistration, replicas: tuple[BrokerId, ...]
) -> PartitionRegistration:
    """Stop and delete those of `replicas` that are not assigned any more: they leave the ISR one by
    one, each with a new leader epoch (`stopRemovedReplicasOfReassignedPartition`).
    """
    removed = without(replicas, *after.replicas)
    for replica in removed:
        after = remove_from_isr(update, after, replica)
    for replica in removed:
        update.stop(after, replica)
    return after

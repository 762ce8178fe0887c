"""The KRaft controller: every decision is written as records to one metadata log that all brokers
read. This module implements `ControllerKind`; its state is the state of the log.

A broker that is down stays registered: heartbeats unfence it, and without them it is fenced. It is
removed from every ISR before the record that fences it (`ReplicationControlManager
.handleBrokerFenced`). A reassignment (`alterPartitionReassignments`) ends when the leader proposes
the ISR that it waits for (`alterPartition`).
"""

from typing import Final, Literal

from sim_engine.events.controller import (
    BrokerFenced,
    BrokerRegistered,
    BrokerUnfenced,
    ElectionCase,
    ReassignmentRepeated,
    ReplicasReordered,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, ErrorCode, Offset, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.kraft.partition_change import (
    ReplicaNotAssignedError,
    assignment_towards,
    is_complete,
    never_completes,
    partition_change,
)
from sim_engine.protocol.controller.kraft.update import (
    SOURCES,
    KRaftUpdate,
    change_isr_and_elect,
    controller_failed,
    elr_cleared_event,
    elr_events,
)
from sim_engine.protocol.controller.state import (
    Assignment,
    BrokerStart,
    Controller,
    ControllerOutcome,
    ControllerTask,
    ReassignmentRefusal,
    Situation,
    assignment_of,
    isr_change_events,
    isr_expanded_event,
    reassignment_cancelled_event,
    reassignment_started_event,
)
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    BrokerRegistration,
    PartitionRegistration,
    without,
)

has_metadata_log: Final = True

registers_in_znodes: Final = False

fences_brokers: Final = True

grants_shutdowns: Final = True

session_timeout_config: Final = "broker.session.timeout.ms"

balances_by_broker: Final = False


def rebalances_now(controller: Controller, rules: Rules) -> bool:
    """Always: it does not wait for reassignments."""
    return True


def overlooks_restarts(rules: Rules) -> bool:
    """Never, because every start registers again."""
    return False


def learns_isr_changes_by_notification(rules: Rules) -> bool:
    """Never, because leaders request each change (KIP-497)."""
    return False


def elects_when_unclean_is_enabled(rules: Rules, *, for_topic: bool) -> bool:
    """Never; the next periodic check of leaderless partitions elects them (KAFKA-12670)."""
    return False


def why_unsupported(task: ControllerTask, rules: Rules) -> str | None:
    """The issue that added the operation: the first releases with KRaft, 2.8 to 3.1, do not support
    all of them. None if the release does.
    """
    supported, issue = {
        "elect": (rules.kraft_elects_on_request, "KAFKA-13162"),
        "reassign": (rules.partition_change_builder, "KAFKA-12803"),
        "preferred_leader_check": (rules.kraft_balances_leaders, "KAFKA-13682"),
    }[task]
    return None if supported else issue


def first_state(
    broker_ids: tuple[BrokerId, ...], partitions: tuple[PartitionRegistration, ...], rules: Rules
) -> Controller:
    """The controller of a new cluster. Its metadata log begins with one record for each broker,
    whose offset is the broker epoch, and one for each partition.
    """
    return Controller(
        metadata_offset=Offset(len(broker_ids) + len(partitions)),
        brokers=tuple(
            BrokerRegistration(broker_id=broker_id, broker_epoch=offset)
            for offset, broker_id in enumerate(broker_ids, start=1)
        ),
        partitions=partitions,
    )


def broker_session_ended(at: Situation, broker_id: BrokerId) -> ControllerOutcome:
    """End a session that timed out: remove the broker from every ISR, elect, then fence it."""
    update = KRaftUpdate(at)
    update.events.append(BrokerFenced(broker=broker_id))
    _leave_every_isr(update, broker_id, variant="clean")
    update.change_broker(broker_id, fenced=True)
    return update.outcome()


def broker_returned(at: Situation, start: BrokerStart) -> ControllerOutcome:
    """Register a start that is not registered yet; unfence one that is."""
    is_registered = at.controller.broker(start.broker_id).incarnation == start.incarnation
    try:
        return _unfence(at, start) if is_registered else _register(at, start)
    except ReplicaNotAssignedError as fault:
        return controller_failed(
            at.controller, fault, "unfencing" if is_registered else "registration", start.broker_id
        )


def _register(at: Situation, start: BrokerStart) -> ControllerOutcome:
    """Register a started broker with a new epoch. It is fenced until it has caught up.

    With eligible leader replicas, it reports the broker epoch that it had at its last clean
    shutdown. If this is not the registered epoch, its log may have lost records, so it is first
    removed from every ISR and ELR (`handleBrokerUncleanShutdown`). From 4.0, every other start
    removes it from the ISRs as if it was fenced (`handleBrokerShutdown`).
    """
    update = KRaftUpdate(at)
    before = at.controller.broker(start.broker_id)
    variant: Literal["clean_shutdown", "unclean_shutdown"] | None = None
    if at.rules.eligible_leader_replicas:
        clean = start.previous_broker_epoch == before.broker_epoch
        variant = "clean_shutdown" if clean else "unclean_shutdown"
    if variant == "unclean_shutdown":
        _leave_every_isr_and_elr(update, start.broker_id)
    elif at.rules.restart_leaves_every_isr:
        _leave_every_isr(update, start.broker_id, variant="clean")
    registered = update.register(
        BrokerRegistration(broker_id=start.broker_id, fenced=True, incarnation=start.incarnation)
    )
    update.events.insert(
        0,
        BrokerRegistered(
            variant=variant,
            rule=None if variant is None else "KIP-966",
            broker=start.broker_id,
            broker_epoch=registered.broker_epoch,
            previous_broker_epoch=start.previous_broker_epoch,
            registered_broker_epoch=before.broker_epoch,
        ),
    )
    return update.outcome()


def _unfence(at: Situation, start: BrokerStart) -> ControllerOutcome:
    """Unfence a broker that sends heartbeats and has read the record of its registration; up to
    3.2, the whole metadata log (`BrokerHeartbeatManager.calculateNextBrokerState`). Only partitions
    without a leader are checked, and the broker joins no ISR.
    """
    broker_id = start.broker_id
    update = KRaftUpdate(at)
    # A process that was never started is unfenced from the start of the run.
    again = start.incarnation == 0 or start.metadata_offset < at.controller.metadata_offset
    update.events.append(BrokerUnfenced(variant="again" if again else None, broker=broker_id))
    update.change_broker(broker_id, fenced=False)
    for partition in update.controller.partitions:
        if partition.leader == NO_LEADER:
            change_isr_and_elect(update, partition, partition.isr, available=broker_id)
    return update.outcome()


def begin_controlled_shutdown(at: Situation, broker_id: BrokerId) -> ControllerOutcome:
    """Remove a broker that is shutting down from every ISR, and move its leaderships.

    A broker without leaderships is fenced directly (recorded on 3.9). Otherwise it is first marked
    as shutting down, so that it cannot rejoin an ISR meanwhile (KIP-841, from metadata.version
    3.3-IV3).
    """
    if not any(partition.leader == broker_id for partition in at.controller.partitions):
        return end_controlled_shutdown(at, broker_id)
    update = KRaftUpdate(at)
    if at.rules.controlled_shutdown_is_registered:
        update.change_broker(broker_id, in_controlled_shutdown=True)
    _leave_every_isr(update, broker_id, variant="shutdown")
    return update.outcome()


def end_controlled_shutdown(at: Situation, broker_id: BrokerId) -> ControllerOutcome:
    """Fence a broker that no longer leads any partition, and let it stop."""
    update = KRaftUpdate(at)
    _leave_every_isr(update, broker_id, variant="shutdown")
    update.events.append(
        BrokerFenced(variant="shutdown", rule="CONTROLLED-SHUTDOWN", broker=broker_id)
    )
    update.change_broker(broker_id, fenced=True)
    return update.outcome()


def take_over(at: Situation) -> None:
    """Return None: the members of the quorum have the same log; their failover is not modelled."""


def _leave_every_isr(update: KRaftUpdate, broker_id: BrokerId, *, variant: ElectionCase) -> None:
    for partition in update.controller.partitions:
        if broker_id in partition.isr or partition.leader == broker_id:
            change_isr_and_elect(
                update,
                partition,
                without(partition.isr, broker_id),
                unavailable=broker_id,
                variant=variant,
            )


def _leave_every_isr_and_elr(update: KRaftUpdate, broker_id: BrokerId) -> None:
    for partition in update.controller.partitions:
        if broker_id in partition.isr or broker_id in partition.elr:
            change_isr_and_elect(
                update, partition, without(partition.isr, broker_id), unclean_shutdown=broker_id
            )


def elect_preferred(at: Situation, partition_name: TopicPartition) -> ControllerOutcome | None:
    """Elect the first replica of the assignment. None if it cannot be elected or already leads."""
    before = at.controller.partition(partition_name)
    preferred = before.preferred_leader
    if (
        preferred == before.leader
        or preferred not in before.isr
        or preferred not in at.controller.active_brokers()
    ):
        return None
    update = KRaftUpdate(at)
    change_isr_and_elect(update, before, before.isr, variant="preferred")
    return update.outcome()


def elect_on_request(
    at: Situation, partition_name: TopicPartition, *, unclean: bool
) -> ControllerOutcome | None:
    """Elect a leader for a leaderless partition. None if no replica can be elected."""
    update = KRaftUpdate(at)
    before = at.controller.partition(partition_name)
    try:
        elected = change_isr_and_elect(update, before, before.isr, unclean_asked=unclean)
    except ReplicaNotAssignedError as fault:
        return controller_failed(at.controller, fault, "election")
    return None if elected is None else update.outcome()


def respond_to_alter_partition(
    at: Situation, partition_name: TopicPartition, leader: BrokerId, request: AlterPartitionRequest
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Validate a proposal and write the ISR, with the end of a reassignment that it completes."""
    error = _refusal(at, partition_name, leader, request)
    if error is not None:
        return error, None
    before = at.controller.partition(partition_name)
    update = KRaftUpdate(at)
    if is_complete(assignment_of(before), request.new_isr, at.rules):
        return _complete_reassignment(update, before, request.new_isr)
    change = partition_change(
        before,
        target_isr=request.new_isr,
        acceptable=at.controller.active_brokers(),
        min_isr=at.policies[partition_name].effective_min_insync_replicas,
        rules=at.rules,
        recovered=True,
        proposed=True,
    )
    if change is not None:
        after = update.change_partition(before, change)
        update.events.extend(
            isr_change_events(before, after, "KRAFT-PARTITION-CHANGE", ("KIP-497", *SOURCES))
        )
        update.events.extend(elr_events(before, after))
    return ErrorCode.NONE, update.outcome()


def _refusal(
    at: Situation, partition_name: TopicPartition, leader: BrokerId, request: AlterPartitionRequest
) -> ErrorCode | None:
    """The error of an invalid proposal, checked in Kafka's order (`validateAlterPartitionData`);
    None if it is valid. A request from an earlier start of the leader is rejected as a whole.
    """
    controller = at.controller
    before = controller.partition(partition_name)
    new_isr = request.new_isr
    if request.broker_epoch not in (None, controller.broker(leader).broker_epoch):
        return ErrorCode.STALE_BROKER_EPOCH
    if (
        request.leader_epoch > before.leader_epoch
        or request.partition_epoch > before.partition_epoch
    ):
        return ErrorCode.NOT_CONTROLLER
    if before.leader != leader and not at.rules.partition_change_builder:
        return ErrorCode.INVALID_REQUEST  # `alterIsr` of 2.8 checks this first
    if request.leader_epoch < before.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if before.leader != leader:
        return ErrorCode.INVALID_REQUEST
    if request.partition_epoch < before.partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION
    if (
        leader not in new_isr
        or len(set(new_isr)) != len(new_isr)
        or not set(new_isr) <= set(before.replicas)
    ):
        return ErrorCode.INVALID_REQUEST
    if request.leader_recovery_state == "RECOVERING" and (
        len(new_isr) > 1 or before.leader_recovery_state == "RECOVERED"
    ):
        return ErrorCode.INVALID_REQUEST
    if at.rules.fenced_brokers_stay_out and (
        _names_an_earlier_start(controller, request)
        or not set(new_isr) <= controller.active_brokers()
    ):
        return ErrorCode.INELIGIBLE_REPLICA
    return None


def _names_an_earlier_start(controller: Controller, request: AlterPartitionRequest) -> bool:
    """Whether the request has an outdated broker epoch for a member of the proposed ISR; -1 is an
    epoch that the leader does not know (KIP-903).
    """
    if request.broker_epochs is None:
        return False
    return any(
        epoch not in (-1, controller.broker(member).broker_epoch)
        for member, epoch in zip(request.new_isr, request.broker_epochs, strict=True)
    )


def _complete_reassignment(
    update: KRaftUpdate, before: PartitionRegistration, new_isr: tuple[BrokerId, ...]
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Write the proposed ISR and the end of the reassignment that it completes. A leader that is
    removed receives NEW_LEADER_ELECTED or, up to AlterPartition v1, which does not have that error,
    FENCED_LEADER_EPOCH.
    """
    first = len(update.events)
    after = change_isr_and_elect(update, before, new_isr, recovered=True)
    assert after is not None, "the assignment changes"
    joined = [member for member in after.isr if member not in before.isr]
    if joined:
        # The replicas that joined are the reason why the reassignment is complete, so their event
        # comes first. Removed replicas leave the ISR in the same record: the proposed one is never
        # written.
        update.events.insert(
            first,
            isr_expanded_event(after, joined, "KRAFT-PARTITION-CHANGE", ("KIP-497", *SOURCES)),
        )
    error = ErrorCode.NONE
    if after.leader != before.leader:
        knows = update.profile.rules.fenced_brokers_stay_out
        error = ErrorCode.NEW_LEADER_ELECTED if knows else ErrorCode.FENCED_LEADER_EPOCH
    return error, update.outcome()


def reassign(
    at: Situation, partition_name: TopicPartition, target: tuple[BrokerId, ...] | None
) -> ControllerOutcome | ReassignmentRefusal:
    """Begin a reassignment, replace the one in progress, or cancel it (`target` is None). One that
    is already complete is also ended by the same record.

    The target replicas that are in force, or being reassigned to, write nothing. A new order of the
    replicas does not change the leader epoch.
    """
    update = KRaftUpdate(at)
    before = at.controller.partition(partition_name)
    if target is None:
        return _cancel(update, before)
    try:
        _change(update, before, target)
    except ReplicaNotAssignedError as fault:
        # Here the exception only fails the request, with UNKNOWN_SERVER_ERROR.
        return ReassignmentRefusal(code="reassignment_fails", broker=fault.replica)
    return update.outcome()


def _change(
    update: KRaftUpdate, before: PartitionRegistration, target: tuple[BrokerId, ...]
) -> None:
    assignment = assignment_towards(before, target)
    if assignment == assignment_of(before):
        update.events.append(
            ReassignmentRepeated(
                variant=None if target == assignment.target else "kept",
                sources=("KIP-455", *SOURCES),
                partition=before.partition,
                asked=target,
                target=assignment.target,
                leader_epoch=before.leader_epoch,
            )
        )
    elif assignment.in_progress:
        update.events.append(
            reassignment_started_event(
                before,
                assignment,
                target,
                SOURCES,
                never_completes=never_completes(assignment, update.profile.rules),
            )
        )
    else:
        update.events.append(
            ReplicasReordered(
                rule="KRAFT-PARTITION-CHANGE",
                sources=SOURCES,
                partition=before.partition,
                replicas=target,
                leader_epoch=before.leader_epoch,
            )
        )
    change_isr_and_elect(
        update, before, before.isr, assignment=assignment, unclean_by_setting=False
    )


def _cancel(
    update: KRaftUpdate, before: PartitionRegistration
) -> ControllerOutcome | ReassignmentRefusal:
    """Cancel a reassignment (`cancelPartitionReassignment`, `PartitionReassignmentRevert`): the
    added replicas go, and the others stay in the current order, because the order before is not
    known any more.

    If only added replicas are in the ISR, this is an unclean election, and possible only if the
    topic allows it. The ISR is then the first replica, whose log may lack committed records.
    """
    assignment = assignment_of(before)
    if not assignment.in_progress:
        return ReassignmentRefusal(code="no_reassignment")
    isr = without(before.isr, *assignment.adding)
    policy = update.policies[before.partition]
    allowed = update.profile.rules.unclean_election_by_setting
    if not isr and not (allowed and policy.unclean_leader_election_enable):
        return ReassignmentRefusal(code="cancel_needs_unclean_election")
    place = len(update.events)
    original = assignment.original
    written = change_isr_and_elect(
        update, before, isr or original[:1], assignment=Assignment(replicas=original)
    )
    assert written is not None, "the assignment changes"
    update.events.insert(
        place, reassignment_cancelled_event(before, written, SOURCES, unclean=not isr)
    )
    return update.outcome()


def complete_reassignment(at: Situation, partition_name: TopicPartition) -> None:
    """Return None: the response to the leader's request has already completed the reassignment."""


def feature_level_changed(at: Situation, level: str) -> ControllerOutcome:
    """Write the metadata.version that an administrator has chosen (`FeatureControlManager`)."""
    update = KRaftUpdate(at)
    update.change_feature_level(level)
    return update.outcome()


def min_isr_changed(at: Situation, topic: str | None) -> ControllerOutcome | None:
    """Clear the eligible leader replicas after a change of min.insync.replicas, for one topic or,
    if `topic` is None, for all.

    No partition epoch changes, because a ClearElrRecord is about a topic (KAFKA-16540). None in
    releases without eligible leader replicas.
    """
    if not at.rules.eligible_leader_replicas:
        return None
    update = KRaftUpdate(at)
    for before, after in update.clear_elr(topic):
        if before.elr:
            update.events.append(elr_cleared_event(before, after))
    return update.outcome()

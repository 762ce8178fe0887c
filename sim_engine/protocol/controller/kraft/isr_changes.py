"""The KRaft controller's response to a leader's AlterPartition request (`alterPartition`)."""

from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.controller.kraft.assignments import is_complete, waits_for
from sim_engine.protocol.controller.kraft.elections import SOURCES, change_isr_and_elect
from sim_engine.protocol.controller.kraft.eligible_leader_replicas import elr_events
from sim_engine.protocol.controller.kraft.partition_change import partition_change
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.reassignment import assignment_of
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    isr_change_events,
    isr_expanded_event,
)
from sim_engine.protocol.messages import AlterPartitionRequest
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile


def respond_to_alter_partition(
    controller: Controller,
    partition_name: TopicPartition,
    leader: BrokerId,
    request: AlterPartitionRequest,
    profile: Profile,
    policies: Policies,
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Validate a leader's proposal and write the ISR, with the end of the reassignment if the ISR
    completes one.
    """
    error = _refusal(controller, partition_name, leader, request, profile)
    if error is not None:
        return error, None
    before = controller.partition(partition_name)
    update = KRaftUpdate(controller, profile, policies)
    if is_complete(assignment_of(before), request.new_isr, waits_for(profile.rules)):
        return _complete_reassignment(update, before, request.new_isr)
    change = partition_change(
        before,
        target_isr=request.new_isr,
        acceptable=controller.active_brokers(),
        min_isr=policies[partition_name].effective_min_insync_replicas,
        rules=profile.rules,
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
    controller: Controller,
    partition_name: TopicPartition,
    leader: BrokerId,
    request: AlterPartitionRequest,
    profile: Profile,
) -> ErrorCode | None:
    """The error of an invalid proposal, checked in Kafka's order (`validateAlterPartitionData`);
    None if it is valid. A request from an earlier start of the leader is rejected as a whole.
    """
    before = controller.partition(partition_name)
    new_isr = request.new_isr
    if request.broker_epoch not in (None, controller.broker(leader).broker_epoch):
        return ErrorCode.STALE_BROKER_EPOCH
    if (
        request.leader_epoch > before.leader_epoch
        or request.partition_epoch > before.partition_epoch
    ):
        return ErrorCode.NOT_CONTROLLER
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
    if profile.rules.fenced_brokers_stay_out and (
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

"""ISR changes under ZooKeeper: up to 2.6 the leader writes the state znode itself, and from 2.7 it
requests the change from the controller (KIP-497). Neither changes the leader epoch.
"""

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events.isr import IsrChangeRepeated
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    isr_change_events,
    with_partition,
)
from sim_engine.protocol.messages import AlterPartitionRequest
from sim_engine.versions import Profile


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
    controller: Controller,
    partition_name: TopicPartition,
    leader: BrokerId,
    request: AlterPartitionRequest,
    profile: Profile,
    policies: Policies,
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Validate and write an ISR change that a leader requests: AlterIsr, later named AlterPartition
    (KIP-497, from 2.7).
    """
    before = controller.partition(partition_name)
    registered = controller.broker(leader)
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
            controller=controller,
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
    if profile.rules.fenced_brokers_stay_out and not all(
        controller.broker(member).active for member in request.new_isr
    ):
        return ErrorCode.INELIGIBLE_REPLICA, None
    return write_isr(
        controller,
        partition_name,
        request.new_isr,
        before.partition_epoch,
        recovered=profile.rules.leader_recovery_state,
    )

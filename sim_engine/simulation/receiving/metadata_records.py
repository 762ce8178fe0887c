"""A KRaft broker applies the metadata records that it has read."""

from msgspec.structs import replace

from sim_engine.events.high_watermark import HighWatermarkHeld
from sim_engine.events.metadata import MetadataApplied, MetadataUnread, RoleIgnored
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.messages import Message, MetadataRecords, PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.checkpoints import begin_to_checkpoint
from sim_engine.simulation.effects.replicas import delete_replica
from sim_engine.simulation.permissions import AppliesOutcomes, OrdersEvents
from sim_engine.simulation.receiving.ending_fetchers import end_idle_fetchers
from sim_engine.simulation.receiving.roles import (
    hosted_replica,
    lose_leader,
    say_what_is_passed_over,
    take_role,
)


def receive_metadata_records(
    work: OrdersEvents, message: Message, records: MetadataRecords
) -> None:
    """Apply the metadata records that a KRaft broker has read (`ReplicaManager.applyDelta`).

    Up to 3.2 a broker that is shutting down stops reading (KAFKA-13858); 3.3.0 and 3.3.1 read, and
    skip changes that would make the broker a follower (KAFKA-14296). In both cases it continues as
    leader in its old epoch until it stops.
    """
    assert isinstance(message.receiver, int), "the controller does not read its own log"
    broker = work.cluster.broker(message.receiver)
    broker_id = broker.broker_id
    is_stopping = broker.process == "shutting_down"
    if is_stopping and not work.cluster.profile.rules.metadata_is_read_until_stopped:
        work.say(MetadataUnread(broker=broker_id))
        return
    known = {registered.broker_id: registered for registered in broker.known_brokers}
    known.update({registered.broker_id: registered for registered in records.brokers})
    work.put_broker(
        replace(
            broker,
            metadata_offset=records.offset,
            known_brokers=tuple(known[known_id] for known_id in sorted(known)),
        )
    )
    before = len(work.events)
    for registration in _in_order_of_applying(broker_id, records.partitions):
        replica = hosted_replica(work, broker_id, registration)
        if replica is not None:
            _apply(work, replica, registration, records.passed_over, is_stopping=is_stopping)
    begin_to_checkpoint(work, broker_id)
    end_idle_fetchers(work, broker_id)
    if all(isinstance(one, HighWatermarkHeld) for one in work.events[before:]):
        held = work.hold_back(before)
        work.say(MetadataApplied(broker=broker_id, offset=records.offset), *held)


def _in_order_of_applying(
    broker_id: BrokerId, partitions: tuple[PartitionRegistration, ...]
) -> list[PartitionRegistration]:
    """Deleted replicas come first, then those that the broker leads, then those that it follows."""

    def rank(registration: PartitionRegistration) -> int:
        if broker_id not in registration.replicas:
            return 0
        return 1 if registration.leader == broker_id else 2

    return sorted(partitions, key=rank)


def _apply(
    work: AppliesOutcomes,
    replica: Replica,
    registration: PartitionRegistration,
    passed_over: tuple[PartitionRegistration, ...],
    *,
    is_stopping: bool,
) -> None:
    """Applies the metadata log's change of one partition to its replica."""
    broker_id = replica.broker_id
    rules = work.cluster.profile.rules
    is_older = registration.partition_epoch < replica.partition_epoch
    if is_older and rules.reset_only_on_new_epoch:
        return
    say_what_is_passed_over(work, replica, registration, passed_over)
    if broker_id not in registration.replicas:
        delete_replica(work, replica)
    elif is_stopping and registration.leader != broker_id and not rules.steps_down_while_stopping:
        work.say(
            RoleIgnored(
                broker=broker_id,
                partition=registration.partition,
                leader_epoch=registration.leader_epoch,
            )
        )
    elif registration.leader != NO_LEADER:
        take_role(work, replica, registration)
    elif registration.leader_epoch != replica.leader_epoch:
        lose_leader(work, replica, registration)

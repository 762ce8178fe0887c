"""A KRaft broker replays what it has read of the metadata log."""

from msgspec.structs import replace

from sim_engine.events.high_watermark import HighWatermarkHeld
from sim_engine.events.metadata import MetadataApplied, MetadataUnread, RoleIgnored
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.messages import Message, MetadataRecords
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.checkpoints import begin_to_checkpoint
from sim_engine.simulation.effects.replicas import delete_replica
from sim_engine.simulation.receiving.ending_fetchers import end_idle_fetchers
from sim_engine.simulation.receiving.roles import (
    hosted_replica,
    lose_leader,
    say_what_is_passed_over,
    take_role,
)
from sim_engine.simulation.turn import Turn


def receive_metadata_records(turn: Turn, message: Message, records: MetadataRecords) -> None:
    """Replay what a KRaft broker has read of the metadata log (`ReplicaManager.applyDelta`).

    Up to 3.2 a broker that shuts down reads no further (KAFKA-13858); 3.3.0 and 3.3.1 read, and
    pass over whatever would make it a follower (KAFKA-14296). Either goes on leading in its old
    epoch until it stops.
    """
    assert isinstance(message.receiver, int), "the controller does not read its own log"
    broker = turn.cluster.broker(message.receiver)
    broker_id = broker.broker_id
    is_stopping = broker.process == "shutting_down"
    if is_stopping and not turn.cluster.profile.rules.metadata_is_read_until_stopped:
        turn.say(MetadataUnread(broker=broker_id))
        return
    known = {registered.broker_id: registered for registered in broker.known_brokers}
    known.update({registered.broker_id: registered for registered in records.brokers})
    turn.put_broker(
        replace(
            broker,
            metadata_offset=records.offset,
            known_brokers=tuple(known[known_id] for known_id in sorted(known)),
        )
    )
    before = len(turn.events)
    for registration in _in_order_of_applying(broker_id, records.partitions):
        replica = hosted_replica(turn, broker_id, registration)
        if replica is not None:
            _apply(turn, replica, registration, records.passed_over, is_stopping=is_stopping)
    begin_to_checkpoint(turn, broker_id)
    end_idle_fetchers(turn, broker_id)
    if all(isinstance(one, HighWatermarkHeld) for one in turn.events[before:]):
        turn.events.insert(before, MetadataApplied(broker=broker_id, offset=records.offset))


def _in_order_of_applying(
    broker_id: BrokerId, partitions: tuple[PartitionRegistration, ...]
) -> list[PartitionRegistration]:
    """What is deleted comes first, then what the broker leads, then what it follows."""

    def rank(registration: PartitionRegistration) -> int:
        if broker_id not in registration.replicas:
            return 0
        return 1 if registration.leader == broker_id else 2

    return sorted(partitions, key=rank)


def _apply(
    turn: Turn,
    replica: Replica,
    registration: PartitionRegistration,
    passed_over: tuple[PartitionRegistration, ...],
    *,
    is_stopping: bool,
) -> None:
    """Applies the metadata log's change of one partition to its replica."""
    broker_id = replica.broker_id
    rules = turn.cluster.profile.rules
    is_older = registration.partition_epoch < replica.partition_epoch
    if is_older and rules.reset_only_on_new_epoch:
        return
    say_what_is_passed_over(turn, replica, registration, passed_over)
    if broker_id not in registration.replicas:
        delete_replica(turn, replica)
    elif is_stopping and registration.leader != broker_id and not rules.steps_down_while_stopping:
        turn.say(
            RoleIgnored(
                broker=broker_id,
                partition=registration.partition,
                leader_epoch=registration.leader_epoch,
            )
        )
    elif registration.leader != NO_LEADER:
        take_role(turn, replica, registration)
    elif registration.leader_epoch != replica.leader_epoch:
        lose_leader(turn, replica, registration)

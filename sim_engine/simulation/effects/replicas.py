"""Deletes a replica with its log, and ends the fetches that wait for it or at it."""

from msgspec.structs import replace

from sim_engine.events import EventSubject
from sim_engine.events.log import ReplicaDeleted
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.follower.fetch_loop import disconnected
from sim_engine.protocol.messages import COMMANDS
from sim_engine.protocol.replica import Replica, step_down_responses
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.effects.produce_responses import respond_to_producer
from sim_engine.simulation.permissions import ChangesReplicas, EndsProcesses


def delete_replica(work: EndsProcesses, replica: Replica) -> None:
    """Delete a replica that its broker no longer hosts, with its log. Its requests in flight end,
    and requests waiting at it receive an error.
    """
    broker_id, partition = replica.broker_id, replica.partition
    for response in step_down_responses(replica):
        respond_to_producer(work, response, replica)
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        replace(
            broker,
            replicas=tuple(kept for kept in broker.replicas if kept.partition != partition),
        )
    )
    for message in work.cluster.messages:
        if (
            message.partition == partition
            and broker_id in (message.sender, message.receiver)
            and message.kind not in COMMANDS
        ):
            lose(work, message)
    forget_fetches_of(work, broker_id, partition)
    for parked in () if replica.leading is None else replica.leading.parked:
        work.put_replica(
            disconnected(work.cluster.replica(parked.follower, partition), parked.message_id)
        )
    work.say(
        ReplicaDeleted(
            broker=broker_id,
            partition=partition,
            log_end_offset=replica.log_end_offset,
            subject=EventSubject(
                partition=partition,
                replicas=(broker_id,),
                offsets=tuple(record.offset for record in replica.log.records),
                records=replica.log.records,
            ),
        )
    )


def forget_fetches_of(
    work: ChangesReplicas, follower: BrokerId, partition: TopicPartition | None = None
) -> None:
    """Remove the parked fetches of a process that has ended, or of a deleted replica, from their
    leaders.
    """
    for broker in work.cluster.brokers:
        for replica in broker.replicas:
            leading = replica.leading
            if leading is None or partition not in (None, replica.partition):
                continue
            others = tuple(fetch for fetch in leading.parked if fetch.follower != follower)
            if others != leading.parked:
                work.put_replica(replace(replica, leading=replace(leading, parked=others)))

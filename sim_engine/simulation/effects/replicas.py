"""A replica is deleted with its log; fetches that waited for it, or with it, end."""

from msgspec.structs import replace

from sim_engine.events import EventSubject
from sim_engine.events.log import ReplicaDeleted
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.follower.late_responses import disconnected
from sim_engine.protocol.messages import COMMANDS
from sim_engine.protocol.outcome import step_down_answers
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.effects.produce_responses import answer_producer
from sim_engine.simulation.turn import Turn


def delete_replica(turn: Turn, replica: Replica) -> None:
    """A replica that its broker does not host any more is deleted with its log; what was under
    way for it ends, and who waited there is told."""
    broker_id, partition = replica.broker_id, replica.partition
    for answer in step_down_answers(replica):
        answer_producer(turn, answer, replica)
    broker = turn.cluster.broker(broker_id)
    turn.put_broker(
        replace(
            broker,
            replicas=tuple(kept for kept in broker.replicas if kept.partition != partition),
        )
    )
    for message in turn.cluster.messages:
        if (
            message.partition == partition
            and broker_id in (message.sender, message.receiver)
            and message.kind not in COMMANDS
        ):
            lose(turn, message)
    forget_fetches_of(turn, broker_id, partition)
    for parked in () if replica.leading is None else replica.leading.parked:
        turn.put_replica(
            disconnected(turn.cluster.replica(parked.follower, partition), parked.message_id)
        )
    turn.say(
        ReplicaDeleted(
            broker=broker_id,
            partition=partition,
            log_end_offset=replica.log_end_offset,
            evidence=EventSubject(
                partition=partition,
                replicas=(broker_id,),
                offsets=tuple(record.offset for record in replica.log.records),
                records=replica.log.records,
            ),
        )
    )


def forget_fetches_of(
    turn: Turn, follower: BrokerId, partition: TopicPartition | None = None
) -> None:
    """Fetches of a process that has ended, or of a replica that is deleted, wait at their
    leaders no longer."""
    for broker in turn.cluster.brokers:
        for replica in broker.replicas:
            leading = replica.leading
            if leading is None or partition not in (None, replica.partition):
                continue
            others = tuple(fetch for fetch in leading.parked if fetch.follower != follower)
            if others != leading.parked:
                turn.put_replica(replace(replica, leading=replace(leading, parked=others)))

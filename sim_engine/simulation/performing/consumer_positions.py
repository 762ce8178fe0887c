"""A consumer's position: whether it is still on the log, and where it goes on if it is not."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.clients import Client
from sim_engine.cluster.state import ClusterState
from sim_engine.error_codes import ErrorCode
from sim_engine.events import EventSubject
from sim_engine.events.consumer import (
    ConsumeFailed,
    ConsumerOffsetNotAvailable,
    ConsumerOutOfRange,
    ConsumerPositionValidated,
    ConsumerTruncationDetected,
)
from sim_engine.identifiers import (
    NO_LEADER,
    UNDEFINED_OFFSET,
    BrokerId,
    Offset,
    TopicPartition,
    offsets_between,
)
from sim_engine.protocol.leader.consumer_reads import consumer_epoch_error, list_offset
from sim_engine.protocol.log.leader_epoch_cache import end_offset_for
from sim_engine.protocol.log.producer_state import Isolation
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.client_metadata import put_client, with_entry
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn


def is_truncated(turn: Turn, name: str, partition: TopicPartition) -> bool:
    """Under new leadership a consumer asks the leader whether its position is still on the log.

    Kafka: KIP-320, `SubscriptionState.maybeCompleteValidation`. Where the epoch of what it read
    last ends below its position, it goes on from there; where the leader cannot tell, from the
    latest offset. A consumer that has read nothing has nothing to compare.
    """
    client = turn.cluster.clients.client(name)
    if not turn.cluster.profile.rules.consumers_validate_positions:
        return False
    known = dict(client.leader_epochs).get(partition)
    read_epoch = dict(client.position_epochs).get(partition)
    if known is None or dict(client.validated_epochs).get(partition) == known:
        return False
    validated = replace(
        client, validated_epochs=with_entry(client.validated_epochs, partition, known)
    )
    if read_epoch is None:
        put_client(turn, validated)
        return False
    leader = client.leader_of(partition)
    assert leader is not None, "the consumer has asked who leads"
    if leader == NO_LEADER:
        raise RefusedError("no_leader", rule="KIP-320-CONSUMER", partition=partition)
    replica = replica_that_answers(turn.cluster, leader, partition)
    error = consumer_epoch_error(replica, known)
    if error is ErrorCode.NONE and replica.leading is None:
        error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    if error is not ErrorCode.NONE:
        fail(turn, name, partition, leader, error)
        return True
    epoch, end = end_offset_for(
        replica.epoch_cache, read_epoch, replica.log_end_offset, turn.cluster.profile.rules
    )
    position = client.position_in(partition)
    if end == UNDEFINED_OFFSET:
        _reset(turn, validated, replica, position, "undefined", "read_uncommitted")
        return True
    if end < position:
        put_client(
            turn,
            replace(
                validated,
                positions=with_entry(client.positions, partition, end),
                resets=tuple(sorted({*client.resets, partition})),
                position_epochs=with_entry(client.position_epochs, partition, epoch),
            ),
        )
        turn.say(
            ConsumerTruncationDetected(
                consumer=name,
                partition=partition,
                broker=leader,
                offset=position,
                epoch=read_epoch,
                end_offset=end,
                leader_epoch=known,
                evidence=EventSubject(
                    partition=partition, replicas=(leader,), offsets=offsets_between(end, position)
                ),
            )
        )
        return True
    put_client(turn, validated)
    turn.say(
        ConsumerPositionValidated(
            consumer=name,
            partition=partition,
            broker=leader,
            offset=position,
            epoch=read_epoch,
            end_offset=end,
        )
    )
    return False


def leave_range(turn: Turn, client: Client, replica: Replica, isolation: Isolation) -> None:
    """A consumer's position is outside the log that it reads: at the leader's it starts again, at a
    follower's it only hears of it, and goes back to the leader."""
    position = client.position_in(replica.partition)
    if replica.leading is not None:
        below = position < replica.log.log_start_offset
        _reset(turn, client, replica, position, "below_start" if below else None, isolation)
        return
    turn.say(
        ConsumerOutOfRange(
            variant="follower",
            rule="KIP-392",
            sources=("KIP-392", "ReplicaManager"),
            consumer=client.name,
            partition=replica.partition,
            broker=replica.broker_id,
            offset=position,
            log_end_offset=replica.log_end_offset,
        )
    )


def _reset(
    turn: Turn,
    client: Client,
    leader: Replica,
    position: Offset,
    variant: Literal["below_start", "undefined"] | None,
    isolation: Isolation,
) -> None:
    """Go on at the leader's latest offset, if it gives one now (ListOffsets, KIP-207)."""
    partition = leader.partition
    latest = list_offset(leader, "latest", isolation=isolation, rules=turn.cluster.profile.rules)
    if isinstance(latest, ErrorCode):
        leading = leader.leading
        assert leading is not None, "leaders are asked"
        turn.say(
            ConsumerOffsetNotAvailable(
                consumer=client.name,
                partition=partition,
                broker=leader.broker_id,
                offset=position,
                high_watermark=leader.high_watermark,
                leader_epoch_start_offset=leading.leader_epoch_start_offset,
                error=latest,
            )
        )
        return
    put_client(
        turn,
        replace(
            client,
            positions=with_entry(client.positions, partition, latest),
            resets=tuple(sorted({*client.resets, partition})),
            position_epochs=with_entry(client.position_epochs, partition, leader.leader_epoch),
        ),
    )
    turn.say(
        ConsumerOutOfRange(
            variant=variant,
            consumer=client.name,
            partition=partition,
            broker=leader.broker_id,
            offset=position,
            log_start_offset=leader.log.log_start_offset,
            log_end_offset=leader.log_end_offset,
            reset_to=latest,
        )
    )


def replica_that_answers(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Replica:
    """The replica of a broker that runs; refused where it does not."""
    broker = cluster.broker(broker_id)
    if not broker.running:
        raise RefusedError("receiver_down", broker=broker_id, state=broker.process)
    return cluster.replica(broker_id, partition)


def fail(
    turn: Turn, name: str, partition: TopicPartition, broker_id: BrokerId, error: ErrorCode
) -> None:
    """A consumer gets an error instead of records."""
    epochs = error in (ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH)
    turn.say(
        ConsumeFailed(
            variant=error,
            rule="KIP-320-CONSUMER" if epochs else None,
            consumer=name,
            partition=partition,
            broker=broker_id,
            error=error,
        )
    )

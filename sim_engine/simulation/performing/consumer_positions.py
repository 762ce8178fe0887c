"""A consumer's position: whether it is still valid, and where the consumer continues if
it is not.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.state import Client, ClusterState, error_without_replica
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
from sim_engine.protocol.leader.requests import epoch_error, list_offset
from sim_engine.protocol.log import Isolation, end_offset_for
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.client_metadata import put_client, with_entry
from sim_engine.simulation.permissions import ChangesClients, ReadsCluster
from sim_engine.simulation.refusal import RefusedError


def is_truncated(work: ChangesClients, name: str, partition: TopicPartition) -> bool:
    """Validate a consumer's position after a leader change. Returns whether the log was truncated.

    Kafka: KIP-320, `SubscriptionState.maybeCompleteValidation`. If the epoch of the record that it
    read last ends below its position, it continues from that end; if the leader cannot determine
    the end, from the latest offset. A consumer that has read nothing cannot detect a truncation.
    """
    client = work.cluster.clients.client(name)
    if not work.cluster.profile.rules.consumers_validate_positions:
        return False
    known = dict(client.leader_epochs).get(partition)
    read_epoch = dict(client.position_epochs).get(partition)
    if known is None or dict(client.validated_epochs).get(partition) == known:
        return False
    validated = replace(
        client, validated_epochs=with_entry(client.validated_epochs, partition, known)
    )
    if read_epoch is None:
        put_client(work, validated)
        return False
    leader = client.leader_of(partition)
    assert leader is not None, "the consumer has asked who leads"
    if leader == NO_LEADER:
        raise RefusedError("no_leader", rule="KIP-320-CONSUMER", partition=partition)
    replica = responding_replica(work.cluster, leader, partition)
    error = error_without_replica(work.cluster, leader, partition, "epoch_lookup")
    if error is ErrorCode.NONE:
        error = epoch_error(replica, known)
    if error is not ErrorCode.NONE:
        fail(work, name, partition, leader, error)
        return True
    epoch, end = end_offset_for(
        replica.epoch_cache, read_epoch, replica.log_end_offset, work.cluster.profile.rules
    )
    position = client.position_in(partition)
    if end == UNDEFINED_OFFSET:
        _reset(work, validated, replica, position, "undefined", "read_uncommitted")
        return True
    if end < position:
        put_client(
            work,
            replace(
                validated,
                positions=with_entry(client.positions, partition, end),
                resets=tuple(sorted({*client.resets, partition})),
                position_epochs=with_entry(client.position_epochs, partition, epoch),
            ),
        )
        work.say(
            ConsumerTruncationDetected(
                consumer=name,
                partition=partition,
                broker=leader,
                offset=position,
                epoch=read_epoch,
                end_offset=end,
                leader_epoch=known,
                subject=EventSubject(
                    partition=partition, replicas=(leader,), offsets=offsets_between(end, position)
                ),
            )
        )
        return True
    put_client(work, validated)
    work.say(
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


def leave_range(
    work: ChangesClients, client: Client, replica: Replica, isolation: Isolation
) -> None:
    """A consumer's position is outside the log that it reads. At the leader, the position is reset;
    at a follower, the consumer returns to the leader.
    """
    position = client.position_in(replica.partition)
    if replica.leading is not None:
        below = position < replica.log.log_start_offset
        _reset(work, client, replica, position, "below_start" if below else None, isolation)
        return
    work.say(
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
    work: ChangesClients,
    client: Client,
    leader: Replica,
    position: Offset,
    variant: Literal["below_start", "undefined"] | None,
    isolation: Isolation,
) -> None:
    """Continue at the leader's latest offset, if the leader returns one now
    (ListOffsets, KIP-207).
    """
    partition = leader.partition
    latest = list_offset(leader, "latest", isolation=isolation, rules=work.cluster.profile.rules)
    if isinstance(latest, ErrorCode):
        leading = leader.leading
        assert leading is not None, "leaders are asked"
        work.say(
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
        work,
        replace(
            client,
            positions=with_entry(client.positions, partition, latest),
            resets=tuple(sorted({*client.resets, partition})),
            position_epochs=with_entry(client.position_epochs, partition, leader.leader_epoch),
        ),
    )
    work.say(
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


def responding_replica(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Replica:
    """The replica of a running broker. Refuses if the broker is not running."""
    broker = cluster.broker(broker_id)
    if not broker.running:
        raise RefusedError("receiver_down", broker=broker_id, state=broker.process)
    return cluster.replica(broker_id, partition)


def fail(
    work: ReadsCluster, name: str, partition: TopicPartition, broker_id: BrokerId, error: ErrorCode
) -> None:
    """A consumer receives an error instead of records."""
    epochs = error in (ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH)
    work.say(
        ConsumeFailed(
            variant=error,
            rule="KIP-320-CONSUMER" if epochs else None,
            consumer=name,
            partition=partition,
            broker=broker_id,
            error=error,
        )
    )

"""Consumers read from the leader or a follower, as far as their isolation level allows.

The broker responds within the same action. From 2.3 a consumer can detect that the log has changed
since its last read, by the epoch of the record that it read last. If its position is not valid any
more, it continues elsewhere or fails.
"""

from typing import Literal, TypedDict

from msgspec.structs import replace

from sim_engine.actions.steps import Consume
from sim_engine.class_tables import for_class
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import (
    Client,
    ClusterState,
    ConsumedRecord,
    error_without_replica,
    with_known,
)
from sim_engine.events.base import EventSubject
from sim_engine.events.clients import (
    ConsumeFailed,
    ConsumerOffsetNotAvailable,
    ConsumerOutOfRange,
    ConsumerPassedOver,
    ConsumerPositionValidated,
    ConsumerRead,
    ConsumerReadNothing,
    ConsumerSentToFollower,
    ConsumerTruncationDetected,
)
from sim_engine.identifiers import (
    NO_LEADER,
    UNDEFINED_OFFSET,
    BrokerId,
    ErrorCode,
    LeaderEpoch,
    Offset,
    TopicPartition,
    offsets_between,
)
from sim_engine.narration import RefusedError
from sim_engine.protocol.leader.requests import (
    Read,
    consumer_epoch_error,
    epoch_error,
    list_offset,
    preferred_read_replica,
    read_for_consumer,
)
from sim_engine.protocol.log import Isolation, end_offset_for
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record
from sim_engine.simulation.effects.messages import believed_leader, client_named, refresh_metadata
from sim_engine.simulation.working_copy import ChangesClients, ReadsCluster

_OUTDATED_METADATA = (
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.REPLICA_NOT_AVAILABLE,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.FENCED_LEADER_EPOCH,
)
"""Errors after which a consumer requests new metadata (`FetchCollector.handleInitializeErrors`)."""

RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector"


def consume(work: ChangesClients, action: Consume) -> None:
    """A consumer reads from its position up to the last visible offset on the broker that it
    fetches from.

    This is the leader in its metadata, or a follower that the step names (KIP-392). It may read
    below that broker's high watermark or, with read_committed, below the last stable offset.
    Between that and the log end offset it receives no records and no error. Outside the leader's
    log it continues at the leader's latest offset (`auto.offset.reset=latest`); outside a
    follower's log it returns to the leader with the same position. With `replica.selector.class`,
    the leader redirects a consumer with a rack to a follower. A broker without a replica responds
    with an error, after which the consumer refreshes its metadata.
    """
    name, partition, named = action.as_, action.partition, action.broker
    isolation: Isolation = action.isolation or "read_uncommitted"
    if isolation == "read_committed" and not work.cluster.profile.rules.idempotent_producers:
        raise RefusedError("no_transactions", rule="KIP-98", kafka=work.cluster.profile.kafka)
    leader = believed_leader(work, client_named(work, name, "consumer"), partition)
    asked = leader if named is None else named
    if asked == NO_LEADER:
        fail(work, name, partition, asked, ErrorCode.LEADER_NOT_AVAILABLE)
        return
    replica = responding_replica(work.cluster, asked, partition)
    error = _admitted(work, name, replica, is_named=named is not None)
    if error is not ErrorCode.NONE:
        fail(work, name, partition, asked, error)
        if error in _OUTDATED_METADATA:
            refresh_metadata(work, name, partition)
        return
    if is_truncated(work, name, partition):
        return
    client = work.cluster.clients.client(name)
    position = client.position_in(partition)
    if action.rack is not None and _is_in_range(replica, position):
        replica = _nearest(work, client, replica, action.rack)
    if not _is_in_range(replica, position):
        leave_range(work, client, replica, isolation)
        return
    read = read_for_consumer(replica, position, isolation=isolation, most=action.max)
    take_records(work, client, replica, read, isolation)


def _is_in_range(replica: Replica, position: int) -> bool:
    return replica.log.log_start_offset <= position <= replica.log_end_offset


def _nearest(work: ChangesClients, client: Client, leader: Replica, rack: str) -> Replica:
    """The replica to which the leader redirects a consumer in this rack; the leader itself if no
    replica there is available (KIP-392).
    """
    cluster = work.cluster
    if not cluster.profile.rules.follower_reads or (
        effective(cluster, broker=leader.broker_id).get("replica.selector.class") != RACK_AWARE
    ):
        return leader
    chosen = preferred_read_replica(
        leader,
        client.position_in(leader.partition),
        rack=rack,
        racks={broker.broker_id: broker.rack for broker in cluster.brokers},
        rules=cluster.profile.rules,
    )
    if chosen == leader.broker_id or not cluster.broker(chosen).running:
        return leader
    replica = cluster.replica(chosen, leader.partition)
    if _admitted(work, client.name, replica, is_named=True) is not ErrorCode.NONE:
        return leader
    work.say(
        ConsumerSentToFollower(
            consumer=client.name,
            partition=leader.partition,
            broker=leader.broker_id,
            follower=chosen,
            rack=rack,
        )
    )
    return replica


def _admitted(work: ChangesClients, name: str, replica: Replica, *, is_named: bool) -> ErrorCode:
    """Whether a broker serves this consumer: it is the leader, or followers may be read; and if the
    version checks it, both have the same leader epoch.
    """
    rules = work.cluster.profile.rules
    missing = error_without_replica(
        work.cluster, replica.broker_id, replica.partition, "consumer_fetch"
    )
    if missing is not ErrorCode.NONE:
        return missing
    if replica.leading is None and is_named and not rules.follower_reads:
        raise RefusedError(
            "no_follower_reads", rule="KIP-392", **replica.place(), kafka=work.cluster.profile.kafka
        )
    # A follower serves every consumer (KIP-392), also one that takes it for the leader.
    serves = replica.following and (is_named or rules.follower_reads)
    if replica.leading is None and not serves:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if not rules.consumers_validate_positions:
        return ErrorCode.NONE
    partition = replica.partition
    known = work.cluster.clients.client(name).knows(partition)
    error = consumer_epoch_error(replica, known.leader_epoch)
    if error is ErrorCode.FENCED_LEADER_EPOCH and (is_named or replica.leading is not None):
        # The consumer's metadata is outdated: it refreshes, and sends the request with the new
        # epoch immediately.
        refresh_metadata(work, name, partition)
        known = work.cluster.clients.client(name).knows(partition)
        error = consumer_epoch_error(replica, known.leader_epoch)
    return error


def is_truncated(work: ChangesClients, name: str, partition: TopicPartition) -> bool:
    """Validate a consumer's position after a leader change. Returns whether the log was truncated.

    Kafka: KIP-320, `SubscriptionState.maybeCompleteValidation`. If the epoch of the record that it
    read last ends below its position, it continues from that end; if the leader cannot determine
    the end, from the latest offset. A consumer that has read nothing cannot detect a truncation.
    """
    client = work.cluster.clients.client(name)
    if not work.cluster.profile.rules.consumers_validate_positions:
        return False
    known = client.knows(partition)
    leader, leader_epoch, read_epoch = known.leader, known.leader_epoch, known.position_epoch
    if leader_epoch is None or known.validated_epoch == leader_epoch:
        return False
    validated = with_known(client, replace(known, validated_epoch=leader_epoch))
    if read_epoch is None:
        work.put_client(validated)
        return False
    assert leader is not None, "the consumer has asked who leads"
    if leader == NO_LEADER:
        raise RefusedError("no_leader", rule="KIP-320-CONSUMER", partition=partition)
    replica = responding_replica(work.cluster, leader, partition)
    error = error_without_replica(work.cluster, leader, partition, "epoch_lookup")
    if error is ErrorCode.NONE:
        error = epoch_error(replica, leader_epoch)
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
        _put_reset(work, validated, partition, end, epoch)
        work.say(
            ConsumerTruncationDetected(
                consumer=name,
                partition=partition,
                broker=leader,
                offset=position,
                epoch=read_epoch,
                end_offset=end,
                leader_epoch=leader_epoch,
                subject=EventSubject(
                    partition=partition, replicas=(leader,), offsets=offsets_between(end, position)
                ),
            )
        )
        return True
    work.put_client(validated)
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
    """Continue at the leader's latest offset, if it returns one now (ListOffsets, KIP-207)."""
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
    _put_reset(work, client, partition, latest, leader.leader_epoch)
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


def _put_reset(
    work: ChangesClients,
    client: Client,
    partition: TopicPartition,
    position: Offset,
    epoch: LeaderEpoch,
) -> None:
    """Store a consumer whose position has been reset to that of an epoch."""
    known = client.knows(partition)
    reset = replace(known, position=position, position_epoch=epoch, was_reset=True)
    work.put_client(with_known(client, reset))


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


class _ReadNumbers(TypedDict):
    """The values in the events of every response to a consumer's fetch."""

    consumer: str
    partition: TopicPartition
    broker: BrokerId
    high_watermark: Offset
    last_stable_offset: Offset
    log_end_offset: Offset


def take_records(
    work: ChangesClients, client: Client, replica: Replica, read: Read, isolation: Isolation
) -> None:
    """A consumer receives the records of a response, possibly none, and its position advances."""
    partition = replica.partition
    position = client.position_in(partition)
    common: _ReadNumbers = {
        "consumer": client.name,
        "partition": partition,
        "broker": replica.broker_id,
        "high_watermark": replica.high_watermark,
        "last_stable_offset": read.bound,
        "log_end_offset": replica.log_end_offset,
    }
    variant: Literal["committed", "follower"] | None = None
    rule = "CONSUMER-HIGH-WATERMARK"
    if isolation == "read_committed":
        variant, rule = "committed", "LAST-STABLE-OFFSET"
    elif replica.leading is None:
        variant, rule = "follower", "KIP-392"
    if read.next_offset == position:
        nothing: Literal["committed", "follower", "end"] | None = variant
        if position >= replica.log_end_offset and variant != "follower":
            nothing, rule = "end", "CONSUMER-HIGH-WATERMARK"
        elif variant == "committed" and read.bound >= replica.high_watermark:
            nothing, rule = None, "CONSUMER-HIGH-WATERMARK"
        work.say(ConsumerReadNothing(variant=nothing, rule=rule, offset=position, **common))
        return
    epoch = replica.log.records[read.next_offset - 1 - replica.log.log_start_offset].epoch
    known = client.knows(partition)
    moved = replace(
        known,
        position=read.next_offset,
        position_epoch=known.position_epoch if epoch is None else epoch,
        was_reset=known.was_reset and not read.records,
    )
    work.put_client(with_known(client, moved))
    if read.records:
        _note_reads(work, client, replica, read, isolation)
        work.say(
            ConsumerRead(
                variant=variant,
                rule=rule,
                values=tuple(record.value for record in read.records),
                from_offset=position,
                to_offset=read.next_offset,
                subject=_subject(replica, read.records),
                **common,
            )
        )
    if read.passed_over:
        work.say(
            ConsumerPassedOver(
                variant="aborted" if any(not r.control for r in read.passed_over) else None,
                values=tuple(record.value for record in read.passed_over),
                to_offset=read.next_offset,
                subject=_subject(replica, read.passed_over),
                **common,
            )
        )


def _subject(replica: Replica, records: tuple[Record, ...]) -> EventSubject:
    offsets = tuple(record.offset for record in records)
    return EventSubject(partition=replica.partition, replicas=(replica.broker_id,), offsets=offsets)


def _note_reads(
    work: ChangesClients, client: Client, replica: Replica, response: Read, isolation: Isolation
) -> None:
    """Add the records to those that were read. `client` is the consumer before this read."""
    was_reset = client.knows(replica.partition).was_reset
    clients = work.cluster.clients
    read = (
        ConsumedRecord(
            consumer=client.name,
            partition=replica.partition,
            offset=record.offset,
            value=record.value,
            id=record.id,
            frame=work.frame,
            broker=replica.broker_id,
            isolation=isolation,
            after_reset=was_reset and index == 0,
        )
        for index, record in enumerate(response.records)
    )
    work.put_clients(replace(clients, consumed=(*clients.consumed, *read)))


PERFORMED = (for_class(Consume, consume),)

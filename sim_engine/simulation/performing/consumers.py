"""Consumers read: from the leader or a follower, as far as their isolation lets them.

The broker answers in the action that asks. A consumer has a position; whether the log that it reads
is still the one it read before it can only tell from 2.3 on, by the epoch of what it read last.
"""

from typing import Literal, TypedDict

from msgspec.structs import replace

from sim_engine.actions import Consume
from sim_engine.cluster.clients import Client, ConsumedRecord
from sim_engine.cluster.start import effective
from sim_engine.error_codes import ErrorCode
from sim_engine.events import Evidence
from sim_engine.events.consumer import (
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
from sim_engine.identifiers import NO_LEADER, UNDEFINED_OFFSET, BrokerId, Offset, TopicPartition
from sim_engine.protocol.leader.consumer_reads import (
    Read,
    consumer_epoch_error,
    list_offset,
    preferred_read_replica,
    read_for_consumer,
)
from sim_engine.protocol.log.leader_epoch_cache import end_offset_for
from sim_engine.protocol.log.producer_state import Isolation
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.client_metadata import (
    believed_leader,
    client_named,
    put_client,
    refresh_metadata,
    with_entry,
)
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn

RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector"


def consume(turn: Turn, action: Consume) -> None:
    """A consumer reads from its position up to what it may see on the broker that it asks.

    That is the leader it believes in, or a follower that the step names (KIP-392). It may read
    below that broker's high watermark, with read_committed below the last stable offset. Between
    that and the log's end it gets nothing and no error. Outside the log of the leader it starts
    again at the leader's latest offset (`auto.offset.reset=latest`); outside the log of a follower
    it goes back to the leader, its position as it was. A consumer with a rack is sent to a follower
    by the leader itself, where `replica.selector.class` says so.
    """
    name, partition, named = action.as_, action.partition, action.broker
    isolation: Isolation = action.isolation or "read_uncommitted"
    if isolation == "read_committed" and not turn.cluster.profile.rules.idempotent_producers:
        raise RefusedError("no_transactions", rule="KIP-98", kafka=turn.cluster.profile.kafka)
    if named is not None and named not in turn.cluster.controller.partition(partition).replicas:
        raise RefusedError("not_a_replica", broker=named, partition=partition)
    leader = believed_leader(turn, client_named(turn, name, "consumer"), partition)
    asked = leader if named is None else named
    if asked == NO_LEADER:
        _fail(turn, name, partition, asked, ErrorCode.LEADER_NOT_AVAILABLE)
        return
    replica = _replica_that_answers(turn, asked, partition)
    error = _admitted(turn, name, replica, is_named=named is not None)
    if error is not ErrorCode.NONE:
        _fail(turn, name, partition, asked, error)
        if error is ErrorCode.NOT_LEADER_OR_FOLLOWER:
            refresh_metadata(turn, name, partition)
        return
    if _is_truncated(turn, name, partition):
        return
    client = _client(turn, name)
    position = client.position_in(partition)
    if action.rack is not None and _is_in_range(replica, position):
        replica = _nearest(turn, client, replica, action.rack)
    if not _is_in_range(replica, position):
        _out_of_range(turn, client, replica, isolation)
        return
    found = read_for_consumer(replica, position, isolation=isolation, most=action.max)
    _take(turn, client, replica, found, isolation)


def _client(turn: Turn, name: str) -> Client:
    client = turn.cluster.clients.find(name)
    assert client is not None, "the consumer has begun"
    return client


def _is_in_range(replica: Replica, position: int) -> bool:
    return replica.log.log_start_offset <= position <= replica.log_end_offset


def _nearest(turn: Turn, client: Client, leader: Replica, rack: str) -> Replica:
    """Who the leader sends a consumer of that rack to; itself, where it or the consumer finds
    nobody there who answers (KIP-392)."""
    cluster = turn.cluster
    if not cluster.profile.rules.follower_reads or (
        effective(cluster).get("replica.selector.class") != RACK_AWARE
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
    if _admitted(turn, client.name, replica, is_named=True) is not ErrorCode.NONE:
        return leader
    turn.say(
        ConsumerSentToFollower(
            consumer=client.name,
            partition=leader.partition,
            broker=leader.broker_id,
            follower=chosen,
            rack=rack,
        )
    )
    return replica


def _replica_that_answers(turn: Turn, broker_id: BrokerId, partition: str) -> Replica:
    broker = turn.cluster.broker(broker_id)
    if not broker.running:
        raise RefusedError("receiver_down", broker=broker_id, state=broker.process)
    return turn.cluster.replica(broker_id, partition)


def _admitted(turn: Turn, name: str, replica: Replica, *, is_named: bool) -> ErrorCode:
    """Whether a broker serves this consumer: it leads, or may be read as a follower, and both are
    of one leader epoch where the version looks at that."""
    rules = turn.cluster.profile.rules
    if replica.leading is None and is_named and not rules.follower_reads:
        raise RefusedError(
            "no_follower_reads",
            rule="KIP-392",
            broker=replica.broker_id,
            partition=replica.partition,
            kafka=turn.cluster.profile.kafka,
        )
    if replica.leading is None and not (is_named and replica.following):
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if not rules.consumers_validate_positions:
        return ErrorCode.NONE
    partition = replica.partition
    known = dict(_client(turn, name).leader_epochs).get(partition)
    error = consumer_epoch_error(replica, known)
    if error is ErrorCode.FENCED_LEADER_EPOCH:
        # Its metadata is old: it asks again, and the request with the new epoch follows at once.
        refresh_metadata(turn, name, partition)
        error = consumer_epoch_error(
            replica, dict(_client(turn, name).leader_epochs).get(partition)
        )
    return error


# --- the position ----------------------------------------------------------------------------


def _is_truncated(turn: Turn, name: str, partition: str) -> bool:
    """Under new leadership a consumer asks the leader whether its position is still on the log.

    Kafka: KIP-320, `SubscriptionState.maybeCompleteValidation`. Where the epoch of what it read
    last ends below its position, it goes on from there; where the leader cannot tell, from the
    latest offset. A consumer that has read nothing has nothing to compare.
    """
    client = _client(turn, name)
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
    replica = _replica_that_answers(turn, leader, partition)
    error = consumer_epoch_error(replica, known)
    if error is ErrorCode.NONE and replica.leading is None:
        error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    if error is not ErrorCode.NONE:
        _fail(turn, name, partition, leader, error)
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
                evidence=Evidence(
                    partition=partition, replicas=(leader,), offsets=tuple(range(end, position))
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


def _out_of_range(turn: Turn, client: Client, replica: Replica, isolation: Isolation) -> None:
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
    position: int,
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


# --- what was read ---------------------------------------------------------------------------


class _ReadNumbers(TypedDict):
    """What is said of every answer to a consumer's fetch."""

    consumer: str
    partition: TopicPartition
    broker: BrokerId
    high_watermark: Offset
    last_stable_offset: Offset
    log_end_offset: Offset


def _take(turn: Turn, client: Client, replica: Replica, found: Read, isolation: Isolation) -> None:
    partition = replica.partition
    position = client.position_in(partition)
    common: _ReadNumbers = {
        "consumer": client.name,
        "partition": partition,
        "broker": replica.broker_id,
        "high_watermark": replica.high_watermark,
        "last_stable_offset": found.bound,
        "log_end_offset": replica.log_end_offset,
    }
    variant: Literal["committed", "follower"] | None = None
    rule = "CONSUMER-HIGH-WATERMARK"
    if isolation == "read_committed":
        variant, rule = "committed", "LAST-STABLE-OFFSET"
    elif replica.leading is None:
        variant, rule = "follower", "KIP-392"
    if found.next_offset == position:
        turn.say(
            ConsumerReadNothing(
                variant=variant,
                rule=rule,
                offset=position,
                **common,
            )
        )
        return
    epoch = replica.log.records[found.next_offset - 1 - replica.log.log_start_offset].epoch
    epochs = client.position_epochs
    put_client(
        turn,
        replace(
            client,
            positions=with_entry(client.positions, partition, found.next_offset),
            position_epochs=epochs if epoch is None else with_entry(epochs, partition, epoch),
        ),
    )
    if found.records:
        _note_reads(turn, client, replica, found, isolation)
        turn.say(
            ConsumerRead(
                variant=variant,
                rule=rule,
                values=tuple(record.value for record in found.records),
                from_offset=position,
                to_offset=found.next_offset,
                evidence=Evidence(
                    partition=partition,
                    replicas=(replica.broker_id,),
                    offsets=tuple(record.offset for record in found.records),
                ),
                **common,
            )
        )
    if found.passed_over:
        turn.say(
            ConsumerPassedOver(
                variant="aborted" if any(not r.control for r in found.passed_over) else None,
                values=tuple(record.value for record in found.passed_over),
                to_offset=found.next_offset,
                evidence=Evidence(
                    partition=partition,
                    replicas=(replica.broker_id,),
                    offsets=tuple(record.offset for record in found.passed_over),
                ),
                **common,
            )
        )


def _note_reads(
    turn: Turn, client: Client, replica: Replica, found: Read, isolation: Isolation
) -> None:
    partition = replica.partition
    was_reset = partition in client.resets
    now = _client(turn, client.name)
    put_client(
        turn, replace(now, resets=tuple(other for other in now.resets if other != partition))
    )
    clients = turn.cluster.clients
    read = (
        ConsumedRecord(
            consumer=client.name,
            partition=partition,
            offset=record.offset,
            value=record.value,
            id=record.id,
            frame=turn.frame,
            broker=replica.broker_id,
            isolation=isolation,
            after_reset=was_reset and index == 0,
        )
        for index, record in enumerate(found.records)
    )
    turn.put_clients(replace(clients, consumed=(*clients.consumed, *read)))


def _fail(turn: Turn, name: str, partition: str, broker_id: BrokerId, error: ErrorCode) -> None:
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

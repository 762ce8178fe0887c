"""Consumers read: from the leader or a follower, as far as their isolation lets them.

The broker answers in the action that asks. A consumer has a position; whether the log that it reads
is still the one it read before it can only tell from 2.3 on, by the epoch of what it read last.
"""

from sim_engine.actions import Consume
from sim_engine.cluster.clients import Client
from sim_engine.cluster.start import effective
from sim_engine.error_codes import ErrorCode
from sim_engine.events.consumer import ConsumerSentToFollower
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.leader.consumer_reads import (
    consumer_epoch_error,
    preferred_read_replica,
    read_for_consumer,
)
from sim_engine.protocol.log.producer_state import Isolation
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.client_metadata import (
    believed_leader,
    client_named,
    refresh_metadata,
)
from sim_engine.simulation.performing.consumer_positions import (
    fail,
    is_truncated,
    leave_range,
    replica_that_answers,
)
from sim_engine.simulation.performing.consumer_records import take_records
from sim_engine.simulation.performing.table import Entry, performs
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
        fail(turn, name, partition, asked, ErrorCode.LEADER_NOT_AVAILABLE)
        return
    replica = replica_that_answers(turn.cluster, asked, partition)
    error = _admitted(turn, name, replica, is_named=named is not None)
    if error is not ErrorCode.NONE:
        fail(turn, name, partition, asked, error)
        if error is ErrorCode.NOT_LEADER_OR_FOLLOWER:
            refresh_metadata(turn, name, partition)
        return
    if is_truncated(turn, name, partition):
        return
    client = turn.cluster.clients.client(name)
    position = client.position_in(partition)
    if action.rack is not None and _is_in_range(replica, position):
        replica = _nearest(turn, client, replica, action.rack)
    if not _is_in_range(replica, position):
        leave_range(turn, client, replica, isolation)
        return
    found = read_for_consumer(replica, position, isolation=isolation, most=action.max)
    take_records(turn, client, replica, found, isolation)


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
    known = dict(turn.cluster.clients.client(name).leader_epochs).get(partition)
    error = consumer_epoch_error(replica, known)
    if error is ErrorCode.FENCED_LEADER_EPOCH:
        # Its metadata is old: it asks again, and the request with the new epoch follows at once.
        refresh_metadata(turn, name, partition)
        error = consumer_epoch_error(
            replica, dict(turn.cluster.clients.client(name).leader_epochs).get(partition)
        )
    return error


PERFORMED: tuple[Entry, ...] = (performs(Consume, consume),)

"""Consumers read from the leader or a follower, as far as their isolation level allows.

The broker responds within the same action. From 2.3 a consumer can detect that the log has changed
since its last read, by the epoch of the record that it read last.
"""

from sim_engine.actions import Consume
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Client, error_without_replica
from sim_engine.error_codes import ErrorCode
from sim_engine.events.consumer import ConsumerSentToFollower
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.leader.requests import (
    consumer_epoch_error,
    preferred_read_replica,
    read_for_consumer,
)
from sim_engine.protocol.log import Isolation
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
    responding_replica,
)
from sim_engine.simulation.performing.consumer_records import take_records
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import ChangesClients
from sim_engine.simulation.refusal import RefusedError

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
    found = read_for_consumer(replica, position, isolation=isolation, most=action.max)
    take_records(work, client, replica, found, isolation)


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
            "no_follower_reads",
            rule="KIP-392",
            broker=replica.broker_id,
            partition=replica.partition,
            kafka=work.cluster.profile.kafka,
        )
    # A follower serves every consumer (KIP-392), also one that takes it for the leader.
    serves = replica.following and (is_named or rules.follower_reads)
    if replica.leading is None and not serves:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if not rules.consumers_validate_positions:
        return ErrorCode.NONE
    partition = replica.partition
    known = dict(work.cluster.clients.client(name).leader_epochs).get(partition)
    error = consumer_epoch_error(replica, known)
    if error is ErrorCode.FENCED_LEADER_EPOCH and (is_named or replica.leading is not None):
        # The consumer's metadata is outdated: it refreshes, and sends the request with the new
        # epoch immediately.
        refresh_metadata(work, name, partition)
        error = consumer_epoch_error(
            replica, dict(work.cluster.clients.client(name).leader_epochs).get(partition)
        )
    return error


PERFORMED: tuple[Entry, ...] = (performs(Consume, consume),)

"""A follower's fetch loop sends its next request."""

from sim_engine.actions import SendFetch
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.protocol.follower.fetching import send_next
from sim_engine.protocol.replica import late_request_to
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import AppliesOutcomes
from sim_engine.simulation.refusal import RefusedError


def why_no_fetch(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> RefusedError | None:
    """Why a follower cannot send its next request now; None if it can."""
    broker = cluster.broker(broker_id)
    if not broker.running:
        return RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    replica = broker.replica(partition)
    if replica is None:
        return RefusedError("not_a_replica", broker=broker_id, partition=partition)
    if replica.leading is not None:
        return RefusedError("is_leader", broker=broker_id, partition=partition)
    fetcher = replica.fetcher
    if fetcher is None or fetcher.leader == NO_LEADER:
        if cluster.controller.partition(partition).leader == NO_LEADER:
            return RefusedError("no_leader", partition=partition)
        return RefusedError("leader_unknown", broker=broker_id, partition=partition)
    if fetcher.phase == "failed":
        return RefusedError("fetcher_failed", broker=broker_id, partition=partition)
    if fetcher.awaiting is not None or late_request_to(replica, fetcher.leader) is not None:
        return RefusedError("request_in_flight", broker=broker_id, partition=partition)
    if not cluster.broker(fetcher.leader).alive:
        return RefusedError(
            "receiver_down",
            broker=fetcher.leader,
            state=cluster.broker(fetcher.leader).process,
        )
    if cluster.is_cut(broker_id, fetcher.leader):
        return RefusedError("link_cut", rule="TCP-ORDER", link=(broker_id, fetcher.leader))
    return None


def send_fetch(work: AppliesOutcomes, action: SendFetch) -> None:
    """A follower sends the next request of its fetch loop, of whatever kind."""
    broker_id = action.broker
    partition = followed_partition(work.cluster, broker_id, action.partition)
    refused = why_no_fetch(work.cluster, broker_id, partition)
    if refused is not None:
        raise refused
    outcome = send_next(
        work.cluster.replica(broker_id, partition),
        settings=work.cluster.settings_at(broker_id, partition),
        broker_epoch=work.cluster.controller.broker(broker_id).broker_epoch,
        message_id=work.cluster.next_message_id,
        max_records=action.records,
    )
    apply_outcome(work, outcome)


def followed_partition(
    cluster: ClusterState, broker_id: BrokerId, asked: TopicPartition | None
) -> TopicPartition:
    """The partition of a fetch step: the named one, otherwise the first that the broker follows."""
    if asked is not None:
        return asked
    replicas = cluster.broker(broker_id).replicas
    for replica in replicas:
        if replica.fetcher is not None:
            return replica.partition
    if not replicas:
        raise RefusedError("not_a_replica", broker=broker_id, partition=cluster.partitions[0])
    return replicas[0].partition


PERFORMED: tuple[Entry, ...] = (performs(SendFetch, send_fetch),)

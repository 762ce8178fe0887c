"""Idle fetchers (without partitions), and how long a broker waits until they have ended."""

from collections.abc import Mapping

from msgspec.structs import replace

from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState, EndingFetcher
from sim_engine.identifiers import BrokerId, TimeMs
from sim_engine.protocol.messages import Message
from sim_engine.simulation.permissions import ChangesBrokers, ChangesReplicas


def requests_by_source(broker: Broker) -> dict[BrokerId, int]:
    """Broker that this one fetches from → the message id of the request in flight."""
    return {
        replica.fetcher.leader: replica.fetcher.awaiting
        for replica in broker.replicas
        if replica.fetcher is not None and replica.fetcher.awaiting is not None
    }


def end_idle_fetchers(work: ChangesReplicas, broker_id: BrokerId) -> None:
    """End fetchers that have no partition left; nothing waits for their requests in flight any more
    (`shutdownIdleFetcherThreads`). A fetcher with another partition keeps waiting for its response.
    """
    followed = {
        replica.fetcher.leader
        for replica in work.cluster.broker(broker_id).replicas
        if replica.fetcher is not None and replica.fetcher.phase != "failed"
    }
    for replica in work.cluster.broker(broker_id).replicas:
        kept = tuple(late for late in replica.late_requests if late.leader in followed)
        if kept != replica.late_requests:
            work.put_replica(replace(replica, late_requests=kept))


def wait_for_idle_fetchers(
    work: ChangesBrokers, broker_id: BrokerId, fetching: Mapping[BrokerId, int]
) -> None:
    """Shut down the fetchers that have no partition left (`shutdownIdleFetcherThreads`).

    Up to 1.0 this waits for the response to the request in flight, while holding the lock that
    every command needs. From KAFKA-6051 the fetcher closes its connection first.
    """
    broker = work.cluster.broker(broker_id)
    followed = {
        replica.fetcher.leader for replica in broker.replicas if replica.fetcher is not None
    }
    patience_ms = effective(work.cluster, broker=broker_id)["replica.socket.timeout.ms"]
    assert isinstance(patience_ms, int), "the reader checked the type"
    ending = tuple(
        EndingFetcher(request=request, deadline_ms=TimeMs(message.sent_ms + patience_ms))
        for source, request in sorted(fetching.items())
        if source not in followed
        for message in work.cluster.messages
        if _responds_to(message, request)
    )
    work.put_broker(replace(broker, ending_fetchers=ending))


def waiting_fetcher(cluster: ClusterState, broker_id: BrokerId) -> EndingFetcher | None:
    """The fetcher whose end this broker is waiting for; None if there is none.

    It waits only for responses that are held or delayed in the network. Any other response arrives
    within replica.fetch.wait.max.ms, and nothing else happens meanwhile.
    """
    return next(
        (
            ending
            for ending in cluster.broker(broker_id).ending_fetchers
            if ending.deadline_ms > cluster.now_ms
            and any(
                message.held and _responds_to(message, ending.request)
                for message in cluster.messages
            )
        ),
        None,
    )


def _responds_to(message: Message, request: int) -> bool:
    """Whether a message is this request or its response."""
    return request in (message.id, message.in_reply_to)

"""Fetchers that have no partition left, and what a broker waits for until they have ended."""

from collections.abc import Mapping

from msgspec.structs import replace

from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState, EndingFetcher
from sim_engine.identifiers import BrokerId, TimeMs
from sim_engine.protocol.messages import Message
from sim_engine.simulation.turn import Turn


def requests_by_source(broker: Broker) -> dict[BrokerId, int]:
    """Of each broker that this one fetches from, the message id of the request under way."""
    return {
        replica.fetcher.leader: replica.fetcher.awaiting
        for replica in broker.replicas
        if replica.fetcher is not None and replica.fetcher.awaiting is not None
    }


def end_idle_fetchers(turn: Turn, broker_id: BrokerId) -> None:
    """A fetcher that has no partition left ends, and what it has under way is nobody's any more
    (`shutdownIdleFetcherThreads`); one that has another goes on waiting for the answer."""
    followed = {
        replica.fetcher.leader
        for replica in turn.cluster.broker(broker_id).replicas
        if replica.fetcher is not None and replica.fetcher.phase != "failed"
    }
    for replica in turn.cluster.broker(broker_id).replicas:
        kept = tuple(late for late in replica.late_requests if late.leader in followed)
        if kept != replica.late_requests:
            turn.put_replica(replace(replica, late_requests=kept))


def wait_for_idle_fetchers(
    turn: Turn, broker_id: BrokerId, fetching: Mapping[BrokerId, int]
) -> None:
    """Shut down the fetchers that have no partition left (`shutdownIdleFetcherThreads`).

    Up to 1.0 that waits for the answer to the request under way, with the lock held that every
    command needs; from KAFKA-6051 the fetcher hangs up first.
    """
    broker = turn.cluster.broker(broker_id)
    followed = {
        replica.fetcher.leader for replica in broker.replicas if replica.fetcher is not None
    }
    patience_ms = effective(turn.cluster)["replica.socket.timeout.ms"]
    assert isinstance(patience_ms, int), "the reader checked the type"
    ending = tuple(
        EndingFetcher(request=request, deadline_ms=TimeMs(message.sent_ms + patience_ms))
        for source, request in sorted(fetching.items())
        if source not in followed
        for message in turn.cluster.messages
        if _answers(message, request)
    )
    turn.put_broker(replace(broker, ending_fetchers=ending))


def waiting_fetcher(cluster: ClusterState, broker_id: BrokerId) -> EndingFetcher | None:
    """The fetcher whose end this broker still waits for, if any.

    Only what the network holds back makes it wait: an answer that is free to come comes within
    replica.fetch.wait.max.ms, and nothing else happens meanwhile.
    """
    return next(
        (
            ending
            for ending in cluster.broker(broker_id).ending_fetchers
            if ending.deadline_ms > cluster.now_ms
            and any(
                message.held and _answers(message, ending.request) for message in cluster.messages
            )
        ),
        None,
    )


def _answers(message: Message, request: int) -> bool:
    """Whether a message is that request, or the answer to it."""
    return request in (message.id, message.in_reply_to)

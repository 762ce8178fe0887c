"""Recognises fetch rounds that lead back to the state in which they began.

What a follower's rounds do depends only on its own state and its leader's. If rounds lead back to a
state in which the step has begun one before, they repeat until something else changes, for example
until the leader appends a record (KAFKA-10706, KAFKA-15608). A step shows such rounds once.
"""

from msgspec import Struct

from sim_engine.cluster.state import ClusterState
from sim_engine.events.fetch import RoundsRepeat
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.replica import FetcherState
from sim_engine.simulation.fetch_rounds import (
    looks_the_same,
    observable_leading,
    play_round,
    round_changes_something,
)
from sim_engine.simulation.refusal import RefusedError

_MOST_ROUNDS = 8
"""Of a loop. Known ones have one (an epoch lookup) or three (a fetch and two offset lookups)."""


class _Begun(Struct, gc=False):
    """The rounds that one follower began while `data`, what both replicas store, was the same."""

    data: tuple[object, ...]
    fetchers: list[FetcherState]
    repeat: bool = False


class FetchLoops:
    """The rounds that one step has begun.

    For each follower, only those since the last change of its data or its leader's are kept, so
    the cost of a round does not grow with the length of the step.
    """

    def __init__(self) -> None:
        self._begun: dict[tuple[BrokerId, TopicPartition], _Begun] = {}

    def is_due(self, cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition) -> bool:
        """Whether a follower's next round is worth a frame: it changes something visible, or is a
        lookup that leads to the same lookup, and this step has not reported yet that it repeats.
        """
        fetcher = _fetcher_of(cluster, broker_id, partition)
        begun = self._begun.get((broker_id, partition))
        if (
            begun is not None
            and begun.repeat
            and fetcher in begun.fetchers
            and begun.data == _data_of(cluster, fetcher, broker_id, partition)
        ):
            return False
        return round_changes_something(cluster, broker_id, partition) or (
            fetcher.phase == "truncating" and _leads_back(cluster, broker_id, partition)
        )

    def begin(
        self, cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
    ) -> RoundsRepeat | None:
        """Note that a round begins now. If this step has shown it and it repeats, return the event
        that reports this; the round should not be played again then.
        """
        fetcher = _fetcher_of(cluster, broker_id, partition)
        data = _data_of(cluster, fetcher, broker_id, partition)
        begun = self._begun.get((broker_id, partition))
        if begun is None or begun.data != data:
            begun = self._begun[broker_id, partition] = _Begun(data, [])
        if fetcher not in begun.fetchers or not _leads_back(cluster, broker_id, partition):
            begun.fetchers.append(fetcher)
            return None
        begun.repeat = True
        is_lookup = {one.phase for one in begun.fetchers} == {"truncating"}
        return RoundsRepeat(
            variant="lookup" if is_lookup else "out_of_range",
            rule="KIP-101" if is_lookup else "OFFSET-OUT-OF-RANGE",
            sources=("KAFKA-10706" if is_lookup else "KAFKA-15608", "AbstractFetcherThread"),
            broker=broker_id,
            partition=partition,
            leader=fetcher.leader,
            epoch=cluster.replica(broker_id, partition).latest_epoch,
        )


def _fetcher_of(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> FetcherState:
    fetcher = cluster.replica(broker_id, partition).fetcher
    assert fetcher is not None, "a follower's round begins"
    return fetcher


def _data_of(
    cluster: ClusterState, fetcher: FetcherState, broker_id: BrokerId, partition: TopicPartition
) -> tuple[object, ...]:
    """What a round depends on, apart from the fetch loop itself."""
    follower = cluster.replica(broker_id, partition)
    leader = cluster.replica(fetcher.leader, partition)
    return (
        follower.log,
        follower.epoch_cache,
        follower.high_watermark,
        leader.log,
        leader.epoch_cache,
        leader.high_watermark,
        leader.leader_epoch,
        observable_leading(leader.leading),
    )


def _leads_back(cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition) -> bool:
    """Whether a follower's next rounds lead back to this state. A retry after a backoff does not
    count: its error states that it is repeated.
    """
    fetcher = _fetcher_of(cluster, broker_id, partition)
    after = cluster
    for _ in range(_MOST_ROUNDS):
        try:
            after = play_round(after, broker_id, partition)
        except RefusedError:
            return False
        now = after.replica(broker_id, partition).fetcher
        if now is None or now.phase == "failed":
            return False
        if now == fetcher:
            return looks_the_same(after, cluster)
    return False

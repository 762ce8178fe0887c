"""A leader and a follower for tests of one protocol function, and a fetch between them."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, BrokerId, LeaderEpoch, Offset, TimeMs
from sim_engine.protocol.follower.fetch_loop import start_fetching
from sim_engine.protocol.leader.fetches import handle_fetch
from sim_engine.protocol.log import ReplicaLog
from sim_engine.protocol.messages import FetchRequest, FetchResponse, Message
from sim_engine.protocol.replica import (
    BrokerView,
    LeadingState,
    Outcome,
    PartitionSettings,
    RemoteReplica,
    Replica,
)
from sim_engine.records import Record
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, PARTITION

NOW = 3_600_000
LAG_MS = 10_000


def settings(
    kafka: str,
    rules: Mapping[str, bool] | None = None,
    *,
    control: str | None = None,
    lag_messages: int = 4_000,
) -> PartitionSettings:
    """A partition's settings under a release, with single rules switched."""
    return PartitionSettings(
        profile=resolve_profile(kafka, control=control, rules=rules),
        replication_factor=3,
        min_insync_replicas=1,
        unclean_leader_election_enable=False,
        replica_lag_time_max_ms=LAG_MS,
        replica_lag_max_messages=lag_messages,
        replica_fetch_wait_max_ms=500,
        replica_fetch_backoff_ms=1_000,
        flush_messages=None,
    )


BROKER_EPOCH = 7


def view(
    of: PartitionSettings, *, now_ms: int = NOW, eligible: Sequence[int] = (1, 2, 3)
) -> BrokerView:
    """What a broker with these settings reads at a time, in ms."""
    return BrokerView(of, TimeMs(now_ms), dict.fromkeys(map(BrokerId, eligible), BROKER_EPOCH))


def records(count: int, *, epoch: LeaderEpoch | None = FIRST_EPOCH) -> ReplicaLog:
    return ReplicaLog(
        tuple(Record(Offset(offset), epoch, f"m{offset}", f"r{offset}") for offset in range(count))
    )


def leader(
    log_end: int,
    *remotes: RemoteReplica,
    isr: Sequence[int] = (1, 2, 3),
    high_watermark: int = 0,
    leader_epoch: int = 0,
) -> Replica:
    """Broker 1 as leader, with its view of its followers, whose processes are those of `view`."""
    remotes = tuple(
        replace(one, broker_epoch=BROKER_EPOCH) if one.broker_epoch is None else one
        for one in remotes
    )
    return Replica(
        partition=PARTITION,
        broker_id=B1,
        log=records(log_end),
        epoch_cache=((FIRST_EPOCH, FIRST_OFFSET),),
        loaded=True,
        leader=B1,
        leader_epoch=LeaderEpoch(leader_epoch),
        partition_epoch=4,
        high_watermark=Offset(high_watermark),
        leading=LeadingState(
            leader_epoch_start_offset=FIRST_OFFSET, isr=tuple(map(BrokerId, isr)), remotes=remotes
        ),
    )


def follower(log_end: int, *, kafka: str, leader_epoch: int = 0) -> Replica:
    """Broker 2 following broker 1."""
    replica = Replica(
        partition=PARTITION,
        broker_id=B2,
        log=records(log_end),
        epoch_cache=((FIRST_EPOCH, FIRST_OFFSET),),
        loaded=True,
        leader=B1,
        leader_epoch=LeaderEpoch(leader_epoch),
        following=True,
    )
    return replace(
        replica,
        fetcher=start_fetching(replica, B1, LeaderEpoch(leader_epoch), resolve_profile(kafka)),
    )


def fetch(
    replica: Replica,
    of: PartitionSettings,
    offset: int,
    *,
    sender: int = 2,
    now_ms: int = NOW,
    epoch: LeaderEpoch | None = None,
    last_epoch: LeaderEpoch | None = None,
    broker_epochs: tuple[int, int] | None = None,
    message_id: int = 1,
) -> Outcome:
    """A follower's fetch arrives at the leader; `broker_epochs` are the one it names and the one
    that the leader knows."""
    claimed, known = broker_epochs or (None, None)
    request = FetchRequest(
        fetch_offset=Offset(offset),
        log_start_offset=FIRST_OFFSET,
        current_leader_epoch=epoch,
        last_fetched_epoch=last_epoch,
        broker_epoch=claimed,
    )
    message = Message(
        id=message_id,
        sender=BrokerId(sender),
        receiver=B1,
        partition=PARTITION,
        payload=request,
        sent_ms=TimeMs(now_ms),
    )
    return handle_fetch(
        replica, message, request, view(of, now_ms=now_ms), known_broker_epoch=known
    )


def answers(outcome: Outcome) -> list[FetchResponse]:
    return [send.payload for send in outcome.sends if isinstance(send.payload, FetchResponse)]


def believed(outcome: Outcome, broker_id: int) -> RemoteReplica:
    assert outcome.replica.leading is not None
    return next(
        remote for remote in outcome.replica.leading.remotes if remote.broker_id == broker_id
    )

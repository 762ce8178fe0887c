"""A replica becomes a follower, or loses its leader, by decision of the controller."""

from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.events.metadata import BecameFollower, BecameLeaderless, PartitionChangeTaken
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.follower.fetch_state import restarts_fetcher, start_fetching
from sim_engine.protocol.follower.log_truncation import truncate_log
from sim_engine.protocol.follower.truncation_points import TruncationPoint
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.outcome import Outcome, step_down_responses
from sim_engine.protocol.replica import Replica, late_requests_of
from sim_engine.protocol.settings import PartitionSettings


def become_follower(
    replica: Replica, registration: PartitionRegistration, *, settings: PartitionSettings
) -> Outcome:
    """Become, or continue as, a follower by decision of the controller (`Partition.makeFollower`,
    `ReplicaManager.makeFollowers`).

    Waiting produce requests fail with NOT_LEADER_OR_FOLLOWER. The fetch loop restarts, with
    truncation, only if the version's rule requires it; before 0.11 it begins by truncating the log
    to this replica's own high watermark. A loop that continues with the same leader takes over the
    new epoch, and an event reports it.
    """
    profile = settings.profile
    restart = restarts_fetcher(replica, registration, profile)
    produce_responses = step_down_responses(replica)
    events = _role_taken(replica, registration, restart=restart)
    replica = replace(
        replica,
        leader=registration.leader,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        leading=None,
        late_requests=late_requests_of(replica) if restart else replica.late_requests,
        following=True,
    )
    if not restart:
        return Outcome(replica=replica, produce_responses=produce_responses, events=events)
    if not profile.has_epochs:
        replica, cut = truncate_log(
            replica,
            TruncationPoint(offset=replica.high_watermark, complete=True, variant="high_watermark"),
            settings,
            rule="HW-TRUNCATION",
            sources=("ReplicaManager", "KIP-101"),
        )
        events = (*events, *cut)
    fetcher = start_fetching(replica, registration.leader, registration.leader_epoch, profile)
    return Outcome(
        replica=replace(replica, fetcher=fetcher),
        produce_responses=produce_responses,
        events=events,
    )


def _role_taken(
    replica: Replica, registration: PartitionRegistration, *, restart: bool
) -> tuple[Event, ...]:
    """The event of a new follower, or of the change that a continuing follower read."""
    if restart or replica.leading is not None:
        return (
            BecameFollower(
                broker=replica.broker_id,
                partition=replica.partition,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
            ),
        )
    same_epoch = registration.leader_epoch == replica.leader_epoch
    if same_epoch and registration.partition_epoch == replica.partition_epoch:
        return ()
    return (
        PartitionChangeTaken(
            variant="follower" if same_epoch else "follower_epoch",
            rule="KRAFT-PARTITION-CHANGE" if same_epoch else None,
            broker=replica.broker_id,
            partition=replica.partition,
            leader=registration.leader,
            leader_epoch=registration.leader_epoch,
            partition_epoch=registration.partition_epoch,
        ),
    )


def become_leaderless(replica: Replica, registration: PartitionRegistration) -> Outcome:
    """The partition has no leader: the replica becomes a follower without a fetch loop (KRaft,
    `applyLocalFollowersDelta`).
    """
    return Outcome(
        replica=replace(
            replica,
            leader=NO_LEADER,
            leader_epoch=registration.leader_epoch,
            partition_epoch=registration.partition_epoch,
            leading=None,
            fetcher=None,
            late_requests=late_requests_of(replica),
            following=True,
        ),
        produce_responses=step_down_responses(replica),
        events=(
            BecameLeaderless(
                broker=replica.broker_id,
                partition=replica.partition,
                leader_epoch=registration.leader_epoch,
            ),
        ),
    )

"""A broker takes the role that the controller gives one of its replicas."""

from sim_engine.cluster.knowledge import eligible_for_isr
from sim_engine.cluster.state import with_assigned_replicas
from sim_engine.events.log import ReplicaCreated
from sim_engine.events.metadata import DepositionMissed, StatesPassedOver
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.follower.becoming_follower import become_follower, become_leaderless
from sim_engine.protocol.follower.epoch_truncation import truncate_where_diverging
from sim_engine.protocol.leader.leadership import become_leader
from sim_engine.protocol.leader.leading import epoch_error
from sim_engine.protocol.messages import FetchResponse
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import Replica, load_log
from sim_engine.simulation.effects.messages import send
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.turn import Turn


def hosted_replica(
    turn: Turn, broker_id: BrokerId, registration: PartitionRegistration
) -> Replica | None:
    """The broker's replica of a partition; a new one where it has been assigned one since.

    A truncation that it was about to make comes before anything that it is told.
    """
    replica = turn.cluster.broker(broker_id).replica(registration.partition)
    if replica is None and broker_id in registration.replicas:
        turn.cluster = with_assigned_replicas(turn.cluster)
        replica = turn.cluster.broker(broker_id).replica(registration.partition)
    if replica is not None and replica.fetcher is not None and replica.fetcher.diverging_epoch:
        settings = turn.cluster.settings_of(replica.partition)
        apply_outcome(turn, truncate_where_diverging(replica, settings=settings))
        return turn.cluster.replica(broker_id, replica.partition)
    return replica


def take_role(turn: Turn, replica: Replica, registration: PartitionRegistration) -> None:
    """The broker leads the partition from now on, or follows the leader that it is told of."""
    settings = turn.cluster.settings_of(replica.partition)
    if not replica.loaded:
        replica = load_log(replica, recover=False, rules=turn.cluster.profile.rules)
        turn.say(ReplicaCreated(broker=replica.broker_id, partition=replica.partition))
    if registration.leader == replica.broker_id:
        apply_outcome(
            turn,
            become_leader(
                replica,
                registration,
                settings=settings,
                now_ms=turn.cluster.now_ms,
                eligible=eligible_for_isr(turn.cluster, replica.broker_id),
            ),
        )
        return
    _step_down(turn, replica, become_follower(replica, registration, settings=settings))


def lose_leader(turn: Turn, replica: Replica, registration: PartitionRegistration) -> None:
    """The broker learns that its partition has no leader (KRaft)."""
    _step_down(turn, replica, become_leaderless(replica, registration))


def _step_down(turn: Turn, replica: Replica, outcome: Outcome) -> None:
    """Take over a replica that leads no longer; fetches that wait at it are answered with why
    (`DelayedFetch`)."""
    apply_outcome(turn, outcome)
    if replica.leading is None or not replica.leading.parked:
        return
    now = turn.cluster.replica(replica.broker_id, replica.partition)
    for parked in replica.leading.parked:
        send(
            turn,
            replica.broker_id,
            parked.follower,
            replica.partition,
            FetchResponse(
                in_reply_to=parked.message_id,
                fetch_offset=parked.request.fetch_offset,
                error=epoch_error(now, parked.request.current_leader_epoch),
            ),
        )


def say_what_is_passed_over(
    turn: Turn,
    replica: Replica,
    registration: PartitionRegistration,
    passed_over: tuple[PartitionRegistration, ...],
) -> None:
    """States that this broker never applies: it is told of what comes after them.

    Where another broker led in one of them, and this one leads before and after,
    `Partition.makeLeader` takes it for one leadership: what it knows of its followers is kept
    (`Replica.resetReplicaState`), and produces go on waiting.
    """
    states = [state for state in passed_over if state.partition == replica.partition]
    if not states:
        return
    between = [
        state
        for state in states
        if state.leader_epoch > replica.leader_epoch
        and state.leader not in (NO_LEADER, replica.broker_id)
    ]
    from_log = turn.cluster.controller_kind.has_metadata_log
    if replica.leading is not None and registration.leader == replica.broker_id and between:
        epochs = {state.leader_epoch for state in states}
        turn.say(
            DepositionMissed(
                variant=None if from_log else "command_skipped",
                rule="METADATA-LAST-STATE" if from_log else "ZK-SKIPPED-COMMAND",
                broker=replica.broker_id,
                partition=replica.partition,
                leaders=tuple(sorted({state.leader for state in between})),
                epochs=tuple(sorted({*epochs, registration.leader_epoch})),
                leader_epoch_before=replica.leader_epoch,
                leader_epoch=registration.leader_epoch,
                remembered=tuple(
                    f"{remote.broker_id}: {remote.log_end_offset}"
                    for remote in replica.leading.remotes
                    if remote.log_end_offset >= 0
                ),
                waiting=len(replica.leading.produces),
            )
        )
    elif from_log:
        turn.say(
            StatesPassedOver(
                broker=replica.broker_id,
                partition=replica.partition,
                states=len(states) + 1,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
                isr=registration.isr,
            )
        )

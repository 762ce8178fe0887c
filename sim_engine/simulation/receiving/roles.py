"""A broker applies the role that the controller assigns to one of its replicas."""

from sim_engine.cluster.state import eligible_for_isr
from sim_engine.events.log import ReplicaCreated
from sim_engine.events.metadata import DepositionMissed, StatesPassedOver
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.follower.fetch_loop import become_follower, become_leaderless
from sim_engine.protocol.follower.fetching import truncate_where_diverging
from sim_engine.protocol.leader.leadership import become_leader
from sim_engine.protocol.leader.requests import epoch_error
from sim_engine.protocol.messages import FetchResponse, PartitionRegistration
from sim_engine.protocol.replica import Outcome, Replica, load_log
from sim_engine.simulation.effects.messages import send
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.permissions import AppliesOutcomes, ReadsCluster


def hosted_replica(
    work: AppliesOutcomes, broker_id: BrokerId, registration: PartitionRegistration
) -> Replica | None:
    """The broker's replica of a partition; a new one if it was newly assigned.

    A truncation that was due is performed first.
    """
    replica = work.cluster.broker(broker_id).replica(registration.partition)
    if replica is None and broker_id in registration.replicas:
        work.create_assigned_replicas()
        replica = work.cluster.broker(broker_id).replica(registration.partition)
    if replica is not None and replica.fetcher is not None and replica.fetcher.diverging_epoch:
        settings = work.cluster.settings_at(replica.broker_id, replica.partition)
        apply_outcome(work, truncate_where_diverging(replica, settings=settings))
        return work.cluster.replica(broker_id, replica.partition)
    return replica


def take_role(work: AppliesOutcomes, replica: Replica, registration: PartitionRegistration) -> None:
    """The broker becomes leader of the partition, or follows the given leader."""
    settings = work.cluster.settings_at(replica.broker_id, replica.partition)
    if not replica.loaded:
        replica = load_log(replica, recover=False, rules=work.cluster.profile.rules)
        work.say(ReplicaCreated(broker=replica.broker_id, partition=replica.partition))
    if registration.leader == replica.broker_id:
        apply_outcome(
            work,
            become_leader(
                replica,
                registration,
                settings=settings,
                now_ms=work.cluster.now_ms,
                eligible=eligible_for_isr(work.cluster, replica.broker_id),
            ),
        )
        return
    _step_down(work, replica, become_follower(replica, registration, settings=settings))


def lose_leader(
    work: AppliesOutcomes, replica: Replica, registration: PartitionRegistration
) -> None:
    """The broker learns that its partition has no leader (KRaft)."""
    _step_down(work, replica, become_leaderless(replica, registration))


def _step_down(work: AppliesOutcomes, replica: Replica, outcome: Outcome) -> None:
    """Store a replica that is no longer the leader; its parked fetches receive an error
    (`DelayedFetch`).
    """
    apply_outcome(work, outcome)
    if replica.leading is None or not replica.leading.parked:
        return
    now = work.cluster.replica(replica.broker_id, replica.partition)
    for parked in replica.leading.parked:
        send(
            work,
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
    work: ReadsCluster,
    replica: Replica,
    registration: PartitionRegistration,
    passed_over: tuple[PartitionRegistration, ...],
) -> None:
    """Report states that this broker never applies, because it received a later state in the same
    delivery.

    If another broker was leader in one of them, and this one is leader before and after,
    `Partition.makeLeader` treats it as one leadership: the state of the followers is kept
    (`Replica.resetReplicaState`), and produce requests keep waiting.
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
    from_log = work.cluster.controller_kind.has_metadata_log
    if replica.leading is not None and registration.leader == replica.broker_id and between:
        epochs = {state.leader_epoch for state in states}
        work.say(
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
        work.say(
            StatesPassedOver(
                broker=replica.broker_id,
                partition=replica.partition,
                states=len(states) + 1,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
                isr=registration.isr,
            )
        )

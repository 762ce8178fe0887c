"""How a replica becomes leader, and how it applies a committed ISR.

Becoming leader never truncates the log, in any version. `Partition.makeLeader` in Kafka.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.log import EpochAssigned
from sim_engine.events.metadata import BecameLeader, LeaderStateReset, PartitionChangeTaken
from sim_engine.identifiers import NEVER_MS, UNDEFINED_OFFSET, BrokerId
from sim_engine.protocol.leader.fetches import complete_parked_fetches, wake_followers
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.log import assign
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import (
    BrokerView,
    LeadingState,
    Outcome,
    RemoteReplica,
    Replica,
    late_requests_of,
    leading_state,
)


def become_leader(
    replica: Replica, registration: PartitionRegistration, view: BrokerView
) -> Outcome:
    """Become, or continue as, leader by decision of the controller (`Partition.makeLeader`).

    In every version, nothing is truncated or fetched first. A new leader epoch resets the state of
    followers; a new ISR alone does not (KAFKA-13790; up to 3.2, KRaft brokers reset it with every
    change). A leader that stays keeps their log end offsets, except in 0.8 (KAFKA-2721). A pending
    ISR change is discarded, because the controller's state is authoritative. An event reports every
    changed belief.
    """
    rules = view.rules
    new_epoch = registration.leader_epoch != replica.leader_epoch or replica.leading is None
    was_leader = replica.leading is not None
    keeps_ends = was_leader and rules.staying_leader_keeps_ends
    before = replica.leading or LeadingState(
        leader_epoch_start_offset=replica.log_end_offset, isr=registration.isr
    )
    events: list[Event] = []
    leading = replace(before, isr=registration.isr, pending_isr=None, blocked_isr=None)
    epoch_cache = replica.epoch_cache
    if new_epoch or not rules.reset_only_on_new_epoch:
        leading = replace(
            leading,
            leader_epoch_start_offset=replica.log_end_offset,
            remotes=_fresh_remotes(before, registration, replica, keeps_ends, view),
        )
    else:
        leading = replace(leading, remotes=_assigned_remotes(before, registration))
    if not new_epoch and not rules.reset_only_on_new_epoch:
        events.append(
            LeaderStateReset(
                **replica.place(),
                leader_epoch=registration.leader_epoch,
                leader_epoch_start_offset=replica.log_end_offset,
            )
        )
    if not new_epoch:
        events.extend(_change_taken(replica, before, registration, reported=bool(events)))
    if new_epoch:
        if rules.assign_epoch_at_leader:
            epoch_cache = assign(
                epoch_cache, registration.leader_epoch, replica.log_end_offset, rules
            )
        events.append(
            BecameLeader(
                variant="goes_on" if was_leader else None,
                **replica.place(),
                leader_epoch=registration.leader_epoch,
                log_end_offset=replica.log_end_offset,
                high_watermark=replica.high_watermark,
            )
        )
        if epoch_cache != replica.epoch_cache:
            events.append(
                EpochAssigned(
                    variant="goes_on" if was_leader else "leader",
                    **replica.place(),
                    epoch=registration.leader_epoch,
                    start_offset=replica.log_end_offset,
                )
            )
    replica = replace(
        replica,
        leader=replica.broker_id,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        epoch_cache=epoch_cache,
        leading=leading,
        fetcher=None,
        late_requests=late_requests_of(replica),
        following=False,
    )
    became = Outcome(replica=replica, events=tuple(events))
    moved = became.then(maybe_increment_high_watermark(replica, view))
    # Waiting fetches are checked only if the high watermark has advanced
    # (`tryCompleteDelayedRequests`). If it has not, a fetch of an older epoch waits until records
    # are appended or it expires, and is fenced then.
    if moved.replica.high_watermark == replica.high_watermark:
        return moved
    return moved.then(complete_parked_fetches(moved.replica, view))


def _change_taken(
    replica: Replica, before: LeadingState, registration: PartitionRegistration, *, reported: bool
) -> tuple[Event, ...]:
    """The event of a change that a continuing leader reads: another ISR or assignment, the end of a
    change that it proposed or, if no other event reports it, only an epoch.
    """
    pending = before.pending_isr
    variant: Literal["proposal", "pending_dropped", "replicas", "isr"] | None = None
    if pending is not None:
        is_written = set(registration.isr) == set(pending.isr)
        variant = "proposal" if is_written else "pending_dropped"
    elif {remote.broker_id for remote in before.remotes} != {*registration.replicas} - {
        replica.broker_id
    }:
        variant = "replicas"
    elif registration.isr != before.isr:
        variant = "isr"
    elif reported or registration.partition_epoch == replica.partition_epoch:
        return ()
    return (
        PartitionChangeTaken(
            variant=variant,
            **replica.place(),
            leader=registration.leader,
            leader_epoch=registration.leader_epoch,
            partition_epoch=registration.partition_epoch,
            replicas=registration.replicas,
            isr=registration.isr,
            pending=() if pending is None else pending.isr,
        ),
    )


def _fresh_remotes(
    before: LeadingState,
    registration: PartitionRegistration,
    replica: Replica,
    was_leader: bool,
    view: BrokerView,
) -> tuple[RemoteReplica, ...]:
    """The state of followers at the start of a leader epoch (`Replica.resetReplicaState`).

    Up to 3.2, a leader that was elected again counts the moment as the last fetch of every
    follower; from 3.3, of ISR members only. From 0.9 to 0.10.1 it remembers when each was caught
    up: `Partition.makeLeader` resets that from KAFKA-4485 on.
    """
    rules = view.rules
    remembers = rules.lag_by_time_only and not rules.caught_up_as_of_previous_fetch
    known = {remote.broker_id: remote for remote in before.remotes}
    fresh: list[RemoteReplica] = []
    for broker_id in registration.replicas:
        if broker_id == replica.broker_id:
            continue
        caught_up = view.now_ms if broker_id in registration.isr else NEVER_MS
        old = known.get(broker_id)
        if was_leader and old is not None:
            fresh.append(
                replace(
                    old,
                    last_fetch_leader_log_end_offset=replica.log_end_offset,
                    last_fetch_time_ms=(
                        caught_up if rules.replica_state_is_one_value else view.now_ms
                    ),
                    last_caught_up_time_ms=old.last_caught_up_time_ms if remembers else caught_up,
                )
            )
        else:
            fresh.append(
                RemoteReplica(
                    broker_id=broker_id,
                    last_fetch_leader_log_end_offset=UNDEFINED_OFFSET,
                    last_caught_up_time_ms=caught_up,
                )
            )
    return tuple(fresh)


def _assigned_remotes(
    before: LeadingState, registration: PartitionRegistration
) -> tuple[RemoteReplica, ...]:
    """The state of the currently assigned followers; unknown for a new replica."""
    known = {remote.broker_id: remote for remote in before.remotes}
    return tuple(
        known.get(broker_id) or RemoteReplica(broker_id=broker_id)
        for broker_id in registration.replicas
        if broker_id != registration.leader
    )


def with_isr(
    replica: Replica,
    isr: tuple[BrokerId, ...],
    partition_epoch: int,
    view: BrokerView,
    *,
    look_at_high_watermark: bool,
) -> Outcome:
    """Apply a committed ISR, and update the high watermark if the version does."""
    leading = leading_state(replica)
    replica = replace(
        replica,
        partition_epoch=partition_epoch,
        leading=replace(leading, isr=isr, pending_isr=None),
    )
    if not look_at_high_watermark:
        return Outcome(replica=replica)
    return wake_followers(maybe_increment_high_watermark(replica, view), view)

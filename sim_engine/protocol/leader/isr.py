"""The leader's decisions about ISR membership, and the order of the members in an ISR that it
proposes.

`Partition.maybeExpandIsr` and `Partition.maybeShrinkIsr` in Kafka.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.isr import (
    FollowerOutOfSync,
    IsrChecked,
    IsrExpandProposed,
    IsrJoinRefused,
    IsrShrinkProposed,
)
from sim_engine.identifiers import CLOCK_START_MS, FIRST_OFFSET, NEVER_MS, BrokerId, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.high_watermark import caught_up_in_time, isr_that_counts
from sim_engine.protocol.replica import (
    BrokerView,
    PendingIsr,
    RemoteReplica,
    Replica,
    leading_state,
    may_join_isr,
    remote_of,
)

OutOfSync = Literal["late", "never", "stuck", "slow"]
"""Why a follower is removed from the ISR: it was caught up too long ago, or never with this leader;
in 0.8, it is stuck or slow.
"""


def why_out_of_sync(
    remote: RemoteReplica, leader_log_end_offset: Offset, view: BrokerView
) -> OutOfSync | None:
    """Why an ISR member is out of sync; None if it is in sync (`Partition.getOutOfSyncReplicas`).

    Depends on the time since it was caught up (`Replica.isCaughtUp`). In 0.8, before KIP-16: stuck
    if it has not fetched for replica.lag.time.max.ms, slow if it is more than
    replica.lag.max.messages behind.
    """
    rules = view.rules
    lag_ms = view.settings.replica_lag_time_max_ms
    if not rules.lag_by_time_only:
        heard_ms = max(remote.last_fetch_time_ms, remote.last_caught_up_time_ms)
        if view.now_ms - heard_ms > lag_ms:
            return "stuck"
        behind = leader_log_end_offset - remote.log_end_offset
        has_fetched = remote.log_end_offset >= 0
        return "slow" if has_fetched and behind > view.settings.replica_lag_max_messages else None
    if rules.log_end_is_caught_up and remote.log_end_offset == leader_log_end_offset:
        return None
    if caught_up_in_time(remote, lag_ms, view.now_ms):
        return None
    return "never" if remote.last_caught_up_time_ms == NEVER_MS else "late"


def lag_time_ms(
    remote: RemoteReplica, leader_log_end_offset: Offset, view: BrokerView
) -> int | None:
    """How long a follower has not been caught up, in ms, as `why_out_of_sync` compares it with
    replica.lag.time.max.ms; None if it never caught up with this leader.
    """
    rules = view.rules
    since_ms = remote.last_caught_up_time_ms
    if not rules.lag_by_time_only:
        since_ms = max(remote.last_fetch_time_ms, since_ms)
    elif rules.log_end_is_caught_up and remote.log_end_offset == leader_log_end_offset:
        return 0
    return None if since_ms == NEVER_MS else view.now_ms - since_ms


def maybe_expand_isr(
    replica: Replica, follower: BrokerId, view: BrokerView
) -> tuple[PendingIsr | None, tuple[Event, ...]]:
    """Propose to add a follower that just fetched to the ISR, if it may join
    (`Partition.maybeExpandIsr`).

    It must have reached the high watermark and, from 2.0.1, the start of the leader's epoch
    (KAFKA-7128); from 3.3 it must not be fenced or shutting down (KIP-841). Time does not matter.
    """
    leading = leading_state(replica)
    rules = view.rules
    remote = remote_of(leading, follower)
    if remote is None or follower in leading.isr or leading.changes_isr:
        return None, ()
    if remote.log_end_offset < replica.high_watermark:
        return None, ()
    if rules.join_needs_epoch_start and remote.log_end_offset < leading.leader_epoch_start_offset:
        return None, (
            IsrJoinRefused(
                **replica.place(),
                replica=follower,
                log_end_offset=remote.log_end_offset,
                high_watermark=replica.high_watermark,
                leader_epoch_start_offset=leading.leader_epoch_start_offset,
            ),
        )
    if rules.fenced_brokers_stay_out and not may_join_isr(remote, view):
        return None, ()
    return (
        PendingIsr(
            kind="expand",
            isr=tuple(after_expansion(leading.isr, follower, rules)),
            replicas=(follower,),
        ),
        (),
    )


def maybe_shrink_isr(replica: Replica, view: BrokerView) -> PendingIsr | None:
    """Propose to remove the followers that are out of sync, if there are any
    (`Partition.maybeShrinkIsr`). Never the leader.
    """
    leading = leading_state(replica)
    if leading.changes_isr:
        return None
    lagging = tuple(
        broker_id
        for broker_id in leading.isr
        if broker_id != replica.broker_id
        and why_out_of_sync(
            remote_of(leading, broker_id) or RemoteReplica(broker_id=broker_id),
            replica.log_end_offset,
            view,
        )
    )
    if not lagging:
        return None
    return PendingIsr(
        kind="shrink", isr=tuple(after_shrink(leading.isr, lagging, view.rules)), replicas=lagging
    )


def with_pending_isr(leader: Replica, change: PendingIsr) -> Replica:
    """The leader with this ISR change as its pending one."""
    return replace(leader, leading=replace(leading_state(leader), pending_isr=change))


def proposed_event(replica: Replica, change: PendingIsr, rules: Rules) -> Event:
    """The event of a leader's proposal (KIP-497); the change is already pending at the leader."""
    leading = leading_state(replica)
    waits_for, _ = isr_that_counts(leading, rules)
    proposed = IsrExpandProposed if change.kind == "expand" else IsrShrinkProposed
    event = proposed(
        **replica.place(),
        replica=change.replicas[0],
        replicas=change.replicas,
        isr=leading.isr,
        maximal_isr=waits_for,
    )
    if isinstance(event, IsrShrinkProposed) and waits_for == change.isr:
        return replace(event, variant="counts_already")
    return event


def out_of_sync_events(replica: Replica, change: PendingIsr, view: BrokerView) -> tuple[Event, ...]:
    """Events that report, for each follower that a shrink would remove, why it is out of sync."""
    leading = leading_state(replica)
    events: list[Event] = []
    for broker_id in change.replicas:
        remote = remote_of(leading, broker_id) or RemoteReplica(broker_id=broker_id)
        why = why_out_of_sync(remote, replica.log_end_offset, view)
        events.append(
            FollowerOutOfSync(
                variant=None if why == "late" else why,
                rule="KIP-16" if why in ("stuck", "slow") else "ISR-SHRINK",
                sources=("KIP-16", "Partition") if why in ("stuck", "slow") else ("Partition",),
                **replica.place(),
                replica=broker_id,
                log_end_offset=remote.log_end_offset,
                leader_log_end_offset=replica.log_end_offset,
                behind=replica.log_end_offset - remote.log_end_offset,
                elapsed_ms=lag_time_ms(remote, replica.log_end_offset, view),
                lag_ms=view.settings.replica_lag_time_max_ms,
                lag_messages=view.settings.replica_lag_max_messages,
            )
        )
    return tuple(events)


def check_events(replica: Replica, view: BrokerView) -> tuple[IsrChecked, ...]:
    """Events that report that a check removes nobody: one for each ISR member that lacks records,
    with the time since it was caught up. If none does, a single event.

    While an ISR change is pending, the leader does not check (`Partition.maybeShrinkIsr`), so a
    member may lag for longer than replica.lag.time.max.ms.
    """
    leading = leading_state(replica)
    pending = leading.pending_isr or leading.blocked_isr
    checked = IsrChecked(
        rule="ISR-SHRINK", sources=("Partition", "ReplicaManager"), **replica.place()
    )
    variant: Literal["behind", "behind_fetching", "pending_behind"] = (
        "behind" if view.rules.lag_by_time_only else "behind_fetching"
    )
    if pending is not None:
        checked = replace(
            checked,
            variant="pending",
            rule="ZK-ISR-WRITE" if pending is leading.blocked_isr else "KIP-497",
            proposed=pending.isr,
        )
        variant = "pending_behind"
    behind: list[IsrChecked] = []
    for broker_id in leading.isr:
        remote = remote_of(leading, broker_id)
        if remote is None or max(remote.log_end_offset, FIRST_OFFSET) >= replica.log_end_offset:
            continue
        elapsed_ms = lag_time_ms(remote, replica.log_end_offset, view)
        if elapsed_ms is None:
            assert pending is not None, "a member that was never caught up is out of sync"
            continue
        behind.append(
            replace(
                checked,
                variant=variant,
                checked_ms=view.now_ms - CLOCK_START_MS,
                replica=broker_id,
                elapsed_ms=elapsed_ms,
                lag_ms=view.settings.replica_lag_time_max_ms,
            )
        )
    return tuple(behind) or (checked,)


# The order of an ISR: `Partition.prepareIsrExpand` and `prepareIsrShrink` compute it as a set
# and send its elements in the order of that set. No rule reads the order, but tools and metadata
# records show it. The orders were compared with those that the set classes of Scala 2.11.12,
# 2.12.20 and 2.13.18 give.
#
# The Scala version of a release is the one of its recommended download or, where no page says, the
# default of its build (`scalaVersion` in `gradle.properties` at the tag):
#
#     0.8.0            2.8.0 (`project/Build.scala`; also built for 2.8.2 to 2.10.1)
#     0.8.1            2.9.2 (kafka.apache.org/downloads; the default of the build is 2.8.0)
#     0.8.2            2.10.4 (the same page and the build)
#     0.9 to 2.0       2.11 (the same page up to 1.0.0, although the build of 0.9 and 0.10 defaults
#                      to 2.10; from 1.0.1 the build: 2.11.12)
#     2.1 to 2.5       2.12.7 to 2.12.10 (KIP-531, `gradle/dependencies.gradle`; the build from 2.2)
#     2.6 to 3.9       2.13 (the build: 2.13.2 in 2.6, 2.13.14 in 3.8); also built for 2.12
#     from 4.0         2.13 alone (KIP-751, KAFKA-12895)
#
# Most releases were built for two to four versions of Scala, and any of these builds may be in use.
# The orders of versions before 2.11 were not compared.

_MOST_IN_ORDER_OF_JOINING = 4
"""Scala has classes for immutable sets of up to four elements, which keep the order in which the
elements were added; a larger set is a hash trie.
"""

_BITS_OF_A_LEVEL = 5

_WORD = 0xFFFF_FFFF


def after_expansion(isr: tuple[BrokerId, ...], joins: BrokerId, rules: Rules) -> Sequence[BrokerId]:
    """The ISR that a leader proposes when a replica joins."""
    proposed = (*isr, joins)
    if rules.proposed_isr_in_hash_order:
        return _in_hash_table(proposed, _places(len(proposed)))
    return proposed if len(proposed) <= _MOST_IN_ORDER_OF_JOINING else _in_hash_trie(proposed)


def after_shrink(
    isr: tuple[BrokerId, ...], leave: Sequence[BrokerId], rules: Rules
) -> Sequence[BrokerId]:
    """The ISR that a leader proposes when replicas leave. A hash trie that shrinks stays one."""
    proposed = tuple(member for member in isr if member not in leave)
    if rules.proposed_isr_in_hash_order:
        return _in_hash_table(proposed, _PLACES_OF_A_NEW_TABLE)
    return proposed if len(isr) <= _MOST_IN_ORDER_OF_JOINING else _in_hash_trie(proposed)


# --- from 4.2: scala.collection.mutable.HashSet --------------------------------------------------

_PLACES_OF_A_NEW_TABLE = 16


def _places(members: int) -> int:
    """The places of the table of an expanded ISR: a power of two, 8 or more, of which less than
    three quarters are used.
    """
    places = 8
    while 4 * members >= 3 * places:
        places *= 2
    return places


def _in_hash_table(members: Sequence[BrokerId], places: int) -> tuple[BrokerId, ...]:
    """The hash of a broker id (below 65,536) is the id; members of one place are in its order."""
    return tuple(sorted(members, key=lambda member: (member % places, member)))


# --- up to 4.1: scala.collection.immutable.HashSet -----------------------------------------------


def _in_hash_trie(members: Sequence[BrokerId], level: int = 0) -> tuple[BrokerId, ...]:
    """Each level of the trie takes five bits of the hash: first the members that are alone there,
    then those that share a place.
    """

    def place(member: BrokerId) -> int:
        return _mixed(member) >> level & (1 << _BITS_OF_A_LEVEL) - 1

    groups = [tuple(group) for _, group in groupby(sorted(members, key=place), key=place)]
    alone = [group[0] for group in groups if len(group) == 1]
    shared = [
        member
        for group in groups
        if len(group) > 1
        for member in _in_hash_trie(group, level + _BITS_OF_A_LEVEL)
    ]
    return (*alone, *shared)


def _mixed(member: BrokerId) -> int:
    """The hash of a broker id, mixed (`scala.collection.Hashing.improve`)."""
    mixed = member + ~(member << 9) & _WORD
    mixed ^= mixed >> 14
    mixed = mixed + (mixed << 4) & _WORD
    return mixed ^ mixed >> 10

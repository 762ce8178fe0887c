"""The fields of the PartitionChangeRecord that a KRaft controller writes about one partition.

The order of the steps is Kafka's (`PartitionChangeBuilder.build`). A finished reassignment is
completed first. The eligible leader replicas are computed before the election, which may choose one
of them, and the last known leader after it. A reassignment starts from the current replicas, also
if one is in progress, and only what differs is written (`ReplicationControlManager
.changePartitionReassignment`, `PartitionReassignmentReplicas`, `PartitionReassignmentRevert`).
"""

from collections.abc import Collection
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.state import Assignment, assignment_of
from sim_engine.protocol.messages import LeaderRecoveryState, PartitionRegistration, without


class ReplicaNotAssignedError(Exception):
    """The controller considers a broker that is no replica of the partition as its leader
    (`PartitionRegistration.directory` throws IllegalArgumentException).
    """

    def __init__(self, partition: PartitionRegistration, replica: BrokerId) -> None:
        super().__init__(f"Replica {replica} is not assigned to this partition.")
        self.partition = partition
        self.replica = replica


def assignment_towards(
    registration: PartitionRegistration, target: tuple[BrokerId, ...]
) -> Assignment:
    """The assignment of a reassignment to `target`, which replaces one in progress.

    The added and the removed replicas are the differences from the current replicas. An empty
    difference is not applied: the list of the reassignment in progress stays. Replicas may then be
    added and removed at the same time, and the assignment may lead to other replicas than `target`.
    """
    before = registration.replicas
    removing = tuple(sorted(without(before, *target)))
    adding = tuple(sorted(without(target, *before)))
    return Assignment(
        replicas=(*target, *removing),
        adding=adding or registration.adding_replicas,
        removing=removing or registration.removing_replicas,
    )


def is_complete(assignment: Assignment, isr: tuple[BrokerId, ...], rules: Rules) -> bool:
    """Whether a reassignment in progress is complete with this ISR (`maybeCompleteReassignment`).

    Up to 3.7 the added replicas must be in it, then all target replicas (KAFKA-15665), and from 4.3
    the added ones, or all if the number of replicas decreases (KAFKA-19975).
    """
    staying = set(without(isr, *assignment.removing))
    if not assignment.in_progress or not assignment.target or not staying:
        return False
    if _waits_for_all(rules):
        return staying.issuperset(assignment.target)
    fewer = len(assignment.adding) < len(assignment.removing)
    needs_all = rules.reassignment_waits_for_added and fewer
    return staying.issuperset(assignment.adding) and (
        not needs_all or staying.issuperset(assignment.target)
    )


def never_completes(assignment: Assignment, rules: Rules) -> bool:
    """Whether no ISR completes a reassignment, because it waits for a replica that it removes."""
    return not _waits_for_all(rules) and bool({*assignment.adding} & {*assignment.removing})


def _waits_for_all(rules: Rules) -> bool:
    return rules.reassignment_waits_for_all and not rules.reassignment_waits_for_added


Replicas = tuple[BrokerId, ...]

Election = Literal["online", "preferred", "unclean"]
"""Keep a leader that is in the ISR; prefer the first replica of the assignment; allow any live
replica if there is no other.
"""

LeaderFrom = Literal["isr", "elr", "last_known_leader", "outside"]
"""The source of a leader. The last two are unclean: the leader may lack committed records."""


class PartitionChange(Struct, frozen=True, gc=False, kw_only=True):
    """The fields of one record; null if the record does not contain the field.

    A record with a leader, even the same one, increments the leader epoch. `leader_from` is the
    source of that leader, and `completes_reassignment` the reason for a changed assignment; neither
    is part of the record.
    """

    isr: Replicas | None = None
    elr: Replicas | None = None
    last_known_elr: Replicas | None = None
    leader: BrokerId | None = None
    leader_recovery_state: LeaderRecoveryState | None = None
    assignment: Assignment | None = None
    leader_from: LeaderFrom = "isr"
    completes_reassignment: bool = False

    @property
    def unclean(self) -> bool:
        """Whether the leader may lack committed records."""
        return self.leader_from in ("last_known_leader", "outside")


class _Targets(Struct, frozen=True, gc=False, kw_only=True):
    """The target of a change, and the replicas that may be elected."""

    before: PartitionRegistration
    replicas: Replicas
    isr: Replicas
    elr: Replicas
    acceptable: Collection[BrokerId]
    rules: Rules

    def may_lead(self, replica: BrokerId) -> bool:
        """Whether a replica can be elected cleanly: from the ISR or, if that is empty, the ELR."""
        member = replica in self.isr or (not self.isr and replica in self.elr)
        return member and self._is_acceptable(replica)

    def _is_acceptable(self, replica: BrokerId) -> bool:
        """Whether the controller may elect a broker (`LeaderAcceptor`).

        Raises `ReplicaNotAssignedError` if the broker is active and was no replica before this
        change: the controller looks up the directory of its replica (`directory`, from 3.7). The
        ELR and the last known leader may name such a broker.
        """
        if replica not in self.acceptable:
            return False
        if replica not in self.before.replicas:
            raise ReplicaNotAssignedError(self.before, replica)
        return True

    def last_known_leader(self) -> BrokerId | None:
        """The leader to fall back to if ISR and ELR are empty.

        4.0 elected it even if it was dead (KAFKA-19522).
        """
        known = self.before.last_known_elr
        if not self.rules.eligible_leader_replicas or self.isr or self.elr or len(known) != 1:
            return None
        is_acceptable = self._is_acceptable(known[0])
        if self.rules.dead_last_known_leader_waits and not is_acceptable:
            return None
        return known[0] if known[0] in self.replicas else None


def partition_change(
    before: PartitionRegistration,
    *,
    target_isr: Replicas,
    acceptable: Collection[BrokerId],
    min_isr: int,
    rules: Rules,
    election: Election = "online",
    unclean_shutdown: BrokerId | None = None,
    recovered: bool = False,
    assignment: Assignment | None = None,
    proposed: bool = False,
) -> PartitionChange | None:
    """The record that changes a partition to `target_isr`; None if there is nothing to write.

    `acceptable` contains the brokers that the controller may elect, `min_isr` is the effective
    min.insync.replicas, and `unclean_shutdown` a broker that cannot prove a clean shutdown.
    `recovered` ends RECOVERING. `assignment` is a new assignment; the function checks whether it,
    or the current one, is complete with this ISR. `proposed` means that the leader requested the
    change: up to 2.8 that does not increment the leader epoch, even if it shrinks the ISR
    (`ReplicationControlManager.alterIsr`). Without eligible leader replicas, the ISR is never
    empty: its last member stays.
    """
    assigned = assignment or assignment_of(before)
    completes = is_complete(assigned, target_isr, rules)
    if completes:
        target_isr = without(target_isr, *assigned.removing)
        assigned = Assignment(replicas=assigned.target)
    targets = _Targets(
        before=before,
        replicas=assigned.replicas,
        isr=target_isr,
        elr=_target_elr(before, target_isr, min_isr, unclean_shutdown, rules),
        acceptable=acceptable,
        rules=rules,
    )
    leader, leader_from = _elect(targets, election)
    if leader == before.leader:
        leader_from = "isr"
    unclean = leader_from in ("last_known_leader", "outside")
    if leader_from == "elr" or unclean:
        left = () if unclean else tuple(member for member in targets.elr if member != leader)
        targets = replace(targets, isr=(leader,), elr=left)
    written_isr = targets.isr if targets.isr or rules.eligible_leader_replicas else before.isr
    written_leader = leader if leader != before.leader else None
    # Up to 3.7 by the target ISR, whether it is written or not: stopping a sole replica increments
    # the epoch twice (recorded on 3.5).
    after = written_isr if rules.only_a_written_shrink_bumps else targets.isr
    shrinks = any(member not in after for member in before.isr)
    bumps = not rules.no_epoch_bump_on_shrink and (rules.partition_change_builder or not proposed)
    if shrinks and written_leader is None and bumps:
        written_leader = before.leader
    # A leader of this epoch must no longer count a removed replica.
    if written_leader is None and any(one not in assigned.replicas for one in before.replicas):
        written_leader = before.leader
    change = PartitionChange(
        isr=written_isr if written_isr != before.isr else None,
        elr=targets.elr if targets.elr != before.elr else None,
        last_known_elr=_last_known_elr(before, written_isr, written_leader, rules),
        leader=written_leader,
        leader_recovery_state=_recovery_state(before, unclean, recovered, rules),
        assignment=assigned if assigned != assignment_of(before) else None,
        leader_from=leader_from,
        completes_reassignment=completes,
    )
    return None if change == PartitionChange(leader_from=leader_from) else change


def _target_elr(
    before: PartitionRegistration,
    target_isr: Replicas,
    min_isr: int,
    unclean_shutdown: BrokerId | None,
    rules: Rules,
) -> Replicas:
    """The ELR: the replicas that left the ISR while it was too small to commit further records
    (`maybePopulateTargetElr`).
    """
    if not rules.eligible_leader_replicas or len(target_isr) >= min_isr:
        return ()
    candidates = {*before.elr, *before.isr}
    return tuple(sorted(candidates - {*target_isr} - {unclean_shutdown}))


def _elect(targets: _Targets, election: Election) -> tuple[BrokerId, LeaderFrom]:
    replicas = targets.replicas
    current = targets.before.leader
    first = (replicas[0], current) if election == "preferred" else (current,)
    for replica in (*first, *replicas):
        if targets.may_lead(replica):
            return replica, "isr" if replica in targets.isr else "elr"
    last_known = targets.last_known_leader()
    if last_known is not None:
        return last_known, "last_known_leader"
    if election == "unclean":
        for replica in replicas:
            if replica in targets.acceptable:
                return replica, "outside"
    return NO_LEADER, "isr"


def _last_known_elr(
    before: PartitionRegistration, isr: Replicas, written: BrokerId | None, rules: Rules
) -> Replicas | None:
    """The last known leader, which is stored until there is a leader again
    (`maybeUpdateLastKnownLeader`).

    `written` is the leader in the record. From 4.1.1 the last known leader is stored by the record
    that removes the leader, if none is stored yet; before, by the record that empties the ISR.
    """
    if not rules.eligible_leader_replicas:
        return None
    leads = before.leader if written is None else written
    if rules.last_known_leader_kept_until_next:
        if written == NO_LEADER and not before.last_known_elr:
            return (before.leader,)
        return () if written not in (None, NO_LEADER) and before.last_known_elr else None
    if not isr and isr != before.isr and before.last_known_elr != (before.leader,):
        return (before.leader,)
    return () if leads != NO_LEADER and before.last_known_elr else None


def _recovery_state(
    before: PartitionRegistration, unclean: bool, recovered: bool, rules: Rules
) -> LeaderRecoveryState | None:
    if not rules.leader_recovery_state:
        return None
    recovering = before.leader_recovery_state == "RECOVERING"
    if unclean and not recovering:
        return "RECOVERING"
    return "RECOVERED" if recovered and recovering else None

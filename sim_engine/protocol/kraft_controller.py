"""The KRaft controller: every decision is records in one metadata log that all brokers read.

A PartitionChangeRecord always bumps the partition epoch; it bumps the leader epoch only where it
carries a leader, even the same one (`PartitionRegistration.merge`, `PartitionChangeBuilder`,
`ReplicationControlManager`).
"""

from msgspec.structs import replace

from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.controller import (
    Controller,
    ControllerOutcome,
    Policies,
    elected_event,
    isr_expanded_event,
    isr_shrunk_event,
    leader_lost_event,
    reassignment_completed_event,
    reassignment_started_event,
    with_broker,
    with_partition,
)
from sim_engine.protocol.errors import ErrorCode
from sim_engine.protocol.events import Event, event
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration
from sim_engine.protocol.reassignment import Assignment, assignment_of, is_complete, towards
from sim_engine.protocol.zookeeper_controller import isr_change_events
from sim_engine.versions import Profile

_SOURCES = ("PartitionChangeBuilder", "ReplicationControlManager")


class Writer:
    """Collects the records of one controller event, applying each as it is written."""

    def __init__(self, controller: Controller, profile: Profile, policies: Policies) -> None:
        self.controller = controller
        self.profile = profile
        self.policies = policies
        self.events: list[Event] = []
        self.unclean = False
        self._records: list[dict[str, object]] = []
        self._partitions: dict[str, PartitionRegistration] = {}
        self._brokers: dict[BrokerId, BrokerRegistration] = {}

    def outcome(self) -> ControllerOutcome:
        """What the event comes to; the records stand in its last event."""
        events = tuple(self.events)
        if self._records:
            events = (
                *events,
                event(
                    "MetadataRecordsWritten",
                    rule="KRAFT-PARTITION-CHANGE" if self._partitions else None,
                    sources=("ReplicationControlManager", "ClusterControlManager"),
                    offset=self.controller.metadata_offset,
                    count=len(self._records),
                    records=self._records,
                ),
            )
        return ControllerOutcome(
            controller=self.controller,
            changed_partitions=tuple(self._partitions.values()),
            changed_brokers=tuple(self._brokers.values()),
            events=events,
            unclean=self.unclean,
        )

    def register(self, broker: BrokerRegistration) -> BrokerRegistration:
        """Write a RegisterBrokerRecord; the broker's epoch is its offset in the log."""
        registered = replace(broker, broker_epoch=self.controller.metadata_offset + 1)
        self._set_broker(registered)
        self._record("RegisterBrokerRecord", broker=broker.broker_id, fenced=broker.fenced)
        return registered

    def change_broker(self, broker: BrokerRegistration, **changed: bool) -> None:
        """Write a BrokerRegistrationChangeRecord."""
        self._set_broker(replace(broker, **changed))
        self._record("BrokerRegistrationChangeRecord", broker=broker.broker_id, **changed)

    def change_partition(
        self,
        before: PartitionRegistration,
        *,
        isr: tuple[BrokerId, ...] | None = None,
        leader: BrokerId | None = None,
        leader_recovery_state: str | None = None,
        assignment: Assignment | None = None,
    ) -> PartitionRegistration:
        """Write a PartitionChangeRecord with the fields given, and apply it."""
        after = replace(before, partition_epoch=before.partition_epoch + 1)
        fields: dict[str, object] = {}
        if isr is not None:
            after = replace(after, isr=isr)
            fields["isr"] = list(isr)
        if leader_recovery_state is not None:
            recovering = leader_recovery_state == "RECOVERING"
            after = replace(
                after, leader_recovery_state="RECOVERING" if recovering else "RECOVERED"
            )
            fields["leader_recovery_state"] = 1 if recovering else 0
        if leader is not None:
            after = replace(after, leader=leader, leader_epoch=before.leader_epoch + 1)
            fields["leader"] = leader
        if assignment is not None:
            after = replace(
                after,
                replicas=assignment.replicas,
                adding_replicas=assignment.adding,
                removing_replicas=assignment.removing,
            )
            fields.update(_changed_assignment(assignment_of(before), assignment))
        self.controller = with_partition(self.controller, after)
        self._partitions[after.partition] = after
        self._record(
            "PartitionChangeRecord",
            partition=after.partition,
            **fields,
            leader_epoch=after.leader_epoch,
            partition_epoch=after.partition_epoch,
        )
        return after

    def _set_broker(self, broker: BrokerRegistration) -> None:
        self.controller = with_broker(self.controller, broker)
        self._brokers[broker.broker_id] = broker

    def _record(self, name: str, **fields: object) -> None:
        self.controller = replace(
            self.controller, metadata_offset=self.controller.metadata_offset + 1
        )
        self._records.append({"record": name, **fields})

    # --- elections -----------------------------------------------------------------------

    def change_isr_and_elect(
        self,
        before: PartitionRegistration,
        target_isr: tuple[BrokerId, ...],
        *,
        unavailable: BrokerId | None = None,
        available: BrokerId | None = None,
        unclean_asked: bool = False,
        variant: str = "clean",
        assignment: Assignment | None = None,
    ) -> PartitionRegistration | None:
        """Give a partition a new ISR and elect where its leader is no longer valid.

        `unavailable` is the broker that is going, `available` the one that is coming: the record is
        written before the registration changes or after it. Null where nothing changes. An ISR is
        never written empty: the last member stays in it, and nobody leads.

        `assignment` is a new one; whether it or the one before is a move that is done with this
        ISR is looked at first, as `PartitionChangeBuilder.build` does.
        """
        assigned = assignment or assignment_of(before)
        completes = is_complete(assigned, target_isr)
        if completes:
            target_isr = tuple(member for member in target_isr if member not in assigned.removing)
            assigned = Assignment(replicas=assigned.target)
            variant = "reassigned"
        acceptable = (self.controller.active_brokers() | {available}) - {unavailable}
        valid = [
            replica
            for replica in assigned.replicas
            if replica in acceptable and replica in target_isr
        ]
        isr: tuple[BrokerId, ...] = target_isr
        recovery: str | None = None
        unclean = False
        if before.leader in valid:
            leader = before.leader
        elif valid:
            leader = valid[0]
        else:
            leader = NO_LEADER
            if unclean_asked or self.policies[before.partition].unclean_leader_election_enable:
                leader = next(
                    (replica for replica in assigned.replicas if replica in acceptable), NO_LEADER
                )
            unclean = leader != NO_LEADER
            if unclean:
                isr = (leader,)
                if self.profile.rules.leader_recovery_state:
                    recovery = "RECOVERING"
        written_isr = isr if isr and isr != before.isr else None
        written_leader = leader if leader != before.leader else None
        # By the ISR aimed at, written or not: stopping a sole replica bumps twice (seen on 3.5).
        shrinks = any(member not in isr for member in before.isr)
        if shrinks and written_leader is None and not self.profile.rules.no_epoch_bump_on_shrink:
            written_leader = before.leader
        # A replica that is taken away must not be counted by a leader of this epoch any more.
        drops = any(replica not in assigned.replicas for replica in before.replicas)
        if drops and written_leader is None:
            written_leader = before.leader
        reassigns = assigned != assignment_of(before)
        if written_isr is None and written_leader is None and not reassigns:
            return None
        after = self.change_partition(
            before,
            isr=written_isr,
            leader=written_leader,
            leader_recovery_state=recovery,
            assignment=assigned if reassigns else None,
        )
        self.unclean = self.unclean or unclean
        if after.leader != before.leader:
            if after.leader == NO_LEADER:
                self.events.append(leader_lost_event(before, after, _SOURCES))
            else:
                kind = "unclean" if unclean else variant
                if not unclean and before.leader == NO_LEADER:
                    kind = "returned"
                self.events.append(elected_event(before, after, kind, _SOURCES))
        gone = [member for member in before.isr if member not in after.isr]
        if gone and not unclean:
            self.events.append(
                isr_shrunk_event(
                    after,
                    gone,
                    by="controller",
                    rule="KRAFT-PARTITION-CHANGE",
                    sources=_SOURCES,
                )
            )
        if completes:
            self.events.append(reassignment_completed_event(after, _SOURCES))
        return after


def _changed_assignment(before: Assignment, after: Assignment) -> dict[str, object]:
    """The fields of a PartitionChangeRecord that say how an assignment changes."""
    fields: dict[str, object] = {}
    for name, old, new in (
        ("replicas", before.replicas, after.replicas),
        ("removing", before.removing, after.removing),
        ("adding", before.adding, after.adding),
    ):
        if old != new:
            fields[name] = list(new)
    return fields


def _without(isr: tuple[BrokerId, ...], broker_id: BrokerId) -> tuple[BrokerId, ...]:
    return tuple(member for member in isr if member != broker_id)


def broker_fenced(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """A broker's session has timed out: out of every ISR, elections, then its fencing."""
    writer = Writer(controller, profile, policies)
    writer.events.append(
        event(
            "BrokerFenced",
            rule="SESSION-TIMEOUT",
            sources=("BrokerHeartbeatManager", "ReplicationControlManager"),
            broker=broker_id,
        )
    )
    _leave_every_isr(writer, broker_id, variant="clean")
    writer.change_broker(writer.controller.broker(broker_id), fenced=True)
    return writer.outcome()


def _leave_every_isr(writer: Writer, broker_id: BrokerId, *, variant: str) -> None:
    for partition in writer.controller.partitions:
        if broker_id in partition.isr or partition.leader == broker_id:
            writer.change_isr_and_elect(
                partition,
                _without(partition.isr, broker_id),
                unavailable=broker_id,
                variant=variant,
            )


def broker_registered(
    controller: Controller,
    broker_id: BrokerId,
    incarnation: int,
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """A broker has started: it gets a new epoch, and is fenced until it has caught up."""
    writer = Writer(controller, profile, policies)
    registered = writer.register(
        BrokerRegistration(broker_id=broker_id, fenced=True, incarnation=incarnation)
    )
    writer.events.append(
        event(
            "BrokerRegistered",
            sources=("ClusterControlManager",),
            broker=broker_id,
            broker_epoch=registered.broker_epoch,
        )
    )
    return writer.outcome()


def broker_unfenced(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """A broker has caught up: only partitions without a leader are looked at; it joins no ISR."""
    writer = Writer(controller, profile, policies)
    writer.events.append(
        event("BrokerUnfenced", sources=("BrokerHeartbeatManager",), broker=broker_id)
    )
    writer.change_broker(writer.controller.broker(broker_id), fenced=False)
    for partition in writer.controller.partitions:
        if partition.leader == NO_LEADER:
            writer.change_isr_and_elect(partition, partition.isr, available=broker_id)
    return writer.outcome()


def begin_controlled_shutdown(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Take a broker that wants to stop out of every ISR and move its leaderships.

    One that leads nothing is fenced directly (recorded on 3.9); one that leads is first marked as
    shutting down, so that it cannot rejoin an ISR meanwhile (KIP-841).
    """
    writer = Writer(controller, profile, policies)
    leads = any(partition.leader == broker_id for partition in controller.partitions)
    if not leads:
        _leave_every_isr(writer, broker_id, variant="shutdown")
        writer.events.append(_fenced_at_shutdown(broker_id))
        writer.change_broker(writer.controller.broker(broker_id), fenced=True)
        return writer.outcome()
    writer.change_broker(writer.controller.broker(broker_id), in_controlled_shutdown=True)
    _leave_every_isr(writer, broker_id, variant="shutdown")
    return writer.outcome()


def end_controlled_shutdown(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """The broker leads nothing any more: it may stop, and is fenced."""
    writer = Writer(controller, profile, policies)
    _leave_every_isr(writer, broker_id, variant="shutdown")
    writer.events.append(_fenced_at_shutdown(broker_id))
    writer.change_broker(writer.controller.broker(broker_id), fenced=True)
    return writer.outcome()


def _fenced_at_shutdown(broker_id: BrokerId) -> Event:
    return event(
        "BrokerFenced",
        variant="shutdown",
        rule="CONTROLLED-SHUTDOWN",
        sources=("BrokerHeartbeatManager", "ReplicationControlManager"),
        broker=broker_id,
    )


def elect_preferred(
    controller: Controller, partition_name: str, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """Make the first replica of the assignment lead; null where it cannot or already does."""
    before = controller.partition(partition_name)
    preferred = before.preferred_leader
    if (
        preferred == before.leader
        or preferred not in before.isr
        or preferred not in controller.active_brokers()
    ):
        return None
    writer = Writer(controller, profile, policies)
    after = writer.change_partition(before, leader=preferred)
    writer.events.append(elected_event(before, after, "preferred", _SOURCES))
    return writer.outcome()


def elect_asked(
    controller: Controller,
    partition_name: str,
    profile: Profile,
    policies: Policies,
    *,
    unclean: bool,
) -> ControllerOutcome | None:
    """An election for a partition without a leader; null where nobody can be elected."""
    writer = Writer(controller, profile, policies)
    before = controller.partition(partition_name)
    if writer.change_isr_and_elect(before, before.isr, unclean_asked=unclean) is None:
        return None
    return writer.outcome()


def reorder_replicas(
    controller: Controller,
    partition_name: str,
    replicas: tuple[BrokerId, ...],
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """Write the assignment in another order; the leader epoch stays."""
    writer = Writer(controller, profile, policies)
    before = controller.partition(partition_name)
    after = writer.change_partition(before, assignment=Assignment(replicas=replicas))
    writer.events.append(
        event(
            "ReplicasReordered",
            rule="KRAFT-PARTITION-CHANGE",
            sources=_SOURCES,
            partition=after.partition,
            replicas=list(replicas),
            leader_epoch=after.leader_epoch,
        )
    )
    return writer.outcome()


def reassign(
    controller: Controller,
    partition_name: str,
    target: tuple[BrokerId, ...],
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """Begin to move a partition to other brokers; only removing is done in the same record."""
    before = controller.partition(partition_name)
    assignment = towards(before, target)
    writer = Writer(controller, profile, policies)
    writer.events.append(reassignment_started_event(before, assignment, _SOURCES))
    writer.change_isr_and_elect(before, before.isr, assignment=assignment)
    return writer.outcome()


def answer_alter_partition(
    controller: Controller,
    partition_name: str,
    leader: BrokerId,
    *,
    leader_epoch: int,
    partition_epoch: int,
    new_isr: tuple[BrokerId, ...],
    broker_epochs: tuple[int, ...] | None,
    profile: Profile,
    policies: Policies,
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Check a leader's proposal in Kafka's order and write it (`validateAlterPartitionData`)."""
    before = controller.partition(partition_name)
    if leader_epoch > before.leader_epoch or partition_epoch > before.partition_epoch:
        return ErrorCode.NOT_CONTROLLER, None
    if leader_epoch < before.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH, None
    if before.leader != leader:
        return ErrorCode.INVALID_REQUEST, None
    if partition_epoch < before.partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION, None
    if (
        leader not in new_isr
        or len(set(new_isr)) != len(new_isr)
        or not set(new_isr) <= set(before.replicas)
    ):
        return ErrorCode.INVALID_REQUEST, None
    rules = profile.rules
    stale = broker_epochs is not None and any(
        epoch not in (-1, controller.broker(member).broker_epoch)
        for member, epoch in zip(new_isr, broker_epochs, strict=True)
    )
    if rules.fenced_brokers_stay_out and (stale or not set(new_isr) <= controller.active_brokers()):
        return ErrorCode.INELIGIBLE_REPLICA, None
    writer = Writer(controller, profile, policies)
    if is_complete(assignment_of(before), new_isr):
        return _complete_reassignment(writer, before, new_isr)
    shrinks = any(member not in new_isr for member in before.isr)
    recovers = rules.leader_recovery_state and before.leader_recovery_state == "RECOVERING"
    after = writer.change_partition(
        before,
        isr=new_isr if new_isr != before.isr else None,
        leader_recovery_state="RECOVERED" if recovers else None,
        leader=before.leader if shrinks and not rules.no_epoch_bump_on_shrink else None,
    )
    writer.events.extend(
        isr_change_events(before, after, "KRAFT-PARTITION-CHANGE", ("KIP-497", *_SOURCES))
    )
    return ErrorCode.NONE, writer.outcome()


def _complete_reassignment(
    writer: Writer, before: PartitionRegistration, new_isr: tuple[BrokerId, ...]
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """The ISR that a leader proposes ends a move. A leader that does not stay is told that another
    one leads; up to AlterPartition v1 there was no error of its own for that."""
    after = writer.change_isr_and_elect(before, new_isr)
    assert after is not None, "the assignment changes"
    joined = [member for member in after.isr if member not in before.isr]
    if joined:
        writer.events.append(
            isr_expanded_event(after, joined, "KRAFT-PARTITION-CHANGE", ("KIP-497", *_SOURCES))
        )
    error = ErrorCode.NONE
    if after.leader != before.leader:
        knows = writer.profile.rules.fenced_brokers_stay_out
        error = ErrorCode.NEW_LEADER_ELECTED if knows else ErrorCode.FENCED_LEADER_EPOCH
    return error, writer.outcome()

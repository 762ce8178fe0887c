"""The KRaft controller: every decision is records in one metadata log that all brokers read.

A PartitionChangeRecord always bumps the partition epoch; it bumps the leader epoch only where it
carries a leader, even the same one (`PartitionRegistration.merge`, `PartitionChangeBuilder`,
`ReplicationControlManager`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.controller import (
    BrokerFenced,
    BrokerRegistered,
    BrokerUnfenced,
    MetadataRecordsWritten,
    ReplicasReordered,
)
from sim_engine.events.election import (
    ElectionCase,
    EligibleLeaderReplicasChanged,
    ElrCase,
    UncleanSettingNotRead,
)
from sim_engine.events.metadata_records import (
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    FeatureLevelRecord,
    MetadataRecord,
    PartitionChangeRecord,
    RegisterBrokerRecord,
)
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.controller.partition_change import (
    LeaderFrom,
    PartitionChange,
    partition_change,
)
from sim_engine.protocol.controller.reassignment import (
    Assignment,
    assignment_of,
    is_complete,
    towards,
    waits_for,
)
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    elected_event,
    isr_change_events,
    isr_expanded_event,
    isr_shrunk_event,
    leader_lost_event,
    reassignment_completed_event,
    reassignment_started_event,
    with_broker,
    with_partition,
)
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration
from sim_engine.releases import feature_level
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
        self._records: list[MetadataRecord] = []
        self._partitions: dict[str, PartitionRegistration] = {}
        self._brokers: dict[BrokerId, BrokerRegistration] = {}

    def outcome(self) -> ControllerOutcome:
        """What the event comes to; the records stand in its last event."""
        events = tuple(self.events)
        if self._records:
            events = (
                *events,
                MetadataRecordsWritten(
                    rule="KRAFT-PARTITION-CHANGE" if self._partitions else None,
                    offset=self.controller.metadata_offset,
                    count=len(self._records),
                    records=tuple(self._records),
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
        self._record(RegisterBrokerRecord(broker=broker.broker_id, fenced=broker.fenced))
        return registered

    def change_broker(self, broker: BrokerRegistration, **changed: bool) -> None:
        """Write a BrokerRegistrationChangeRecord."""
        self._set_broker(replace(broker, **changed))
        self._record(BrokerRegistrationChangeRecord(broker=broker.broker_id, **changed))

    def change_partition(
        self,
        before: PartitionRegistration,
        change: PartitionChange,
    ) -> PartitionRegistration:
        """Write a PartitionChangeRecord with the fields given, and apply it."""
        after = replace(before, partition_epoch=before.partition_epoch + 1)
        if change.isr is not None:
            after = replace(after, isr=change.isr)
        if change.elr is not None:
            after = replace(after, elr=change.elr)
        if change.last_known_elr is not None:
            after = replace(after, last_known_elr=change.last_known_elr)
        if change.leader_recovery_state is not None:
            after = replace(after, leader_recovery_state=change.leader_recovery_state)
        if change.leader is not None:
            after = replace(after, leader=change.leader, leader_epoch=before.leader_epoch + 1)
        if change.assignment is not None:
            after = replace(
                after,
                replicas=change.assignment.replicas,
                adding_replicas=change.assignment.adding,
                removing_replicas=change.assignment.removing,
            )
        self.controller = with_partition(self.controller, after)
        self._partitions[after.partition] = after
        self._record(_change_record(before, change, after))
        return after

    def change_feature_level(self, level: str) -> None:
        """Write a FeatureLevelRecord: the metadata.version that everybody speaks from here on."""
        self._record(
            FeatureLevelRecord(name="metadata.version", feature_level=feature_level(level))
        )

    def clear_elr(self, topic: str | None) -> None:
        """Write a ClearElrRecord for a topic or for all. Brokers do not keep the ELR."""
        self._record(ClearElrRecord(topic=topic))
        for before in self.controller.partitions:
            if topic not in (None, before.partition.rpartition("-")[0]):
                continue
            if not before.elr and not before.last_known_elr:
                continue
            after = replace(before, elr=(), last_known_elr=())
            self.controller = with_partition(self.controller, after)
            if before.elr:
                self.events.append(_elr_event("config", before.elr, after))

    def _set_broker(self, broker: BrokerRegistration) -> None:
        self.controller = with_broker(self.controller, broker)
        self._brokers[broker.broker_id] = broker

    def _record(self, record: MetadataRecord) -> None:
        self.controller = replace(
            self.controller, metadata_offset=self.controller.metadata_offset + 1
        )
        self._records.append(record)

    # --- elections -----------------------------------------------------------------------

    def change_isr_and_elect(
        self,
        before: PartitionRegistration,
        target_isr: tuple[BrokerId, ...],
        *,
        unavailable: BrokerId | None = None,
        available: BrokerId | None = None,
        unclean_shutdown: BrokerId | None = None,
        unclean_asked: bool = False,
        preferred_asked: bool = False,
        variant: ElectionCase = "clean",
        assignment: Assignment | None = None,
        recovered: bool = False,
    ) -> PartitionRegistration | None:
        """Give a partition a new ISR and elect where its leader is no longer valid.

        `unavailable` is the broker that is going, `available` the one that is coming: the record is
        written before the registration changes or after it. `unclean_asked` is an administrator's
        wish; the setting that allows an unclean election counts from 3.9 on only (KAFKA-12670,
        `ConfigurationControlManager.uncleanLeaderElectionEnabledForTopic`). `unclean_shutdown` is
        one that comes back and cannot say that it stopped cleanly. `assignment` is a new one; a
        move that is done with this ISR is completed. Null where nothing changes.
        """
        policy = self.policies[before.partition]
        by_setting = self.profile.rules.unclean_election_by_setting
        unclean = unclean_asked or (by_setting and policy.unclean_leader_election_enable)
        coming = () if available is None else (available,)
        change = partition_change(
            before,
            target_isr=target_isr,
            acceptable=self.controller.active_brokers().union(coming)
            - {unavailable, unclean_shutdown},
            min_isr=policy.effective_min_insync_replicas,
            rules=self.profile.rules,
            election="preferred" if preferred_asked else "unclean" if unclean else "online",
            unclean_shutdown=unclean_shutdown,
            recovered=recovered,
            assignment=assignment,
        )
        if change is None:
            self._say_if_setting_is_not_read(before, coming, unavailable)
            return None
        after = self.change_partition(before, change)
        self.unclean = self.unclean or change.unclean
        gone = [member for member in before.isr if member not in after.isr]
        if gone and not change.unclean:
            self.events.append(
                isr_shrunk_event(
                    after,
                    gone,
                    by="controller",
                    rule="KRAFT-PARTITION-CHANGE",
                    sources=_SOURCES,
                )
            )
        self.events.extend(elr_events(before, after, unclean_shutdown=unclean_shutdown))
        if after.leader == NO_LEADER != before.leader:
            self.events.append(leader_lost_event(before, after, _SOURCES))
        elif after.leader != before.leader:
            asked: ElectionCase = "reassigned" if change.completes_reassignment else variant
            kind = _VARIANT_OF.get(change.leader_from, asked)
            if kind == "clean" and before.leader == NO_LEADER:
                kind = "returned"
            self.events.append(elected_event(before, after, kind, _SOURCES))
        if change.completes_reassignment:
            self.events.append(reassignment_completed_event(after, _SOURCES))
        self._say_if_setting_is_not_read(after, coming, unavailable)
        return after

    def _say_if_setting_is_not_read(
        self,
        partition: PartitionRegistration,
        coming: tuple[BrokerId, ...],
        unavailable: BrokerId | None,
    ) -> None:
        """Say that somebody would lead if this controller knew the setting (KAFKA-12670)."""
        if (
            partition.leader != NO_LEADER
            or self.profile.rules.unclean_election_by_setting
            or not self.policies[partition.partition].unclean_leader_election_enable
        ):
            return
        active = self.controller.active_brokers().union(coming) - {unavailable}
        alive = [replica for replica in partition.replicas if replica in active]
        if alive:
            self.events.append(
                UncleanSettingNotRead(
                    variant=None if self.profile.rules.kraft_elects_on_request else "no_request",
                    partition=partition.partition,
                    live=tuple(alive),
                    isr=partition.isr,
                )
            )


def _change_record(
    before: PartitionRegistration, change: PartitionChange, after: PartitionRegistration
) -> PartitionChangeRecord:
    """A PartitionChangeRecord has the fields that a change gives, and of an assignment those that
    are others than before."""
    recovery = change.leader_recovery_state
    return PartitionChangeRecord(
        partition=after.partition,
        isr=UNSET if change.isr is None else change.isr,
        elr=UNSET if change.elr is None else change.elr,
        last_known_elr=UNSET if change.last_known_elr is None else change.last_known_elr,
        leader_recovery_state=UNSET if recovery is None else int(recovery == "RECOVERING"),
        leader=UNSET if change.leader is None else change.leader,
        replicas=_if_changed(before.replicas, after.replicas),
        removing=_if_changed(before.removing_replicas, after.removing_replicas),
        adding=_if_changed(before.adding_replicas, after.adding_replicas),
        leader_epoch=after.leader_epoch,
        partition_epoch=after.partition_epoch,
    )


def _if_changed(
    before: tuple[BrokerId, ...], after: tuple[BrokerId, ...]
) -> tuple[BrokerId, ...] | UnsetType:
    return UNSET if after == before else after


_VARIANT_OF: Mapping[LeaderFrom, ElectionCase] = {
    "elr": "elr",
    "last_known_leader": "last_known_leader",
    "outside": "unclean",
}


def elr_events(
    before: PartitionRegistration,
    after: PartitionRegistration,
    *,
    unclean_shutdown: BrokerId | None = None,
) -> Iterator[Event]:
    """Say who became an eligible leader replica, and who is none any more, and why."""
    joined = [member for member in after.elr if member not in before.elr]
    left = [member for member in before.elr if member not in after.elr]
    if joined:
        yield _elr_event("joined", joined, after)
    if unclean_shutdown is not None and unclean_shutdown in left:
        yield _elr_event("unclean_shutdown", [unclean_shutdown], after)
    elif left and not after.elr and after.leader == before.leader:
        yield _elr_event("cleared", left, after)


def _elr_event(
    variant: ElrCase, replicas: Iterable[BrokerId], after: PartitionRegistration
) -> Event:
    return EligibleLeaderReplicasChanged(
        variant=variant,
        sources=("KIP-966", *_SOURCES),
        partition=after.partition,
        replicas=tuple(replicas),
        isr=after.isr,
        elr=after.elr,
        partition_epoch=after.partition_epoch,
    )


def _without(isr: tuple[BrokerId, ...], broker_id: BrokerId) -> tuple[BrokerId, ...]:
    return tuple(member for member in isr if member != broker_id)


def broker_fenced(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """A broker's session has timed out: out of every ISR, elections, then its fencing."""
    writer = Writer(controller, profile, policies)
    writer.events.append(BrokerFenced(broker=broker_id))
    _leave_every_isr(writer, broker_id, variant="clean")
    writer.change_broker(writer.controller.broker(broker_id), fenced=True)
    return writer.outcome()


def _leave_every_isr(writer: Writer, broker_id: BrokerId, *, variant: ElectionCase) -> None:
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
    previous_broker_epoch: int,
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """A broker has started: it gets a new epoch, and is fenced until it has caught up.

    With eligible leader replicas it says which broker epoch it held as it last stopped cleanly.
    Where that is not the one registered, its log may be shorter than it was, and it leaves every
    ISR and ELR first (`handleBrokerUncleanShutdown`).
    """
    writer = Writer(controller, profile, policies)
    registered_before = controller.broker(broker_id)
    variant: Literal["clean_shutdown", "unclean_shutdown"] | None = None
    if profile.rules.eligible_leader_replicas:
        clean = previous_broker_epoch == registered_before.broker_epoch
        variant = "clean_shutdown" if clean else "unclean_shutdown"
        if not clean:
            _strike_off(writer, broker_id)
    registered = writer.register(
        BrokerRegistration(broker_id=broker_id, fenced=True, incarnation=incarnation)
    )
    writer.events.insert(
        0,
        BrokerRegistered(
            variant=variant,
            rule=None if variant is None else "KIP-966",
            broker=broker_id,
            broker_epoch=registered.broker_epoch,
            previous_broker_epoch=previous_broker_epoch,
            registered_broker_epoch=registered_before.broker_epoch,
        ),
    )
    return writer.outcome()


def _strike_off(writer: Writer, broker_id: BrokerId) -> None:
    for partition in writer.controller.partitions:
        if broker_id in partition.isr or broker_id in partition.elr:
            writer.change_isr_and_elect(
                partition, _without(partition.isr, broker_id), unclean_shutdown=broker_id
            )


def broker_unfenced(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """A broker has caught up: only partitions without a leader are looked at; it joins no ISR."""
    writer = Writer(controller, profile, policies)
    writer.events.append(BrokerUnfenced(broker=broker_id))
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
    shutting down, so that it cannot rejoin an ISR meanwhile (KIP-841, from metadata.version
    3.3-IV3 on).
    """
    writer = Writer(controller, profile, policies)
    leads = any(partition.leader == broker_id for partition in controller.partitions)
    if not leads:
        _leave_every_isr(writer, broker_id, variant="shutdown")
        writer.events.append(_fenced_at_shutdown(broker_id))
        writer.change_broker(writer.controller.broker(broker_id), fenced=True)
        return writer.outcome()
    if profile.rules.controlled_shutdown_is_registered:
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
    return BrokerFenced(
        variant="shutdown",
        rule="CONTROLLED-SHUTDOWN",
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
    writer.change_isr_and_elect(before, before.isr, preferred_asked=True, variant="preferred")
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


def feature_level_changed(
    controller: Controller, level: str, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """An administrator has raised or lowered the metadata.version (`FeatureControlManager`)."""
    writer = Writer(controller, profile, policies)
    writer.change_feature_level(level)
    return writer.outcome()


def min_isr_changed(
    controller: Controller, topic: str | None, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """min.insync.replicas of a topic, or of all, is another: who was eligible is no longer known.

    No partition epoch moves: a ClearElrRecord speaks of a topic (KAFKA-16540).
    """
    writer = Writer(controller, profile, policies)
    writer.clear_elr(topic)
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
    after = writer.change_partition(
        before, PartitionChange(assignment=Assignment(replicas=replicas))
    )
    writer.events.append(
        ReplicasReordered(
            rule="KRAFT-PARTITION-CHANGE",
            sources=_SOURCES,
            partition=after.partition,
            replicas=tuple(replicas),
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
    leader_recovery_state: str = "RECOVERED",
    broker_epoch: int | None = None,
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """Check a leader's proposal in Kafka's order and write it (`validateAlterPartitionData`).

    `broker_epoch` is the leader's own: the request of an earlier start of it is refused whole.
    """
    if broker_epoch not in (None, controller.broker(leader).broker_epoch):
        return ErrorCode.STALE_BROKER_EPOCH, None
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
    if leader_recovery_state == "RECOVERING" and (
        len(new_isr) > 1 or before.leader_recovery_state == "RECOVERED"
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
    if is_complete(assignment_of(before), new_isr, waits_for(profile.rules)):
        return _complete_reassignment(writer, before, new_isr)
    change = partition_change(
        before,
        target_isr=new_isr,
        acceptable=controller.active_brokers(),
        min_isr=policies[partition_name].effective_min_insync_replicas,
        rules=rules,
        recovered=True,
        proposed=True,
    )
    if change is not None:
        after = writer.change_partition(before, change)
        writer.events.extend(
            isr_change_events(before, after, "KRAFT-PARTITION-CHANGE", ("KIP-497", *_SOURCES))
        )
        writer.events.extend(elr_events(before, after))
    return ErrorCode.NONE, writer.outcome()


def _complete_reassignment(
    writer: Writer, before: PartitionRegistration, new_isr: tuple[BrokerId, ...]
) -> tuple[ErrorCode, ControllerOutcome | None]:
    """The ISR that a leader proposes ends a move. A leader that does not stay is told that another
    one leads; up to AlterPartition v1 there was no error of its own for that."""
    first = len(writer.events)
    after = writer.change_isr_and_elect(before, new_isr, recovered=True)
    assert after is not None, "the assignment changes"
    joined = [member for member in after.isr if member not in before.isr]
    if joined:
        # Who joined is why the move is done, so it is said before everything else, with the ISR
        # as proposed: who does not stay leaves it in the same write.
        writer.events.insert(
            first,
            isr_expanded_event(
                replace(after, isr=new_isr),
                joined,
                "KRAFT-PARTITION-CHANGE",
                ("KIP-497", *_SOURCES),
            ),
        )
    error = ErrorCode.NONE
    if after.leader != before.leader:
        knows = writer.profile.rules.fenced_brokers_stay_out
        error = ErrorCode.NEW_LEADER_ELECTED if knows else ErrorCode.FENCED_LEADER_EPOCH
    return error, writer.outcome()

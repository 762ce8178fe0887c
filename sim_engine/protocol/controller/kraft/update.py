"""The records that one event of a KRaft controller appends to the metadata log, and the events that
tell about them.

A PartitionChangeRecord always increments the partition epoch. It increments the leader epoch only
if it contains a leader, even the same one (`PartitionRegistration.merge`). One record changes the
ISR and, if the leader is no longer valid, elects another. If the controller throws an exception
while it computes a change, it resigns and writes nothing, and the next active controller has the
same state.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from sim_engine.events import controller as controller_events
from sim_engine.events.base import Event
from sim_engine.events.controller import ControllerFailed, MetadataRecordsWritten
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition, topic_of
from sim_engine.protocol.controller import state
from sim_engine.protocol.controller.kraft.partition_change import (
    LeaderFrom,
    PartitionChange,
    ReplicaNotAssignedError,
    partition_change,
)
from sim_engine.protocol.messages import BrokerRegistration, PartitionRegistration
from sim_engine.releases import feature_level


class KRaftUpdate:
    """Collects the records of one controller event, applying each as it is written.

    `controller` is the state after the records so far. The deciding functions append to `events`,
    and set `unclean` if a leader is elected from outside the ISR.
    """

    def __init__(self, at: state.Situation) -> None:
        self.controller = at.controller
        self.profile = at.profile
        self.policies = at.policies
        self.events: list[Event] = []
        self.unclean = False
        self._first_offset = at.controller.metadata_offset + 1
        self._records: list[controller_events.MetadataRecord] = []
        self._partitions: dict[TopicPartition, PartitionRegistration] = {}
        self._brokers: dict[BrokerId, BrokerRegistration] = {}
        self._registered: BrokerId | None = None

    def outcome(self) -> state.ControllerOutcome:
        """The outcome of the controller event; its last event contains the records."""
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
        return state.ControllerOutcome(
            controller=self.controller,
            changed_partitions=tuple(self._partitions.values()),
            changed_brokers=tuple(self._brokers.values()),
            records=tuple(self._records),
            registered=self._registered,
            events=events,
            unclean=self.unclean,
        )

    def register(self, broker: BrokerRegistration) -> BrokerRegistration:
        """Write a RegisterBrokerRecord.

        The broker epoch is the offset of the first record that this controller event writes:
        changes of partitions may precede the registration (`QuorumController.registerBroker` takes
        `OffsetControlManager.nextWriteOffset`, before the records are made).
        """
        registered = replace(broker, broker_epoch=self._first_offset)
        self._registered = registered.broker_id
        self._set_broker(registered)
        self._record(
            controller_events.RegisterBrokerRecord(broker=broker.broker_id, fenced=broker.fenced)
        )
        return registered

    def change_broker(self, broker_id: BrokerId, **changed: bool) -> None:
        """Write a BrokerRegistrationChangeRecord with the flags given."""
        self._set_broker(replace(self.controller.broker(broker_id), **changed))
        self._record(controller_events.BrokerRegistrationChangeRecord(broker=broker_id, **changed))

    def change_partition(
        self, before: PartitionRegistration, change: PartitionChange
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
        self.controller = state.with_partition(self.controller, after)
        self._partitions[after.partition] = after
        self._record(_change_record(before, change, after))
        return after

    def change_feature_level(self, level: str) -> None:
        """Write a FeatureLevelRecord: the metadata.version that all brokers use from here on."""
        self._record(
            controller_events.FeatureLevelRecord(
                name="metadata.version", feature_level=feature_level(level)
            )
        )

    def clear_elr(
        self, topic: str | None
    ) -> list[tuple[PartitionRegistration, PartitionRegistration]]:
        """Write a ClearElrRecord for a topic or for all. Brokers do not keep the ELR.

        Returns the partitions that it changes, before and after.
        """
        self._record(controller_events.ClearElrRecord(topic=topic))
        cleared: list[tuple[PartitionRegistration, PartitionRegistration]] = []
        for before in self.controller.partitions:
            if topic not in (None, topic_of(before.partition)):
                continue
            if not before.elr and not before.last_known_elr:
                continue
            after = replace(before, elr=(), last_known_elr=())
            self.controller = state.with_partition(self.controller, after)
            cleared.append((before, after))
        return cleared

    def _set_broker(self, broker: BrokerRegistration) -> None:
        self.controller = state.with_broker(self.controller, broker)
        self._brokers[broker.broker_id] = broker

    def _record(self, record: controller_events.MetadataRecord) -> None:
        self.controller = replace(
            self.controller, metadata_offset=self.controller.metadata_offset + 1
        )
        self._records.append(record)


def _change_record(
    before: PartitionRegistration, change: PartitionChange, after: PartitionRegistration
) -> controller_events.PartitionChangeRecord:
    """The record in an event: the fields of the change; of an assignment, only the changed ones."""
    recovery = change.leader_recovery_state
    return controller_events.PartitionChangeRecord(
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


def elr_events(
    before: PartitionRegistration,
    after: PartitionRegistration,
    *,
    unclean_shutdown: BrokerId | None = None,
) -> Iterator[Event]:
    """Events for the replicas that joined or left the ELR with a record, with the reason."""
    joined = [member for member in after.elr if member not in before.elr]
    left = [member for member in before.elr if member not in after.elr]
    if joined:
        yield _changed_event("joined", joined, after)
    if unclean_shutdown is not None and unclean_shutdown in left:
        yield _changed_event("unclean_shutdown", [unclean_shutdown], after)
    elif left and not after.elr and after.leader == before.leader:
        yield _changed_event("cleared", left, after)


def elr_cleared_event(before: PartitionRegistration, after: PartitionRegistration) -> Event:
    """The event of a ClearElrRecord, which clears the ELR after a change of min.insync.replicas."""
    return _changed_event("config", before.elr, after)


def _changed_event(
    variant: controller_events.ElrCase, replicas: Iterable[BrokerId], after: PartitionRegistration
) -> Event:
    return controller_events.EligibleLeaderReplicasChanged(
        variant=variant,
        sources=("KIP-966", "PartitionChangeBuilder", "ReplicationControlManager"),
        partition=after.partition,
        replicas=tuple(replicas),
        isr=after.isr,
        elr=after.elr,
        partition_epoch=after.partition_epoch,
    )


SOURCES = ("PartitionChangeBuilder", "ReplicationControlManager")


def change_isr_and_elect(
    update: KRaftUpdate,
    before: PartitionRegistration,
    target_isr: tuple[BrokerId, ...],
    *,
    unavailable: BrokerId | None = None,
    available: BrokerId | None = None,
    unclean_shutdown: BrokerId | None = None,
    unclean_asked: bool = False,
    variant: controller_events.ElectionCase = "clean",
    unclean_by_setting: bool = True,
    assignment: state.Assignment | None = None,
    recovered: bool = False,
) -> PartitionRegistration | None:
    """Change the ISR of a partition, and elect a leader if the current one is no longer valid.
    Returns the new registration; None if nothing changes.

    `unavailable` is a broker that is leaving, and `available` one that is returning, because the
    record is written before or after the registration changes. `unclean_asked` is an
    administrator's request; the setting that allows unclean elections counts only from 3.9
    (KAFKA-12670, `ConfigurationControlManager.uncleanLeaderElectionEnabledForTopic`), and not
    without `unclean_by_setting`: a new reassignment does not read it.
    `unclean_shutdown` is a returning broker that cannot prove a clean shutdown. `assignment` is a
    new assignment; a reassignment that is complete with this ISR is ended. `variant` is the cause
    of an election in its event; "preferred" also selects the preferred election.
    """
    rules = update.profile.rules
    policy = update.policies[before.partition]
    by_setting = unclean_by_setting and rules.unclean_election_by_setting
    unclean = unclean_asked or (by_setting and policy.unclean_leader_election_enable)
    acceptable = update.controller.active_brokers() - {unavailable, unclean_shutdown}
    change = partition_change(
        before,
        target_isr=target_isr,
        acceptable=acceptable if available is None else acceptable | {available},
        min_isr=policy.effective_min_insync_replicas,
        rules=rules,
        election="preferred" if variant == "preferred" else "unclean" if unclean else "online",
        unclean_shutdown=unclean_shutdown,
        recovered=recovered,
        assignment=assignment,
    )
    after = None
    if change is not None:
        after = update.change_partition(before, change)
        update.unclean = update.unclean or change.unclean
        _say_change(update, before, change, after, unclean_shutdown, variant)
    now = before if after is None else after
    _say_if_setting_is_not_read(update, now, available, unavailable)
    return after


def _say_change(
    update: KRaftUpdate,
    before: PartitionRegistration,
    change: PartitionChange,
    after: PartitionRegistration,
    unclean_shutdown: BrokerId | None,
    variant: controller_events.ElectionCase,
) -> None:
    elr = update.profile.rules.eligible_leader_replicas
    gone = [member for member in before.isr if member not in after.isr]
    if gone and not change.unclean:
        update.events.append(
            state.isr_shrunk_event(
                after, gone, by="controller", rule="KRAFT-PARTITION-CHANGE", sources=SOURCES
            )
        )
    update.events.extend(elr_events(before, after, unclean_shutdown=unclean_shutdown))
    if after.leader == NO_LEADER != before.leader:
        update.events.append(state.leader_lost_event(before, after, SOURCES, elr=elr))
    elif after.leader != before.leader:
        is_replica = before.leader in (NO_LEADER, *after.replicas)
        asked: controller_events.ElectionCase = variant if is_replica else "reassigned"
        case = _CASE_OF.get(change.leader_from, asked)
        if case == "clean" and before.leader == NO_LEADER:
            case = "returned"
        update.events.append(state.elected_event(before, after, case, SOURCES, elr=elr))
    if change.completes_reassignment:
        update.events.append(state.reassignment_completed_event(after, SOURCES))


_CASE_OF: Mapping[LeaderFrom, controller_events.ElectionCase] = {
    "elr": "elr",
    "last_known_leader": "last_known_leader",
    "outside": "unclean",
}
"""The name of an election by the source of its leader, whatever its cause."""


def _say_if_setting_is_not_read(
    update: KRaftUpdate,
    partition: PartitionRegistration,
    available: BrokerId | None,
    unavailable: BrokerId | None,
) -> None:
    """Reports that a replica would be elected if this controller read the setting (KAFKA-12670)."""
    rules = update.profile.rules
    if (
        partition.leader != NO_LEADER
        or rules.unclean_election_by_setting
        or not update.policies[partition.partition].unclean_leader_election_enable
    ):
        return
    active = update.controller.active_brokers() - {unavailable}
    alive = tuple(
        replica for replica in partition.replicas if replica in active or replica == available
    )
    if alive:
        update.events.append(
            controller_events.UncleanSettingNotRead(
                variant=None if rules.kraft_elects_on_request else "no_request",
                partition=partition.partition,
                live=alive,
                isr=partition.isr,
            )
        )


def controller_failed(
    controller: state.Controller,
    fault: ReplicaNotAssignedError,
    during: Literal["registration", "unfencing", "election"],
    broker: BrokerId | None = None,
) -> state.ControllerOutcome:
    """The outcome of a decision during which the controller fails: nothing is written.

    `broker` is the one whose registration or heartbeat the controller handled. It is remembered
    until the controller writes something, because its next attempt fails in the same way.
    """
    failed_for = controller.failed_for if broker is None else (*controller.failed_for, broker)
    return state.ControllerOutcome(
        controller=replace(controller, failed_for=tuple(sorted({*failed_for}))),
        events=(
            ControllerFailed(
                variant=during,
                partition=fault.partition.partition,
                broker=broker,
                replica=fault.replica,
                replicas=fault.partition.replicas,
            ),
        ),
    )

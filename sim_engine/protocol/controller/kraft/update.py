"""The records that one controller event appends to the metadata log.

A PartitionChangeRecord always increments the partition epoch. It increments the leader epoch only
if it contains a leader, even the same one (`PartitionRegistration.merge`).
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.events.controller import MetadataRecordsWritten
from sim_engine.events.metadata_records import (
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    FeatureLevelRecord,
    MetadataRecord,
    PartitionChangeRecord,
    RegisterBrokerRecord,
)
from sim_engine.identifiers import BrokerId, TopicPartition, topic_of
from sim_engine.protocol.controller.kraft.partition_change import PartitionChange
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    with_broker,
    with_partition,
)
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration
from sim_engine.releases import feature_level
from sim_engine.versions import Profile


class KRaftUpdate:
    """Collects the records of one controller event, applying each as it is written.

    `controller` is the state after the records so far. The deciding functions append to `events`,
    and set `unclean` if a leader is elected from outside the ISR.
    """

    def __init__(self, controller: Controller, profile: Profile, policies: Policies) -> None:
        self.controller = controller
        self.profile = profile
        self.policies = policies
        self.events: list[Event] = []
        self.unclean = False
        self._first_offset = controller.metadata_offset + 1
        self._records: list[MetadataRecord] = []
        self._partitions: dict[TopicPartition, PartitionRegistration] = {}
        self._brokers: dict[BrokerId, BrokerRegistration] = {}
        self._registered: BrokerId | None = None

    def outcome(self) -> ControllerOutcome:
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
        return ControllerOutcome(
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
        self._record(RegisterBrokerRecord(broker=broker.broker_id, fenced=broker.fenced))
        return registered

    def change_broker(self, broker_id: BrokerId, **changed: bool) -> None:
        """Write a BrokerRegistrationChangeRecord with the flags given."""
        self._set_broker(replace(self.controller.broker(broker_id), **changed))
        self._record(BrokerRegistrationChangeRecord(broker=broker_id, **changed))

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
        self.controller = with_partition(self.controller, after)
        self._partitions[after.partition] = after
        self._record(_change_record(before, change, after))
        return after

    def change_feature_level(self, level: str) -> None:
        """Write a FeatureLevelRecord: the metadata.version that all brokers use from here on."""
        self._record(
            FeatureLevelRecord(name="metadata.version", feature_level=feature_level(level))
        )

    def clear_elr(
        self, topic: str | None
    ) -> list[tuple[PartitionRegistration, PartitionRegistration]]:
        """Write a ClearElrRecord for a topic or for all. Brokers do not keep the ELR.

        Returns the partitions that it changes, before and after.
        """
        self._record(ClearElrRecord(topic=topic))
        cleared: list[tuple[PartitionRegistration, PartitionRegistration]] = []
        for before in self.controller.partitions:
            if topic not in (None, topic_of(before.partition)):
                continue
            if not before.elr and not before.last_known_elr:
                continue
            after = replace(before, elr=(), last_known_elr=())
            self.controller = with_partition(self.controller, after)
            cleared.append((before, after))
        return cleared

    def _set_broker(self, broker: BrokerRegistration) -> None:
        self.controller = with_broker(self.controller, broker)
        self._brokers[broker.broker_id] = broker

    def _record(self, record: MetadataRecord) -> None:
        self.controller = replace(
            self.controller, metadata_offset=self.controller.metadata_offset + 1
        )
        self._records.append(record)


def _change_record(
    before: PartitionRegistration, change: PartitionChange, after: PartitionRegistration
) -> PartitionChangeRecord:
    """The record in an event: the fields of the change, and only the changed fields of an
    assignment.
    """
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

"""The records of KRaft's metadata log, as events contain them.

Field names are short: `broker`, not `brokerId`. An optional field is absent if the record does not
change it.
"""

from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from sim_engine.identifiers import BrokerId, LeaderEpoch, TopicPartition


class _Record(Struct, frozen=True, gc=False, tag=True, tag_field="record"):
    pass


class RegisterBrokerRecord(_Record, frozen=True, kw_only=True):
    """A broker is registered."""

    broker: BrokerId
    fenced: bool


class BrokerRegistrationChangeRecord(_Record, frozen=True, kw_only=True):
    """A broker is fenced or unfenced, or begins a controlled shutdown."""

    broker: BrokerId
    fenced: bool | UnsetType = UNSET
    in_controlled_shutdown: bool | UnsetType = UNSET


class PartitionChangeRecord(_Record, frozen=True, kw_only=True):
    """A partition changes. The epochs are those after the change."""

    partition: TopicPartition
    isr: tuple[BrokerId, ...] | UnsetType = UNSET
    elr: tuple[BrokerId, ...] | UnsetType = UNSET
    last_known_elr: tuple[BrokerId, ...] | UnsetType = UNSET
    leader_recovery_state: int | UnsetType = UNSET
    """0 is RECOVERED, 1 RECOVERING."""
    leader: BrokerId | UnsetType = UNSET
    replicas: tuple[BrokerId, ...] | UnsetType = UNSET
    removing: tuple[BrokerId, ...] | UnsetType = UNSET
    adding: tuple[BrokerId, ...] | UnsetType = UNSET
    leader_epoch: LeaderEpoch
    partition_epoch: int


class FeatureLevelRecord(_Record, frozen=True, kw_only=True):
    """A feature level of the cluster changes. The level is a number."""

    name: str
    feature_level: int


class ClearElrRecord(_Record, frozen=True, kw_only=True):
    """The eligible leader replicas of a topic are cleared, or of all topics if it is null."""

    topic: str | None


MetadataRecord: TypeAlias = (
    RegisterBrokerRecord
    | BrokerRegistrationChangeRecord
    | PartitionChangeRecord
    | FeatureLevelRecord
    | ClearElrRecord
)

"""Producers: what they send, what becomes of it, and their transactions."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.error_codes import ErrorCode
from sim_engine.events.base import Event, PartitionEvent, ReplicaEvent
from sim_engine.identifiers import Acks, BrokerId, LeaderEpoch, Offset, TopicPartition
from sim_engine.records import Marker


class ProduceEvent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """What becomes of a produce request of one record; `broker` is whom it was sent to, -1 where
    nobody leads the partition."""

    rule: str | None = "PRODUCE-ACKS"
    producer: str
    value: str


class RecordProduced(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A leader appends a record at `offset`. The producer id and the sequence are null unless the
    producer is idempotent."""

    variant: Literal["idempotent", "transactional"] | None = None
    sources: tuple[str, ...] = ("Partition", "ReplicaManager")
    offset: Offset
    leader_epoch: LeaderEpoch
    acks: Acks
    log_end_offset: Offset
    producer_id: int | None
    sequence: int | None


class DuplicateRecognised(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader finds the record of a retry in its log and answers with its offset.

    `last_sequence` is the highest one that the log has of that producer.
    """

    rule: str | None = "KIP-98"
    sources: tuple[str, ...] = ("KIP-98", "ProducerStateManager")
    value: str
    producer_id: int | None
    sequence: int | None
    offset: Offset
    last_sequence: int | None


class ProduceAcknowledged(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A producer is told that its record is stored as far as its acks ask."""

    variant: Literal["all", "1"]
    sources: tuple[str, ...] = ("DelayedProduce", "ReplicaManager")
    offset: Offset
    acks: Acks
    high_watermark: Offset


class ProduceFailed(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A producer is told that its request failed.

    Where a broker said so, the fields are there that tell why: its ISR, empty where it does not
    lead, and the sequences, null unless the producer is idempotent or its log has none of it.
    """

    variant: ErrorCode
    rule: str | None = None
    error: ErrorCode
    isr: tuple[BrokerId, ...] | UnsetType = UNSET
    min_insync_replicas: int | UnsetType = UNSET
    producer_id: int | UnsetType | None = UNSET
    sequence: int | UnsetType | None = UNSET
    last_sequence: int | UnsetType | None = UNSET


class ProduceWaiting(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A produce request waits at a broker that is paused, or whose ISR change waits for
    ZooKeeper."""

    variant: Literal["isr_write"] | None = None


class ProduceUnanswered(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """The connection of a produce request is gone: its producer will not know what became of it."""


class ClientMetadataRefreshed(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A client asks who leads a partition; -1 is nobody."""

    sources: tuple[str, ...] = ("ReplicaManager",)
    client: str
    leader: BrokerId


class TransactionEvent(Event, frozen=True, gc=False, kw_only=True):
    """Something about a producer's transaction as a whole. Its id is not null: it is idempotent."""

    rule: str | None = "KIP-98"
    sources: tuple[str, ...] = ("KIP-98",)
    producer: str
    producer_id: int | None


class TransactionBegun(TransactionEvent, frozen=True, gc=False, kw_only=True):
    """A producer begins a transaction; no log knows of it yet."""


class TransactionEnded(TransactionEvent, frozen=True, gc=False, kw_only=True):
    """A producer's transaction has ended: its markers are in the logs of `partitions`."""

    variant: Marker | Literal["empty"]
    partitions: tuple[TopicPartition, ...]


class MarkerWritten(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader appends the control record that ends a producer's transaction in one partition."""

    variant: Marker
    rule: str | None = "KIP-98"
    sources: tuple[str, ...] = ("KIP-98", "ProducerStateManager")
    producer: str
    producer_id: int
    offset: Offset
    log_end_offset: Offset

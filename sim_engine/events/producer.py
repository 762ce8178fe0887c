"""Producers: their requests, the results, and their transactions."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import Event, PartitionEvent, ReplicaEvent
from sim_engine.events.drawing import dot, request, response
from sim_engine.events.telling import Rank
from sim_engine.identifiers import Acks, BrokerId, ErrorCode, LeaderEpoch, Offset, TopicPartition
from sim_engine.records import Marker


class ProduceEvent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """An event of a produce request with one record. `broker` is the receiver, -1 if the partition
    has no leader."""

    rule: str | None = "PRODUCE-ACKS"
    producer: str
    value: str


class RecordProduced(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A leader appends a record at `offset`. The producer id and the sequence are null unless the
    producer is idempotent."""

    rank = Rank.APPEND
    reports = frozenset({"log", "flushed", "produces"})
    drawn = request("produces", to="broker") + dot("appends", values={"values": "value"})

    variant: Literal["idempotent", "transactional"] | None = None
    sources: tuple[str, ...] = ("Partition", "ReplicaManager")
    offset: Offset
    leader_epoch: LeaderEpoch
    acks: Acks
    log_end_offset: Offset
    producer_id: int | None
    sequence: int | None


class DuplicateRecognised(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader finds that a retried record is already in its log and responds with its offset.

    `last_sequence` is that producer's highest sequence number in the log.
    """

    rank = Rank.REPAIR
    reports = frozenset({"produces"})
    drawn = dot("ignores", "warn", values={"what": "value"})

    rule: str | None = "KIP-98"
    sources: tuple[str, ...] = ("KIP-98", "ProducerStateManager")
    value: str
    producer_id: int | None
    sequence: int | None
    offset: Offset
    last_sequence: int | None


class ProduceAcknowledged(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A producer receives the acknowledgement that its acks setting requires."""

    rank = Rank.OUTCOME
    mark = "acknowledgement"
    explains = False  # it changes no log
    drawn = response("acknowledges", "good", to="producers")

    variant: Literal["all", "1"]
    sources: tuple[str, ...] = ("DelayedProduce", "ReplicaManager")
    offset: Offset
    acks: Acks
    high_watermark: Offset


class ProduceFailed(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A producer learns that its request failed.

    If a broker sent the error, the fields that explain it are present: its ISR (empty unless it is
    the leader) and the sequence numbers (null unless the producer is idempotent and its log has
    one).
    """

    rank = Rank.FAILURE
    reports = frozenset({"produces"})
    drawn = response("fails", "bad", to="producers")

    variant: ErrorCode
    rule: str | None = None
    error: ErrorCode
    isr: tuple[BrokerId, ...] | UnsetType = UNSET
    min_insync_replicas: int | UnsetType = UNSET
    producer_id: int | UnsetType | None = UNSET
    sequence: int | UnsetType | None = UNSET
    last_sequence: int | UnsetType | None = UNSET


class ProduceWaiting(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """A produce request waits at a broker that is paused, or whose ISR change is waiting for
    ZooKeeper."""

    rank = Rank.NOTICE
    drawn = request("waits", "warn", to="broker")

    variant: Literal["isr_write"] | None = None


class ProduceUnanswered(ProduceEvent, frozen=True, gc=False, kw_only=True):
    """The connection of a produce request is closed, so the producer never learns the result."""

    rank = Rank.MISSED
    drawn = response("leavesWithoutResponse", "bad", to="producers", lost=True)


class ClientMetadataRefreshed(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A client refreshes its metadata for a partition. The leader is -1 if the partition
    has none.
    """

    drawn = dot("learnsLeader", at="client")

    sources: tuple[str, ...] = ("ReplicaManager",)
    client: str
    leader: BrokerId


class TransactionEvent(Event, frozen=True, gc=False, kw_only=True):
    """An event of a producer's whole transaction. The producer id is never null, because the
    producer is idempotent."""

    rule: str | None = "KIP-98"
    sources: tuple[str, ...] = ("KIP-98",)
    producer: str
    producer_id: int | None


class TransactionBegun(TransactionEvent, frozen=True, gc=False, kw_only=True):
    """A producer begins a transaction. Nothing is written to any log yet."""

    rank = Rank.REGISTRATION
    drawn = dot("opensTransaction", at="producers")


class TransactionEnded(TransactionEvent, frozen=True, gc=False, kw_only=True):
    """A producer's transaction ends: the transaction markers are in the logs of `partitions`.

    Variant "hanging": an administrator aborts it, because these logs show it as open although the
    producer has ended it.
    """

    rank = Rank.MISSED
    drawn = dot("closesTransaction", at="producers", values={"how": "variant"})

    variant: Marker | Literal["empty", "hanging"]
    partitions: tuple[TopicPartition, ...]


class MarkerWritten(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader appends the control record that ends a producer's transaction in one partition."""

    rank = Rank.APPEND
    reports = frozenset({"log", "flushed"})
    drawn = dot("marks", values={"how": "variant"})

    variant: Marker
    rule: str | None = "KIP-98"
    sources: tuple[str, ...] = ("KIP-98", "ProducerStateManager")
    producer: str
    producer_id: int
    offset: Offset
    log_end_offset: Offset

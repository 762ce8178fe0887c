"""Clients: the requests of producers, their results and transactions; what consumers read, where
they continue, and which of their fetches fail.
"""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import Event, PartitionEvent, Rank, ReplicaEvent, dot, request, response
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


# --- consumers ------------------------------------------------------------------------------------


class ConsumerEvent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's request to a broker about a partition."""

    consumer: str


class ReadEvent(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A broker responds to a consumer's fetch. With read_committed a consumer reads up to
    `last_stable_offset`, otherwise up to the high watermark, to which `last_stable_offset` is then
    equal."""

    rule: str | None = "CONSUMER-HIGH-WATERMARK"
    sources: tuple[str, ...] = ("ReplicaManager",)
    high_watermark: Offset
    last_stable_offset: Offset
    log_end_offset: Offset


class ConsumerRead(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer reads records from a leader or a follower. Its next position is `to_offset`."""

    rank = Rank.READ
    drawn = response("consumes", to="consumers")

    variant: Literal["committed", "follower"] | None = None
    values: tuple[str, ...]
    from_offset: Offset
    to_offset: Offset


class ConsumerReadNothing(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's fetch at `offset` returns no records: it may not read what follows or, for
    "end", nothing follows in the broker's log."""

    rank = Rank.DETAIL
    drawn = response("readsNothing", to="consumers")

    variant: Literal["committed", "follower", "end"] | None = None
    offset: Offset


class ConsumerPassedOver(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer skips control records or records of aborted transactions. Its next position is
    `to_offset`."""

    drawn = response("readsNothing", to="consumers")

    variant: Literal["aborted"] | None = None
    rule: str | None = "LAST-STABLE-OFFSET"
    sources: tuple[str, ...] = ("KIP-98",)
    values: tuple[str, ...]
    to_offset: Offset


class ConsumerOutOfRange(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's position is outside the log. At a leader it is reset to `reset_to`; at a
    follower the consumer returns to the leader."""

    rank = Rank.READ
    drawn = response("fails", "bad", to="consumers")

    variant: Literal["follower", "below_start", "undefined"] | None = None
    rule: str | None = "CONSUMER-HIGH-WATERMARK"
    offset: Offset
    log_end_offset: Offset
    log_start_offset: Offset | UnsetType = UNSET
    reset_to: Offset | UnsetType = UNSET


class ConsumerSentToFollower(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A leader redirects a consumer to a follower in the consumer's rack."""

    drawn = response("toldToFollower", to="consumers")

    rule: str | None = "KIP-392"
    sources: tuple[str, ...] = ("KIP-392", "ReplicaManager")
    follower: BrokerId
    rack: str


class ConsumerOffsetNotAvailable(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A new leader does not return its latest offset yet, because it could be lower than one
    returned before. The consumer stays at `offset`."""

    rank = Rank.READ
    drawn = response("fails", "warn", to="consumers")

    rule: str | None = "KIP-207"
    sources: tuple[str, ...] = ("KIP-207", "Partition")
    offset: Offset
    high_watermark: Offset
    leader_epoch_start_offset: Offset
    error: ErrorCode


class ConsumerTruncationDetected(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer detects a truncation: the last epoch that it read ends at `end_offset`, below its
    position."""

    rank = Rank.STALE
    mark = "surprise"
    drawn = response("fails", "bad", to="consumers")

    rule: str | None = "KIP-320-CONSUMER"
    sources: tuple[str, ...] = ("KIP-320",)
    offset: Offset
    epoch: LeaderEpoch
    end_offset: Offset
    leader_epoch: LeaderEpoch


class ReadReplaced(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """The leader according to the controller now has other records, `instead`, at offsets at which
    a consumer has read `values`. The consumer does not notice it yet."""

    rank = Rank.WRONG_READ
    mark = "surprise"

    consumer: str
    leader: BrokerId
    values: tuple[str, ...]
    offsets: tuple[Offset, ...]
    instead: tuple[str, ...]


class ConsumerPositionValidated(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer confirms that its position is still valid."""

    rule: str | None = "KIP-320-CONSUMER"
    sources: tuple[str, ...] = ("KIP-320",)
    offset: Offset
    epoch: LeaderEpoch
    end_offset: Offset


class ConsumeFailed(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's fetch fails with an error. `broker` is -1 if there is no leader."""

    rank = Rank.READ
    drawn = response("fails", "bad", to="consumers")

    variant: ErrorCode
    error: ErrorCode

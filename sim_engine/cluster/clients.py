"""Producers and consumers: what they sent, the responses, and what they read."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.identifiers import (
    FIRST_OFFSET,
    Acks,
    BrokerId,
    FrameNumber,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.protocol.log import Isolation

ProduceOutcome = Literal["pending", "acked", "failed", "no_answer"]

Fate = Literal["safe", "at_risk", "lost"]
"""The fate of an acknowledged record; `invariants/fates.py` determines it."""


class ProducedRecord(Struct, frozen=True, gc=False, kw_only=True):
    """One produce request of one record, and its result.

    `id` and `offset` are null if nothing was appended. The frame numbers state when it was sent,
    when it was acknowledged, when its last copy on any broker (up or down) was lost, and since when
    it has its fate. A lost record has no `lost_frame` while a deposed replica still has a copy of
    it.
    """

    request: int
    id: str | None
    producer: str
    value: str
    acks: Acks
    partition: TopicPartition
    broker: BrokerId
    offset: Offset | None
    outcome: ProduceOutcome
    error: str | None
    frame: FrameNumber
    acked_frame: FrameNumber | None = None
    lost_frame: FrameNumber | None = None
    fate: Fate | None = None
    """Null before the acknowledgement."""
    fate_frame: FrameNumber | None = None
    timeout_ms: int = 30_000
    retried: bool = False
    producer_id: int | None = None
    """The producer id; null unless the producer is idempotent."""
    sequence: int | None = None
    transaction: int | None = None
    """The number of its producer's transaction, from 1; null outside a transaction."""

    def waits_at(self, broker_id: BrokerId) -> bool:
        """Whether a paused broker still has to handle it."""
        return self.broker == broker_id and self.id is None and self.outcome == "pending"


class ConsumedRecord(Struct, frozen=True, gc=False, kw_only=True):
    """One record that a consumer read."""

    consumer: str
    partition: TopicPartition
    offset: Offset
    value: str
    id: str
    frame: FrameNumber
    broker: BrokerId | None = None
    """The broker that it was read from; null for the leader in the consumer's metadata."""
    isolation: Isolation = "read_uncommitted"
    after_reset: bool = False
    """Whether the consumer's position was reset after its last read."""


class Client(Struct, frozen=True, gc=False, kw_only=True):
    """A producer or consumer: its metadata, and the positions at which it reads next.

    `leader_epochs` are those in its metadata, `validated_epochs` those under which it last
    validated its position on the leader's log (KIP-320), and `position_epochs` those of the record
    that it read last. An idempotent producer has an id, and for each partition the next sequence
    number. `transactions` is the number of transactions that it has begun, and `writes_to` the
    partitions of the open one.
    """

    name: str
    kind: Literal["producer", "consumer"]
    leaders: tuple[tuple[TopicPartition, BrokerId], ...] = ()
    positions: tuple[tuple[TopicPartition, Offset], ...] = ()
    leader_epochs: tuple[tuple[TopicPartition, LeaderEpoch], ...] = ()
    validated_epochs: tuple[tuple[TopicPartition, LeaderEpoch], ...] = ()
    position_epochs: tuple[tuple[TopicPartition, LeaderEpoch], ...] = ()
    resets: tuple[TopicPartition, ...] = ()
    """The partitions in which its position has been reset since its last read."""
    producer_id: int | None = None
    sequences: tuple[tuple[TopicPartition, int], ...] = ()
    transactions: int = 0
    in_transaction: bool = False
    writes_to: tuple[TopicPartition, ...] = ()

    def leader_of(self, partition: TopicPartition) -> BrokerId | None:
        """The leader of a partition in this client's metadata; None before its first metadata
        request.
        """
        return dict(self.leaders).get(partition)

    def position_in(self, partition: TopicPartition) -> Offset:
        """The offset that it reads next; initially 0."""
        return dict(self.positions).get(partition, FIRST_OFFSET)

    def next_sequence(self, partition: TopicPartition) -> int:
        """The sequence number of its next batch to a partition; initially 0."""
        return dict(self.sequences).get(partition, FIRST_OFFSET)


class Clients(Struct, frozen=True, gc=False, kw_only=True):
    """All clients of a run. `produced` is in order of sending, `consumed` in order of reading."""

    produced: tuple[ProducedRecord, ...] = ()
    consumed: tuple[ConsumedRecord, ...] = ()
    clients: tuple[Client, ...] = ()
    next_record: int = 1
    """The number of the next record appended by a produce."""
    next_producer_id: int = 0
    at_risk: tuple[int, ...] = ()
    """The `request` of each record that is at risk, in order. Their fates are checked after every
    action.
    """

    def find(self, name: str) -> Client | None:
        """The client with this name; None if there is none."""
        return next((client for client in self.clients if client.name == name), None)

    def client(self, name: str) -> Client:
        """The client with this name. Raises `KeyError` if there is none."""
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found


def with_client(clients: Clients, changed: Client) -> Clients:
    """The clients with one of them replaced."""
    return replace(
        clients,
        clients=tuple(
            changed if client.name == changed.name else client for client in clients.clients
        ),
    )


def with_produced(clients: Clients, changed: ProducedRecord) -> Clients:
    """The clients with one produce request replaced."""
    produced = clients.produced
    return replace(
        clients,
        produced=(*produced[: changed.request], changed, *produced[changed.request + 1 :]),
    )

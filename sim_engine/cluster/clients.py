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
from sim_engine.protocol.log.producer_state import Isolation

ProduceOutcome = Literal["pending", "acked", "failed", "no_answer"]

Fate = Literal["safe", "at_risk", "lost"]
"""What has become of an acknowledged record; `invariants/fates.py` decides it."""


class ProducedRecord(Struct, frozen=True, gc=False, kw_only=True):
    """One produce request of one record, and its result.

    `id`, `offset` are null where nothing was appended. The frame numbers say when it was sent, when
    it was acknowledged, when its last copy on any broker, up or down, went, and since when it has
    its fate. A lost record has no `lost_frame` while a deposed replica still has a copy of it.
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
    """Which of its producer's transactions it belongs to, counted from 1; null outside of any."""

    def waits_at(self, broker_id: BrokerId) -> bool:
        """Whether a broker has yet to handle it, because it stands still."""
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
    """Who it read it from; null stands for the leader that it believes in."""
    isolation: Isolation = "read_uncommitted"
    after_reset: bool = False
    """Whether the consumer was told, after its last read, to go on elsewhere."""


class Client(Struct, frozen=True, gc=False, kw_only=True):
    """A producer or consumer: who it believes leads, and where it reads next.

    `leader_epochs` are those of the metadata it has, `validated_epochs` those under which it has
    last found its position to be on the leader's log (KIP-320), `position_epochs` those of what it
    read last. An idempotent producer has an id, and for each partition the sequence that comes
    next; `transactions` is how many it has begun, `writes_to` the partitions of the open one.
    """

    name: str
    kind: Literal["producer", "consumer"]
    leaders: tuple[tuple[TopicPartition, BrokerId], ...] = ()
    positions: tuple[tuple[TopicPartition, Offset], ...] = ()
    leader_epochs: tuple[tuple[TopicPartition, LeaderEpoch], ...] = ()
    validated_epochs: tuple[tuple[TopicPartition, LeaderEpoch], ...] = ()
    position_epochs: tuple[tuple[TopicPartition, LeaderEpoch], ...] = ()
    resets: tuple[TopicPartition, ...] = ()
    """Partitions in which its position was moved since it last read there."""
    producer_id: int | None = None
    sequences: tuple[tuple[TopicPartition, int], ...] = ()
    transactions: int = 0
    in_transaction: bool = False
    writes_to: tuple[TopicPartition, ...] = ()

    def leader_of(self, partition: TopicPartition) -> BrokerId | None:
        """Who this client believes leads a partition; null before it asked."""
        return dict(self.leaders).get(partition)

    def position_in(self, partition: TopicPartition) -> Offset:
        """The offset it reads next, 0 at first."""
        return dict(self.positions).get(partition, FIRST_OFFSET)

    def next_sequence(self, partition: TopicPartition) -> int:
        """The sequence of its next batch to a partition, 0 at first."""
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
    """The `request` of each record that is at risk, in order: those to judge after every action."""

    def find(self, name: str) -> Client | None:
        """A client by name, if there is one of that name."""
        return next((client for client in self.clients if client.name == name), None)

    def client(self, name: str) -> Client:
        """A client that has acted before."""
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

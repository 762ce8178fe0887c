"""Producers and consumers: what they sent, what they were told, what they read."""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import BrokerId, Offset

Acks = Literal["all"] | Literal[0, 1]
ProduceOutcome = Literal["pending", "acked", "failed", "no_answer"]


class ProducedRecord(Struct, frozen=True, kw_only=True):
    """One produce request of one record, and what became of it.

    `id`, `offset` are null where nothing was appended. The frame numbers say when it was sent, when
    the producer was told that it is safe, and when its last copy on any broker went.
    """

    request: int
    id: str | None
    producer: str
    value: str
    acks: Acks
    partition: str
    broker: BrokerId
    offset: Offset | None
    outcome: ProduceOutcome
    error: str | None
    frame: int
    acked_frame: int | None = None
    lost_frame: int | None = None
    timeout_ms: int = 30_000
    retried: bool = False

    def waits_at(self, broker_id: BrokerId) -> bool:
        """Whether a broker has yet to handle it, because it stands still."""
        return self.broker == broker_id and self.id is None and self.outcome == "pending"


class ConsumedRecord(Struct, frozen=True, kw_only=True):
    """One record as a consumer saw it."""

    consumer: str
    partition: str
    offset: Offset
    value: str
    id: str
    frame: int


class Client(Struct, frozen=True, kw_only=True):
    """A producer or consumer: who it believes leads, and where it reads next."""

    name: str
    kind: Literal["producer", "consumer"]
    leaders: tuple[tuple[str, BrokerId], ...] = ()
    positions: tuple[tuple[str, Offset], ...] = ()

    def leader_of(self, partition: str) -> BrokerId | None:
        """Who this client believes leads a partition; null before it asked."""
        return dict(self.leaders).get(partition)

    def position_in(self, partition: str) -> Offset:
        """The offset it reads next, 0 at first."""
        return dict(self.positions).get(partition, 0)


class Clients(Struct, frozen=True, kw_only=True):
    """All clients of a run. `produced` is in order of sending, `consumed` in order of reading."""

    produced: tuple[ProducedRecord, ...] = ()
    consumed: tuple[ConsumedRecord, ...] = ()
    clients: tuple[Client, ...] = ()
    next_record: int = 1
    """The number of the next record appended by a produce."""

    def find(self, name: str) -> Client | None:
        """A client by name."""
        return next((client for client in self.clients if client.name == name), None)

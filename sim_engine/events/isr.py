"""The in-sync replicas: who falls out of sync, who asks for a change, what becomes of it."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.error_codes import ErrorCode
from sim_engine.events.base import BrokerEvent, EventSubject, ReplicaEvent
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset, TopicPartition


class IsrChecked(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's timer looks for replicas out of sync and finds none in what it leads;
    "nothing_led", without a partition, where it leads nothing."""

    variant: Literal["nothing_led"] | None = None
    partition: TopicPartition | UnsetType = UNSET

    def where(self) -> EventSubject:
        """The partition and the broker, where a partition was looked at."""
        if isinstance(self.partition, UnsetType):
            return super().where()
        return self.evidence or EventSubject(partition=self.partition, replicas=(self.broker,))


class FollowerOutOfSync(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader finds a member of the ISR out of sync: caught up too long ago, never caught up with
    this leader, or, in 0.8, stuck or slow.

    `elapsed_ms` is the time since it was caught up, for "stuck" since it was heard of; null where
    it never was caught up. The limits are replica.lag.time.max.ms and replica.lag.max.messages.
    """

    variant: Literal["never", "stuck", "slow"] | None = None
    rule: str | None = "ISR-SHRINK"
    sources: tuple[str, ...] = ("Partition",)
    replica: BrokerId
    log_end_offset: Offset
    """The follower's, as the leader knows it; -1 where it does not."""
    leader_log_end_offset: Offset
    behind: int
    elapsed_ms: int | None
    lag_ms: int
    lag_messages: int


class IsrJoinRefused(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower has reached the high watermark, but not the start of the leader's epoch, and so
    may not join the ISR."""

    rule: str | None = "KAFKA-7128"
    sources: tuple[str, ...] = ("KAFKA-7128", "Partition")
    replica: BrokerId
    log_end_offset: Offset
    high_watermark: Offset
    leader_epoch_start_offset: Offset


class IsrProposal(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader asks the controller for another ISR (AlterPartition).

    `replicas` would join or leave, `replica` is the first of them; until the answer comes the
    leader waits for `maximal_isr`.
    """

    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "Partition")
    replica: BrokerId
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    maximal_isr: tuple[BrokerId, ...]


class IsrExpandProposed(IsrProposal, frozen=True, gc=False, kw_only=True):
    """A leader asks the controller to take a replica that has caught up into the ISR."""


class IsrShrinkProposed(IsrProposal, frozen=True, gc=False, kw_only=True):
    """A leader asks the controller to take replicas out of the ISR, as out of sync."""


class IsrExpanded(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A replica has joined the ISR, which is now `isr`; `broker` is the leader."""

    replica: BrokerId
    isr: tuple[BrokerId, ...]
    partition_epoch: int
    leader_epoch: LeaderEpoch


class IsrShrunk(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """Replicas have left the ISR, by the leader's or the controller's decision; `broker` is the
    leader afterwards, -1 where there is none."""

    variant: Literal["leader", "controller"]
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    partition_epoch: int
    leader_epoch: LeaderEpoch


class IsrCommitted(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader hears from the controller that its proposal is written."""

    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "Partition")
    isr: tuple[BrokerId, ...]
    partition_epoch: int


class IsrChangeRepeated(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """The controller finds the ISR to be what the leader asks for already, and writes nothing."""

    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "KafkaController")
    isr: tuple[BrokerId, ...]
    partition_epoch: int


class IsrChangeRejected(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """An ISR change is refused where it would be written, the leader hears so, or it hears so and
    sends the change again."""

    variant: Literal["heard", "sent_again"] | None = None
    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "Partition")
    error: ErrorCode


class IsrChangeBlocked(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader cannot reach ZooKeeper or the controller to change the ISR."""

    variant: Literal["controller"] | None = None
    rule: str | None = "ZK-ISR-WRITE"
    sources: tuple[str, ...] = ("Partition",)


class IsrChangesEvent(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker looks at the ISR changes that it has written and not told the controller of.

    The times are milliseconds since its last change and since its last notification.
    """

    rule: str | None = "KAFKA-1367"
    sources: tuple[str, ...] = ("ReplicaManager",)
    partitions: tuple[TopicPartition, ...]
    since_change_ms: int
    since_propagation_ms: int


class IsrChangesKept(IsrChangesEvent, frozen=True, gc=False, kw_only=True):
    """A broker does not notify the controller of its ISR changes yet, or has none."""

    variant: Literal["none"] | None = None


class IsrChangesTold(IsrChangesEvent, frozen=True, gc=False, kw_only=True):
    """A broker leaves a notification in ZooKeeper: it has changed the ISR of these partitions."""

    variant: Literal["overdue"] | None = None


class IsrChangesTaken(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """The controller reads a broker's notification and tells the live brokers of the ISRs."""

    rule: str | None = "KAFKA-1367"
    sources: tuple[str, ...] = ("KafkaController",)
    partitions: tuple[TopicPartition, ...]

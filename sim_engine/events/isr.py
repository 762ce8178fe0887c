"""The in-sync replicas: which replicas fall out of sync, which changes are requested, and how each
one ends.
"""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import ISR, BrokerEvent, EventSubject, Rank, ReplicaEvent, dot, special
from sim_engine.identifiers import BrokerId, ErrorCode, LeaderEpoch, Offset, TopicPartition


class IsrChecked(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's ISR check finds no replica out of sync, or does not look for one.

    Variant "behind": member `replica` lacks records, but was caught up `elapsed_ms` ago, at most
    `lag_ms`. In 0.8 ("behind_fetching"), it has fetched or was caught up that long ago. Variant
    "pending": the leader's change to the ISR `proposed` is pending, so it does not check;
    "pending_behind" for member `replica` that lacks records. Variant "nothing_led", without a
    partition: the broker leads no partition.
    """

    drawn = dot("checksIsr")

    variant: (
        Literal["behind", "behind_fetching", "pending", "pending_behind", "nothing_led"] | None
    ) = None
    partition: TopicPartition | UnsetType = UNSET
    checked_ms: int | UnsetType = UNSET
    """The time of the check since the start of the run. Time may have passed after it."""
    replica: BrokerId | UnsetType = UNSET
    elapsed_ms: int | UnsetType = UNSET
    lag_ms: int | UnsetType = UNSET
    proposed: tuple[BrokerId, ...] | UnsetType = UNSET

    def where(self) -> EventSubject:
        """The partition and the broker; nothing without a partition."""
        if isinstance(self.partition, UnsetType):
            return super().where()
        return self.subject or EventSubject(partition=self.partition, replicas=(self.broker,))


class FollowerOutOfSync(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader finds an ISR member out of sync: it was last caught up too long ago, was never
    caught up with this leader or, in 0.8, is stuck or slow.

    `elapsed_ms` is the time since it was caught up, or for "stuck" since its last fetch; null if it
    was never caught up. The limits are replica.lag.time.max.ms and replica.lag.max.messages.
    """

    drawn = dot("outOfSync", "warn")

    variant: Literal["never", "stuck", "slow"] | None = None
    rule: str | None = "ISR-SHRINK"
    sources: tuple[str, ...] = ("Partition",)
    replica: BrokerId
    log_end_offset: Offset
    """The follower's log end offset as the leader knows it; -1 if unknown."""
    leader_log_end_offset: Offset
    behind: int
    elapsed_ms: int | None
    lag_ms: int
    lag_messages: int


class IsrExpanded(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A replica has joined the ISR, which is now `isr`; `broker` is the leader."""

    rank = Rank.ISR
    mark = "isr"
    of_replicas = True
    reports = ISR
    drawn = special("isr", "isrChanges")

    replica: BrokerId
    isr: tuple[BrokerId, ...]
    partition_epoch: int
    leader_epoch: LeaderEpoch


class IsrShrunk(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """Replicas have left the ISR, by decision of the leader or the controller. `broker` is the
    leader afterwards, -1 if there is none."""

    rank = Rank.ISR_LOSS
    mark = "isr"
    of_replicas = True
    reports = ISR
    drawn = special("isr", "isrChanges")

    variant: Literal["leader", "controller"]
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    partition_epoch: int
    leader_epoch: LeaderEpoch


class IsrJoinRefused(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower has reached the high watermark but not the start offset of the leader's epoch, so
    it may not join the ISR yet."""

    rank = Rank.ISR
    overtaken_by = (IsrExpanded, "replica")
    of_replicas = True

    rule: str | None = "KAFKA-7128"
    sources: tuple[str, ...] = ("KAFKA-7128", "Partition")
    replica: BrokerId
    log_end_offset: Offset
    high_watermark: Offset
    leader_epoch_start_offset: Offset


class IsrProposal(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader proposes a new ISR to the controller (AlterPartition).

    `replicas` would join or leave; `replica` is the first of them. Until the response arrives, the
    leader waits for `maximal_isr` before it commits.
    """

    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "Partition")
    replica: BrokerId
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    maximal_isr: tuple[BrokerId, ...]


class IsrExpandProposed(IsrProposal, frozen=True, gc=False, kw_only=True):
    """A leader asks the controller to add a replica that has caught up to the ISR."""

    rank = Rank.REQUEST
    implied_by = (IsrExpanded,)
    reports = frozenset({"pending_isr"})


class IsrShrinkProposed(IsrProposal, frozen=True, gc=False, kw_only=True):
    """A leader asks the controller to remove out-of-sync replicas from the ISR.

    Variant "counts_already", which no release has: the high watermark no longer waits for them,
    although the controller has not agreed.
    """

    rank = Rank.REQUEST
    implied_by = (IsrShrunk,)
    reports = frozenset({"pending_isr"})

    variant: Literal["counts_already"] | None = None


class IsrCommitted(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader learns from the controller that its proposal was written."""

    rank = Rank.ISR_WRITTEN
    implied_by = (IsrExpanded, IsrShrunk)
    reports = ISR

    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "Partition")
    isr: tuple[BrokerId, ...]
    partition_epoch: int


class IsrChangeRepeated(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """The controller already has the ISR that the leader proposes, and writes nothing."""

    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "KafkaController")
    isr: tuple[BrokerId, ...]
    partition_epoch: int


class IsrChangeRejected(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """An ISR change is rejected. The variants: the controller or ZooKeeper rejects it, the leader
    learns of it, or the leader learns of it and sends the change again."""

    rank = Rank.ISR
    reports = frozenset({"pending_isr", "blocked_isr"})
    drawn = dot("refusesIsr", "warn")

    variant: Literal["heard", "sent_again"] | None = None
    rule: str | None = "KIP-497"
    sources: tuple[str, ...] = ("KIP-497", "Partition")
    error: ErrorCode


class IsrChangeBlocked(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader cannot reach ZooKeeper or the controller to change the ISR."""

    rank = Rank.ISR
    reports = frozenset({"blocked_isr"})
    drawn = dot("refusesIsr", "warn")

    variant: Literal["controller"] | None = None
    rule: str | None = "ZK-ISR-WRITE"
    sources: tuple[str, ...] = ("Partition",)


class IsrChangesEvent(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker checks for ISR changes that it has written but not yet announced to the controller.

    The times are in milliseconds: since its last change and since its last notification.
    """

    rule: str | None = "KAFKA-1367"
    sources: tuple[str, ...] = ("ReplicaManager",)
    partitions: tuple[TopicPartition, ...]
    since_change_ms: int
    since_propagation_ms: int


class IsrChangesKept(IsrChangesEvent, frozen=True, gc=False, kw_only=True):
    """A broker does not announce its ISR changes yet, or has none."""

    rank = Rank.ROUTINE
    drawn = dot("checksIsrChanges")

    variant: Literal["none"] | None = None
    checked_ms: int
    """The time of the check since the start of the run. Time may have passed after it."""


class IsrChangesTaken(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """The controller reads a broker's notification and sends the new ISRs to the live brokers."""

    rank = Rank.NOTICE

    rule: str | None = "KAFKA-1367"
    sources: tuple[str, ...] = ("KafkaController",)
    partitions: tuple[TopicPartition, ...]


class IsrChangesTold(IsrChangesEvent, frozen=True, gc=False, kw_only=True):
    """A broker writes a notification to ZooKeeper: it has changed the ISR of these partitions."""

    rank = Rank.REQUEST
    implied_by = (IsrChangesTaken,)

    variant: Literal["overdue"] | None = None

"""The controller's registrations of partitions and brokers, with Kafka's names."""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import FIRST_EPOCH, NO_LEADER, BrokerId, LeaderEpoch, TopicPartition

LeaderRecoveryState = Literal["RECOVERED", "RECOVERING"]


class PartitionRegistration(Struct, frozen=True, gc=False, kw_only=True):
    """The controller's view of a partition (under ZooKeeper: the state znode).

    `partition_epoch` is the znode's version under ZooKeeper. The ISR keeps the order in which it is
    stored. `elr` are the eligible leader replicas, and `last_known_elr` is the last leader of a
    partition without an ISR (KIP-966). Without that rule both stay empty, and the ISR keeps its
    last member.
    """

    partition: TopicPartition
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    leader: BrokerId = NO_LEADER
    leader_epoch: LeaderEpoch = FIRST_EPOCH
    partition_epoch: int = 0
    leader_recovery_state: LeaderRecoveryState = "RECOVERED"
    elr: tuple[BrokerId, ...] = ()
    last_known_elr: tuple[BrokerId, ...] = ()
    adding_replicas: tuple[BrokerId, ...] = ()
    removing_replicas: tuple[BrokerId, ...] = ()
    """The members of `replicas` that a reassignment in progress adds or removes (KIP-455)."""

    @property
    def preferred_leader(self) -> BrokerId:
        """The first replica of the assignment."""
        return self.replicas[0]


class BrokerRegistration(Struct, frozen=True, gc=False, kw_only=True):
    """The controller's view of a broker.

    Under ZooKeeper `live` means that its session exists as far as the controller knows; the other
    flags are unused. Under KRaft a live broker is registered, and `fenced` until its heartbeats
    report that it has caught up. `incarnation` distinguishes one start of the process from the
    next.
    """

    broker_id: BrokerId
    live: bool = True
    fenced: bool = False
    in_controlled_shutdown: bool = False
    broker_epoch: int = -1
    incarnation: int = 0

    @property
    def active(self) -> bool:
        """Whether it may be elected and may join an ISR."""
        return self.live and not self.fenced and not self.in_controlled_shutdown


def without(brokers: tuple[BrokerId, ...], *removed: BrokerId) -> tuple[BrokerId, ...]:
    """The brokers that are not removed, in the same order."""
    return tuple(broker for broker in brokers if broker not in removed)

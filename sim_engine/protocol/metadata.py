"""What the controller holds of partitions and brokers, as Kafka names it."""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import FIRST_EPOCH, NO_LEADER, BrokerId, LeaderEpoch, TopicPartition

LeaderRecoveryState = Literal["RECOVERED", "RECOVERING"]


class PartitionRegistration(Struct, frozen=True, gc=False, kw_only=True):
    """The controller's view of a partition (under ZooKeeper: the state znode).

    `partition_epoch` is the znode's version under ZooKeeper. The ISR keeps the order in which it
    is stored. `elr` are the eligible leader replicas, and `last_known_elr` is the leader that a
    partition without ISR had last (KIP-966); both stay empty without that rule, and then the ISR
    keeps its last member.
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
    """Who of `replicas` is coming or going while the partition is moved (KIP-455)."""

    @property
    def preferred_leader(self) -> BrokerId:
        """The first replica of the assignment."""
        return self.replicas[0]


class BrokerRegistration(Struct, frozen=True, gc=False, kw_only=True):
    """The controller's view of a broker.

    Under ZooKeeper `live` says that its session is known to live and the other flags are unused.
    Under KRaft a live broker is registered, and `fenced` until its heartbeats say it caught up.
    `incarnation` tells one start of the process from the next.
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

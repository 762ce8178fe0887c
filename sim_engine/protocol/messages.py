"""The messages between brokers and the controller, and the registrations of partitions and brokers
that some of them contain, named as in Kafka's message schemas.

A fetch, lookup or offset request is about one partition.
"""

from typing import Literal

from msgspec import Struct

from sim_engine.events.controller import MetadataRecord
from sim_engine.identifiers import (
    FIRST_EPOCH,
    FIRST_OFFSET,
    NO_LEADER,
    UNDEFINED_EPOCH,
    UNDEFINED_OFFSET,
    BrokerId,
    Endpoint,
    ErrorCode,
    LeaderEpoch,
    MessageKind,
    Offset,
    TimeMs,
    TopicPartition,
)
from sim_engine.protocol.log import EpochEndOffset
from sim_engine.records import Record

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
    reorders_replicas: bool = False
    """Whether a reassignment in progress only changes their order (ZooKeeper, up to 2.3)."""

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


def with_newer(
    known: tuple[BrokerRegistration, ...], newer: tuple[BrokerRegistration, ...]
) -> tuple[BrokerRegistration, ...]:
    """The known registrations, replaced by the newer ones of the same brokers, sorted by id."""
    by_id = {broker.broker_id: broker for broker in (*known, *newer)}
    return tuple(by_id[broker_id] for broker_id in sorted(by_id))


def without(brokers: tuple[BrokerId, ...], *removed: BrokerId) -> tuple[BrokerId, ...]:
    """The brokers that are not removed, in the same order."""
    return tuple(broker for broker in brokers if broker not in removed)


class FetchRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A follower's fetch. Its offset acknowledges every record below it.

    The epochs are null in releases whose request does not contain them.
    """

    fetch_offset: Offset
    log_start_offset: Offset
    current_leader_epoch: LeaderEpoch | None = None
    last_fetched_epoch: LeaderEpoch | None = None
    broker_epoch: int | None = None
    max_records: int | None = None
    min_bytes: int = 1
    """Records have no size here: any record satisfies it, and 0 requests an immediate response."""


class FetchResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The leader's response. `in_reply_to` is the message id of the request."""

    in_reply_to: int
    fetch_offset: Offset
    error: ErrorCode = ErrorCode.NONE
    records: tuple[Record, ...] = ()
    high_watermark: Offset = UNDEFINED_OFFSET
    log_start_offset: Offset = FIRST_OFFSET
    log_end_offset: Offset = UNDEFINED_OFFSET
    diverging_epoch: EpochEndOffset | None = None


class OffsetsForLeaderEpochRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A lookup of the end offset of an epoch in the leader's log (KIP-101)."""

    leader_epoch: LeaderEpoch
    current_leader_epoch: LeaderEpoch | None = None


class OffsetsForLeaderEpochResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The result of an epoch lookup; see `end_offset_for` in `log.py`."""

    in_reply_to: int
    requested_epoch: LeaderEpoch
    error: ErrorCode = ErrorCode.NONE
    end_offset: EpochEndOffset = (UNDEFINED_EPOCH, UNDEFINED_OFFSET)


class ListOffsetsRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A request for the leader's earliest or latest offset, after OFFSET_OUT_OF_RANGE."""

    which: Literal["earliest", "latest"]
    current_leader_epoch: LeaderEpoch | None = None


class ListOffsetsResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The requested offset, or an error."""

    in_reply_to: int
    which: Literal["earliest", "latest"]
    error: ErrorCode = ErrorCode.NONE
    offset: Offset = UNDEFINED_OFFSET


class LeaderAndIsr(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A ZooKeeper controller's command to one broker.

    `broker_epoch` identifies the start of the process that it is meant for; null before KIP-380.
    """

    controller_epoch: int
    broker_epoch: int | None = None
    partitions: tuple[PartitionRegistration, ...]
    passed_over: tuple[PartitionRegistration, ...] = ()
    """The states in commands that this one replaced. They are reported and never applied."""


class StopReplica(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A ZooKeeper controller's command to delete a replica that is no longer assigned; or, with a
    `leader_epoch`, only to stop fetching, because the broker is shutting down.
    """

    controller_epoch: int
    broker_epoch: int | None = None
    leader_epoch: LeaderEpoch | None = None
    """The partition's leader epoch at the controller; brokers read it from 2.6 (KIP-570)."""


class UpdateMetadata(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A ZooKeeper controller's update of every live broker's metadata cache: live brokers and
    leaders. Clients learn the leaders from these caches.
    """

    controller_epoch: int
    broker_epoch: int | None = None
    partitions: tuple[PartitionRegistration, ...]
    brokers: tuple[BrokerRegistration, ...]


class IsrChangeNotification(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A leader's notification in ZooKeeper that it has changed the ISR of these partitions."""

    partitions: tuple[TopicPartition, ...]


class MetadataRecords(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The next metadata records that a KRaft broker reads, with the resulting states.

    `offset` is that of the last record. A broker that has just registered reads the log from its
    beginning: then `records` is empty, and the states are those of the whole cluster.
    """

    offset: Offset
    partitions: tuple[PartitionRegistration, ...]
    brokers: tuple[BrokerRegistration, ...]
    records: tuple[MetadataRecord, ...] = ()
    passed_over: tuple[PartitionRegistration, ...] = ()
    """Intermediate states of the same partitions, if several records arrive in one delivery. They
    are reported and never applied.
    """


class AlterPartitionRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A leader's proposal of a new ISR (KIP-497)."""

    leader_epoch: LeaderEpoch
    partition_epoch: int
    new_isr: tuple[BrokerId, ...]
    broker_epochs: tuple[int, ...] | None
    leader_recovery_state: str
    broker_epoch: int | None = None
    """The leader's own broker epoch (KRaft)."""


class AlterPartitionResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The controller's response: the current state of the partition, or an error."""

    in_reply_to: int
    error: ErrorCode = ErrorCode.NONE
    registration: PartitionRegistration | None = None


Payload = (
    FetchRequest
    | FetchResponse
    | OffsetsForLeaderEpochRequest
    | OffsetsForLeaderEpochResponse
    | ListOffsetsRequest
    | ListOffsetsResponse
    | LeaderAndIsr
    | StopReplica
    | UpdateMetadata
    | IsrChangeNotification
    | MetadataRecords
    | AlterPartitionRequest
    | AlterPartitionResponse
)

FollowerResponse = FetchResponse | OffsetsForLeaderEpochResponse | ListOffsetsResponse
"""The responses to a follower's fetch loop."""

Answer = FollowerResponse | AlterPartitionResponse
"""All kinds of responses."""

ZooKeeperCommand = LeaderAndIsr | StopReplica | UpdateMetadata
"""The commands of a ZooKeeper controller to brokers."""

KIND_OF: dict[type[Payload], MessageKind] = {
    FetchRequest: "fetch_request",
    FetchResponse: "fetch_response",
    OffsetsForLeaderEpochRequest: "offsets_for_leader_epoch_request",
    OffsetsForLeaderEpochResponse: "offsets_for_leader_epoch_response",
    ListOffsetsRequest: "list_offsets_request",
    ListOffsetsResponse: "list_offsets_response",
    LeaderAndIsr: "leader_and_isr",
    StopReplica: "stop_replica",
    UpdateMetadata: "update_metadata",
    IsrChangeNotification: "isr_change_notification",
    MetadataRecords: "metadata_record",
    AlterPartitionRequest: "alter_partition_request",
    AlterPartitionResponse: "alter_partition_response",
}
"""The name of each message in scenario files and on the stage."""

FOLLOWER_REQUESTS = ("fetch_request", "offsets_for_leader_epoch_request", "list_offsets_request")
"""The requests of a follower's fetch loop."""

ZOOKEEPER_COMMANDS = ("leader_and_isr", "stop_replica", "update_metadata")

COMMANDS = (*ZOOKEEPER_COMMANDS, "metadata_record")
"""The messages that the controller keeps for an unreachable broker and sends when it is reachable
again.
"""


class Send(Struct, frozen=True, gc=False, kw_only=True):
    """A message to send, as returned by a transition."""

    receiver: Endpoint
    partition: TopicPartition | None
    payload: Payload


class Message(Struct, frozen=True, gc=False, kw_only=True):
    """A message in flight. Ids follow the order of sending, so the oldest is the lowest."""

    id: int
    sender: Endpoint
    receiver: Endpoint
    partition: TopicPartition | None
    payload: Payload
    sent_ms: TimeMs
    held: bool = False

    @property
    def kind(self) -> MessageKind:
        """Its name in scenario files."""
        return KIND_OF[type(self.payload)]

    @property
    def sending_broker(self) -> BrokerId:
        """Its sender, which must be a broker."""
        assert isinstance(self.sender, int), "a broker sends it"
        return self.sender

    @property
    def receiving_broker(self) -> BrokerId:
        """Its receiver, which must be a broker."""
        assert isinstance(self.receiver, int), "a broker receives it"
        return self.receiver

    @property
    def only_partition(self) -> TopicPartition:
        """Its partition; the message must be about a single one."""
        assert self.partition is not None, "it is about one partition"
        return self.partition

    @property
    def in_reply_to(self) -> int | None:
        """The id of the request that it responds to; None if it is not a response."""
        return self.payload.in_reply_to if isinstance(self.payload, Answer) else None

    @property
    def controller_epoch(self) -> int | None:
        """For a command of a ZooKeeper controller: the epoch of that controller; otherwise None."""
        return self.payload.controller_epoch if isinstance(self.payload, ZooKeeperCommand) else None

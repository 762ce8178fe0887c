"""What travels between brokers and the controller, named as in Kafka's message schemas.

One fetch, lookup or offset request carries one partition.
"""

from typing import Literal

from msgspec import Struct

from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import (
    FIRST_OFFSET,
    UNDEFINED_EPOCH,
    UNDEFINED_OFFSET,
    BrokerId,
    Endpoint,
    LeaderEpoch,
    MessageKind,
    Offset,
    TimeMs,
    TopicPartition,
)
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration
from sim_engine.records import Record


class FetchRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A follower's fetch: its offset is the acknowledgement of everything below it.

    The epochs are null in the releases whose request did not carry them.
    """

    fetch_offset: Offset
    log_start_offset: Offset
    current_leader_epoch: LeaderEpoch | None = None
    last_fetched_epoch: LeaderEpoch | None = None
    broker_epoch: int | None = None
    max_records: int | None = None
    min_bytes: int = 1
    """Records have no size here: any of them is enough, and 0 asks for an answer at once."""


class FetchResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The leader's answer. `in_reply_to` is the request's message id."""

    in_reply_to: int
    fetch_offset: Offset
    error: ErrorCode = ErrorCode.NONE
    records: tuple[Record, ...] = ()
    high_watermark: Offset = UNDEFINED_OFFSET
    log_start_offset: Offset = FIRST_OFFSET
    log_end_offset: Offset = UNDEFINED_OFFSET
    diverging_epoch: EpochEndOffset | None = None


class OffsetsForLeaderEpochRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """Where does this epoch end in your log? (KIP-101)"""

    leader_epoch: LeaderEpoch
    current_leader_epoch: LeaderEpoch | None = None


class OffsetsForLeaderEpochResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The leader's lookup; see `leader_epoch_cache.end_offset_for`."""

    in_reply_to: int
    requested_epoch: LeaderEpoch
    error: ErrorCode = ErrorCode.NONE
    end_offset: EpochEndOffset = (UNDEFINED_EPOCH, UNDEFINED_OFFSET)


class ListOffsetsRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The leader's first or next offset, asked after OFFSET_OUT_OF_RANGE."""

    which: Literal["earliest", "latest"]
    current_leader_epoch: LeaderEpoch | None = None


class ListOffsetsResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The offset asked for, or an error."""

    in_reply_to: int
    which: Literal["earliest", "latest"]
    error: ErrorCode = ErrorCode.NONE
    offset: Offset = UNDEFINED_OFFSET


class LeaderAndIsr(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A ZooKeeper controller's command to one broker.

    `broker_epoch` is the start of the process that it is meant for, null before KIP-380.
    """

    controller_epoch: int
    broker_epoch: int | None = None
    partitions: tuple[PartitionRegistration, ...]
    passed_over: tuple[PartitionRegistration, ...] = ()
    """What commands said that were skipped in favour of this one: told of, never applied."""


class StopReplica(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A ZooKeeper controller's command to delete a replica that was moved away."""

    controller_epoch: int
    broker_epoch: int | None = None


class UpdateMetadata(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """What a ZooKeeper controller tells every live broker for its metadata cache: who lives, and
    who leads what. Clients learn of leaders from these caches."""

    controller_epoch: int
    broker_epoch: int | None = None
    partitions: tuple[PartitionRegistration, ...]
    brokers: tuple[BrokerRegistration, ...]


class IsrChangeNotification(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A leader's note in ZooKeeper: it has changed the ISR of these partitions by itself."""

    partitions: tuple[TopicPartition, ...]


class MetadataRecords(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """What a KRaft broker reads next of the metadata log, as the states that it leads to."""

    offset: Offset
    partitions: tuple[PartitionRegistration, ...]
    brokers: tuple[BrokerRegistration, ...]
    passed_over: tuple[PartitionRegistration, ...] = ()
    """States of the same partitions in between, where several records arrive in one delivery: told
    of, never applied."""


class AlterPartitionRequest(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """A leader's proposal of a new ISR (KIP-497)."""

    leader_epoch: LeaderEpoch
    partition_epoch: int
    new_isr: tuple[BrokerId, ...]
    broker_epochs: tuple[int, ...] | None
    leader_recovery_state: str
    broker_epoch: int | None = None
    """The leader's own (KRaft)."""


class AlterPartitionResponse(Struct, frozen=True, gc=False, kw_only=True, tag=True):
    """The controller's answer: the partition as it is now, or why not."""

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

Answer = (
    FetchResponse | OffsetsForLeaderEpochResponse | ListOffsetsResponse | AlterPartitionResponse
)
"""What a request is answered with."""

ZooKeeperCommand = LeaderAndIsr | StopReplica | UpdateMetadata
"""What a ZooKeeper controller tells brokers to do."""

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
"""What the fetch loop of a follower sends."""

ZOOKEEPER_COMMANDS = ("leader_and_isr", "stop_replica", "update_metadata")
COMMANDS = (*ZOOKEEPER_COMMANDS, "metadata_record")
"""What the controller keeps for a broker that it cannot reach, and sends once it can."""


class Send(Struct, frozen=True, gc=False, kw_only=True):
    """A message that a transition wants sent."""

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
    def in_reply_to(self) -> int | None:
        """The id of the request that it answers; null where it answers none."""
        return self.payload.in_reply_to if isinstance(self.payload, Answer) else None

    @property
    def controller_epoch(self) -> int | None:
        """Of a ZooKeeper controller's command, the epoch of the controller that sent it."""
        return self.payload.controller_epoch if isinstance(self.payload, ZooKeeperCommand) else None

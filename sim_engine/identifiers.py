"""Identifiers and other basic types, with their sentinel values, and Kafka's names of the errors in
responses (`Errors`)."""

from enum import StrEnum
from typing import Final, Literal, NewType, get_args

BrokerId = NewType("BrokerId", int)
"""The id of a broker, and of its replica of any partition: Kafka uses one number for both."""

Offset = NewType("Offset", int)
"""A position in a log. Ends and high watermarks are exclusive."""

LeaderEpoch = NewType("LeaderEpoch", int)
"""The number of leader changes of a partition; a record keeps the epoch in which it was written."""

TopicPartition = NewType("TopicPartition", str)
"""A partition by name: its topic and its number, as in "t-0"."""

TimeMs = NewType("TimeMs", int)
"""A time on the virtual clock, in ms. A duration is a plain number of ms."""

FrameNumber = NewType("FrameNumber", int)
"""The number of a frame of a timeline, from 0 (the start), in the order of creation."""

CONTROLLER: Final = "controller"
"""The controller as an endpoint of messages and links. In a ZooKeeper cluster it also represents
ZooKeeper.
"""

Endpoint = BrokerId | Literal["controller"]
"""A broker id, or `CONTROLLER`."""

Acks = Literal["all", 0, 1]
"""The replicas that a producer waits for: all in-sync replicas, none, or the leader."""

FIRST_OFFSET: Final = Offset(0)
"""The start offset of a log whose oldest records were never deleted."""

FIRST_FRAME: Final = FrameNumber(0)
"""The number of the first frame of a timeline."""

NO_LEADER: Final = BrokerId(-1)
"""Kafka's value for a partition without a leader."""

FIRST_EPOCH: Final = LeaderEpoch(0)
"""The epoch of a partition's first leader."""

UNDEFINED_EPOCH: Final = LeaderEpoch(-1)
UNDEFINED_OFFSET: Final = Offset(-1)
"""An unknown offset: in the response of OffsetsForLeaderEpoch, and for a follower that has not
fetched from its leader (Kafka: `UNDEFINED_EPOCH_OFFSET`, `UnknownOffsetMetadata`).
"""

MessageKind = Literal[
    "fetch_request",
    "fetch_response",
    "offsets_for_leader_epoch_request",
    "offsets_for_leader_epoch_response",
    "list_offsets_request",
    "list_offsets_response",
    "leader_and_isr",
    "stop_replica",
    "update_metadata",
    "metadata_record",
    "alter_partition_request",
    "alter_partition_response",
    "isr_change_notification",
    "heartbeat",
    "heartbeat_response",
]
"""The names of messages in scenario files and on the stage."""

MESSAGE_KINDS: tuple[MessageKind, ...] = get_args(MessageKind)

METADATA_RECORD: Final = "metadata_record"
"""A record of the metadata log in flight to a broker (KRaft)."""

CLOCK_START_MS: Final = TimeMs(3_600_000)
"""The start of the virtual clock, in ms. Kafka encodes "never" as time 0, so with a clock near 0
every new replica would look caught up (see `ReplicaState`).
"""

NEVER_MS: Final = TimeMs(0)
"""Kafka's "never", for a time that a leader records for a follower."""

ENGINE_VERSION = "0.1.0"
"""The version of the engine. It is stored with every run, because a run also depends on it."""


def offset_after(offset: Offset) -> Offset:
    """The offset of the record that follows the one at `offset`."""
    return Offset(offset + 1)


def offsets_between(start: Offset, end: Offset) -> tuple[Offset, ...]:
    """The offsets from `start` up to, but excluding, `end`."""
    return tuple(map(Offset, range(start, end)))


def topic_of(partition: TopicPartition) -> str:
    """The topic of a partition: "t" for "t-0"."""
    return partition.rpartition("-")[0]


class ErrorCode(StrEnum):
    """The error of a response; `NONE` if there is none."""

    NONE = "NONE"
    OFFSET_OUT_OF_RANGE = "OFFSET_OUT_OF_RANGE"
    OFFSET_NOT_AVAILABLE = "OFFSET_NOT_AVAILABLE"
    CORRUPT_MESSAGE = "CORRUPT_MESSAGE"
    UNKNOWN_TOPIC_OR_PARTITION = "UNKNOWN_TOPIC_OR_PARTITION"
    LEADER_NOT_AVAILABLE = "LEADER_NOT_AVAILABLE"
    NOT_LEADER_OR_FOLLOWER = "NOT_LEADER_OR_FOLLOWER"
    REPLICA_NOT_AVAILABLE = "REPLICA_NOT_AVAILABLE"
    REQUEST_TIMED_OUT = "REQUEST_TIMED_OUT"
    NOT_ENOUGH_REPLICAS = "NOT_ENOUGH_REPLICAS"
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = "NOT_ENOUGH_REPLICAS_AFTER_APPEND"
    FENCED_LEADER_EPOCH = "FENCED_LEADER_EPOCH"
    UNKNOWN_LEADER_EPOCH = "UNKNOWN_LEADER_EPOCH"
    NEW_LEADER_ELECTED = "NEW_LEADER_ELECTED"
    INVALID_UPDATE_VERSION = "INVALID_UPDATE_VERSION"
    INVALID_REQUEST = "INVALID_REQUEST"
    INELIGIBLE_REPLICA = "INELIGIBLE_REPLICA"
    OPERATION_NOT_ATTEMPTED = "OPERATION_NOT_ATTEMPTED"
    NOT_CONTROLLER = "NOT_CONTROLLER"
    UNKNOWN_SERVER_ERROR = "UNKNOWN_SERVER_ERROR"
    STALE_BROKER_EPOCH = "STALE_BROKER_EPOCH"
    OUT_OF_ORDER_SEQUENCE_NUMBER = "OUT_OF_ORDER_SEQUENCE_NUMBER"
    UNKNOWN_PRODUCER_ID = "UNKNOWN_PRODUCER_ID"

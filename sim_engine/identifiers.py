"""The small values that everything else is made of, and their sentinels."""

from typing import Final, Literal, NewType, get_args

BrokerId = NewType("BrokerId", int)
"""A broker, and the replica it hosts of any partition: Kafka uses one number for both."""

Offset = NewType("Offset", int)
"""A position in a log. Ends and high watermarks are exclusive."""

LeaderEpoch = NewType("LeaderEpoch", int)
"""How often a partition has got a leader; a record keeps the epoch that it was written in."""

TopicPartition = NewType("TopicPartition", str)
"""A partition by name: its topic and its number, as in "t-0"."""

TimeMs = NewType("TimeMs", int)
"""A moment on the virtual clock, in ms. A span of time is a plain number of ms."""

FrameNumber = NewType("FrameNumber", int)
"""A frame of a timeline. They are numbered from 0, the start, in the order they were made."""

CONTROLLER: Final = "controller"
"""The controller as an endpoint of messages and links (with ZooKeeper: ZooKeeper too)."""

Endpoint = BrokerId | Literal["controller"]
"""A broker id, or `CONTROLLER`."""

Acks = Literal["all", 0, 1]
"""How many replicas a producer waits for: all in sync, none, or the leader."""

FIRST_OFFSET: Final = Offset(0)
"""Where a log that was never cut at its start begins."""

FIRST_FRAME: Final = FrameNumber(0)
"""The frame that a timeline starts with."""

NO_LEADER: Final = BrokerId(-1)
"""What Kafka writes where a partition has no leader."""

FIRST_EPOCH: Final = LeaderEpoch(0)
"""The epoch of a partition's first leader."""

UNDEFINED_EPOCH: Final = LeaderEpoch(-1)
UNDEFINED_OFFSET: Final = Offset(-1)
"""What OffsetsForLeaderEpoch answers when it knows nothing, and what a leader believes of a
follower that has not fetched from it (Kafka: `UNDEFINED_EPOCH_OFFSET`, `UnknownOffsetMetadata`)."""

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
"""What a message is called in scenario files and on the stage."""

MESSAGE_KINDS: tuple[MessageKind, ...] = get_args(MessageKind)

METADATA_RECORD: Final = "metadata_record"
"""A record of the metadata log, on its way to a broker (KRaft)."""

CLOCK_START_MS: Final = TimeMs(3_600_000)
"""Where the virtual clock starts. Kafka encodes "never" as time 0, so a clock that started near 0
would make every fresh replica look caught up (protocol note in `ReplicaState`)."""

NEVER_MS: Final = TimeMs(0)
"""Kafka's "never", of a time that a leader keeps of a follower."""

ENGINE_VERSION = "0.1.0"
"""The version of the engine; stored with every run, because a run is a function of it too."""


def offset_after(offset: Offset) -> Offset:
    """The offset of the record that follows the one at `offset`."""
    return Offset(offset + 1)


def offsets_between(start: Offset, end: Offset) -> tuple[Offset, ...]:
    """The offsets from `start` to `end`, exclusive."""
    return tuple(map(Offset, range(start, end)))


def topic_of(partition: TopicPartition) -> str:
    """The topic of a partition: of "t-0", "t"."""
    return partition.rpartition("-")[0]

"""The small values that everything else is made of, and their sentinels."""

from typing import Final, Literal, get_args

BrokerId = int
"""A broker, and the replica it hosts of any partition: Kafka uses one number for both."""

Offset = int
"""A position in a log. Ends and high watermarks are exclusive."""

LeaderEpoch = int

TopicPartition = str
"""A partition by name: its topic and its number, as in "t-0"."""

CONTROLLER: Final = "controller"
"""The controller as an endpoint of messages and links (with ZooKeeper: ZooKeeper too)."""

Endpoint = int | Literal["controller"]
"""A broker id, or `CONTROLLER`."""

Acks = Literal["all", 0, 1]
"""How many replicas a producer waits for: all in sync, none, or the leader."""

NO_LEADER: BrokerId = -1
"""What Kafka writes where a partition has no leader."""

UNDEFINED_EPOCH: LeaderEpoch = -1
UNDEFINED_OFFSET: Offset = -1
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

CLOCK_START_MS = 3_600_000
"""Where the virtual clock starts. Kafka encodes "never" as time 0, so a clock that started near 0
would make every fresh replica look caught up (protocol note in `ReplicaState`)."""

ENGINE_VERSION = "0.1.0"
"""The version of the engine; stored with every run, because a run is a function of it too."""

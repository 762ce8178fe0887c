"""The fields of a frame's document that expectations read.

Documents are built from runs, and this package does not depend on runs. It therefore receives a
frame as JSON, and these types declare the fields that it reads. `sim_engine.documents` defines the
complete documents.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from sim_engine.identifiers import BrokerId, FrameNumber, LeaderEpoch, Offset


class CheckedPartition(TypedDict):
    """A partition according to the controller."""

    leader: BrokerId
    leader_epoch: LeaderEpoch
    partition_epoch: int
    isr: Sequence[BrokerId]
    elr: Sequence[BrokerId]


class CheckedRecord(TypedDict):
    """A record of a log. Its epoch is null if the message format has none."""

    value: str
    epoch: LeaderEpoch | None


class CheckedReplica(TypedDict):
    """A replica. A value is null if it is not on the replica's disk."""

    log: Sequence[CheckedRecord]
    log_end_offset: Offset
    high_watermark: Offset | None
    epoch_cache: Sequence[Sequence[int]] | None


class CheckedProduce(TypedDict):
    """A record that a producer sent, and its result. The frame of the acknowledgement is null if
    there is none; until then, so is the fate.
    """

    value: str
    partition: str
    error: str | None
    acked_frame: FrameNumber | None
    fate: str | None


CheckedRead = TypedDict("CheckedRead", {"as": str, "partition": str, "value": str})
"""A record that the consumer `as` read."""


class CheckedClients(TypedDict):
    """All clients of a run."""

    produced: Sequence[CheckedProduce]
    consumed: Sequence[CheckedRead]


class CheckedState(TypedDict):
    """A cluster. Replicas are by partition and broker id."""

    partitions: Mapping[str, CheckedPartition]
    replicas: Mapping[str, Mapping[str, CheckedReplica]]
    clients: CheckedClients


class CheckedProperty(TypedDict):
    """The verdict of a property."""

    status: str


class CheckedFrame(TypedDict):
    """A frame's state, and the verdicts up to it by property."""

    state: CheckedState
    properties: Mapping[str, CheckedProperty]

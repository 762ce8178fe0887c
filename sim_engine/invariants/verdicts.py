"""The verdict of a property on a run so far, and its evidence."""

from collections.abc import Iterable
from typing import Literal, TypedDict

from msgspec import Struct

from sim_engine.cluster.state import ProducedRecord
from sim_engine.identifiers import BrokerId, FrameNumber, LeaderEpoch, Offset, TopicPartition
from sim_engine.records import Record

Status = Literal["holds", "violated", "not_exercised"]


class RecordEvidence(TypedDict):
    """A record as evidence shows it."""

    offset: Offset
    epoch: int | None
    """The leader epoch of its batch. Null before 0.11, whose message format has none, and if no log
    has the record any more."""
    value: str
    id: str
    """The record's identity. A retry that creates a duplicate creates a record with a new id."""


class ViolationEvidence(TypedDict, total=False):
    """The evidence of a violation. Empty if nothing is violated.

    A violation always has `partition`, `replicas`, `offsets`, `records` and `acked_frame`. The
    other fields depend on the property.
    """

    partition: TopicPartition
    """The partition in which the property is violated."""
    replicas: list[BrokerId]
    """The ids of the brokers on which it is violated."""
    offsets: list[Offset]
    records: list[RecordEvidence]
    """The records concerned; for a read, the records that the consumer received; for a loss, all
    records of the partition that are lost so far."""
    elsewhere: dict[TopicPartition, list[RecordEvidence]]
    """Partition → its lost records, or those at risk, if there are any in partitions other than
    `partition`."""
    acked_frame: FrameNumber | None
    """The frame in which the first of `records` was acknowledged. Null if none was, or if the
    property is not about acknowledged records."""
    broker: int
    """The leader with the wrong belief; for a loss, the leader that acknowledged the record."""
    leader: BrokerId
    """The controller's leader; -1 if there is none."""
    leader_epoch: LeaderEpoch
    isr: list[int]
    """The in-sync replicas: the controller's, or those that `broker` knows."""
    maximal_isr: list[int]
    """The leader's ISR and the replicas that are about to join it (KIP-497)."""
    elr: list[int]
    """The eligible leader replicas (KIP-966)."""
    high_watermark: Offset
    high_watermarks: list[int]
    """One for each of `replicas`, in the same order."""
    log_start_offset: Offset
    log_end_offset: Offset
    flushed: Offset
    """Records below this offset are on disk."""
    found: list[RecordEvidence]
    """The leader's records at the offsets of the records that it lacks."""
    holders: list[int]
    """The brokers, up or down, that have one of the acknowledged records."""
    epochs: list[int]
    """Two leader epochs, in the order in which they occur."""
    epoch_cache: list[list[int]]
    """[leader epoch, start offset] pairs of the broker."""
    how: Literal["reread", "gap", "replaced"]
    """The inconsistency: a different record at an offset that the consumer had read, a record after
    one that it never received, or a record after one that was replaced."""
    consumer: str
    frames: list[int]
    """The frames in which the consumer read."""


PropertyResult = ViolationEvidence | Literal["holds", "not_exercised"]
"""The result of checking one state: the evidence of a violation, "holds", or "not_exercised" if
the property could not have been violated in that state."""


class Verdict(Struct, frozen=True, gc=False):
    """The status of one property over a run so far.

    A property that was violated keeps `first_frame` and the evidence of that frame, to which the
    records that are lost later are added. It stays violated, too. One that recovers goes back to
    "holds", and its evidence is that of the last frame in which it was violated. `until_frame` is
    the first frame since the latest violation in which it is not violated; `None` if it was never
    violated, and while it is. A property that was exercised once stays exercised.
    """

    name: str
    status: Status
    first_frame: FrameNumber | None
    evidence: ViolationEvidence
    until_frame: FrameNumber | None = None

    @property
    def is_violated_now(self) -> bool:
        """Whether the state after the last frame violates it."""
        return self.first_frame is not None and self.until_frame is None


def record_evidence(record: Record) -> RecordEvidence:
    """A record as evidence shows it."""
    return {"offset": record.offset, "epoch": record.epoch, "value": record.value, "id": record.id}


def acked_frame_of(
    records: Iterable[Record], produced: Iterable[ProducedRecord]
) -> FrameNumber | None:
    """The frame in which the first of these records was acknowledged; `None` if none was."""
    ids = {record.id for record in records}
    frames = [
        request.acked_frame
        for request in produced
        if request.id in ids and request.acked_frame is not None
    ]
    return min(frames, default=None)

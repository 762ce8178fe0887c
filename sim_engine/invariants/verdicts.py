"""The verdict of a property on a run so far, and its evidence."""

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypedDict

from sim_engine.identifiers import BrokerId, FrameNumber, LeaderEpoch, Offset, TopicPartition
from sim_engine.json_types import Document
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


class PropertyDocument(Document, frozen=True, kw_only=True):
    """The verdict of one property on a branch, up to a frame.

    A violated property stays violated; only `AckedRecordAtRisk` can return to holds. In both cases
    `first_frame` and `until_frame` show whether the violation persists.
    """

    status: Status
    """not_exercised: no state so far could have violated it."""
    first_frame: FrameNumber | None
    """The first frame in which it is violated; null if there is none."""
    evidence: ViolationEvidence
    """The evidence, as of `first_frame`; for `AckedRecordAtRisk`, as of the latest violation. For
    `NoAckedRecordLost`, `records`, `offsets` and `elsewhere` also have the records that were lost
    later."""
    until_frame: FrameNumber | None
    """The first frame after the latest violation in which the state no longer violates it. Null
    while it is violated, and if it never was."""

    @property
    def is_violated_now(self) -> bool:
        """Whether the state after the last frame violates it."""
        return self.first_frame is not None and self.until_frame is None


Verdicts: TypeAlias = Mapping[str, PropertyDocument]
"""Property name → verdict, in the order of `PROPERTY_NAMES`."""


def record_evidence(record: Record) -> RecordEvidence:
    """A record as evidence shows it."""
    return {"offset": record.offset, "epoch": record.epoch, "value": record.value, "id": record.id}

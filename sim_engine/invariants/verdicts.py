"""The verdict of a property on a run so far, and its evidence."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.records import Record

Status = Literal["holds", "violated", "not_exercised"]

Evidence = dict[str, object]
"""Plain data that explains a violation: always `partition`, `replicas`, `offsets` and `records`,
plus values specific to the property."""

Finding = Evidence | Literal["holds", "not_exercised"]
"""The result of checking one state: the evidence of a violation, "holds", or "not_exercised" if
the property could not have been violated in that state."""


class Verdict(Struct, frozen=True, gc=False):
    """The status of one property over a run so far.

    A violated property stays violated, with the frame and the evidence of the first violation. A
    property that was exercised once stays exercised.
    """

    name: str
    status: Status
    first_frame: int | None
    evidence: Evidence


def record_evidence(record: Record) -> dict[str, object]:
    """A record as plain data, for evidence."""
    return {
        "offset": record.offset,
        "epoch": record.epoch,
        "value": record.value,
        "id": record.id,
    }


def acked_frame_of(records: Iterable[Record], produced: Iterable[ProducedRecord]) -> int | None:
    """The frame in which the first of these records was acknowledged; `None` if none was."""
    ids = {record.id for record in records}
    frames = [
        request.acked_frame
        for request in produced
        if request.id in ids and request.acked_frame is not None
    ]
    return min(frames, default=None)

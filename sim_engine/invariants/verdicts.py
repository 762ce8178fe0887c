"""What a property says of a run so far, and the evidence it shows."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.protocol.log.replica_log import Record

Status = Literal["holds", "violated", "not_exercised"]

Evidence = dict[str, object]
"""Plain data that lets a person follow a violation: always `partition`, `replicas`, `offsets` and
`records`, and what else the property is about."""

Finding = Evidence | Literal["holds", "not_exercised"]
"""What one look at one state gives: the evidence of a violation, or that there is none. A state in
which the property could not have been violated is "not_exercised"."""


class Verdict(Struct, frozen=True, gc=False):
    """One property over a run so far.

    A violated property stays violated, with the frame and the evidence of the first time; one that
    was exercised once stays exercised.
    """

    name: str
    status: Status
    first_frame: int | None
    evidence: Evidence


def record_evidence(record: Record) -> dict[str, object]:
    """A record as evidence shows it."""
    return {
        "offset": record.offset,
        "epoch": record.epoch,
        "value": record.value,
        "id": record.id,
    }


def acked_frame_of(records: Iterable[Record], produced: Iterable[ProducedRecord]) -> int | None:
    """When the first of these records to be acknowledged was; `None` where none was."""
    ids = {record.id for record in records}
    frames = [
        request.acked_frame
        for request in produced
        if request.id in ids and request.acked_frame is not None
    ]
    return min(frames, default=None)

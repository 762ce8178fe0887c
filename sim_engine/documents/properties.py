"""The verdicts of the properties on a run so far."""

from sim_engine.documents.document import Document
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants import Status, Verdict, ViolationEvidence


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


def properties_document(verdicts: tuple[Verdict, ...]) -> dict[str, PropertyDocument]:
    """Property name → status and, if violated, since when and the evidence."""
    return {
        verdict.name: PropertyDocument(
            status=verdict.status,
            first_frame=verdict.first_frame,
            evidence=verdict.evidence,
            until_frame=verdict.until_frame,
        )
        for verdict in verdicts
    }

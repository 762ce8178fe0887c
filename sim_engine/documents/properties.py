"""What the properties say of a run so far."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from sim_engine.documents.document import Document
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants import Status, Verdict, ViolationEvidence


class PropertyDocument(Document, frozen=True, kw_only=True):
    """One property over the branch up to a frame.

    What was violated once stays violated; only `AckedRecordAtRisk` goes back to holds. Either way
    `first_frame` and `until_frame` tell whether it is violated now or was violated before.
    """

    status: Annotated[
        Status,
        Meta(description="not_exercised: in no state so far could it have been violated."),
    ]
    first_frame: Annotated[
        FrameNumber | None,
        Meta(description="The first frame in which it is violated; null for none."),
    ]
    evidence: Annotated[
        ViolationEvidence,
        Meta(
            description="What shows it, as it was in `first_frame`; of `AckedRecordAtRisk`, as it "
            "is or last was."
        ),
    ]
    until_frame: Annotated[
        FrameNumber | UnsetType | None,
        Meta(
            description="The first frame since the latest violation in which the state is in order "
            "again. Null while it is violated and where it never was. Absent in what was shared "
            "before it was told: then a violated property counts as violated now."
        ),
    ] = UNSET


def properties_document(verdicts: tuple[Verdict, ...]) -> dict[str, PropertyDocument]:
    """Every property by name with its status and, where violated, since when and by what."""
    return {
        verdict.name: PropertyDocument(
            status=verdict.status,
            first_frame=verdict.first_frame,
            evidence=verdict.evidence,
            until_frame=verdict.until_frame,
        )
        for verdict in verdicts
    }

"""What the properties say of a run so far."""

from typing import Annotated

from msgspec import Meta

from sim_engine.documents.document import Document
from sim_engine.invariants import Status, Verdict, ViolationEvidence


class PropertyDocument(Document, frozen=True, kw_only=True):
    """One property over the branch up to a frame. What was violated once stays violated."""

    status: Annotated[
        Status,
        Meta(description="not_exercised: in no state so far could it have been violated."),
    ]
    first_frame: Annotated[
        int | None, Meta(description="The first frame in which it is violated; null for none.")
    ]
    evidence: ViolationEvidence


def properties_document(verdicts: tuple[Verdict, ...]) -> dict[str, PropertyDocument]:
    """Every property by name with its status and, where violated, since when and by what."""
    return {
        verdict.name: PropertyDocument(
            status=verdict.status, first_frame=verdict.first_frame, evidence=verdict.evidence
        )
        for verdict in verdicts
    }

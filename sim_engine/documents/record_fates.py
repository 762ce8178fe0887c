"""The fate of a record, read from the document of a frame."""

from typing import NamedTuple

from msgspec import UNSET

from sim_engine.cluster.state import Fate
from sim_engine.documents.clients import ProducedDocument
from sim_engine.documents.frames import FrameDocument
from sim_engine.identifiers import FrameNumber


class FateSince(NamedTuple):
    """A fate, and the frame since which a record has it; None if the document does not contain
    it."""

    fate: Fate
    since: FrameNumber | None


def fate_of(frame: FrameDocument, record: ProducedDocument) -> FateSince | None:
    """The fate of a record that a producer sent; None before the acknowledgement.

    In a share made before fates existed, a record is lost since the violation of
    `NoAckedRecordLost` that names it, or since its last copy was lost, and otherwise safe.
    """
    if record.acked_frame is None:
        return None
    if record.fate is not UNSET and record.fate is not None:
        return FateSince(record.fate, None if record.fate_frame is UNSET else record.fate_frame)
    since = record.lost_frame
    found = frame.properties.get("NoAckedRecordLost")
    if found is not None and found.status == "violated":
        named = {one.get("id") for one in found.evidence.get("records", ())}
        since = found.first_frame if record.id in named else since
    return FateSince("safe" if since is None else "lost", since)


def values_with(frame: FrameDocument, fate: Fate) -> list[str]:
    """The values of the acknowledged records with this fate, each once, in order."""
    found = ((record.value, fate_of(frame, record)) for record in frame.state.clients.produced)
    return sorted({value for value, one in found if one is not None and one.fate == fate})

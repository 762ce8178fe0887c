"""One frame of a run: what happened, what changed, and the state afterwards."""

from sim_engine.documents.changes import ChangeDocument, list_changes
from sim_engine.documents.document import Document, Step
from sim_engine.documents.events import EventDocument, event_document
from sim_engine.documents.messages import MessageMoveDocument, message_moves
from sim_engine.documents.properties import PropertyDocument, properties_document
from sim_engine.documents.state import StateDocument, state_document
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline


class FrameContent(Document, frozen=True, kw_only=True):
    """The fields of a frame, apart from its state."""

    frame: FrameNumber
    """Its number. Frames are numbered in the order of their creation."""
    parent: FrameNumber | None
    """The frame before it; null for the first."""
    depth: int
    """The number of actions from the start of the run, along its branch."""
    item: int | None
    """The entry of the scenario's steps that it belongs to; null for a user's action."""
    step: int
    """The story step that it belongs to; 0 is the start."""
    action: Step | None
    """The action, as a step; null for the first frame."""
    events: tuple[EventDocument, ...]
    """In causal order."""
    headline: int
    """The index in `events` of the most important one."""
    changes: tuple[ChangeDocument, ...]
    """The differences from the previous frame."""
    moves: tuple[MessageMoveDocument, ...]
    """The messages that were sent, delivered or lost, in order."""


class FrameDocument(FrameContent, frozen=True, kw_only=True):
    """What one action did, and the complete state after it."""

    state: StateDocument
    properties: dict[str, PropertyDocument]
    """Property name → verdict up to this frame."""


def frame_document(timeline: Timeline, number: FrameNumber) -> FrameDocument:
    """One frame. Raises `IndexError` if no frame has this number."""
    frame = timeline.frames[number]
    parent = None if frame.parent is None else timeline.frames[frame.parent]
    return FrameDocument(
        frame=frame.frame,
        parent=frame.parent,
        depth=frame.depth,
        item=frame.item,
        step=frame.place.step,
        action=frame.action,
        events=tuple(event_document(happened) for happened in frame.events),
        headline=frame.headline,
        changes=() if parent is None else list_changes(parent.cluster, frame.cluster),
        moves=message_moves(frame.moves),
        state=state_document(frame.cluster),
        properties=properties_document(frame.verdicts),
    )

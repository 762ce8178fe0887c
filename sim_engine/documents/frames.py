"""One frame of a run: what happened, what it changed, and the state after it."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from sim_engine.documents.changes import ChangeDocument, list_changes
from sim_engine.documents.document import Document, Step
from sim_engine.documents.events import EventDocument, event_document
from sim_engine.documents.messages import MessageMoveDocument, message_moves
from sim_engine.documents.properties import PropertyDocument, properties_document
from sim_engine.documents.state import StateDocument, state_document
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline


class FrameContent(Document, frozen=True, kw_only=True):
    """What is said of a frame, however its state is sent."""

    frame: Annotated[int, Meta(description="Its number, in the order in which frames were made.")]
    parent: Annotated[int | None, Meta(description="The frame before it; null for the first.")]
    depth: Annotated[int, Meta(description="How many actions from the start on its branch.")]
    item: Annotated[
        int | None,
        Meta(description="The entry of the scenario's steps that made it; null for a person's."),
    ]
    step: Annotated[int, Meta(description="The step of the story that it is of; 0 is the start.")]
    action: Annotated[
        Step | None, Meta(description="What was done, as a step; null for the first frame.")
    ]
    events: Annotated[
        tuple[EventDocument, ...],
        Meta(description="In the order in which one led to the next."),
    ]
    headline: Annotated[
        int | UnsetType,
        Meta(
            description="The place in `events` of the one that tells most. Absent in what was "
            "shared before there was one: then it is the first."
        ),
    ] = UNSET
    changes: Annotated[
        tuple[ChangeDocument, ...], Meta(description="What differs from the frame before it.")
    ]
    moves: Annotated[
        tuple[MessageMoveDocument, ...] | UnsetType,
        Meta(
            description="Which messages were sent, and which arrived or were lost, in order. "
            "Absent in what was shared before frames had it."
        ),
    ] = UNSET


class FrameDocument(FrameContent, frozen=True, kw_only=True):
    """The state after one action, whole, and what happened."""

    state: StateDocument
    properties: Annotated[dict[str, PropertyDocument], Meta(description="Name → verdict so far.")]


def frame_document(timeline: Timeline, number: FrameNumber) -> FrameDocument:
    """One frame. Raises `IndexError` for a number that no frame has."""
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

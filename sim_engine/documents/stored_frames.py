"""Frames that were stored as JSON and are read back, possibly from another engine.

They stay JSON, because a share shows every field that it was stored with. The fields that code
reads by name are typed here.
"""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

import msgspec

from sim_engine.documents.changes import ChangeDocument
from sim_engine.documents.frames import FrameDocument
from sim_engine.documents.messages import MessageMoveDocument
from sim_engine.events import EventNumber
from sim_engine.identifiers import BrokerId, FrameNumber
from sim_engine.invariants import Status


class StoredEventSubject(TypedDict):
    """The replicas that an event is about."""

    replicas: NotRequired[Sequence[BrokerId]]


class StoredEvent(TypedDict):
    """The fields of an event that its texts need."""

    kind: str
    variant: NotRequired[str]
    numbers: Mapping[str, EventNumber]
    subject: StoredEventSubject


class StoredProperty(TypedDict):
    """The fields of a property's verdict from which its status is determined."""

    status: Status
    first_frame: FrameNumber | None
    until_frame: FrameNumber | None


class StoredFrame(TypedDict):
    """The fields of a frame that code uses to find, group and describe it.

    The meaning of `state` and `patch` depends on the list in which it is stored: see
    `backend.frames.packing`.
    """

    frame: FrameNumber
    parent: FrameNumber | None
    depth: int
    item: int | None
    step: int
    events: Sequence[StoredEvent]
    headline: int
    changes: Sequence[object]
    moves: Sequence[object]
    state: NotRequired[object]
    patch: NotRequired[object]
    properties: Mapping[str, StoredProperty]


def read_frame(stored: StoredFrame) -> FrameDocument:
    """A stored frame with its complete state, as a document.

    Raises `msgspec.ValidationError` if it has no complete state.
    """
    return msgspec.convert(stored, FrameDocument)


def changes_of(stored: StoredFrame) -> tuple[ChangeDocument, ...]:
    """The changes of a stored frame."""
    return msgspec.convert(stored["changes"], tuple[ChangeDocument, ...])


def moves_of(stored: StoredFrame) -> tuple[MessageMoveDocument, ...]:
    """The messages that were sent, delivered or lost in a stored frame."""
    return msgspec.convert(stored["moves"], tuple[MessageMoveDocument, ...])


def headline_of(stored: StoredFrame) -> StoredEvent | None:
    """The most important event of a stored frame; null if it has none."""
    events = stored["events"]
    return events[stored["headline"]] if events else None

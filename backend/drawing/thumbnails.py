"""Selects the frame that a story's card shows."""

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from sim_engine import (
    FrameDocument,
    FrameNumber,
    RecordLost,
    ReplicaDocument,
    StateDocument,
    Timeline,
    frame_document,
    load_shipped,
)

_TOLD_FIRST = ("NoAckedRecordLost", "LogMatching", "AckedRecordAtRisk")
"""The properties whose violation is the main event of a story. For a story without such a violation
the card shows the last frame.
"""

_DRAWN = 12
"""The largest number of offsets in a card's picture; more would be sent but not drawn."""


class ThumbnailDocument(FrameDocument, frozen=True, kw_only=True):
    """The most important frame of a story, without the parts that a small picture does not draw:
    messages, settings, changes, and records that are not lost.
    """

    last_depth: int
    """How many steps the whole story has."""


@cache
def thumbnail(scenario_id: str) -> ThumbnailDocument:
    """The frame of a shipped scenario that its card shows.

    It is the first frame in which a record is lost; otherwise the first in which a property is
    violated that the story is about; otherwise the last. The result is cached for the life of the
    process, because shipped scenarios do not change.
    """
    timeline = Timeline(load_shipped(scenario_id))
    timeline.run_all()
    shown = telling_frame(timeline)
    return ThumbnailDocument(
        frame=shown.frame,
        parent=shown.parent,
        depth=shown.depth,
        item=shown.item,
        step=shown.step,
        action=None,
        events=shown.events,
        headline=shown.headline,
        changes=(),
        moves=(),
        state=_drawn(shown.state),
        properties={
            name: replace(status, evidence={})
            for name, status in shown.properties.items()
            if name in _TOLD_FIRST
        },
        last_depth=timeline.frames[timeline.head].depth,
    )


def telling_frame(timeline: Timeline) -> FrameDocument:
    """The most important frame of a run: the first in which a record is lost; otherwise the first
    in which a property is violated; otherwise the last.
    """
    last = frame_document(timeline, timeline.head)
    number = _first_loss(timeline)
    if number is None:
        number = _first_violation(last)
    return last if number is None else frame_document(timeline, number)


def _drawn(state: StateDocument) -> StateDocument:
    """The frame reduced to its first partition and outcome."""
    partition = next(iter(state.partitions))
    clients = state.clients
    return replace(
        state,
        replicas={partition: _ends_of_logs(state.replicas[partition])},
        in_flight=(),
        timers=(),
        configs={},
        clients=replace(
            clients,
            produced=tuple(
                record
                for record in clients.produced
                if record.lost_frame is not None or record.fate == "lost"
            ),
            consumed=(),
            consumers={},
        ),
    )


def _ends_of_logs(replicas: Mapping[str, ReplicaDocument]) -> dict[str, ReplicaDocument]:
    """The records that fit into a small picture: the last before the end of the longest log."""
    first = max(replica.log_end_offset for replica in replicas.values()) - _DRAWN
    return {
        broker: replace(
            replica, log=tuple(record for record in replica.log if record.offset >= first)
        )
        for broker, replica in replicas.items()
    }


def _first_loss(timeline: Timeline) -> FrameNumber | None:
    for number in timeline.path(timeline.head):
        if any(isinstance(event, RecordLost) for event in timeline.frames[number].events):
            return number
    return None


def _first_violation(frame: FrameDocument) -> FrameNumber | None:
    for name in _TOLD_FIRST:
        first = frame.properties[name].first_frame
        if first is not None:
            return first
    return None

"""The one frame that a story's card shows."""

from functools import cache
from typing import Any

from sim_engine import RecordLost, Timeline, frame_document, load_shipped

_TOLD_FIRST = ("NoAckedRecordLost", "LogMatching")
"""Properties whose violation is the point of a story; without one, it is how the story ends."""

_DRAWN = 12
"""How many offsets a card's picture shows at most; the rest would only be sent."""


@cache
def thumbnail(scenario_id: str) -> dict[str, Any]:
    """A whole frame document of a shipped scenario, without what a small picture does not draw.

    It is the first frame at which a record's last copy goes, or else a property fails that the
    story is about, or else the last.
    Kept for as long as the process lives: shipped scenarios do not change under it.
    """
    timeline = Timeline(load_shipped(scenario_id))
    timeline.run_all()
    last = frame_document(timeline, timeline.head)
    number = _last_copy_gone(timeline)
    if number is None:
        number = _first_violation(last)
    shown = last if number is None else frame_document(timeline, number)
    drawn = next(iter(shown["state"]["partitions"]))
    return {
        **shown,
        "last_depth": last["depth"],
        "action": None,
        "changes": [],
        "properties": {
            name: {**found, "evidence": {}}
            for name, found in shown["properties"].items()
            if name in _TOLD_FIRST
        },
        "state": {
            **shown["state"],
            "replicas": _ends_of_logs(shown["state"]["replicas"], drawn),
            "in_flight": [],
            "configs": {},
            "clients": {
                **shown["state"]["clients"],
                "produced": [
                    record
                    for record in shown["state"]["clients"]["produced"]
                    if record["lost_frame"] is not None
                ],
                "consumed": [],
                "consumers": {},
            },
        },
    }


def _ends_of_logs(replicas: dict[str, Any], partition: str) -> dict[str, Any]:
    """Of one partition, the records that a small picture has room for: those before the end of its
    longest log. Of the others nothing: they are not drawn."""
    logs = replicas[partition]
    first = max(replica["log_end_offset"] for replica in logs.values()) - _DRAWN
    return {
        partition: {
            broker: {
                **replica,
                "log": [record for record in replica["log"] if record["offset"] >= first],
            }
            for broker, replica in logs.items()
        }
    }


def _last_copy_gone(timeline: Timeline) -> int | None:
    for number in timeline.path(timeline.head):
        if any(isinstance(event, RecordLost) for event in timeline.frames[number].events):
            return number
    return None


def _first_violation(frame: dict[str, Any]) -> int | None:
    for name in _TOLD_FIRST:
        found: int | None = frame["properties"][name]["first_frame"]
        if found is not None:
            return found
    return None

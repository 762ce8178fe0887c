"""Where two runs of the same steps part: two versions, two settings, or two branches.

Versions differ in how many actions a step takes, so runs are compared at the end of each step.
What is compared is what a user would notice: logs, high watermarks, leaders, in-sync replicas,
answers to clients. Numbering that belongs to one controller (epochs, under ZooKeeper and KRaft)
or to one message format (none before 0.11) is compared only where both runs have it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sim_engine.documents.state import state_document
from sim_engine.simulation.timeline import Frame, Timeline

_MISSING = "absent"

StepKey = tuple[str, int]
"""An entry of the scenario's steps, or the place of a person's step among a person's steps."""


def comparison_document(
    a: Timeline, b: Timeline, *, at_a: int | None = None, at_b: int | None = None
) -> dict[str, Any]:
    """Compare the branches of two runs that end at given frames, at their heads otherwise.

    `item`, `where`, `a`, `b`, `frame_a` and `frame_b` are the first difference, null where there
    is none; `item` is null, too, for what a person did. `property` is the first property that one
    side violates and the other does not. `steps` pairs the frames that end each step.
    """
    a_ends = _step_ends(a, a.head if at_a is None else at_a)
    b_ends = _step_ends(b, b.head if at_b is None else at_b)
    found: dict[str, Any] | None = None
    found_property: dict[str, Any] | None = None
    steps: list[dict[str, Any]] = []
    end_a = end_b = 0
    for key in [*a_ends, *(key for key in b_ends if key not in a_ends)]:
        end_a, end_b = a_ends.get(key, end_a), b_ends.get(key, end_b)
        item = key[1] if key[0] == "item" else None
        difference = _first_difference(a, b, a.frames[end_a], b.frames[end_b])
        frames = {"frame_a": end_a, "frame_b": end_b}
        steps.append({"item": item, **frames, "differs": difference is not None})
        if found is None and difference is not None:
            where, left, right = difference
            found = {"item": item, "where": where, "a": left, "b": right, **frames}
        if found_property is None:
            name = _one_sided_property(a.frames[end_a], b.frames[end_b])
            found_property = None if name is None else {"item": item, **name, **frames}
    nothing = dict.fromkeys(("item", "where", "a", "b", "frame_a", "frame_b"))
    return {
        "scenario": a.scenario.id,
        "kafka_a": a.profile.kafka,
        "kafka_b": b.profile.kafka,
        "control_a": a.profile.control,
        "control_b": b.profile.control,
        **(found or nothing),
        "property": found_property,
        "steps": steps,
    }


def _step_ends(timeline: Timeline, at: int) -> dict[StepKey, int]:
    """The last frame of every step along a branch, in order."""
    on_branch = set(timeline.path(at))
    ends: dict[StepKey, int] = {}
    end = 0
    by_people = 0
    for done in timeline.record:
        made = [frame for frame in done.frames if frame in on_branch]
        if not made and (done.frames or done.after not in on_branch):
            continue
        end = made[-1] if made else end
        if done.item is not None:
            ends["item", done.item] = end
        else:
            ends["person", by_people] = end
            by_people += 1
    return ends


def _first_difference(
    a: Timeline, b: Timeline, frame_a: Frame, frame_b: Frame
) -> tuple[str, Any, Any] | None:
    same_epochs = a.profile.control == b.profile.control
    same_format = a.profile.has_epochs == b.profile.has_epochs
    seen_a = dict(_noticeable(frame_a, epochs=same_epochs, record_epochs=same_format))
    seen_b = dict(_noticeable(frame_b, epochs=same_epochs, record_epochs=same_format))
    for where in [*seen_a, *(where for where in seen_b if where not in seen_a)]:
        left, right = seen_a.get(where, _MISSING), seen_b.get(where, _MISSING)
        if left != right:
            return where, left, right
    return None


def _noticeable(frame: Frame, *, epochs: bool, record_epochs: bool) -> Iterator[tuple[str, Any]]:
    """What a user would notice in a frame, the logs first, each with its place in the state."""
    state = state_document(frame.cluster)
    with_epochs = epochs and record_epochs
    for partition, replicas in state["replicas"].items():
        for broker, replica in replicas.items():
            where = f"/replicas/{partition}/{broker}"
            yield f"{where}/log", _log_line(replica["log"], epochs=with_epochs)
            yield f"{where}/high_watermark", replica["high_watermark"]
            yield f"{where}/role", replica["role"]
            yield f"{where}/broker_state", _broker_state(replica["broker_state"], epochs=epochs)
    for partition, registration in state["partitions"].items():
        where = f"/partitions/{partition}"
        yield f"{where}/leader", registration["leader"]
        yield f"{where}/isr", sorted(registration["isr"])
        yield f"{where}/elr", sorted(registration["elr"])
    for index, produced in enumerate(state["clients"]["produced"]):
        where = f"/clients/produced/{index}"
        yield f"{where}/outcome", produced["outcome"]
        yield f"{where}/error", produced["error"]
    for index, consumed in enumerate(state["clients"]["consumed"]):
        yield f"/clients/consumed/{index}/value", consumed["value"]
    if epochs:
        for partition, registration in state["partitions"].items():
            yield f"/partitions/{partition}/leader_epoch", registration["leader_epoch"]
            yield f"/partitions/{partition}/partition_epoch", registration["partition_epoch"]
    if with_epochs:
        for partition, replicas in state["replicas"].items():
            for broker, replica in replicas.items():
                yield f"/replicas/{partition}/{broker}/epoch_cache", replica["epoch_cache"]


def _log_line(log: list[Mapping[str, Any]], *, epochs: bool) -> str:
    return " ".join(
        f"{record['value']}/{record['epoch']}"
        if epochs and record["epoch"] is not None
        else str(record["value"])
        for record in log
    )


def _broker_state(state: str, *, epochs: bool) -> str:
    """ZooKeeper knows no fencing, so where controllers differ a fenced broker is a running one."""
    return "running" if state == "fenced" and not epochs else state


def _one_sided_property(frame_a: Frame, frame_b: Frame) -> dict[str, Any] | None:
    """The first property that only one side violates, and which side."""
    for verdict_a, verdict_b in zip(frame_a.verdicts, frame_b.verdicts, strict=True):
        violated_a, violated_b = verdict_a.status == "violated", verdict_b.status == "violated"
        if violated_a != violated_b:
            return {
                "name": verdict_a.name,
                "violated_in": "a" if violated_a else "b",
                "first_frame": (verdict_a if violated_a else verdict_b).first_frame,
            }
    return None

"""Where two runs part: two versions, two settings, two branches, or two scenarios.

Versions differ in how many actions a step takes, so runs are compared at the end of each step.
Two scenarios need not have the same steps. Those that both do, in the same order and written the
same, stand beside each other; what only one of them does in between is taken as one stretch, and
compared where it ends on both sides: inside of it neither side has done what the other has.
What is compared is what a user would notice: logs, high watermarks, leaders, in-sync replicas,
answers to clients. Numbering that belongs to one controller (epochs, under ZooKeeper and KRaft)
or to one message format (none before 0.11) is compared only where both runs have it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from sim_engine.documents.state import state_document
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.timeline import Frame, Timeline

_MISSING = "absent"

StepKey = tuple[str, int]
"""An entry of the scenario's steps, or the place of a person's step among a person's steps."""

_MOST_WEIGHED = 2_000_000
"""How many pairs of steps are looked at for what two scenarios have in common."""

_START = (
    "metadata_version",
    "inter_broker_protocol_version",
    "rules",
    "seed",
    "brokers",
    "configs",
    "topics",
)
"""What of a scenario says how its run begins."""


class _Done(Struct, frozen=True, kw_only=True):
    """A step of one run: the scenario's item that it is, what was done, and the frame it ends in.

    `item` is null for what a person did.
    """

    item: int | None
    step: dict[str, Any]
    end: int


class _Pair(Struct, frozen=True, kw_only=True):
    """Where a step, or a stretch of steps, has ended on both sides."""

    item_a: int | None
    item_b: int | None
    end_a: int
    end_b: int
    only_a: tuple[_Done, ...] = ()
    only_b: tuple[_Done, ...] = ()


def comparison_document(
    a: Timeline, b: Timeline, *, at_a: int | None = None, at_b: int | None = None
) -> dict[str, Any]:
    """Compare the branches of two runs that end at given frames, at their heads otherwise.

    `item`, `item_b`, `where`, `a`, `b`, `frame_a` and `frame_b` are the first difference, null
    where there is none; an item is null, too, for what a person did. `property` is the first
    property that one side violates and the other does not. `steps` pairs the frames that end each
    step. `start` names what of two scenarios' starts is not the same, and the first of `steps` is
    then the start. `parting` is the first stretch of steps that only one of two scenarios does,
    null where both do the same; it says what was done otherwise, not what came of it.
    """
    at_a = a.head if at_a is None else at_a
    at_b = b.head if at_b is None else at_b
    start = _start_differs(a, b)
    same_steps = a.scenario.steps == b.scenario.steps
    pairs = (_by_item if same_steps else _by_step)(_steps_done(a, at_a), _steps_done(b, at_b))
    if start:
        pairs = [_Pair(item_a=None, item_b=None, end_a=0, end_b=0), *pairs]
    found: dict[str, Any] | None = None
    found_property: dict[str, Any] | None = None
    parting: dict[str, Any] | None = None
    steps: list[dict[str, Any]] = []
    for pair in pairs:
        end_a, end_b = pair.end_a, pair.end_b
        items = {"item": pair.item_a, "item_b": pair.item_b}
        difference = _first_difference(a, b, a.frames[end_a], b.frames[end_b])
        frames = {"frame_a": end_a, "frame_b": end_b}
        steps.append({**items, **frames, "differs": difference is not None})
        if parting is None and (pair.only_a or pair.only_b):
            parting = {
                **items,
                "steps_a": [done.step for done in pair.only_a],
                "steps_b": [done.step for done in pair.only_b],
                **frames,
            }
        if found is None and difference is not None:
            where, left, right = difference
            found = {**items, "where": where, "a": left, "b": right, **frames}
        if found_property is None:
            name = _one_sided_property(a.frames[end_a], b.frames[end_b])
            found_property = None if name is None else {**items, **name, **frames}
    nothing = dict.fromkeys(("item", "item_b", "where", "a", "b", "frame_a", "frame_b"))
    return {
        "scenario": a.scenario.id,
        "scenario_b": b.scenario.id,
        "kafka_a": a.profile.kafka,
        "kafka_b": b.profile.kafka,
        "control_a": a.profile.control,
        "control_b": b.profile.control,
        "start": start,
        "parting": parting,
        **(found or nothing),
        "property": found_property,
        "steps": steps,
    }


def _start_differs(a: Timeline, b: Timeline) -> list[str]:
    """The keys of the scenario file in which two scenarios begin differently."""
    one, other = scenario_document(a.scenario), scenario_document(b.scenario)
    return [key for key in _START if one.get(key) != other.get(key)]


def _steps_done(timeline: Timeline, at: int) -> list[_Done]:
    """Every step along a branch, in order."""
    on_branch = set(timeline.path(at))
    steps: list[_Done] = []
    end = 0
    for done in timeline.record:
        made = [frame for frame in done.frames if frame in on_branch]
        if not made and (done.frames or done.after not in on_branch):
            continue
        end = made[-1] if made else end
        steps.append(_Done(item=done.item, step=done.step, end=end))
    return steps


def _by_item(a: Sequence[_Done], b: Sequence[_Done]) -> list[_Pair]:
    """Pairs of the same item: two runs of one scenario's steps."""
    a_ends, b_ends = _ends_by_key(a), _ends_by_key(b)
    pairs: list[_Pair] = []
    end_a = end_b = 0
    for key in [*a_ends, *(key for key in b_ends if key not in a_ends)]:
        end_a, end_b = a_ends.get(key, end_a), b_ends.get(key, end_b)
        item = key[1] if key[0] == "item" else None
        pairs.append(_Pair(item_a=item, item_b=item, end_a=end_a, end_b=end_b))
    return pairs


def _ends_by_key(steps: Sequence[_Done]) -> dict[StepKey, int]:
    ends: dict[StepKey, int] = {}
    by_people = 0
    for done in steps:
        if done.item is not None:
            ends["item", done.item] = done.end
        else:
            ends["person", by_people] = done.end
            by_people += 1
    return ends


def _by_step(a: Sequence[_Done], b: Sequence[_Done]) -> list[_Pair]:
    """Pairs of equal steps, and between them stretches of what only one side, or each, does."""
    pairs: list[_Pair] = []
    done_a = done_b = 0
    ends = (len(a), len(b))
    for at_a, at_b in [*_common([done.step for done in a], [done.step for done in b]), ends]:
        only_a, only_b = tuple(a[done_a:at_a]), tuple(b[done_b:at_b])
        if only_a or only_b:
            pairs.append(
                _Pair(
                    item_a=only_a[-1].item if only_a else None,
                    item_b=only_b[-1].item if only_b else None,
                    end_a=_end_of(a[:at_a]),
                    end_b=_end_of(b[:at_b]),
                    only_a=only_a,
                    only_b=only_b,
                )
            )
        if (at_a, at_b) != ends:
            one, other = a[at_a], b[at_b]
            pairs.append(_Pair(item_a=one.item, item_b=other.item, end_a=one.end, end_b=other.end))
        done_a, done_b = at_a + 1, at_b + 1
    return pairs


def _end_of(steps: Sequence[_Done]) -> int:
    return steps[-1].end if steps else 0


def _common(a: Sequence[object], b: Sequence[object]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence, the earliest of each step.

    What both begin with belongs to one. Where too many steps are left after it, they are not
    weighed, and none of them is paired.
    """
    first = 0
    while first < min(len(a), len(b)) and a[first] == b[first]:
        first += 1
    after = _longest_common(a[first:], b[first:])
    return [
        *((place, place) for place in range(first)),
        *((first + one, first + other) for one, other in after),
    ]


def _longest_common(a: Sequence[object], b: Sequence[object]) -> Iterator[tuple[int, int]]:
    if len(a) * len(b) > _MOST_WEIGHED:
        return
    lengths = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for one in reversed(range(len(a))):
        for other in reversed(range(len(b))):
            lengths[one][other] = (
                lengths[one + 1][other + 1] + 1
                if a[one] == b[other]
                else max(lengths[one + 1][other], lengths[one][other + 1])
            )
    one = other = 0
    while one < len(a) and other < len(b):
        if a[one] == b[other]:
            yield one, other
            one, other = one + 1, other + 1
        elif lengths[one + 1][other] >= lengths[one][other + 1]:
            one += 1
        else:
            other += 1


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

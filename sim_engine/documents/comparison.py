"""Finds where two runs diverge: under two versions or settings, on two branches, or of two
scenarios.

A step may take a different number of actions in each version, so runs are compared at the end of
each step. Two scenarios may have different steps. Steps that both have, written the same and in the
same order, are paired. The steps between two pairs are treated as one stretch and compared at its
end, because within it the two sides have not done the same things. The comparison covers what a
user would notice: logs, high watermarks, leaders, in-sync replicas and responses to clients.
Numbers that depend on the controller (epochs, under ZooKeeper and KRaft) or on the message format
(no epochs before 0.11) are compared only if both runs have them.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from sim_engine.documents.brokers import BrokerState, LogRecordDocument
from sim_engine.documents.state import state_document
from sim_engine.identifiers import FIRST_FRAME, FrameNumber
from sim_engine.json_types import Document, Step, copied
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Frame, Timeline
from sim_engine.versions import Control

StepKey = tuple[str, int]
"""The index of an entry in the scenario's steps, or of a user's step among the user's steps."""

_MOST_WEIGHED = 2_000_000
"""The maximum number of step pairs to examine when aligning two scenarios."""


class DoneStep(Struct, frozen=True, kw_only=True):
    """A step of one run: its entry in the scenario, the step itself, and its last frame.

    `item` is null for a user's step.
    """

    item: int | None
    step: Step
    end: int


class StepEnd(Document, frozen=True, kw_only=True):
    """The end of a step, or of a stretch of steps, on both sides."""

    item: int | None
    """The entry of the first side's steps; null for a user's step."""
    item_b: int | None
    """The same for the other side; null if it has no such step."""
    frame_a: int
    """Its last frame on the first side."""
    frame_b: int
    """Its last frame on the other side."""


class PairedSteps(StepEnd, frozen=True, kw_only=True):
    """The end of a step that both sides have, or of a stretch of steps that only one of them
    has."""

    only_a: tuple[DoneStep, ...] = ()
    only_b: tuple[DoneStep, ...] = ()


def steps_done(timeline: Timeline, at: FrameNumber) -> list[DoneStep]:
    """The steps of a branch, in order."""
    steps: list[DoneStep] = []
    end = FIRST_FRAME
    for done, made in timeline.steps_on(at):
        end = made[-1] if made else end
        steps.append(DoneStep(item=done.item, step=done.step, end=end))
    return steps


def pairs_by_item(a: Sequence[DoneStep], b: Sequence[DoneStep]) -> list[PairedSteps]:
    """Pair the steps of two runs of the same scenario by their entry."""
    a_ends, b_ends = _ends_by_key(a), _ends_by_key(b)
    pairs: list[PairedSteps] = []
    end_a = end_b = 0
    for key in [*a_ends, *(key for key in b_ends if key not in a_ends)]:
        end_a, end_b = a_ends.get(key, end_a), b_ends.get(key, end_b)
        item = key[1] if key[0] == "item" else None
        pairs.append(PairedSteps(item=item, item_b=item, frame_a=end_a, frame_b=end_b))
    return pairs


def _ends_by_key(steps: Sequence[DoneStep]) -> dict[StepKey, int]:
    ends: dict[StepKey, int] = {}
    by_people = 0
    for done in steps:
        if done.item is not None:
            ends["item", done.item] = done.end
        else:
            ends["person", by_people] = done.end
            by_people += 1
    return ends


def pairs_by_step(a: Sequence[DoneStep], b: Sequence[DoneStep]) -> list[PairedSteps]:
    """Pair equal steps of two runs. The steps between two pairs form one stretch."""
    pairs: list[PairedSteps] = []
    done_a = done_b = 0
    ends = (len(a), len(b))
    for at_a, at_b in [*_common([done.step for done in a], [done.step for done in b]), ends]:
        only_a, only_b = tuple(a[done_a:at_a]), tuple(b[done_b:at_b])
        if only_a or only_b:
            pairs.append(
                PairedSteps(
                    item=only_a[-1].item if only_a else None,
                    item_b=only_b[-1].item if only_b else None,
                    frame_a=_end_of(a[:at_a]),
                    frame_b=_end_of(b[:at_b]),
                    only_a=only_a,
                    only_b=only_b,
                )
            )
        if (at_a, at_b) != ends:
            one, other = a[at_a], b[at_b]
            pairs.append(
                PairedSteps(item=one.item, item_b=other.item, frame_a=one.end, frame_b=other.end)
            )
        done_a, done_b = at_a + 1, at_b + 1
    return pairs


def _end_of(steps: Sequence[DoneStep]) -> int:
    return steps[-1].end if steps else 0


def _common(a: Sequence[object], b: Sequence[object]) -> list[tuple[int, int]]:
    """The indexes of a longest common subsequence, the earliest possible ones.

    A common prefix is always part of it. If too many steps remain after the prefix, none of them is
    paired.
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


_MISSING = "absent"

_START = (
    "metadata_version",
    "inter_broker_protocol_version",
    "rules",
    "seed",
    "brokers",
    "configs",
    "topics",
)
"""The keys of a scenario that define how its run begins."""


NoticedValue = int | str | tuple[int | tuple[int, int], ...] | None


class ComparedStepDocument(StepEnd, frozen=True, kw_only=True):
    """The last frames of one step on both sides."""

    differs: bool
    """Whether a user would notice a difference at its end."""


class DifferentStepsDocument(StepEnd, frozen=True, kw_only=True):
    """The first steps that only one of two scenarios has, and their last frames."""

    steps_a: tuple[Step, ...]
    steps_b: tuple[Step, ...]


class PropertyDifferenceDocument(StepEnd, frozen=True, kw_only=True):
    """The first property that one side violates and the other never does, neither before nor later.
    If a record is at risk and then lost on that side, this is the loss. No loss is one-sided if
    the other side loses a record that was acknowledged with acks=1."""

    name: str
    violated_in: Literal["a", "b"]
    first_frame: FrameNumber | None
    """The first frame of that side in which it is violated."""


class ComparisonDocument(Document, frozen=True, kw_only=True):
    """The comparison of two runs. `item` to `frame_b` describe the first difference; all of them
    are null if there is none."""

    scenario: str
    """The id of the first side's scenario."""
    scenario_b: str
    kafka_a: str
    kafka_b: str
    control_a: Control
    control_b: Control
    start: tuple[str, ...]
    """The keys of the scenario file that make the two begin differently. If there are any, the
    first of `steps` is the start."""
    parting: DifferentStepsDocument | None
    """The first steps in which two scenarios differ; null if both have the same steps. This
    compares the steps, not their results."""
    item: int | None
    """The entry of the first side's steps at the first difference; null as well if it is a user's
    step."""
    item_b: int | None
    """The same of the other side."""
    where: str | None
    """A JSON Pointer into the state; null if there is no difference."""
    a: NoticedValue
    """The value on the first side, or `absent`."""
    b: NoticedValue
    """The value on the other side, or `absent`."""
    frame_a: int | None
    """The frame that differs on the first side; null if there is no difference."""
    frame_b: int | None
    """The same of the other side."""
    property: PropertyDifferenceDocument | None
    """Null if there is no property that only one side ever violates."""
    loss: PropertyDifferenceDocument | None
    """The same, if it is the loss of a record acknowledged with acks=all; it need not be the first
    property."""
    steps: tuple[ComparedStepDocument, ...]
    """The last frames of each step."""


class _FirstDifference(Struct, frozen=True, kw_only=True):
    """The fields of a comparison about its first difference."""

    item: int | None = None
    item_b: int | None = None
    where: str | None = None
    a: NoticedValue = None
    b: NoticedValue = None
    frame_a: int | None = None
    frame_b: int | None = None


def comparison_document(
    a: Timeline, b: Timeline, *, at_a: FrameNumber | None = None, at_b: FrameNumber | None = None
) -> ComparisonDocument:
    """Compare the branches of two runs that end at the given frames, or at their heads."""
    at_a = a.head if at_a is None else at_a
    at_b = b.head if at_b is None else at_b
    start = _start_differs(a, b)
    same_steps = a.scenario.steps == b.scenario.steps
    pairs = (pairs_by_item if same_steps else pairs_by_step)(
        steps_done(a, at_a), steps_done(b, at_b)
    )
    if start:
        pairs = [PairedSteps(item=None, item_b=None, frame_a=0, frame_b=0), *pairs]
    first = _FirstDifference()
    parting: DifferentStepsDocument | None = None
    steps: list[ComparedStepDocument] = []
    for pair in pairs:
        difference = _first_difference(a, b, a.frames[pair.frame_a], b.frames[pair.frame_b])
        steps.append(copied(ComparedStepDocument, pair, differs=difference is not None))
        if parting is None and (pair.only_a or pair.only_b):
            parting = copied(
                DifferentStepsDocument,
                pair,
                steps_a=tuple(done.step for done in pair.only_a),
                steps_b=tuple(done.step for done in pair.only_b),
            )
        if first.where is None and difference is not None:
            where, left, right = difference
            first = copied(_FirstDifference, pair, where=where, a=left, b=right)
    violated = tuple(_one_sided(a, b, pairs, ends=(a.frames[at_a], b.frames[at_b])))
    loss = next((one for one in violated if one.name == _LOSS), None)
    return copied(
        ComparisonDocument,
        first,
        scenario=a.scenario.id,
        scenario_b=b.scenario.id,
        kafka_a=a.profile.kafka,
        kafka_b=b.profile.kafka,
        control_a=a.profile.control,
        control_b=b.profile.control,
        start=start,
        parting=parting,
        property=_final_if_at_risk(violated[0] if violated else None, loss),
        loss=loss,
        steps=tuple(steps),
    )


def _start_differs(a: Timeline, b: Timeline) -> tuple[str, ...]:
    """The keys of the scenario file that make two scenarios begin differently."""
    one, other = scenario_document(a.scenario), scenario_document(b.scenario)
    return tuple(key for key in _START if one.get(key) != other.get(key))


def _first_difference(
    a: Timeline, b: Timeline, frame_a: Frame, frame_b: Frame
) -> tuple[str, NoticedValue, NoticedValue] | None:
    """The first place in the state at which two frames differ, and the values of both sides."""
    same_epochs = a.profile.control == b.profile.control
    same_format = a.profile.has_epochs == b.profile.has_epochs
    seen_a = dict(noticeable(frame_a, epochs=same_epochs, record_epochs=same_format))
    seen_b = dict(noticeable(frame_b, epochs=same_epochs, record_epochs=same_format))
    for where in [*seen_a, *(where for where in seen_b if where not in seen_a)]:
        left, right = seen_a.get(where, _MISSING), seen_b.get(where, _MISSING)
        if left != right:
            return where, left, right
    return None


def noticeable(
    frame: Frame, *, epochs: bool, record_epochs: bool
) -> Iterator[tuple[str, NoticedValue]]:
    """Everything in a frame that a user would notice, the logs first, each with its place in the
    state."""
    state = state_document(frame.cluster)
    with_epochs = epochs and record_epochs
    for partition, replicas in state.replicas.items():
        for broker, replica in replicas.items():
            where = f"/replicas/{partition}/{broker}"
            yield f"{where}/log", _log_line(replica.log, epochs=with_epochs)
            yield f"{where}/high_watermark", replica.high_watermark
            yield f"{where}/role", replica.role
            yield f"{where}/broker_state", _broker_state(replica.broker_state, epochs=epochs)
    for partition, registration in state.partitions.items():
        where = f"/partitions/{partition}"
        yield f"{where}/leader", registration.leader
        yield f"{where}/isr", tuple(sorted(registration.isr))
        yield f"{where}/elr", tuple(sorted(registration.elr))
    for index, produced in enumerate(state.clients.produced):
        where = f"/clients/produced/{index}"
        yield f"{where}/outcome", produced.outcome
        yield f"{where}/error", produced.error
    for index, consumed in enumerate(state.clients.consumed):
        yield f"/clients/consumed/{index}/value", consumed.value
    if epochs:
        for partition, registration in state.partitions.items():
            yield f"/partitions/{partition}/leader_epoch", registration.leader_epoch
            yield f"/partitions/{partition}/partition_epoch", registration.partition_epoch
    if with_epochs:
        for partition, replicas in state.replicas.items():
            for broker, replica in replicas.items():
                yield f"/replicas/{partition}/{broker}/epoch_cache", replica.epoch_cache


def _log_line(log: Sequence[LogRecordDocument], *, epochs: bool) -> str:
    return " ".join(
        f"{record.value}/{record.epoch}" if epochs and record.epoch is not None else record.value
        for record in log
    )


def _broker_state(state: BrokerState, *, epochs: bool) -> BrokerState:
    """Under ZooKeeper no broker is fenced, so if the controllers differ, a fenced broker counts as
    running."""
    return "running" if state == "fenced" and not epochs else state


_AT_RISK, _LOSS = "AckedRecordAtRisk", "NoAckedRecordLost"


def _final_if_at_risk(
    difference: PropertyDifferenceDocument | None, loss: PropertyDifferenceDocument | None
) -> PropertyDifferenceDocument | None:
    if difference is None or loss is None or difference.name != _AT_RISK:
        return difference
    return loss if loss.violated_in == difference.violated_in else difference


def _one_sided(
    a: Timeline, b: Timeline, pairs: Sequence[PairedSteps], ends: tuple[Frame, Frame]
) -> Iterator[PropertyDifferenceDocument]:
    """Each property that only one side ever violates, where the sides first differ in it."""
    named: set[str] = set()
    for pair in pairs:
        verdicts_b = b.frames[pair.frame_b].verdicts
        for name, verdict_a in a.frames[pair.frame_a].verdicts.items():
            verdict_b = verdicts_b[name]
            violated_a, violated_b = verdict_a.status == "violated", verdict_b.status == "violated"
            if violated_a == violated_b or name in named:
                continue
            named.add(name)
            if not _ever_violates(ends[1 if violated_a else 0], name):
                yield copied(
                    PropertyDifferenceDocument,
                    pair,
                    name=name,
                    violated_in="a" if violated_a else "b",
                    first_frame=(verdict_a if violated_a else verdict_b).first_frame,
                )


def _ever_violates(end: Frame, name: str) -> bool:
    """Whether a run that ends with this frame violates the property anywhere.

    The property of losses is about acks=all only, but a run that lost its record with acks=1 is no
    better.
    """
    if name == _LOSS and any(record.fate == "lost" for record in end.cluster.clients.produced):
        return True
    return end.verdicts[name].first_frame is not None

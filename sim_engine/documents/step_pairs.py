"""Pairs the steps of two runs, for comparison."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from sim_engine.documents.document import Step
from sim_engine.identifiers import FIRST_FRAME, FrameNumber
from sim_engine.simulation.timeline import Timeline

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


class PairedSteps(Struct, frozen=True, kw_only=True):
    """The end of a step, or of a stretch of steps, on both sides."""

    item_a: int | None
    item_b: int | None
    end_a: int
    end_b: int
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
        pairs.append(PairedSteps(item_a=item, item_b=item, end_a=end_a, end_b=end_b))
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
            pairs.append(
                PairedSteps(item_a=one.item, item_b=other.item, end_a=one.end, end_b=other.end)
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

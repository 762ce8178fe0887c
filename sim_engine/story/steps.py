"""The position of a frame in the story: the only definition of a story step.

A run is a list of steps, each of which expands into its messages, the frames. The effect of one
entry of a scenario's `steps`, or of one user's step, is one step; consecutive equal steps without a
text between them are merged. A step that passes time may create any number of frames, so it is
split where something notable happens. A frame's place depends only on its ancestors: it does not
change when the run continues, and on a branch the numbers continue from the parent's.
"""

from collections.abc import Iterable, Mapping, Set
from typing import TypeAlias, get_args

from msgspec import Struct

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import TimeStep
from sim_engine.events.base import Mark
from sim_engine.events.registry import mark_of
from sim_engine.json_types import JsonView

NO_MARKS: frozenset[Mark] = frozenset()

_NEVER_DIVIDES: frozenset[Mark] = frozenset({"divergence"})
"""The kinds that do not divide a step that passes time: that two logs differ is told with what it
leads to.
"""

_ENDS_WITH: Mapping[Mark, Mark] = {"truncation": "isr"}
"""A kind, and the kind that does not divide a step after it: a follower that has truncated its log
and caught up joins the ISR. The step then still shows what the truncation removed.
"""

DIVIDED = frozenset(name_of(kind) for kind in get_args(TimeStep))
"""The steps that pass time, which may be split into several steps of the story."""

Case: TypeAlias = tuple[str, str | None]
"""The kind and the variant of an event, which stored frames have too."""


class Act(Struct, frozen=True, gc=False, kw_only=True):
    """A step of a scenario or of a user, as it was performed in the run.

    `number` counts the acts of the run, `step` is its form in a scenario file, and `item` its entry
    in the scenario's steps, null for a user's step. `title` is its title by language if it has no
    form in a scenario file; otherwise null.
    """

    number: int
    step: JsonView
    item: int | None
    title: Mapping[str, str] | None = None

    @property
    def kind(self) -> str:
        """The name of the step in a scenario file."""
        return next(iter(self.step))


class Place(Struct, frozen=True, gc=False, kw_only=True):
    """The place of a frame: the number of its step, the act that created it, and the notable events
    of the step so far. Frame 0 is step 0 and has no act.
    """

    step: int
    act: Act | None
    noted: frozenset[Mark]


START = Place(step=0, act=None, noted=NO_MARKS)


def marks_of(cases: Iterable[Case]) -> frozenset[Mark]:
    """The notable kinds among a frame's events."""
    return frozenset(
        mark for kind, variant in cases for mark in (mark_of(kind, variant),) if mark is not None
    )


def place_after(before: Place, act: Act, marks: frozenset[Mark], said: Set[int]) -> Place:
    """The place of a frame that `act` created after a frame at `before`.

    `marks` are the notable kinds in it; `said` are the indexes in the scenario's steps of the notes
    and questions that are shown.
    """
    if before.act is None or not _goes_on(before.act, act, said):
        return Place(step=before.step + 1, act=act, noted=marks)
    dividing = before.noted - _NEVER_DIVIDES
    ends = {end for mark, end in _ENDS_WITH.items() if mark in dividing}
    if act.kind in DIVIDED and dividing and not marks - _NEVER_DIVIDES - ends <= dividing:
        return Place(step=before.step + 1, act=act, noted=marks)
    if act is before.act and marks <= before.noted:
        return before
    return Place(step=before.step, act=act, noted=before.noted | marks)


def _goes_on(last: Act, act: Act, said: Set[int]) -> bool:
    """Whether an act belongs to the same step as the previous one."""
    if act.number == last.number:
        return True
    if act.step != last.step:
        return False
    if act.item is None or last.item is None:
        return act.item is last.item
    return not any(last.item < place < act.item for place in said)

"""The position of a frame in the story: the only definition of a story step.

A run is told in steps, each of which opens into its messages, the frames. What one entry of a
scenario's `steps` or one act of a person made is one step; equal ones in a row, with nothing said
between them, are one. A step in which time passes may make frames without end, so it is divided
where something of note happens. A frame's place follows from its ancestors alone: it stays when
the run goes on, and on a branch the numbers go on from the parent's.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from sim_engine.actions import TimeStep, name_of
from sim_engine.events import Event
from sim_engine.events.consumer import ConsumerTruncationDetected
from sim_engine.events.election import LeaderElected, LeaderLost
from sim_engine.events.isr import IsrExpanded, IsrShrunk
from sim_engine.events.log import LogTruncated, RecordLost, RecordsAtRisk
from sim_engine.events.network import LinkCut, MessageDropped
from sim_engine.events.process import (
    BrokerCrashed,
    BrokerExited,
    BrokerHalted,
    BrokerHung,
    BrokerPaused,
    DiskLost,
    PowerLost,
    RegistrationRefused,
    ShutdownStarted,
)
from sim_engine.events.producer import ProduceAcknowledged
from sim_engine.events.run import PropertyViolated
from sim_engine.json_types import JsonView

Mark = Literal[
    "loss",
    "at_risk",
    "surprise",
    "truncation",
    "election",
    "fault",
    "acknowledgement",
    "isr",
]
"""What is of note in a frame. A surprise is a consumer's: what it read changed, or is gone."""
MARKS: tuple[Mark, ...] = get_args(Mark)
"""The most telling first."""

NO_MARKS: frozenset[Mark] = frozenset()

_MARK_OF: Mapping[type[Event], Mark] = {
    ConsumerTruncationDetected: "surprise",
    RecordsAtRisk: "at_risk",
    LogTruncated: "truncation",
    LeaderElected: "election",
    LeaderLost: "election",
    **dict.fromkeys(
        (
            BrokerCrashed,
            PowerLost,
            DiskLost,
            BrokerExited,
            BrokerHalted,
            BrokerHung,
            BrokerPaused,
            ShutdownStarted,
            RegistrationRefused,
            LinkCut,
            MessageDropped,
        ),
        "fault",
    ),
    ProduceAcknowledged: "acknowledgement",
    IsrExpanded: "isr",
    IsrShrunk: "isr",
}
_MARK_OF_CASE: Mapping[tuple[type[Event], str], Mark] = {
    (RecordLost, "acked"): "loss",
    (RecordLost, "replaced"): "loss",
    (PropertyViolated, "NoAckedRecordLost"): "loss",
    (PropertyViolated, "AckedRecordAtRisk"): "at_risk",
    (PropertyViolated, "ConsistentRead"): "surprise",
}
_MARKS_BY_NAME: Mapping[tuple[str, str | None], Mark] = {
    **{(kind.__name__, None): mark for kind, mark in _MARK_OF.items()},
    **{(kind.__name__, case): mark for (kind, case), mark in _MARK_OF_CASE.items()},
}
DIVIDED = frozenset(name_of(kind) for kind in get_args(TimeStep))
"""The steps in which time passes, which may be several in the story."""

Case: TypeAlias = tuple[str, str | None]
"""The kind and the variant of an event, which a stored frame has as well."""


class Act(Struct, frozen=True, gc=False, kw_only=True):
    """One thing that was done: `number` counts what was done in the run, `step` is how a scenario
    file writes it, `item` the entry of the scenario's steps that it is, null for a person's.

    `title` is what it is called, by language, where no scenario file could write it; else null.
    """

    number: int
    step: JsonView
    item: int | None
    title: Mapping[str, str] | None = None

    @property
    def kind(self) -> str:
        """What the step is called in a scenario file."""
        return next(iter(self.step))


class Place(Struct, frozen=True, gc=False, kw_only=True):
    """Where a frame stands: the number of its step, what made it, and what of note the step has had
    up to it. Frame 0 is step 0, and nothing made it."""

    step: int
    act: Act | None
    noted: frozenset[Mark]


START = Place(step=0, act=None, noted=NO_MARKS)


def marks_of(cases: Iterable[Case]) -> frozenset[Mark]:
    """What is of note among a frame's events."""
    return frozenset(
        mark
        for kind, variant in cases
        for mark in (_MARKS_BY_NAME.get((kind, variant)) or _MARKS_BY_NAME.get((kind, None)),)
        if mark is not None
    )


def place_after(before: Place, act: Act, marks: frozenset[Mark], said: Set[int]) -> Place:
    """Where a frame stands that `act` made after a frame at `before`.

    `marks` is what is of note in it; `said` are the places in the scenario's steps of the notes and
    questions that a reader is shown.
    """
    if before.act is None or not _goes_on(before.act, act, said):
        return Place(step=before.step + 1, act=act, noted=marks)
    if act.kind in DIVIDED and before.noted and not marks <= before.noted:
        return Place(step=before.step + 1, act=act, noted=marks)
    if act is before.act and marks <= before.noted:
        return before
    return Place(step=before.step, act=act, noted=before.noted | marks)


def _goes_on(last: Act, act: Act, said: Set[int]) -> bool:
    """Whether what was done now belongs to the step of what was done last."""
    if act.number == last.number:
        return True
    if act.step != last.step:
        return False
    if act.item is None or last.item is None:
        return act.item is last.item
    return not any(last.item < place < act.item for place in said)

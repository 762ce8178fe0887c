"""The plan of a run, drawn before it is played: the workload and the faults.

A plan does not depend on anything that happens in the run. It is the same under every version, and
removing a fault does not move the others.

Its random numbers come from streams, each a hash that is keyed by its purpose: BLAKE2b in counter
mode under a key of campaign, cell, run and purpose. A run therefore has the same numbers wherever
and however often it is played, and streams for different purposes are independent. Numbers that all
cells share (`EVERY_CELL`) make their runs comparable one by one: run 7 meets the same faults at the
same times under every version.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.campaign.grid import FAULT_KINDS, FAULT_TYPES, Cell, FaultKind
from sim_engine.identifiers import BrokerId

T = TypeVar("T")

EVERY_CELL = -1
"""The cell number for streams that all cells of a campaign share."""

_PER_BLOCK = 8
_FRACTION = 2.0**-53


class RunKey(Struct, frozen=True, kw_only=True):
    """The key of a run: the campaign's seed, the cell and the run in it, both counted from 0."""

    campaign: int
    cell: int
    run: int


class Stream:
    """Random numbers, the same on any machine: only hashes, comparisons and exact arithmetic."""

    def __init__(self, key: RunKey, purpose: str) -> None:
        name = f"{key.campaign}/{key.cell}/{key.run}/{purpose}"
        self._key = hashlib.blake2b(name.encode()).digest()
        self._counter = 0
        self._left: list[int] = []

    def number(self) -> int:
        """The next random number: an integer of 64 bits."""
        if not self._left:
            block = hashlib.blake2b(self._counter.to_bytes(8, "big"), key=self._key).digest()
            self._left = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 64, 8)]
            assert len(self._left) == _PER_BLOCK, "a block is 64 bytes"
            self._counter += 1
        return self._left.pop()

    def uniform(self) -> float:
        """The next random number from 0 up to, but excluding, 1."""
        return (self.number() >> 11) * _FRACTION

    def below(self, bound: int) -> int:
        """The next random integer from 0 up to, but excluding, `bound`, which must be positive."""
        assert bound > 0, "the bound is positive"
        return self.number() % bound

    def one_of(self, items: Sequence[T]) -> T:
        """One of several elements, with equal probability."""
        return items[self.below(len(items))]

    def exponential(self) -> float:
        """Exponentially distributed with mean 1.

        Uses only comparisons (von Neumann, 1951), because a logarithm may differ in its last digit
        between machines.
        """
        whole = 0
        while True:
            first = last = self.uniform()
            falling = 1
            while (following := self.uniform()) < last:
                last = following
                falling += 1
            if falling % 2:
                return whole + first
            whole += 1


MOST_FAULTS = 200
"""The largest number of faults in a plan, whatever the rates; the earliest are kept."""

_SLOW_MS = (200, 1_000, 5_000)
_ISOLATED_FROM: tuple[Literal["controller", "brokers", "all"], ...] = (
    "controller",
    "brokers",
    "all",
)


class Fault(Struct, frozen=True, kw_only=True):
    """One fault: its start, its duration and its target brokers."""

    number: int
    """Its index among the faults of the run, in order of their start."""
    kind: FaultKind
    at_ms: int
    duration_ms: int
    brokers: tuple[BrokerId, ...]
    """One broker, all brokers of a rack, or empty for the controller."""
    choice: int
    """Random numbers for the details of the kind: how slow, isolated from whom, which link."""

    @property
    def slow_ms(self) -> int:
        """For `slow`: the additional delay of the broker's messages, in ms."""
        return _SLOW_MS[self.choice % len(_SLOW_MS)]

    @property
    def isolated_from(self) -> Literal["controller", "brokers", "all"]:
        """For `isolate`: the endpoints that the broker is cut off from."""
        return _ISOLATED_FROM[self.choice % len(_ISOLATED_FROM)]


class PlannedAction(Struct, frozen=True, order=True):
    """A planned entry with its time. Ties are broken by rank, then by number: ends come before
    starts, and clients' requests before faults.
    """

    at_ms: int
    rank: int
    number: int
    what: Literal["end", "produce", "consume", "begin"]


class Plan(Struct, frozen=True, kw_only=True):
    """All planned entries in order, with the faults that `number` refers to."""

    planned: tuple[PlannedAction, ...]
    faults: tuple[Fault, ...]
    horizon_ms: int
    latency_seed: int

    def with_only(self, numbers: frozenset[int], *, since: int, until_ms: int) -> "Plan":
        """The plan in which only these faults follow a position, and which ends at a given time.

        The additional records before removed faults are kept.
        """
        later = (
            each
            for each in self.planned[since:]
            if each.at_ms <= until_ms
            and (each.what not in ("begin", "end") or each.number in numbers)
        )
        planned = (*self.planned[:since], *later)
        return replace(self, planned=planned, horizon_ms=min(self.horizon_ms, until_ms))


def draw_plan(cell: Cell, key: RunKey) -> Plan:
    """Draw the plan of one run. It depends only on the key and the cell."""
    if cell.paired:
        key = RunKey(campaign=key.campaign, cell=EVERY_CELL, run=key.run)
    workload = cell.workload
    horizon_ms = workload.steps * workload.step_ms
    faults = _draw_faults(cell, key, horizon_ms)
    planned = [*_records(cell, key), *_in_flight(workload.in_flight_ms, key, faults), *_reads(cell)]
    for fault in faults:
        planned.append(PlannedAction(fault.at_ms, 3, fault.number, "begin"))
        if FAULT_TYPES[fault.kind].duration_ms and fault.at_ms + fault.duration_ms < horizon_ms:
            planned.append(PlannedAction(fault.at_ms + fault.duration_ms, 0, fault.number, "end"))
    return Plan(
        planned=tuple(sorted(planned)),
        faults=faults,
        horizon_ms=horizon_ms,
        latency_seed=Stream(key, "latency").below(1_000_000),
    )


def _records(cell: Cell, key: RunKey) -> Iterator[PlannedAction]:
    stream = Stream(key, "records")
    workload = cell.workload
    for number, step in enumerate(range(0, workload.steps, workload.produce_every)):
        at_ms = step * workload.step_ms + stream.below(workload.step_ms)
        yield PlannedAction(at_ms, 1, number, "produce")


def _in_flight(window_ms: int, key: RunKey, faults: tuple[Fault, ...]) -> Iterator[PlannedAction]:
    for fault in faults if window_ms else ():
        # A separate stream, so that the record of one fault does not depend on the other faults.
        before_ms = Stream(key, f"in flight/{fault.kind}/{fault.at_ms}").below(window_ms)
        yield PlannedAction(max(0, fault.at_ms - before_ms), 1, fault.number, "produce")


def _reads(cell: Cell) -> Iterator[PlannedAction]:
    workload = cell.workload
    if workload.consume_every:
        every_ms = workload.consume_every * workload.step_ms
        for number in range(workload.steps // workload.consume_every):
            yield PlannedAction((number + 1) * every_ms - 1, 2, number, "consume")


def _draw_faults(cell: Cell, key: RunKey, horizon_ms: int) -> tuple[Fault, ...]:
    drawn: list[Fault] = []
    for kind, rate in cell.faults:
        for name, brokers in _targets_of(cell, kind):
            stream = Stream(key, f"{kind}/{name}")
            if not rate.rate:
                continue
            at_ms = 0.0
            for _ in range(MOST_FAULTS):
                # The same random numbers at every rate: a higher rate has the same faults, earlier.
                at_ms += stream.exponential() / rate.rate * cell.workload.step_ms
                duration_ms = max(1, round(stream.exponential() * rate.duration_ms))
                choice = stream.below(2**32)
                if at_ms >= horizon_ms:
                    break
                drawn.append(
                    Fault(
                        number=0,
                        kind=kind,
                        at_ms=int(at_ms),
                        duration_ms=duration_ms,
                        brokers=brokers,
                        choice=choice,
                    )
                )
    drawn.sort(key=lambda fault: (fault.at_ms, FAULT_KINDS.index(fault.kind), fault.brokers))
    return tuple(replace(fault, number=number) for number, fault in enumerate(drawn[:MOST_FAULTS]))


def _targets_of(cell: Cell, kind: FaultKind) -> Iterator[tuple[str, tuple[BrokerId, ...]]]:
    """Every target of a kind of fault, each with a unique name."""
    brokers = tuple(BrokerId(number + 1) for number in range(cell.replication_factor))
    scope = FAULT_TYPES[kind].scope
    if scope == "cluster":
        yield "cluster", ()
    elif scope == "broker":
        for broker in brokers:
            yield f"broker {broker}", (broker,)
    else:
        racks = min(cell.workload.racks, len(brokers))
        for rack in range(racks):
            yield f"rack {rack}", brokers[rack::racks]

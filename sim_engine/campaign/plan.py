"""What is meant to happen in a run, drawn before it is played: the workload and the faults.

A plan depends on nothing that happens in the run. It is the same under every version, and a fault
can be taken out of it without moving another.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from sim_engine.campaign.fault_kinds import FAULT_KINDS, FAULT_TYPES, FaultKind
from sim_engine.campaign.grid import Cell
from sim_engine.campaign.streams import EVERY_CELL, RunKey, Stream
from sim_engine.identifiers import BrokerId

MOST_FAULTS = 200
"""A plan has no more faults than this, whatever the rates; the earliest are kept."""

_SLOW_MS = (200, 1_000, 5_000)
_ISOLATED_FROM: tuple[Literal["controller", "brokers", "all"], ...] = (
    "controller",
    "brokers",
    "all",
)


class Fault(Struct, frozen=True, kw_only=True):
    """One fault: its start, its duration and its target brokers."""

    number: int
    """Its place among the faults of the run, in the order in which they begin."""
    kind: FaultKind
    at_ms: int
    duration_ms: int
    brokers: tuple[BrokerId, ...]
    """One broker; all of a rack; none for the controller."""
    choice: int
    """What the kind leaves open: how slow, isolated from whom, which link."""

    @property
    def slow_ms(self) -> int:
        """How much longer the broker's messages take, of a `slow`."""
        return _SLOW_MS[self.choice % len(_SLOW_MS)]

    @property
    def isolated_from(self) -> Literal["controller", "brokers", "all"]:
        """Whom the broker is cut off from, of an `isolate`."""
        return _ISOLATED_FROM[self.choice % len(_ISOLATED_FROM)]


class Planned(Struct, frozen=True, order=True):
    """Something at a moment. Ties are broken by rank, then by number: ends come before beginnings,
    and what clients do before faults."""

    at_ms: int
    rank: int
    number: int
    what: Literal["end", "produce", "consume", "begin"]


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that is meant to happen, in order, with the faults that `number` refers to."""

    planned: tuple[Planned, ...]
    faults: tuple[Fault, ...]
    horizon_ms: int
    latency_seed: int

    def with_only(self, numbers: frozenset[int], *, since: int, until_ms: int) -> "Plan":
        """The plan whose part from a place on has these faults only, and ends at a moment.

        Records that were in flight for other faults stay.
        """
        later = (
            each
            for each in self.planned[since:]
            if each.at_ms <= until_ms
            and (each.what not in ("begin", "end") or each.number in numbers)
        )
        return Plan(
            planned=(*self.planned[:since], *later),
            faults=self.faults,
            horizon_ms=min(self.horizon_ms, until_ms),
            latency_seed=self.latency_seed,
        )


def draw_plan(cell: Cell, key: RunKey) -> Plan:
    """The plan of one run, from its key alone."""
    if cell.paired:
        key = RunKey(campaign=key.campaign, cell=EVERY_CELL, run=key.run)
    workload = cell.workload
    horizon_ms = workload.steps * workload.step_ms
    faults = _draw_faults(cell, key, horizon_ms)
    planned = [
        *_records(cell, key),
        *_in_flight(workload.in_flight_ms, key, faults),
        *_reads(cell),
    ]
    for fault in faults:
        planned.append(Planned(fault.at_ms, 3, fault.number, "begin"))
        if FAULT_TYPES[fault.kind].duration_ms and fault.at_ms + fault.duration_ms < horizon_ms:
            planned.append(Planned(fault.at_ms + fault.duration_ms, 0, fault.number, "end"))
    return Plan(
        planned=tuple(sorted(planned)),
        faults=faults,
        horizon_ms=horizon_ms,
        latency_seed=Stream(key, "latency").below(1_000_000),
    )


def _records(cell: Cell, key: RunKey) -> Iterator[Planned]:
    stream = Stream(key, "records")
    workload = cell.workload
    for number, step in enumerate(range(0, workload.steps, workload.produce_every)):
        at_ms = step * workload.step_ms + stream.below(workload.step_ms)
        yield Planned(at_ms, 1, number, "produce")


def _in_flight(window_ms: int, key: RunKey, faults: tuple[Fault, ...]) -> Iterator[Planned]:
    for fault in faults if window_ms else ():
        # Its own stream: the record of one fault does not depend on which others there are.
        before_ms = Stream(key, f"in flight/{fault.kind}/{fault.at_ms}").below(window_ms)
        yield Planned(max(0, fault.at_ms - before_ms), 1, fault.number, "produce")


def _reads(cell: Cell) -> Iterator[Planned]:
    workload = cell.workload
    if workload.consume_every:
        every_ms = workload.consume_every * workload.step_ms
        for number in range(workload.steps // workload.consume_every):
            yield Planned((number + 1) * every_ms - 1, 2, number, "consume")


def _draw_faults(cell: Cell, key: RunKey, horizon_ms: int) -> tuple[Fault, ...]:
    drawn: list[Fault] = []
    for kind, rate in cell.faults:
        for name, brokers in _befallen(cell, kind):
            stream = Stream(key, f"{kind}/{name}")
            if not rate.rate:
                continue
            at_ms = 0.0
            for _ in range(MOST_FAULTS):
                # The same numbers at every rate: a higher one has the same faults, sooner.
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
    return tuple(
        Fault(
            number=number,
            kind=fault.kind,
            at_ms=fault.at_ms,
            duration_ms=fault.duration_ms,
            brokers=fault.brokers,
            choice=fault.choice,
        )
        for number, fault in enumerate(drawn[:MOST_FAULTS])
    )


def _befallen(cell: Cell, kind: FaultKind) -> Iterator[tuple[str, tuple[BrokerId, ...]]]:
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

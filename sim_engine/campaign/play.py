"""Draws the plan of a run, its workload and its faults, and plays it.

A plan is drawn before the run and does not depend on anything that happens in it. It is the same
under every version, and removing a fault does not move the others.

Its random numbers come from streams, each a hash that is keyed by its purpose: BLAKE2b in counter
mode under a key of campaign, cell, run and purpose. A run therefore has the same numbers wherever
and however often it is played, and streams for different purposes are independent. Numbers that all
cells share (`EVERY_CELL`) make their runs comparable one by one: run 7 meets the same faults at the
same times under every version.

The player performs each entry if it is possible, and advances time in between. A fault begins and
ends with steps that depend on the state of the cluster. The player does not take part in the
protocol. In addition to the plan it acts as clients and operators do: a producer retries failed
requests, and a process that ended by itself is restarted. The steps that it took form a scenario
that creates the same frames.
"""

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Literal, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.campaign.grid import FAULT_KINDS, FAULT_TYPES, PARTITION, Cell, FaultKind
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    BrokerId,
    Endpoint,
    FrameNumber,
    Offset,
)
from sim_engine.narration import RefusedError
from sim_engine.simulation.performing.messages import waiting_records
from sim_engine.simulation.performing.producers import may_retry
from sim_engine.simulation.step_execution import ExecutedAction, LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step

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


def beginning(
    fault: Fault, cluster: ClusterState, *, latency_ms: int, written_back: Set[str]
) -> Iterator[steps.Happening]:
    """The steps with which a fault begins, one for each of its brokers.

    `latency_ms` is the delay that the run adds to every broker's messages. `written_back` are the
    values of the records that the operating system has written to disk: a power loss keeps them
    even if Kafka has not flushed them.
    """
    step = FAULT_TYPES[fault.kind].step
    if step is steps.FailController:
        yield steps.FailController()
    for broker in fault.brokers:
        if step is steps.Isolate:
            yield steps.Isolate(broker=broker, from_=fault.isolated_from)
        elif step is steps.Cut:
            sender, receiver = _link(fault, cluster)
            yield steps.Cut(from_=sender, to=receiver)
        elif step is steps.Slow:
            yield steps.Slow(broker=broker, ms=latency_ms + fault.slow_ms)
        elif step is steps.Hold:
            yield steps.Hold(kind=METADATA_RECORD, from_=CONTROLLER, to=broker)
        elif step is steps.PowerLoss:
            yield _power_loss(broker, cluster, written_back)
        else:
            yield cast("steps.Happening", step(broker=broker))


def ending(fault: Fault, cluster: ClusterState, *, latency_ms: int) -> Iterator[steps.Happening]:
    """The steps with which a fault ends; none for an outage, whose brokers are restarted, and for
    a fault without a duration.

    `latency_ms` is the delay that the run adds to every broker's messages.
    """
    step = FAULT_TYPES[fault.kind].step
    for broker in fault.brokers:
        if step is steps.Pause:
            yield steps.Resume(broker=broker)
        elif step is steps.Isolate:
            yield steps.Heal(broker=broker)
        elif step is steps.Cut:
            sender, receiver = _link(fault, cluster)
            yield steps.Heal(from_=sender, to=receiver)
        elif step is steps.Slow:
            yield steps.Slow(broker=broker, ms=latency_ms)
        elif step is steps.Hold:
            yield from _late_delivery(broker, cluster)


def _link(fault: Fault, cluster: ClusterState) -> tuple[Endpoint, Endpoint]:
    """A random direction of a link between the broker and another broker or the controller."""
    broker = fault.brokers[0]
    others: list[Endpoint] = [
        other.broker_id for other in cluster.brokers if other.broker_id != broker
    ]
    others.append(CONTROLLER)
    other = others[(fault.choice >> 1) % len(others)]
    return (broker, other) if fault.choice & 1 else (other, broker)


def _power_loss(
    broker_id: BrokerId, cluster: ClusterState, written_back: Set[str]
) -> steps.PowerLoss:
    replica = cluster.replica(broker_id, PARTITION)
    kept = replica.flushed
    for record in replica.log.records:
        if record.value not in written_back:
            break
        kept = max(kept, Offset(record.offset + 1))
    return steps.PowerLoss(broker=broker_id, keep={PARTITION: kept})


def _late_delivery(broker: BrokerId, cluster: ClusterState) -> Iterator[steps.Happening]:
    """The broker catches up in one delivery, so it may never apply the states in between."""
    waiting = len(waiting_records(cluster, broker))
    if waiting > 1:
        yield steps.Deliver(kind=METADATA_RECORD, from_=CONTROLLER, to=broker, records=waiting)
    yield steps.Release(kind=METADATA_RECORD, from_=CONTROLLER, to=broker)


MOST_FRAMES = 6_000
"""The maximum number of frames of a run. A longer run is censored: only the frames up to this one
count.
"""

PRODUCER = "p1"
CONSUMER = "c1"
_ROUNDS_OF_REPAIR = 3

Watch = Callable[[ExecutedAction], None]
"""Called with each new frame."""


class Player:
    """A run in progress: `cluster` is its current state, and `steps` are the steps taken.

    `returns` are the brokers that are down at the start and come back before the end, each with its
    time in ms since the start.
    """

    def __init__(
        self,
        cell: Cell,
        plan: Plan,
        cluster: ClusterState,
        watch: Watch,
        *,
        returns: Mapping[BrokerId, int] | None = None,
    ) -> None:
        self.cluster = cluster
        self.steps: list[steps.Happening] = []
        self.begun: list[Fault] = []
        """The faults that happened, in order."""
        self.sent = 0
        self.frames = 1
        self.plan = plan
        self.position = 0
        """The index of the next planned entry."""
        self._cell = cell
        self._watch = watch
        self._start_ms = cluster.now_ms
        self._down_until = dict(returns or {})
        self._appended: list[tuple[str, int]] = []
        """The value of each record sent → its time."""
        self._open: dict[int, Fault] = {}

    @property
    def now_ms(self) -> int:
        """The time since the start of the run."""
        return self.cluster.now_ms - self._start_ms

    def play(
        self, enough: Callable[[], bool], before_fault: Callable[[int], None] | None = None
    ) -> None:
        """Play the plan from `position` on, end all remaining faults, and let the cluster settle.

        Stops early when `enough` returns true. `before_fault` is called with the number of each
        fault before time advances to its start. Raises `LimitReachedError` if the run becomes too
        long.
        """
        if self._cell.latency_ms and not self.position:
            for broker in self.cluster.brokers:
                self._try(steps.Slow(broker=broker.broker_id, ms=self._cell.latency_ms))
        while self.position < len(self.plan.planned):
            if enough():
                return
            planned = self.plan.planned[self.position]
            if planned.what == "begin" and before_fault is not None:
                before_fault(planned.number)
            self._pass(planned.at_ms)
            if enough():
                return
            self.position += 1
            self._do(planned)
        self._pass(self.plan.horizon_ms)
        if not enough():
            self._repair(enough)

    def branch(self, plan: Plan, watch: Watch) -> "Player":
        """A player that continues from here with a different plan, which must be the same up to
        this position.
        """
        other = copy.copy(self)
        other.plan = plan
        other.steps = [*self.steps]
        other.begun = [*self.begun]
        other._watch = watch
        other._down_until = {**self._down_until}
        other._appended = [*self._appended]
        other._open = {**self._open}
        return other

    # --- the plan --------------------------------------------------------------------------

    def _pass(self, until_ms: int) -> None:
        """Advance time, and restart processes that ended by themselves."""
        while True:
            self._expect_restarts()
            due_ms = min(self._down_until.values(), default=until_ms)
            if due_ms > until_ms:
                due_ms = until_ms
            if due_ms > self.now_ms:
                passed = self._try(steps.Run(ms=due_ms - self.now_ms))
                assert passed, "time can always advance"
            restarted = self._restart()
            if not restarted and self.now_ms >= until_ms:
                return

    def _expect_restarts(self) -> None:
        for broker in self.cluster.brokers:
            ended_itself = broker.process == "failed"
            if ended_itself and broker.broker_id not in self._down_until:
                back_ms = self.now_ms + self._cell.workload.operator_ms
                self._down_until[broker.broker_id] = back_ms

    def _restart(self) -> bool:
        """Start every broker whose outage is over. Returns whether there was one."""
        over = [broker for broker, back_ms in self._down_until.items() if back_ms <= self.now_ms]
        for broker in sorted(over):
            del self._down_until[broker]
            self._start(broker)
        return bool(over)

    def _start(self, broker_id: BrokerId) -> None:
        broker = self.cluster.broker(broker_id)
        if broker.process == "shutting_down":
            # The process hangs in its controlled shutdown, so the supervisor kills it first.
            self._try(steps.Crash(broker=broker_id))
        if not self.cluster.broker(broker_id).alive:
            self._try(steps.Start(broker=broker_id))

    def _do(self, planned: PlannedAction) -> None:
        if planned.what == "produce":
            self._produce()
        elif planned.what == "consume":
            self._try(steps.Consume(partition=PARTITION, as_=CONSUMER))
        elif planned.what == "begin":
            self._begin(self.plan.faults[planned.number])
        elif planned.number in self._open:
            self._end(self._open.pop(planned.number))

    def _produce(self) -> None:
        if self._cell.acks != 0 and self._has_failed():
            self._try(steps.Retry(as_=PRODUCER))
        self.sent += 1
        value = f"m{self.sent}"
        self._appended.append((value, self.now_ms))
        self._try(steps.Produce(to=PARTITION, values=(value,), acks=self._cell.acks, as_=PRODUCER))

    def _has_failed(self) -> bool:
        """Whether the producer's oldest open request has failed. A waiting request is
        not retried.
        """
        client = self.cluster.clients.find(PRODUCER)
        if client is None:
            return False
        for produced in self.cluster.clients.produced:
            if may_retry(client, produced):
                return produced.outcome in ("failed", "no_answer")
        return False

    # --- faults ----------------------------------------------------------------------------

    def _begin(self, fault: Fault) -> None:
        first_steps = beginning(
            fault, self.cluster, latency_ms=self._cell.latency_ms, written_back=self._written_back()
        )
        happened = [self._try(step) for step in first_steps]
        if not any(happened):
            return
        self.begun.append(fault)
        if FAULT_TYPES[fault.kind].is_outage:
            for broker in fault.brokers:
                back_ms = fault.at_ms + fault.duration_ms
                self._down_until[broker] = max(self._down_until.get(broker, 0), back_ms)
        else:
            self._open[fault.number] = fault

    def _written_back(self) -> set[str]:
        """The records older than the operating system's write-back interval, by their values."""
        written_ms = self.now_ms - self._cell.workload.writeback_ms
        return {value for value, sent_ms in self._appended if sent_ms <= written_ms}

    def _end(self, fault: Fault) -> None:
        for step in ending(fault, self.cluster, latency_ms=self._cell.latency_ms):
            self._try(step)

    def _repair(self, enough: Callable[[], bool]) -> None:
        """End the remaining faults and settle, until every process is running."""
        for number in sorted(self._open):
            self._end(self._open.pop(number))
        for _ in range(_ROUNDS_OF_REPAIR):
            self._down_until.clear()
            for broker in self.cluster.brokers:
                self._start(broker.broker_id)
            self._try(steps.Settle())
            if enough() or all(broker.alive for broker in self.cluster.brokers):
                return

    # --- doing -----------------------------------------------------------------------------

    def _try(self, step: steps.Happening) -> bool:
        """Perform a step and record it. Returns whether it was possible."""
        execution = StepExecution(self.cluster, FrameNumber(self.frames), MOST_FRAMES - self.frames)
        try:
            execute_step(execution, step)
        except RefusedError:
            return False
        except LimitReachedError:
            self._take(execution)
            raise
        self._take(execution)
        self.steps.append(step)
        return True

    def _take(self, execution: StepExecution) -> None:
        for executed in execution.executed:
            self._watch(executed)
        if execution.executed:
            self.cluster = execution.cluster
            self.frames += len(execution.executed)

"""A plan is played: what is meant to happen does, unless it cannot, and time passes in between.

The player takes no part in the protocol. Besides the plan it does what a client and an operator
would: a producer retries what failed, and a process that ended by itself is started again. The
steps that it took are a scenario, which makes the same frames.
"""

import copy
from collections.abc import Callable, Iterator

from sim_engine.actions import (
    Consume,
    Crash,
    Cut,
    Deliver,
    FailController,
    Happening,
    Heal,
    Hold,
    Isolate,
    PowerLoss,
    Produce,
    Release,
    Resume,
    Retry,
    Run,
    Settle,
    Slow,
    Start,
)
from sim_engine.campaign.fault_kinds import FAULT_TYPES
from sim_engine.campaign.grid import Cell
from sim_engine.campaign.plan import Fault, Plan, Planned
from sim_engine.campaign.start import PARTITION
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    BrokerId,
    Endpoint,
    FrameNumber,
    Offset,
)
from sim_engine.simulation.performing.late_metadata import waiting_records
from sim_engine.simulation.performing.producers import may_retry
from sim_engine.simulation.play import LimitReachedError, Play, Played
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step

MOST_FRAMES = 6_000
"""A run that makes more frames than this is censored: it counts up to there."""

PRODUCER = "p1"
CONSUMER = "c1"
_ROUNDS_OF_REPAIR = 3

Watch = Callable[[Played], None]
"""Is shown each frame as it is made."""


class Player:
    """One run while it is played: `cluster` is its state, `steps` what was done."""

    def __init__(self, cell: Cell, plan: Plan, cluster: ClusterState, watch: Watch) -> None:
        self.cluster = cluster
        self.steps: list[Happening] = []
        self.begun: list[Fault] = []
        """The faults that happened, in order."""
        self.sent = 0
        self.frames = 1
        self.plan = plan
        self.position = 0
        """Which of the planned things is next."""
        self._cell = cell
        self._watch = watch
        self._start_ms = cluster.now_ms
        self._down_until: dict[BrokerId, int] = {}
        self._appended: list[tuple[str, int]] = []
        """The value of each record sent, and when."""
        self._open: dict[int, Fault] = {}

    @property
    def now_ms(self) -> int:
        """The time since the start of the run."""
        return self.cluster.now_ms - self._start_ms

    def play(
        self, enough: Callable[[], bool], before_fault: Callable[[int], None] | None = None
    ) -> None:
        """Play the plan from `position` on, end every fault that is left, and let it settle.

        Stops early once it is `enough`. `before_fault` is told the number of each fault before the
        time until it begins passes. Raises `LimitReachedError` where the run becomes too long.
        """
        if self._cell.latency_ms and not self.position:
            for broker in self.cluster.brokers:
                self._try(Slow(broker=broker.broker_id, ms=self._cell.latency_ms))
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
        """A player that goes on from here by a plan that is the same up to here."""
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
        """Time passes, with restarts of processes that ended by themselves."""
        while True:
            self._expect_restarts()
            due_ms = min(self._down_until.values(), default=until_ms)
            if due_ms > until_ms:
                due_ms = until_ms
            if due_ms > self.now_ms:
                passed = self._try(Run(ms=due_ms - self.now_ms))
                assert passed, "time passes whatever the state"
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
        """Start every broker whose outage is over; whether there was one."""
        over = [broker for broker, back_ms in self._down_until.items() if back_ms <= self.now_ms]
        for broker in sorted(over):
            del self._down_until[broker]
            self._start(broker)
        return bool(over)

    def _start(self, broker_id: BrokerId) -> None:
        broker = self.cluster.broker(broker_id)
        if broker.process == "shutting_down":
            # It hangs in its own shutdown; the supervisor kills it first.
            self._try(Crash(broker=broker_id))
        if not self.cluster.broker(broker_id).alive:
            self._try(Start(broker=broker_id))

    def _do(self, planned: Planned) -> None:
        if planned.what == "produce":
            self._produce()
        elif planned.what == "consume":
            self._try(Consume(partition=PARTITION, as_=CONSUMER))
        elif planned.what == "begin":
            self._begin(self.plan.faults[planned.number])
        elif planned.number in self._open:
            self._end(self._open.pop(planned.number))

    def _produce(self) -> None:
        if self._cell.acks != 0 and self._has_failed():
            self._try(Retry(as_=PRODUCER))
        self.sent += 1
        value = f"m{self.sent}"
        self._appended.append((value, self.now_ms))
        self._try(Produce(to=PARTITION, values=(value,), acks=self._cell.acks, as_=PRODUCER))

    def _has_failed(self) -> bool:
        """Whether the producer's oldest open request has failed: what waits is not sent again."""
        client = self.cluster.clients.find(PRODUCER)
        if client is None:
            return False
        for produced in self.cluster.clients.produced:
            if may_retry(client, produced):
                return produced.outcome in ("failed", "no_answer")
        return False

    # --- faults ----------------------------------------------------------------------------

    def _begin(self, fault: Fault) -> None:
        happened = [self._try(step) for step in self._beginning(fault)]
        if not any(happened):
            return
        self.begun.append(fault)
        if FAULT_TYPES[fault.kind].is_outage:
            for broker in fault.brokers:
                back_ms = fault.at_ms + fault.duration_ms
                self._down_until[broker] = max(self._down_until.get(broker, 0), back_ms)
        else:
            self._open[fault.number] = fault

    def _beginning(self, fault: Fault) -> Iterator[Happening]:
        simple = FAULT_TYPES[fault.kind].step
        if simple is not None:
            yield simple(broker=fault.brokers[0])
            return
        match fault.kind:
            case "isolate":
                yield Isolate(broker=fault.brokers[0], from_=fault.isolated_from)
            case "cut":
                sender, receiver = self._link(fault)
                yield Cut(from_=sender, to=receiver)
            case "slow":
                ms = self._cell.latency_ms + fault.slow_ms
                yield Slow(broker=fault.brokers[0], ms=ms)
            case "late_metadata":
                yield Hold(kind=METADATA_RECORD, from_=CONTROLLER, to=fault.brokers[0])
            case "fail_controller":
                yield FailController()
            case "power_loss" | "rack_power_loss":
                for broker in fault.brokers:
                    yield self._power_loss(broker)

    def _link(self, fault: Fault) -> tuple[Endpoint, Endpoint]:
        """One direction of a link between the broker and another, or the controller."""
        broker = fault.brokers[0]
        others: list[Endpoint] = [
            other.broker_id for other in self.cluster.brokers if other.broker_id != broker
        ]
        others.append(CONTROLLER)
        other = others[(fault.choice >> 1) % len(others)]
        return (broker, other) if fault.choice & 1 else (other, broker)

    def _power_loss(self, broker_id: BrokerId) -> PowerLoss:
        """What is older than the system's write-back is on disk, flushed by Kafka or not."""
        written_ms = self.now_ms - self._cell.workload.writeback_ms
        old = {value for value, sent_ms in self._appended if sent_ms <= written_ms}
        replica = self.cluster.replica(broker_id, PARTITION)
        kept = replica.flushed
        for record in replica.log.records:
            if record.value not in old:
                break
            kept = max(kept, Offset(record.offset + 1))
        return PowerLoss(broker=broker_id, keep={PARTITION: kept})

    def _end(self, fault: Fault) -> None:
        broker = fault.brokers[0] if fault.brokers else None
        match fault.kind:
            case "pause" if broker is not None:
                self._try(Resume(broker=broker))
            case "isolate" if broker is not None:
                self._try(Heal(broker=broker))
            case "cut":
                sender, receiver = self._link(fault)
                self._try(Heal(from_=sender, to=receiver))
            case "slow" if broker is not None:
                self._try(Slow(broker=broker, ms=self._cell.latency_ms))
            case "late_metadata" if broker is not None:
                waiting = len(waiting_records(self.cluster, broker))
                if waiting > 1:
                    # It catches up in one go, and may never hear of a state in between.
                    self._try(
                        Deliver(kind=METADATA_RECORD, from_=CONTROLLER, to=broker, records=waiting)
                    )
                self._try(Release(kind=METADATA_RECORD, from_=CONTROLLER, to=broker))
            case _:
                return

    def _repair(self, enough: Callable[[], bool]) -> None:
        """End what is left, and settle, until every process runs."""
        for number in sorted(self._open):
            self._end(self._open.pop(number))
        for _ in range(_ROUNDS_OF_REPAIR):
            self._down_until.clear()
            for broker in self.cluster.brokers:
                self._start(broker.broker_id)
            self._try(Settle())
            if enough() or all(broker.alive for broker in self.cluster.brokers):
                return

    # --- doing -----------------------------------------------------------------------------

    def _try(self, step: Happening) -> bool:
        """Do a step and keep it; whether it could happen."""
        play = Play(self.cluster, FrameNumber(self.frames), MOST_FRAMES - self.frames)
        try:
            play_step(play, step)
        except RefusedError:
            return False
        except LimitReachedError:
            self._take(play)
            raise
        self._take(play)
        self.steps.append(step)
        return True

    def _take(self, play: Play) -> None:
        for played in play.played:
            self._watch(played)
        if play.played:
            self.cluster = play.cluster
            self.frames += len(play.played)

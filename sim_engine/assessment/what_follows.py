"""Everything that can follow one failure without a second one, and what it does to acknowledged
records.

The search's states (`exploration/state_space.py`) are exhausted with the moves that are no failure:
the controller detects what has happened, brokers that are down return in any order or never,
leaders propose ISRs, followers fetch and truncate, a broker that was cut off reconnects, and the
controller's periodic checks elect.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import (
    Boot,
    Config,
    Crash,
    DiskLoss,
    Elect,
    FailController,
    Happening,
    Isolate,
    PowerLoss,
    Start,
)
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration import moves
from sim_engine.exploration.alphabet import UNCLEAN
from sim_engine.exploration.moves import Source
from sim_engine.exploration.search import unlimited
from sim_engine.exploration.state_space import StateSpace
from sim_engine.exploration.states import State
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId, Offset, TopicPartition
from sim_engine.invariants.observation import (
    LOG,
    REGISTRATION,
    ROLE,
    Observation,
    PropertyResult,
    holds,
    start_history,
)
from sim_engine.invariants.safety import CheckedProperty
from sim_engine.simulation.performing.controller import (
    broker_session_has_ended,
    may_elect_preferred,
)
from sim_engine.simulation.step_execution import LimitReachedError

MOST_STATES = 20_000
"""After so many states, what follows a failure is undecided."""

_FAILURES = (Crash, PowerLoss, DiskLoss, Isolate, Config, FailController)


class AckedRecord(NamedTuple):
    """A record that a producer takes for safe."""

    offset: Offset
    id: str


class Followed(Struct, frozen=True, gc=False, kw_only=True):
    """What can follow one failure.

    `loss` are the steps after the failure to a state in which a record is lost, null if there is
    none. `survives`: in at least one state in which nothing is pending, no record is lost.
    """

    loss: tuple[Happening, ...] | None
    survives: bool
    leaderless: tuple[Happening, ...] | None
    """The steps to a state without a leader, in which no broker has returned; null if there is
    none.
    """
    refuses: tuple[Happening, ...] | None
    """The steps to a state whose leader has an ISR below min.insync.replicas, in which no broker
    has returned; null if there is none.
    """
    settled: tuple[Happening, ...]
    """The steps to a state in which nothing is pending and no broker has returned."""
    is_cut: bool
    """Whether `MOST_STATES` was reached."""
    states: int


class Aftermath:
    """The states that can follow failures of one cluster with one partition.

    A record counts as lost if no replica, up or down, has it any more, or if the controller's
    leader leads without it: whoever returns truncates to that leader.
    """

    def __init__(self, start: ClusterState, acked: Sequence[AckedRecord]) -> None:
        (self._name,) = start.partitions
        self._start = start
        kept = CheckedProperty("AckedRecordsKept", _keeps(acked), LOG | REGISTRATION | ROLE)
        budget = {name_of(kind): 1 for kind in _FAILURES} | {UNCLEAN: 1}
        whole, nothing = unlimited(budget), unlimited({})
        self._space = StateSpace(start, start_history(start), kept, left=whole, composed=True)
        self._before = self._space.needs_of(whole)
        self._after = self._space.needs_of(nothing)
        brokers = tuple(broker.broker_id for broker in start.brokers)
        self._pending = tuple(_pending_sources(start, brokers))
        self._others = tuple(_other_sources(start, brokers, self._name))
        least = start.settings_of(self._name).effective_min_insync_replicas
        self._least = least

    def follow(self, failure: Sequence[Happening]) -> Followed | None:
        """What can follow a failure, which may be none; None if the engine refuses it."""
        struck = self._struck(failure)
        return None if struck is None else self._explore(*struck)

    def _struck(self, failure: Sequence[Happening]) -> tuple[State, bool] | None:
        state, lost = self._space.start, False
        for step in failure:
            after = self._space.play(state, step, self._before)
            if after is None:
                return None
            lost = lost or self._loses(state, after)
            state = after[-1] if after else state
        return self._space.within(state, self._after), lost

    def _explore(self, start: State, lost: bool) -> Followed:
        paths: list[tuple[int, Happening | None]] = [(-1, None)]
        loss = 0 if lost else None
        survives, leaderless, refuses, settled = False, None, None, None
        self._is_cut = False
        seen = {start}
        # First without the return of a broker, then with everything.
        settling = [] if lost else [(start, 0)]
        for state, path in settling:
            pending = self._offered(state, "pending", self._pending)
            if not pending:
                survives = True
                settled = path if settled is None else settled
                if self._leader_is_gone(state):
                    leaderless = path if leaderless is None else leaderless
                elif refuses is None and self._refuses(state):
                    refuses = path
            loss = self._take(state, path, pending, seen, paths, settling, loss)
        waiting: list[tuple[State, int]] = []
        for state, path in settling:
            others = self._offered(state, "others", self._others)
            loss = self._take(state, path, others, seen, paths, waiting, loss)
        for state, path in waiting:
            if loss is not None and survives:
                break
            pending = self._offered(state, "pending", self._pending)
            survives = survives or not pending
            steps = (*pending, *self._offered(state, "others", self._others))
            loss = self._take(state, path, steps, seen, paths, waiting, loss)

        def steps_to(number: int | None) -> tuple[Happening, ...] | None:
            return None if number is None else tuple(_steps(paths, number))

        return Followed(
            loss=steps_to(loss),
            survives=survives,
            leaderless=steps_to(leaderless),
            refuses=steps_to(refuses),
            settled=steps_to(settled) or (),
            is_cut=self._is_cut,
            states=len(seen),
        )

    def _take(
        self,
        state: State,
        path: int,
        steps: Sequence[Happening],
        seen: set[State],
        paths: list[tuple[int, Happening | None]],
        waiting: list[tuple[State, int]],
        loss: int | None,
    ) -> int | None:
        """Take steps from a state; those that lead to new states are added to `paths`, the states
        to `waiting`. Returns the path to the first loss so far.
        """
        for step in steps:
            try:
                after = self._space.play(state, step, self._after)
            except LimitReachedError:
                self._is_cut = True
                continue
            if not after:
                continue
            if self._loses(state, after):
                if loss is None:
                    paths.append((path, step))
                    loss = len(paths) - 1
            elif after[-1] not in seen:
                if len(seen) >= MOST_STATES:
                    self._is_cut = True
                    return loss
                seen.add(after[-1])
                paths.append((path, step))
                waiting.append((after[-1], len(paths) - 1))
        return loss

    def _loses(self, before: State, after: Iterable[State]) -> bool:
        for state in after:
            if isinstance(self._space.judge(before, state), dict):
                return True
            before = state
        return False

    def _offered(
        self, state: State, about: str, sources: Sequence[Source]
    ) -> tuple[Happening, ...]:
        def ask(cluster: ClusterState) -> tuple[Happening, ...]:
            return tuple(
                step for source in sources for move in source.moves(cluster) for step in move.steps
            )

        answer = self._space.ask(state, about, ask)
        assert isinstance(answer, tuple)
        return answer

    def _leader_is_gone(self, state: State) -> bool:
        cluster = self._space.cluster_of(state)
        leader = cluster.controller.partition(self._name).leader
        return leader == NO_LEADER or not (
            cluster.broker(leader).running and cluster.reaches_controller(leader)
        )

    def _refuses(self, state: State) -> bool:
        cluster = self._space.cluster_of(state)
        return len(cluster.controller.partition(self._name).isr) < self._least


def _steps(paths: Sequence[tuple[int, Happening | None]], number: int) -> Iterator[Happening]:
    steps: list[Happening] = []
    while number > 0:
        number, step = paths[number]
        assert step is not None, "only the start has none"
        steps.append(step)
    yield from reversed(steps)


def _keeps(acked: Sequence[AckedRecord]) -> Callable[[Observation], PropertyResult]:
    def check(observation: Observation) -> PropertyResult:
        for partition in observation.partitions:
            leader = partition.leader
            for record in acked:
                if leader is not None:
                    if not holds(leader.replica.log, record.offset, record.id):
                        return {}
                elif not any(
                    holds(host.replica.log, record.offset, record.id) for host in partition.hosts
                ):
                    return {}
        return "holds"

    return check


def _pending_sources(start: ClusterState, brokers: Sequence[BrokerId]) -> Iterator[Source]:
    """What happens by itself, sooner or later."""
    yield Source(moves.isr_proposals)
    for broker_id in brokers:
        yield Source(moves.detections, (broker_id, True))
    (settings,) = (settings for _, settings in start.settings)
    if start.profile.rules.unclean_election_by_setting and settings.unclean_leader_election_enable:
        yield Source(moves.unclean_leader_checks)
        for broker_id in brokers:
            # What a periodic check has decided; all other steps deliver it themselves.
            yield Source(moves.deliveries, (CONTROLLER, broker_id, False))


def _other_sources(
    start: ClusterState, brokers: Sequence[BrokerId], name: TopicPartition
) -> Iterator[Source]:
    """What may happen or not: a broker returns or reconnects, a follower fetches, the controller
    elects a preferred leader. Before KIP-380 a controller may miss that a broker was down, and the
    broker then keeps its place in the ISR.

    A record is lost only if a replica without it is elected. Without a further failure that can be
    the preferred replica, so only its fetches matter: before KAFKA-7415 and KAFKA-7128 (2.0.1) it
    may truncate too much, or join the ISR too early. From then on, a follower ends with the log of
    its leader, and joins only with everything that was committed.
    """
    rules = start.profile.rules
    overlooks = start.controller_kind.overlooks_restarts(rules)
    preferred = start.controller.partition(name).preferred_leader
    for broker_id in brokers:
        yield Source(moves.starts, (broker_id, Start))
        if overlooks:
            yield Source(_overlooked_starts, (broker_id,))
        yield Source(moves.heals, (broker_id,))
    if not (rules.assign_epoch_at_leader and rules.join_needs_epoch_start):
        yield Source(moves.fetch_rounds, (preferred, name, False))
        yield Source(moves.exchanges_under_way, (preferred, name))
    if effective(start).get("auto.leader.rebalance.enable"):
        yield Source(_preferred_elections, (name,))


def _overlooked_starts(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Boot]:
    """Start a broker before the controller has noticed that it was down."""
    if not cluster.broker(broker_id).alive and broker_session_has_ended(cluster, broker_id):
        yield Boot(broker=broker_id)


def _preferred_elections(cluster: ClusterState, name: TopicPartition) -> Iterator[Elect]:
    """The controller's leader rebalance, with what it sends to the brokers."""
    if may_elect_preferred(cluster):
        yield Elect(partition=name, kind="preferred")

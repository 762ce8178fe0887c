"""Breadth-first search over the steps that a user could take, within a budget of faults.

The search is another driver of the engine: it chooses among the possible moves, and checks one
property in every state that they lead to (`state_space.py`). The first violation found is one of
the shortest, counted in moves of the chosen grain. The result states how much was searched: the
depth and the number of states, which limit ended the search, and whether the property was exercised
at all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import ge
from typing import Literal, NamedTuple, cast

from msgspec import Struct, field
from msgspec.structs import replace

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Advance, Deliver, Drop, Happening, SendFetch
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    GRAINS,
    LATE,
    Grain,
    whole_budget,
)
from sim_engine.exploration.checkpoint import (
    CheckpointError,
    Checkpoints,
    Keeping,
    Kept,
    LeftOut,
    NewState,
    Position,
    question_of,
)
from sim_engine.exploration.moves import Move
from sim_engine.exploration.relevance import confirmed_steps
from sim_engine.exploration.scope import SearchScope, scope_of
from sim_engine.exploration.state_space import StateSpace, offering
from sim_engine.exploration.states import State
from sim_engine.exploration.targets import (
    NEVER_ENDS,
    Ending,
    KnownEndings,
    continuation_after,
    is_pending,
    search_target,
    sought_property,
)
from sim_engine.identifiers import Acks, BrokerId, TopicPartition
from sim_engine.invariants.observation import PropertyResult, ViolationEvidence
from sim_engine.invariants.safety import LIVENESS_BY_NAME
from sim_engine.simulation.fetch_rounds import delivery_of, is_parked, long_poll, request_under_way
from sim_engine.simulation.performing.messages import why_undeliverable
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Frame

_LOOK_AT_THE_CLOCK_EVERY = 64

SearchOutcome = Literal["violated", "none_within_bound", "not_exercised", "cut"]
"""`none_within_bound`: the property held in every state that was examined. `not_exercised`: no such
state could have violated it, so nothing was checked. `cut`: a limit other than the depth ended the
search.
"""

SearchLimit = Literal[
    "depth", "states", "cpu_seconds", "actions", "unconfirmed", "undecided", "interrupt"
]
"""What ended a search, or left out a part of it: a limit of `SearchOptions`, a step with more than
`MOST_FRAMES_A_STEP` actions, or the user. `unconfirmed`: the search has computed a violation that
a run does not come to, which is a bug in the search. It has continued without it. `undecided`: the
fair continuation of a state neither ends nor recurs soon, or does so only in some orders.
"""

SearchWatch = Callable[[int, int, int], None]
"""Called with the current depth, and the number of states and transitions so far."""


class SearchOptions(Struct, frozen=True, kw_only=True):
    """The property to search for, and the bounds.

    `seconds` limits the search only if a clock is given; otherwise only depth and states limit it.
    It is processor time: callers pass `time.process_time`, so that the same search has the same
    result on a busy machine.
    """

    property: str
    grain: Grain = "step"
    max_depth: int = 12
    max_states: int = 200_000
    budget: Mapping[str, int] = field(default_factory=lambda: DEFAULT_BUDGET)
    seconds: float | None = None
    acks: Acks = "all"
    """The acks of the records that the search sends."""


class SearchResult(Struct, frozen=True, kw_only=True):
    """The result of a search.

    `complete` means that every state was examined that the steps of the scope can reach within the
    budget, at any depth. It says nothing about what the scope leaves out. `limit` is what prevented
    that; null for a complete search and for a violation. `exercised` is false if no state could
    have violated the property, from the start of the run to the last one examined. `steps` is the
    counterexample, in the syntax of scenario files; empty if none was found. For a liveness
    property, its last `continuation` steps are the fair continuation, and `ending` how that ends.
    """

    verdict: SearchOutcome
    complete: bool
    limit: SearchLimit | None
    exercised: bool
    depth: int
    states: int
    transitions: int
    scope: SearchScope
    steps: tuple[dict[str, object], ...] = ()
    continuation: int = 0
    ending: Ending | None = None


def search(
    start: Frame,
    options: SearchOptions,
    clock: Callable[[], float] | None = None,
    watch: SearchWatch | None = None,
    checkpoints: Checkpoints | None = None,
) -> SearchResult:
    """Search for a path from a frame to a violation of a property.

    `watch` is called at intervals with the progress and must return quickly. `KeyboardInterrupt`
    ends the search with the result so far. With `checkpoints`, it goes on where the last search
    with this question ended, and keeps how far it is; the result is that of one search without an
    interruption. Its limits of depth and of states include what was searched before; its limit of
    processor time does not.

    Raises `ValueError` for an unknown property, grain or name in the budget, and `CheckpointError`
    for checkpoints of a different search.
    """
    sought_property(options.property, options.acks)
    if options.grain not in GRAINS:
        raise ValueError(f"there is no grain '{options.grain}'; grains are {', '.join(GRAINS)}")
    for kind in options.budget:
        if kind not in BUDGET_NAMES:
            raise ValueError(
                f"there is no fault '{kind}'; a budget may name {', '.join(BUDGET_NAMES)}"
            )
    scope = scope_of(start.cluster, options.grain, options.budget, options.acks)
    running = Search(start, options, scope, clock, watch)
    try:
        if checkpoints is not None:
            running.keep_in(checkpoints)
        result = running.run()
    except KeyboardInterrupt:
        result = running.cut("interrupt")
    running.keep()
    return result


def unlimited(budget: Mapping[str, int]) -> tuple[int, ...]:
    """A budget in which what has no limit is `UNLIMITED`."""
    return tuple(UNLIMITED if left is None else left for left in whole_budget(budget))


def space_of(start: Frame, options: SearchOptions) -> StateSpace:
    """The states of a search."""
    return StateSpace(
        start.cluster,
        start.history,
        sought_property(options.property, options.acks),
        left=unlimited(options.budget),
        timed=bool(options.budget.get(name_of(Advance))),
        # A fair continuation starts brokers by whole steps.
        composed=options.grain == "step" or options.property in LIVENESS_BY_NAME,
        continued=options.property in LIVENESS_BY_NAME,
    )


_Path = tuple[Happening, ...]
"""The steps of a move as they were taken."""
UNLIMITED = 1 << 30
_Left = tuple[int, ...]
"""A budget in which what has no limit is `UNLIMITED`."""


def is_covered(known: Iterable[_Left], left: _Left) -> bool:
    """Whether a state that was reached with these budgets was reached with at least as much of
    every entry of another one.
    """
    return any(all(map(ge, before, left)) for before in known)


_Taken = tuple[State, _Left, int]
"""A state, what is left of the budget in it, and its number."""


class _Reached(NamedTuple):
    """One way in which a move ends: the states after its actions, the steps, what is left."""

    states: tuple[State, ...]
    steps: _Path
    left: _Left


class Search:
    """Level by level: every state that is reached with so many moves, before those with more.

    A state that was reached before, and then with at least as much of every entry of the budget, is
    not taken again.
    """

    def __init__(
        self,
        start: Frame,
        options: SearchOptions,
        scope: SearchScope,
        clock: Callable[[], float] | None,
        watch: SearchWatch | None,
    ) -> None:
        self._options = options
        self._scope = scope
        self._clock = clock
        self._watch = watch
        self._deadline: float | None = None
        self._start = start
        self._watched = sought_property(options.property, options.acks)
        self._is_sought = search_target(options.property, options.acks)
        self._space = space_of(start, options)
        self._endings = (
            KnownEndings(self._space, start.cluster, self._watched.check)
            if options.property in LIVENESS_BY_NAME
            else None
        )
        self._budget: _Left = unlimited(options.budget)
        self._groups = offering(start.cluster, options.grain, options.acks, self._budget)
        self._seen: dict[State, tuple[_Left, ...]] = {}
        self._paths: list[tuple[int, _Path]] = [(0, ())]
        """For each state that was taken: the number of the one before it, and the steps."""
        self._depth = 0
        self._transitions = 0
        self._turns = 0
        self._exercised = self._is_exercised_at_first()
        self._left_out: LeftOut | None = None
        """Why something was left out within the limits."""
        self._level: list[_Taken] = [(self._space.start, self._budget, 0)]
        self._done = 0
        """From how many states of the level everything was tried."""
        self._following: list[_Taken] = []
        self._kept: Kept | None = None
        self._keeping: Keeping | None = None
        self._position: Position | None = None
        self._new: list[NewState] = []
        """Those that are not kept yet."""

    def keep_in(self, checkpoints: Checkpoints) -> None:
        """Go on after the last checkpoint if there is one, and keep more of them. Raises
        `CheckpointError`.
        """
        options = self._options
        question = question_of(
            self._start,
            property_name=options.property,
            grain=options.grain,
            budget=options.budget,
            acks=options.acks,
        )
        progress = checkpoints.kept(question, self._space.type_at)
        if progress:
            self._kept = Kept(progress, self._space)
            reached = self._kept.position
            if reached.depth > options.max_depth or reached.states > options.max_states:
                raise CheckpointError(
                    f"it has reached {reached.depth} steps and {reached.states} states, so the"
                    " limits must be at least as high"
                )
        self._keeping = Keeping(checkpoints, self._space, self._kept)

    def keep(self) -> None:
        """Keep how far the search is."""
        if self._keeping is not None and self._position is not None:
            self._keeping.keep(self._position, self._new)

    def run(self) -> SearchResult:
        """Search until something is found, nothing is left, or a limit is reached."""
        if self._is_sought(self._start.verdicts, self._start.cluster):
            return self._violated(())
        self._seen[self._space.start] = (self._budget,)
        if self._kept is not None:
            self._restore(self._kept)
            self._kept = None
        if self._clock is not None and self._options.seconds is not None:
            self._deadline = self._clock() + self._options.seconds
        for depth in range(max(self._depth, 1), self._options.max_depth + 1):
            self._depth = depth
            while self._done < len(self._level):
                result = self._search_from(*self._level[self._done])
                if result is not None:
                    return result
                self._done += 1
                if self._keeping is not None:
                    self._position = self._position_now()
                    if self._keeping.is_due():
                        self.keep()
            if not self._following:
                return self._none(self._left_out)
            self._next_level()
        return self._none("depth")

    def _search_from(self, state: State, left: _Left, path: int) -> SearchResult | None:
        """Try everything from a state; the result if that ends the search."""
        for reached in self._moves_from(state, left):
            limit = self._limit_reached()
            if limit is not None:
                return self.cut(limit)
            if self._is_violated(state, reached.states):
                steps = (*self._steps_to(path), *reached.steps)
                confirmed = confirmed_steps(self._start, steps, self._is_sought)
                if confirmed is not None:
                    return self._violated(confirmed)
                self._left_out = "unconfirmed" if self._endings is None else "undecided"
            if self._is_new(reached.states[-1], reached.left):
                new = NewState(reached.states[-1], reached.left, path, reached.steps)
                self._add(new)
                if self._keeping is not None:
                    self._new.append(new)
        return None

    def _add(self, new: NewState) -> None:
        self._following.append((new.state, new.left, len(self._paths)))
        self._paths.append((new.before, new.move))

    def _next_level(self) -> None:
        self._level, self._following, self._done = self._following, [], 0

    # --- checkpoints -------------------------------------------------------------------------

    def _position_now(self) -> Position:
        return Position(
            depth=self._depth,
            done=self._done,
            states=len(self._paths),
            transitions=self._transitions,
            exercised=self._exercised,
            left_out=self._left_out,
        )

    def _restore(self, kept: Kept) -> None:
        """Take what was kept for taken, level by level."""
        position = kept.position
        self._depth = 1
        for new in kept.states():
            while new.before >= self._level[0][2] + len(self._level):
                self._descend()
            if new.before < self._level[0][2]:
                raise CheckpointError("its states do not follow from each other")
            self._seen[new.state] = (*self._seen.get(new.state, ()), new.left)
            self._add(new)
        while self._depth < position.depth:
            self._descend()
        if self._depth != position.depth or not 0 <= position.done <= len(self._level):
            raise CheckpointError("its position is not one of this search")
        self._done = position.done
        self._transitions = position.transitions
        self._exercised = position.exercised
        self._left_out = position.left_out

    def _descend(self) -> None:
        if not self._following:
            raise CheckpointError("its states do not follow from each other")
        self._next_level()
        self._depth += 1

    def _limit_reached(self) -> SearchLimit | None:
        if len(self._paths) >= self._options.max_states:
            return "states"
        self._turns += 1
        if self._turns % _LOOK_AT_THE_CLOCK_EVERY:
            return None
        if self._watch is not None:
            self._watch(self._depth, len(self._paths), self._transitions)
        is_over = (
            self._deadline is not None
            and self._clock is not None
            and self._clock() >= self._deadline
        )
        return "cpu_seconds" if is_over else None

    def _is_new(self, state: State, left: _Left) -> bool:
        known = self._seen.get(state)
        if known is None:
            self._seen[state] = (left,)
            return True
        if is_covered(known, left):
            return False
        self._seen[state] = (*known, left)
        return True

    def _is_violated(self, before: State, states: tuple[State, ...]) -> bool:
        for state in states:
            if state not in self._seen or self._watched.compares or len(states) > 1:
                result = self._space.judge(before, state)
                if self._endings is not None and isinstance(result, dict):
                    result = self._ending_as_result(self._endings.ending(state), result)
                if isinstance(result, dict):
                    return True
                self._exercised = self._exercised or result == "holds"
            before = state
        return False

    def _ending_as_result(self, ending: Ending, pending: ViolationEvidence) -> PropertyResult:
        if ending == "undecided":
            self._left_out = self._left_out or ending
        return pending if ending in NEVER_ENDS else "holds"

    def _moves_from(self, state: State, left: _Left) -> Iterator[_Reached]:
        for group in self._groups:
            for move, index, needs in group.offered(self._space, state):
                if needs is not None and not left[needs]:
                    continue
                if index is None:
                    rest = left
                elif left[index]:
                    rest = (*left[:index], left[index] - 1, *left[index + 1 :])
                else:
                    continue
                played = self._play(state, move, left, rest)
                if played is None:
                    continue
                if self._options.grain == "exchange" and move.budget != LATE:
                    yield from self._whole_exchange(played)
                else:
                    yield played

    def _play(self, state: State, move: Move, left: _Left, rest: _Left) -> _Reached | None:
        """What a move leads to, which leaves `rest` of what was left; None if it is refused or
        exceeds the budget.
        """
        states: tuple[State, ...] = ()
        needs = self._space.needs_of(left)
        for step in move.steps:
            try:
                after = self._space.play(states[-1] if states else state, step, needs)
            except LimitReachedError:
                self._left_out = self._left_out or "actions"
                return None
            if after is None:
                return None
            states += after
        within = self._after_elections(state, states, rest)
        if within is None:
            return None
        if self._space.needs_of(rest) != needs:
            states = (*states[:-1], self._space.within(states[-1], self._space.needs_of(rest)))
        return _Reached(states, move.steps, within)

    def _after_elections(
        self, before: State, states: tuple[State, ...], left: _Left
    ) -> _Left | None:
        for state in states:
            self._transitions += 1
            elections, epochs = self._space.spent(before, state)
            if elections or epochs:
                if elections > left[-2] or epochs > left[-1]:
                    return None
                left = (*left[:-2], *map(_less, left[-2:], (elections, epochs)))
            before = state
        return left

    # --- the grain of exchanges ---------------------------------------------------------------

    def _whole_exchange(self, begun: _Reached) -> Iterator[_Reached]:
        """An exchange to its end, and its other end if the response may be lost; afterwards the
        metadata updates arrive.
        """
        step = begun.steps[-1]
        if isinstance(step, SendFetch) and step.partition is not None:
            question = _Exchange(step.broker, step.partition)
            dropped = BUDGET_NAMES.index(name_of(Drop))
            for _ in range(_MOST_MESSAGES_OF_AN_EXCHANGE):
                following = self._space.ask(begun.states[-1], question, question.following)
                if following is None:
                    break
                is_response = isinstance(following, Deliver) and following.to == step.broker
                if is_response and begun.left[dropped]:
                    left = (*begun.left[:dropped], begun.left[dropped] - 1)
                    left = (*left, *begun.left[dropped + 1 :])
                    lost = self._continued(
                        begun, question.loss_of(cast("Deliver", following)), left
                    )
                    if lost is not None:
                        yield self._with_metadata(lost)
                continued = self._continued(begun, cast("Happening", following), begun.left)
                if continued is None:
                    break
                begun = continued
        yield self._with_metadata(begun)

    def _with_metadata(self, reached: _Reached) -> _Reached:
        while True:
            delivery = self._space.ask(reached.states[-1], "update_metadata", _metadata_update)
            if delivery is None:
                return reached
            continued = self._continued(reached, cast("Happening", delivery), reached.left)
            if continued is None:
                return reached
            reached = continued

    def _continued(self, reached: _Reached, step: Happening, left: _Left) -> _Reached | None:
        after = self._play(reached.states[-1], Move((step,)), left, left)
        if after is None:
            return None
        return _Reached(reached.states + after.states, (*reached.steps, *after.steps), after.left)

    # --- results -----------------------------------------------------------------------------

    def cut(self, limit: SearchLimit) -> SearchResult:
        """Return what was searched before a limit ended the search."""
        return self._result("cut", limit)

    def _none(self, limit: SearchLimit | None) -> SearchResult:
        if self._left_out == "unconfirmed":
            return self.cut("unconfirmed")
        return self._result("none_within_bound" if self._exercised else "not_exercised", limit)

    def _violated(self, steps: tuple[Happening, ...]) -> SearchResult:
        self._exercised = True
        result = self._result("violated", None, steps)
        if self._endings is None:
            return result
        end = continuation_after(self._start.cluster, steps, self._watched.check)
        added = tuple(step.as_step() for step in end.steps)
        return replace(
            result, steps=result.steps + added, continuation=len(added), ending=end.ending
        )

    def _is_exercised_at_first(self) -> bool:
        if self._endings is None:
            return self._start.verdicts[self._options.property].status != "not_exercised"
        return is_pending(self._start.cluster, self._watched.check)

    def _steps_to(self, path: int) -> tuple[Happening, ...]:
        moves: list[_Path] = []
        while path:
            path, steps = self._paths[path]
            moves.append(steps)
        return tuple(step for steps in reversed(moves) for step in steps)

    def _result(
        self, verdict: SearchOutcome, limit: SearchLimit | None, steps: tuple[Happening, ...] = ()
    ) -> SearchResult:
        return SearchResult(
            verdict=verdict,
            complete=verdict != "violated" and limit is None,
            limit=limit,
            exercised=self._exercised,
            depth=self._depth,
            states=len(self._paths),
            transitions=self._transitions,
            scope=self._scope,
            steps=tuple(step.as_step() for step in steps),
        )


def _less(left: int, spent: int) -> int:
    return left if left == UNLIMITED else left - spent


# --- exchanges -------------------------------------------------------------------------------

_MOST_MESSAGES_OF_AN_EXCHANGE = 4


class _Exchange(NamedTuple):
    """What follows in the exchange that one follower has begun for one partition."""

    broker: BrokerId
    partition: TopicPartition

    def following(self, cluster: ClusterState) -> Happening | None:
        """The next step: the request arrives, its wait ends, or the response arrives."""
        replica = cluster.replica(self.broker, self.partition)
        awaited = request_under_way(replica)
        if awaited is None or replica.fetcher is None:
            return None
        for message in cluster.messages:
            if awaited in (message.id, message.in_reply_to):
                refused = why_undeliverable(cluster, message)
                return delivery_of(message) if refused is None else None
        leader = replica.fetcher.leader
        if is_parked(cluster, self.broker, leader, self.partition):
            return long_poll(leader, self.partition, self.broker)
        return None

    def loss_of(self, delivery: Deliver) -> Drop:
        """The loss of a response instead of its delivery."""
        return Drop(
            kind=delivery.kind, from_=delivery.from_, to=delivery.to, partition=delivery.partition
        )


def _metadata_update(cluster: ClusterState) -> Happening | None:
    """The delivery of the next UpdateMetadata that can arrive; None if there is none."""
    for message in cluster.messages:
        if message.kind == "update_metadata" and why_undeliverable(cluster, message) is None:
            return delivery_of(message)
    return None

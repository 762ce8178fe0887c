"""Breadth first over the steps that a person could take, within a budget of faults.

The search is one more driver of the engine's one function: it picks among enabled steps, plays each
on the side, and looks at one property. The first violation found is one of the shortest, counted in
steps of the grain asked for. What it has not looked at it says: the depth and the states that it
reached, whether it was cut short, and whether anything was left to try.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct, field

from sim_engine.actions import Happening
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    GRAINS,
    Budget,
    Grain,
    after_elections,
    steps_from,
    whole_budget,
)
from sim_engine.exploration.sought import Sought, sought
from sim_engine.exploration.state_key import state_key
from sim_engine.identifiers import Acks, FrameNumber
from sim_engine.invariants import History, Verdict, evaluate, observe
from sim_engine.simulation.play import LimitReachedError, Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step
from sim_engine.simulation.timeline import Frame

MOST_FRAMES_A_STEP = 200
_LOOK_AT_THE_CLOCK_EVERY = 64

SearchVerdict = Literal["violated", "none_within_bound", "cut"]
SearchWatch = Callable[[int, int, int], None]
"""Told the depth that is looked at, and how many states and transitions there were so far."""


class SearchOptions(Struct, frozen=True, kw_only=True):
    """What to look for, and how far.

    `seconds` and a clock cut the search by time; without a clock only depth and states bound it.
    """

    property: str
    grain: Grain = "step"
    max_depth: int = 12
    max_states: int = 200_000
    budget: Mapping[str, int] = field(default_factory=lambda: DEFAULT_BUDGET)
    seconds: float | None = None
    acks: Acks = "all"
    """With which acks the records of the search are sent."""


class SearchResult(Struct, frozen=True, kw_only=True):
    """What the search came to.

    `complete` says that nothing was left to try: all that can be reached within the budget was
    looked at, at any depth. `steps` is the counterexample as a scenario file says it; where none
    was found it is empty.
    """

    verdict: SearchVerdict
    complete: bool
    depth: int
    states: int
    transitions: int
    steps: tuple[dict[str, object], ...] = ()


class _Node(Struct, frozen=True):
    cluster: ClusterState
    history: History
    verdicts: tuple[Verdict, ...]
    left: Budget
    steps: tuple[Happening, ...]
    is_violated: bool = False
    """Whether the property that is looked for was violated at its last step, however briefly."""


def search(
    start: Frame,
    options: SearchOptions,
    clock: Callable[[], float] | None = None,
    watch: SearchWatch | None = None,
) -> SearchResult:
    """Look for a way from a frame to a violation of a property.

    `watch` is told now and again how far it has come; it must not take long.
    Raises `ValueError` for a property, a grain or a name in the budget that does not exist.
    """
    is_sought = sought(options.property, options.acks)
    if options.grain not in GRAINS:
        raise ValueError(f"there is no grain '{options.grain}'; grains are {', '.join(GRAINS)}")
    for kind in options.budget:
        if kind not in BUDGET_NAMES:
            raise ValueError(
                f"there is no fault '{kind}'; a budget may name {', '.join(BUDGET_NAMES)}"
            )
    return _Search(options, is_sought, clock, watch).run(start)


class _Search:
    def __init__(
        self,
        options: SearchOptions,
        is_sought: Sought,
        clock: Callable[[], float] | None,
        watch: SearchWatch | None,
    ) -> None:
        self._options = options
        self._is_sought = is_sought
        self._clock = clock
        self._watch = watch
        self._deadline = (
            None if clock is None or options.seconds is None else clock() + options.seconds
        )
        self._seen: set[int] = set()
        self._transitions = 0
        self._turns = 0
        self._left_out = False
        """Whether a step was given up because it has too many actions."""

    def run(self, start: Frame) -> SearchResult:
        root = _Node(
            start.cluster,
            start.history,
            start.verdicts,
            whole_budget(self._options.budget),
            (),
        )
        if self._is_sought(root.verdicts, root.cluster):
            return self._result("violated", 0)
        self._seen.add(_key(root))
        level = [root]
        for depth in range(1, self._options.max_depth + 1):
            following: list[_Node] = []
            for node in level:
                for step, left in steps_from(
                    node.cluster, node.left, self._options.grain, self._options.acks
                ):
                    if self._is_over(depth):
                        return self._result("cut", depth)
                    after = self._play(node, step, left)
                    if after is None:
                        continue
                    if after.is_violated:
                        return self._result("violated", depth, after.steps)
                    key = _key(after)
                    if key not in self._seen:
                        self._seen.add(key)
                        following.append(after)
            if not following:
                return self._result("none_within_bound", depth, complete=not self._left_out)
            level = following
        return self._result("none_within_bound", self._options.max_depth)

    def _is_over(self, depth: int) -> bool:
        if len(self._seen) >= self._options.max_states:
            return True
        self._turns += 1
        if self._turns % _LOOK_AT_THE_CLOCK_EVERY:
            return False
        if self._watch is not None:
            self._watch(depth, len(self._seen), self._transitions)
        return (
            self._deadline is not None
            and self._clock is not None
            and self._clock() >= self._deadline
        )

    def _play(self, node: _Node, step: Happening, left: Budget) -> _Node | None:
        frame = FrameNumber(len(node.steps) + 1)
        play = Play(node.cluster, frame, MOST_FRAMES_A_STEP)
        try:
            play_step(play, step)
        except RefusedError:
            return None
        except LimitReachedError:
            self._left_out = True
            return None
        history, verdicts = node.history, node.verdicts
        before = node.cluster
        is_violated = False
        for played in play.played:
            self._transitions += 1
            after = played.transition.cluster
            within = after_elections(left, before, after)
            if within is None:
                return None
            left = within
            history = observe(history, before, after, frame)
            verdicts = evaluate(history, after, frame, verdicts)
            is_violated = is_violated or self._is_sought(verdicts, after)
            before = after
        return _Node(play.cluster, history, verdicts, left, (*node.steps, step), is_violated)

    def _result(
        self,
        verdict: SearchVerdict,
        depth: int,
        steps: tuple[Happening, ...] = (),
        *,
        complete: bool = False,
    ) -> SearchResult:
        return SearchResult(
            verdict=verdict,
            complete=complete,
            depth=depth,
            states=len(self._seen),
            transitions=self._transitions,
            steps=tuple(step.as_step() for step in steps),
        )


def _key(node: _Node) -> int:
    return hash((state_key(node.cluster), node.left))

"""Searches one after the other: whole steps, then exchanges, then single messages; of each, small
budgets before large ones.

Whole steps need the fewest states. What they exhaust may still fail between two messages, so a
finer grain searches those budgets again. The first failure found ends them all. The page's dialog
does the same with searches of the service (`in-turn.ts`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Crash, Isolate, PowerLoss, Produce
from sim_engine.exploration.alphabet import EPOCH, GRAINS, Grain
from sim_engine.exploration.scope import SearchScope
from sim_engine.exploration.search import SearchLimit, SearchResult
from sim_engine.identifiers import Acks

_CRASH, _POWER_LOSS, _ISOLATE = (name_of(kind) for kind in (Crash, PowerLoss, Isolate))
_PRODUCE = name_of(Produce)


class Question(Struct, frozen=True):
    """What is asked: budgets from small to large, and the acks of the records that are sent."""

    acks: Acks
    budgets: tuple[Mapping[str, int], ...]


QUESTIONS: Mapping[str, Question] = {
    "crashes": Question(
        "all", ({_CRASH: 1}, {_CRASH: 1, _PRODUCE: 1}, {_CRASH: 2}, {_CRASH: 2, _PRODUCE: 1})
    ),
    "power": Question(
        "all",
        (
            {_POWER_LOSS: 1},
            {_POWER_LOSS: 1, _PRODUCE: 1},
            {_CRASH: 1, _POWER_LOSS: 1},
            {_CRASH: 1, _POWER_LOSS: 1, _PRODUCE: 1},
        ),
    ),
    # A leader that does not know that it was deposed has no followers, so it acknowledges nothing
    # with acks=all. Without a limit of epochs, its states never end.
    "zombie": Question(
        1, ({_ISOLATE: 1, _PRODUCE: 1, EPOCH: 1}, {_ISOLATE: 1, _PRODUCE: 2, EPOCH: 2})
    ),
}
"""The presets of the page's search."""


class Phase(Struct, frozen=True):
    """The searches of one grain. `until` is their end, as a share of the processor time."""

    grain: Grain
    until: float


PHASES = (Phase("step", 1 / 2), Phase("exchange", 7 / 8), Phase("message", 1))


class Turn(Struct, frozen=True, kw_only=True):
    """The result of one search, from one or several starts.

    `steps` is the counterexample, from the start with the number `start`. `states` is the sum over
    the starts, and `depth` the greatest. `limit` is what ended the search before its end; null if
    it is complete, and if it found something.
    """

    budget: Mapping[str, int]
    grain: Grain
    is_violated: bool
    is_complete: bool
    is_exercised: bool
    limit: SearchLimit | None
    depth: int
    states: int
    scope: SearchScope
    start: int = 0
    steps: tuple[dict[str, object], ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether everything that it may try was examined, and something could have failed."""
        return self.is_complete and self.is_exercised


SearchFrom = Callable[[int, Grain, Mapping[str, int], float], SearchResult]
"""Searches from a start, by its number, in at most so many seconds of processor time."""


class SearchesInTurn:
    """The searches of one question. All of them have `seconds` together, by the clock, and each
    phase follows the one before it; between two phases, other questions may be searched.
    """

    def __init__(
        self,
        question: Question,
        *,
        starts: int,
        seconds: float,
        clock: Callable[[], float],
        search: SearchFrom,
    ) -> None:
        self._starts = starts
        self._seconds = seconds
        self._clock = clock
        self._search = search
        self._used = 0.0
        self._searched: Sequence[Mapping[str, int]] = question.budgets
        self._idle: set[int] = set()
        """Numbers of records to send with which nothing could be violated; more faults change
        nothing."""
        self.turns: list[Turn] = []
        """The results so far, in their order."""

    @property
    def is_over(self) -> bool:
        """Whether something was found, or the user has ended it."""
        last = self.turns[-1] if self.turns else None
        return last is not None and (last.is_violated or last.limit == "interrupt")

    def of_phase(self, phase: Phase) -> Iterator[Turn]:
        """The results of one grain, in their order."""
        following: list[Mapping[str, int]] = []
        for budget in self._searched:
            left = phase.until * self._seconds - self._used
            records = budget.get(_PRODUCE, 0)
            if self.is_over or left <= 0:
                break
            if records in self._idle:
                continue
            began = self._clock()
            turn = self._from_all(phase.grain, budget, began + left)
            self._used += self._clock() - began
            self.turns.append(turn)
            yield turn
            if turn.is_complete and not turn.is_exercised:
                self._idle.add(records)
            # If nothing is exhausted, a finer grain may still find a failure with the smallest one.
            if turn.is_decided or (not turn.is_complete and not following):
                following.append(budget)
            if not turn.is_complete:
                break
        self._searched = following

    def _from_all(self, grain: Grain, budget: Mapping[str, int], end: float) -> Turn:
        """One search from each start, of which each has an equal part of the time that is left."""
        results: list[SearchResult] = []
        for start in range(self._starts):
            left = max(0.0, end - self._clock()) / (self._starts - start)
            result = self._search(start, grain, budget, left)
            results.append(result)
            if result.verdict == "violated" or result.limit == "interrupt":
                break
        last = results[-1]
        return Turn(
            budget=budget,
            grain=grain,
            is_violated=last.verdict == "violated",
            is_complete=all(one.complete for one in results),
            is_exercised=any(one.exercised for one in results),
            limit=next((one.limit for one in reversed(results) if one.limit is not None), None),
            depth=max(one.depth for one in results),
            states=sum(one.states for one in results),
            scope=last.scope,
            start=len(results) - 1,
            steps=last.steps,
        )


def decided_of(turns: Sequence[Turn]) -> list[Turn]:
    """The turns that decide something which follows from no other, the strongest first: the largest
    budget of whole steps, then finer grains.
    """
    decided = [turn for turn in turns if turn.is_decided]
    return [
        turn
        for turn in decided
        if not any(other is not turn and _implies(other, turn) for other in decided)
    ]


def undecided_of(turns: Sequence[Turn]) -> list[Turn]:
    """The turns that a limit ended."""
    return [turn for turn in turns if not turn.is_complete and not turn.is_violated]


def _implies(one: Turn, other: Turn) -> bool:
    """Whether what one search exhausts includes everything that another one exhausts."""
    return GRAINS.index(one.grain) >= GRAINS.index(other.grain) and all(
        one.budget.get(name, 0) >= count for name, count in other.budget.items()
    )

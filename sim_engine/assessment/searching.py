"""The search of one partition from its printed state: can more than one failure, or a rarer order
of messages, lose an acknowledged record?

Only the brokers of its replicas take part. What the printed state leaves open is searched in each
way, so that a result without a loss is true of all of them.

Each is searched in turn: whole steps, then exchanges, then single messages; of each, small budgets
before large ones. Whole steps need the fewest states. What they exhaust may still fail between two
messages, so a finer grain searches those budgets again. The first failure found ends them all. The
page's dialog does the same with searches of the service (`in-turn.ts`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Crash, Happening, Isolate, PowerLoss, Produce
from sim_engine.assessment.cases import cases_of, start_of
from sim_engine.assessment.printed import PrintedCluster, PrintedKind, PrintedPartition
from sim_engine.assessment.verdicts import FILE
from sim_engine.documents.assessment import AssessedSearch, AssessedSearches, SearchQuestion
from sim_engine.documents.runs import story_to
from sim_engine.exploration.alphabet import BUDGET_NAMES, EPOCH, GRAINS, Grain, faults_among
from sim_engine.exploration.scope import SearchScope, scope_of
from sim_engine.exploration.search import SearchLimit, SearchOptions, SearchResult, search
from sim_engine.exploration.targets import NO_ACKED_RECORD_LOST
from sim_engine.identifiers import Acks
from sim_engine.json_types import JsonObject
from sim_engine.languages import LANGUAGES, find_language, messages, say
from sim_engine.scenario_reader.document import Text
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline

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


_STEPS = "narration/steps"
_DEPTH = 40
_MOST_STATES = 200_000
_MOST_STEPS = 8
"""The steps of a loss that a sentence names."""
_SEVERAL = 2
"""Any number for which a language has its plural."""
_PRESETS: Mapping[SearchQuestion, str] = {
    "crashes": "crashes",
    "power": "power",
    "cut_off": "zombie",
}
_NO_FAILURE: SearchQuestion = "no_failure"

Clock = Callable[[], float]


class PartitionSearch:
    """The searches of one partition, one question after the other."""

    def __init__(
        self, printed: PrintedCluster, kind: PrintedKind, partition: PrintedPartition
    ) -> None:
        self._name = str(partition.name)
        self._acks = printed.acks
        self._starts: list[JsonObject] = []
        for case in (case for cases in cases_of(printed, kind) for case in cases):
            document = start_of(printed, kind, partition, case)
            if document not in self._starts:
                self._starts.append(document)
        self._timelines = [Timeline(read_scenario_document(one)) for one in self._starts]
        self._asked: dict[SearchQuestion, SearchesInTurn] = {}
        self._now: tuple[Mapping[str, int], Grain, int] | None = None
        """The budget and the grain that are searched, and how many states of that."""
        self._is_interrupted = False
        self._is_over = False

    def run(self, seconds: float, clock: Clock, watch: Callable[[], None]) -> None:
        """Search, each question in at most so many seconds by the clock: whole steps of all
        questions first, then finer grains. `watch` is called first, at intervals, and after each
        result; it may call `document`. `KeyboardInterrupt` ends it.
        """
        try:
            watch()
            for phase in PHASES:
                for name, question in self._questions():
                    if name not in self._asked:
                        self._asked[name] = SearchesInTurn(
                            question,
                            starts=len(self._starts),
                            seconds=seconds,
                            clock=clock,
                            search=self._searching(clock, watch),
                        )
                    if name == _NO_FAILURE and phase is not PHASES[0]:
                        continue
                    for turn in self._asked[name].of_phase(phase):
                        self._is_interrupted = turn.limit == "interrupt"
                        watch()
                    if self._is_interrupted or (
                        # Every other question would have the same answer.
                        name == _NO_FAILURE and self._asked[name].is_over
                    ):
                        return
        except KeyboardInterrupt:
            self._is_interrupted = True
        finally:
            self._now, self._is_over = None, True

    def document(self) -> AssessedSearches:
        """The results so far."""
        return AssessedSearches(
            partition=self._name,
            searches=tuple(
                search
                for name, asked in self._asked.items()
                for search in self._so_far(name, asked.turns)
            ),
            running=self._running(),
            is_interrupted=self._is_interrupted,
        )

    def _questions(self) -> Iterator[tuple[SearchQuestion, Question]]:
        yield _NO_FAILURE, Question(self._acks, ({}, {name_of(Produce): 1}))
        for name, preset in _PRESETS.items():
            yield name, replace(QUESTIONS[preset], acks=self._acks)

    def _searching(self, clock: Clock, watch: Callable[[], None]) -> SearchFrom:
        def search_from(
            start: int, grain: Grain, budget: Mapping[str, int], seconds: float
        ) -> SearchResult:
            def progress(_depth: int, states: int, _transitions: int) -> None:
                self._now = (budget, grain, states)
                watch()

            self._now = (budget, grain, 0)
            options = SearchOptions(
                property=NO_ACKED_RECORD_LOST,
                grain=grain,
                max_depth=_DEPTH,
                max_states=_MOST_STATES,
                budget=budget,
                seconds=seconds,
                acks=self._acks,
            )
            return search(self._timelines[start].frames[0], options, clock, progress)

        return search_from

    # --- the sentences -------------------------------------------------------------------------

    def _so_far(self, asked: SearchQuestion, turns: Sequence[Turn]) -> Iterator[AssessedSearch]:
        """What a question has decided; before the end, only if that is something. Without a
        failure, only a loss is worth a sentence.
        """
        if turns and turns[-1].is_violated:
            yield self._found(asked, turns[-1])
        elif turns and asked != _NO_FAILURE and (self._is_over or decided_of(turns)):
            yield self._not_found(asked, turns)

    def _found(self, asked: SearchQuestion, turn: Turn) -> AssessedSearch:
        start = self._starts[turn.start]
        scenario = read_scenario_document({**start, "steps": list(turn.steps)})
        timeline = Timeline(scenario)
        timeline.run_all()
        faults = faults_among(cast("Happening", item.step) for item in scenario.steps)
        story = [step for step in story_to(timeline, timeline.head) if step.step > 0]
        return AssessedSearch(
            partition=self._name,
            question=asked,
            outcome="found",
            text={
                lang: _say(
                    lang,
                    "search-found" if faults else "search-found_without_failure",
                    partition=self._name,
                    count=len(turn.steps),
                    faults=_faults(lang, faults),
                )
                for lang in LANGUAGES
            },
            scope={
                lang: _say(
                    lang,
                    "search-steps",
                    steps=_listed(lang, [step.title[lang] for step in story[:_MOST_STEPS]]),
                    more=max(0, len(story) - _MOST_STEPS),
                )
                for lang in LANGUAGES
            },
            left_out={},
            states=turn.states,
            start=start,
            steps=turn.steps,
        )

    def _not_found(self, asked: SearchQuestion, turns: Sequence[Turn]) -> AssessedSearch:
        decided = decided_of(turns)
        strongest = decided[0] if decided else turns[-1]
        code = "none" if decided else "stopped"
        return AssessedSearch(
            partition=self._name,
            question=asked,
            outcome="none" if decided else "stopped",
            text={
                lang: _say(
                    lang,
                    f"search-{code}",
                    partition=self._name,
                    faults=_faults(lang, strongest.budget),
                )
                for lang in LANGUAGES
            },
            scope={lang: _sentences(lang, self._scope(lang, turns)) for lang in LANGUAGES},
            left_out={lang: self._left_out(lang, asked) for lang in LANGUAGES},
            states=sum(turn.states for turn in turns),
            start=None,
            steps=None,
        )

    def _scope(self, lang: str, turns: Sequence[Turn]) -> Iterator[str]:
        decided, undecided = decided_of(turns), undecided_of(turns)
        for number, turn in enumerate(decided):
            yield _about(lang, "search-also" if number else "search-all", turn)
        if not decided and not undecided:
            yield _say(lang, "search-nothing", **_states(sum(turn.states for turn in turns)))
        for turn in undecided:
            yield _about(lang, "search-undecided", turn)
        if len(self._starts) > 1:
            yield _say(lang, "search-starts", count=len(self._starts))
        yield _say(lang, "search-acks", acks=self._acks)

    def _left_out(self, lang: str, asked: SearchQuestion) -> str:
        """What the largest budget of a question does not allow."""
        largest = QUESTIONS[_PRESETS[asked]].budgets[-1]
        scope = scope_of(self._timelines[0].frames[0].cluster, "step", largest, self._acks)
        entries = {one.entry for one in scope.left_out if one.reason == "budget"}
        names = [_budget_name(lang, name, _SEVERAL) for name in BUDGET_NAMES if name in entries]
        return _say(lang, "search-left_out", names=_listed(lang, names))

    def _running(self) -> Text | None:
        if self._now is None:
            return None
        budget, grain, states = self._now
        return {
            lang: _say(
                lang,
                "search-running",
                partition=self._name,
                faults=_faults(lang, budget),
                grain=grain,
                **_states(states),
            )
            for lang in LANGUAGES
        }


def _about(lang: str, code: str, turn: Turn) -> str:
    return _say(
        lang,
        code,
        faults=_faults(lang, turn.budget),
        grain=turn.grain,
        depth=turn.depth,
        **_states(turn.states),
    )


def _states(count: int) -> dict[str, object]:
    return {"count": count, "states": f"{count:,}"}


def _faults(lang: str, budget: Mapping[str, int]) -> str:
    """A budget in words."""
    named = [
        _say(lang, "search-times", count=count, fault=_budget_name(lang, name, count))
        for name, count in budget.items()
    ]
    return _listed(lang, named or [_say(lang, "search-no_fault")])


def _sentences(lang: str, sentences: Iterator[str]) -> str:
    return say(lang, "interface/assess", "betweenParts").join(sentences)


def _budget_name(lang: str, name: str, count: int) -> str:
    pattern = messages(lang, _STEPS)[name].attributes["budget"]
    return find_language(lang).fill(pattern, {"count": count})


def _listed(lang: str, names: Sequence[str]) -> str:
    return find_language(lang).separator.join(names)


def _say(lang: str, code: str, **values: object) -> str:
    return say(lang, FILE, code, **values)

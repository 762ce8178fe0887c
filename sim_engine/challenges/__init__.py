"""Challenges: violate a property under given settings, with a limited number of faults.

The possible moves are the steps that a search tries, so a search can compute the fewest moves that
win, or show that none do. `scripts/write challenges` searches all challenges and writes
`solutions.json`; tests compare it with searches. The engine judges every try.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert, json, to_builtins

from sim_engine.actions.steps import Detect, Elect, Fetch, Happening, Heal, OneBroker, Produce
from sim_engine.documents.state import state_document
from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    Budget,
    budgeted_as,
    steps_from,
    whole_budget,
)
from sim_engine.exploration.search import SearchOptions, search
from sim_engine.identifiers import CONTROLLER, FrameNumber
from sim_engine.json_types import JsonObject, as_items
from sim_engine.narration import RefusedError
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.source import read_own_source
from sim_engine.scenario_reader.translations import Place, Places, entries, translated
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.timeline import Timeline


class RecordCopies(Struct, frozen=True, kw_only=True):
    """One acknowledged record: the brokers that have it, whether running or not; those that have it
    on disk; and those that can be elected cleanly.
    """

    value: str
    fate: str
    copies: tuple[int, ...]
    on_disk: tuple[int, ...]
    may_lead: tuple[int, ...]


def record_copies(timeline: Timeline) -> tuple[RecordCopies, ...]:
    """The acknowledged records in the newest frame, in the order in which they were sent."""
    state = state_document(timeline.frames[timeline.head].cluster)
    copies_of_records = []
    for record in state.clients.produced:
        if record.acked_frame is None or record.id is None or record.fate is None:
            continue
        replicas = state.replicas[record.partition]
        holding = {
            int(broker): kept.offset < replica.flushed
            for broker, replica in replicas.items()
            for kept in replica.log
            if kept.id == record.id
        }
        partition = state.partitions[record.partition]
        copies_of_records.append(
            RecordCopies(
                value=record.value,
                fate=str(record.fate),
                copies=tuple(sorted(holding)),
                on_disk=tuple(sorted(broker for broker, flushed in holding.items() if flushed)),
                may_lead=tuple(sorted({*partition.isr, *partition.elr})),
            )
        )
    return tuple(copies_of_records)


CHALLENGES_FILE = "challenges"
"""The Fluent file of a language, without ".ftl", that contains the texts of challenges."""
MOST_MOVES = 40
_MOST_FRAMES_A_MOVE = 200


class Challenge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One challenge: its start, the property to violate, and how often each fault may happen.

    `hints` lead from a question to the first moves, or to the reason why no moves win. `also` are
    the ids of the challenges to try next. `scenario` is a scenario document without a
    name.
    """

    id: str
    title: Text
    goal: Text
    hints: tuple[Text, ...]
    property: str
    budget: Mapping[str, int]
    scenario: JsonObject
    also: tuple[str, ...] = ()

    def document(self, moves: Sequence[JsonObject] = ()) -> JsonObject:
        """The whole scenario document, with moves appended after the initial steps."""
        steps = [*as_items(self.scenario["steps"]), *moves]
        return {**self.scenario, "id": self.id, "title": self.title, "steps": steps}


class Solution(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of a search: the fewest moves that win. If there are none and `complete` is true,
    no moves of the challenge win. `states` is the number of examined states.
    """

    moves: tuple[JsonObject, ...]
    states: int
    complete: bool


class Move(Struct, frozen=True, kw_only=True):
    """A possible move. `token` is the fault of the budget that it uses; None if it uses none.

    `actor` and `row` are those of a choice of this step: who takes it, and the position of its
    button on the row of a broker.
    """

    step: JsonObject
    token: str | None
    actor: str
    row: int | None


class Try(Struct, frozen=True, kw_only=True):
    """The result of some moves. `starts` is the first frame of each move."""

    timeline: Timeline
    taken: tuple[Move, ...]
    left: Mapping[str, int]
    won: bool
    possible: tuple[Move, ...]
    starts: tuple[FrameNumber, ...]


class ImpossibleMoveError(Exception):
    """A move is not possible; `place` is its index, from 0."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


@cache
def list_challenges() -> tuple[Challenge, ...]:
    """Every challenge, in menu order."""
    text = files("sim_engine.challenges").joinpath("challenges.yaml").read_text(encoding="utf-8")
    document = read_own_source(text).document
    in_every_language = translated(document, challenge_places(document), CHALLENGES_FILE)
    return convert(in_every_language, tuple[Challenge, ...])


def challenge_places(document: object) -> Places:
    """The places of texts in the list of challenges, by name: `at-risk.title`, `at-risk.goal`,
    `at-risk.hint-1`.
    """
    assert isinstance(document, list)
    places: dict[str, Place] = {}
    for index, challenge in enumerate(document):
        name = challenge["id"]
        places |= {f"{name}.{key}": (index, key) for key in ("title", "goal")}
        places |= {
            f"{name}.hint-{number + 1}": (index, "hints", number)
            for number, _ in enumerate(entries(challenge, "hints"))
        }
    return places


def find_challenge(name: str) -> Challenge:
    """A challenge by its id. Raises `KeyError` if there is none."""
    for challenge in list_challenges():
        if challenge.id == name:
            return challenge
    raise KeyError(name)


@cache
def solutions() -> Mapping[str, Solution]:
    """The results of the searches, by the id of the challenge."""
    text = files("sim_engine.challenges").joinpath("solutions.json").read_bytes()
    return json.decode(text, type=dict[str, Solution])


def start_of(challenge: Challenge) -> Timeline:
    """The cluster before the first move."""
    timeline = Timeline(_scenario(challenge.id))
    timeline.run_all()
    return timeline


@cache
def _scenario(challenge: str) -> Scenario:
    return read_scenario_document(find_challenge(challenge).document())


def judge(challenge: Challenge, moves: Sequence[JsonObject]) -> Try:
    """Make the moves from the start and return the result.

    Raises `ImpossibleMoveError` for the first move that is not possible, or that follows the end of
    the try.
    """
    timeline = start_of(challenge)
    budget = whole_budget(challenge.budget)
    taken: list[Move] = []
    starts: list[FrameNumber] = []
    won = False
    for place, step in enumerate(moves):
        made = next((move for move in _possible(timeline, budget) if move[0].step == step), None)
        if made is None or won:
            raise ImpossibleMoveError(place)
        move, budget = made
        executed = timeline.follow(timeline.head, move.step, None)
        taken.append(move)
        starts.append(executed.frames[0])
        won = any(_is_violated(timeline, number, challenge) for number in executed.frames)
    return Try(
        timeline=timeline,
        taken=tuple(taken),
        left={
            kind: left
            for kind, left in zip(BUDGET_NAMES, budget, strict=True)
            if kind in challenge.budget and left is not None
        },
        won=won,
        possible=() if won else tuple(move for move, _ in _possible(timeline, budget)),
        starts=tuple(starts),
    )


def _is_violated(timeline: Timeline, number: FrameNumber, challenge: Challenge) -> bool:
    verdict = timeline.frames[number].verdicts[challenge.property]
    return verdict.status == "violated"


def _possible(timeline: Timeline, budget: Budget) -> list[tuple[Move, Budget]]:
    """The possible moves, each with the budget that is left after it."""
    cluster = timeline.frames[timeline.head].cluster
    moves: list[tuple[Move, Budget]] = []
    for offered, left in steps_from(cluster, budget, "step"):
        (step,) = offered.steps  # no challenge has a budget for a move of several steps
        execution = StepExecution(cluster, FrameNumber(len(timeline.frames)), _MOST_FRAMES_A_MOVE)
        try:
            execute_step(execution, step)
        except (RefusedError, LimitReachedError):
            continue
        # A step without an action has no effect, but it would count as a move.
        if execution.executed:
            move = Move(
                step=to_builtins(step.as_step()),
                token=budgeted_as(step),
                actor=_actor(step),
                row=type(step).row,
            )
            moves.append((move, left))
    return moves


def _actor(step: Happening) -> str:
    """Who takes a step, as in the choices of a run."""
    match step:
        case Produce(as_=producer):
            return producer
        case Detect() | Elect():
            return CONTROLLER
        case OneBroker(broker=broker) | Fetch(broker=broker) | Heal(broker=int(broker)):
            return str(broker)
        case _:
            return "network"


_MOST_STATES = 100_000


def solve(challenge: Challenge) -> Solution:
    """Search from the start until the challenge is won or every state has been examined. There is
    no time limit.
    """
    timeline = start_of(challenge)
    result = search(
        timeline.frames[timeline.head],
        SearchOptions(
            property=challenge.property,
            budget=dict(challenge.budget),
            max_depth=MOST_MOVES,
            max_states=_MOST_STATES,
        ),
    )
    return Solution(
        moves=tuple(to_builtins(step) for step in result.steps),
        states=result.states,
        complete=result.complete,
    )


def solutions_text(solutions: Mapping[str, Solution]) -> str:
    """All solutions as JSON, one challenge on each line."""
    lines = (f' "{name}": {json.encode(one).decode()}' for name, one in solutions.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"

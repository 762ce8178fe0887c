"""Challenges: make a property fall under given settings, with a limited number of faults.

What can be done in one is what a search at the grain of steps tries, so a search says how few moves
are enough, or that none are. `scripts/write-challenges` searches them all and writes
`solutions.json`; tests hold it against the searches. The engine judges every try.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert, json, to_builtins

from sim_engine.exploration.alphabet import BUDGET_NAMES, Budget, steps_from, whole_budget
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.source_text import read_source
from sim_engine.simulation.play import LimitReachedError, Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step
from sim_engine.simulation.timeline import Timeline

MOST_MOVES = 40
_MOST_FRAMES_A_MOVE = 200


class Challenge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One challenge: where it starts, what has to fall, and how often which fault may happen.

    `also` are the ids of challenges to go on with. `scenario` is a scenario document without name.
    """

    id: str
    title: Text
    goal: Text
    hint: Text
    property: str
    budget: Mapping[str, int]
    scenario: JsonObject
    also: tuple[str, ...] = ()

    def document(self, moves: Sequence[JsonObject] = ()) -> JsonObject:
        """The whole scenario document, with moves after what happens before the first."""
        steps = [*self.scenario["steps"], *moves]
        return {**self.scenario, "id": self.id, "title": self.title, "steps": steps}


class Solution(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a search has found: the fewest moves that do it, or, where `moves` is empty and
    `complete`, that none do. `states` is how many it looked at."""

    moves: tuple[JsonObject, ...]
    states: int
    complete: bool


class Move(Struct, frozen=True, kw_only=True):
    """Something that can be done. `token` is the kind of the budget that it takes, if any."""

    step: JsonObject
    token: str | None


class Try(Struct, frozen=True, kw_only=True):
    """Where some moves have led. `first_frame` is the first of the last move."""

    timeline: Timeline
    taken: tuple[Move, ...]
    left: Mapping[str, int]
    won: bool
    possible: tuple[Move, ...]
    first_frame: FrameNumber


class ImpossibleMoveError(Exception):
    """A move that cannot be made there; `place` is its number, from 0 on."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


@cache
def list_challenges() -> tuple[Challenge, ...]:
    """The challenges in the order in which they are offered."""
    text = files("sim_engine.challenges").joinpath("challenges.yaml").read_text(encoding="utf-8")
    return convert(read_source(text).document, tuple[Challenge, ...])


def find_challenge(name: str) -> Challenge:
    """A challenge by its id. Raises `KeyError` where there is none."""
    for challenge in list_challenges():
        if challenge.id == name:
            return challenge
    raise KeyError(name)


@cache
def solutions() -> Mapping[str, Solution]:
    """What searches have found, by the id of the challenge."""
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
    """Make the moves from the start and say where they have led.

    Raises `ImpossibleMoveError` for the first that could not be made, or that came after the end.
    """
    timeline = start_of(challenge)
    budget = whole_budget(challenge.budget)
    taken: list[Move] = []
    first_frame, won = timeline.head, False
    for place, step in enumerate(moves):
        made = next((move for move in _possible(timeline, budget) if move[0].step == step), None)
        if made is None or won:
            raise ImpossibleMoveError(place)
        move, budget = made
        played = timeline.follow(timeline.head, move.step, None)
        taken.append(move)
        first_frame = played.frames[0]
        won = any(_is_violated(timeline, number, challenge) for number in played.frames)
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
        first_frame=first_frame,
    )


def _is_violated(timeline: Timeline, number: FrameNumber, challenge: Challenge) -> bool:
    verdict = timeline.frames[number].verdicts[PROPERTY_NAMES.index(challenge.property)]
    return verdict.status == "violated"


def _possible(timeline: Timeline, budget: Budget) -> list[tuple[Move, Budget]]:
    """What can be done now, each with the budget after it."""
    cluster = timeline.frames[timeline.head].cluster
    moves: list[tuple[Move, Budget]] = []
    for step, left in steps_from(cluster, budget, "step"):
        play = Play(cluster, FrameNumber(len(timeline.frames)), _MOST_FRAMES_A_MOVE)
        try:
            play_step(play, step)
        except (RefusedError, LimitReachedError):
            continue
        # A step without an action has no effect but would count as a move.
        if play.played:
            token = _token(budget, left)
            moves.append((Move(step=to_builtins(step.as_step()), token=token), left))
    return moves


def _token(before: Budget, after: Budget) -> str | None:
    spent = (
        kind
        for kind, was, now in zip(BUDGET_NAMES, before, after, strict=True)
        if was is not None and now is not None and now < was
    )
    return next(spent, None)

"""The schemas of searches."""

from pydantic import Field

from backend.http.schemas import Shape, Step
from sim_engine.exploration.alphabet import BUDGET_NAMES, Grain
from sim_engine.exploration.scope import LeftOutReason
from sim_engine.exploration.search import SearchLimit, SearchOutcome
from sim_engine.exploration.targets import Ending


class SearchableFaultRead(Shape):
    """A fault that a search can inject a limited number of times."""

    name: str = Field(
        description="Its name in a budget.", json_schema_extra={"enum": list(BUDGET_NAMES)}
    )
    allowed: int | None = Field(
        description="How often it may happen if a budget does not contain it; null: without a "
        "limit."
    )
    most: int = Field(description="The maximum in a budget.")


class SearchableFaultListRead(Shape):
    """The faults that a budget may contain."""

    faults: list[SearchableFaultRead] = Field(description="The most commonly allowed first.")


class SearchStarted(Shape):
    """The data of the `started` event, which is the first one."""

    id: str = Field(description="The id with which the search can be stopped.")


class SearchProgress(Shape):
    """The data of a `progress` event."""

    depth: int
    states: int
    transitions: int
    seconds: float


class LeftOutRead(Shape):
    """Something that a search does not try."""

    step: str = Field(description="The name of a step, of a kind of timer, or `unclean`.")
    reason: LeftOutReason
    why: str = Field(description="The reason as a sentence.")


class SearchScopeRead(Shape):
    """What a search may try, and what it leaves out. A verdict is about this scope only."""

    tried: list[str] = Field(
        description="The names of steps, of kinds of timers, and `unclean` for unclean elections."
    )
    left_out: list[LeftOutRead]


class RescueBoundRead(Shape):
    """The bounds of the search for a continuation that keeps the record."""

    depth: int = Field(description="The maximum number of steps.")
    states: int = Field(description="The maximum number of states.")


class SearchRead(Shape):
    """The data of the `result` event, which is the last one. Finding nothing does not prove
    safety."""

    property: str
    verdict: SearchOutcome = Field(
        description="`not_exercised`: no examined state could have violated the property, so the "
        "search checked nothing."
    )
    complete: bool = Field(
        description="Whether the search was exhaustive in its scope: it examined every state that "
        "the tried steps can reach within the budget, at any depth."
    )
    limit: SearchLimit | None = Field(
        description="What ended the search, or left out a part of it; null for a complete search "
        "and for a violation."
    )
    exercised: bool = Field(
        description="Whether an examined state could have violated the property."
    )
    scope: SearchScopeRead
    grain: Grain
    depth: int
    states: int
    transitions: int
    seconds: float
    cpu_seconds: float = Field(description="The processor time of the search.")
    steps: list[Step] = Field(description="The counterexample: the steps after the frame.")
    continuation: int = Field(
        description="For a property that something happens eventually: how many of the last "
        "`steps` are the continuation after all faults have stopped. 0 for other properties."
    )
    ending: Ending | None = Field(
        description="How the continuation ends. `stuck`: nothing changes any more. `recurs`: the "
        "same states return. Null without a continuation."
    )
    scenario: dict[str, object] | None = Field(
        description="The whole run as a scenario document, reduced to the necessary steps."
    )
    shrunk: bool = Field(description="Whether every step of the scenario is necessary.")
    prevented_by: list[dict[str, object]] = Field(
        description="Changes that would have prevented it, each verified by a run: "
        '`{"config": {name: value}}`, `{"rule": name}` or `{"kafka": release}`.'
    )
    point_of_no_return: int | None = Field(
        description="The first frame of the scenario's run after which the search found no "
        "continuation that keeps the record."
    )
    return_until: int | None = Field(
        description="The same point when `steps` are played, as a number of frames after the start "
        "of the search."
    )
    return_step: int | None = Field(
        description="The number of that step in `steps`, from 1; 0 if the point is before the "
        "first one."
    )
    rescue_bound: RescueBoundRead

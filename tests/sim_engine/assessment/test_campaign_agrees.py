"""No run of the campaign contradicts a cell: of random printed states, the campaign plays what a
cell has examined.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest
from msgspec import Struct

from sim_engine.actions.steps import Happening
from sim_engine.assessment.cases import FAILURES, NAME, Case, Strike, strikes
from sim_engine.assessment.verdicts import CellResult, KindVerdicts
from sim_engine.documents.assessment import FailureName
from sim_engine.identifiers import BrokerId
from tests.sim_engine.assessment.campaign_runs import Described, Ended, random_description, run_on

LOSSLESS = ("keeps", "writes_stop", "unavailable")
RUNS = 3
"""How many runs with returning brokers are held against each cell."""


class Way(Struct, frozen=True):
    """One way in which a failure can strike one case."""

    case: Case
    struck: BrokerId | None
    strike: Strike


def ways_of(state: Described, failure: FailureName) -> list[Way]:
    """The ways of a failure in every case; the case itself if the failure strikes nobody."""
    found = [
        Way(case, struck, strike)
        for case in state.every_case
        for struck, ways in strikes(case.cluster, NAME, failure).items()
        for strike in ways
    ]
    return found or [Way(case, None, ()) for case in state.every_case]


def contradictions(seed: int, counted: Counter[str]) -> Iterator[str]:
    """What runs of the campaign contradict in the cells of a random printed state."""
    random = Random(seed)
    state = random_description(random)
    if state is None:
        return
    verdicts = KindVerdicts(state.cases, state.acks)
    for failure in FAILURES:
        cell = verdicts.cell(failure)
        if cell.verdict is None or not cell.applies or cell.is_refused:
            continue
        for wrong in _against(cell, failure, state, random, counted):
            yield f"seed {seed}, {failure} is {cell.verdict}: {wrong}\n{state.about}"


def _against(
    cell: CellResult, failure: FailureName, state: Described, random: Random, counted: Counter[str]
) -> Iterator[str]:
    def play(way: Way, *, returns: bool = True, in_flight: bool = False) -> Ended | None:
        ended = run_on(
            way.case, state.acks, failure, way.struck, way.strike, random,
            returns=returns, in_flight=in_flight,
        )  # fmt: skip
        counted[str(cell.verdict)] += ended is not None
        return ended

    ways = ways_of(state, failure)
    if cell.verdict in LOSSLESS:
        for way in random.choices(ways, k=RUNS):
            ended = play(way, in_flight=random.random() < 0.5)
            if ended is not None and ended.lost:
                yield f"a record is lost after {_said(way.strike, ended.steps)}"
    assert cell.case is not None, "a cell that applies has a run"
    shown = Way(cell.case, cell.struck, cell.strike)
    if cell.verdict == "lost":
        certain = [
            way
            for way in ways
            if way.case.unknown_are == cell.case.unknown_are
            and (way.struck in cell.brokers or not cell.brokers)
        ]
        for way in random.choices(certain, k=RUNS):
            ended = play(way)
            if ended is not None and not ended.lost:
                yield f"nothing is lost after {_said(way.strike, ended.steps)}"
    elif cell.verdict == "keeps":
        ended = play(random.choice(ways), returns=False)
        if ended is not None and not ended.takes_writes:
            yield f"no write is acknowledged after {_said(shown.strike, ended.steps)}"
    elif cell.verdict in LOSSLESS and not _only_the_leader_is_up(cell, failure):
        ended = play(shown, returns=False)
        if ended is not None and ended.takes_writes:
            yield f"a write is acknowledged after {_said(shown.strike, ended.steps)}"


def _only_the_leader_is_up(cell: CellResult, failure: FailureName) -> bool:
    """Whether a new producer can only ask the leader that is cut off, which still takes writes."""
    assert cell.case is not None
    up = [broker for broker in cell.case.cluster.brokers if broker.alive]
    return failure == "isolated_leader" and len(up) == 1


def _said(strike: Strike, steps: Iterable[Happening]) -> str:
    return str([step.as_step() for step in (*strike, *steps)])


def held_against(seeds: range) -> Counter[str]:
    """Compare the states of some seeds, and return the number of runs by verdict."""
    counted: Counter[str] = Counter()

    wrong = [each for seed in seeds for each in contradictions(seed, counted)]

    assert not wrong, "\n".join(wrong)
    return counted


def test_no_run_of_the_campaign_contradicts_a_cell() -> None:
    counted = held_against(range(24))

    assert all(counted[verdict] >= 8 for verdict in (*LOSSLESS, "lost")), counted


def test_a_loss_is_certain_only_for_brokers_under_the_assumption_that_the_cell_states() -> None:
    """Of two brokers whose disks were named, one was so under another assumption."""
    state = random_description(Random(1681))
    assert state is not None
    cell = KindVerdicts(state.cases, state.acks).cell("disk_loss")
    assert cell.verdict == "lost"

    seeds = map(Random, range(12))

    assert not [
        wrong for random in seeds for wrong in _against(cell, "disk_loss", state, random, Counter())
    ]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 4_000, 100))
def test_no_run_of_many_contradicts_a_cell(first: int) -> None:
    counted = held_against(range(first, first + 100))

    assert all(counted[verdict] >= 25 for verdict in (*LOSSLESS, "lost")), counted

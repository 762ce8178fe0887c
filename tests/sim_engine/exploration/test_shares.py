"""A search in shares has the result of one in one piece, and its states are the same everywhere."""

import pickle
from itertools import count

import pytest

from sim_engine.campaign.run import cell_start
from sim_engine.exploration.search import SearchOptions, SearchResult, search
from sim_engine.exploration.shares import Level, Parcel, ShareSearch, Taken
from sim_engine.simulation.timeline import Frame, Timeline
from tests.sim_engine.campaign.cells import one_cell

OPTIONS = SearchOptions(
    property="NoAckedRecordLost", grain="exchange", max_depth=40, budget={"crash": 1, "produce": 1}
)


def frame_of(kafka: str, **grid: object) -> tuple[Frame, SearchOptions]:
    start, options = cell_start(one_cell(kafka=kafka, replication_factor=2, **grid), OPTIONS)
    return Timeline(start).frames[0], options


def in_shares(start: Frame, options: SearchOptions, shares: int) -> SearchResult:
    """Search with separate processes' knowledge; parcels go through pickle."""
    searches = [ShareSearch(start, options, shares) for _ in range(shares)]
    owner, first = searches[0].first()
    arriving: list[dict[int, bytes]] = [{} for _ in range(shares)]
    arriving[owner] = {owner: pickle.dumps(first)}
    levels: list[list[Level]] = []
    taken: list[list[list[Taken]]] = []
    for depth in count():
        following: list[dict[int, bytes]] = [{} for _ in range(shares)]
        levels.append([])
        taken.append([])
        path: tuple[object, ...] = ()
        for share, searching in enumerate(searches):
            seen: dict[bytes, tuple[tuple[int, ...], ...]] = {}
            for before in taken[:depth]:
                for one in before[share]:
                    seen[one.key] = (*seen.get(one.key, ()), one.left)
            arrivals: list[tuple[int, Parcel]] = [
                (sender, pickle.loads(text)) for sender, text in arriving[share].items()
            ]
            done = searching.search_level(
                arrivals, seen, most_handed=options.max_states, is_last=depth == options.max_depth
            )
            levels[-1].append(done.level)
            taken[-1].append(done.taken)
            for to, parcel in done.parcels.items():
                following[to][share] = pickle.dumps(parcel)
            if done.level.found is not None and not path:
                moves, row, at = [done.path], done.level.found, share
                for of_depth in reversed([*taken[:-1], [*taken[-1]]]):
                    step = of_depth[at][row]
                    moves.append(step.steps)
                    at, row = step.sender, step.before
                path = tuple(step for move in reversed(moves) for step in move)
        result = searches[0].result(levels, path)  # type: ignore[arg-type]
        if result is not None:
            return result
        arriving = following
    raise AssertionError("a search ends")


@pytest.mark.parametrize("shares", [1, 3])
@pytest.mark.parametrize("kafka", ["2.0.0", "3.9"])
def test_what_is_exhausted_in_shares_is_what_one_search_exhausts(kafka: str, shares: int) -> None:
    start, options = frame_of(kafka)

    whole, split = search(start, options), in_shares(start, options, shares)

    assert whole.complete
    assert split == whole


@pytest.mark.parametrize("kafka", ["0.10.2", "2.0.0", "3.9"])
def test_a_violation_in_shares_has_the_shortest_depth_and_is_confirmed(kafka: str) -> None:
    start, options = frame_of(kafka, acks=1)

    whole, split = search(start, options), in_shares(start, options, 3)

    assert (whole.verdict, split.verdict) == ("violated", "violated")
    assert split.depth == whole.depth
    assert split.steps

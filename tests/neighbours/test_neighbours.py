"""P6: a visitor who never stops, on 20 connections, costs another visitor's action little.

It compares processor times of the serving process, which a busy machine changes too: it is one of
the tests that take minutes, and `make bench ARGS="soak"` measures the same with a clock.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.main import create_app
from backend.settings import Settings
from tests.neighbours.inputs import Inputs
from tests.neighbours.service import Neighbours, neighbours

_MOST_TIMES = 5
# Below this, what else the process does (to clean up, to report) outweighs the action.
_LEAST_S = 0.01


@pytest.fixture(scope="module")
def inputs(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inputs]:
    with neighbours(repository, tmp_path_factory.mktemp("neighbours") / "highwater.db") as service:
        for _ in range(10):
            service.action_s()
        yield Inputs(service)


@pytest.fixture(scope="module")
def cases(inputs: Inputs) -> dict[str, Callable[[], list[bytes]]]:
    app = create_app(Settings(database_url="sqlite:///unused.db"))  # not started, so not opened
    return dict(inputs.cases(app))


def times_alone(service: Neighbours, requests: list[bytes], *, actions: int) -> float:
    """How many times as much an action costs beside these requests as alone."""
    alone = max(_LEAST_S, service.median_s(actions))
    with service.beside(requests):
        return service.median_s(actions, most_s=6) / alone


def too_many(
    service: Neighbours, cases: dict[str, Callable[[], list[bytes]]], *, actions: int
) -> dict[str, float]:
    """The cases in which an action costs more than `_MOST_TIMES` as much, twice in a row."""
    found: dict[str, float] = {}
    for name, made in cases.items():
        requests = made()
        times = [times_alone(service, requests, actions=actions)]
        if times[0] > _MOST_TIMES:
            times.append(times_alone(service, requests, actions=actions * 3))
        if min(times) > _MOST_TIMES:
            found[name] = round(min(times), 1)
    return found


@pytest.mark.slow
def test_no_route_lets_one_visitor_delay_another(
    inputs: Inputs, cases: dict[str, Callable[[], list[bytes]]]
):
    assert too_many(inputs.service, cases, actions=5) == {}

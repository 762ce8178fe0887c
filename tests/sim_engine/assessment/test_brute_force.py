"""What follows a failure agrees with a plain enumeration, from random printed states."""

from collections.abc import Iterator
from random import Random

import pytest

from sim_engine.assessment.cases import FAILURES, NAME, Case, Strike, strikes
from sim_engine.assessment.what_follows import Aftermath
from tests.sim_engine.assessment.brute_force import TooManyStatesError, truth_of
from tests.sim_engine.assessment.campaign_runs import random_description

MOST_STATES = 250


def ways_of(case: Case) -> Iterator[Strike]:
    yield ()
    for failure in FAILURES:
        for ways in strikes(case.cluster, NAME, failure).values():
            yield from ways


def agrees(seed: int) -> bool:
    """Compare one random failure of one random case. False if there was nothing to compare."""
    random = Random(seed)
    description = random_description(random)
    if description is None:
        return False
    case = random.choice(description.every_case)
    way = random.choice(list(ways_of(case)))
    try:
        truth = truth_of(case, way, MOST_STATES)
    except TooManyStatesError:
        return False
    found = Aftermath(case.cluster, case.acked).follow(way)
    if truth is None or found is None:
        assert (truth is None) == (found is None)
        return False
    context = f"seed {seed}, Kafka {case.cluster.profile.kafka}, {way}"
    assert (found.loss is not None) == truth.loses, context
    assert not found.is_cut, context
    if found.loss is None or truth.survives is False:
        # Once both a loss and a survival are known, the rest is not tried.
        assert found.survives == truth.survives, context
    if not truth.loses:
        assert (found.leaderless is not None) == truth.leaderless, context
        assert (found.refuses is not None) == truth.refuses, context
    return True


def test_verdicts_agree_with_brute_force() -> None:
    assert sum(agrees(seed) for seed in range(40)) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 2_000, 50))
def test_many_verdicts_agree_with_brute_force(first: int) -> None:
    assert sum(agrees(seed) for seed in range(first, first + 50)) >= 15

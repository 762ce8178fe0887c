"""What a state looks like: two ways of comparing states agree."""

from itertools import pairwise

import pytest

from sim_engine import Timeline, load_shipped
from sim_engine.simulation.fetch_rounds import looks_the_same, observable


@pytest.mark.parametrize(
    "scenario_id", ["slow-but-steady-follower", "unnoticed-bounce", "three-brokers-three-epochs"]
)
def test_what_two_states_share_makes_no_difference_to_whether_they_look_the_same(
    scenario_id: str,
) -> None:
    timeline = Timeline(load_shipped(scenario_id))
    timeline.run_all()
    states = [frame.cluster for frame in timeline.frames]
    compared = [*pairwise(states), *zip(states, reversed(states), strict=True)]

    found = [looks_the_same(one, other) for one, other in compared]

    assert found == [observable(one) == observable(other) for one, other in compared]
    assert {True, False} <= set(found)

"""What a follower learns from a response without records, by release."""

import pytest
from msgspec.structs import replace

from sim_engine.actions import Fetch, Produce
from sim_engine.events.fetch import FetchedEpochForgotten, FetchSent
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from tests.sim_engine.builders import B2, PARTITION, change_replica, cluster


@pytest.mark.parametrize(
    ("kafka", "named"), [("3.4.1", [0, 0, 0]), ("3.6", [0, None, 0]), ("3.7", [0, 0, 0])]
)
def test_an_empty_first_answer_makes_a_follower_forget_its_epoch_until_3_7(kafka, named):
    state = cluster({1: "m1/0", 2: "m1/0"}, kafka=kafka, brokers=(1, 2), leader=1)
    following = state.replica(B2, PARTITION).fetcher
    assert following is not None
    fetcher = replace(following, has_fetched=False)
    execution = StepExecution(
        change_replica(state, 2, fetcher=fetcher, leader_epoch=0), FrameNumber(1), 100
    )

    execute_step(execution, Fetch(broker=B2))
    execute_step(execution, Produce(to=PARTITION, values=("m2",), acks=1))
    execute_step(execution, Fetch(broker=B2))
    execute_step(execution, Fetch(broker=B2))

    said = [one for executed in execution.executed for one in executed.transition.events]
    asked = [one.last_fetched_epoch for one in said if isinstance(one, FetchSent)]
    assert [asked[0], asked[1], asked[-1]] == named
    assert any(isinstance(one, FetchedEpochForgotten) for one in said) is (None in named)

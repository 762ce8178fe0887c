"""A caller's budget stops long work, and has no other effect."""

from itertools import count

import pytest

from sim_engine.budget import BudgetExceededError, within_budget
from sim_engine.identifiers import FIRST_FRAME
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.runs import lesson


def allowing(actions: int):
    """A budget of actions and frames that counts how often it is checked."""
    asked = count(1)
    return lambda: next(asked) <= actions


def test_a_run_within_its_budget_is_the_same() -> None:
    free, bounded = (Timeline(load_shipped("kip-101-data-loss")) for _ in range(2))

    free.run_all()
    with within_budget(allowing(10_000)):
        bounded.run_all()

    assert bounded.frames == free.frames


def test_a_run_ends_at_the_frame_at_which_the_budget_ends() -> None:
    timeline = Timeline(load_shipped("kip-101-data-loss"))

    with within_budget(allowing(9)), pytest.raises(BudgetExceededError) as ended:
        timeline.run_all()

    assert 0 < ended.value.frame < 10
    assert len(timeline.frames) <= ended.value.frame + 1


def test_the_frame_that_was_not_created_is_known_before_the_first_action_of_a_step() -> None:
    timeline = lesson("kip-101-data-loss")

    with within_budget(lambda: False), pytest.raises(BudgetExceededError) as ended:
        timeline.do({"run": {"ms": 1}})

    assert ended.value.frame == len(timeline.frames)


def test_a_day_on_a_large_cluster_is_looked_at_no_further_than_the_budget() -> None:
    asked = 0

    def may_go_on() -> bool:
        nonlocal asked
        asked += 1
        return asked <= 500

    timeline = Timeline(load_shipped("two-rounds"))
    with within_budget(may_go_on), pytest.raises(BudgetExceededError):
        timeline.act(FIRST_FRAME, {"run": {"ms": 86_400_000}})

    assert asked == 501


def test_work_on_a_large_cluster_is_checked_once_a_replica() -> None:
    """The caller's other work must not wait for more than a small part of this one."""
    brokers, partitions = list(range(1, 10)), 16
    replicas = len(brokers) * partitions
    followers = replicas - partitions
    logs = {str(broker): {"log": "x*20/0", "high_watermark": 0} for broker in brokers}
    topic = {"name": "t", "partitions": [{"replicas": brokers, "logs": logs}] * partitions}
    document = {"scenario": 1, "id": "x", "title": "x", "kafka": "3.9", "brokers": brokers}
    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return True

    def asked_for(work):
        nonlocal asked
        asked = 0
        result = work()
        return asked, result

    with within_budget(count):
        read, scenario = asked_for(
            lambda: read_scenario_document({**document, "topics": [topic], "steps": []})
        )
        started, timeline = asked_for(lambda: Timeline(scenario))
        moved, _ = asked_for(lambda: timeline.act(FIRST_FRAME, {"run": {"ms": 1}}))

    assert read >= replicas
    assert started >= replicas
    assert moved >= followers


def test_a_budget_ends_with_its_block() -> None:
    timeline = Timeline(load_shipped("two-rounds"))
    with within_budget(lambda: False), pytest.raises(BudgetExceededError):
        timeline.run_all()

    other = lesson("two-rounds")

    assert len(other.frames) > 1

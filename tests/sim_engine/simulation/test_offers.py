"""The offered steps: each step that would have an effect."""

from typing import Any, get_args

import pytest

from sim_engine import Timeline, list_shipped, load_shipped, read_scenario_document
from sim_engine.actions import Timer
from sim_engine.actions.steps import TimerKind
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.performing.controller import bounce_is_unseen
from tests.tables import for_each

TOPIC = {"name": "t", "partitions": [{"replicas": [1, 2]}]}
TWO_BROKERS = {"id": "offers", "kafka": "3.9", "brokers": [1, 2], "topics": [TOPIC]}


def offered(*steps: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
    timeline = Timeline(read_scenario_document({**TWO_BROKERS, "steps": list(steps), **fields}))
    timeline.run_all()
    return [choice.step for choice in timeline.choices(timeline.head)]


def settings(offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [step["config"] for step in offers if "config" in step]


def test_min_insync_replicas_can_go_up_to_the_number_of_brokers() -> None:
    assert settings(offered()) == [
        {"unclean.leader.election.enable": True},
        {"min.insync.replicas": 2},
    ]
    assert {"min.insync.replicas": 1} in settings(offered(configs={"min.insync.replicas": 2}))


def test_a_setting_of_a_topic_is_changed_there() -> None:
    topic = {**TOPIC, "configs": {"min.insync.replicas": 2}}

    assert {"topic": "t", "min.insync.replicas": 1} in settings(offered(topics=[topic]))


def test_a_cluster_below_the_level_of_its_release_can_be_raised_to_it() -> None:
    assert {"metadata_version": "3.9-IV0"} in settings(offered(metadata_version="3.5"))
    assert not any("metadata_version" in one for one in settings(offered()))


def test_a_broker_that_is_slow_can_be_made_quick_again() -> None:
    assert {"slow": {"broker": 1, "ms": 500}} in offered()
    assert {"slow": {"broker": 1, "ms": 0}} in offered({"slow": {"broker": 1, "ms": 500}})


@for_each("lesson", lambda: [shipped.id for shipped in list_shipped()])
def test_no_lesson_ends_with_a_detection_first_that_nothing_waits_for(lesson: str) -> None:
    """A reader wants to start, fetch, produce or elect. A detection comes first only if it changes
    a partition or admits a broker, and happens without the reader too.
    """
    timeline = Timeline(load_shipped(lesson))
    timeline.run_all()
    end = timeline.head
    first: dict[str, Any] = timeline.choices(end)[0].step
    if "detect" not in first:
        return
    before = timeline.frames[end].cluster
    timeline.act(end, first)
    after = timeline.frames[timeline.head].cluster

    assert (before.controller.partitions, before.brokers) != (
        after.controller.partitions,
        after.brokers,
    )
    assert not bounce_is_unseen(before, BrokerId(first["detect"]["broker"]))


def test_a_detection_that_no_partition_waits_for_comes_after_the_start() -> None:
    gone = [{"crash": {"broker": 2}}]
    out = [{"crash": {"broker": 2}}, {"detect": {"broker": 2}}, {"start": {"broker": 2}}]

    def first(steps: list[dict[str, Any]], isr: list[int]) -> str:
        topic = {"name": "t", "partitions": [{"replicas": [1, 2], "isr": isr}]}
        return next(iter(offered(*steps, topics=[topic])[0]))

    assert first(gone, [1, 2]) == "detect"
    assert first(gone, [1]) == "start"
    assert first(out, [1]) == "fetch"


def test_a_retry_is_offered_once_a_request_has_failed() -> None:
    failed = (
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1", "acks": "all"}},
        {"timer": {"broker": 1, "kind": "produce_timeout"}},
    )

    assert {"retry": {"as": "p1"}} in offered(*failed)
    assert {"retry": {"as": "p1"}} not in offered()


def test_who_was_refused_by_its_leader_can_fetch_at_once() -> None:
    topic = {"name": "t", "partitions": [{"replicas": [1, 2], "leader": 2}]}
    refused = (
        {"hold": {"kind": "metadata", "to": 1}},
        {"elect": {"partition": "t-0", "kind": "preferred"}},
        {"deliver": {"kind": "metadata", "to": 2}},
        {"fetch": {"broker": 2}},
    )

    assert {"timer": {"broker": 2, "kind": "fetch_backoff"}} in offered(*refused, topics=[topic])


@pytest.mark.parametrize("kind", sorted({*get_args(TimerKind)} - {"fetch_backoff"}))
def test_every_timer_is_on_offer_in_some_lesson(kind: str) -> None:
    for scenario in list_shipped():
        timeline = Timeline(scenario)
        timeline.run_all()
        for number in range(len(timeline.frames)):
            steps = list_steps(timeline.frames[number].cluster)
            if any(isinstance(step, Timer) and step.kind == kind for step in steps):
                return
    pytest.fail(f"no lesson comes to where {kind} is offered")

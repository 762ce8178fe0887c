"""The offered steps: each step that would have an effect."""

from typing import Any, get_args

import pytest

from sim_engine.actions.steps import Timer, TimerKind
from sim_engine.identifiers import BrokerId
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.performing.controller import bounce_is_unseen
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import Step, down, lesson, run
from tests.tables import for_each


def offered(*steps: Step, **fields: Any) -> list[Step]:
    timeline = run(*steps, brokers=(1, 2), **fields)
    return [choice.step for choice in timeline.choices(timeline.head)]


def settings(offers: list[Step]) -> list[Step]:
    return [step["config"] for step in offers if "config" in step]


def test_min_insync_replicas_can_go_up_to_the_number_of_brokers() -> None:
    assert settings(offered()) == [
        {"unclean.leader.election.enable": True},
        {"min.insync.replicas": 2},
    ]
    assert {"min.insync.replicas": 1} in settings(offered(configs={"min.insync.replicas": 2}))


def test_a_setting_of_a_topic_is_changed_there() -> None:
    partitions = [{"replicas": [1, 2]}]
    topic = {"name": "t", "partitions": partitions, "configs": {"min.insync.replicas": 2}}

    assert {"topic": "t", "min.insync.replicas": 1} in settings(offered(topics=[topic]))


def test_a_cluster_below_the_level_of_its_release_can_be_raised_to_it() -> None:
    assert {"metadata_version": "3.9-IV0"} in settings(offered(metadata_version="3.5"))
    assert not any("metadata_version" in one for one in settings(offered()))


def test_a_broker_that_is_slow_can_be_made_quick_again() -> None:
    assert {"slow": {"broker": 1, "ms": 500}} in offered()
    assert {"slow": {"broker": 1, "ms": 0}} in offered({"slow": {"broker": 1, "ms": 500}})


@for_each("name", lambda: [shipped.id for shipped in list_shipped()])
def test_no_lesson_ends_with_a_detection_first_that_nothing_waits_for(name: str) -> None:
    """A reader wants to start, fetch, produce or elect. A detection comes first only if it changes
    a partition or admits a broker, and happens without the reader too.
    """
    timeline = lesson(name)
    end = timeline.head
    first: dict[str, Any] = timeline.choices(end)[0].step
    if "detect" not in first:
        return
    before = timeline.frames[end].cluster
    timeline.act(end, first)
    after = timeline.cluster

    assert (before.controller.partitions, before.brokers) != (
        after.controller.partitions,
        after.brokers,
    )
    assert not bounce_is_unseen(before, BrokerId(first["detect"]["broker"]))


def test_a_detection_that_no_partition_waits_for_comes_after_the_start() -> None:
    gone = [{"crash": {"broker": 2}}]
    out = [*down(2), {"start": {"broker": 2}}]

    def first(steps: list[Step], isr: list[int]) -> str:
        return next(iter(offered(*steps, partition={"isr": isr})[0]))

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
    refused = (
        {"hold": {"kind": "metadata", "to": 1}},
        {"elect": {"partition": "t-0", "kind": "preferred"}},
        {"deliver": {"kind": "metadata", "to": 2}},
        {"fetch": {"broker": 2}},
    )

    assert {"timer": {"broker": 2, "kind": "fetch_backoff"}} in offered(
        *refused, partition={"leader": 2}
    )


def test_every_timer_is_on_offer_in_some_lesson() -> None:
    missing = {*get_args(TimerKind)} - {"fetch_backoff"}

    for frame in (frame for timeline in lessons_played() for frame in timeline.frames):
        missing -= {step.kind for step in list_steps(frame.cluster) if isinstance(step, Timer)}
        if not missing:
            return

    pytest.fail(f"no lesson comes to where these are offered: {missing}")

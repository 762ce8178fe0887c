"""Settings that one broker has for itself, and the periodic check for leaderless partitions."""

from typing import Any

import pytest

from sim_engine import ScenarioError, Timeline, read_scenario_document, scenario_document
from sim_engine.cluster.state import ClusterState
from sim_engine.events.election import LeaderElected
from sim_engine.simulation.working_copy import RefusedError
from tests.sim_engine.builders import B1, B2, PARTITION, told

UNCLEAN = "unclean.leader.election.enable"
INTERVAL = "unclean.leader.election.interval.ms"
LAG = "replica.lag.time.max.ms"
MIN_ISR = "min.insync.replicas"


def ran(
    *steps: dict[str, Any],
    kafka: str,
    configs: dict[str, Any] | None = None,
    own: dict[str, Any] | None = None,
) -> Timeline:
    """A run of topic t on brokers 1 to 3; broker 1 leads, with settings of its `own`."""
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "ran",
                "kafka": kafka,
                "brokers": {1: {"configs": own or {}}, 2: {}, 3: {"rack": "a"}},
                "configs": configs or {},
                "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
                "steps": list(steps),
            }
        )
    )
    timeline.run_all()
    return timeline


def last(timeline: Timeline) -> ClusterState:
    return timeline.frames[timeline.head].cluster


NOBODY_LEADS: tuple[dict[str, Any], ...] = (
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
    {"crash": {"broker": 3}},
    {"detect": {"broker": 3}},
    {"crash": {"broker": 1}},
    {"detect": {"broker": 1}},
    {"start": {"broker": 2}},
)
"""Broker 1 was the last in the ISR, and broker 2, which is not in it, is back."""


def leader_of(timeline: Timeline) -> int:
    return last(timeline).controller.partition(PARTITION).leader


@pytest.mark.parametrize(("kafka", "wanted"), [("0.10.1", 3_000), ("3.9", 1_500), ("4.4", 1_500)])
def test_a_leader_uses_its_own_lag_time(kafka, wanted):
    timeline = ran(kafka=kafka, configs={LAG: 60_000}, own={LAG: 3_000})

    at_1, at_2 = (last(timeline).settings_at(broker, PARTITION) for broker in (B1, B2))
    timers = {timer.kind: timer.period_ms for timer in last(timeline).broker(B1).timers}

    assert (at_1.replica_lag_time_max_ms, at_2.replica_lag_time_max_ms) == (3_000, 60_000)
    assert timers["isr_expiration"] == wanted


def test_a_leader_with_a_short_lag_time_of_its_own_shrinks_its_isr_alone():
    steps = ({"pause": {"broker": 2}}, {"advance": {"ms": 20_000}})
    alone = ran(
        {"produce": {"to": "t-0", "values": ["m1"]}},
        {"fetch": {"broker": 3}},
        *steps,
        kafka="3.9",
        configs={LAG: 60_000, "broker.session.timeout.ms": 100_000},
        own={LAG: 3_000},
    )
    all_slow = ran(
        {"produce": {"to": "t-0", "values": ["m1"]}},
        {"fetch": {"broker": 3}},
        *steps,
        kafka="3.9",
        configs={LAG: 60_000, "broker.session.timeout.ms": 100_000},
    )

    together, apart = (last(one).replica(B1, PARTITION).leading for one in (all_slow, alone))
    assert together is not None
    assert apart is not None
    assert together.pending_isr is None
    assert apart.pending_isr is not None


def test_a_leader_checks_its_own_min_isr_at_a_produce():
    produce = {"produce": {"to": "t-0", "values": ["m1"]}}
    shrink = ({"crash": {"broker": 2}}, {"detect": {"broker": 2}})

    outcomes = [
        last(ran(*shrink, produce, kafka="3.9", own=own)).clients.produced[0].error
        for own in ({}, {MIN_ISR: 3})
    ]

    assert outcomes == [None, "NOT_ENOUGH_REPLICAS"]


def test_a_changed_setting_of_one_broker_holds_there_and_survives_its_restart():
    timeline = ran(
        {"config": {"broker": 1, LAG: 3_000}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"start": {"broker": 1}},
        kafka="3.9",
    )

    timers = {timer.kind: timer.period_ms for timer in last(timeline).broker(B1).timers}
    assert timers["isr_expiration"] == 1_500
    assert last(timeline).settings_of(PARTITION).replica_lag_time_max_ms == 30_000


def test_a_topics_value_replaces_that_of_a_broker():
    timeline = ran({"config": {"topic": "t", MIN_ISR: 2}}, kafka="3.9", own={MIN_ISR: 3})

    assert last(timeline).settings_at(B1, PARTITION).min_insync_replicas == 2


@pytest.mark.parametrize("kafka", ["3.9", "4.3", "4.4"])
@pytest.mark.parametrize("whose", [{"broker": 2}, {"topic": "t"}, {}])
def test_kraft_ignores_unclean_election_that_is_on_for_one_broker(kafka, whose):
    """Recorded on 4.3.1: `unclean-on-for-one-broker`, and `unclean-on-then-start-of-another`."""
    timeline = ran(*NOBODY_LEADS, {"config": {**whose, UNCLEAN: True}}, kafka=kafka)
    assert leader_of(timeline) == -1

    timeline.act(timeline.head, {"start": {"broker": 3}})

    assert leader_of(timeline) == (-1 if whose == {"broker": 2} else 2)


def test_with_elr_min_isr_cannot_be_set_for_one_broker():
    timeline = ran(kafka="4.0")
    timeline.act(timeline.head, {"config": {"broker": 1, MIN_ISR: 2}})
    with pytest.raises(ScenarioError, match="not of one broker"):
        ran(kafka="4.1", own={MIN_ISR: 2})
    with pytest.raises(ScenarioError, match="not of one broker"):
        ran({"config": {"broker": 1, MIN_ISR: 2}}, kafka="4.1")

    raised = Timeline(
        read_scenario_document(
            {
                "id": "raised",
                "kafka": "4.1",
                "metadata_version": "3.9",
                "brokers": [1, 2],
                "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
                "steps": [
                    {"config": {"broker": 1, MIN_ISR: 2}},
                    {"config": {"metadata_version": "4.1"}},
                ],
            }
        )
    )
    raised.run_all()
    assert last(raised).broker(B1).configs == ()
    with pytest.raises(RefusedError) as refused:
        raised.act(raised.head, {"config": {"broker": 1, MIN_ISR: 1}})
    assert refused.value.code == "min_isr_of_one_broker"


def test_a_scenario_with_settings_of_brokers_is_written_as_it_was_read():
    scenario = ran({"config": {"broker": 2, LAG: 1}}, kafka="3.9", own={LAG: 3_000}).scenario

    document = scenario_document(scenario)

    assert document["brokers"] == {"1": {"configs": {LAG: 3_000}}, "2": {}, "3": {"rack": "a"}}
    assert document["steps"] == [{"config": {"broker": 2, LAG: 1}}]
    assert read_scenario_document(document) == scenario


# --- the check for leaderless partitions ---------------------------------------------------------


@pytest.mark.parametrize("kafka", ["3.9", "4.1", "4.4"])
@pytest.mark.parametrize("interval_ms", [60_000, 300_000])
def test_time_brings_the_check_that_elects_uncleanly(kafka, interval_ms):
    """Recorded on 4.1.1 and 4.3.1: `unclean-interval`. Five minutes are the default."""
    configs = {} if interval_ms == 300_000 else {INTERVAL: interval_ms}
    timeline = ran(*NOBODY_LEADS, kafka=kafka, configs=configs)
    timeline.act(timeline.head, {"config": {UNCLEAN: True, "topic": "t"}})

    timeline.act(timeline.head, {"run": {"ms": interval_ms - 1_000}})
    assert leader_of(timeline) == -1
    timeline.act(timeline.head, {"run": {"ms": 1_000}})

    elected = told(timeline, LeaderElected)[-1]
    assert (elected.leader, elected.variant) == (2, "unclean")


@pytest.mark.parametrize(("kafka", "step"), [("3.8", "run"), ("3.9", "run"), ("3.9", "advance")])
def test_the_check_elects_from_3_9_and_only_where_it_is_allowed(kafka, step):
    timeline = ran(*NOBODY_LEADS, kafka=kafka)
    timeline.act(timeline.head, {step: {"ms": 600_000}})
    assert leader_of(timeline) == -1

    timeline.act(timeline.head, {"config": {UNCLEAN: True}})
    timeline.act(timeline.head, {step: {"ms": 300_000}})

    assert leader_of(timeline) == (2 if kafka == "3.9" else -1)

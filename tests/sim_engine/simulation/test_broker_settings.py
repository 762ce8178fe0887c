"""Settings that one broker has for itself, and the periodic check for leaderless partitions."""

from typing import Any

import pytest

from sim_engine.events.controller import LeaderElected
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from tests.sim_engine.builders import B1, B2, PARTITION
from tests.sim_engine.runs import Run, Step, down, run

UNCLEAN = "unclean.leader.election.enable"
INTERVAL = "unclean.leader.election.interval.ms"
LAG = "replica.lag.time.max.ms"
MIN_ISR = "min.insync.replicas"


def ran(*steps: Step, kafka: str, own: dict[str, Any] | None = None, **scenario: Any) -> Run:
    """A run of topic t on brokers 1 to 3; broker 1 leads, with settings of its `own`."""
    brokers = {1: {"configs": own or {}}, 2: {}, 3: {"rack": "a"}}
    return run(*steps, kafka=kafka, brokers=brokers, **scenario)


NOBODY_LEADS: tuple[Step, ...] = (*down(2, 3, 1), {"start": {"broker": 2}})
"""Broker 1 was the last in the ISR, and broker 2, which is not in it, is back."""


@pytest.mark.parametrize(("kafka", "wanted"), [("0.10.1", 3_000), ("3.9", 1_500), ("4.4", 1_500)])
def test_a_leader_uses_its_own_lag_time(kafka, wanted):
    timeline = ran(kafka=kafka, configs={LAG: 60_000}, own={LAG: 3_000})

    at_1, at_2 = (timeline.cluster.settings_at(broker, PARTITION) for broker in (B1, B2))
    timers = {timer.kind: timer.period_ms for timer in timeline.cluster.broker(B1).timers}

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

    together, apart = (one.replica(1).leading for one in (all_slow, alone))
    assert together is not None
    assert apart is not None
    assert together.pending_isr is None
    assert apart.pending_isr is not None


def test_a_leader_checks_its_own_min_isr_at_a_produce():
    produce = {"produce": {"to": "t-0", "values": ["m1"]}}
    shrink = down(2)

    outcomes = [
        ran(*shrink, produce, kafka="3.9", own=own).cluster.clients.produced[0].error
        for own in ({}, {MIN_ISR: 3})
    ]

    assert outcomes == [None, "NOT_ENOUGH_REPLICAS"]


def test_a_changed_setting_of_one_broker_holds_there_and_survives_its_restart():
    timeline = ran(
        {"config": {"broker": 1, LAG: 3_000}}, *down(1), {"start": {"broker": 1}}, kafka="3.9"
    )

    timers = {timer.kind: timer.period_ms for timer in timeline.cluster.broker(B1).timers}
    assert timers["isr_expiration"] == 1_500
    assert timeline.cluster.settings_of(PARTITION).replica_lag_time_max_ms == 30_000


def test_a_topics_value_replaces_that_of_a_broker():
    timeline = ran({"config": {"topic": "t", MIN_ISR: 2}}, kafka="3.9", own={MIN_ISR: 3})

    assert timeline.cluster.settings_at(B1, PARTITION).min_insync_replicas == 2


@pytest.mark.parametrize("kafka", ["3.9", "4.3", "4.4"])
@pytest.mark.parametrize("whose", [{"broker": 2}, {"topic": "t"}, {}])
def test_kraft_ignores_unclean_election_that_is_on_for_one_broker(kafka, whose):
    """Recorded on 4.3.1: `unclean-on-for-one-broker`, and `unclean-on-then-start-of-another`."""
    timeline = ran(*NOBODY_LEADS, {"config": {**whose, UNCLEAN: True}}, kafka=kafka)
    assert timeline.leader == -1

    timeline.do({"start": {"broker": 3}})

    assert timeline.leader == (-1 if whose == {"broker": 2} else 2)


def test_with_elr_min_isr_cannot_be_set_for_one_broker():
    timeline = ran(kafka="4.0")
    timeline.do({"config": {"broker": 1, MIN_ISR: 2}})
    with pytest.raises(ScenarioError, match="not of one broker"):
        ran(kafka="4.1", own={MIN_ISR: 2})
    with pytest.raises(ScenarioError, match="not of one broker"):
        ran({"config": {"broker": 1, MIN_ISR: 2}}, kafka="4.1")

    raised = run(
        {"config": {"broker": 1, MIN_ISR: 2}},
        {"config": {"metadata_version": "4.1"}},
        kafka="4.1",
        metadata_version="3.9",
        brokers=(1, 2),
    )
    assert raised.cluster.broker(B1).configs == ()
    assert raised.refused({"config": {"broker": 1, MIN_ISR: 1}}).code == "min_isr_of_one_broker"


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
    timeline.do({"config": {UNCLEAN: True, "topic": "t"}})

    timeline.do({"run": {"ms": interval_ms - 1_000}})
    assert timeline.leader == -1
    timeline.do({"run": {"ms": 1_000}})

    elected = timeline.told(LeaderElected)[-1]
    assert (elected.leader, elected.variant) == (2, "unclean")


@pytest.mark.parametrize(("kafka", "step"), [("3.8", "run"), ("3.9", "run"), ("3.9", "advance")])
def test_the_check_elects_from_3_9_and_only_where_it_is_allowed(kafka, step):
    timeline = ran(*NOBODY_LEADS, kafka=kafka)
    timeline.do({step: {"ms": 600_000}})
    assert timeline.leader == -1

    timeline.do({"config": {UNCLEAN: True}}, {step: {"ms": 300_000}})

    assert timeline.leader == (2 if kafka == "3.9" else -1)

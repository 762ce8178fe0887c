"""The initial state of a cluster: what a release can be in, and what it is in frame 0."""

from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import NO_LEADER
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.runs import SETTLE, play, run
from tests.sim_engine.starts import start_of

DOWN = {"state": "stopped"}
UP: dict[str, Any] = {}


def problem_of(kafka: str, brokers: dict[int, Any], configs: Any = None, **partition: Any) -> str:
    document = {
        "scenario": 1,
        "id": "start",
        "kafka": kafka,
        "brokers": {str(broker): about for broker, about in brokers.items()},
        "configs": configs or {},
        "topics": [{"name": "t", "partitions": [{"replicas": list(brokers), **partition}]}],
    }
    with pytest.raises(ScenarioError) as caught:
        read_scenario_document(document)
    assert caught.value.code == "impossible_start"
    (problem,) = caught.value.problems
    return str(problem)


@pytest.mark.parametrize(
    ("kafka", "brokers", "partition", "told"),
    [
        ("3.9", {1: UP, 2: DOWN}, {}, "/topics/0/partitions/0/isr: broker 2 cannot be in the ISR"),
        ("3.9", {1: DOWN, 2: UP}, {"isr": [1]}, "/leader: broker 1 cannot lead"),
        ("2.4", {1: DOWN, 2: UP}, {"isr": [1]}, "/leader: broker 1 cannot lead"),
        ("3.9", {1: UP, 2: UP}, {"leader": -1, "isr": [2]}, "/leader: broker 2 is running and in"),
        ("2.4", {1: UP, 2: UP}, {"leader": -1, "isr": [2]}, "/leader: broker 2 is running and in"),
        (
            "3.9",
            {1: DOWN, 2: DOWN},
            {"leader": -1, "isr": [1, 2]},
            "/isr: a partition without a leader has at most one member in its ISR",
        ),
        ("3.9", {1: DOWN}, {"leader": -1, "isr": []}, "/isr: in Kafka 3.9 the last member"),
        ("1.1", {1: DOWN}, {"leader": -1, "isr": []}, "/isr: in Kafka 1.1 the last member"),
        (
            "3.9",
            {1: UP, 2: DOWN},
            {"isr": [1], "elr": [2]},
            "/elr: Kafka 3.9 has no eligible leader replicas here",
        ),
        (
            "4.1",
            {1: DOWN, 2: UP},
            {"leader": -1, "isr": [], "elr": [2]},
            "/leader: broker 2 is running and an eligible leader replica",
        ),
        ("4.1", {1: UP, 2: DOWN}, {"isr": [1], "elr": [1]}, "/elr: broker 1 is in the ISR"),
        (
            "4.1",
            {1: UP, 2: DOWN},
            {"isr": [1], "elr": [2]},
            "/elr: the ELR is empty while the ISR has at least min.insync.replicas members",
        ),
        (
            "4.1",
            {1: DOWN, 2: DOWN},
            {"leader": -1, "isr": [], "last_known_elr": [1, 2]},
            "/last_known_elr: the last known leader is one broker",
        ),
        (
            "4.1",
            {1: UP, 2: DOWN},
            {"isr": [1], "last_known_elr": [1]},
            "/last_known_elr: the last known leader is stored only while",
        ),
        ("2.4", {1: UP, 2: {"state": "fenced"}}, {"isr": [1]}, "/brokers/2/state: a ZooKeeper"),
        ("3.9", {1: UP}, {"removing": [1]}, "/removing: a reassignment cannot remove every"),
    ],
)
def test_a_state_to_which_no_history_leads_is_refused_with_its_rule(
    kafka: str, brokers: dict[int, Any], partition: Any, told: str
) -> None:
    configs = {"min.insync.replicas": 2} if told.startswith("/elr: broker 1") else None

    assert told in problem_of(kafka, brokers, configs, **partition)


@pytest.mark.parametrize("first", [0, 40, 80])
def test_whatever_a_controller_has_written_is_a_start_and_becomes_the_same(first: int) -> None:
    for seed in range(first, first + 40):
        becomes_the_same(random_schedule(seed))


def becomes_the_same(schedule: Scenario) -> None:
    timeline = play(schedule)
    checked = None
    for frame in timeline.frames:
        if frame.cluster.controller is checked:
            continue
        checked = frame.cluster.controller
        start = start_of(timeline, frame.cluster)
        if start is None:
            continue
        read = read_scenario_document(scenario_document(start))

        controller = Timeline(read).frames[0].cluster.controller

        assert [replace(one, leader_recovery_state="RECOVERED") for one in checked.partitions] == [
            *controller.partitions
        ]
        assert [one.active for one in controller.brokers] == [one.active for one in checked.brokers]


@pytest.mark.parametrize("kafka", ["0.10.2", "2.4", "3.3", "3.9", "4.1"])
def test_a_broker_that_starts_stopped_goes_on_as_one_that_has_crashed(kafka: str) -> None:
    log = {"log": "a b c", "high_watermark": 2}
    crashed = run(
        {"crash": {"broker": 3}},
        {"detect": {"broker": 3}},
        SETTLE,
        {"start": {"broker": 3}},
        SETTLE,
        partition={
            "isr": [1, 2],
            "logs": {broker: {**log, "checkpoint": {"high_watermark": 2}} for broker in (1, 2, 3)},
        },
        kafka=kafka,
    )
    stopped = run(
        SETTLE,
        {"start": {"broker": 3}},
        SETTLE,
        brokers={"1": {}, "2": {}, "3": DOWN},
        replicas=[1, 2, 3],
        partition={"isr": [1, 2], "logs": {1: log, 2: log, 3: {**log, "high_watermark": 2}}},
        kafka=kafka,
    )

    assert stopped.registration().isr == crashed.registration().isr
    for broker in (1, 2, 3):
        assert stopped.log(broker) == crashed.log(broker)
        assert stopped.replica(broker).high_watermark == crashed.replica(broker).high_watermark


def test_nobody_leads_until_the_last_member_returns() -> None:
    of = {1: {"log": "a b"}, 2: {"log": "a"}}
    started = run(
        {"start": {"broker": 1}},
        SETTLE,
        brokers={"1": DOWN, "2": {}},
        replicas=[1, 2],
        partition={"leader": -1, "isr": [1], "logs": of},
        kafka="3.9",
    )

    assert started.frames[0].cluster.controller.partitions[0].leader == NO_LEADER
    assert started.leader == 1
    assert started.log(2) == ["a", "b"]


@pytest.mark.parametrize(
    ("of", "running"), [({"isr": [1]}, True), ({"leader": -1, "isr": [1]}, False)]
)
def test_a_broker_of_unknown_state_runs_if_its_isr_needs_it(of: Any, running: bool) -> None:
    of_one = run(brokers={"1": {"state": "unknown"}}, replicas=[1], partition=of, kafka="3.9")

    assert of_one.cluster.broker(of_one.registration().replicas[0]).alive is running


def test_a_release_that_cannot_be_in_the_initial_state_is_refused() -> None:
    start = run(
        brokers={"1": {}, "2": DOWN},
        replicas=[1, 2],
        partition={"isr": [1], "elr": [2]},
        configs={"min.insync.replicas": 2},
        kafka="4.1",
    ).scenario

    with pytest.raises(UnknownVersionError, match=r"3\.9 .* /topics/0/partitions/0/elr"):
        Timeline(start, "3.9")


def with_acked(*values: str, brokers: Any = None, **partition: Any) -> dict[str, Any]:
    """Broker 1, which is down, is the only one that has b."""
    return {
        "scenario": 1,
        "id": "acked",
        "kafka": "4.1",
        "brokers": brokers or {"1": DOWN, "2": UP},
        "configs": {"min.insync.replicas": 2},
        "topics": [
            {
                "name": "t",
                "partitions": [
                    {
                        "replicas": [2, 1],
                        "leader": -1,
                        "isr": [],
                        "elr": [1],
                        "last_known_elr": [2],
                        "leader_epoch": 1,
                        "logs": {
                            "1": {"log": "a b", "flushed": 1},
                            "2": {"log": "a", "flushed": 1},
                        },
                        "acked": list(values),
                        **partition,
                    }
                ],
            }
        ],
        "steps": [{"start": {"broker": 1}}, SETTLE],
    }


def test_a_record_acknowledged_before_the_start_can_be_lost_in_the_run() -> None:
    timeline = play(read_scenario_document(with_acked("a", "b")))

    fates = [[one.fate for one in frame.cluster.clients.produced] for frame in timeline.frames]
    assert fates[0] == ["safe", "safe"]
    assert fates[-1] == ["safe", "lost"]
    assert timeline.frames[-1].verdicts["NoAckedRecordLost"].status == "violated"


def test_a_record_may_be_at_risk_in_the_start_and_frame_0_names_it() -> None:
    away = with_acked("b", elr=[2], last_known_elr=[], brokers={"1": DOWN, "2": DOWN})

    first = Timeline(read_scenario_document(away)).frames[0]

    assert [one.fate for one in first.cluster.clients.produced] == ["at_risk"]
    assert [event.kind for event in first.events][1:] == ["RecordsAtRisk"]


def test_what_was_acknowledged_is_one_record_of_the_logs() -> None:
    for value, count in (("c", 0), ("x", 2)):
        document = with_acked(value, logs={"1": {"log": "x x"}})
        with pytest.raises(ScenarioError) as caught:
            read_scenario_document(document)

        assert f"{value} is the value of {count}" in str(caught.value)


def test_acknowledged_records_are_written_as_they_were_read() -> None:
    scenario = read_scenario_document(with_acked("b"))

    assert read_scenario_document(scenario_document(scenario)) == scenario

"""Expectations compared with frames: only the named values, exactly as defined."""

from typing import Any

import pytest

from sim_engine.events.base import Event
from sim_engine.events.process import BrokerCrashed
from sim_engine.events.run import ActionRefused, DidNotSettle, Started
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.expectations import (
    CheckResult,
    FrameSummary,
    judge,
    list_differences,
    versions_to_check,
)
from sim_engine.scenario_reader.reader import read_scenario_document
from tests.sim_engine.scenario_reader.documents import with_steps


def record(value: str, epoch: int | None = 0) -> dict[str, Any]:
    return {"offset": 0, "epoch": epoch, "value": value, "id": "r1"}


def produced(value: str, **about: Any) -> dict[str, Any]:
    return {
        "value": value,
        "partition": "t-0",
        "error": None,
        "acked_frame": None,
        "fate": None,
    } | about


FRAME: Any = {
    "state": {
        "partitions": {
            "t-0": {"leader": 1, "leader_epoch": 2, "partition_epoch": 3, "isr": [2, 1], "elr": []},
            "t-1": {"leader": -1, "leader_epoch": 0, "partition_epoch": 0, "isr": [2], "elr": [1]},
        },
        "replicas": {
            "t-0": {
                "1": {
                    "log": [record("m1", 0), record("m2", 1)],
                    "log_end_offset": 2,
                    "high_watermark": 1,
                    "epoch_cache": [[0, 0], [1, 1]],
                },
                "2": {"log": [], "log_end_offset": 0, "high_watermark": None, "epoch_cache": None},
            }
        },
        "clients": {
            "produced": [
                produced("m1", acked_frame=3, fate="at_risk"),
                produced("m2", acked_frame=4, fate="lost"),
                produced("m3", error="NOT_ENOUGH_REPLICAS"),
                produced("m4"),
                produced("n1", partition="t-1", acked_frame=5, fate="safe"),
            ],
            "consumed": [
                {"as": "c1", "partition": "t-0", "value": "m1"},
                {"as": "c2", "partition": "t-0", "value": "m2"},
                {"as": "c1", "partition": "t-1", "value": "n1"},
            ],
        },
    },
    "properties": {
        "NoAckedRecordLost": {"status": "violated"},
        "LogMatching": {"status": "holds"},
        "ConsistentRead": {"status": "not_exercised"},
        "StrongIsr": {"status": "violated"},
        "WeakIsr": {"status": "holds"},
    },
}


@pytest.mark.parametrize(
    "expectation",
    [
        {"leader": 1, "leader_epoch": 2, "partition_epoch": 3},
        {"isr": [1, 2], "elr": []},
        {"partition": "t-1", "leader": -1, "elr": [1]},
        {"replicas": {"1": {"log": "m1/0 m2/1", "leo": 2, "hw": 1, "epochs": [[0, 0], [1, 1]]}}},
        {"replicas": {"1": {"log": "m1 m2"}, "2": {"log": "", "hw": None, "epochs": None}}},
        {"replicas": {"1": {"log": "m1 m2/1"}}},
        {"replicas": {"1": {"log": "m*2"}}},
        {"violated": ["NoAckedRecordLost"]},
        {"violated": ["StrongIsr", "NoAckedRecordLost"]},
        {"holds": ["WeakIsr", "ConsistentRead"]},
        {"lost": ["m2"], "acked": ["n1", "m2", "m1"]},
        {"partition": "t-0", "acked": ["m1", "m2"]},
        {"errors": {"m3": "NOT_ENOUGH_REPLICAS", "m1": None, "never": None}},
        {"read": {"c1": ["m1", "n1"], "c9": []}},
        {"partition": "t-0", "read": {"c1": ["m1"]}},
        {"refused": False},
    ],
)
def test_an_expectation_that_holds_makes_no_difference(expectation):
    assert list_differences(0, expectation, FRAME) == []


@pytest.mark.parametrize(
    ("expectation", "where", "got"),
    [
        ({"leader": 2}, "leader", 1),
        ({"isr": [1]}, "isr", [2, 1]),
        ({"elr": [1]}, "elr", []),
        ({"replicas": {"1": {"log": "m1/0"}}}, "replicas/1/log", "m1/0 m2/1"),
        ({"replicas": {"1": {"log": "m1/0 m2/0"}}}, "replicas/1/log", "m1/0 m2/1"),
        ({"replicas": {"1": {"log": "m2 m1"}}}, "replicas/1/log", "m1/0 m2/1"),
        ({"replicas": {"2": {"log": "m1"}}}, "replicas/2/log", ""),
        ({"replicas": {"1": {"leo": 3}}}, "replicas/1/leo", 2),
        ({"replicas": {"2": {"hw": 0}}}, "replicas/2/hw", None),
        ({"replicas": {"1": {"epochs": [[0, 0]]}}}, "replicas/1/epochs", [[0, 0], [1, 1]]),
        ({"replicas": {"2": {"epochs": []}}}, "replicas/2/epochs", None),
        ({"violated": []}, "violated", ["NoAckedRecordLost"]),
        ({"violated": ["NoAckedRecordLost", "WeakIsr"]}, "violated", ["NoAckedRecordLost"]),
        ({"holds": ["StrongIsr"]}, "holds", []),
        ({"lost": []}, "lost", ["m2"]),
        ({"lost": ["m1", "m2"]}, "lost", ["m2"]),
        ({"acked": ["m1"]}, "acked", ["m1", "m2", "n1"]),
        ({"errors": {"m3": None}}, "errors/m3", "NOT_ENOUGH_REPLICAS"),
        ({"errors": {"m1": "REQUEST_TIMED_OUT"}}, "errors/m1", None),
        ({"read": {"c1": ["n1", "m1"]}}, "read/c1", ["m1", "n1"]),
        ({"refused": True}, "refused", False),
    ],
)
def test_a_difference_names_its_place_and_both_sides(expectation, where, got):
    (difference,) = list_differences(7, expectation, FRAME)

    assert difference.step == 7
    assert difference.where == f"/steps/7/expect/{where}"
    assert difference.got == got
    assert difference.where in str(difference)


CRASH = {"crash": {"broker": 1}}


def run(scenario: Scenario, kafka: str, *frames: tuple[int | None, type[Event]]) -> CheckResult:
    """Check a run whose frames were created by these entries, each with one event."""
    all_frames: list[tuple[int | None, type[Event]]] = [(None, Started), *frames]
    summaries = [
        FrameSummary(frame=FrameNumber(number), item=item, events=(kind,))
        for number, (item, kind) in enumerate(all_frames)
    ]
    return judge(scenario, kafka, summaries, lambda frame: FRAME | {"frame": frame})


def test_versions_are_the_own_one_and_those_that_expectations_name():
    scenario = read_scenario_document(
        with_steps(
            {"expect": {"kafka": ["3.9.2", "0.10.2"], "leader": 1}},
            {"expect": {"kafka": ["2.0.1", "0.10.2"], "leader": 1}},
        )
    )

    assert versions_to_check(scenario) == ["3.9", "0.10.2", "2.0.1"]


def test_a_range_is_checked_under_the_newest_of_equal_releases_in_it():
    scenario = read_scenario_document(
        with_steps({"expect": {"kafka": ">=2.0.1 <2.4", "leader": 2}})
    )

    assert versions_to_check(scenario) == ["3.9", "2.0.1", "2.1.0", "2.1", "2.2", "2.3"]
    assert run(scenario, "2.4").holds
    assert not run(scenario, "2.2.1").holds


def test_an_expectation_is_held_only_in_its_versions():
    scenario = read_scenario_document(with_steps({"expect": {"kafka": ["2.0.1"], "leader": 2}}))

    assert run(scenario, "3.9").holds
    assert not run(scenario, "2.0.1").holds


def test_an_expectation_is_held_against_the_last_frame_before_it():
    scenario = read_scenario_document(
        with_steps(CRASH, {"note": "x"}, {"expect": {"leader": 1}}, CRASH)
    )
    asked: list[int] = []
    frames = [
        FrameSummary(frame=FrameNumber(number), item=item)
        for number, item in enumerate([None, 0, 0, 3])
    ]

    def read(frame: int) -> Any:
        asked.append(frame)
        return FRAME

    judge(scenario, "3.9", frames, read)

    assert asked == [2]


@pytest.mark.parametrize(
    ("refused", "kafka", "event", "expected"),
    [
        (None, "3.9", BrokerCrashed, None),
        (None, "3.9", ActionRefused, "runs"),
        (None, "2.0.1", ActionRefused, None),
        (True, "3.9", ActionRefused, None),
        (True, "3.9", BrokerCrashed, "refused"),
        (True, "2.0.1", BrokerCrashed, "refused"),
        (["2.0.1"], "2.0.1", ActionRefused, None),
        (["2.0.1"], "2.0.1", BrokerCrashed, "refused"),
        (["2.0.1"], "3.9", BrokerCrashed, None),
        (["2.0.1"], "3.9", ActionRefused, "runs"),
    ],
)
def test_a_step_must_be_refused_exactly_in_the_versions_that_it_names(
    refused, kafka, event, expected
):
    step: dict[str, Any] = {"crash": {"broker": 1}}
    if refused is not None:
        step["crash"]["refused"] = refused
    scenario = read_scenario_document(with_steps(step))

    differences = run(scenario, kafka, (0, event)).differences

    assert [difference.expected for difference in differences] == ([expected] if expected else [])


def test_an_expectation_may_require_that_the_previous_step_was_refused():
    scenario = read_scenario_document(
        with_steps({"crash": {"broker": 1, "refused": True}}, {"expect": {"refused": True}})
    )

    assert run(scenario, "3.9", (0, ActionRefused)).holds


def test_autoplay_that_does_not_settle_is_a_difference():
    scenario = read_scenario_document(with_steps({"settle": {}}))

    (difference,) = run(scenario, "3.9", (0, DidNotSettle)).differences

    assert (difference.where, difference.got) == ("/steps/0/settle", "DidNotSettle")

"""Shrinking removes everything from a scenario that its failure does not need."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine.actions.steps import Produce
from sim_engine.command_line import main
from sim_engine.exploration.shrink import NothingToShrinkError, shrink, violates
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import (
    load_shipped,
    read_scenario_document,
    read_scenario_text,
)
from tests.sim_engine.runs import down
from tests.sim_engine.scenario_reader.documents import document


def padded_loss() -> Scenario:
    """A loss by an unclean election among steps, a broker and settings that it does not need."""
    return read_scenario_document(
        {
            "id": "padded",
            "control_run": "s54b",
            "kafka": "3.9",
            "brokers": [1, 2, 3],
            "configs": {
                "unclean.leader.election.enable": True,
                "min.insync.replicas": 1,
                "num.replica.fetchers": 1,
            },
            "topics": [
                {"name": "t", "partitions": [{"replicas": [1, 2, 3]}, {"replicas": [2, 3]}]},
                {"name": "other", "partitions": [{"replicas": [3]}]},
            ],
            "steps": [
                {"produce": {"to": "other-0", "values": ["x"], "as": "p2"}},
                {"crash": {"broker": 2}},
                {"note": "Nobody but broker 1 is left in the ISR."},
                {"detect": {"broker": 2}},
                *down(3),
                {"produce": {"to": "t-0", "values": ["m1", "m2", "m3"], "as": "p1"}},
                {"timer": {"broker": 1, "kind": "flush"}},
                *down(1),
                {"start": {"broker": 2}},
                {"elect": {"partition": "t-0", "kind": "unclean"}},
                {"settle": {}},
                {"expect": {"partition": "t-0", "leader": 2}},
            ],
        }
    )


def test_only_what_the_violation_needs_is_left() -> None:
    shortest = shrink(padded_loss(), violates("AckedRecordAtRisk"))

    kinds = [step.kind for step in shortest.steps]
    assert kinds == ["crash", "detect", "produce", "crash", "detect", "start"]
    assert len(shortest.brokers) == 2
    assert [topic.name for topic in shortest.topics] == ["t"]
    assert list(shortest.partitions) == ["t-0"]
    assert "num.replica.fetchers" not in shortest.configs
    assert shortest.control_run is None
    produced = next(step.step for step in shortest.steps if isinstance(step.step, Produce))
    assert len(produced.values) == 1


def test_what_is_left_still_violates_and_no_step_of_it_can_go() -> None:
    fails = violates("AckedRecordAtRisk")

    shortest = shrink(padded_loss(), fails)

    assert fails(shortest)
    for index in range(len(shortest.steps)):
        fewer = (*shortest.steps[:index], *shortest.steps[index + 1 :])
        assert not fails(replace(shortest, steps=fewer))


def test_a_scenario_shrinks_to_the_same_every_time() -> None:
    once, again = (shrink(padded_loss(), violates("AckedRecordAtRisk")) for _ in range(2))

    assert once == again


def test_any_other_failure_can_be_shrunk_to() -> None:
    def crashes_twice(scenario: Scenario) -> bool:
        return [step.kind for step in scenario.steps].count("crash") >= 2

    shortest = shrink(padded_loss(), crashes_twice)

    assert [step.kind for step in shortest.steps] == ["crash", "crash"]


def test_two_steps_that_only_go_together_go() -> None:
    def in_pairs(scenario: Scenario) -> bool:
        kinds = [step.kind for step in scenario.steps]
        return kinds.count("pause") == kinds.count("resume") and "produce" in kinds

    steps: list[Any] = [{"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}]
    steps += [{kind: {"broker": 1}} for kind in ("pause", "crash", "resume")]

    shortest = shrink(read_scenario_document(document(steps=steps)), in_pairs)

    assert [step.kind for step in shortest.steps] == ["produce"]


def test_what_does_not_fail_is_not_shrunk() -> None:
    with pytest.raises(NothingToShrinkError):
        shrink(load_shipped("s01"), violates("NoAckedRecordLost"))


def test_the_command_line_prints_a_scenario_file_that_violates_the_property(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = main(["shrink", "s33", "--property", "LogMatching"])

    printed = capsys.readouterr().out
    assert status == 0
    shortest = read_scenario_text(printed)
    assert violates("LogMatching")(shortest)
    assert len(shortest.steps) <= 10


def test_the_command_line_prints_json_under_the_version_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["--property", "NoAckedRecordLost", "--kafka", "3.9"]

    status = main(["shrink", "unclean-election", *asked, "--json"])

    shortest = read_scenario_document(json.loads(capsys.readouterr().out))
    assert status == 0
    assert shortest.kafka == "3.9"
    assert violates("NoAckedRecordLost")(shortest)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["s01", "--property", "LogMatching"], "LogMatching is not violated under Kafka"),
        (["s01", "--property", "Safe"], "there is no property 'Safe'"),
        (["s01", "--property", "LogMatching", "--kafka", "x"], "'x' is not a Kafka version"),
        (["nowhere.yaml", "--property", "LogMatching"], "nowhere.yaml: no such file"),
    ],
)
def test_what_cannot_be_shrunk_ends_with_2_and_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shrink", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_file_can_be_shrunk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["shrink", "s33", "--property", "LogMatching"])
    shortest = capsys.readouterr().out
    file = tmp_path / "shortest.yaml"
    file.write_text(shortest)

    main(["shrink", str(file), "--property", "LogMatching"])

    assert capsys.readouterr().out == shortest

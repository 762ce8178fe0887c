"""`highwater run`: what it prints, where, and with what exit status."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from sim_engine.command_line import main
from sim_engine.documents.schemas import run_schema
from tests.sim_engine.command_line.conftest import LOSS


def test_the_json_of_a_run_is_valid_under_its_schema(loss, capsys):
    status = main(["run", str(loss), "--json"])
    document = json.loads(capsys.readouterr().out)

    assert status == 0
    assert list(Draft202012Validator(run_schema()).iter_errors(document)) == []
    assert (document["scenario"], document["kafka"]) == ("kip-101-data-loss", "0.10.2")
    assert document["final"]["partitions"]["t-0"]["leader"] == 1
    assert document["properties"]["NoAckedRecordLost"]["status"] == "violated"


@pytest.mark.parametrize(
    ("options", "kafka", "control"),
    [
        ([], "0.10.2", "zookeeper"),
        (["--kafka", "2.0.1"], "2.0.1", "zookeeper"),
        (["--kafka", "3.9.2"], "3.9.2", "kraft"),
        (["--kafka", "3.9", "--control", "zookeeper"], "3.9", "zookeeper"),
    ],
)
def test_a_run_names_the_release_that_was_asked_for(loss, capsys, options, kafka, control):
    main(["run", str(loss), "--json", *options])
    document = json.loads(capsys.readouterr().out)

    named = (document["kafka"], document["final"]["kafka"], document["control"])
    assert named == (kafka, kafka, control)


def test_a_file_keeps_its_controller_in_a_release_that_had_it(tmp_path, capsys):
    path = tmp_path / "zookeeper.yaml"
    path.write_text(LOSS.replace("brokers:", "control: zookeeper\nbrokers:"), encoding="utf-8")

    main(["run", str(path), "--json", "--kafka", "3.9"])

    assert json.loads(capsys.readouterr().out)["control"] == "zookeeper"


STEPS = {"en": "  produce m1\n", "zh": "  写入 m1\n"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_run_is_printed_as_text(loss, capsys, language):
    status = main(["run", str(loss), "--lang", language])
    told = capsys.readouterr().out

    assert status == 0
    assert "Kafka 0.10.2, zookeeper" in told
    assert "broker 1  running leader  [m1]  log end 1, high watermark 1" in told
    assert STEPS[language] in told
    assert '{"' not in told
    assert "NoAckedRecordLost is violated, first in frame" in told


def test_a_run_that_is_too_long_names_its_step(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sim_engine.simulation.timeline.MOST_FRAMES", 3)
    path = tmp_path / "long.yaml"
    path.write_text(LOSS, encoding="utf-8")

    status = main(["run", str(path)])

    assert status == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"{path}:8:5: /steps/1: the run has more than 3 frames"


def test_the_step_of_a_shipped_scenario_is_named_too(monkeypatch, capsys):
    monkeypatch.setattr("sim_engine.simulation.timeline.MOST_FRAMES", 3)

    status = main(["run", "kip-101-data-loss"])

    assert status == 2
    assert re.match(r"kip-101-data-loss:\d{2,}:\d+: /steps/\d+: ", capsys.readouterr().err)

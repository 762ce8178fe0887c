"""`highwater check --format`: what CI services and GitHub read of it, by a library where there is
one.
"""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from junitparser import Error, Failure, JUnitXml, TestCase

from sim_engine.command_line import main
from tests.sim_engine.command_line.conftest import LOSS


def suites(report: Path) -> dict[str, list[TestCase]]:
    read = JUnitXml.fromfile(str(report))
    assert isinstance(read, JUnitXml)
    return {suite.name: list(suite) for suite in read}


def test_each_expectation_under_each_release_is_a_test(loss, tmp_path, capsys):
    report = tmp_path / "report.xml"

    assert main(["check", str(loss), "--format", "junit", "-o", str(report)]) == 0

    [(name, cases)] = suites(report).items()
    assert name == str(loss)
    assert [case.classname.rpartition(" ")[2] for case in cases[::2]] == [
        "0.10.2", "1.1", "2.0.1", "3.9",
    ]  # fmt: skip
    assert {case.name for case in cases[::2]} == {"the steps run as written"}
    assert [case.name for case in cases[1::2]] == [
        "/steps/15: leader, leader_epoch, replicas, violated, lost",
        *["/steps/16: leader, replicas, violated, lost"] * 3,
    ]
    assert all(case.is_passed for case in cases)
    assert capsys.readouterr().out.splitlines()[0] == f"{loss}: Kafka 0.10.2: holds"


# What Jenkins' schema (junit-10.xsd) allows, of which every other reader takes a part or more.
VOCABULARY = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "file", "time", "tests", "failures", "errors", "skipped", "timestamp"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
}
REQUIRED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name"}}
PARENTS = {"testsuite": "testsuites", "testcase": "testsuite", "failure": "testcase"}


def test_the_report_uses_only_what_the_common_schema_has(failing, wrong, tmp_path):
    report = tmp_path / "report.xml"
    main(["check", str(failing), str(wrong), "--format", "junit", "-o", str(report)])

    root = ElementTree.parse(report).getroot()
    assert root.tag == "testsuites"
    for parent in root.iter():
        assert set(parent.keys()) <= VOCABULARY[parent.tag], parent.tag
        assert set(parent.keys()) >= REQUIRED.get(parent.tag, set()), parent.tag
        for child in parent:
            assert PARENTS.get(child.tag, "testcase") == parent.tag


def test_failures_and_invalid_files_are_counted_and_have_their_places(failing, wrong, tmp_path):
    report = tmp_path / "report.xml"

    status = main(["check", str(failing), str(wrong), "--format", "junit", "-o", str(report)])

    read = JUnitXml.fromfile(str(report))
    assert status == 2
    assert (read.tests, read.failures, read.errors) == (5, 1, 1)
    found = suites(report)
    [failure] = [result for case in found[str(failing)] for result in case.result]
    assert isinstance(failure, Failure)
    assert failure.message == "/steps/16/expect/leader: expected 2, got 1"
    assert failure.text.startswith(f"{failing}:31:15: Kafka 2.0.1: ")
    [error] = found[str(wrong)][0].result
    assert isinstance(error, Error)
    assert error.text.startswith(f"{wrong}:14:21: /steps/7/crash/broker: there is no broker 9")


def test_a_step_that_is_refused_fails_the_test_of_the_steps(tmp_path):
    file = tmp_path / "refused.yaml"
    file.write_text(LOSS.replace("  - detect: {broker: 1}\n", "  - crash: {broker: 1}\n"), "utf-8")
    report = tmp_path / "report.xml"

    assert main(["check", str(file), "--format", "junit", "-o", str(report)]) == 1

    [failed] = [case for case in suites(report)[str(file)] if case.is_failure][:1]
    assert failed.name == "the steps run as written"
    assert failed.result[0].message.startswith("/steps/8/crash: expected ")


def test_a_name_that_xml_cannot_write_is_in_the_report_nevertheless(tmp_path):
    file = tmp_path / "a\x01\udcff.yaml"
    file.write_text(LOSS, "utf-8")
    report = tmp_path / "report.xml"

    assert main(["check", str(file), "--format", "junit", "-o", str(report)]) == 0

    assert suites(report).keys() == {f"{tmp_path}/a\ufffd\ufffd.yaml"}


_COMMAND = re.compile(r"::error file=(?P<file>[^,]+),line=(\d+),col=(\d+),title=([^,:]+)::(.+)")


def test_github_annotates_the_lines_of_failures_and_errors(failing, wrong, capsys):
    status = main(["check", str(failing), str(wrong), "--format", "github"])

    commands = [_COMMAND.fullmatch(line) for line in capsys.readouterr().out.splitlines()]
    annotations = [command.groups() for command in commands if command is not None]
    assert status == 2
    assert annotations == [
        (str(failing), "31", "15", "Kafka 2.0.1", "/steps/16/expect/leader: expected 2, got 1"),
        (
            str(wrong), "14", "21", "Invalid scenario",
            "/steps/7/crash/broker: there is no broker 9; brokers are 1, 2",
        ),
    ]  # fmt: skip


def test_no_name_of_a_file_ends_an_annotation(tmp_path, capsys):
    file = tmp_path / "a,line=1::b%.yaml"
    file.write_text(LOSS.replace("leader: 1\n", "leader: 2\n"), "utf-8")

    assert main(["check", str(file), "--format", "github"]) == 1

    first = capsys.readouterr().out.splitlines()[0]
    command = _COMMAND.fullmatch(first)
    assert command is not None
    assert command["file"] == f"{tmp_path}/a%2Cline=1%3A%3Ab%25.yaml"


def test_the_json_has_the_expectations_with_their_moments(failing, capsys):
    assert main(["check", str(failing), "--json"]) == 1

    _, release = json.loads(capsys.readouterr().out)
    assert [one["story_step"] for one in release["expectations"]] == [14, 14]
    assert release["expectations"][1] == {
        "name": "/steps/16: leader, replicas, violated, lost",
        "line": 29,
        "column": 5,
        "story_step": 14,
        "failures": [
            {"line": 31, "column": 15, "text": "/steps/16/expect/leader: expected 2, got 1"}
        ],
    }


@pytest.mark.parametrize("others", [["--format", "junit"], ["-o", "report.xml"]])
def test_json_is_a_report_of_its_own(loss, others, capsys):
    assert main(["check", str(loss), "--json", *others]) == 2
    assert capsys.readouterr().err.startswith("--json is a report of its own")

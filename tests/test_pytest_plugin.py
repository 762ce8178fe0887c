"""The plug-in of pytest, in a project that uses it."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from junitparser import Failure, JUnitXml

from tests.sim_engine.command_line.conftest import LOSS

# What a project has of Highwater in its own process.
OTHER_TEST = """\
import sys

def test_nothing_else_is_loaded():
    assert {"sim_engine", "backend", "msgspec", "yaml"}.isdisjoint(sys.modules)
"""


def pytest_in(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest there with this plug-in alone, with warnings as errors."""
    others = ("playwright", "base_url", "asyncio", "anyio", "xdist", "hypothesispytest")
    without = [word for name in others for word in ("-p", f"no:{name}")]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *without, "-W", "error", *options],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_each_expectation_is_a_test_and_a_failed_one_has_its_picture(tmp_path):
    (tmp_path / "test_other.py").write_text(OTHER_TEST)
    scenarios = tmp_path / "scenarios"
    scenarios.mkdir()
    (scenarios / "not-a-test.yaml").write_text("id: x")
    file = scenarios / "loss.highwater.yaml"
    file.write_text(LOSS.replace("lost: []", "lost: [m1]"))

    done = pytest_in(tmp_path, "--junit-xml", "out/report.xml", "-k", "2.0.1 or loaded")

    assert done.returncode == 1, done.stdout + done.stderr
    picture = tmp_path / "out/highwater-pictures/scenarios-loss-2.0.1-step-14.svg"
    reported = f"{file}:33:13: /steps/16/expect/lost: expected [m1], got []\npicture: {picture}\n"
    assert reported in done.stdout
    assert "Traceback" not in done.stdout
    assert ElementTree.parse(picture).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    [suite] = JUnitXml.fromfile(str(tmp_path / "out/report.xml"))
    failed, passed = {}, []
    for case in suite:
        if case.is_passed:
            passed.append(case.name)
        else:
            failed[case.name] = case
    assert passed == ["Kafka 2.0.1: the steps run as written", "test_nothing_else_is_loaded"]
    [(name, case)] = failed.items()
    assert name == "Kafka 2.0.1: /steps/16: leader, replicas, violated, lost"
    assert isinstance(case.result[0], Failure)
    [written] = ElementTree.parse(tmp_path / "out/report.xml").iter("property")
    assert written.attrib == {"name": "highwater_picture", "value": str(picture)}


def test_an_invalid_file_is_an_error_with_its_place(tmp_path):
    file = tmp_path / "wrong.highwater.yaml"
    file.write_text(LOSS.replace("crash: {broker: 1}", "crash: {broker: 9}"))

    done = pytest_in(tmp_path)

    assert done.returncode == 2
    assert f"{file}:14:21: /steps/7/crash/broker: there is no broker 9" in done.stdout
    assert "Traceback" not in done.stdout

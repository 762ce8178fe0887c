"""The plug-in of pytest: scenarios named `*.highwater.yaml` are tests, one for each expectation
under each release. A failed one names the picture of its moment.

Runs are checked and drawn by the program, in processes of their own: nothing of Highwater is
imported into the tests of a project, and nothing at all happens in one without such files.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import pytest

_SUFFIX = ".highwater.yaml"
_FOLDER = pytest.StashKey[Path]()
_DRAWN = pytest.StashKey[dict[Path, subprocess.CompletedProcess[str]]]()
_WRONG_INPUT = 2


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect scenarios by their names."""
    if not file_path.name.endswith(_SUFFIX):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


class ScenarioFile(pytest.File):
    """A scenario: it is run once, under every release that it names."""

    def collect(self) -> Iterator[pytest.Item]:
        """The expectations, or the errors of an invalid file."""
        done = _program("check", "--json", str(self.path))
        if done.returncode >= _WRONG_INPUT or not done.stdout:
            raise self.CollectError(done.stderr.strip())
        for release in json.loads(done.stdout):
            for expectation in release["expectations"]:
                yield Expectation.from_parent(
                    self,
                    name=f"Kafka {release['kafka']}: {expectation['name']}",
                    kafka=release["kafka"],
                    about=expectation,
                )


class _Failure(TypedDict):
    line: int
    column: int
    text: str


class _About(TypedDict):
    """An expectation, as `check --json` prints it."""

    line: int
    story_step: int
    failures: list[_Failure]


class _NotMetError(Exception):
    """An expectation is not met; the message is the report."""


class Expectation(pytest.Item):
    """One expectation under one release."""

    # Any: from_parent passes on what pytest's own items take.
    def __init__(self, *, kafka: str, about: _About, **others: Any) -> None:
        super().__init__(**others)
        self._kafka = kafka
        self._about = about

    def runtest(self) -> None:
        """Fail, with a picture, if it is not met."""
        failures = self._about["failures"]
        if not failures:
            return
        lines = [f"{self.path}:{one['line']}:{one['column']}: {one['text']}" for one in failures]
        raise _NotMetError("\n".join([*lines, self._picture()]))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """The report, without a traceback of this plug-in."""
        is_report = isinstance(excinfo.value, _NotMetError)
        return str(excinfo.value if is_report else super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Its place in the file."""
        return self.path, self._about["line"] - 1, self.name

    def _picture(self) -> str:
        """Draw the moment, and return where it is, or why there is none."""
        moment = str(self._about["story_step"])
        scenario = self.nodeid.partition("::")[0].removesuffix(_SUFFIX).replace("/", "-")
        file = _folder(self.config) / f"{scenario}-{self._kafka}-step-{moment}.svg"
        drawn = self.config.stash.setdefault(_DRAWN, {})
        if file not in drawn:
            step = ("--kafka", self._kafka, "--step", moment)
            drawn[file] = _program("render", str(self.path), *step, "-o", str(file))
        if drawn[file].returncode != 0:
            return f"no picture: {drawn[file].stderr.strip()}"
        self.user_properties.append(("highwater_picture", str(file)))
        return f"picture: {file}"


def _folder(config: pytest.Config) -> Path:
    """Where pictures are written: beside the JUnit report, otherwise in a temporary folder."""
    if _FOLDER not in config.stash:
        report = config.getoption("xmlpath", None)
        if report is None:
            config.stash[_FOLDER] = Path(tempfile.mkdtemp(prefix="highwater-"))
        else:
            config.stash[_FOLDER] = Path(report).absolute().parent / "highwater-pictures"
            config.stash[_FOLDER].mkdir(parents=True, exist_ok=True)
    return config.stash[_FOLDER]


def _program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program `highwater`; -P: without the modules of the project that is tested."""
    command = [sys.executable, "-P", "-m", "highwater_kafka", *arguments]
    return subprocess.run(  # noqa: S603  # its arguments are no shell's
        command, capture_output=True, text=True, encoding="utf-8", check=False
    )

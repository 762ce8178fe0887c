"""A job again and again: when, what ends it, and that it leaves nothing running."""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analytics.repeating import repeat, run_once, seconds_of


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30m", 1800), ("1h", 3600), ("2d", 172_800)]
)
def test_a_time_is_a_number_and_its_unit(text: str, seconds: int) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "1", "h", "0s", "-1h", "1.5h", "1h30m", "1w", "9999999s"])
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="30m or 1h"):
        seconds_of(text)


class StoppedError(Exception):
    """Ends the repetition from within its sleep."""


def stop_after(times: int) -> tuple[list[float], Callable[[float], None]]:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == times:
            raise StoppedError

    return slept, sleep


def test_each_run_is_a_process_that_gets_the_variables(tmp_path: Path) -> None:
    file = tmp_path / "said"
    script = f"import os; open({str(file)!r}, 'a').write(os.environ['SAID'])"
    slept, sleep = stop_after(3)

    with pytest.raises(StoppedError):
        repeat([sys.executable, "-c", script], {"SAID": "x"}, every_seconds=3600, sleep=sleep)

    assert file.read_text() == "xxx"
    assert all(0 < seconds < 3600 for seconds in slept)


def test_a_run_that_took_too_long_is_followed_at_once() -> None:
    slept, sleep = stop_after(1)

    with pytest.raises(StoppedError):
        repeat([sys.executable, "-c", ""], {}, every_seconds=0, sleep=sleep)

    assert slept == [0]


def test_only_the_first_failure_ends_it(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        repeat([sys.executable, "-c", "raise SystemExit(1)"], {}, every_seconds=1)
    assert ended.value.code == 1

    # The first run makes the file and succeeds; the others find it and fail.
    script = f"open({str(tmp_path / 'made')!r}, 'x').close()"
    slept, sleep = stop_after(2)
    with pytest.raises(StoppedError):
        repeat([sys.executable, "-c", script], {}, every_seconds=0, sleep=sleep)
    assert slept == [0, 0]


def test_what_interrupts_the_wait_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    wait = subprocess.Popen.wait

    def interrupted(process: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        if not started:
            started.append(process)
            raise StoppedError
        return wait(process, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)

    with pytest.raises(StoppedError):
        run_once([sys.executable, "-c", "import time; time.sleep(600)"], {})

    assert started[0].returncode == -signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(started[0].pid, 0)

"""A repeated job: when it runs, what ends it, and that no process is left."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analytics.__main__ import repeat, run_once


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


def test_the_next_run_starts_immediately_after_one_that_took_too_long() -> None:
    slept, sleep = stop_after(1)

    with pytest.raises(StoppedError):
        repeat([sys.executable, "-c", ""], {}, every_seconds=0, sleep=sleep)

    assert slept == [0]


def test_only_the_first_failure_ends_it(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        repeat([sys.executable, "-c", "raise SystemExit(1)"], {}, every_seconds=1)
    assert ended.value.code == 1

    # The first run creates the file and succeeds; the others find it and fail.
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

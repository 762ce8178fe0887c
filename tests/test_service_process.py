"""A service that hangs while it starts or ends is not left running."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import service_process
from tests.service_process import Server


def hanging(folder: Path, before: str) -> Server:
    program = f"import os, signal, sys, time; {before}; time.sleep(30); sys.exit('late')"
    return Server(folder, program=[sys.executable, "-c", program])


@pytest.mark.parametrize("then", ["pass", "os.close(2)"])
def test_a_start_that_hangs_is_killed(tmp_path: Path, then: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service_process, "_STARTS_WITHIN_S", 3)

    with pytest.raises(AssertionError, match="did not start") as failed:
        hanging(tmp_path, f"print(os.getpid(), file=sys.stderr, flush=True); {then}")

    with pytest.raises(ProcessLookupError):
        os.kill(int(str(failed.value).split()[-1]), 0)


def test_an_end_that_hangs_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service_process, "_ENDS_WITHIN_S", 0.1)
    ignoring = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    ready = "print('Highwater is on http://here/', file=sys.stderr, flush=True)"
    server = hanging(tmp_path, f"{ignoring}; {ready}")

    with pytest.raises(subprocess.TimeoutExpired):
        server.end()

    assert server.process.returncode is not None

"""Temporary folders of jobs: removed at the end or, after a job was killed, by the next one."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from analytics.job_process import scratch_folder

HOLDER = """
import time
from analytics.job_process import scratch_folder
with scratch_folder() as folder:
    (folder / "shares.parquet").write_text("shares")
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_deleted_when_its_job_ends_or_fails(temporary: Path) -> None:
    def work() -> None:
        with scratch_folder() as folder:
            seen.append(folder.parent)
            raise ValueError("failed")

    seen: list[Path] = []

    with pytest.raises(ValueError, match="failed"):
        work()

    assert seen == [temporary]
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_killed_job_is_removed_by_the_next_and_that_of_a_living_one_is_not(
    repository: Path,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True, cwd=repository
    ) as job:
        assert job.stdout is not None
        left = Path(job.stdout.readline().strip())
        with scratch_folder():
            assert (left / "shares.parquet").exists(), "its job lives"

        job.send_signal(signal.SIGKILL)
        job.wait()
        assert (left / "shares.parquet").exists()

        with scratch_folder() as folder:
            assert not left.exists()
            assert folder.exists()


def test_what_is_not_a_folder_of_a_job_stays(temporary: Path) -> None:
    (temporary / "highwater-job-of-mine").mkdir()
    (temporary / "held").touch()

    with scratch_folder():
        assert (temporary / "highwater-job-of-mine").exists()

    assert (temporary / "held").exists()

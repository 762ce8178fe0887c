"""A temporary folder for the files of one job, which is deleted even if the job is killed.

A job holds a lock on a file in its folder until its process ends, for whatever reason. The next job
removes the folders whose lock is free.
"""

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "highwater-job-"
_HELD = "held"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder in the system's temporary folder, removed when the block ends.

    First removes the folders of jobs that were killed.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        folder = Path(name)
        # Other jobs look only at folders with the final name, and by then the lock is held.
        with (folder / "taking").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (folder / "taking").rename(folder / _HELD)
            yield folder


def _remove_abandoned(temporary: Path) -> None:
    for lock in temporary.glob(f"{_PREFIX}*/{_HELD}"):
        try:
            with lock.open("r+") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:
            continue  # it is in use, being removed, or another user's

"""A folder for the files of one job, which goes with the job: also with one that was killed.

A job holds a lock in its folder for as long as it lives, whatever ends it. The next job removes
folders whose lock nobody holds.
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
    """A new folder among the system's temporary ones, removed when the block ends.

    First it removes those of jobs that were killed.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        folder = Path(name)
        # Others look at it under its final name only, when the lock is held.
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
            continue  # its job lives, or another one removes it, or it is somebody else's

"""`highwater summarize`, `campaign` and `search-grid`: Spark jobs.

A job is a separate process, because the service's environment does not have Spark.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec

from backend.commands.outcome import DONE, CommandError, settings_of, status_of

MODULES = (
    "adbc_driver_manager",
    "adbc_driver_postgresql",
    "adbc_driver_sqlite",
    "numpy",
    "pandas",
    "pyarrow",
    "pyspark",
    "scipy",
    "statsmodels",
)
"""What the extra `spark` installs and the jobs import."""


def run(job: str, arguments: Sequence[str], *, database_url: str | None = None) -> int:
    """Run a Spark job with these arguments and return its exit status. `summarize` reads the
    service's database; other jobs read none.
    """
    status = DONE

    def work() -> None:
        nonlocal status
        if any(find_spec(module) is None for module in MODULES):
            raise CommandError(
                f"{job} needs Spark, which is not installed: pip install 'highwater-kafka[spark]'"
            )
        if job != "summarize":
            status = _run_job(job, arguments, {})
            return
        # Passed in the environment: every user of the machine can read a process's arguments.
        variables = {"HIGHWATER_DATABASE_URL": settings_of(database_url=database_url).database_url}
        status = _run_job(job, list(_without_database(arguments)), variables)

    return status_of(work) or status


def _without_database(arguments: Sequence[str]) -> Iterator[str]:
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--database":
            next(remaining, None)
        elif not argument.startswith("--database="):
            yield argument


def _run_job(job: str, arguments: Sequence[str], variables: Mapping[str, str]) -> int:
    """Run a job in a separate process, which prints its progress. Signals are forwarded to it."""
    environment = {
        **os.environ,
        # Spark's workers must use the same Python; otherwise the job's imports fail.
        "PYSPARK_PYTHON": sys.executable,
        **variables,
    }
    with (
        subprocess.Popen(  # noqa: S603  # our own module, and no shell
            [sys.executable, "-m", "analytics", job, *arguments], env=environment
        ) as process,
        _handing_on(signal.SIGTERM, process),
    ):
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            return process.wait()


@contextmanager
def _handing_on(number: signal.Signals, process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Inside the block, forwards signals to the process, whose exit ends this one."""
    before = signal.signal(number, lambda *_: process.send_signal(number))
    try:
        yield
    finally:
        signal.signal(number, before)

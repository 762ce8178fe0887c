"""Starts Spark without console output, in UTC, with workers that use this Python interpreter."""

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from analytics.errors import JavaMissingError, SparkFailedError

# The grouped frames are small: Spark's default of 200 would create 200 nearly empty tasks.
_SHUFFLE_PARTITIONS = 8
_STANDARD_ERROR = 2
# Of a cluster that has workers: they start a JVM each.
_EXECUTOR_WITHIN_S = 60.0
_JAVA_CAUSE = re.compile(r"(.*[: ])?[\w.$]+(Exception|Error): (?P<message>.+)")


@contextmanager
def spark_session(
    master: str,
    *,
    java_options: Sequence[str] = (),
    executor_within_s: float = _EXECUTOR_WITHIN_S,
) -> Iterator[SparkSession]:
    """A Spark session on `master`, stopped when the block ends.

    Raises JavaMissingError, and SparkFailedError if it does not start, if a cluster gives it no
    executor in time, or if it fails in the block.
    """
    _require_java()
    # Another `python3` on the path may not have our packages and would fail without a message.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = (
        SparkSession.builder.master(master)
        .appName("highwater")
        .config("spark.driver.extraJavaOptions", " ".join(java_options))
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", _SHUFFLE_PARTITIONS)
        .config("spark.sql.catalogImplementation", "in-memory")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
    )
    with tempfile.TemporaryFile() as said_by_java:
        try:
            with _standard_error_going_to(said_by_java):
                session = builder.getOrCreate()
        except (PySparkException, Py4JError) as error:
            said = f"{error}\n{_contents(said_by_java)}"
            raise SparkFailedError(f"Spark did not start on {master}: {_reason(said)}") from error
        try:
            if master.startswith("spark://"):
                _wait_for_executor(session, master, executor_within_s)
            yield session
        except (PySparkException, Py4JError) as error:
            raise SparkFailedError(f"Spark failed: {_reason(str(error))}") from error
        finally:
            session.stop()


def _wait_for_executor(session: SparkSession, master: str, within_s: float) -> None:
    """A master without free workers lets a job wait for ever, and says so only in its own log."""
    context = session.sparkContext._jsc.sc()
    until = time.monotonic() + within_s
    while context.getExecutorMemoryStatus().size() < 2:  # the driver is one of them
        if time.monotonic() > until:
            raise SparkFailedError(
                f"no worker of {master} accepted the job within {within_s:.0f} seconds:"
                " start a worker, or wait until one has a core and 1 GiB free"
            )
        time.sleep(0.2)


@contextmanager
def _standard_error_going_to(file: BinaryIO) -> Iterator[None]:
    """Redirect Java's standard error, where it prints greetings, warnings and hints.

    Failures are reported as exceptions.
    """
    sys.stderr.flush()
    kept = os.dup(_STANDARD_ERROR)
    os.dup2(file.fileno(), _STANDARD_ERROR)
    try:
        yield
    finally:
        os.dup2(kept, _STANDARD_ERROR)
        os.close(kept)


def _contents(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _reason(said: str) -> str:
    """The most useful line: the innermost cause, if Java gives one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    causes = [match["message"] for line in lines if (match := _JAVA_CAUSE.match(line))]
    return (causes or lines or ["no reason given"])[-1]


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")
    if java is None:
        raise JavaMissingError("Spark needs Java 17 or newer: install one, or set JAVA_HOME")

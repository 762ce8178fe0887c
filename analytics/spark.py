"""Starts Spark in UTC, with workers that use this Python interpreter.

Of what Java prints, only Spark's warnings and errors reach standard error.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from analytics.errors import JavaMissingError, SparkFailedError

# The grouped frames are small: Spark's default of 200 would create 200 nearly empty tasks.
_SHUFFLE_PARTITIONS = 8
_STANDARD_ERROR = 2
# Of a cluster that has workers: they start a JVM each.
_EXECUTOR_WITHIN_S = 60.0
_JAVA_ENDS_WITHIN_S = 20
_STATUS_OF_SIGTERM = 128 + signal.SIGTERM
# `26/03/01 12:00:00 WARN TaskSchedulerImpl: …`
_LOGGED = re.compile(r"[\d/:. ]*\b(?P<said>(WARN|ERROR) \S.*)")
_JAVA_CAUSE = re.compile(r"(.*[: ])?[\w.$]+(Exception|Error): (?P<message>.+)")

# Java, of the sessions that run.
_running: "list[subprocess.Popen[bytes]]" = []


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
        # Wide plans are no news: at 25 fields Spark would warn of each.
        .config("spark.sql.debug.maxToStringFields", 1000)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
    )
    java = JavaOutput(sys.stderr)
    try:
        with java.collecting():
            session = builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        said = f"{error}\n{java.said_at_start()}"
        raise SparkFailedError(f"Spark did not start on {master}: {_reason(said)}") from error
    process = _process_of(session)
    _running.append(process)
    try:
        if master.startswith("spark://"):
            _wait_for_executor(session, master, executor_within_s)
        yield session
    except (KeyboardInterrupt, SystemExit):
        # It may have come in the middle of a call to Java, whose answers are then out of step.
        _end(process)
        raise
    except BaseException as error:
        if _is_ending(process):
            _end(process)
            raise SystemExit(_STATUS_OF_SIGTERM) from error
        session.stop()
        if isinstance(error, PySparkException | Py4JError):
            raise SparkFailedError(f"Spark failed: {_reason(str(error))}") from error
        raise
    else:
        session.stop()
    finally:
        _running.remove(process)


def begin_to_end_java() -> None:
    """Tell the Java of every session to stop its job, delete its files and end. Does not wait.

    For the handler of a signal. The main thread would go on waiting otherwise: PySpark calls Java
    once more while an exception leaves an action, and gets no answer before the job ends.
    """
    for process in _running:
        if process.stdin is not None:
            process.stdin.close()  # what it waits for


def _process_of(session: SparkSession) -> "subprocess.Popen[bytes]":
    gateway = session.sparkContext._gateway
    assert gateway is not None
    process: subprocess.Popen[bytes] = gateway.proc
    return process


def _is_ending(process: "subprocess.Popen[bytes]") -> bool:
    return process.stdin is not None and process.stdin.closed


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End Java, which stops the job and deletes its files before; kill it if it takes too long."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(_JAVA_ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()


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


class JavaOutput:
    """Java's standard error: kept while Spark starts; afterwards its warnings are passed on.

    Greetings and hints are dropped. Failures are reported as exceptions.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._kept: list[str] = []
        self._is_starting = True
        self._reader: threading.Thread | None = None

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Processes that start in the block write to a pipe, for as long as they run."""
        sys.stderr.flush()
        reading, writing = os.pipe()
        kept = os.dup(_STANDARD_ERROR)
        os.dup2(writing, _STANDARD_ERROR)
        os.close(writing)
        # A daemon: Java may outlive the session, and ends with this process.
        self._reader = threading.Thread(target=self._read, args=(reading,), daemon=True)
        self._reader.start()
        try:
            yield
        finally:
            os.dup2(kept, _STANDARD_ERROR)
            os.close(kept)
            self._is_starting = False

    def said_at_start(self) -> str:
        """What was printed before Spark had started."""
        if self._reader is not None:
            # It ends when Java did; where Java still runs, what it said has been read by now.
            self._reader.join(1)
        return "".join(self._kept)

    def _read(self, reading: int) -> None:
        with open(reading, errors="replace") as lines:
            for line in lines:
                if self._is_starting:
                    self._kept.append(line)
                elif logged := _LOGGED.match(line):
                    self._stream.write(f"Spark: {logged['said'].rstrip()}\n")
                    self._stream.flush()


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

"""Gives a job its Spark session: the one of `spark-submit` or of a Spark Connect server, with
whatever the submitter set, or a new one in a Java process of ours.

Of the output of our own Java process, only Spark's warnings and errors are printed to standard
error.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NoReturn, TextIO
from urllib.parse import urlsplit

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException, PySparkImportError
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from analytics.errors import JavaMissingError, MasterTwiceError, SparkConnectError, SparkFailedError
from analytics.progress import Progress

_DEFAULTS = {
    "spark.sql.shuffle.partitions": "8",
    # Otherwise Spark warns of each plan with 25 or more fields.
    "spark.sql.debug.maxToStringFields": "1000",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.catalogImplementation": "in-memory",
}
"""Settings of our own Java process. `PYSPARK_SUBMIT_ARGS` and `spark-defaults.conf` can change
them.
"""
SPARK_ERRORS = (PySparkException, Py4JError)
"""What PySpark raises if a stage fails."""
_GATEWAY = "PYSPARK_GATEWAY_PORT"
"""Set in the processes that `spark-submit` starts: Java is already running."""
_REMOTE = "SPARK_REMOTE"
"""The address of a Spark Connect server, as PySpark reads it."""
_JAVA_OPTIONS = "SPARK_SUBMIT_OPTS"
_STANDARD_ERROR = 2
_STARTED = "-- Spark has started --\n"
"""The line that ends the output of the start. It is never printed."""
_STOPS = "-- Spark stops --\n"
"""The line that begins the output of the end. It is never printed."""
# For a cluster with workers, each of which starts a JVM.
_EXECUTOR_WITHIN_S = 60.0
_JAVA_ENDS_WITHIN_S = 20
_SERVER_WITHIN_S = 10
_CONNECT_PORT = 15002
"""The default of Spark Connect."""
_STATUS_OF_SIGTERM = 128 + signal.SIGTERM
# `26/03/01 12:00:00 WARN TaskSchedulerImpl: …`
_LOGGED = re.compile(r"[\d/:. ]*\b(?P<said>(?P<level>WARN|ERROR) \S.*)")
_JAVA_CAUSE = re.compile(r"(.*[: ])?[\w.$]+(Exception|Error): (?P<message>.+)")

# The Java processes of the running sessions.
_running: "list[subprocess.Popen[bytes]]" = []


@contextmanager
def spark_session(
    master: str | None = None,
    *,
    java_options: Sequence[str] = (),
    executor_within_s: float = _EXECUTOR_WITHIN_S,
) -> Iterator[SparkSession]:
    """A Spark session, stopped when the block ends.

    `master` is only for a Java process of ours. None: the one of Spark's configuration, by default
    `local[*]`. Raises MasterTwiceError if `spark-submit` or SPARK_REMOTE has chosen one,
    JavaMissingError, SparkConnectError if that server cannot be used, and SparkFailedError if Spark
    does not start, if a cluster gives it no executor in time, or if it fails in the block.
    """
    if _GATEWAY not in os.environ and not os.environ.get(_REMOTE):
        with _own_session(master, java_options, executor_within_s) as session:
            yield session
        return
    if master is not None:
        raise MasterTwiceError(
            "--master is an option of spark-submit here: leave it out after the job's name"
            if _GATEWAY in os.environ
            else "SPARK_REMOTE names a Spark Connect server: leave --master out"
        )
    with _given_session() as session:
        yield session


@contextmanager
def shown_start(
    progress: Progress, session: AbstractContextManager[SparkSession]
) -> Iterator[SparkSession]:
    """A Spark session, whose start is a stage of the progress."""
    with ExitStack() as running:
        with progress.stage("starting Spark") as stage:
            spark = running.enter_context(session)
            stage.result = f"started Spark on {place_of(spark)}"
        yield spark


def require_java(job: str) -> None:
    """Raise SparkConnectError if Spark is a Spark Connect server: its Java process, which has the
    file systems, cannot be called from here.
    """
    if os.environ.get(_REMOTE):
        raise SparkConnectError(
            f"{job} does not run on a Spark Connect server (SPARK_REMOTE): use spark-submit"
        )


def place_of(session: SparkSession) -> str:
    """Where a session runs, for people: its master."""
    return "a Spark Connect server" if is_remote() else str(session.sparkContext.master)


@contextmanager
def _given_session() -> Iterator[SparkSession]:
    """The session of `spark-submit` or of a Spark Connect server. Only how Spark reads times is
    set, which is a part of the jobs.
    """
    _require_server()
    builder = SparkSession.builder.config("spark.sql.session.timeZone", "UTC")
    try:
        session = builder.getOrCreate()
    except PySparkImportError as error:
        raise SparkConnectError(
            "a Spark Connect server (SPARK_REMOTE) needs packages that are not installed:"
            " pip install 'pyspark[connect]'"
        ) from error
    except SPARK_ERRORS as error:
        raise SparkFailedError(f"Spark did not start: {reason_of(str(error))}") from error
    try:
        yield session
    except (KeyboardInterrupt, SystemExit):
        # It may have interrupted a call to Java, which `spark-submit` ends after this process.
        raise
    except BaseException as error:
        _stop_after(error, session)
    else:
        session.stop()


@contextmanager
def _own_session(
    master: str | None, java_options: Sequence[str], executor_within_s: float
) -> Iterator[SparkSession]:
    _require_java()
    # Another `python3` on the path may not have our packages and would fail without a message.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if _is_local(master):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.appName("highwater").config("spark.sql.session.timeZone", "UTC")
    if master is not None:
        builder = builder.master(master)
    # Java's system properties have the lowest priority of all settings.
    defaults = [f"-D{name}={value}" for name, value in _DEFAULTS.items()]
    java = JavaOutput(sys.stderr)
    try:
        with java.collecting(), _java_options([*java_options, *defaults]):
            session = builder.getOrCreate()
    except SPARK_ERRORS as error:
        output = f"{error}\n{java.said_at_start()}"
        where = "" if master is None else f" on {master}"
        raise SparkFailedError(f"Spark did not start{where}: {reason_of(output)}") from error
    process = _process_of(session)
    _running.append(process)
    try:
        if place_of(session).startswith("spark://"):
            _wait_for_executor(session, place_of(session), executor_within_s)
        try:
            yield session
        finally:
            java.stops()
    except (KeyboardInterrupt, SystemExit):
        # The exception may have interrupted a call to Java. The replies on the connection then no
        # longer match the calls.
        _end(process)
        raise
    except BaseException as error:
        if _is_ending(process):
            _end(process)
            raise SystemExit(_STATUS_OF_SIGTERM) from error
        _stop_after(error, session)
    else:
        session.stop()
    finally:
        _running.remove(process)


def _stop_after(error: BaseException, session: SparkSession) -> NoReturn:
    """Stop a session in which this error was raised, and raise it: Spark's as SparkFailedError."""
    session.stop()
    if isinstance(error, SPARK_ERRORS):
        raise SparkFailedError(f"Spark failed: {reason_of(str(error))}") from error
    raise error


def _require_server() -> None:
    """Raise SparkConnectError if the Spark Connect server cannot be reached, which PySpark
    itself would try for ten minutes without a word.
    """
    address = os.environ.get(_REMOTE, "")
    if not address.startswith("sc://"):
        return
    try:
        server = urlsplit(address)
        socket.create_connection(
            (server.hostname or "", server.port or _CONNECT_PORT), _SERVER_WITHIN_S
        ).close()
    except (OSError, ValueError) as error:
        raise SparkConnectError(
            f"cannot reach the Spark Connect server of SPARK_REMOTE: {error}"
        ) from error


def _is_local(master: str | None) -> bool:
    """Whether Spark runs on this machine. Without a master it does, unless Spark is configured."""
    if master is not None:
        return master.startswith("local")
    return not {"PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR", "SPARK_HOME"} & os.environ.keys()


@contextmanager
def _java_options(options: Sequence[str]) -> Iterator[None]:
    """Inside the block, Java starts with these options, and the user's after them."""
    users = os.environ.get(_JAVA_OPTIONS)
    os.environ[_JAVA_OPTIONS] = " ".join([*options, *([users] if users else [])])
    try:
        yield
    finally:
        if users is None:
            del os.environ[_JAVA_OPTIONS]
        else:
            os.environ[_JAVA_OPTIONS] = users


def begin_to_end_java() -> None:
    """Signal every session's Java process to stop its job, delete its files and exit. Does not
    wait.

    Called from a signal handler. Otherwise the main thread would keep waiting: when an exception
    leaves an action, PySpark calls Java once more, and Java does not reply before the job ends.
    """
    for process in _running:
        if process.stdin is not None:
            process.stdin.close()


def _process_of(session: SparkSession) -> "subprocess.Popen[bytes]":
    gateway = session.sparkContext._gateway
    assert gateway is not None
    process: subprocess.Popen[bytes] = gateway.proc
    return process


def _is_ending(process: "subprocess.Popen[bytes]") -> bool:
    return process.stdin is not None and process.stdin.closed


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End Java, which first stops the job and deletes its files. Kill it if it takes too long."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(_JAVA_ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _wait_for_executor(session: SparkSession, master: str, within_s: float) -> None:
    """Raise SparkFailedError if no executor starts in time.

    Without free workers, a master lets a job wait forever and reports it only in its own log.
    """
    context = session.sparkContext._jsc.sc()
    until = time.monotonic() + within_s
    while context.getExecutorMemoryStatus().size() < 2:  # the driver counts as one
        if time.monotonic() > until:
            raise SparkFailedError(
                f"no worker of {master} accepted the job within {within_s:.0f} seconds:"
                " start a worker, or wait until one has a core and 1 GiB free"
            )
        time.sleep(0.2)


class JavaOutput:
    """Java's standard error: collected while Spark starts; afterwards only its warnings are
    printed, and only its errors while Spark stops.

    Banners and hints are omitted. Failures are reported as exceptions.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._kept: list[str] = []
        self._reader: threading.Thread | None = None
        self._writing: int | None = None

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Processes that start inside the block write to a pipe until they end."""
        sys.stderr.flush()
        reading, writing = os.pipe()
        kept = os.dup(_STANDARD_ERROR)
        os.dup2(writing, _STANDARD_ERROR)
        self._writing = writing
        # A daemon thread: Java may outlive the session, and ends with this process.
        self._reader = threading.Thread(target=self._read, args=(reading,), daemon=True)
        self._reader.start()
        try:
            yield
        finally:
            # In the pipe itself: the reader may be behind.
            os.write(_STANDARD_ERROR, f"\n{_STARTED}".encode())
            os.dup2(kept, _STANDARD_ERROR)
            os.close(kept)

    def stops(self) -> None:
        """Print only errors from now on. While Spark stops, it warns that messages of executors
        arrive too late.
        """
        if self._writing is not None:
            os.write(self._writing, f"\n{_STOPS}".encode())
            os.close(self._writing)
            self._writing = None

    def said_at_start(self) -> str:
        """The output before Spark had started. Only errors are printed from now on."""
        self.stops()
        if self._reader is not None:
            # The thread ends when Java does. If Java is still running, its output has been read by
            # now.
            self._reader.join(1)
        return "".join(self._kept)

    def _read(self, reading: int) -> None:
        with open(reading, errors="replace") as lines:
            for line in lines:
                if line == _STARTED:
                    break
                self._kept.append(line)
            is_stopping = False
            for line in lines:
                is_stopping = is_stopping or line == _STOPS
                logged = _LOGGED.match(line)
                if logged and (logged["level"] == "ERROR" or not is_stopping):
                    self._stream.write(f"Spark: {logged['said'].rstrip()}\n")
                    self._stream.flush()


def reason_of(output: str) -> str:
    """The most useful line of the output: the innermost cause, if Java prints one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    causes = [match["message"] for line in lines if (match := _JAVA_CAUSE.match(line))]
    return (causes or lines or ["no reason given"])[-1]


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")
    if java is None:
        raise JavaMissingError("Spark needs Java 17 or newer: install one, or set JAVA_HOME")

"""One command per job: `python -m analytics summarize`, `campaign`, `search-grid`.

Exit status: 0 if the job succeeded; 1 if it failed; 2 if it was not carried out, because its input
is invalid or the database, a file or Java cannot be used; 130 if it was interrupted, 143 if it was
ended by SIGTERM. For 1 and 2, one line on standard error gives the reason.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from types import FrameType
from typing import Never

from analytics.connecting import Connector
from analytics.errors import AnalyticsError, GridInvalidError, NotCarriedOutError
from analytics.jobs.summarize_runs import summarize_runs
from analytics.progress import Progress
from analytics.spark import begin_to_end_java, spark_session
from sim_engine.command_line import Parser, as_program
from sim_engine.command_line.spark_jobs import SPARK_JOBS, job_parser

_DATABASE = "HIGHWATER_DATABASE_URL"
_FAILED = 1
_INTERRUPTED = 130
_NOT_CARRIED_OUT = 2
_DEFAULT_DATABASE = "sqlite:///highwater.db"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one job and return its exit status."""
    # Raised as an exception, so that Spark is stopped and the exported shares are deleted.
    signal.signal(signal.SIGTERM, _end)
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = Parser(prog="python -m analytics", description="Highwater's Spark jobs.")
    parser.add_argument("job", metavar="JOB", choices=SPARK_JOBS, help=", ".join(SPARK_JOBS))
    job, rest = parser.parse_args(words[:1]).job, words[1:]
    if job == "campaign":
        # Campaigns need neither the database nor ADBC, and a replay does not need Spark.
        from analytics.campaigns.command import run

        return _status(job, partial(run, rest))
    if job == "search-grid":
        from analytics.campaigns import search_command

        return _status(job, partial(search_command.run, rest))
    options = job_parser(job).parse_args(rest)
    if options.database is None:
        options.database = os.environ.get(_DATABASE) or _DEFAULT_DATABASE
    if options.every is None:
        return _status(job, partial(_summarize, options))
    database = {_DATABASE: options.database}
    return _status(job, partial(repeat, _once(options), database, every_seconds=options.every))


def repeat(
    command: Sequence[str],
    variables: Mapping[str, str],
    *,
    every_seconds: float,
    sleep: Callable[[float], None] = time.sleep,
) -> Never:
    """Run the command, wait, and run it again until an exception is raised.

    `every_seconds` is the time from start to start. If a run takes longer, the next one starts
    immediately; runs never overlap. A failed run prints its reason to standard error, and the next
    run tries again. Only if the first run fails, SystemExit is raised with its status, because then
    the settings are probably wrong. Separate processes return Java's memory between runs.
    """
    is_first = True
    while True:
        started = time.monotonic()
        status = run_once(command, variables)
        if is_first and status:
            raise SystemExit(status)
        is_first = False
        left = max(0.0, every_seconds - (time.monotonic() - started))
        sys.stderr.write(f"the next summary starts in {left:,.0f} s\n")
        sys.stderr.flush()
        sleep(left)


def run_once(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Run the command and return its exit status. If an exception is raised meanwhile, for example
    by a signal, the process is ended first.
    """
    with subprocess.Popen(  # noqa: S603 (our own module, and no shell)
        command, env={**os.environ, **variables}
    ) as process:
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if status == _INTERRUPTED:
        raise KeyboardInterrupt
    return status


def _once(options: argparse.Namespace) -> list[str]:
    """The command that writes one summary. The database's address may contain a password."""
    command = [sys.executable, "-m", "analytics", "summarize"]
    if options.master is not None:
        command += ["--master", options.master]
    if options.keep_parquet is not None:
        command += ["--keep-parquet", options.keep_parquet]
    if options.json:
        command.append("--json")
    return command


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second signal must not interrupt the cleanup
    begin_to_end_java()
    raise SystemExit(128 + number)


def _status(job: str, work: Callable[[], None]) -> int:
    try:
        work()
    except GridInvalidError as error:
        print(error, file=sys.stderr)
        return _NOT_CARRIED_OUT
    except AnalyticsError as error:
        _report(job, str(error))
        return _NOT_CARRIED_OUT if isinstance(error, NotCarriedOutError) else _FAILED
    except OSError as error:
        _report(job, f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return _NOT_CARRIED_OUT
    except KeyboardInterrupt:
        return _INTERRUPTED
    return 0


def _summarize(options: argparse.Namespace) -> None:
    done = summarize_runs(
        Connector(options.database),
        lambda: spark_session(options.master),
        Progress(),
        keep_parquet=options.keep_parquet,
    )
    if options.json:
        print(json.dumps(asdict(done)), flush=True)


def _report(job: str, message: str) -> None:
    print(f"highwater {job}: {' '.join(message.split())}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(as_program(main))

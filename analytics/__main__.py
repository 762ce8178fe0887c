"""One command per job: `python -m analytics summarize`, `campaign`, `search-grid`.

Exit status: 0 if the job succeeded; 1 if it failed (one line on standard error gives the reason);
2 if the command line is invalid; 130 if it was interrupted, 143 if it was ended by SIGTERM.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import FrameType

from analytics.errors import AnalyticsError, GridInvalidError
from analytics.job_loop import repeat
from analytics.jobs.summarize_runs import summarize_runs
from analytics.progress import Progress
from analytics.scratch import scratch_folder
from analytics.spark import begin_to_end_java, spark_session
from analytics.storage import Database
from sim_engine.command_line import SUMMARIZE, declare_summarize

_DATABASE = "HIGHWATER_DATABASE_URL"
_DEFAULT_DATABASE = "sqlite:///highwater.db"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one job and return its exit status: 0 done, 1 failed, 130 interrupted, 143 ended by
    SIGTERM.
    """
    # Raised as an exception, so that Spark is stopped and the exported shares are deleted.
    signal.signal(signal.SIGTERM, _end)
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["campaign"]:
        # Campaigns need neither the database nor ADBC, and a replay does not need Spark.
        from analytics.campaigns.command import run

        return _status("campaign", partial(run, given[1:]))
    if given[:1] == ["search-grid"]:
        from analytics.campaigns import search_command

        return _status("search-grid", partial(search_command.run, given[1:]))
    options, others = _parser().parse_known_args(given)
    if others:
        options.refuse(f"unrecognized arguments: {' '.join(others)}")
    if options.every is not None:
        database = {_DATABASE: options.database}
        return _status(
            "summarize", partial(repeat, _once(options), database, every_seconds=options.every)
        )
    return _status(
        "summarize",
        partial(_summarize, options.database, options.master, options.keep_parquet, options.json),
    )


def _once(options: argparse.Namespace) -> list[str]:
    """The command that writes one summary. The database's address may contain a password."""
    command = [sys.executable, "-m", "analytics", "summarize", "--master", options.master]
    if options.keep_parquet is not None:
        command += ["--keep-parquet", str(options.keep_parquet)]
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
        return 2
    except AnalyticsError as error:
        return _fail(job, str(error))
    except OSError as error:
        said = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return _fail(job, said)
    except KeyboardInterrupt:
        return 130
    return 0


def _summarize(database_url: str, master: str, keep_parquet: Path | None, as_json: bool) -> None:
    database = Database(database_url)
    progress = Progress()
    with ExitStack() as folders:
        folder = keep_parquet or folders.enter_context(scratch_folder())
        done = summarize_runs(
            database,
            folder,
            lambda: spark_session(master),
            progress,
            always_export=keep_parquet is not None,
        )
    if as_json:
        print(json.dumps(asdict(done)), flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m analytics", description="Highwater's Spark jobs."
    )
    jobs = parser.add_subparsers(required=True, metavar="JOB")
    summarize = jobs.add_parser(
        "summarize",
        prog="highwater summarize",  # the command that users type; it passes the arguments on
        help=SUMMARIZE,
        description=SUMMARIZE,
    )
    declare_summarize(summarize)
    summarize.set_defaults(
        database=os.environ.get(_DATABASE) or _DEFAULT_DATABASE, refuse=summarize.error
    )
    return parser


def _fail(job: str, message: str) -> int:
    print(f"highwater {job}: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""The service's commands; `cli` defines their options.

Each returns its exit status: 0 for success, 2 for failure, with one line that states the reason.
Spark jobs are separate processes, because the service's environment does not have Spark.
"""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from backend.database import Database
from backend.http.connections import protocol_for
from backend.http.errors import HighwaterError
from backend.identifiers import canonical_id
from backend.limits.table import CONNECTIONS, HEADER_BYTES
from backend.main import create_app
from backend.operations.backups import BackupError, back_up
from backend.operations.draining import DrainingServer
from backend.operations.export import exported
from backend.operations.logs import configure_logging
from backend.operations.metrics import Metrics
from backend.operations.migrations import Schema, SchemaError, prepare_schema, upgrade
from backend.settings import Settings, SettingsError, read_settings
from sim_engine import LANGUAGES

_LINK = re.compile(r"/s/([0-9A-Za-z]{26})(?![0-9A-Za-z])")
_GRACEFUL_SHUTDOWN_S = 20
# Of the database, of searches and of pictures.
_OTHER_FILES = 200
# How long a thread that computes keeps the interpreter while the event loop waits for it. An answer
# takes many turns of the loop: at Python's 5 ms, a long run made each of them 20 times slower.
_THREAD_TURN_S = 0.0005
_DONE = 0
_NOT_POSSIBLE = 2


class CommandError(Exception):
    """The command cannot be carried out; the message is one line for a person."""


def serve(*, open_page: bool = False, **options: object) -> int:
    """Serve until interrupted. Prints the address to standard error once connections are
    accepted."""
    return status_of(lambda: _serve(settings_of(**options), open_page=open_page))


def _serve(settings: Settings, *, open_page: bool) -> None:
    _allow_connections()
    sys.setswitchinterval(_THREAD_TURN_S)
    listening = _listen(settings)
    settings = settings.model_copy(update={"port": listening.getsockname()[1]})
    output = configure_logging()
    asyncio.run(_check_schema(settings))
    # Migrations are done and the socket is bound: programs that wait for this line may connect.
    sys.stderr.write(f"Highwater is on {settings.base_url}\n")
    sys.stderr.flush()
    if open_page:
        _open_page(settings)
    app = create_app(settings)
    metrics: Metrics = app.state.metrics
    output.on_drop = metrics.log_lines_dropped.inc
    server = DrainingServer(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_graceful_shutdown=_GRACEFUL_SHUTDOWN_S,
            # The limit below is h11's own: httptools would read a header without end.
            http=protocol_for(settings.trusted_proxies),
            ws="none",
            h11_max_incomplete_event_size=HEADER_BYTES.number,
        ),
        drain=lambda: app.state.services.health.drain(),
        drain_s=settings.drain_seconds,
    )
    server.run(sockets=[listening])


def _open_page(settings: Settings) -> None:
    """Open the local address. A terminal browser must not block the service."""
    address = settings.model_copy(update={"public_url": ""}).base_url
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _allow_connections() -> None:
    """As many open files as connections need, where the system lets us."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    needed = CONNECTIONS.number + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise CommandError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}"
        ) from None
    listening.listen(2048)
    return listening


async def _check_schema(settings: Settings) -> None:
    database = Database(settings.database_url)
    try:
        await prepare_schema(database)
    finally:
        await database.close()


def migrate(*, as_json: bool = False, **options: object) -> int:
    """Bring the schema up to date; does nothing where it is.

    As JSON: `{"schema": "current" | "newer"}`.
    """

    def work() -> None:
        found = upgrade(settings_of(**options).database_url)
        is_newer = found is Schema.NEWER
        tell(
            "The schema is newer than this version's, which can use it; it was left as it is."
            if is_newer
            else "The schema is up to date.",
            {"schema": "newer" if is_newer else "current"},
            as_json=as_json,
        )

    return status_of(work)


def backup(file: Path, *, as_json: bool = False, **options: object) -> int:
    """Copy an SQLite database to a new file while the service goes on.

    As JSON: `{"file", "bytes"}`.
    """

    def work() -> None:
        settings = settings_of(**options)
        if settings.database_file is None:
            raise CommandError(
                "this copies SQLite databases; back a PostgreSQL one up with pg_dump "
                "(docs/how-to/operate.md)"
            )
        size = back_up(settings.database_file, file)
        said = {"file": str(file), "bytes": size}
        tell(f"{file}: {size} bytes, checked", said, as_json=as_json)

    return status_of(work)


def export(
    sid: str,
    *,
    output: Path,
    steps: list[int] | None,
    lang: str,
    as_json: bool = False,
    **options: object,
) -> int:
    """Write a share as files of every kind, with pictures of `steps` or of where it opens.

    Prints the names of the files, a line each, or as JSON: `{"sid", "files"}`.
    """

    def work() -> None:
        settings = settings_of(**options)
        share_id = share_id_of(sid)
        if lang not in LANGUAGES:
            raise CommandError(f"the language is {' or '.join(LANGUAGES)}")
        written = _write(output, asyncio.run(exported(settings, share_id, steps, lang)))
        tell("\n".join(written), {"sid": share_id, "files": written}, as_json=as_json)

    return status_of(work)


def _write(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [str(folder / name) for name in files]


def share_id_of(text: str) -> str:
    """A share's id as it is stored, from the id or from a link to it. Raises CommandError."""
    found = _LINK.search(text)
    share_id = canonical_id(text if found is None else found[1])
    if share_id is None:
        raise CommandError(
            "a share is named by its link, or by the 26 letters and digits at the link's end"
        )
    return share_id


def print_openapi() -> int:
    """Print the OpenAPI document as JSON."""
    # No database is opened for it: an app that has not started has none.
    app = create_app(Settings(database_url="sqlite:///unused.db"))
    json.dump(app.openapi(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
    return _DONE


def summarize(arguments: Sequence[str], **options: object) -> int:
    """Run the Spark job with these arguments; its exit status."""
    status = _DONE

    def work() -> None:
        nonlocal status
        database_url = settings_of(**options).database_url
        # The environment is its owner's to read; everybody can read a process's arguments.
        status = _run_job("summarize", arguments, {"HIGHWATER_DATABASE_URL": database_url})

    return status_of(work) or status


def campaign(arguments: Sequence[str]) -> int:
    """Run a campaign on Spark with these arguments, or print one of its rows; the exit status."""
    return _run_job("campaign", arguments, {})


def search_grid(arguments: Sequence[str]) -> int:
    """Search the cells of a grid on Spark with these arguments; the exit status."""
    return _run_job("search-grid", arguments, {})


def _run_job(job: str, arguments: Sequence[str], variables: Mapping[str, str]) -> int:
    """The job's own output is its progress; stopping us stops it."""
    environment = {
        **os.environ,
        # Spark's workers must be the same Python, or they lack what the job imports.
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
    """In the block the signal goes to the process, whose end then is ours."""
    before = signal.signal(number, lambda *_: process.send_signal(number))
    try:
        yield
    finally:
        signal.signal(number, before)


def tell(words: str, document: Mapping[str, object], *, as_json: bool) -> None:
    """Print what a command did: for a person, or as JSON for a program."""
    said = json.dumps(document, indent=2, ensure_ascii=False) if as_json else words
    sys.stdout.write(f"{said}\n")


def settings_of(**options: object) -> Settings:
    """The settings of the environment and these options. Raises CommandError."""
    try:
        return read_settings(**options)
    except SettingsError as error:
        raise CommandError(str(error)) from None


def status_of(work: Callable[[], None]) -> int:
    """Do a command's work; what went wrong is one line on standard error, and 2."""
    try:
        work()
    except (CommandError, BackupError, SchemaError) as error:
        message = str(error)
    except HighwaterError as error:
        # Operators see the driver's message; visitors do not.
        trouble = isinstance(error.__cause__, SQLAlchemyError | OSError)
        message = _of_database(error.__cause__) if trouble else error.detail
    except (SQLAlchemyError, OSError) as error:
        message = _of_database(error)
    else:
        return _DONE
    sys.stderr.write(f"highwater: {message}\n")
    return _NOT_POSSIBLE


def _of_database(error: BaseException | None) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return f"the database cannot be used: {' '.join(str(cause).split())[:200]}"

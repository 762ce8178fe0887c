"""`highwater serve`: the pages and the API, until interrupted.

It stops in order: first it is not ready, then it accepts no connections, then it ends. A load
balancer needs some time to detect that a service is not ready. Until then it sends requests, which
a service that no longer listens would refuse.
"""

import asyncio
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn

from backend.commands.outcome import CommandError, settings_of, status_of
from backend.computing.process import can_compute_apart
from backend.database.database import Database
from backend.limit_table import CONNECTIONS
from backend.limits.connections import protocol_for
from backend.main import create_app
from backend.operations.logs import configure_logging
from backend.operations.metrics import Metrics
from backend.operations.migrations import prepare_schema
from backend.processes.interpreter import exempt_from_collection, tune
from backend.settings import Settings
from backend.watches.watch import Watched

_GRACEFUL_SHUTDOWN_S = 20
# The number of open files other than connections: of logs, the database, searches and pictures.
_OTHER_FILES = 200


class DrainingServer(uvicorn.Server):
    """Keeps responding for `drain_s` seconds after SIGTERM; a second signal ends this
    immediately."""

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        ready: Callable[[], None],
        drain: Callable[[], None],
        drain_s: float,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._end = end
        self._drain = drain
        self._drain_s = drain_s
        self._stop_at: float | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call `ready` once requests are answered; not if starting failed."""
        await super().startup(sockets=sockets)
        exempt_from_collection()
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal. SIGINT does not drain, because a person is waiting."""
        if sig == signal.SIGTERM and self._stop_at is None and self._drain_s and self.started:
            self._drain()
            self._stop_at = time.monotonic() + self._drain_s
            return
        self._end()
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Return whether the server should exit. uvicorn calls this ten times a second."""
        if self._stop_at is not None and time.monotonic() >= self._stop_at:
            self._stop_at, self._drain_s = None, 0
            super().handle_exit(signal.SIGTERM, None)
        return await super().on_tick(counter)


def serve(*, open_page: bool = False, **options: object) -> int:
    """Serve until interrupted, and return the exit status. Prints the address to standard error
    once requests are answered.
    """
    return status_of(lambda: _serve(settings_of(**options), open_page=open_page))


def show_page(
    watched: Watched,
    path: str,
    port: int,
    database_url: str | None,
    *,
    begin: Callable[[], None] = lambda: None,
) -> int:
    """Serve the page of what is watched to browsers of this machine, and open it. Returns the exit
    status, also if the port is in use; only an interrupt ends it. `begin` is called once requests
    are answered. Runs that the reader opens and links are in the named database, otherwise in a
    temporary one.
    """
    with tempfile.TemporaryDirectory(prefix="highwater-watch-") as folder:
        named = database_url or os.environ.get("HIGHWATER_DATABASE_URL")

        def serve() -> None:
            settings = settings_of(
                port=port, database_url=named or f"sqlite:///{folder}/highwater.db"
            )
            _serve_watched(watched, path, settings, begin)

        try:
            return status_of(serve)
        finally:
            watched.stop()


def _serve_watched(
    watched: Watched, path: str, settings: Settings, begin: Callable[[], None]
) -> None:
    unlimited = dict.fromkeys(settings.quotas, 0)
    local = {"host": "127.0.0.1", "public_url": "", "drain_seconds": 0, **unlimited}

    def ready(settings: Settings) -> None:
        begin()
        _announce(settings, path=path, open_page=True)

    _run(settings.model_copy(update=local), ready, watched)


def _serve(settings: Settings, *, open_page: bool) -> None:
    _run(settings, partial(_announce, open_page=open_page))


def _run(
    settings: Settings, ready: Callable[[Settings], None], watch: Watched | None = None
) -> None:
    _allow_connections()
    tune()
    listening = _listen(settings)
    settings = settings.model_copy(update={"port": listening.getsockname()[1]})
    output = configure_logging()
    asyncio.run(_check_schema(settings))
    apart = watch is None and settings.computing_process and can_compute_apart()
    app = create_app(settings, computes_apart=apart, watch=watch)
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
            # The limit below exists only in h11; httptools would read an endless header.
            http=protocol_for(settings.trusted_proxies),
            ws="none",
        ),
        ready=lambda: ready(settings),
        drain=lambda: app.state.services.health.drain(),
        drain_s=settings.drain_seconds,
        # Its streams would keep the program until the browser closes them.
        end=lambda: None if watch is None else watch.stop(),
    )
    server.run(sockets=[listening])


def _announce(settings: Settings, *, path: str = "", open_page: bool) -> None:
    """Print the address. Whoever waits for this line, a person or a program, waits no longer."""
    sys.stderr.write(f"Highwater is on {settings.base_url}{path}\n")
    sys.stderr.flush()
    if open_page:
        _open_page(settings, path)


def _open_page(settings: Settings, path: str) -> None:
    """Open the local address. A terminal browser must not block the service."""
    address = settings.model_copy(update={"public_url": ""}).base_url + path
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _allow_connections() -> None:
    """Raise the limit of open files to what the connections need, if the system allows it."""
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

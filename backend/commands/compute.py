"""The computing process: `python -m backend.commands.compute SOCKET`.

It reads the settings of the service as one line of JSON from standard input, answers requests on
the socket, and ends when its standard input does.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
from pathlib import Path

from uvicorn.loops.auto import auto_loop_factory

from backend.computing.server import serve
from backend.computing.wire import Report
from backend.main import create_computing_app
from backend.operations.logs import LogOutput, configure_logging
from backend.operations.metrics import Metrics
from backend.processes.interpreter import exempt_from_collection, tune
from backend.services import Services
from backend.settings import Settings

# Below the process that answers everybody, and above pictures and searches.
_NICENESS = 5


def main() -> None:
    """Serve until the parent process ends."""
    # An interrupt from the keyboard reaches both processes; the serving process ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = Settings.model_validate_json(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    tune()
    output = configure_logging()
    # The serving process logs the requests.
    logging.getLogger("highwater.request").setLevel(logging.WARNING)
    # The same event loop as the serving process has.
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(serve_runs(settings, Path(sys.argv[1]), output, niceness=_NICENESS))
    output.close()


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


async def serve_runs(
    settings: Settings, address: Path, output: LogOutput, *, niceness: int = 0
) -> None:
    """Answer requests on this socket until cancelled; `output` is where the process logs. Once it
    has started, it has this niceness: the service is ready only when it has.
    """
    app = create_computing_app(settings)
    async with app.router.lifespan_context(app):
        exempt_from_collection()
        metrics: Metrics = app.state.metrics
        output.on_drop = metrics.log_lines_dropped.inc
        services: Services = app.state.services

        def report() -> Report:
            services.measure_load()
            return Report(services.lanes.waited_s(), metrics.samples())

        os.nice(niceness)
        await serve(app, report, address)


if __name__ == "__main__":
    main()

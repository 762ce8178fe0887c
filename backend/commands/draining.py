"""Reports readiness. Graceful shutdown: first not ready, then no new connections, then exit.

A load balancer needs some time to detect that a service is not ready. Until then it sends requests,
which a service that no longer listens would refuse.
"""

import signal
import socket
import time
from collections.abc import Callable
from types import FrameType

import uvicorn

from backend.interpreter import exempt_from_collection


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
    ) -> None:
        super().__init__(config)
        self._ready = ready
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
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Return whether the server should exit. uvicorn calls this ten times a second."""
        if self._stop_at is not None and time.monotonic() >= self._stop_at:
            self._stop_at, self._drain_s = None, 0
            super().handle_exit(signal.SIGTERM, None)
        return await super().on_tick(counter)

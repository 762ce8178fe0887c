"""Every request as the visit of somebody: it waits for its turn, what it costs is counted, and the
work for it ends when its client leaves.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import cast

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.http.errors import LimitError
from backend.http.problems import problem
from backend.limit_table import BODY_BYTES
from backend.limits.quotas import Quota
from backend.limits.turns import Turn, Turns
from backend.limits.visitors import Visitor, network_of, visiting

PROBES = frozenset({"/livez", "/readyz", "/metrics"})
"""An operator's questions about the service are answered whatever the visitor has used."""
# To receive a request, to log it and to send the response takes about this long besides.
_BESIDES_S = 0.0005


class Visits:
    """ASGI middleware through which all requests pass."""

    def __init__(
        self,
        app: ASGIApp,
        turns: Turns,
        *,
        seconds: Quota | None = None,
        transferred: Quota | None = None,
    ) -> None:
        """`seconds` is what one visitor may use of the event loop's processor time, `transferred`
        the bytes of bodies that the visitor may send and receive.
        """
        self.app = app
        self._turns = turns
        self._seconds = seconds
        self._transferred = transferred

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the app when it is the visitor's turn, unless the visitor has used too much."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        network = network_of(client[0] if client else "")
        is_probe = scope["path"] in PROBES
        turn = await self._turns.take(network, is_first=is_probe)
        visitor = Visitor(network, turn)
        visit = _Visit(scope, receive, send, visitor, turn)
        app = self.app if is_probe else self._unless_refused(network)
        spent_s = _BESIDES_S

        def spend(seconds: float) -> None:
            nonlocal spent_s
            spent_s += seconds

        try:
            with visiting(visitor):
                work = app(scope, visit.receive, visit.send)
                await _measured(cast("Coroutine[object, None, None]", work), spend)
        finally:
            visit.end()
            self._turns.note_spent(network, spent_s)
            if app is self.app:
                self._charge(network, spent_s, visit.transferred_bytes)

    def _unless_refused(self, network: str) -> ASGIApp:
        """The app, or what refuses the request."""
        try:
            for quota in (self._seconds, self._transferred):
                if quota is not None:
                    quota.check(network)
        except LimitError as error:
            return problem(error)
        return self.app

    def _charge(self, network: str, seconds: float, transferred_bytes: int) -> None:
        if self._seconds is not None:
            self._seconds.charge(network, seconds)
        if self._transferred is not None:
            self._transferred.charge(network, transferred_bytes)


class _Visit:
    """The messages of one request and of its response."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, visitor: Visitor, turn: Turn
    ) -> None:
        self._receive = receive
        self._send = send
        self._visitor = visitor
        self._turn = turn
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"0")
        # The declared length of these is not the size of what they contain.
        self._is_unmeasured = b"transfer-encoding" in headers or b"content-encoding" in headers
        self._declared_bytes = int(declared[:12]) if declared.isdigit() else 0
        self._unread = b"transfer-encoding" in headers or self._declared_bytes > 0
        self._has_begun = False
        self._left = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self.transferred_bytes = 0
        if not self._unread:
            self._watch()

    async def receive(self) -> Message:
        """The next message of the request."""
        if self._unread:
            message = await self._receive()
            self.transferred_bytes += len(message.get("body", b""))
            if message["type"] == "http.disconnect":
                self._visitor.leave()
                self._left.set()
            elif not message.get("more_body", False):
                self._unread = False
                self._has_begun = True
                self._watch()
            return message
        if not self._has_begun:
            self._has_begun = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Send a message of the response."""
        if message["type"] == "http.response.start":
            is_large = self._is_unmeasured or self._declared_bytes > BODY_BYTES.number
            if self._unread and is_large:
                # The server would read the rest before the next request.
                MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)
        if message["type"] == "http.response.body":
            self._turn.end()
            self.transferred_bytes += len(message.get("body", b""))

    def end(self) -> None:
        """The response is complete, or there will be none."""
        self._turn.end()
        if self._unread:
            # The server receives it nevertheless, unless it closes the connection.
            self.transferred_bytes += min(self._declared_bytes, BODY_BYTES.number)
        self._visitor.when_gone(None)
        if self._watching is not None:
            self._watching.cancel()

    def _watch(self) -> None:
        self._watching = asyncio.create_task(self._wait_until_left())

    async def _wait_until_left(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._visitor.leave()
        self._left.set()


@coroutine
def _measured(
    work: Coroutine[object, None, None], spend: Callable[[float], None]
) -> Generator[object, None, None]:
    """Await a coroutine. `spend` is called with the processor time of each of its steps: the time
    between two moments at which it waits.
    """
    step = partial(work.send, None)
    while True:
        started = time.thread_time()
        try:
            awaited = step()
        except StopIteration:
            return
        finally:
            spend(time.thread_time() - started)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:
            step = partial(work.throw, error)

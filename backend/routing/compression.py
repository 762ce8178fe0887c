"""Compressed responses. Those that stay the same as long as the process runs are made and
compressed once. What takes more than a moment to compress is done in a lane, like other work.
"""

import gzip
from collections.abc import Callable, Hashable, Mapping
from functools import partial

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipResponder, IdentityResponder
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.http.errors import HighwaterError
from backend.http.responses import PlainJsonResponse
from backend.services import Services, services_of

_LEAST_BYTES = 1024
_LEVEL = 5
_LARGE_BYTES = 32 * 1024


class Constant:
    """A function whose result, for the same arguments, is made and compressed once, not for each
    visitor. There must be few possible arguments.
    """

    def __init__(self, make: Callable[..., bytes]) -> None:
        self._make = make
        self._made: dict[tuple[Hashable, ...], tuple[bytes, bytes]] = {}

    async def respond(
        self,
        request: Request,
        *arguments: Hashable,
        media_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """The response, compressed for clients that accept gzip."""
        if arguments not in self._made:
            lanes = services_of(request).lanes
            # Whoever asks for the same meanwhile waits for it.
            async with lanes.alone(f"{id(self)} {arguments}"):
                if arguments not in self._made:
                    await lanes.prepare(partial(self.prepare, *arguments))
        plain, zipped = self._made[arguments]
        headers = {**(headers or {}), "Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(plain, media_type=media_type, headers=headers)
        headers["Content-Encoding"] = "gzip"
        return Response(zipped, media_type=media_type, headers=headers)

    def prepare(self, *arguments: Hashable) -> None:
        """Make the response now, unless it was made before. Thread-safe."""
        if arguments in self._made:
            return
        plain = self._make(*arguments)
        self._made[arguments] = (plain, gzip.compress(plain, 6, mtime=0))


class ConstantJson(Constant):
    """A constant function of plain data, which is encoded once. A decorator."""

    def __init__(self, make: Callable[..., object]) -> None:
        super().__init__(lambda *arguments: bytes(PlainJsonResponse(make(*arguments)).body))


class Compress:
    """ASGI middleware that compresses responses for clients that accept gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the app."""
        responder = self.app
        if scope["type"] == "http":
            responder = (
                _Responder(self.app, scope["app"].state.services)
                if "gzip" in Headers(scope=scope).get("accept-encoding", "")
                else IdentityResponder(self.app, _LEAST_BYTES)
            )
        await responder(scope, receive, send)


class _Responder(GZipResponder):
    """The compression of one response."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        super().__init__(app, _LEAST_BYTES, compresslevel=_LEVEL)
        self._lanes = services.lanes

    async def apply_compression(self, body: bytes, *, more_body: bool) -> bytes:
        """The compressed body; as it is if too much of the visitor's work waits already."""
        if more_body or len(body) < _LARGE_BYTES:
            return await super().apply_compression(body, more_body=more_body)
        try:
            return await self._lanes.compute(self._compress_body, body, more_body)
        except HighwaterError:
            return body

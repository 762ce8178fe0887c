"""Compresses responses. What takes more than a moment is done in a lane, like other work."""

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipResponder, IdentityResponder
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.http.errors import HighwaterError
from backend.services import Services

_LEAST_BYTES = 1024
_LEVEL = 5
_LARGE_BYTES = 32 * 1024


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

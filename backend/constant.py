"""Responses that stay the same as long as the process runs."""

import gzip
from collections.abc import Callable, Hashable, Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from backend.http.responses import PlainJsonResponse
from backend.services import services_of


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

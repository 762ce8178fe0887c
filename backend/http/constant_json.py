"""JSON responses that stay the same as long as the process runs."""

import gzip

from starlette.requests import Request

from backend.http.json_response import PlainJsonResponse


class ConstantJson:
    """A response that is encoded and compressed once, not for each visitor."""

    def __init__(self, content: object) -> None:
        self._plain = PlainJsonResponse(content).body
        self._zipped = gzip.compress(self._plain, mtime=0)

    def to(self, request: Request) -> PlainJsonResponse:
        """Return the response, compressed for clients that accept gzip."""
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return PlainJsonResponse(self._plain, headers=headers)
        return PlainJsonResponse(self._zipped, headers={**headers, "Content-Encoding": "gzip"})

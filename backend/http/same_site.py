"""Rejects requests from other sites' pages that would change something.

There are no cookies to steal. But without this check, any web page could create sessions on a
service on the same machine or network.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from backend.http.errors import CrossSiteError, problem

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class SameSite:
    """ASGI middleware that rejects changing requests from pages of other sites. Browsers send the
    origin of a request; other clients send none and are allowed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 403 if a page of another site would change something."""
        if scope["type"] == "http" and scope["method"] not in _SAFE:
            for name, value in scope["headers"]:
                if name == b"sec-fetch-site" and value == b"cross-site":
                    await problem(CrossSiteError())(scope, receive, send)
                    return
        await self.app(scope, receive, send)

"""Links of a page that another site loads in an iframe: they lead to the page's embed."""

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from backend.http.headers import embed_policy
from backend.settings import Settings

DESTINATION = "Sec-Fetch-Dest"
_EMBEDDED = ("iframe", "frame", "embed", "object")
"""The values of `Sec-Fetch-Dest` for a request from an iframe (Fetch Metadata, §2.1)."""


def is_embedded(request: Request) -> bool:
    """Whether another page loads this one."""
    return request.headers.get(DESTINATION) in _EMBEDDED


def to_embed(request: Request, settings: Settings) -> Response:
    """A redirect to the embed, for a link that another site loads in an iframe."""
    query = f"?{request.url.query}" if request.url.query else ""
    response = RedirectResponse(f"/e/v1{request.url.path}{query}", status_code=302)
    response.headers["Content-Security-Policy"] = embed_policy(settings)
    response.headers["Vary"] = DESTINATION
    return response

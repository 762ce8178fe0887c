"""Shared by all pages: the response with its language, and redirects to canonical addresses."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from backend.html.frontend_build import with_language
from backend.http.errors import NotFoundError
from backend.identifiers import canonical_id

PAGE_METHODS = ["GET", "HEAD"]
# Punctuation of the surrounding sentence that a chat program may include in a link.
_TRAILING = ".)_,;!?]}>'\""


def html_page(page: str, lang: str) -> HTMLResponse:
    """An HTML response whose language may depend on `Accept-Language`."""
    return HTMLResponse(with_language(page, lang), headers={"Vary": "Accept-Language"})


def redirect_to_canonical(
    request: Request, prefix: str, identifier: str
) -> RedirectResponse | None:
    """A redirect to the canonical spelling of an id; None if the id is already canonical.

    Raises NotFoundError for a text that cannot be an id.
    """
    canonical = canonical_id(identifier.rstrip(_TRAILING))
    if canonical is None:
        raise NotFoundError
    if canonical == identifier:
        return None
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{prefix}{canonical}{query}", status_code=301)

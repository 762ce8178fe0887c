"""What every page has in common: its language, and one address for one thing."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from backend.drawing.frontend_build import with_language
from backend.http.errors import NotFoundError
from backend.identifiers import canonical_id

PAGE_METHODS = ["GET", "HEAD"]
# What a chat program may take into a link with the sentence around it.
_TRAILING = ".)_,;!?]}>'\""


def html_page(page: str, lang: str) -> HTMLResponse:
    """A page in a language that `Accept-Language` may have chosen."""
    return HTMLResponse(with_language(page, lang), headers={"Vary": "Accept-Language"})


def redirect_to_canonical(
    request: Request, prefix: str, identifier: str
) -> RedirectResponse | None:
    """Where an id is written in another way than ours, the way to ours; None where it is ours.

    Raises NotFoundError for what cannot be an id.
    """
    canonical = canonical_id(identifier.rstrip(_TRAILING))
    if canonical is None:
        raise NotFoundError
    if canonical == identifier:
        return None
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{prefix}{canonical}{query}", status_code=301)

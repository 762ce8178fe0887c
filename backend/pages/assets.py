"""The routes of the frontend's built files."""

import mimetypes
import re
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from backend.html.page import PAGE_METHODS
from backend.http.errors import NotFoundError
from backend.http.etag import IMMUTABLE, tagged
from backend.services import FrontendDep

router = APIRouter(include_in_schema=False)

_HASHED_NAME = re.compile(r"-[A-Za-z0-9_-]{8,}\.\w+$")
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}


@router.api_route("/assets/{path:path}", methods=PAGE_METHODS)
async def asset(path: str, request: Request, frontend: FrontendDep) -> Response:
    """A file that this site's pages load."""
    return file_response(request, frontend.file("assets", path))


@router.api_route("/embed/{path:path}", methods=PAGE_METHODS)
async def embed_script(path: str, request: Request, frontend: FrontendDep) -> Response:
    """A file that other sites load."""
    return file_response(request, frontend.file("embed", path))


@router.api_route("/favicon.svg", methods=PAGE_METHODS)
async def favicon(request: Request, frontend: FrontendDep) -> Response:
    """The site's icon."""
    return file_response(request, frontend.file("", "favicon.svg"))


def file_response(request: Request, path: Path | None) -> Response:
    """A file with its media type and entity tag. Raises NotFoundError for None."""
    if path is None:
        raise NotFoundError
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    # The name contains a hash of the content, so the content at this address never changes.
    headers = {"Cache-Control": IMMUTABLE} if _HASHED_NAME.search(path.name) else {}
    # With the file's stat result, the response sets its entity tag immediately.
    response = FileResponse(
        path,
        media_type=kind or "application/octet-stream",
        headers=headers,
        stat_result=path.stat(),
    )
    return tagged(request, response)

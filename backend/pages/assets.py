"""The routes of the frontend's built files."""

import mimetypes
import re
from pathlib import Path

from fastapi import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from backend.html.page import PAGE_METHODS
from backend.http.errors import NotFoundError
from backend.http.responses import IMMUTABLE, tagged
from backend.routing.compression import Constant
from backend.routing.routes import Router
from backend.services import FrontendDep

router = Router(include_in_schema=False)

_HASHED_NAME = re.compile(r"-[A-Za-z0-9_-]{8,}\.\w+$")
_TEXTS = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_TYPES = {".woff2": "font/woff2"}


@router.api_route("/assets/{path:path}", methods=PAGE_METHODS)
async def asset(path: str, request: Request, frontend: FrontendDep) -> Response:
    """A file that this site's pages load."""
    return await file_response(request, frontend.file("assets", path))


@router.api_route("/embed/{path:path}", methods=PAGE_METHODS)
async def embed_script(path: str, request: Request, frontend: FrontendDep) -> Response:
    """A file that other sites load."""
    return await file_response(request, frontend.file("embed", path))


@router.api_route("/engine/{path:path}", methods=PAGE_METHODS)
async def engine_file(path: str, request: Request, frontend: FrontendDep) -> Response:
    """A file of the engine that a page loads to answer by itself."""
    response = await file_response(request, frontend.file("engine", path))
    if "/" in path:  # in a folder that is named after its content
        response.headers["Cache-Control"] = IMMUTABLE
    return response


@router.api_route("/favicon.svg", methods=PAGE_METHODS)
async def favicon(request: Request, frontend: FrontendDep) -> Response:
    """The site's icon."""
    return await file_response(request, frontend.file("", "favicon.svg"))


@router.api_route("/favicon.ico", methods=PAGE_METHODS)
async def old_favicon(request: Request, frontend: FrontendDep) -> Response:
    """The icon for programs that ask for it without reading a page."""
    return await file_response(request, frontend.file("", "favicon.ico"))


@router.api_route("/robots.txt", methods=PAGE_METHODS)
async def robots() -> Response:
    """What crawlers may read: the pages, and shares only for the cards of their links."""
    return PlainTextResponse("User-agent: *\nDisallow: /api/\nDisallow: /x/\nDisallow: /p/\n")


async def file_response(request: Request, path: Path | None) -> Response:
    """A file with its media type and entity tag. Raises NotFoundError for None."""
    if path is None:
        raise NotFoundError
    # The name contains a hash of the content, so the content at this address never changes.
    headers = {"Cache-Control": IMMUTABLE} if _HASHED_NAME.search(path.name) else {}
    try:
        stat = path.stat()
    except FileNotFoundError:  # a build deleted it just now
        raise NotFoundError from None
    if path.suffix in _TEXTS:
        headers["ETag"] = f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'
        response = await _text.respond(
            request, path, stat.st_mtime_ns, media_type=_TEXTS[path.suffix], headers=headers
        )
        return tagged(request, response)
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    # With the file's stat result, the response sets its entity tag immediately.
    response = FileResponse(
        path, media_type=kind or "application/octet-stream", headers=headers, stat_result=stat
    )
    return tagged(request, response)


_text = Constant(lambda path, _changed_at: path.read_bytes())

"""Writes a copy: asks the application, in as many processes as there are processors, for every
address that its routes keep as files, and writes what it responds.

Each process has a database of its own, which is empty and deleted at the end.
"""

import asyncio
import gzip
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import chain, groupby
from multiprocessing import get_context
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urlsplit
from xml.sax.saxutils import escape

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.datastructures import Headers
from starlette.types import Message

from backend.main import create_app
from backend.routing.files import addresses_of, query_names_of
from backend.routing.routes import API
from backend.settings import Settings
from backend.static_site.addresses import INDEX, file_of
from backend.static_site.pages import NOWHERE, Copied
from sim_engine.languages import DEFAULT_LANGUAGE

MARK = "highwater-site.txt"
"""The file by which a copy is known, so that nothing else is ever replaced by one."""
_MARKED = "highwater site wrote this folder and replaces it as a whole.\n"
_NOT_FOUND = "404.html"
# Where a service is by default.
_SERVICE = b"http://127.0.0.1:8000"
_WITH_ADDRESSES = (".png", ".md", ".yaml", ".mmd")
# The page of a run that only the reader's browser has: `frontend/src/addresses`.
_RUNS = "/x"
# "/api/v1/scenarios/LESSON/runs/RELEASE" has that many parts.
_RUN_PARTS = 7
_FRONT_PAGE = f"/?lang={DEFAULT_LANGUAGE}"


@dataclass(frozen=True, slots=True)
class Written:
    """One file: its address below the root, its size, and whether search engines may list it."""

    path: str
    size: int
    is_listed: bool = False


@dataclass(frozen=True, slots=True)
class _Share:
    """What one process writes."""

    folder: Path
    settings: Settings
    copied: Copied
    addresses: Sequence[str]


class IncompleteError(Exception):
    """The application failed at an address, which a copy would lack."""


def write_copy(
    folder: Path,
    settings: Settings,
    *,
    wanted: Callable[[str], bool] = lambda _: True,
    processes: int | None = None,
) -> list[Written]:
    """Write a copy of the site into an empty folder; in it, only of the `wanted` addresses.

    `settings` have the address of the copy as their public URL, or `NOWHERE`: then there
    are no link cards, texts of lessons and map of the site, which need it. Raises IncompleteError
    if the application fails at an address.
    """
    app = create_app(settings)
    is_placed = settings.base_url != NOWHERE
    addresses = [
        address
        for address in _addresses(app)
        if wanted(address) and (is_placed or not _needs_place(address))
    ]
    copied = Copied(settings.base_url, _files_of_api(app), _engine(settings.frontend_folder))
    # What is made of one run, one after another: the run is played once for all of it.
    related = [list(of) for _, of in groupby(sorted(addresses), key=_run_of)]
    count = min(processes or len(os.sched_getaffinity(0)), len(related))
    shares = [
        _Share(folder, settings, copied, list(chain.from_iterable(related[first::count])))
        for first in range(count)
    ]
    # A new interpreter for each: a copy of this one would inherit its threads' locks.
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        written = [file for share in pool.map(_write_share, shares) for file in share]
    written += _copy_build(settings.frontend_folder, folder)
    written += _write_texts(folder, settings.base_url if is_placed else "", written)
    return sorted(written, key=lambda file: file.path)


def _addresses(app: FastAPI) -> Iterable[str]:
    for path, endpoint in _routes(app):
        yield from addresses_of(path, endpoint)


def _run_of(address: str) -> str:
    """The same for all addresses of a run, which are neighbours if they are sorted."""
    return "/".join(urlsplit(address).path.split("/")[:_RUN_PARTS])


def _routes(app: FastAPI) -> Iterator[tuple[str, Callable[..., object]]]:
    for route in iter_route_contexts(app.routes):
        if route.path is not None and route.endpoint is not None:
            yield route.path, route.endpoint


def _files_of_api(app: FastAPI) -> str:
    """The paths below the API that files answer, as `Copied` has them."""
    listed = []
    for path, endpoint in _routes(app):
        names = query_names_of(path, endpoint)
        if names is not None and path.startswith(f"{API}/"):
            parts = path.removeprefix(API).split("/")
            path = "/".join("*" if part.startswith("{") else part for part in parts)
            listed.append(f"{path}?{'&'.join(names)}" if names else path)
    return " ".join(listed)


def _needs_place(address: str) -> bool:
    """Whether its file is a card, which only absolute addresses lead to, or contains one."""
    path = PurePosixPath(urlsplit(address).path)
    return path.suffix in _WITH_ADDRESSES and path.parent.name != "images"


def _engine(frontend: Path) -> str:
    """The description of the engine for browsers in a build of the frontend; empty if it has
    none.
    """
    found = sorted(frontend.glob("engine/engine-*.json"))
    return found[0].relative_to(frontend).as_posix() if found else ""


def _write_share(share: _Share) -> list[Written]:
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch) / "empty.db"
        settings = share.settings.model_copy(update={"database_url": f"sqlite:///{database}"})
        return asyncio.run(_write(share, create_app(settings)))


async def _write(share: _Share, app: FastAPI) -> list[Written]:
    written = []
    async with app.router.lifespan_context(app):
        app.state.services = replace(app.state.services, is_copied=True)
        for address in share.addresses:
            status, headers, body = await _get(app, address)
            if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise IncompleteError(address, status)
            if status >= HTTPStatus.BAD_REQUEST:
                continue  # a lesson that is impossible under a release, for example
            if headers["content-type"].startswith("text/html"):
                page = body.decode()
                if address == _FRONT_PAGE:
                    fallback = share.copied.fallback(page, headers).encode()
                    written.append(_write_file(share.folder, _NOT_FOUND, fallback))
                    runs = share.copied.page(page, _RUNS, {**headers, "x-robots-tag": "noindex"})
                    written.append(_write_file(share.folder, file_of(_RUNS), runs.encode()))
                body = share.copied.page(page, address, headers).encode()
            elif address.endswith(".json"):
                # The description of the API.
                body = body.replace(NOWHERE.encode(), _SERVICE)
            file = _write_file(share.folder, file_of(address), body)
            written.append(replace(file, is_listed=_is_listed(file.path, body)))
    return written


async def _get(app: FastAPI, address: str) -> tuple[int, Headers, bytes]:
    """The application's response to a GET of this address."""
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    received: list[Message] = []
    asked: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if asked:
            return asked.pop()
        return await asyncio.Future()  # it never disconnects

    async def send(message: Message) -> None:
        received.append(message)

    await app(scope, receive, send)
    start = next(message for message in received if message["type"] == "http.response.start")
    return (
        start["status"],
        Headers(raw=start["headers"]),
        b"".join(message.get("body", b"") for message in received),
    )


def _write_file(folder: Path, path: str, body: bytes) -> Written:
    if path.endswith(".gz"):
        body = gzip.compress(body, mtime=0)
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(body)
    return Written(path, len(body))


def _is_listed(path: str, body: bytes) -> bool:
    is_page = PurePosixPath(path).name == INDEX
    return is_page and b'<meta name="robots" content="noindex"' not in body


def _copy_build(frontend: Path, folder: Path) -> Iterator[Written]:
    """The files that pages load, and the element that other sites load. The pages of the build are
    only templates.
    """
    for file in sorted(frontend.rglob("*")):
        path = file.relative_to(frontend).as_posix()
        if file.is_file() and file.suffix != ".html" and not path.startswith("."):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / path)
            yield Written(path, file.stat().st_size)


def _write_texts(folder: Path, base_url: str, written: Iterable[Written]) -> Iterator[Written]:
    """The files for programs: for robots, the map of the site, and how the copy is known."""
    robots = "User-agent: *\nAllow: /\n"
    if base_url:
        robots += f"Sitemap: {base_url}/sitemap.xml\n"
        places = [
            f"{base_url}/{quote(one.path.removesuffix(INDEX))}" for one in written if one.is_listed
        ]
        yield _write_file(folder, "sitemap.xml", _sitemap(sorted(places)).encode())
    yield _write_file(folder, "robots.txt", robots.encode())
    yield _write_file(folder, MARK, _MARKED.encode())
    # GitHub Pages would otherwise pass the files through Jekyll, which takes minutes.
    yield _write_file(folder, ".nojekyll", b"")


def _sitemap(places: Iterable[str]) -> str:
    entries = "\n".join(f"  <url><loc>{escape(place)}</loc></url>" for place in places)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{entries}\n</urlset>\n"
    )

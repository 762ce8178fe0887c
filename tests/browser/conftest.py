"""The real service with the built pages, and a site of another origin."""

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.kept_pages import KeptPages
from tests.browser.run_page import open_run
from tests.service_process import serving


@pytest.fixture(scope="session")
def service(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service with the built pages; returns its address."""
    database = tmp_path_factory.mktemp("browser") / "highwater.db"
    with serving(repository, database) as address:
        yield address


@pytest.fixture(scope="session")
def base_url(service: str) -> str:
    """The base of the tests' relative addresses."""
    return service


@pytest.fixture
def foreign_site(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Another origin: returns the address of a page with the given body and headers."""
    sent: dict[str, str] = {}

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, directory=str(tmp_path), **named)

        def end_headers(self) -> None:
            for name, value in sent.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, format: str, *arguments: Any) -> None:
            """Logs nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def page(body: str, headers: dict[str, str] | None = None) -> str:
        sent.clear()
        sent.update(headers or {})
        (tmp_path / "host.html").write_text(
            f"<!doctype html><meta charset='utf-8'><title>Host</title>{body}", encoding="utf-8"
        )
        return f"http://localhost:{server.server_port}/host.html"

    yield page
    server.shutdown()
    thread.join(10)
    server.server_close()


@pytest.fixture(scope="session")
def kept_pages(browser: Browser, base_url: str, request: pytest.FixtureRequest) -> KeptPages:
    """The pages that tests borrow one after another."""
    return KeptPages(browser, base_url, lambda: request.session.testsfailed)


@pytest.fixture
def page(kept_pages: KeptPages) -> Iterator[Page]:
    """A page on which every script error fails the test."""
    errors: list[str] = []
    with kept_pages.borrowed() as page:
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
    assert errors == []


@pytest.fixture
def context(page: Page) -> BrowserContext:
    """The profile of the page."""
    return page.context


@pytest.fixture
def run(page: Page) -> Page:
    """A lesson at its start."""
    open_run(page)
    return page


@pytest.fixture
def open_page(kept_pages: KeptPages) -> Iterator[Callable[..., Page]]:
    """Opens an address in an empty browser profile with the given settings."""
    with ExitStack() as borrowed:

        def open_(path: str, **settings: Any) -> Page:
            page = borrowed.enter_context(kept_pages.borrowed(**settings))
            page.goto(path)
            page.wait_for_load_state("networkidle")
            return page

        yield open_


@pytest.fixture(scope="session")
def axe_script(repository: Path) -> Path:
    """axe-core, as npm installed it for the frontend."""
    return repository / "frontend/node_modules/axe-core/axe.min.js"

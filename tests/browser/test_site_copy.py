"""A copy of the site, as a plain server of files shows it below a path: everything can be read."""

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from backend.commands.site import copy_settings
from backend.static_site.writing import write_copy

LESSON = "/lessons/kip-101-data-loss"
BASE = "/REPOSITORY"


def _is_wanted(address: str) -> bool:
    is_lesson = address.startswith(("/api/v1/scenarios/", "/lessons/", "/e/"))
    is_in_gallery = address.endswith(".svg?lang=en&theme=light")
    if is_lesson and "/kip-101-data-loss" not in address:
        return is_in_gallery
    is_other_release = "/runs/" in address and not re.search(r"/runs/(?:0\.10\.2|0\.11)", address)
    is_picture = ".png" in address and "/images/" not in address
    return not (is_other_release or is_picture or "/recordings/" in address)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a small copy below a path."""
    root = tmp_path_factory.mktemp("host")
    folder = root / BASE[1:]
    folder.mkdir()

    class Host(http.server.SimpleHTTPRequestHandler):
        def send_error(self, code: int, *texts: str | None) -> None:
            """Shows 404.html, as GitHub Pages does."""
            page = (folder / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Logs nothing."""

    handler = functools.partial(Host, directory=str(root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}{BASE}"
    write_copy(folder, copy_settings(address), wanted=_is_wanted, processes=2)
    yield address
    server.shutdown()
    thread.join(10)
    server.server_close()


@pytest.fixture
def reader(page: Page) -> Iterator[Page]:
    """A page on which each message of the console and each missing file fails the test."""
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("response", lambda got: wrong.append(got.url) if got.status >= 400 else None)
    yield page
    assert wrong == []


def test_a_lesson_is_read_step_by_step_and_under_another_release(reader: Page, copy: str) -> None:
    reader.goto(f"{copy}/")
    expect(reader.get_by_role("heading", level=1)).to_be_visible()
    reader.goto(f"{copy}{LESSON}?step=4")
    expect(reader.locator("#why-step")).to_contain_text("4")
    assert urlsplit(reader.url).path == f"{BASE}{LESSON}"
    reader.keyboard.press("ArrowRight")
    reader.wait_for_url(re.compile(r"step=5"))
    assert urlsplit(reader.url).path == f"{BASE}{LESSON}"
    reader.goto(f"{copy}{LESSON}?step=4&kafka=0.11")
    expect(reader.locator("#why-step")).to_contain_text("4")
    expect(reader.locator("body")).to_contain_text("0.11")
    reader.reload()
    expect(reader.locator("#why-step")).to_contain_text("4")


@pytest.mark.parametrize(
    "path",
    [
        "/articles",
        "/articles/0",
        "/challenges",
        "/challenges/crashes-in-three",
        "/glossary",
        "/fidelity",
        "/gallery",
        "/insights",
        "/lesson-plan",
        "/docs",
        "/docs/reference/limits",
        "/zh/docs/how-to/share",
        "/assess",
    ],
)
def test_a_page_is_there(reader: Page, copy: str, path: str) -> None:
    reader.goto(copy + path)
    expect(reader.get_by_role("heading", level=1).first).to_be_visible()
    reader.wait_for_load_state("networkidle")


def test_links_lead_within_the_copy(reader: Page, copy: str) -> None:
    reader.goto(f"{copy}/glossary")
    reader.get_by_role("link", name="Articles", exact=True).click()
    reader.wait_for_url(f"{copy}/articles")
    reader.get_by_role("link", name="Docs", exact=True).click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Highwater documentation")
    reader.get_by_role("link", name="Glossary", exact=True).first.click()
    reader.wait_for_url(re.compile(rf"{BASE}/glossary"))


def test_a_chinese_page_opens_in_chinese(reader: Page, copy: str) -> None:
    reader.goto(f"{copy}/zh{LESSON}?step=4")
    expect(reader.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    expect(reader.locator("#why-step")).to_contain_text("4")
    assert urlsplit(reader.url).path == f"{BASE}{LESSON}"
    reader.get_by_role("link", name="Highwater").click()
    reader.goto(f"{copy}/glossary")
    reader.get_by_role("button", name="中文").click()
    reader.goto(f"{copy}/docs/how-to/share")
    reader.wait_for_url(f"{copy}/zh/docs/how-to/share/")
    reader.get_by_role("link", name="English").click()
    reader.wait_for_url(f"{copy}/docs/how-to/share/?lang=en")


def test_an_embed_opens_at_its_step(reader: Page, copy: str) -> None:
    reader.goto(f"{copy}/e/v1{LESSON}?step=14")
    expect(reader.get_by_text("acknowledged m2 is lost").first).to_be_visible()
    reader.goto(f"{copy}/e/v1{LESSON}?step=4&kafka=0.11")
    expect(reader.get_by_role("heading")).to_contain_text("under its own release")


def test_what_needs_a_service_says_so(page: Page, copy: str) -> None:
    page.goto(f"{copy}/gallery")
    expect(page.get_by_role("note")).to_contain_text("without a service")
    page.goto(f"{copy}/x/01hzzzzzzzzzzzzzzzzzzzzzzz")
    expect(page.get_by_role("heading", level=1)).to_have_text("This needs a service")


def test_a_reader_acts_in_a_copy_and_finds_the_run_again(reader: Page, copy: str) -> None:
    reader.goto(f"{copy}{LESSON}/?lang=en&step=3")
    expect(reader.locator("#why-step")).to_contain_text("3")

    reader.get_by_role("button", name="Crash broker 1").click()
    reader.get_by_role("dialog").get_by_role("button", name="Load").click()

    # Other tests may use every processor.
    reader.wait_for_url(re.compile(rf"{BASE}/x\?run=z"), timeout=120_000)
    expect(reader.locator("#why-step")).to_have_text("Step 4 of 4")
    reader.reload()
    expect(reader.locator("#why-step")).to_contain_text("Step", timeout=120_000)
    assert urlsplit(reader.url).path == f"{BASE}/x"

    # The engine is there, so the search needs no other download than what can be found.
    reader.keyboard.press("/")
    reader.get_by_role("dialog").get_by_role("combobox").fill("recovry point")
    found = reader.get_by_role("option").first
    expect(found).to_contain_text("recovery point", timeout=120_000)
    found.click()
    expect(reader).to_have_url(re.compile(f"{BASE}/glossary.*#recovery-point"))

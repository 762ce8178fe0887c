"""A host's page as a reader sees it: checked in a browser, and saved as a picture."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Frame, Page

from tests.hosts.site import Built, Host
from tests.overlapping_texts import overlapping_texts

_WAIT_MS = 10_000
_DARK = """() => {
    const colour = getComputedStyle(document.body).backgroundColor;
    const [red, green, blue, alpha = 1] = colour.match(/[0-9.]+/g).map(Number);
    return alpha > 0 && red + green + blue < 384;
}"""


@contextmanager
def served(built: Built) -> Iterator[str]:
    """The site on a different origin than the service's; returns the address of its page."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            for name, value in built.headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, format: str, *arguments: Any) -> None:
            """Logs nothing."""

    handler = partial(Quiet, directory=str(built.root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


def look(browser: Browser, host: Host, built: Built, picture: Path) -> list[str]:
    """Opens the page with a light system theme, takes its picture, and returns its errors."""
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(f"script failed: {error}"))
    page.on("console", lambda said: wrong.append(said.text) if _is_ours(said.text) else None)
    with served(built) as address:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        wrong += _player(page) if host.sees == "player" else _picture(page)
        page.screenshot(path=picture)
    context.close()
    return wrong


def _is_ours(said: str) -> bool:
    """Whether a browser message may concern an embed: a policy, a framework's mismatch.

    A policy without inline styles drops the `style` of the code, as documented: sizes stay.
    """
    about = ("Content Security", "ydration", "Minified React", "/e/v1/")
    return any(word in said for word in about) and "inline style" not in said


def _player(page: Page) -> list[str]:
    poster = page.locator("highwater-replay a").first
    if poster.count() > 0:
        poster.click()
    for _ in range(_WAIT_MS // 100):
        frames = [frame for frame in page.frames if frame != page.main_frame]
        if frames and frames[0].locator("main.embed").count() > 0:
            break
        page.wait_for_timeout(100)
    else:
        return ["there is no player"]
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(600)  # themes change after transitions
    frame = frames[0]
    frame.frame_element().scroll_into_view_if_needed()
    return [*_fits(frame), *_theme(page, frame)]


def _fits(frame: Frame) -> Iterator[str]:
    box = frame.frame_element().bounding_box()
    if box is None or box["width"] < 280 or box["height"] < 280:
        yield f"the player's box is {box}"
    for part in (".outcome", ".sentence", ".bar a"):
        if not frame.locator(part).is_visible():
            yield f"{part} is not there"
    inside = frame.evaluate("document.querySelector('.bar').getBoundingClientRect().bottom")
    if box is not None and inside > box["height"] + 1:
        yield f"the player is cut off by {inside - box['height']:.0f} px"
    yield from (f"these texts overlap: {pair}" for pair in overlapping_texts(frame))


def _theme(page: Page, frame: Frame) -> Iterator[str]:
    follows = page.locator("highwater-replay").count() > 0
    if follows and page.evaluate(_DARK) != frame.evaluate(_DARK):
        yield "the player's theme is not its host's"


def _picture(page: Page) -> list[str]:
    size = page.locator("a img").first.evaluate("(one) => [one.naturalWidth, one.clientWidth]")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [
        *([] if min(size) > 200 else [f"the picture is {size} px wide"]),
        *(["the picture makes the page wider"] if wide else []),
    ]

"""Pages that tests borrow one after another.

Opening a page in a new profile takes 1.0 s of processor time, in a page that has shown the same
code before 0.4 s: its renderer runs, and the code is fetched and compiled. A borrower cannot tell:
what the last one stored, emulated, routed or heard is gone, and a page that does not get rid of it
(a clock, a script before each document, a session of the developer tools) is not lent again.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError

LENT_AT_MOST = 60
"""After so many tests a page is closed, before its renderer fills the memory."""

_FORGET = """
async () => {
  sessionStorage.clear();
  localStorage.clear();
  const names = (await indexedDB.databases()).map((database) => database.name);
  await Promise.all(names.map((name) => new Promise((done) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = request.onerror = request.onblocked = done;
  })));
  return !("__pwClock" in globalThis);
}
"""
"""Clears what this origin has stored; whether the page has the clock of its browser."""

# What stays in a page, or in its profile, until it is closed.
_STAYS = ("add_init_script", "expose_function", "expose_binding", "new_cdp_session")

_PAGE_SETTINGS = ("viewport", "color_scheme", "reduced_motion")
_VIEWPORT = {"width": 1280, "height": 720}


class KeptPages:
    """The pages of one browser, by the settings of their profiles."""

    def __init__(self, browser: Browser, base_url: str, failed: Callable[[], int]) -> None:
        """`failed` counts the failed tests so far: the page of such a test is closed."""
        self._browser, self._base_url, self._failed = browser, base_url, failed
        self._idle: dict[Hashable, Page] = {}
        self._lent = Counter[Page]()

    @contextmanager
    def borrowed(self, **settings: Any) -> Iterator[Page]:
        """An empty page with these settings, as `Browser.new_context` takes them."""
        own = {name: value for name, value in settings.items() if name not in _PAGE_SETTINGS}
        key = tuple(sorted((name, repr(value)) for name, value in own.items()))
        page = self._idle.pop(key, None)
        if page is None:
            page = self._browser.new_context(base_url=self._base_url, **own).new_page()
        page.set_viewport_size(settings.get("viewport", _VIEWPORT))
        page.emulate_media(
            media="null",
            color_scheme=settings.get("color_scheme", "light"),
            reduced_motion=settings.get("reduced_motion", "no-preference"),
        )
        failed, calls = self._failed(), _watched(page)
        yield page
        self._lent[page] += 1
        stays = any(name in _STAYS for name, _ in calls)
        again = not stays and self._failed() == failed and self._lent[page] < LENT_AT_MOST
        if again and key not in self._idle and self._emptied(page, calls):
            self._idle[key] = page
        else:
            self._lent.pop(page)
            page.context.close()

    def _emptied(self, page: Page, calls: list[tuple[str, tuple[Any, ...]]]) -> bool:
        """Make it as good as new; whether that was possible."""
        if page.is_closed() or not page.url.startswith((self._base_url, "about:blank")):
            return False
        for _, listener in calls:
            page.remove_listener(*listener)
        context = page.context
        for other in context.pages:
            if other is not page:
                other.close()
        try:
            page.unroute_all()
            context.unroute_all()
            context.set_offline(False)
            context.clear_permissions()
            page.goto(f"{self._base_url}/favicon.svg")
            clean = bool(page.evaluate(_FORGET))
            context.clear_cookies()
            page.mouse.move(-1, -1)
            page.goto("about:blank")
            tools = type(context).new_cdp_session(context, page)
            tools.send("Page.resetNavigationHistory")
            tools.detach()
        except BrowserError:
            return False
        return clean


def _watched(page: Page) -> list[tuple[str, tuple[Any, ...]]]:
    """The calls, with their arguments, that leave something in this page: a list that grows."""
    calls: list[tuple[str, tuple[Any, ...]]] = []

    def watch(target: Any, name: str) -> None:
        original = getattr(type(target), name)

        def noted(*arguments: Any, **named: Any) -> Any:
            calls.append((name, arguments))
            return original(target, *arguments, **named)

        setattr(target, name, noted)

    watch(page, "on")
    for target in (page, page.context):
        for name in _STAYS:
            if hasattr(target, name):
                watch(target, name)
    return calls

"""A page that tests borrow one after another is as good as new each time."""

from playwright.sync_api import Browser, Page

from tests.browser.kept_pages import KeptPages

LEAVE_EVERYTHING = """
async () => {
  localStorage.setItem("left", "1");
  sessionStorage.setItem("left", "1");
  document.cookie = "left=1";
  await new Promise((done) => { indexedDB.open("left").onsuccess = done; });
}
"""
WHAT_IS_LEFT = """
async () => ({
  stored: [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length],
  cookie: document.cookie,
  window: [innerWidth, innerHeight],
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  still: matchMedia("(prefers-reduced-motion: reduce)").matches,
})
"""


def pages(browser: Browser, base_url: str, failed: list[int] | None = None) -> KeptPages:
    return KeptPages(browser, base_url, lambda: len(failed or ()))


def test_the_next_borrower_finds_nothing_of_the_last(browser: Browser, base_url: str) -> None:
    kept, heard = pages(browser, base_url), list[str]()
    settings = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    with kept.borrowed(**settings, reduced_motion="reduce") as first:
        first.on("request", lambda request: heard.append(request.url))
        first.route("**/favicon.svg", lambda route: route.fulfill(body="routed"))
        first.context.new_page()
        first.goto("/docs/missing")
        first.evaluate(LEAVE_EVERYTHING)
        assert first.evaluate(WHAT_IS_LEFT)["window"] == [390, 844]
        first.context.set_offline(True)
    heard.clear()

    with kept.borrowed() as second:
        assert second is first
        assert second.url == "about:blank"
        assert second.context.pages == [second]
        assert second.evaluate("history.length") == 1
        response = second.goto("/favicon.svg")

        assert response is not None
        assert response.text() != "routed"
        assert second.evaluate(WHAT_IS_LEFT) == {
            "stored": [0, 0, 0],
            "cookie": "",
            "window": [1280, 720],
            "dark": False,
            "still": False,
        }
    assert heard == []


def test_a_page_that_cannot_be_emptied_is_not_lent_again(browser: Browser, base_url: str) -> None:
    failed: list[int] = []
    kept = pages(browser, base_url, failed)

    def stop_time(page: Page) -> None:
        page.goto("/favicon.svg")
        page.clock.install()

    leave = (
        stop_time,
        lambda page: page.add_init_script("0"),
        lambda page: page.context.new_cdp_session(page),
        lambda page: page.goto("data:text/html,elsewhere"),
        lambda page: page.close(),
        lambda page: failed.append(1),
    )
    for number, spoil in enumerate(leave):
        with kept.borrowed() as page:
            spoil(page)
        with kept.borrowed() as next_page:
            assert next_page is not page, number

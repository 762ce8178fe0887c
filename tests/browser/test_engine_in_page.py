"""A reader goes on without the service: in the page's own engine."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.run_page import LESSON, POSITION, open_run, press
from tests.browser.test_assess import ONE_COPY

STARTS_MS = 120_000
"""Other tests may use every processor."""


def fail(route: Route) -> None:
    """The network fails."""
    route.abort()


@pytest.fixture
def alone(context: BrowserContext, page: Page) -> Page:
    """The third step of a lesson whose service no longer responds about runs."""
    open_run(page, f"{LESSON}?lang=en")
    context.route("**/api/v1/sessions**", fail)
    press(page, "ArrowRight", 3)
    return page


def test_a_reader_acts_steps_back_reloads_and_shares_without_the_service(
    alone: Page, context: BrowserContext
) -> None:
    alone.get_by_role("button", name="Crash broker 1").click()
    asked = alone.get_by_role("dialog", name="The server does not respond")
    expect(asked).to_contain_text(re.compile(r"downloads [456]\.\d MB, once"))
    asked.get_by_role("button", name="Load").click()
    alone.wait_for_url(re.compile("/x/z"), timeout=STARTS_MS)
    run = urlsplit(alone.url).path
    expect(alone.locator(POSITION)).to_have_text("Step 4 of 4")
    press(alone, "ArrowLeft", 1)
    expect(alone.locator(POSITION)).to_have_text("Step 3 of 4")

    # The browser keeps the run, and does not ask again.
    alone.reload()
    expect(alone.locator(".run-page main")).to_be_visible(timeout=STARTS_MS)
    assert urlsplit(alone.url).path == run
    press(alone, "End", 1)
    expect(alone.locator(POSITION)).to_have_text("Step 4 of 4")
    alone.get_by_role("button", name="The controller detects the state of broker 1").first.click()
    expect(alone.locator(POSITION)).to_have_text("Step 5 of 5")

    # A link contains the run, and the service can open it as well.
    alone.get_by_role("button", name="Share", exact=True).click()
    link = alone.get_by_role("textbox", name="Full-state link")
    expect(link).to_have_value(re.compile("#z=1[.]"))
    address = link.input_value()
    context.unroute("**/api/v1/sessions**", fail)
    alone.goto("about:blank")
    alone.goto(address)
    expect(alone.locator(POSITION)).to_have_text("Step 5 of 5")
    assert "/x/z" not in alone.url


def test_a_reader_who_does_not_load_it_learns_why_nothing_happens(alone: Page) -> None:
    alone.get_by_role("button", name="Crash broker 1").click()

    alone.get_by_role("dialog").get_by_role("button", name="Not now").click()

    expect(alone.get_by_text("The service cannot be reached.").first).to_be_visible()
    expect(alone.locator(POSITION)).to_have_text("Step 3 of 14")


def test_an_engine_that_cannot_be_loaded_is_said_in_plain_words(
    alone: Page, context: BrowserContext
) -> None:
    context.route("**/engine/**/*.bin", fail)
    alone.get_by_role("button", name="Crash broker 1").click()

    alone.get_by_role("dialog").get_by_role("button", name="Load").click()

    expect(alone.get_by_text("The engine could not be loaded.")).to_be_visible(timeout=STARTS_MS)


def test_a_cluster_is_assessed_and_searched_without_the_service(
    page: Page, context: BrowserContext
) -> None:
    for requests in ("assessments", "sessions"):
        context.route(f"**/api/v1/{requests}**", fail)
    page.goto("/assess?lang=en")
    page.get_by_role("textbox").first.fill(ONE_COPY)
    page.get_by_role("button", name="Show what it can lose").click()
    page.get_by_role("dialog", name="The server does not respond").get_by_role(
        "button", name="Load"
    ).click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("audit-0", timeout=STARTS_MS)
    searches = page.get_by_role("region", name="Searches")
    found = searches.get_by_text("an acknowledged record is lost in 2 steps with 1 power loss")
    expect(found).to_be_visible(timeout=STARTS_MS)
    stop = searches.get_by_role("button", name="Stop")
    stop.click()
    expect(stop).to_have_count(0)
    expect(searches.get_by_role("button", name="Search audit-0")).to_be_visible()
    searches.get_by_role("button", name="Watch this run").click()
    page.wait_for_url(re.compile("/x/z"), timeout=STARTS_MS)
    expect(page.get_by_role("banner")).to_contain_text("audit-0")

    page.get_by_role("button", name="Find a failure").click()
    dialog = page.get_by_role("dialog", name="Find a failure from here")
    dialog.get_by_role("button", name="Search", exact=True).click()
    expect(dialog.get_by_text("Not found. What the search tries can reach")).to_be_visible(
        timeout=STARTS_MS
    )

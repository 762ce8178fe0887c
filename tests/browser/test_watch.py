"""A live cluster in the browser: `highwater connect --watch --open`, from its start to Ctrl-C."""

import os
import re
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_pages import LOOKS, WIDER, violations
from tests.fake_broker import FakeCluster
from tests.service_process import Server

READ_MS = 30_000


@pytest.fixture(scope="module")
def cluster() -> FakeCluster:
    return FakeCluster()


@pytest.fixture(scope="module")
def watched(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, cluster: FakeCluster
) -> Iterator[Server]:
    environment = {**os.environ, "PYTHONPATH": str(repository), "BROWSER": "true"}
    folder = tmp_path_factory.mktemp("watched")
    with cluster.served() as address:
        command = ("connect", address, "--watch", "--open", "--interval", "0.5")
        server = Server(folder, command=command, environment=environment)
        try:
            yield server
        finally:
            server.end(signal.SIGINT)


def test_a_live_cluster_is_judged_drawn_and_followed_and_a_lost_one_keeps_its_state(
    watched: Server, cluster: FakeCluster, page: Page
) -> None:
    page.goto(watched.address)
    log = page.get_by_role("log", name="Readings")
    expect(log).to_contain_text("First reading: 1 partition on 2 brokers", timeout=READ_MS)
    cell = page.get_by_role("gridcell", name=re.compile("audit-7, one disk is lost: keeps"))
    expect(cell).to_be_visible(timeout=READ_MS)
    expect(
        page.get_by_role("heading", name=re.compile("audit-7 as it was read at"))
    ).to_be_visible()

    cluster.isr, cluster.live = [1], [1]
    expect(log).to_contain_text("audit-7: 2 left the ISR", timeout=READ_MS)
    expect(log).to_contain_text("Broker 2 is no longer running")
    lost = page.get_by_role("gridcell", name=re.compile("audit-7, one disk is lost: (lost|can)"))
    expect(lost).to_be_visible(timeout=READ_MS)
    values = page.get_by_role("table").filter(has_text="ISR")
    expect(values.get_by_role("row", name=re.compile("^ISR 1 1 equal"))).to_be_visible()

    cluster.answers = False
    away = page.get_by_text(re.compile("Not read since .*: .*closed the connection"))
    expect(away).to_be_visible(timeout=READ_MS)
    expect(lost).to_be_visible()
    cluster.answers = True
    expect(away).to_be_hidden(timeout=READ_MS)

    log.get_by_role("button").last.click()
    expect(values.get_by_role("row", name=re.compile("^ISR 1, 2 1, 2 equal"))).to_be_visible()
    page.get_by_role("button", name="Follow the newest reading").click()
    expect(values.get_by_role("row", name=re.compile("^ISR 1 1 equal"))).to_be_visible()

    lost.press("Enter")
    page.wait_for_url(re.compile("/x/"))
    expect(page.get_by_role("banner")).to_contain_text("audit-7")


def test_it_is_accessible_and_fits_in_every_look(
    watched: Server, browser: Browser, axe_script: Path
) -> None:
    wrong = {}
    for theme, locale in LOOKS:
        page = browser.new_page(
            color_scheme=theme,  # type: ignore[arg-type]
            locale=locale,
            bypass_csp=True,
            reduced_motion="reduce",
        )
        page.goto(watched.address)
        expect(page.get_by_role("log")).to_be_visible(timeout=READ_MS)
        expect(page.locator("table").last).to_be_visible(timeout=READ_MS)
        wide = page.evaluate(WIDER)
        wrong[theme] = [*violations(page, axe_script), *([wide] if wide > 0 else [])]
        page.close()

    assert not any(wrong.values()), wrong


def test_ctrl_c_ends_everything_and_leaves_nothing(watched: Server, page: Page) -> None:
    page.goto(watched.address)
    expect(page.get_by_role("log")).to_be_visible(timeout=READ_MS)

    status = watched.end(signal.SIGINT)

    assert status in (0, 130)
    with pytest.raises(urllib.error.URLError, match="refused"):
        urllib.request.urlopen(watched.address)  # the address of this test
    expect(page.get_by_text("highwater connect does not respond")).to_be_visible(timeout=READ_MS)

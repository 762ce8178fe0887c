"""A live cluster in the browser: `highwater connect --watch --open`, from its start to Ctrl-C."""

import gzip
import json
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
    wrong = problems_in_every_look(watched, browser, axe_script)

    assert not any(wrong.values()), wrong


def problems_in_every_look(
    watched: Server, browser: Browser, axe_script: Path
) -> dict[str, list[object]]:
    wrong: dict[str, list[object]] = {}
    for theme, locale in LOOKS:
        page = browser.new_page(
            color_scheme=theme,  # type: ignore[arg-type]
            locale=locale,
            bypass_csp=True,
            reduced_motion="reduce",
        )
        page.goto(watched.address)
        expect(page.locator("table").last).to_be_visible(timeout=READ_MS)
        wide = page.evaluate(WIDER)
        wrong[theme] = [*violations(page, axe_script), *([wide] if wide > 0 else [])]
        page.close()
    return wrong


def test_ctrl_c_ends_everything_and_leaves_nothing(watched: Server, page: Page) -> None:
    page.goto(watched.address)
    expect(page.get_by_role("log")).to_be_visible(timeout=READ_MS)

    status = watched.end(signal.SIGINT)

    assert status in (0, 130)
    with pytest.raises(urllib.error.URLError, match="refused"):
        urllib.request.urlopen(watched.address)  # the address of this test
    expect(page.get_by_text("highwater connect does not respond")).to_be_visible(timeout=READ_MS)


@pytest.fixture(scope="module")
def differing(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A kept recording of 0.10.2 that claims to be one of 0.11, which has epochs."""
    folder = tmp_path_factory.mktemp("differing")
    archive = (repository / "sim_engine/conformance/recordings.json.gz").read_bytes()
    document = json.loads(json.loads(gzip.decompress(archive))["failover-and-return-0.10.2.2"])
    (folder / "claimed.json").write_text(json.dumps({**document, "kafka": "0.11.0.3"}))
    environment = {**os.environ, "PYTHONPATH": str(repository), "BROWSER": "true"}
    command = ("conform", "claimed.json", "--open")
    server = Server(folder, command=command, environment=environment)
    try:
        yield server
    finally:
        server.end(signal.SIGINT)


def test_a_recording_is_beside_the_engine_by_the_keyboard_alone(
    differing: Server, page: Page
) -> None:
    page.goto(differing.address)
    steps = page.get_by_role("region", name="Steps")
    first = steps.get_by_role("listitem").filter(has_text="first difference")
    expect(first).to_have_count(1, timeout=READ_MS)
    expect(steps).to_contain_text("partition 0 and the values of the first run")
    expect(first).to_contain_text(re.compile(r"≠ \d+ of \d+ differ"))

    page.get_by_role("button", name="Show it").press("Enter")

    expect(first.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    state = page.get_by_role("region", name=re.compile(r"^t-0 after step \d+$"))
    expect(state.get_by_role("row", name=re.compile("^Log .* differs$")).first).to_be_visible()
    engine = state.get_by_role("button", name="Engine")
    engine.press("Enter")
    expect(engine).to_have_attribute("aria-pressed", "true")
    expect(state.get_by_text("The engine’s state after the same steps.")).to_be_visible()
    steps.get_by_role("button").first.press("Enter")
    expect(page.get_by_role("region", name="t-0 after step 0")).to_be_visible()


def test_the_recording_is_accessible_and_fits_in_every_look(
    differing: Server, browser: Browser, axe_script: Path
) -> None:
    wrong = problems_in_every_look(differing, browser, axe_script)

    assert not any(wrong.values()), wrong

"""A page that was opened from a disk can embed a run: it has no origin that a policy could name."""

from pathlib import Path

import httpx
from playwright.sync_api import Page, expect

from tests.benchmarks.embed import shared


def test_a_page_that_was_opened_from_a_disk_shows_an_embed(
    page: Page, base_url: str, tmp_path: Path
) -> None:
    with httpx.Client(base_url=base_url) as client:
        sid = shared(client, scenario_id="two-rounds")
    host = tmp_path / "host.html"
    host.write_text(f'<iframe src="{base_url}/e/v1/s/{sid}?lang=en" width="800" height="600">')

    page.goto(host.as_uri())

    expect(page.frame_locator("iframe").locator("input[type=range]")).to_be_visible()

"""A recording of a real cluster, opened from the fidelity page and compared on the stage."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_recording_opens_on_the_stage_with_the_real_files_and_the_engines(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/fidelity", reduced_motion="reduce")
    page.get_by_role("searchbox").fill("s27 unnoticed bounce")
    page.get_by_role("link", name=re.compile("Open on the stage.*0.10.2.2")).click()
    page.wait_for_url(re.compile("/recordings/s27"))
    beside = page.get_by_role("region", name="Compare with the real cluster")
    expect(beside).to_contain_text("Go to a step")

    for _ in range(4):
        page.keyboard.press("ArrowRight")

    expect(beside).to_contain_text("values were read after this step, and the engine has the same")
    log = beside.get_by_role("row", name=re.compile(r"^Log .*m2"))
    expect(log).to_contain_text("0: m1 1: m2")
    expect(log).to_contain_text("equal")
    page.get_by_role("link", name="All recordings").click()
    expect(page.get_by_role("heading", name="Recordings of real clusters")).to_be_in_viewport()

"""Links that the first version made, opened in a browser: each shows the same as then."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.museum.exhibits import FIRST
from tests.museum.opened import OPENED
from tests.service_process import serving


@pytest.fixture(scope="module")
def museum(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service with what the first version stored; returns its address."""
    file = tmp_path_factory.mktemp("museum") / "highwater.db"
    FIRST.insert_into(f"sqlite:///{file}")
    with serving(repository, file) as address:
        yield address


def test_every_form_of_a_link_shows_what_it_showed(page: Page, museum: str):
    for form, words in OPENED.items():
        page.goto("about:blank")
        page.goto(museum + form)
        # The first run of a scenario of its own starts the process that computes it.
        expect(page.locator("body")).to_contain_text(words, timeout=60_000)


def test_a_share_with_branches_opens_on_one_and_has_the_other(page: Page, museum: str):
    page.goto(f"{museum}/s/{FIRST.sid('branches')}?lang=en")
    expect(page.get_by_text("Note from the author:")).to_be_visible()
    expect(page.get_by_role("link", name="a shared run")).to_have_attribute(
        "href", f"/s/{FIRST.sid('lesson')}"
    )
    expect(page.locator("#why-step")).to_contain_text("Step 4 of 4")

    branches = page.get_by_role("group", name="Branches")
    branches.get_by_role("button", name="all 2 branches").click()
    tree = page.get_by_role("dialog", name="Branches")
    expect(tree.get_by_role("listitem")).to_have_count(2)
    # Names are kept for runs of one's own.
    expect(tree.get_by_role("button", name="Rename")).to_have_count(0)
    page.keyboard.press("Escape")
    branches.get_by_role("button").first.click()
    page.keyboard.press("End")

    expect(page.locator("#why-step")).to_contain_text("Step 14 of 14")

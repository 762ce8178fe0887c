"""Links of every form and version, opened in a browser: each shows the same as before."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.old_shares import BRANCHED_SID, OLDEST_SID, OPENED, create_database
from tests.service_process import serving


@pytest.fixture(scope="module")
def old_service(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service with the old shares; returns its address."""
    file = tmp_path_factory.mktemp("old_shares") / "highwater.db"

    create_database(file)
    with serving(repository, file) as address:
        yield address


def test_every_form_of_a_link_shows_what_it_showed(page: Page, old_service: str):
    for form, words in OPENED.items():
        page.goto("about:blank")
        page.goto(old_service + form)
        expect(page.locator("body")).to_contain_text(words)


def test_a_share_with_branches_opens_on_one_and_has_the_other(page: Page, old_service: str):
    page.goto(f"{old_service}/s/{BRANCHED_SID}?lang=en")
    expect(page.get_by_text("Note from the author:")).to_be_visible()
    expect(page.get_by_role("link", name="a shared run")).to_have_attribute(
        "href", f"/s/{OLDEST_SID}"
    )

    branches = page.get_by_role("group", name="Branches")
    branches.get_by_role("button", name="all 2 branches").click()
    tree = page.get_by_role("dialog", name="Branches")
    expect(tree.get_by_role("listitem")).to_have_count(2)
    # Names are kept for runs of one's own.
    expect(tree.get_by_role("button", name="Rename")).to_have_count(0)
    page.keyboard.press("Escape")
    branches.get_by_role("button").first.click()
    page.keyboard.press("End")

    expect(page.locator("#why-step")).to_contain_text("Step 3 of 3")
    expect(page.get_by_text("Broker 2 crashes").first).to_be_visible()

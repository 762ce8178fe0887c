"""A reader of an article goes from a claim to the step that shows it, and back."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.run_page import wait_for_run


def test_a_claim_leads_to_its_step_and_the_step_back_to_the_claim(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/articles", reduced_motion="reduce")
    page.get_by_role("link", name="CAP theory in practice, part 2").click()
    claim = page.locator("#claim-4")
    expect(claim).to_contain_text("A restarted follower truncates to its high watermark.")
    expect(claim).to_contain_text("up to 0.10.2")

    claim.get_by_role("link", name="Watch").click()

    wait_for_run(page)
    expect(page.locator(".panel")).to_contain_text("Step 9 of 14")
    page.get_by_role("link", name="Claim 4 of “CAP theory in practice, part 2”").click()
    expect(page.locator("#claim-4")).to_be_in_viewport()
    expect(page.locator("#claim-4")).to_contain_text("Watch again")
    expect(page.get_by_text("1 of 18 watched")).to_be_visible()


def test_a_filter_keeps_the_numbers_of_the_claims(open_page: Callable[..., Page]) -> None:
    page = open_page("/articles/1")

    page.get_by_role("button", name="not what Kafka does: 4").click()

    expect(page.locator("ol a.number")).to_have_text(["5", "7", "14", "15"])

"""The simple view of the first lessons, and everything."""

import re
from pathlib import Path

from playwright.sync_api import Page, Route, expect

FIRST = "/lessons/a-record-and-its-copy"


def test_a_first_lesson_shows_only_what_the_words_have_introduced(page: Page) -> None:
    page.goto(FIRST)

    expect(page.get_by_text("Two brokers, each with a log.")).to_be_visible()
    expect(page.locator(".hw-stage")).to_have_count(0)
    for later in ("high watermark", "LEO 0", "min.insync.replicas"):
        expect(page.locator(".figure").get_by_text(later)).to_have_count(0)
    page.goto("/lessons/what-counts-as-safe")
    expect(page.locator(".figure").get_by_text("high watermark 0").first).to_be_visible()


def test_the_keyboard_leads_through_the_lesson_to_the_next(page: Page) -> None:
    page.goto(f"{FIRST}?step=5")
    expect(page.get_by_text("Step 5 of 5")).to_be_visible()

    expect(page.get_by_role("button", name="The whole story on one card")).to_be_visible()
    page.keyboard.press("ArrowRight")

    card = page.get_by_role("article")
    expect(card).to_contain_text("A follower copies the leader's log by asking for more")
    expect(card).to_contain_text("m2 is in the leader's log.")
    for later in ("high watermark", "LEO", "ISR", "KRaft"):
        expect(card.get_by_text(later)).to_have_count(0)
    expect(card.get_by_role("textbox")).to_have_value(re.compile(rf"{FIRST}\?step=5$"))
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(page.get_by_text("Step 5 of 5")).to_be_visible()
    page.get_by_role("button", name="The whole story on one card").click()
    expect(page.get_by_role("button", name=re.compile("Next: Where a log ends"))).to_be_visible()
    page.keyboard.press("ArrowRight")

    expect(page).to_have_url(re.compile("/lessons/where-a-log-ends"))
    expect(page.get_by_text("its offset: its place in the log")).to_be_visible()


def test_who_is_faster_than_the_card_gets_it_as_soon_as_it_can_be_shown(page: Page) -> None:
    waiting: list[Route] = []
    page.route(re.compile("/api/v1/scenarios/[^/]+$"), lambda route: waiting.append(route))
    page.goto(f"{FIRST}?step=5")
    expect(page.get_by_text("Step 5 of 5")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("article")).to_have_count(0)

    while not waiting:
        page.wait_for_timeout(20)
    waiting.pop().continue_()

    expect(page.get_by_role("article")).to_be_visible()


def test_a_held_key_ends_with_the_lesson_and_hasty_ones_are_one_visit(page: Page) -> None:
    page.goto(f"{FIRST}?step=3")
    expect(page.get_by_text("Step 3 of 5")).to_be_visible()

    for _ in range(12):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")

    expect(page.get_by_text("Step 5 of 5")).to_be_visible()
    expect(page.get_by_role("article")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Next: Where a log ends"))).to_be_visible()
    visits = page.evaluate("history.length")
    press = "dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
    page.evaluate(f"for (let i = 0; i < 3; i++) document.body.{press}")
    expect(page.get_by_text("its offset: its place in the log")).to_be_visible()
    assert page.evaluate("history.length") == visits + 1


def test_everything_is_one_key_and_a_button_and_is_remembered(page: Page) -> None:
    page.goto(FIRST)
    expect(page.locator(".figure")).to_be_visible()

    page.keyboard.press("e")
    expect(page.locator(".hw-stage")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Everything is shown.")).to_be_attached()
    page.reload()
    expect(page.locator(".hw-stage")).to_be_visible()
    choice = page.get_by_role("group", name="How much is shown")
    expect(choice.get_by_role("button", name="Everything")).to_have_attribute(
        "aria-pressed", "true"
    )
    choice.get_by_role("button", name="Simple").click()
    expect(choice.get_by_role("button", name="Simple")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".hw-stage")).to_have_count(0)
    page.reload()
    expect(page.locator(".figure")).to_be_visible()


def test_another_lesson_shows_everything(page: Page) -> None:
    page.goto("/lessons/two-rounds")

    expect(page.locator(".hw-stage")).to_be_visible()
    expect(page.get_by_role("group", name="How much is shown")).to_have_count(0)


def test_a_phone_chooses_below_the_title_and_in_the_menu(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(FIRST)

    page.get_by_role("navigation").get_by_role("button", name="Show everything").click()
    expect(page.locator(".hw-stage")).to_be_visible()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Simple", exact=True).click()
    expect(page.locator(".hw-stage")).to_have_count(0)


def test_a_new_part_comes_in_with_its_lesson_and_stands_still_on_request(page: Page) -> None:
    page.add_init_script(
        "window.entered = []; addEventListener('animationstart', ({target}) => {"
        " if (target.dataset.enters) entered.push(target.dataset.enters) })"
    )
    page.goto("/lessons/what-counts-as-safe")
    page.wait_for_function("() => entered.includes('high_watermark')")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("m1 is at the leader only.")).to_be_visible()
    assert set(page.evaluate("entered")) == {"high_watermark"}

    page.emulate_media(reduced_motion="reduce")
    page.reload()
    expect(page.locator("[data-enters]").first).to_be_visible()
    page.wait_for_timeout(300)
    assert page.evaluate("entered") == []


def test_the_titles_and_terms_of_the_path_are_whole(page: Page) -> None:
    for width in (910, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(FIRST)
        expect(page.locator(".note").first).to_be_visible()
        cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
        tiles = page.locator("nav li :is(a, em, small)")
        assert tiles.count() == 18
        assert tiles.evaluate_all(cut) == 0


def test_the_simple_view_is_accessible_and_fits_a_phone(page: Page, axe_script: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for lesson in ("a-record-and-its-copy", "who-led-when"):
        page.goto(f"/lessons/{lesson}?step=2")
        expect(page.locator(".note").first).to_be_visible()
        page.evaluate(axe_script.read_text(encoding="utf-8"))
        found = page.evaluate(
            "async () => (await axe.run()).violations.map((v) => v.id + v.nodes[0].html)"
        )
        assert found == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

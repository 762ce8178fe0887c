"""The actions on a broker's row of the stage: by mouse, by keyboard, by touch."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.run_page import (
    LESSON,
    PAINTED,
    POSITION,
    frames_of,
    open_run,
    press,
    wait_for_run,
)
from tests.touch import press_long

COVERED_CARDS = """() => {
  const rectangle = (element) => element.getBoundingClientRect();
  const bar = rectangle(document.querySelector(".logs .actions-bar"));
  return [...document.querySelectorAll(".inbox .card")].filter((card) => {
    const boxes = [bar, rectangle(card), rectangle(card.closest(".inbox"))];
    const shared = (from, to) => Math.min(...boxes.map(to)) - Math.max(...boxes.map(from));
    const across = shared((box) => box.left, (box) => box.right);
    return across > 0.5 && shared((box) => box.top, (box) => box.bottom) > 0.5;
  }).map((card) => card.innerText);
}"""
"""The messages on the stage that the actions of a row or a link cover, if only in part."""


def broker_of(page: Page, broker: int) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^Broker {broker}, ")).first


def toolbar_of(page: Page, broker: int) -> Locator:
    return page.get_by_role("toolbar", name=f"Actions on broker {broker}")


def test_pointing_at_a_row_offers_its_actions_and_one_press_does_one(run: Page) -> None:
    expect(run.get_by_role("toolbar")).to_have_count(0)

    broker_of(run, 1).hover()
    expect(toolbar_of(run, 1)).to_be_visible()
    expect(run.get_by_role("toolbar")).to_have_count(1)
    broker_of(run, 2).hover()
    expect(toolbar_of(run, 2)).to_be_visible()
    expect(toolbar_of(run, 1)).to_have_count(0)
    # The buttons stay while the pointer moves from the row to them.
    toolbar_of(run, 2).get_by_role("button", name="Crash").click()

    expect(run.locator(POSITION)).to_have_text("Step 1 of 1")
    expect(run.locator(".sentence")).to_have_text("Broker 2 crashes.")
    run.mouse.move(5, 5)
    expect(run.get_by_role("toolbar")).to_have_count(0)


def test_a_broker_that_is_down_is_offered_to_be_started_first(run: Page) -> None:
    run.keyboard.press("1")
    toolbar_of(run, 1).get_by_role("button", name="Crash").click()
    expect(run.locator(".sentence")).to_have_text("Broker 1 crashes.")

    expect(toolbar_of(run, 1).get_by_role("button").first).to_have_text(re.compile("^Start"))


def test_the_actions_of_a_row_are_reached_by_keys(run: Page) -> None:
    broker_of(run, 1).focus()
    run.keyboard.press("Enter")
    expect(toolbar_of(run, 1)).to_be_visible()
    buttons = toolbar_of(run, 1).get_by_role("button")
    expect(toolbar_of(run, 1).get_by_role("button", name="Crash")).to_be_visible()

    run.keyboard.press("Tab")
    expect(buttons.nth(0)).to_be_focused()
    run.keyboard.press("ArrowRight")
    expect(buttons.nth(1)).to_be_focused()
    run.keyboard.press("ArrowLeft")
    run.keyboard.press("ArrowLeft")
    expect(buttons.last).to_be_focused()
    run.keyboard.press("Home")
    expect(buttons.first).to_be_focused()
    # The arrow keys moved between the buttons, not through the run.
    expect(run.locator(POSITION)).to_have_text("Start")
    run.keyboard.press("Escape")
    expect(broker_of(run, 1)).to_be_focused()

    run.keyboard.press("Tab")
    for _ in range(buttons.count()):
        if (run.evaluate("document.activeElement.textContent") or "").strip().startswith("Crash"):
            break
        run.keyboard.press("ArrowRight")
    run.keyboard.press("Enter")

    expect(run.locator(".sentence")).to_have_text("Broker 1 crashes.")


def test_the_keyboard_on_a_brokers_name_offers_the_actions_of_its_row(run: Page) -> None:
    name, bar = broker_of(run, 1), toolbar_of(run, 1)
    press(run, "ArrowRight", 5)
    name.focus()
    run.keyboard.press("Shift+Tab")
    expect(run.get_by_role("toolbar")).to_have_count(0)

    run.keyboard.press("Tab")
    expect(name).to_be_focused()
    expect(bar).to_be_visible()
    expect(run.locator(".hw-row-pointed")).to_have_count(1)
    expect(name).to_have_attribute("aria-pressed", "false")
    # Until they are loaded, the bar has the actions of an earlier message, in another order.
    expect(bar.get_by_role("button").first).to_have_text("Fetch")
    run.keyboard.press("Tab")
    expect(bar.get_by_role("button").first).to_be_focused()
    # A pointer that passes another row does not take the actions away from the focus.
    broker_of(run, 2).hover()
    run.wait_for_timeout(200)  # longer than it must rest there
    expect(bar.get_by_role("button").first).to_be_focused()
    run.mouse.move(5, 5)
    run.keyboard.press("Shift+Tab")
    expect(name).to_be_focused()

    # The actions are one tab stop. They stay on the records of the row, which come next.
    run.keyboard.press("Tab")
    run.keyboard.press("ArrowRight")
    run.keyboard.press("Tab")
    expect(run.locator("[data-cell^='1/'][tabindex='0']")).to_be_focused()
    expect(bar).to_be_visible()
    while not (run.evaluate("document.activeElement.ariaLabel") or "").startswith("Broker 2, "):
        run.keyboard.press("Tab")
    expect(toolbar_of(run, 2)).to_be_visible()
    expect(run.get_by_role("toolbar")).to_have_count(1)
    run.get_by_role("button", name="Present").focus()
    expect(run.get_by_role("toolbar")).to_have_count(0)
    expect(run.locator(".hw-row-pointed")).to_have_count(0)


def test_tab_leaves_the_stage_while_a_broker_is_selected(page: Page) -> None:
    open_run(page, "/lessons/transactions")
    broker_of(page, 2).click()
    bar = toolbar_of(page, 2)
    menu = page.get_by_role("button", name="Actions of Controller")
    expect(bar.get_by_role("button", name="Crash")).to_be_visible()
    in_bar = "document.activeElement.closest('[role=toolbar]') !== null"
    on_menu = "document.activeElement.ariaLabel === 'Actions of Controller'"

    page.keyboard.press("Tab")
    expect(bar.get_by_role("button").first).to_be_focused()
    for _ in range(40):
        page.keyboard.press("Tab")
        assert not page.evaluate(in_bar)
        if page.evaluate(on_menu):
            break
    expect(menu).to_be_focused()
    expect(broker_of(page, 2)).to_have_attribute("aria-pressed", "true")

    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        assert not page.evaluate(in_bar)
        if page.evaluate("document.activeElement.dataset.broker") == "2":
            break
    expect(broker_of(page, 2)).to_be_focused()
    page.keyboard.press("Tab")
    expect(bar.get_by_role("button").first).to_be_focused()


def test_enter_on_a_selected_broker_opens_its_menu_with_the_reasons_of_refused_actions(
    run: Page,
) -> None:
    broker = broker_of(run, 1)
    menu = run.get_by_role("menu")
    broker.focus()
    run.keyboard.press("Enter")
    expect(broker).to_have_attribute("aria-pressed", "true")
    expect(menu).to_have_count(0)

    run.keyboard.press("Enter")
    items = menu.get_by_role("menuitem")
    expect(items.first).to_be_focused()
    refused = menu.locator("[aria-disabled=true]")
    expect(refused.last).to_be_attached()
    run.keyboard.press("ArrowUp")
    expect(refused.last).to_be_focused()
    expect(refused.last).to_be_in_viewport(ratio=1)
    # A refused action has no effect, and its menu stays.
    run.keyboard.press("Enter")
    expect(refused.last).to_be_focused()
    run.keyboard.press("ArrowDown")
    expect(items.first).to_be_focused()
    run.keyboard.press("End")
    expect(refused.last).to_be_focused()
    run.keyboard.press("Escape")

    expect(broker).to_be_focused()
    expect(run.locator(POSITION)).to_have_text("Start")
    expect(toolbar_of(run, 1)).to_be_visible()
    run.keyboard.press("Space")
    expect(broker).to_have_attribute("aria-pressed", "false")


def test_enter_on_a_selected_record_opens_its_menu(run: Page) -> None:
    press(run, "ArrowRight", 5)
    record = run.get_by_role("button", name=re.compile("^Broker 1: m2, offset 1"))
    record.focus()
    run.keyboard.press("Enter")
    expect(record).to_have_attribute("aria-pressed", "true")

    run.keyboard.press("Enter")
    expect(run.get_by_role("menu").get_by_role("menuitem").first).to_be_focused()
    run.keyboard.press("Escape")

    expect(record).to_be_focused()
    expect(run.locator(POSITION)).to_have_text("Step 5 of 14")


def offer_by_mouse(page: Page, name: Locator) -> None:
    name.hover()


def offer_by_keys(page: Page, name: Locator) -> None:
    name.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(name).to_be_focused()


def offer_by_touch(page: Page, name: Locator) -> None:
    name.tap()


@pytest.mark.parametrize(
    ("offer", "windows"),
    [
        (offer_by_mouse, [(1440, 10), (1024, 16), (800, 16)]),
        (offer_by_keys, [(1440, 10), (800, 16), (390, 17)]),
        (offer_by_touch, [(1024, 16), (800, 16), (390, 17)]),
    ],
)
def test_the_actions_of_a_row_cover_no_message(
    offer: Callable[[Page, Locator], None],
    windows: list[tuple[int, int]],
    open_page: Callable[..., Page],
) -> None:
    by_touch = offer is offer_by_touch
    page = open_page("/docs", has_touch=by_touch, reduced_motion="reduce")
    for width, step in windows:
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"/lessons/missed-deposition?step={step}")
        held = page.locator(".inbox .card", has=page.get_by_role("button", name="Release"))
        expect(held.first).to_be_visible()
        for broker in (1, 2, 3):
            offer(page, broker_of(page, broker))
            bar = toolbar_of(page, broker)
            expect(bar.get_by_role("button", name="All actions")).to_be_visible()

            assert page.evaluate(f"{PAINTED}.then({COVERED_CARDS})") == [], (width, broker)

        release = held.first.get_by_role("button", name="Release")
        if offer is offer_by_keys:
            release.press("Enter")
        else:
            (release.tap if by_touch else release.click)()
        expect(page.locator(".sentence").first).to_have_text(re.compile("is released"))


def test_a_closed_menu_returns_the_focus_to_the_broker(run: Page) -> None:
    broker_of(run, 1).focus()
    run.keyboard.press("Shift+F10")
    expect(run.get_by_role("menu").get_by_role("menuitem").first).to_be_focused()

    run.keyboard.press("Escape")

    expect(broker_of(run, 1)).to_be_focused()


def test_a_click_on_a_text_focuses_no_part_of_the_page(run: Page) -> None:
    run.get_by_text("Controller", exact=True).first.click()
    run.keyboard.press("Escape")

    expect(run.locator("body")).to_be_focused()


def test_an_action_with_variants_asks_which_and_the_last_button_has_them_all(run: Page) -> None:
    press(run, "ArrowRight", 1)
    run.keyboard.press("1")
    menu = run.get_by_role("menu")

    toolbar_of(run, 1).get_by_role("button", name="Isolate").click()
    expect(menu.get_by_role("menuitem", name=re.compile("^Isolate broker 1"))).to_have_count(3)
    run.keyboard.press("Escape")
    toolbar_of(run, 1).get_by_role("button", name="All actions on broker 1").click()
    expect(menu.get_by_role("menuitem", name="Cut the power of broker 1").first).to_be_visible()
    menu.get_by_role("menuitem", name="Crash broker 1", exact=True).click()

    expect(run.locator(POSITION)).to_have_text("Step 2 of 2")


def test_a_tap_on_a_broker_offers_its_actions(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wait_for_run(page)

    broker_of(page, 1).tap()
    crash = toolbar_of(page, 1).get_by_role("button", name="Crash")
    expect(crash).to_be_visible()
    page.evaluate(PAINTED)
    box = crash.bounding_box()
    assert box is not None
    assert box["height"] >= 40
    # The actions hide no record of any row.
    for cell in page.locator(".hw-cell, .hw-slot").all():
        record = cell.bounding_box()
        assert record is not None
        above = record["y"] + record["height"] <= box["y"]
        assert above or record["y"] >= box["y"] + box["height"]
    crash.tap()

    expect(page.locator(".told .sentence")).to_have_text("Broker 1 crashes.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_lifting_the_finger_after_a_long_press_chooses_nothing(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(LESSON, viewport={"width": 390, "height": 844}, has_touch=True)

    press_long(broker_of(page, 1))
    page.get_by_role("menuitem", name="Crash broker 1").tap()

    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.locator(".told .sentence")).to_have_text("Broker 1 crashes.")
    # That alone was done: the lesson has 40 frames.
    assert [frame["action"] for frame in frames_of(page)[40:]] == [{"crash": {"broker": 1}}]


def test_two_held_metadata_records_read_differently(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    for lang, cards in (
        ("en", ["metadata 5: leader 2, epoch 1", "metadata 6: replicas [1, 2, 3]"]),
        ("zh", ["元数据 5：leader 2，纪元 1", "元数据 6：副本 [1, 2, 3]"]),
    ):
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"/lessons/missed-deposition?step=10&lang={lang}")
            held = page.locator(".inbox").filter(has=page.locator(".card")).first.locator(".card")
            expect(held.locator(".title")).to_have_text(cards)
            # Screen readers hear it with each button.
            for number, text in enumerate(cards):
                buttons = held.nth(number).get_by_role("button")
                expect(buttons.last).to_have_accessible_name(re.compile(re.escape(text)))

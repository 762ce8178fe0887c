"""The actions on what is selected on the stage: a client, a link, a message, a timer, a setting."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.run_page import LESSON, POSITION, frames_of, press, timeline_of, wait_for_run
from tests.touch import swipe

SENTENCE = ".sentence"


def toolbar_of(page: Page, name: str) -> Locator:
    return page.get_by_role("toolbar", name=name, exact=True)


def cut_a_link(page: Page) -> Locator:
    """Cuts the link from broker 2 to broker 1; the broken link on the stage."""
    page.get_by_role("button", name=re.compile("^Broker 2, ")).first.click(button="right")
    page.get_by_role("menuitem", name="Isolate broker 2 from the other brokers", exact=True).click()
    return page.get_by_role("button", name="messages from 2 do not reach 1")


def test_a_selected_client_has_its_actions_in_its_lane(run: Page) -> None:
    press(run, "ArrowRight", 2)
    expect(run.get_by_role("toolbar")).to_have_count(0)

    run.get_by_role("region", name="Producer p1").click(position={"x": 20, "y": 18})
    bar = toolbar_of(run, "Actions of Producer p1")
    expect(bar).to_be_visible()
    buttons = bar.get_by_role("button")
    expect(buttons.nth(1)).to_be_visible()
    assert buttons.count() <= 5
    bar.get_by_role("button", name="Refresh metadata").click()

    expect(run.locator(SENTENCE)).to_contain_text("p1")
    assert frames_of(run)[-1]["action"] == {"refresh": {"as": "p1"}}


def test_a_click_that_explains_a_term_of_a_lane_selects_nothing(run: Page) -> None:
    run.get_by_role("region", name="Controller", exact=True).get_by_text("leader epoch").click()

    expect(run.get_by_role("tooltip")).to_be_visible()
    expect(run.get_by_role("toolbar")).to_have_count(0)


def test_the_actions_of_the_controller_are_reached_by_keys(run: Page) -> None:
    lane = run.get_by_role("region", name="Controller", exact=True)
    menu = lane.get_by_role("button", name="Actions of Controller")
    menu.focus()
    run.keyboard.press("Enter")
    expect(run.get_by_role("menu").get_by_role("menuitem").first).to_be_focused()
    run.keyboard.press("Escape")

    # What the menu was about stays selected; its actions come after the button.
    expect(menu).to_be_focused()
    bar = toolbar_of(run, "Actions of Controller")
    expect(bar).to_be_visible()
    run.keyboard.press("Tab")
    expect(bar.get_by_role("button").first).to_be_focused()
    run.keyboard.press("ArrowRight")
    expect(bar.get_by_role("button").nth(1)).to_be_focused()
    run.keyboard.press("Escape")
    expect(menu).to_be_focused()
    expect(run.locator(POSITION)).to_have_text("Start")


def test_a_cut_link_is_selected_and_restored_by_mouse_and_by_keys(run: Page) -> None:
    link = cut_a_link(run)
    link.dispatch_event("click")  # the two directions are close together
    bar = toolbar_of(run, "Actions on the link 2 → 1")
    bar.get_by_role("button", name="Restore the link 2 → 1").click()
    expect(link).to_have_count(0)

    other = run.get_by_role("button", name="messages from 1 do not reach 2")
    other.locator(".hw-broken-hit").click(force=True)
    expect(toolbar_of(run, "Actions on the link 1 → 2")).to_be_visible()
    run.mouse.move(5, 5)  # at rest on a row, it would offer the row's actions
    run.keyboard.press("Escape")
    expect(run.get_by_role("toolbar")).to_have_count(0)
    other.focus()
    run.keyboard.press("Enter")
    bar = toolbar_of(run, "Actions on the link 1 → 2")
    expect(bar.get_by_role("button", name="All actions on the link 1 → 2")).to_be_visible()
    run.keyboard.press("Tab")
    expect(bar.get_by_role("button").first).to_be_focused()
    run.keyboard.press("Enter")

    expect(run.locator(".hw-broken-link")).to_have_count(0)
    expect(run.locator("[data-broker='2']")).to_be_focused()  # the link is not there any more


def test_a_selected_message_has_all_its_actions_behind_its_last_button(run: Page) -> None:
    run.keyboard.press("z")
    for _ in range(20):
        if run.locator(".card").count() > 0:
            break
        run.keyboard.press("ArrowRight")
        run.wait_for_timeout(250)
    card = run.locator(".card").first
    expect(card.get_by_role("button", name=re.compile("^Actions of"))).to_have_count(0)

    run.locator(".hw-dot, .hw-dot-waiting").first.click(force=True)
    run.locator(".card.selected").get_by_role("button", name=re.compile("^Actions of")).click()

    expect(run.get_by_role("menuitem", name=re.compile("^Deliver the")).first).to_be_visible()


def test_a_setting_in_the_header_has_its_changes_in_a_menu(run: Page) -> None:
    run.set_viewport_size({"width": 1600, "height": 900})  # room for a chip each
    chip = run.get_by_role("button", name=re.compile("^min.insync.replicas 1"))
    chip.focus()
    run.keyboard.press("Shift+F10")
    run.get_by_role("menuitem", name="Set min.insync.replicas: 2").click()

    expect(run.get_by_role("button", name=re.compile("^min.insync.replicas 2"))).to_be_visible()


def test_a_timer_has_the_ways_to_let_it_fire_in_a_menu(run: Page) -> None:
    timers = run.get_by_role("list", name="due next").get_by_role("button")
    timers.first.click(button="right")
    menu = run.get_by_role("menu")

    expect(menu.get_by_role("menuitem", name="Advance time by 5000 ms").first).to_be_visible()
    expect(menu.get_by_role("menuitem", name="Broker 1 checks its ISRs").first).to_be_visible()


def test_on_a_phone_a_tap_on_a_client_offers_its_actions(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wait_for_run(page)
    expect(timeline_of(page)).to_have_attribute("aria-valuetext", "Start")
    press(page, "ArrowRight", 1)
    page.get_by_role("region", name="Producer p1").tap(position={"x": 280, "y": 18})

    bar = toolbar_of(page, "Actions of Producer p1")
    expect(bar).to_be_visible()
    box = bar.get_by_role("button").first.bounding_box()
    assert box is not None
    assert box["height"] >= 40
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_finger_that_starts_on_a_broker_scrolls_the_page(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, viewport={"width": 390, "height": 600}, has_touch=True, is_mobile=True)
    wait_for_run(page)
    expect(timeline_of(page)).to_have_attribute("aria-valuetext", "Start")
    label = page.locator('[data-broker="2"]')
    # A synthetic touch scrolls also where the style sheet forbids it.
    expect(label).to_have_css("touch-action", "auto")
    name = label.bounding_box()
    assert name is not None
    touch = page.context.new_cdp_session(page)
    swipe(touch, (name["x"] + 40, name["y"] + 10), (0, -160))

    assert page.evaluate("scrollY") > 100
    # It cut no link: that is in the menu of a long press.
    expect(timeline_of(page)).to_have_attribute("aria-valuetext", "Start")

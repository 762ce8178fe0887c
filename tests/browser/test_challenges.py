"""A player wins a challenge, undoes a move, opens a challenge without a solution, and makes moves
on the stage, on a laptop and on a phone."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from sim_engine.challenges import solutions
from tests.browser.run_page import POSITION, visit
from tests.touch import press_long


def test_a_player_wins_a_challenge_with_the_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges/power-of-two", reduced_motion="reduce")
    first = page.get_by_role("button", name="Cut the power of broker 1")
    expect(first).to_be_visible()
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    faults = page.get_by_role("list", name="Faults left")
    expect(faults.get_by_role("listitem").filter(has_text="none")).to_have_text(
        ["broker crashes none", "lost fetch responses none", "more records none"]
    )

    first.press("Enter")
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    page.keyboard.press("u")
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    page.keyboard.press("r")
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    page.get_by_role("button", name="Cut the power of broker 2").press("Enter")

    expect(page.get_by_text("Violated", exact=True)).to_be_visible()
    expect(page.locator(".won")).to_contain_text("Solved in 2 moves. That is the fewest known.")
    page.get_by_role("button", name="Open as a run").click()
    page.wait_for_url(re.compile("/x/"))


def test_a_won_challenge_is_a_success_and_can_be_shared(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges/power-of-two?lang=en", reduced_motion="reduce")
    page.get_by_role("button", name="Cut the power of broker 1").click()
    expect(page.get_by_text("What still protects m1")).to_be_visible()
    page.get_by_role("button", name="Cut the power of broker 2").click()

    expect(page.locator(".won")).to_contain_text("Solved in 2 moves.")
    expect(page.locator(".won")).to_have_css("color", "rgb(23, 107, 58)")
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".won")).to_have_css("color", "rgb(114, 207, 149)")
    expect(page.get_by_text("What still protects m1")).to_have_count(0)
    expect(page.get_by_text("acknowledged before the start · lost at step 2")).to_be_visible()
    expect(page.get_by_text("down since step 1, not detected").first).to_be_visible()
    page.get_by_role("button", name="Share my try").click()

    page.wait_for_url(re.compile("/x/"))
    expect(page.get_by_role("dialog", name="Share")).to_be_visible()
    expect(page.locator(POSITION)).to_have_text(re.compile(r"Step (\d+) of \1"))
    expect(page).not_to_have_url(re.compile("share"))


def test_a_try_survives_a_reload_until_one_starts_over(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges/power-of-two", reduced_motion="reduce")
    page.get_by_role("button", name="Cut the power of broker 1").click()
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()

    page.reload()
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    expect(page.locator(".moves .last")).to_contain_text("Cut the power of broker 1")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    page.reload()
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    page.reload()

    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()


def test_an_unwinnable_challenge_states_what_was_searched(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges", reduced_motion="reduce")

    expect(page.get_by_text("no solution:")).to_have_count(0)
    page.get_by_role("link", name="Only one power loss").click()
    page.get_by_role("button", name="Give up and show the result").press("Enter")

    states = solutions()["power-of-one"].states
    expect(page.locator(".unbeatable").last).to_contain_text(f"{states} states")


def bar_of(page: Page, broker: int) -> Locator:
    return page.get_by_role("toolbar", name=f"Actions on broker {broker}")


def broker_of(page: Page, broker: int) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^Broker {broker}, ")).first


def test_stage_moves_and_undo_fit_a_laptop(open_page: Callable[..., Page]) -> None:
    page = open_page("/docs", viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    for lang in ("en", "zh"):
        for challenge, row in (("power-of-two", 144), ("power-of-three", 120)):
            visit(page, "/docs")
            page.evaluate("localStorage.clear()")  # no earlier moves
            visit(page, f"/challenges/{challenge}?lang={lang}")
            check_that_it_fits(page, row)


def check_that_it_fits(page: Page, row: int) -> None:
    moves = page.locator(".yours li button")
    expect(moves.first).to_be_visible()

    for _ in range(2):
        for part in (
            moves.last,
            page.locator(".foot button").last,
            page.locator(".hw-stage section.lane").first,
            page.locator(".messages-over-time header"),
        ):
            expect(part).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight") == 900
        page.locator("[data-broker='2']").click()
        height = int(page.locator(".hw-row-selected").get_attribute("height") or 0)
        assert row <= height <= 144
        page.locator("[data-broker='2']").click()
        page.keyboard.press("1")
        expect(page.locator(".moves .last")).to_be_visible()


def test_the_stage_has_what_the_controller_knows_the_clock_and_a_closed_diagram(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/challenges/power-of-three?lang=en", reduced_motion="reduce")
    controller = page.get_by_role("region", name="Controller", exact=True)
    for fact in ("leader 1", "leader epoch 0", "ISR {1, 2, 3}"):
        expect(controller.get_by_text(fact, exact=True)).to_be_visible()
    diagram = page.get_by_role("region", name="Messages over time")
    expect(diagram.get_by_text(re.compile("^t = |^no time passes$"))).to_be_visible()
    expect(page.get_by_text("other properties are not scored")).to_be_visible()

    toggle = diagram.get_by_role("button", name="Messages over time")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    expect(diagram.locator("[id$='-body']")).to_be_visible()


def test_a_broker_is_selected_and_its_move_made_with_keys_alone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/challenges/power-of-two?lang=en", reduced_motion="reduce")
    expect(broker_of(page, 2)).to_be_visible()
    broker_of(page, 2).focus()
    page.keyboard.press("Enter")
    bar = bar_of(page, 2)
    expect(bar).to_be_visible()

    # What the challenge does not allow is not offered.
    expect(bar.get_by_role("button", name=re.compile("^Crash|^Pause"))).to_have_count(0)
    page.keyboard.press("Tab")
    expect(bar.get_by_role("button").first).to_be_focused()
    power = bar.get_by_role("button", name=re.compile("^Cut power"))
    for _ in range(bar.get_by_role("button").count()):
        if power.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")

    expect(page.locator(".moves .last")).to_contain_text("Cut the power of broker 2")
    expect(bar.get_by_role("button").first).to_have_text(re.compile("^Start"))


def test_the_menu_of_a_broker_has_its_possible_moves_alone(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges/power-of-two?lang=en", reduced_motion="reduce")
    broker_of(page, 1).click(button="right")
    items = page.get_by_role("menuitem")
    expect(items.filter(has_text="Cut the power of broker 1")).to_have_count(1)
    expect(page.locator("[role=menuitem][aria-disabled=true]")).to_have_count(0)
    allowed = page.locator(".yours li button").all_inner_texts()
    assert all(any(text in move for move in allowed) for text in items.all_inner_texts())

    items.filter(has_text="Cut the power of broker 1").click()
    expect(page.locator(".moves .last")).to_contain_text("Cut the power of broker 1")


def test_an_earlier_moment_is_looked_at_and_left_with_escape(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/challenges/power-of-two?lang=en", reduced_motion="reduce")
    fetch = page.get_by_role("button", name=re.compile("^Broker 2 fetches")).first
    expect(fetch).to_be_visible()
    fetch.click()
    expect(page.locator(".moves .last")).to_be_visible()

    lane = page.get_by_role("region", name="Producer p1")
    lane.get_by_role("button").filter(has_text="m1").click()
    expect(page.get_by_text("You are looking at the time before your first move.")).to_be_visible()
    # What was possible then is not offered.
    broker_of(page, 1).click()
    expect(page.get_by_role("toolbar")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Violate this property")).to_be_visible()
    expect(bar_of(page, 1)).to_be_visible()


def test_a_phone_has_the_stage_above_the_moves(open_page: Callable[..., Page]) -> None:
    page = open_page("/docs", has_touch=True, is_mobile=True, reduced_motion="reduce")
    for lang in ("en", "zh"):
        for width in (390, 320):
            visit(page, "/docs", (width, 700))
            page.evaluate("localStorage.clear()")  # no earlier moves
            visit(page, f"/challenges/power-of-three?lang={lang}")
            check_the_phone(page, width)


def check_the_phone(page: Page, width: int) -> None:
    stage, moves = page.locator(".hw-stage"), page.locator(".yours")
    expect(moves).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    above, below = stage.bounding_box(), moves.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]

    page.locator("[data-broker='1']").tap()
    bar = page.locator(".actions-bar").get_by_role("button")
    expect(bar.first).to_be_visible()
    page.locator("[data-broker='1']").tap()
    press_long(page.locator("[data-broker='1']"))
    page.get_by_role("menuitem").last.tap()
    expect(page.locator(".moves .last")).to_be_visible()

    toggle = page.locator(".messages-over-time .toggle")
    toggle.tap()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    diagram = page.locator(".messages-over-time").bounding_box()
    below = moves.bounding_box()
    assert diagram is not None
    assert below is not None
    assert diagram["y"] + diagram["height"] <= below["y"] + 1
    assert page.evaluate("document.documentElement.scrollWidth") == width

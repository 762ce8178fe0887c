"""Messages over time, below the logs of a run: by mouse, by keys, by touch, in both languages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.run_page import LESSON, POSITION, frames_of, visit, wait_for_run


def diagram_of(page: Page, name: str = "Messages over time") -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def opened(open_page: Callable[..., Page], step: int = 0, **settings: object) -> Page:
    page = open_page(
        f"{LESSON}?lang=en", **{"viewport": {"width": 1440, "height": 1000}, **settings}
    )
    wait_for_run(page)
    page.goto(f"{page.url.split('?')[0]}?frame={step}")
    page.wait_for_load_state("networkidle")
    return page


def test_it_is_docked_below_the_logs_and_stays_as_one_left_it(
    open_page: Callable[..., Page],
) -> None:
    page = opened(open_page)
    diagram = diagram_of(page)
    toggle = diagram.get_by_role("button", name="Messages over time", exact=True)
    expect(toggle).to_have_attribute("aria-expanded", "true")
    expect(diagram.locator(".lanes").get_by_text("Producer p1")).to_be_visible()

    toggle.click()

    expect(diagram.locator(".lanes").get_by_text("Producer p1")).to_have_count(0)
    expect(diagram.get_by_role("list", name="due next")).to_be_visible()
    page.reload()
    expect(toggle).to_have_attribute("aria-expanded", "false")


def test_the_timers_stay_in_their_place_when_time_first_passes(
    open_page: Callable[..., Page],
) -> None:
    page = opened(open_page, step=10)
    diagram = diagram_of(page)
    timers = diagram.get_by_role("list", name="due next")
    expect(diagram.get_by_text("t = 0.0 s")).to_be_visible()
    expect(diagram.get_by_text("no time passes")).to_be_hidden()
    expect(diagram.locator(".playhead .time")).to_have_count(0)
    before = timers.bounding_box()

    diagram.get_by_role("button", name="HW files").first.click()

    expect(diagram.get_by_text(re.compile(r"^t = [1-9][\d.]* s$"))).to_be_visible()
    expect(diagram.locator(".playhead .time")).to_be_visible()
    after = timers.bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] == before["x"]


def bottom_of(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


@pytest.mark.parametrize(
    ("lesson", "opened_too"),
    [("zombie-leader", None), ("follower-bounce-five-records", "in ZooKeeper")],
)
def test_the_clock_stays_in_view_beside_a_tall_stage(
    open_page: Callable[..., Page], lesson: str, opened_too: str | None
) -> None:
    page = open_page(f"/lessons/{lesson}?lang=en", viewport={"width": 1440, "height": 900})
    wait_for_run(page)
    page.goto(f"{page.url.split('?')[0]}?frame={len(frames_of(page)) - 1}")
    time = diagram_of(page).locator(".playhead .time")
    expect(time).to_be_visible()

    if opened_too is not None:
        page.get_by_role("button", name=opened_too, exact=True).click()

    timeline = page.get_by_role("contentinfo", name="Timeline").bounding_box()
    assert timeline is not None
    assert bottom_of(time) <= timeline["y"]


def test_an_arrow_leads_to_its_frame(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, step=10)

    arrow = diagram_of(page).get_by_role("button", name=re.compile(r"^fetch from 2, ")).first
    arrow.locator(".reach").click()

    expect(page.locator(POSITION)).to_have_text("Step 5 of 14, message 2 of 4")
    expect(diagram_of(page).locator("[aria-current=step]").first).to_be_visible()


def test_pointing_at_an_answer_lights_its_records_and_its_tick(
    open_page: Callable[..., Page],
) -> None:
    page = opened(open_page, step=12)
    expect(page.locator(".hw-selected")).to_have_count(0)

    answer = diagram_of(page).get_by_role("button", name=re.compile(r"^m2, HW 1, ")).first
    answer.locator("text").hover()

    expect(page.locator(".hw-selected").first).to_be_visible()
    expect(page.locator("svg .pointed")).to_have_count(1)


def test_v_makes_it_large_and_v_or_escape_small_again(open_page: Callable[..., Page]) -> None:
    page = opened(open_page)
    stage = page.get_by_role("region", name="Stage")

    page.keyboard.press("v")
    expect(stage).to_be_hidden()
    # It fills the page down to the timeline.
    foot = page.locator("#run-timeline").bounding_box()
    drawn = diagram_of(page).bounding_box()
    assert foot is not None
    assert drawn is not None
    assert foot["y"] - drawn["y"] - drawn["height"] < 60
    page.keyboard.press("v")
    expect(stage).to_be_visible()
    page.keyboard.press("v")
    expect(stage).to_be_hidden()
    page.keyboard.press("Escape")

    expect(stage).to_be_visible()


def test_keys_go_along_a_lane_and_to_its_frames(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, step=14)
    diagram = diagram_of(page)
    diagram.locator("[data-key][tabindex='0']").focus()
    expect(diagram.locator("[tabindex='0'][data-key]")).to_have_count(1)
    first = page.evaluate("document.activeElement.dataset.key")

    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.dataset.key")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.key") == first
    assert first != second
    for _ in range(12):
        page.keyboard.press("ArrowDown")
    expect(diagram.locator("[tabindex='0'][data-key]")).to_have_count(1)
    page.keyboard.press("Enter")

    expect(page.locator(POSITION)).not_to_have_text("Step 5 of 14, message 2 of 4")


def test_a_timer_that_is_due_next_can_be_waited_for(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, step=40)

    diagram_of(page).get_by_role("button", name=re.compile("^ISR check in 5.0 s")).click()

    expect(diagram_of(page).get_by_text("t = 5.0 s")).to_be_visible()


def test_on_a_phone_time_runs_downward_and_a_tap_leads_to_a_frame(
    open_page: Callable[..., Page],
) -> None:
    page = opened(
        open_page, step=21, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    diagram = diagram_of(page)
    scroller = diagram.get_by_role("group", name="Messages over time")
    expect(scroller).to_be_visible()
    assert scroller.evaluate(
        "e => e.scrollHeight > e.clientHeight && e.scrollWidth <= e.clientWidth"
    )

    diagram.locator("[data-key='d20-0'] .dot").tap()

    timeline = page.get_by_role("slider", name="Timeline")
    expect(timeline).to_have_attribute("aria-valuetext", re.compile("step 9 .*message 1 of 3"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_is_available_in_chinese(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, step=21)
    page.keyboard.press("l")

    diagram = diagram_of(page, "报文时序")

    expect(diagram.get_by_text("9 重新分配到 1、2")).to_be_visible()
    expect(diagram.get_by_text("截断 m2", exact=True)).to_be_visible()


# The front page's lesson, two with an election, two of three brokers, and one of a long log.
STEADY = (
    "unnoticed-bounce",
    "unclean-election",
    "eligible-replica-rescues",
    "zombie-leader",
    "message-lag",
)


# Goes by steps to the card after the last one, rests at each, and gives their number and which
# states the button had on the way. A question takes more presses.
WALK = """async selector => {
  const toggle = () => document.querySelector("[aria-label='Messages over time'] [aria-expanded]");
  const position = () => document.querySelector(selector)?.textContent.trim();
  const seen = new Set([toggle().ariaExpanded]);
  const watch = () => position() === undefined || seen.add(toggle()?.ariaExpanded);
  new MutationObserver(watch)
    .observe(document.body, { attributeFilter: ["aria-expanded"], childList: true, subtree: true });
  const positions = [position()];
  for (let unmoved = 0; unmoved < 3 && positions.at(-1) !== undefined; ) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise((done) => setTimeout(done, 140));
    // At rest, the page draws one part on each screen frame.
    for (let parts = 0; parts < 9; parts += 1) await new Promise(requestAnimationFrame);
    unmoved = position() === positions.at(-1) ? unmoved + 1 : 0;
    if (unmoved === 0) positions.push(position());
  }
  return { steps: positions.length - 1, seen: [...seen] };
}"""


@pytest.mark.parametrize(
    ("size", "lessons"),
    [((1440, 900), STEADY), ((1920, 1080), STEADY[-2:])],
    ids=["laptop", "desk"],
)
def test_it_never_comes_and_goes_while_one_steps_through_a_lesson(
    page: Page, size: tuple[int, int], lessons: tuple[str, ...]
) -> None:
    page.emulate_media(reduced_motion="reduce")
    seen = {}
    for lesson in lessons:
        visit(page, f"/lessons/{lesson}?lang=en", size)
        wait_for_run(page)
        expect(page.locator(POSITION)).to_have_text("Start")

        walked = page.evaluate(WALK, POSITION)

        assert walked["steps"] >= 3, lesson
        seen[lesson] = {*walked["seen"]}

    small = {"zombie-leader"} if size != (1920, 1080) else set()
    assert {lesson: states for lesson, states in seen.items() if len(states) != 1} == {}
    assert [lesson for lesson in lessons if seen[lesson] != {"true"} and lesson not in small] == []


def test_a_label_at_the_playhead_is_drawn_above_its_line(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, step=14)
    line = diagram_of(page).locator(".playhead")

    label = diagram_of(page).locator("svg.above text")

    expect(label).to_have_text("fetch from 2")
    follows = "(line, label) => (line.compareDocumentPosition(label) & 4) !== 0"
    assert line.evaluate(follows, label.element_handle())


CUT = """
scroller => {
  const { left } = scroller.getBoundingClientRect();
  const isCut = (box) => box.width > 0 && box.left < left - 1 && box.right > left + 1;
  return [...scroller.querySelectorAll("text")]
    .filter((text) => isCut(text.getBoundingClientRect()))
    .map((text) => text.textContent);
}
"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_window_begins_with_a_step_and_cuts_no_label(
    motion: str, open_page: Callable[..., Page]
) -> None:
    size = {"width": 1440, "height": 900}
    page = open_page("/docs", locale="en-GB", reduced_motion=motion, viewport=size)
    for step in (5, 9, 14):
        visit(page, f"{LESSON}?step={step}")
        expect(page.locator(POSITION)).to_have_text(f"Step {step} of 14")
        scroller = diagram_of(page).locator(".scroller")
        page.wait_for_timeout(1000)  # titles of steps arrive, and the window moves smoothly

        for _ in range(150):  # on a slow machine it still moves
            if scroller.evaluate(CUT) == []:
                break
            page.wait_for_timeout(100)
        assert scroller.evaluate(CUT) == [], step
        assert scroller.evaluate("scroller => scroller.scrollLeft") > 0, step

"""The page of a run on a phone and at 200 % zoom: its sentence, touch, tabs."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.listbox import choose, expect_chosen, listbox
from tests.browser.run_page import SIDE, frame_shown, open_lesson, wait_for_run
from tests.touch import swipe

LESSON = "/lessons/kip-101-data-loss?lang=en"
FADED = 16
"""The pixels at the end of a folded lane that fade out."""
# The buttons of the foot whose words are not whole, with each of these names of the action.
CUT_IN_THE_FOOT = """(names) => names.flatMap((name) => {
  if (name !== null) document.querySelector(".foot .doing span").textContent = name;
  const words = document.createRange();
  return [...document.querySelectorAll(".foot .controls button")].flatMap((button) => {
    if (button.offsetParent === null) return [];
    words.selectNodeContents(button);
    const [said, room] = [words, button].map((one) => one.getBoundingClientRect());
    const whole = said.left >= room.left && said.right <= room.right
      && said.top >= room.top && said.bottom <= room.bottom
      && room.left >= 0 && room.right <= innerWidth && room.bottom <= innerHeight;
    return whole ? [] : [`${button.textContent.trim()} beside ${name}`];
  });
})"""
SIZES = {"a phone": (390, 844), "a small phone": (320, 640), "200 % zoom": (640, 450)}

# A refused press brings its question into view instead.
SENTENCE_IN_VIEW = """() => {
  if (document.querySelector(".question [aria-live]")?.textContent.trim()) return true;
  const [told, foot] = ["run-explanation", "run-timeline"].map(
    (id) => document.getElementById(id).getBoundingClientRect());
  return told.top >= 0 && told.bottom <= foot.top + 1 && foot.bottom <= innerHeight + 1;
}"""


@pytest.fixture
def phone(open_page: Callable[..., Page]) -> Page:
    page = open_page(
        LESSON,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    wait_for_run(page)
    expect(page.locator(".sentence")).to_be_visible()
    return page


def place_of(page: Page) -> str:
    return page.get_by_role("slider", name="Timeline").get_attribute("aria-valuetext") or ""


@pytest.mark.parametrize("size", SIZES)
def test_the_sentence_is_in_view_at_every_step(size: str, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    for lesson in ("kip-101-data-loss", "zombie-leader", "transactions"):
        open_lesson(page, f"/lessons/{lesson}?lang=en", SIZES[size])
        slider = page.get_by_role("slider", name="Timeline")

        for _ in range(int(slider.get_attribute("aria-valuemax") or 0)):
            page.keyboard.press("ArrowRight")
            page.wait_for_function(SENTENCE_IN_VIEW)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, lesson


def test_the_button_of_the_question_is_legible_beside_the_longer_step_size(page: Page) -> None:
    open_lesson(page, "/lessons/unnoticed-bounce?lang=en", (390, 844))
    address = f"{page.url.split('?')[0]}?frame=26&level=message"
    for width in (390, 375, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(address)

        words = page.locator(".foot .doing span")
        expect(words).to_have_text("Question")
        # To a fraction of a pixel: any less room shortens the word.
        cut: float = words.evaluate("""(one) => {
            const word = document.createRange();
            word.selectNodeContents(one);
            return word.getBoundingClientRect().width - one.getBoundingClientRect().width;
        }""")
        assert cut < 0.02, width
        level = page.locator(".foot").get_by_role("combobox", name="Step size").bounding_box()
        assert level is not None
        assert level["width"] >= 60, width


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_words_of_the_foot_are_cut(lang: str, repository: Path, page: Page) -> None:
    """Whatever the most relevant action is, beside either step size."""
    texts = repository / "sim_engine/languages" / lang / "narration/steps.ftl"
    names = re.findall(r"^ +\.(?:row|bar) = (\S.*)$", texts.read_text(encoding="utf-8"), re.M)
    assert len(names) > 20
    open_lesson(page, "/lessons/kip-101-data-loss")
    branch = page.url.split("?")[0]

    for level in ("story", "message"):
        for width in (320, 360, 390, 430):
            page.set_viewport_size({"width": width, "height": 844})
            page.goto(f"{branch}?frame=39&level={level}&lang={lang}")
            expect(page.locator(".foot .doing")).to_be_visible()
            play = page.locator(".foot .primary").bounding_box()
            cut = page.evaluate(CUT_IN_THE_FOOT, [None, *names])
            assert cut == [], width
            assert page.locator(".foot .primary").bounding_box() == play, width


def test_the_end_of_a_lesson_is_in_view_at_its_last_step(phone: Page) -> None:
    for lang, title in (("en", "Key point"), ("zh", "要点")):
        open_lesson(phone, f"/lessons/kip-101-data-loss?lang={lang}")

        phone.keyboard.press("End")

        expect(phone.locator("aside .title")).to_have_text(title)
        following = phone.locator("aside").get_by_role("link")
        place, foot = following.bounding_box(), phone.locator("#run-timeline").bounding_box()
        assert place is not None
        assert foot is not None
        assert place["y"] + place["height"] <= foot["y"], lang


@pytest.mark.parametrize("size", SIZES)
def test_playback_ends_with_the_release_that_fixed_the_loss_in_view(size: str, page: Page) -> None:
    page.clock.install()
    open_lesson(page, f"{LESSON}&step=13", SIZES[size])
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    repaired = page.get_by_role("button", name="Now the same under 0.11 →")
    expect(repaired).to_have_count(0)

    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(60_000)

    expect(repaired).to_have_count(1)
    place, foot = repaired.bounding_box(), page.locator("#run-timeline").bounding_box()
    top = page.locator("#run-explanation").bounding_box()
    assert place is not None
    assert foot is not None
    assert top is not None
    assert top["y"] >= 0
    assert place["y"] + place["height"] <= foot["y"]

    page.clock.resume()
    repaired.click()
    expect(page.locator(SIDE).last).to_contain_text("0.11")
    expect(repaired).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_whoever_leaves_a_lesson_is_told_so_beside_the_sentence(size: str, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_lesson(page, f"{LESSON}&step=3", SIZES[size])
    page.get_by_role("tab", name=re.compile("^Act")).click()
    page.get_by_role("tabpanel").get_by_role("button", name="Crash broker 1").click()

    told = page.locator("#run-explanation")
    expect(told).to_contain_text("Your action: crash broker 1 · 1 message")
    left = page.get_by_text("You left the lesson after step 3")
    for tab in (None, "Messages", "Why"):
        if tab is not None:
            page.get_by_role("tab", name=tab).dispatch_event("click")
            page.evaluate("scrollTo(0, 0)")
        expect(left).to_have_count(1)
        expect(left).to_be_in_viewport(ratio=1)
    expect(told.locator(".sentence")).to_be_in_viewport(ratio=1)

    page.get_by_role("link", name="The lesson at step 3").click()

    expect(page.get_by_role("slider", name="Timeline")).to_have_attribute(
        "aria-valuetext", re.compile("step 3 of 14")
    )
    expect(left).to_have_count(0)


def test_touch_moves_along_the_run_and_still_scrolls(phone: Page) -> None:
    touch = phone.context.new_cdp_session(phone)
    track = phone.get_by_role("slider", name="Timeline").bounding_box()
    assert track is not None
    logs, dots = (300.0, 200.0), (300.0, track["y"] + 24)

    swipe(touch, logs, (-200, 4))
    swipe(touch, logs, (-200, 4))
    expect(phone.get_by_role("slider", name="Timeline")).to_have_attribute(
        "aria-valuetext", re.compile("step 2 of 14 .* message 1 of")
    )
    swipe(touch, dots, (-120, 0))
    swipe(touch, dots, (-120, 0))
    assert "step 3 of 14" in place_of(phone)
    swipe(touch, (100, dots[1]), (120, 0))
    assert "step 2 of 14" in place_of(phone)

    before = place_of(phone)
    swipe(touch, (200, 400), (6, -250))
    phone.wait_for_function("scrollY > 50")
    assert place_of(phone) == before


def test_a_question_comes_into_view_in_place_of_the_messages(phone: Page) -> None:
    expect(phone.get_by_role("tab", name="Messages")).to_have_attribute("aria-selected", "true")

    for _ in range(5):
        phone.get_by_role("button", name="Next step").tap()
    question = phone.get_by_role("tab", name="Question")
    expect(question).to_have_attribute("aria-selected", "true")
    expect(phone.get_by_role("button", name=re.compile("It asks the leader"))).to_be_visible()
    phone.get_by_role("button", name=re.compile("It asks the leader")).tap()
    phone.get_by_role("button", name="See what happens").tap()

    expect(phone.get_by_role("tab", name="Messages")).to_have_attribute("aria-selected", "true")


def test_the_tab_of_a_question_brings_it_into_view(page: Page) -> None:
    open_lesson(page, f"{LESSON}&step=5", (320, 640))
    tab = page.get_by_role("tab", name="Question")
    expect(tab).to_have_attribute("aria-selected", "true")

    # It is pressed where it is: a click would scroll to it first.
    tab.dispatch_event("click")

    expect(page.get_by_role("tabpanel").get_by_role("button").first).to_be_in_viewport(ratio=1)
    foot = page.locator(".foot .doing")
    expect(foot).to_have_text("Question")
    assert foot.evaluate("button => button.scrollWidth <= button.clientWidth")


def test_the_playhead_of_the_messages_is_above_the_foot(page: Page) -> None:
    open_lesson(page, f"{LESSON}&step=9", (390, 844))

    line, foot = page.locator(".playhead .line"), page.locator(".foot")
    expect(line).to_be_visible()
    frame_shown(page)
    at, below = line.bounding_box(), foot.bounding_box()
    assert at is not None
    assert below is not None
    assert at["y"] + at["height"] <= below["y"]


def test_an_arrow_key_moves_between_the_tabs_and_not_along_the_run(phone: Page) -> None:
    phone.get_by_role("tab", name="Messages").focus()

    phone.keyboard.press("ArrowRight")

    expect(phone.get_by_role("tab", name="Why")).to_be_focused()
    assert place_of(phone) == "Start"


def test_properties_and_lanes_take_one_line_until_they_are_opened(phone: Page) -> None:
    properties = phone.get_by_role("list", name="Properties")
    expect(properties.get_by_role("listitem")).to_have_count(2)

    properties.get_by_role("button").tap()

    expect(properties.get_by_role("listitem").nth(10)).to_be_attached()
    lane = phone.get_by_role("button", name="Controller: show all")
    expect(lane).to_have_attribute("aria-expanded", "false")
    lane.tap()
    expect(lane).to_have_attribute("aria-expanded", "true")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_first_stops_of_the_tab_key_lead_to_the_parts_of_the_page(
    width: int, page: Page
) -> None:
    open_lesson(page, LESSON, (width, 844))
    for part in ("stage", "explanation", "actions", "timeline"):
        page.keyboard.press("Tab")

        page.get_by_role("link", name=re.compile(f"^{part}$", re.IGNORECASE)).focus()
        page.keyboard.press("Enter")

        expect(page.locator(f"#run-{part}")).to_be_focused()
        assert place_of(page) == "Start"


def test_typing_a_version_does_nothing_until_it_is_confirmed(page: Page) -> None:
    open_lesson(page)
    here = page.url

    listbox(page, "Kafka").focus()
    page.keyboard.type("0.11")
    expect(page.get_by_role("option", name="0.11", exact=True)).to_have_class(re.compile("active"))
    page.keyboard.press("Escape")
    expect_chosen(page, "Kafka", "0.10.2")
    assert page.url == here
    page.keyboard.type("0.11")
    page.keyboard.press("Enter")

    expect_chosen(page, "Kafka", "0.11")
    assert place_of(page) == "Start"


def test_the_step_size_is_selected_from_a_list(phone: Page) -> None:
    choose(phone, "Step size", "message")

    for _ in range(2):
        phone.get_by_role("button", name="Next step").tap()

    assert "message 1 of" in place_of(phone)


def test_a_step_is_announced_once_and_its_messages_are_not(page: Page) -> None:
    open_lesson(page)
    page.evaluate(
        """() => {
          window.said = [];
          const status = [...document.querySelectorAll("[role=status]")].at(-1);
          new MutationObserver(() => status.textContent !== "" && said.push(status.textContent))
            .observe(status, { childList: true, characterData: true, subtree: true });
        }"""
    )

    for step in (1, 2, 3):
        page.evaluate("said.length = 0")
        page.keyboard.press("ArrowRight")
        for _ in range(100):  # the page's policy forbids `wait_for_function`
            if page.evaluate("said.length") > 0:
                break
            page.wait_for_timeout(100)
        page.wait_for_timeout(1200)
        assert f"step {step} of" in place_of(page)
        assert len(page.evaluate("said")) == 1


def test_the_limits_of_a_search_are_inside_its_dialog(page: Page) -> None:
    open_lesson(page, LESSON, (320, 640))

    page.keyboard.press("f")
    dialog = page.get_by_role("dialog")
    dialog.locator("summary").click()

    room = dialog.bounding_box()
    assert room is not None
    for choice in dialog.get_by_role("combobox").all():
        found = choice.bounding_box()
        assert found is not None
        assert found["x"] + found["width"] <= room["x"] + room["width"]
    # The dialog scrolls inside its round corners, and never sideways.
    beyond = """[...document.querySelectorAll('dialog, dialog > *')]
        .map((element) => element.scrollWidth - element.clientWidth)"""
    assert max(page.evaluate(beyond)) == 0


FATES = {
    "en": "m2 acknowledged at step 5 · lost at step 14",
    "zh": "m2 第 5 步已确认 · 第 14 步丢失",
}


@pytest.mark.parametrize("lang", FATES)
def test_the_fate_of_a_lost_record_is_in_view_in_its_folded_lane(phone: Page, lang: str) -> None:
    for width in (390, 320):
        check_the_fate(phone, width, lang)


def check_the_fate(phone: Page, width: int, lang: str) -> None:
    open_lesson(phone, f"/lessons/kip-101-data-loss?lang={lang}", (width, 700))
    phone.keyboard.press("End")
    chip = phone.locator(".lane .told.bad")

    expect(chip).to_have_accessible_name(FATES[lang])
    lane = phone.locator(".lane .content", has=phone.locator(".told.bad"))
    shown, room = chip.bounding_box(), lane.bounding_box()
    assert shown is not None
    assert room is not None
    assert shown["x"] >= room["x"]
    assert shown["x"] + shown["width"] <= room["x"] + room["width"] - FADED
    expect(lane.locator(".chip").first).to_have_text(re.compile("m1"))

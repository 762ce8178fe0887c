"""The front page, without any user action."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import visit, wait_for_run

TOLD = (
    ("Broker 1 copies each record", "Broker 1 copies each record"),
    ("The producer writes m2", "The producer writes m2"),
    ("high watermark lags: 1, not 2", "high watermark lags: 1, not 2"),
    ("Broker 1 crashes", "Broker 1 crashes"),
    ("truncates its log to its own high watermark", "it must ask the leader"),
    ("Broker 1 leads, without m2", "Broker 1 leads, with m2"),
    ("Broker 2 comes back, with m2", "Broker 2 comes back, with m2"),
    ("but broker 1 leads: m2 is dropped", "Both have m2"),
)
"""What the sentences of the story on the front page report, in order, on each side."""
SAID = ".said:not(.sizer)"
LABELS = """labels => labels.map((label) => [label, label.getBoundingClientRect()])
  .map(([{ textContent }, { left, right, top, bottom }]) => [textContent, left, right, top, bottom])
"""
"""The text of each label and its left, right, top and bottom edge."""
WHY = re.compile("^Why: .*high watermark")


@pytest.fixture
def paused(page: Page) -> Page:
    """The front page at the start of its story, on a clock that only the test advances."""
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto("/?lang=en")
    expect(page.locator(".hero .strip")).to_contain_text("plays once, 12 s")
    return page


def told_in(page: Page) -> tuple[str, str]:
    one, other = page.locator(SAID).all_inner_texts()
    return one, other


def test_the_story_plays_both_releases_in_twelve_seconds_each_sentence_long_enough(
    paused: Page,
) -> None:
    why = paused.get_by_text(WHY)
    expect(why).to_be_hidden()
    shown: dict[tuple[str, str], int] = {}
    while not why.is_visible():
        told = told_in(paused)
        shown[told] = shown.get(told, 0) + 100
        paused.clock.run_for(100)
    # The last one stays.
    lost, kept = told_in(paused)

    assert paused.evaluate("Date.now()") <= 13_000
    pairs = [*shown, (lost, kept)]
    assert all(
        part in sentence
        for told, sentences in zip(TOLD, pairs, strict=True)
        for part, sentence in zip(told, sentences, strict=True)
    ), pairs
    assert paused.locator(".chip").all_inner_texts() == ["✕ m2 is lost", "✓ m2 is kept"]
    assert min(shown.values()) >= 900


def test_a_word_is_explained_from_the_sentence_that_introduces_it(paused: Page) -> None:
    terms = paused.locator(".terms > :not(.sizer) dt")
    counts = [terms.count()]
    for _ in TOLD[1:]:
        paused.keyboard.press("ArrowRight")
        counts.append(terms.count())

    assert counts == [2, 2, 4, 4, 5, 5, 5, 5]
    expect(paused.locator("mark")).to_have_count(0)


def test_a_newcomer_steps_to_the_loss_and_back(paused: Page) -> None:
    told: list[tuple[str, str]] = []
    for _ in TOLD[1:]:
        paused.keyboard.press("ArrowRight")
        told.append(told_in(paused))

    assert all(part[0] in pair[0] for part, pair in zip(TOLD[1:], told, strict=True))
    expect(paused.get_by_text(WHY)).to_be_visible()
    expect(paused.get_by_role("button", name="Next step")).to_be_disabled()
    paused.get_by_role("button", name="Step back").click()
    expect(paused.locator(SAID).first).to_have_text(told[-2][0])
    paused.get_by_role("list", name="Steps of the story").get_by_role("button").nth(4).click()
    expect(paused.locator(".chip").first).to_have_text("✂ m2 truncated on broker 1")


def test_a_phone_shows_the_story_on_its_first_screen(open_page: Callable[..., Page]) -> None:
    """On the smaller one, that of the release that loses it."""
    page = open_page("/", reduced_motion="reduce", has_touch=True)
    below: list[tuple[str, int, str]] = []
    for lang in ("en", "zh"):
        for width, height, read in ((390, 844, ".why"), (320, 700, ".room")):
            visit(page, f"/?lang={lang}", (width, height))
            expect(page.locator(".said.lost")).to_be_visible()
            below += [
                (lang, width, part)
                for part in (".hero svg", ".room", read)
                if bottom_of(page, part) > height
            ]

    assert below == []


def bottom_of(page: Page, part: str) -> float:
    box = page.locator(part).first.bounding_box()
    assert box is not None, part
    return box["y"] + box["height"]


def test_a_low_screen_shows_the_sentence_with_the_drawing(open_page: Callable[..., Page]) -> None:
    page = open_page("/", reduced_motion="reduce")
    wrong: list[tuple[str, int, str]] = []
    for lang in ("en", "zh"):
        for width, height in ((320, 568), (360, 640), (844, 390), (720, 450)):
            visit(page, f"/?lang={lang}", (width, height))
            expect(page.locator(".said.lost")).to_be_visible()
            wrong += [
                (lang, width, f"{part} is below the screen")
                for part in (SAID, ".hero section svg")
                if bottom_of(page, part) > height
            ]
            choices = page.locator(".site .choices").bounding_box()
            if choices is None or choices["y"] >= bottom_of(page, ".site .brand"):
                wrong.append((lang, width, "the header has two rows"))
            if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
                wrong.append((lang, width, "wider than the screen"))

    assert wrong == []


@pytest.mark.parametrize("button", ["Next step", "Step back"])
def test_the_focus_stays_on_a_button_at_the_end_of_the_story(paused: Page, button: str) -> None:
    control = paused.get_by_role("button", name=button)
    paused.get_by_role("button", name="Next step").click()
    control.focus()
    for _ in range(8):
        paused.keyboard.press("Enter")

    expect(control).to_have_attribute("aria-disabled", "true")
    expect(control).to_be_focused()


def test_the_focus_follows_what_is_seen(open_page: Callable[..., Page]) -> None:
    page = open_page("/", reduced_motion="reduce")
    for width, order in ((390, ["H1", "FIGURE", "SEARCH"]), (1280, ["H1", "SEARCH", "FIGURE"])):
        visit(page, "/", (width, 844))
        expect(page.locator(".said.lost")).to_be_visible()

        parts = page.locator(".hero").locator("h1, figure, .search")

        names = "parts => parts.map((part) => part.matches('.search') ? 'SEARCH' : part.tagName)"
        assert parts.evaluate_all(names) == order
        if width == 390:
            tops = parts.evaluate_all(
                "parts => parts.map((part) => part.getBoundingClientRect().y)"
            )
            assert tops == sorted(tops)


def test_a_newcomer_sees_the_loss_and_why_without_a_click_and_the_page_never_moves(
    open_page: Callable[..., Page],
) -> None:
    """The story in real time."""
    page = open_page("/")
    page.locator(SAID).first.wait_for()
    page.evaluate(
        """() => {
            window.heights = new Set();
            const note = ([entry]) => heights.add(Math.round(entry.borderBoxSize[0].blockSize));
            new ResizeObserver(note).observe(document.querySelector(".hero figure"));
        }"""
    )

    expect(page.locator(".said.lost")).to_contain_text("m2 is dropped", timeout=60_000)
    expect(page.locator(".why")).to_be_visible()

    assert len(page.evaluate("[...heights]")) == 1


def test_reduced_motion_shows_the_end_immediately_above_the_path_with_all_its_lessons(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/", reduced_motion="reduce")

    expect(page.locator(".said.lost")).to_contain_text("m2 is dropped")
    expect(page.get_by_role("button", name="Play the story again")).to_be_visible()
    expect(page.locator("[aria-labelledby=start-here] ol > li")).to_have_count(18)


def test_the_story_can_be_paused(open_page: Callable[..., Page]) -> None:
    page = open_page("/")

    page.get_by_role("button", name="Pause the story").click()

    step = page.locator(".hero .strip").inner_text()
    assert "of 8" in step
    page.wait_for_timeout(900)
    assert page.locator(".hero .strip").inner_text() == step


def test_a_moment_of_the_story_can_be_sent(open_page: Callable[..., Page]) -> None:
    page = open_page(
        "/", reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"]
    )
    page.get_by_role("list", name="Steps of the story").get_by_role("button").nth(4).click()

    page.get_by_role("button", name="Send this moment").click()

    expect(page.locator(".sent")).to_have_text("Link copied")
    link: str = page.evaluate("navigator.clipboard.readText()")
    page.goto(link)
    expect(page.locator(".panel")).to_contain_text("Step 9 of 14")


def test_what_went_wrong_is_a_filter_with_an_address(open_page: Callable[..., Page]) -> None:
    page = open_page("/", reduced_motion="reduce")

    page.get_by_role("link", name="A consumer’s data changed").click()

    page.wait_for_url(re.compile("wrong=went_back"))
    expect(page.locator("#lessons li")).to_have_count(2 + 3)
    page.get_by_role("link", name="Back to the paths").click()
    expect(page.get_by_role("heading", name="Start here")).to_be_visible()


def test_a_lesson_that_was_left_is_resumed_and_one_that_was_done_is_marked(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/lessons/two-rounds?step=2", reduced_motion="reduce")
    wait_for_run(page)
    expect(page.locator(".panel")).to_contain_text("Step 2 of 3")
    page.wait_for_function("localStorage.getItem('highwater-progress')?.includes('two-rounds')")
    left = page.url

    page.get_by_role("link", name="Highwater").first.click()
    page.get_by_role("link", name="The high watermark advances in two rounds").click()

    page.wait_for_url(left)
    expect(page.locator(".panel")).to_contain_text("Step 2 of 3")
    for _ in range(2):  # the first asks the question
        page.keyboard.press("End")
    expect(page.locator(".panel")).to_contain_text("Step 3 of 3")
    page.get_by_role("link", name="Highwater").first.click()
    expect(page.get_by_text("1 of 18 done")).to_be_visible()


def test_no_label_of_a_release_covers_another(open_page: Callable[..., Page]) -> None:
    page = open_page("/", reduced_motion="reduce")
    covered: list[tuple[str, int, str, str]] = []
    for lang in ("en", "zh"):
        for width in (768, 901, 1100, 1440):
            visit(page, f"/?lang={lang}", (width, 900))
            expect(page.locator(".kips a").first).to_be_visible()
            boxes: list[list[Any]] = page.locator(".kips a").evaluate_all(LABELS)
            assert len(boxes) >= 7
            covered += [
                (lang, width, one, other)
                for place, (one, left, right, top, bottom) in enumerate(boxes)
                for other, left2, right2, top2, bottom2 in boxes[place + 1 :]
                if right > left2 and right2 > left and bottom > top2 and bottom2 > top
            ]

    assert covered == []

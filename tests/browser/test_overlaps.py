"""No text lies over another: in the embed, at the height that it asks for, and on a run's page."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from sim_engine.scenario_reader.reader import list_shipped
from tests.benchmarks.embed import shared
from tests.browser.run_page import REST_MS
from tests.overlapping_texts import OVERLAPS, overlapping_texts

WIDTHS = (390, 680, 760, 800, 1200)
# With many records or clients, so that the heights of their steps differ most.
LESSONS = (
    *("epoch-lookup-table", "fast-leader-failover", "high-watermark-after-restart"),
    *("isr-change-propagation", "transactions"),
)
# Whose names of steps and labels, or texts of a client's lane of one line, overlapped on a phone.
LESSONS_ON_A_PHONE = ("unclean-setting-not-read", "zombie-leader", "shrink-releases-high-watermark")
HOST = """
<body style="margin: 0">
<iframe style="border: 0; width: 100%; height: 420px; display: block" sandbox="allow-scripts"
 src="{src}"></iframe>
<script>
  addEventListener("message", ({{ data }}) => {{
    if (data?.type !== "ready") return;
    document.querySelector("iframe").style.height = `${{data.payload.height}}px`;
    window.ready = data.payload;
  }});
</script>
"""
NEXT = """() => {
  document.querySelectorAll(".buttons button")[2].click();
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
# Several positions in quick succession, then a rest, in which everything is drawn.
OVERLAPS_IN_BURSTS = """async () => {
  const overlaps = OVERLAPS, found = new Set();
  const press = (key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const rest = (ms) => new Promise((rested) => setTimeout(rested, ms));
  for (const burst of [7, 8]) {
    press("Home");
    await rest(600);
    for (let moved = 1; moved <= 16; moved += 1) {
      press("ArrowRight");
      await rest(moved % burst === 0 ? 400 : 10);
      for (const one of overlaps()) found.add(one);
    }
  }
  return [...found];
}""".replace("OVERLAPS", OVERLAPS)
# At the end of each step, at rest, also behind a question, which a second press skips.
OVERLAPS_OF_THE_STORY = """async () => {
  const overlaps = OVERLAPS, found = new Set();
  const track = document.querySelector(".track[role=slider]");
  const covered = () => {
    const name = document.querySelector(".view.vertical .step p")?.getBoundingClientRect();
    const at = document.querySelector(".view.vertical .playhead .line").getBoundingClientRect();
    return name !== undefined && at.top < name.bottom;
  };
  const messages = document.querySelector("[role=tab][id$=-messages]");
  const look = async () => {
    await new Promise((rested) => setTimeout(rested, REST));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    for (const one of overlaps()) found.add(`step ${track.ariaValueNow}: ${one}`);
  };
  for (let pressed = 0; pressed < 200; pressed += 1) {
    await look();
    if (messages.ariaSelected !== "true") {
      messages.click();
      await look();
    }
    if (covered()) found.add(`step ${track.ariaValueNow}: the playhead is covered`);
    if (track.ariaValueNow === track.ariaValueMax) return [...found];
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  }
  return [`step ${track.ariaValueNow}: never at the end`];
}""".replace("OVERLAPS", OVERLAPS).replace("REST", str(REST_MS))
PAST_THE_END_PX = (
    "() => document.querySelector('.bar').getBoundingClientRect().bottom - innerHeight"
)


def overlaps_of_the_embed(
    browser: Browser, base_url: str, foreign_site: Callable[..., str], lesson: str, lang: str
) -> Iterator[str]:
    """The overlaps at the end of each step, in frames as tall as the player first asks for."""
    with httpx.Client(base_url=base_url) as client:
        sid = shared(client, scenario_id=lesson)
    host = foreign_site(HOST.format(src=f"{base_url}/e/v1/s/{sid}?lang={lang}"))
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1400})
        page.goto(host)
        page.wait_for_function("window.ready !== undefined")
        player = page.frames[1]
        player.locator("input[type=range]").press("Home")
        for step in range(page.evaluate("ready.steps") + 1):
            if step > 0:
                player.evaluate(NEXT)
            found = overlapping_texts(player)
            if player.evaluate(PAST_THE_END_PX) > 1:
                found.append("the controls are cut off")
            yield from (f"{lesson}, {width} px, step {step}: {one}" for one in found)
    context.close()


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_text_of_the_embed_covers_another(
    lesson: str, browser: Browser, base_url: str, foreign_site: Callable[..., str]
) -> None:
    assert [*overlaps_of_the_embed(browser, base_url, foreign_site, lesson, "en")] == []


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("lesson", [lesson.id for lesson in list_shipped()])
def test_no_text_of_any_lesson_covers_another_in_the_embed(
    lesson: str, lang: str, browser: Browser, base_url: str, foreign_site: Callable[..., str]
) -> None:
    assert [*overlaps_of_the_embed(browser, base_url, foreign_site, lesson, lang)] == []


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_no_text_of_a_run_covers_another(width: int, open_page: Callable[..., Page]) -> None:
    viewport = {"width": width, "height": 844}
    page = open_page("/docs", viewport=viewport, reduced_motion="reduce")
    found: set[tuple[str, str]] = set()
    for onward in ("ArrowRight", "PageDown"):
        page.goto("/lessons/transactions")
        expect(page.locator(".track[role=slider]")).to_be_visible()
        if onward == "PageDown":
            page.keyboard.press("Shift+F")
            expect(page.locator(".code")).to_be_visible()

        for _ in range(20):
            found.update((onward, one) for one in overlapping_texts(page))
            page.keyboard.press(onward)
            page.wait_for_timeout(50)

    assert found == set()


def test_the_time_of_a_fast_playhead_covers_no_other(open_page: Callable[..., Page]) -> None:
    """Until it rests, what is drawn below it is of an earlier step."""
    viewport = {"width": 800, "height": 844}
    page = open_page("/lessons/transactions", viewport=viewport, reduced_motion="reduce")
    expect(page.locator(".playhead .time")).to_be_attached()

    assert page.evaluate(OVERLAPS_IN_BURSTS) == []


def test_nothing_covers_the_labels_at_the_playhead_on_a_phone(
    open_page: Callable[..., Page],
) -> None:
    viewport = {"width": 390, "height": 844}
    page = open_page("/lessons/three-brokers-three-epochs?step=9", viewport=viewport)

    expect(page.get_by_text("t = 5.511 s")).to_be_visible()
    assert overlapping_texts(page) == []


def overlaps_on_a_phone(open_page: Callable[..., Page], lesson: str, lang: str) -> list[str]:
    """The overlaps at the end of each step of a run, with its messages over time in view."""
    viewport = {"width": 390, "height": 844}
    page = open_page(f"/lessons/{lesson}?lang={lang}", viewport=viewport, reduced_motion="reduce")
    expect(page.locator(".track[role=slider]")).to_be_visible()
    found: list[str] = page.evaluate(OVERLAPS_OF_THE_STORY)
    return found


@pytest.mark.parametrize("lesson", LESSONS_ON_A_PHONE)
def test_no_text_of_a_run_covers_another_on_a_phone(
    lesson: str, open_page: Callable[..., Page]
) -> None:
    assert overlaps_on_a_phone(open_page, lesson, "en") == []


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("lesson", [lesson.id for lesson in list_shipped()])
def test_no_text_of_any_lesson_covers_another_on_a_phone(
    lesson: str, lang: str, open_page: Callable[..., Page]
) -> None:
    assert overlaps_on_a_phone(open_page, lesson, lang) == []

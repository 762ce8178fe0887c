"""A user watches an acknowledged record being lost, sees a release keep it, and shares the step."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.listbox import choose, expect_chosen
from tests.browser.run_page import (
    POSITION,
    Position,
    branches_of,
    frame_shown,
    open_run,
    open_session,
    position_of,
    press,
    properties_of,
    timeline_of,
)


def log_of(page: Page, broker: int) -> list[str]:
    """The values in one broker's log, from the service's document of the shown frame."""
    values: list[str] = page.evaluate(
        """async ([broker, at]) => {
            const [, , session] = location.pathname.split("/");
            const range = `from=${at}&to=${at + 1}`;
            const answer = await fetch(`/api/v1/sessions/${session}/timeline?${range}`);
            const { frames } = await answer.json();
            return frames[0].state.replicas["t-0"][broker].log.map((record) => record.value);
        }""",
        [str(broker), frame_shown(page)],
    )
    return values


def test_an_acknowledged_record_vanishes_and_survives_under_another_version(page: Page) -> None:
    open_session(page)
    page.get_by_role("button", name="Go to the end").click()

    expect(page.locator(POSITION)).to_have_text("Step 14 of 14")
    lost = page.get_by_role("button", name="m2 acknowledged at step 5 · lost at step 14")
    expect(lost).to_be_visible()
    expect(properties_of(page)).to_contain_text("An acknowledged record is lost")
    assert log_of(page, 1) == log_of(page, 2) == ["m1"]

    choose(page, "Kafka", "0.11")
    expect_chosen(page, "Kafka", "0.11")

    expect(properties_of(page)).to_contain_text("No acknowledged record is lost")
    expect(properties_of(page)).not_to_contain_text("An acknowledged record is lost")
    assert log_of(page, 1) == log_of(page, 2) == ["m1", "m2"]
    expect(branches_of(page).get_by_role("button", name="under Kafka 0.10.2")).to_be_visible()
    # The author's text about the end does not apply; the title names the release that it describes.
    expect(page.locator(".author")).to_have_count(0)
    expect(page).to_have_title(re.compile(r"^Kafka 0\.10\.2: "))
    page.get_by_role("button", name="Go to the start").click()
    expect(page.locator(".author")).to_contain_text("written for Kafka 0.10.2")


def test_the_end_of_a_lesson_is_in_view_at_its_last_step(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_run(page)
    page.get_by_role("button", name="Go to the end").click()

    expect(page.locator(".why aside").get_by_role("link", name="Next: ")).to_be_visible()
    # The end is drawn again when its lists arrive, so the last drawing counts.
    page.wait_for_function(
        """() => {
            const link = [...document.querySelectorAll(".why aside a")].find((one) =>
                one.textContent.includes("Next: "));
            const panel = document.querySelector(".why");
            return link && panel &&
                link.getBoundingClientRect().bottom <= panel.getBoundingClientRect().bottom;
        }"""
    )


def test_a_lesson_that_continues_after_its_loss_leads_back_to_it(page: Page) -> None:
    open_run(page, "/lessons/last-replica-standing?lang=en")
    page.get_by_role("button", name="Go to the end").click()

    page.get_by_role("button", name="Back to the loss, step 9").click()

    expect(page.locator(".sentence")).to_contain_text("acknowledged m2 is lost")
    expect(page.get_by_role("button", name="Back to the loss")).to_have_count(0)


CUT = """(strip) => [...strip.querySelectorAll(".title")]
  .filter((title) => title.scrollWidth > title.clientWidth).map((title) => title.textContent)"""
"""The titles in the strip that are not whole."""


def test_the_step_of_the_loss_shows_the_rule_and_its_source(page: Page) -> None:
    open_run(page)
    page.get_by_role("button", name="Go to the end").click()

    expect(page.locator(".sentence")).to_contain_text("acknowledged m2 is lost")
    expect(page.locator(".formula")).to_be_visible()
    expect(page.locator(".rule a").first).to_have_attribute("href", re.compile("^https://"))


def test_a_violation_is_whole_in_a_narrow_strip(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_run(page)
    strip = page.get_by_role("list", name="Properties")
    expect(strip.get_by_text("Logs match below the high watermark")).to_be_visible()
    assert strip.evaluate(CUT) == []

    page.get_by_role("button", name="Go to the end").click()

    lost = strip.get_by_text("An acknowledged record is lost")
    expect(lost).to_be_visible()
    expect(strip).not_to_contain_text("Consistent reads")
    assert strip.evaluate(CUT) == []


def test_acting_in_the_past_grows_a_branch_and_deletes_nothing(page: Page) -> None:
    open_run(page)
    page.get_by_role("button", name="Next step").click()
    before = timeline_of(page).get_attribute("aria-valuemax") or ""

    page.get_by_role("button", name="Crash broker 1").click()

    expect(page.locator(".sentence")).to_contain_text("Broker 1")
    expect(timeline_of(page)).to_have_attribute("aria-valuemax", "2")
    stub = branches_of(page).get_by_role("button", name="original run")
    expect(stub).to_have_count(1)
    stub.click()
    expect(timeline_of(page)).to_have_attribute("aria-valuemax", before)


def test_a_reload_loses_nothing(page: Page) -> None:
    open_run(page)
    press(page, "ArrowRight", 5)
    expect(page.locator(POSITION)).to_have_text("Step 5 of 14")
    expect(page).to_have_url(re.compile(r"[?]step=5$"))  # kept once the playhead rests
    sentence = page.locator(".sentence").inner_text()
    assert sentence.startswith("Broker 2’s high watermark rises to 2")

    page.reload()

    expect(page.locator(POSITION)).to_have_text("Step 5 of 14")
    expect(page.locator(".sentence")).to_have_text(sentence)


def test_everything_by_keyboard(page: Page) -> None:
    open_run(page)

    page.keyboard.press("End")
    expect(page.locator(POSITION)).to_have_text("Step 14 of 14")
    page.keyboard.press("Home")
    expect(page.locator(POSITION)).to_have_text("Start")
    page.keyboard.press("]")
    expect(page.locator(POSITION)).to_have_text("Step 2 of 14")
    page.keyboard.press("a")
    expect(page.get_by_label("Filter actions")).to_be_focused()
    page.keyboard.type("cut the power")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("l")
    expect(page.get_by_role("heading", name="可执行的操作")).to_be_visible()


def test_a_shared_moment_opens_elsewhere_in_a_foreign_page_and_as_a_picture(
    page: Page, open_page: Callable[..., Page], foreign_site: Callable[[str], str], base_url: str
) -> None:
    open_session(page)
    page.keyboard.press("End")
    press(page, "Shift+ArrowLeft", 4)
    frame_shown(page)
    assert position_of(page) == Position(14, 14, 6, 10)
    sentence = page.locator(".sentence").inner_text()

    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Link").input_value()

    # Another browser profile, at that step, read-only.
    other = open_page(link)
    expect(other.locator(POSITION)).to_have_text("Step 14 of 14, message 6 of 10")
    expect(other.locator(".sentence")).to_have_text(sentence)
    expect(other.get_by_role("button", name="Fork to change it")).to_be_visible()
    # The picture that was shown before the script ran has been replaced.
    expect(other.locator("main")).to_have_count(1)

    # In another site's page, in a sandbox with an opaque origin.
    page.get_by_role("tab", name="Embed").click()
    code = page.get_by_role("textbox", name="Embed").input_value()
    host = open_page(foreign_site(f"<input id='mine' autofocus>{code}"))
    embed = host.frame_locator("iframe")
    expect(embed.get_by_text(sentence).first).to_be_visible()
    assert host.evaluate("document.activeElement.id") == "mine"
    assert host.context.cookies() == []
    embed.get_by_role("button", name="Next step").click()
    expect(embed.get_by_text(sentence)).to_have_count(0)

    # The picture of the step.
    sid = link.split("/s/")[1].split("?")[0]
    at = link.split("frame=")[1]
    assert int(at) == frame_shown(page) == 35
    picture = page.request.get(f"{base_url}/s/{sid}.svg?frame={at}")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "<svg" in picture.text()
    assert "m1" in picture.text()


def test_a_fork_of_a_share_can_be_changed(page: Page, open_page: Callable[..., Page]) -> None:
    open_session(page)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Link").input_value()

    other = open_page(link)
    other.get_by_role("button", name="Fork to change it").click()
    other.wait_for_url(re.compile("/x/"))

    expect(other.get_by_role("button", name="Crash broker 2")).to_be_enabled()


def test_a_title_has_as_many_characters_in_every_script(
    page: Page, open_page: Callable[..., Page]
) -> None:
    open_session(page)
    page.get_by_role("button", name="Share").click()
    page.get_by_text("Title, note, branches and gallery").click()
    title = page.get_by_role("textbox", name="Title")
    title.focus()
    page.keyboard.insert_text("𠮷" * 121)  # each is two units of UTF-16
    page.get_by_role("button", name="Create a link with these").click()
    expect(page.get_by_role("alert")).to_have_text("A title has at most 120 characters.")
    expect(page.get_by_role("alert")).to_be_in_viewport()

    title.press("End")
    title.press("Backspace")
    page.get_by_role("button", name="Create a link with these").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("button", name="Create a link with these")).to_be_disabled()

    other = open_page(page.get_by_role("textbox", name="Link").input_value())
    assert other.title().startswith("𠮷" * 120)


def test_a_deleted_share_is_reported_as_deleted(page: Page, open_page: Callable[..., Page]) -> None:
    open_session(page)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Link").input_value()
    page.get_by_role("button", name="Delete this share").click()
    page.get_by_role("button", name="Delete permanently").click()
    expect(
        page.get_by_text("Deleted. Visitors to the link will see that it was deleted.")
    ).to_be_visible()

    other = open_page(link)

    expect(other.get_by_role("heading", level=1)).to_contain_text("deleted")


def test_the_app_refuses_to_be_embedded(
    page: Page, foreign_site: Callable[[str], str], base_url: str
) -> None:
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))

    page.goto(foreign_site(f"<iframe src='{base_url}/'></iframe>"))
    page.wait_for_timeout(500)

    assert any("frame" in text.lower() for text in refused)


def test_a_lost_answer_doubles_nothing(page: Page) -> None:
    open_session(page)
    lost: list[Any] = []

    def lose_the_first_answer(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())
        route.abort()

    page.route("**/actions", lose_the_first_answer)
    page.keyboard.press("End")
    steps = int(timeline_of(page).get_attribute("aria-valuemax") or 0)

    page.get_by_role("button", name="Crash broker 1").click()

    expect(timeline_of(page)).to_have_attribute("aria-valuemax", str(steps + 1))
    assert len(lost) == 1

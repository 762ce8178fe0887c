"""Actions at earlier steps: branches on the timeline and in the tree, with the user's names."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.listbox import choose, listbox
from tests.browser.run_page import (
    LESSON,
    POSITION,
    SIDE,
    branches_of,
    frame_shown,
    frames_of,
    open_run,
    press,
    timeline_of,
)


@pytest.fixture
def branched(page: Page) -> Page:
    """A lesson with a branch after its third step, in which broker 1 crashes."""
    open_run(page)
    press(page, "ArrowRight", 3)
    page.get_by_role("button", name="Crash broker 1").click()
    expect(page.locator(POSITION)).to_have_text("Step 4 of 4")
    return page


def actions_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Possible actions").get_by_role("button")


def tree_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Branches")


def test_in_a_lesson_going_on_is_the_first_action(page: Page) -> None:
    open_run(page)
    press(page, "ArrowRight", 2)
    expect(actions_of(page).first).to_contain_text("Continue →")
    expect(page.get_by_text("Any other action starts a branch.")).to_be_visible()

    actions_of(page).first.click()

    expect(page.locator(POSITION)).to_have_text("Step 3 of 14")
    page.keyboard.press("End")
    expect(actions_of(page).first).to_contain_text("Produce m3 to t-0, acks=all")
    expect(actions_of(page).filter(has_text="Continue →")).to_have_count(0)


def test_the_first_branch_moves_no_button_of_the_timeline(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_run(page)
    press(page, "ArrowRight", 3)
    play = page.get_by_role("button", name="Play", exact=True)
    before = play.bounding_box()

    page.get_by_role("button", name="Crash broker 1").click()

    expect(branches_of(page)).to_be_visible()
    assert play.bounding_box() == before


def test_enter_continues_a_lesson(page: Page) -> None:
    open_run(page)

    page.keyboard.press("Enter")

    expect(page.locator(POSITION)).to_have_text("Step 1 of 14")
    assert len(frames_of(page)) == 40


def test_acting_in_the_past_makes_a_branch_and_keeps_the_lesson(branched: Page) -> None:
    frames = frames_of(branched)

    assert len(frames) == 41
    assert (frames[40]["parent"], frames[40]["step"]) == (9, 4)
    assert frame_shown(branched) == 40
    expect(timeline_of(branched)).to_have_attribute("aria-valuemax", "4")

    branches_of(branched).get_by_role("button", name="original run").click()

    expect(branched.locator(POSITION)).to_have_text("Step 14 of 14")


def test_acting_plays_what_it_made_from_its_first_message_to_its_end(page: Page) -> None:
    page.clock.install()
    open_run(page)
    press(page, "ArrowRight", 3)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)

    page.get_by_role("button", name="Run for 1000 ms", exact=True).click()
    expect(page.locator(POSITION)).to_have_text(re.compile("^Step 4 of 4, message 1 of "))
    made = len(frames_of(page)) - 40
    assert made > 2
    page.clock.run_for(1000)

    expect(page.locator(POSITION)).to_have_text("Step 4 of 4")
    page.clock.resume()
    assert frame_shown(page) == 39 + made


def test_a_branch_is_opened_where_it_leaves_the_other(branched: Page) -> None:
    branches_of(branched).get_by_role("button", name="original run").click()
    expect(branched.locator(POSITION)).to_have_text("Step 14 of 14")

    branches_of(branched).get_by_role("button", name="after step 3: crash broker 1").click()

    expect(branched.locator(POSITION)).to_have_text("Step 3 of 4")
    branched.keyboard.press("ArrowRight")
    expect(branched.locator(".sentence")).to_have_text("Broker 1 crashes.")


def test_shift_b_opens_the_tree_of_all_branches(branched: Page) -> None:
    branched.keyboard.press("Shift+B")
    rows = tree_of(branched).get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("original run")
    expect(rows.nth(1)).to_contain_text("after step 3: crash broker 1")
    here = tree_of(branched).locator("[aria-current=true]")
    expect(here).to_contain_text("crash broker 1")

    rows.nth(0).get_by_role("button", name="original run").click()

    expect(tree_of(branched)).to_have_count(0)
    expect(timeline_of(branched)).to_have_attribute("aria-valuemax", "14")


def test_the_tree_of_branches_is_readable_on_a_narrow_phone(branched: Page) -> None:
    branched.set_viewport_size({"width": 320, "height": 700})
    branched.get_by_role("button", name="all 2 branches").click()

    for row in tree_of(branched).get_by_role("listitem").all():
        words, rename = (row.get_by_role("button").nth(at).bounding_box() for at in (0, 1))
        assert words is not None
        assert rename is not None
        assert words["x"] + words["width"] <= rename["x"]
        sign = row.locator("svg, [aria-hidden=true]").first.bounding_box()
        assert sign is not None
        assert sign["width"] >= 10
        assert words["width"] >= 140


def test_a_branch_keeps_the_name_it_was_given_after_a_reload(branched: Page) -> None:
    branches_of(branched).get_by_role("button", name="all 2 branches").click()
    row = tree_of(branched).get_by_role("listitem").filter(has_text="crash broker 1")
    row.get_by_role("button", name="Rename").click()
    field = tree_of(branched).get_by_role("textbox", name="Name of the branch")
    expect(field).to_be_focused()
    field.fill("Too early")
    branched.keyboard.press("Enter")
    expect(tree_of(branched).get_by_role("button", name="Too early")).to_be_visible()
    branched.keyboard.press("Escape")
    expect(tree_of(branched)).to_have_count(0)
    branched.keyboard.press("b")

    branched.reload()

    stub = branches_of(branched).get_by_role("button", name="Too early")
    expect(stub).to_be_visible()
    stub.click()
    branched.keyboard.press("ArrowRight")
    expect(branched.locator(".sentence")).to_have_text("Broker 1 crashes.")


def test_a_branch_is_named_after_its_first_step_after_a_reload_too(page: Page) -> None:
    open_run(page)
    press(page, "ArrowRight", 3)
    page.get_by_role("button", name="Run until nothing is pending").click()
    page.get_by_role("button", name="original run").click()
    # Its first message only lets the run go on until nothing is pending.
    stub = branches_of(page).get_by_role("button", name="after step 3: m2 acknowledged")
    expect(stub).to_be_visible()
    before = page.url
    page.keyboard.press("ArrowLeft")
    expect(page).not_to_have_url(before)  # the address is of the branch on the page

    page.reload()

    expect(stub).to_be_visible()


def test_a_branch_has_its_name_in_a_comparison(branched: Page) -> None:
    branches_of(branched).get_by_role("button", name="all 2 branches").click()
    row = tree_of(branched).get_by_role("listitem").filter(has_text="crash broker 1")
    row.get_by_role("button", name="Rename").click()
    tree_of(branched).get_by_role("textbox", name="Name of the branch").fill("Too early")
    branched.keyboard.press("Enter")
    branched.keyboard.press("Escape")
    branched.keyboard.press("b")

    listbox(branched, "Compare with").click()
    branched.get_by_role("option", name="Too early").click()

    heading = branched.locator(SIDE).last.get_by_role("heading")
    expect(heading).to_contain_text("Too early")
    expect(heading).not_to_contain_text("after step 3")


def test_another_version_is_in_the_tree_and_opens_at_the_same_step(page: Page) -> None:
    page.goto(f"{LESSON}?step=11")
    expect(page.locator(POSITION)).to_have_text("Step 11 of 14")
    choose(page, "Compare with", "v0.11")
    expect(page.locator(SIDE)).to_have_count(2)

    branches_of(page).get_by_role("button", name="1 other version").click()
    rows = tree_of(page).get_by_role("listitem")
    expect(rows).to_have_count(2)
    rows.nth(1).get_by_role("button", name="under Kafka 0.11").click()

    page.wait_for_url(re.compile("kafka=0.11"))
    expect(tree_of(page)).to_have_count(0)
    expect(page.locator(POSITION)).to_have_text(re.compile("^Step 11 of [0-9]+$"))
    # The stub does the same as the row in the tree.
    branches_of(page).get_by_role("button", name="under Kafka 0.10.2").click()
    expect(page).not_to_have_url(re.compile("kafka="))
    expect(page.locator(POSITION)).to_have_text("Step 11 of 14")


def test_whoever_leaves_a_lesson_is_told_so_and_can_go_back(branched: Page) -> None:
    actions = branched.get_by_role("region", name="Possible actions")
    expect(actions).to_contain_text("Your action: crash broker 1 · 1 message")
    expect(actions).to_contain_text("You left the lesson after step 3")

    actions.get_by_role("link", name="The lesson at step 3").click()

    expect(branched.locator(POSITION)).to_have_text("Step 3 of 14")
    expect(actions).not_to_contain_text("You left the lesson")
    expect(actions).not_to_contain_text("Your action")

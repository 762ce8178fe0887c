"""The page of a run: its timeline's rows, its keys and menus, and its state after a reload."""

import re

from playwright.sync_api import Page, expect

from tests.browser.listbox import choose, expect_chosen, listbox
from tests.browser.run_page import (
    LESSON,
    POSITION,
    acted,
    branches_of,
    frame_shown,
    frames_of,
    press,
    properties_of,
    timeline_of,
    wait_for_run,
)


def pointed_at(page: Page, part: float) -> tuple[float, float]:
    """A point on the timeline, as a fraction of its width."""
    box = timeline_of(page).bounding_box()
    assert box is not None
    return box["x"] + part * box["width"], box["y"] + 24


def test_the_compared_version_is_kept_after_a_reload(run: Page) -> None:
    choose(run, "Kafka", "0.11")
    beside = branches_of(run).get_by_role("button", name="under Kafka 0.10.2")
    expect(beside).to_be_visible()

    run.reload()

    expect_chosen(run, "Kafka", "0.11")
    beside.click()
    expect_chosen(run, "Kafka", "0.10.2")
    expect(branches_of(run).get_by_role("button", name="under Kafka 0.11")).to_be_visible()


def test_another_version_opens_at_the_same_step(run: Page) -> None:
    run.keyboard.press("z")
    press(run, "ArrowRight", 7)
    expect(run.locator(POSITION)).to_have_text("Step 2 of 14, message 6 of 7")
    assert frame_shown(run) == 7
    told = run.locator(".sentence").inner_text()

    choose(run, "Kafka", "0.11")

    expect_chosen(run, "Kafka", "0.11")
    # The new release has more messages before it; the same moment is shown.
    expect(run.locator(POSITION)).to_contain_text("Step 2 of")
    expect(run.locator(".sentence")).to_have_text(told)


def test_a_branch_is_named_by_what_was_done_and_opens_by_key(run: Page) -> None:
    press(run, "ArrowRight", 3)
    run.get_by_role("button", name="Crash broker 1").click()
    expect(run.locator(POSITION)).to_have_text("Step 4 of 4")
    expect(branches_of(run)).to_contain_text("original run")

    run.keyboard.press("b")
    expect(run.locator(POSITION)).to_have_text("Step 4 of 14, message 1 of 3")
    expect(branches_of(run)).to_contain_text("after step 3: crash broker 1")
    run.keyboard.press("b")

    expect(run.locator(POSITION)).to_have_text("Step 4 of 4")


def test_an_action_continues_from_the_end_of_the_previous_one(run: Page) -> None:
    run.keyboard.press("End")
    run.get_by_role("button", name="Produce m3 to t-0, acks=all", exact=True).click()
    expect(run.locator(POSITION)).to_have_text("Step 15 of 15")

    # m3 went to a broker that does not lead; m4 goes to the leader, so a follower can fetch it.
    run.get_by_role("button", name="Produce m4 to t-0, acks=all", exact=True).click()
    expect(run.locator(POSITION)).to_have_text("Step 16 of 16")
    run.get_by_role("button", name="Run until nothing is pending", exact=True).click()

    expect(run.locator(POSITION)).to_have_text("Step 17 of 17")
    expect(branches_of(run)).to_have_count(0)


def test_running_to_rest_is_not_offered_where_nothing_is_pending(run: Page) -> None:
    run.keyboard.press("End")
    refused = run.get_by_role("listitem").filter(has_text="Run until nothing is pending")
    expect(refused).to_contain_text("nothing is pending")

    expect(run.get_by_role("button", name="Run until nothing is pending")).to_have_count(0)


def test_the_timeline_is_dragged_and_clicked(run: Page) -> None:
    run.mouse.move(*pointed_at(run, 0.5))
    run.mouse.down()
    expect(timeline_of(run)).to_have_attribute("aria-valuenow", "7")
    run.mouse.move(*pointed_at(run, 0.99))
    run.mouse.up()

    expect(timeline_of(run)).to_have_attribute("aria-valuenow", "14")


def test_a_count_leads_from_one_of_its_marks_to_the_next(run: Page) -> None:
    # What comes after a question is counted once it has been passed.
    run.keyboard.press("End")
    truncations = run.get_by_role("button", name="truncations 2")

    for step in ("9", "14", "9"):
        truncations.click()

        expect(timeline_of(run)).to_have_attribute("aria-valuenow", step)


def test_a_step_is_opened_by_its_number(run: Page) -> None:
    run.keyboard.press("g")
    run.keyboard.type("13")
    run.keyboard.press("Enter")

    expect(run.locator(POSITION)).to_have_text("Step 13 of 14")


def test_a_selected_broker_is_killed_and_started_by_one_key(run: Page) -> None:
    run.keyboard.press("1")
    run.keyboard.press("k")
    expect(run.locator(".sentence")).to_have_text("Broker 1 crashes.")
    expect(run.get_by_role("button", name="Start broker 1")).to_be_visible()

    run.keyboard.press("k")

    expect(run.locator(POSITION)).to_have_text("Step 2 of 2")
    expect(run.get_by_role("button", name="Crash broker 1")).to_be_visible()


def test_enter_does_what_comes_most_naturally(run: Page) -> None:
    run.keyboard.press("End")

    run.keyboard.press("Enter")

    expect(run.locator(POSITION)).to_have_text("Step 15 of 15")


def test_the_menu_of_a_record_leads_to_its_moments(run: Page) -> None:
    press(run, "ArrowRight", 5)
    expect(run.locator(POSITION)).to_have_text("Step 5 of 14")

    run.get_by_role("button", name=re.compile("^Broker 1: m2, offset 1")).click(button="right")
    menu = run.get_by_role("menu")
    # The rest is hidden until the question is answered.
    expect(menu.get_by_role("menuitem", name=re.compile("^Step"))).to_have_text(
        ["Step 3: m2 is sent", "Step 5: m2 is acknowledged"]
    )
    run.keyboard.press("Enter")

    expect(run.locator(POSITION)).to_have_text("Step 3 of 14")
    run.keyboard.press("g")
    run.keyboard.type("13")
    run.keyboard.press("Enter")
    run.get_by_role("button", name=re.compile("^Broker 2: m2, offset 1")).click(button="right")
    expect(menu.get_by_role("menuitem", name="Step 14: m2 is lost")).to_be_visible()


def test_a_right_click_offers_what_can_be_done_to_that_thing(run: Page) -> None:
    broker = run.get_by_role("button", name=re.compile("^Broker 1,")).first
    broker.click(button="right")
    menu = run.get_by_role("menu")
    expect(menu.get_by_role("menuitem", name="Crash broker 1")).to_be_visible()
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    expect(menu.get_by_role("menuitem", name="Crash broker 2")).to_have_count(0)

    run.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    broker.click(button="right")
    for _ in range(20):
        if menu.get_by_role("menuitem", name="Crash broker 1").evaluate("e => e.matches(':focus')"):
            break
        run.keyboard.press("ArrowDown")
    run.keyboard.press("Enter")

    expect(run.locator(".sentence")).to_have_text("Broker 1 crashes.")


def test_the_filter_finds_an_action_and_enter_does_it(run: Page) -> None:
    expect(run.get_by_role("button", name="Cut the power of broker 2").first).to_be_visible()
    run.keyboard.press("a")
    run.keyboard.type("power broker 2")
    expect(run.get_by_role("button", name="Crash broker 1")).to_have_count(0)

    run.keyboard.press("Enter")

    expect(run.locator(POSITION)).to_have_text("Step 1 of 1")


def test_what_another_tab_did_is_there_when_one_comes_back(run: Page) -> None:
    run.keyboard.press("End")
    assert frame_shown(run) == 39
    run.get_by_role("button", name="Crash broker 1").click()
    session = acted(run)
    expect(run.locator(POSITION)).to_have_text("Step 15 of 15")
    other = run.context.new_page()
    other.goto(f"/x/{session}?frame=40&lang=en")
    other.get_by_role("button", name="Crash broker 2").click()
    expect(other.locator(POSITION)).to_have_text("Step 16 of 16")

    run.evaluate("dispatchEvent(new Event('focus'))")

    expect(run.locator(POSITION)).to_have_text("Step 15 of 16")


def test_narrow_screens_keep_what_the_header_has_no_room_for(run: Page) -> None:
    run.set_viewport_size({"width": 390, "height": 844})
    expect(run.get_by_role("button", name="Theme")).to_be_hidden()

    run.get_by_role("button", name="More", exact=True).click()

    expect(run.get_by_role("button", name="Theme")).to_be_visible()
    expect(run.get_by_role("button", name="Embed")).to_be_visible()


def test_the_contents_of_zookeeper_can_be_inspected(run: Page) -> None:
    run.keyboard.press("End")

    run.get_by_role("button", name="in ZooKeeper", exact=True).click()

    state = run.locator("dl div", has_text="/brokers/topics/t/partitions/0/state")
    expect(state).to_contain_text('"leader":1')
    expect(state).to_contain_text("version 3")


def test_the_brokers_in_the_metadata_log_can_be_inspected(page: Page) -> None:
    page.goto("/lessons/unclean-election-disabled?lang=en")
    wait_for_run(page)

    page.get_by_role("button", name="registered brokers").click()

    rows = page.get_by_role("table", name="registered brokers").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("unfenced")


A_SEARCH_MS = 120_000
"""A search is a process of its own, which a busy machine starts slowly."""


def test_a_failure_is_found_from_here_and_is_played_as_a_branch(run: Page) -> None:
    press(run, "ArrowRight", 4)
    expect(run.locator(POSITION)).to_have_text("Step 4 of 14")
    run.get_by_role("button", name="Find a failure").click()
    dialog = run.get_by_role("dialog", name="Find a failure from here")

    expect(dialog.get_by_label("Crashes only")).to_be_checked()
    dialog.get_by_role("button", name="Search").click()
    expect(
        dialog.get_by_role("heading", name=re.compile("An acknowledged record is lost"))
    ).to_be_visible(timeout=A_SEARCH_MS)
    expect(dialog).to_contain_text("is the point of no return")
    expect(dialog).to_contain_text("the rule KIP-101")
    dialog.get_by_role("button", name="Watch it").click()

    expect(dialog).to_have_count(0)
    expect(timeline_of(run)).to_contain_text("point of no return")
    run.keyboard.press("End")
    expect(run.locator(POSITION)).to_have_text(re.compile(r"Step (\d+) of \1$"))
    expect(properties_of(run)).to_contain_text("An acknowledged record is lost")
    expect(branches_of(run)).to_contain_text("original run")


def test_a_search_without_a_result_does_not_claim_safety(run: Page) -> None:
    run.keyboard.press("f")
    dialog = run.get_by_role("dialog", name="Find a failure from here")
    dialog.get_by_role("radio", name="Custom").check()
    for fault in dialog.get_by_role("spinbutton").all():
        fault.fill("0")
    dialog.get_by_text("Limits", exact=True).click()
    dialog.get_by_label("What is tried one by one").select_option("step")
    dialog.get_by_label("Maximum steps").fill("1")

    dialog.get_by_role("button", name="Search").click()
    expect(dialog).to_contain_text("Nothing was checked", timeout=A_SEARCH_MS)

    dialog.get_by_role("spinbutton", name="more records").fill("1")
    dialog.get_by_label("Maximum steps").fill("4")
    dialog.get_by_role("button", name="Search").click()
    expect(dialog).to_contain_text(
        re.compile("Not found( within these limits)?[.]"), timeout=A_SEARCH_MS
    )
    expect(dialog).to_contain_text("A failure may still exist")


def test_two_versions_share_one_playhead(run: Page) -> None:
    choose(run, "Compare with", "v0.11")
    comparing = run.get_by_role("region", name="Compare", exact=True)
    expect(comparing).to_contain_text("broker 1’s log is m1 in Kafka 0.10.2, m1 m2 in Kafka 0.11")
    expect(comparing.get_by_role("listitem").first).to_contain_text(
        "Only in Kafka 0.10.2, step 14: An acknowledged record is lost"
    )

    first = comparing.get_by_role("listitem").filter(has_text="First difference")
    first.get_by_role("button", name="show").click()
    expect(comparing.get_by_role("heading", name="different here")).to_be_visible()
    expect(comparing.get_by_role("heading", name="Kafka 0.11")).to_be_visible()
    run.keyboard.press("Home")
    expect(comparing.get_by_role("heading", name="same here")).to_be_visible()

    comparing.get_by_role("button", name="Stop comparing").click()
    expect(comparing).to_have_count(0)


def test_a_lesson_and_its_control_run_share_one_playhead(page: Page) -> None:
    page.goto("/lessons/missed-deposition?lang=en")
    wait_for_run(page)
    listbox(page, "Compare with").click()
    expect(page.get_by_role("option").nth(1)).to_have_text(
        "Its control run: The same deposition, noticed"
    )
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.get_by_role("button", name="Compare with its control run").press("Enter")

    comparing = page.get_by_role("region", name="Compare", exact=True)
    expect_chosen(page, "Compare with", "smissed-deposition-noticed")
    missed, noticed = "A leader that missed its own deposition", "The same deposition, noticed"
    expect(comparing).to_contain_text(
        f"Deliver 3 metadata records to broker 1 together” in “{missed}”"
    )
    expect(comparing).to_contain_text(
        f"the response to a producer is pending in “{missed}”, failed in “{noticed}”"
    )
    differing = comparing.get_by_role("listitem").filter(has_text=re.compile(r"Step \d+ differs"))
    differing.get_by_role("button", name="show").press("Enter")

    here = comparing.get_by_role("heading", name="A leader that missed its own deposition")
    there = comparing.get_by_role("heading", name="The same deposition, noticed")
    expect(there).to_contain_text("different here")
    shown = frames_of(page)[frame_shown(page)]
    expect(here).to_contain_text(f"step {shown['step']} of")
    expect(there).to_contain_text(re.compile(r"step \d+ of"))
    meanwhile = comparing.get_by_role("list", name="Events on the other side").get_by_role(
        "listitem"
    )
    expect(meanwhile).to_have_count(2)
    expect(meanwhile.first).to_contain_text(
        "Broker 1 is not the leader of t-0 and responds to producer p1"
    )
    page.keyboard.press("Home")
    expect(there).to_contain_text("same here")


def test_two_branches_share_one_playhead(run: Page) -> None:
    press(run, "ArrowRight", 3)
    run.get_by_role("button", name="Crash broker 1").click()
    expect(run.locator(POSITION)).to_have_text("Step 4 of 4")

    listbox(run, "Compare with").click()
    run.get_by_role("option", name="original run").click()

    comparing = run.get_by_role("region", name="Compare", exact=True)
    expect(comparing.get_by_role("heading", name="original run")).to_be_visible()
    expect(comparing).to_contain_text("First difference")


def test_that_the_service_is_away_is_said_in_the_readers_language(page: Page) -> None:
    page.goto(f"{LESSON}?lang=zh")
    wait_for_run(page)
    page.keyboard.press("End")
    page.context.set_offline(True)

    page.keyboard.press("Enter")

    # The page's own engine, which is offered then, could not be loaded either.
    said = page.get_by_role("alert").filter(has_text="无法连接服务。连接恢复后请重试。")
    expect(said).to_be_visible()

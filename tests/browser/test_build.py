"""Build your own: form, import and file share one text, which can be run and is kept."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.run_page import POSITION, wait_for_run

REAL = Path(__file__).parents[1] / "sim_engine/cluster_import/real/4.1.1"


@pytest.fixture
def build(page: Page) -> Page:
    page.goto("/new")
    expect(stage_of(page)).to_contain_text("HW 3")
    return page


def stage_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Stage", exact=True)


def show(page: Page, tab: str) -> None:
    page.get_by_role("tab", name=tab, exact=True).click()


def test_the_form_changes_the_file_and_the_file_the_form(build: Page) -> None:
    show(build, "Cluster")
    build.get_by_role("button", name="+ broker").click()
    build.get_by_role("button", name="Append a record on broker 3").click()
    expect(stage_of(build)).to_contain_text("HW 4")

    build.get_by_role("tab", name="File").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    expect(editor).to_contain_text("brokers: [1, 2, 3, 4]")
    expect(editor).to_contain_text('3: {log: "m1/0 m2/0 m3/0 x4/1"}')
    editor.click()
    build.keyboard.press("Control+Home")
    build.keyboard.press("ArrowDown")
    build.keyboard.press("End")
    build.keyboard.type("x")
    show(build, "Cluster")
    build.get_by_role("button", name="Undo").click()
    build.get_by_role("tab", name="File").click()
    expect(editor).not_to_contain_text("my-runx")


def test_a_step_is_edited_in_place_by_keyboard_and_a_wrong_edit_changes_nothing(
    build: Page,
) -> None:
    preview = stage_of(build)
    build.get_by_role("button", name="Show the cluster after step 1").press("Enter")
    expect(preview.get_by_text("m6", exact=True).first).to_be_visible()

    edit = build.get_by_role("button", name="Edit step 1")
    edit.press("Enter")
    values = build.get_by_role("dialog").get_by_role("textbox", name="values")
    expect(values).to_be_focused()
    build.keyboard.type("m7")
    build.keyboard.press("Enter")
    expect(build.get_by_role("dialog")).to_be_hidden()
    expect(edit).to_be_focused()
    expect(preview.get_by_text("m7", exact=True).first).to_be_visible()

    edit.press("Enter")
    expect(values).to_be_focused()
    build.keyboard.press("Backspace")
    build.keyboard.press("Enter")
    expect(build.get_by_role("dialog").get_by_role("alert")).to_contain_text("values")
    build.keyboard.press("Escape")
    expect(preview.get_by_text("m7", exact=True).first).to_be_visible()
    build.get_by_role("tab", name="File").click()
    expect(build.get_by_role("textbox", name="Scenario (YAML or JSON)")).to_contain_text(
        "- produce: {to: t-0, values: [m7], as: p1, acks: all}"
    )


def test_the_cluster_is_shown_before_its_first_step_with_what_follows(build: Page) -> None:
    show(build, "Cluster")
    expect(build.locator(".side")).to_contain_text(
        "min(5, 4, 3) = 3, the lowest log end offset in the ISR"
    )
    build.get_by_role("button", name="Append a record on broker 3").click()
    expect(build.locator(".side")).to_contain_text(
        "min(5, 4, 4) = 4, the lowest log end offset in the ISR"
    )

    show(build, "Steps")
    expect(build.locator(".side")).to_contain_text("the cluster after step 2")


def test_steps_and_stage_are_both_in_view_on_a_desktop(build: Page) -> None:
    build.set_viewport_size({"width": 1440, "height": 900})
    for more in range(10):
        build.get_by_role("button", name="+ step").click()
        expect(build.locator("ol .what")).to_have_count(3 + more)
    for height in (900, 700):
        build.set_viewport_size({"width": 1440, "height": height})
        for step in (1, 12):
            number = build.get_by_role(
                "button", name=f"Show the cluster after step {step}", exact=True
            )
            number.focus()
            build.keyboard.press("Enter")
            expect(number).to_have_attribute("aria-current", "step")
            expect(number).to_be_in_viewport(ratio=1)
            expect(
                build.get_by_text(f"the cluster after step {step}", exact=True)
            ).to_be_in_viewport(ratio=1)
            expect(stage_of(build).get_by_text("Broker 3", exact=True).first).to_be_in_viewport(
                ratio=1
            )
            expect(build.get_by_role("button", name="Run it")).to_be_in_viewport(ratio=1)


def test_a_phone_switches_between_steps_and_stage_and_keeps_both(build: Page) -> None:
    build.set_viewport_size({"width": 390, "height": 844})
    for more in range(12):
        build.get_by_role("button", name="+ step").click()
        expect(build.locator("ol .what")).to_have_count(3 + more)
    expect(stage_of(build)).to_be_hidden()
    number = build.get_by_role("button", name="Show the cluster after step 9")
    number.focus()
    build.keyboard.press("Enter")
    expect(build.get_by_role("tab", name="Stage")).to_have_attribute("aria-selected", "true")
    expect(build.get_by_role("heading", name="Stage")).to_be_focused()
    expect(build.get_by_text("the cluster after step 9")).to_be_in_viewport(ratio=1)
    expect(stage_of(build)).to_be_in_viewport()

    build.get_by_role("tab", name="Stage").focus()
    build.keyboard.press("ArrowLeft")
    expect(build.get_by_role("tab", name="Steps")).to_be_focused()
    expect(number).to_have_attribute("aria-current", "step")
    expect(number).to_be_in_viewport(ratio=1)
    expect(build.get_by_role("tab", name="Stage")).to_be_in_viewport(ratio=1)

    show(build, "Stage")
    build.set_viewport_size({"width": 1440, "height": 900})
    expect(build.get_by_role("tab", name="Steps")).to_have_attribute("aria-selected", "true")
    expect(stage_of(build)).to_be_visible()


def toolbar_of(page: Page, broker: int) -> Locator:
    page.locator(f'[data-broker="{broker}"]').first.hover()
    return page.get_by_role("toolbar", name=f"Actions on broker {broker}")


def steps_of(page: Page) -> Locator:
    return page.locator("ol li:has(.what) .what")


def test_what_is_done_on_the_stage_becomes_the_next_step_and_undo_takes_it_away(
    build: Page,
) -> None:
    toolbar_of(build, 1).get_by_role("button", name="Crash").click()
    expect(steps_of(build)).to_have_text(
        ["Produce m6 to t-0, acks=all", "Broker 2 fetches", "Crash broker 1"]
    )
    expect(stage_of(build)).to_contain_text("down")
    expect(build.get_by_role("status").filter(has_text="Step 3 added.")).to_be_visible()

    build.get_by_role("button", name="Show the cluster after step 1", exact=True).click()
    expect(build.get_by_text("An action becomes step 2, before the later steps.")).to_be_visible()
    build.get_by_role("button", name="Broker 3 fetches", exact=True).click()
    expect(steps_of(build).nth(1)).to_have_text("Broker 3 fetches")
    expect(steps_of(build)).to_have_count(4)

    build.keyboard.press("Control+z")
    build.keyboard.press("Control+z")
    expect(steps_of(build)).to_have_count(2)
    build.get_by_role("button", name="Redo").click()
    show(build, "File")
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    expect(editor).to_contain_text("- crash: {broker: 1}")
    toolbar_of(build, 2).get_by_role("button", name="Pause").click()
    expect(editor).to_contain_text("- pause: {broker: 2}")


def test_the_stage_of_a_draft_is_used_by_keyboard(build: Page) -> None:
    build.locator('[data-broker="2"]').first.focus()
    build.keyboard.press("Enter")
    bar = build.get_by_role("toolbar", name="Actions on broker 2")
    expect(bar).to_be_visible()
    bar.get_by_role("button", name="All actions on broker 2").focus()
    build.keyboard.press("Enter")
    menu = build.get_by_role("menu")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    menu.get_by_role("menuitem", name="Crash broker 2").focus()
    build.keyboard.press("Enter")

    expect(menu).to_be_hidden()
    expect(steps_of(build).nth(2)).to_have_text("Crash broker 2")
    expect(build.locator(":focus")).to_have_count(1)

    build.get_by_role("button", name="Any action, with your own values").press("Enter")
    dialog = build.get_by_role("dialog")
    dialog.get_by_role("textbox", name="values").fill("m9")
    build.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(steps_of(build).nth(3)).to_contain_text("m9")


def test_a_message_on_the_stage_is_dropped_as_a_step(build: Page) -> None:
    build.get_by_role("button", name="Broker 3 only sends its next request", exact=True).click()
    expect(steps_of(build)).to_have_count(3)

    stage_of(build).get_by_role("button", name=re.compile("^Drop")).first.click()

    expect(steps_of(build)).to_have_count(4)
    show(build, "File")
    expect(build.get_by_role("textbox", name="Scenario (YAML or JSON)")).to_contain_text(
        "- drop: {kind: fetch_request"
    )


def test_a_phone_acts_on_the_stage_and_shows_the_result(build: Page) -> None:
    build.set_viewport_size({"width": 390, "height": 844})
    show(build, "Stage")
    build.get_by_role("button", name="Crash broker 3", exact=True).click()

    expect(build.get_by_text("Step 3 added.")).to_be_attached()
    expect(build.get_by_role("heading", name="Stage")).to_be_in_viewport(ratio=1)
    expect(build.get_by_text("the cluster after step 3")).to_be_in_viewport(ratio=1)
    build.get_by_role("button", name="Undo").click()
    expect(build.get_by_text("the cluster after step 2")).to_be_visible()


def test_an_impossible_step_says_why_beside_it_and_the_stage_shows_the_state_before_it(
    build: Page,
) -> None:
    toolbar_of(build, 2).get_by_role("button", name="Crash").click()
    expect(steps_of(build)).to_have_count(3)
    build.get_by_role("button", name="Move step 3 up").click()

    row = build.locator("ol li").filter(has_text="Broker 2 fetches")
    expect(row).to_contain_text("Not possible: broker 2 is down.")
    expect(build.get_by_role("alert")).to_have_count(1)
    expect(build.get_by_text("the cluster before step 3, which is not possible")).to_be_visible()

    show(build, "Cluster")
    build.get_by_role("button", name="Remove broker 2").click()
    expect(build.get_by_role("alert")).to_contain_text("there is no broker 2")
    show(build, "Steps")
    expect(build.locator("ol li").filter(has_text="Crash broker 2")).to_contain_text(
        "there is no broker 2"
    )
    expect(build.get_by_text("the cluster before step 2, which is not possible")).to_be_visible()


def test_three_presses_lead_from_an_act_to_the_link(build: Page) -> None:
    toolbar_of(build, 1).get_by_role("button", name="Crash").click()
    expect(steps_of(build)).to_have_count(3)
    build.get_by_role("button", name="Share", exact=True).click()
    expect(build).to_have_url(re.compile("/x/"))
    expect(build.locator(POSITION)).to_have_text("Step 3 of 3")
    expect(build.get_by_role("dialog").get_by_role("button", name="Copy link")).to_be_enabled()


def test_a_new_run_has_a_title_in_the_readers_language(page: Page) -> None:
    page.goto("/new?lang=zh")
    expect(page.get_by_role("textbox", name="标题")).to_have_value("我的运行")
    expect(page.get_by_role("combobox", name="步骤类型")).to_contain_text("崩溃")

    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("textbox", name="Title")).to_have_value("My run")
    page.get_by_role("textbox", name="Title").fill("Ours")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("textbox", name="标题")).to_have_value("Ours")


def test_an_error_is_repaired_by_the_link_under_its_line(build: Page) -> None:
    build.get_by_role("tab", name="File").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    editor.click()
    build.keyboard.press("Control+End")
    build.keyboard.type("  - crahs: {broker: 9}\n")
    expect(build.get_by_role("alert")).to_contain_text("did you mean crash?")

    editor.get_by_role("button", name="Write crash").click()
    expect(editor).to_contain_text("- crash: {broker: 9}")
    expect(build.get_by_role("alert")).to_contain_text("broker")
    build.get_by_role("button", name="Undo").click()
    expect(editor).to_contain_text("- crahs: {broker: 9}")


def test_an_error_is_shown_below_its_line_and_disables_the_run(build: Page) -> None:
    build.get_by_role("tab", name="File").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    editor.click()
    build.keyboard.press("Control+End")
    build.keyboard.type("  - crash: {broker: 9}")

    sentence = "there is no broker 9; brokers are 1, 2, 3"
    expect(build.locator(".cm-sentence")).to_have_text(sentence)
    shown = build.locator(".cm-sentence, .problems li, .what:not(.visually-hidden)")
    expect(shown).to_have_count(1)
    expect(build.get_by_role("alert")).to_contain_text("✖ 1 error")
    expect(build.get_by_role("button", name="Run it")).to_be_disabled()
    expect(stage_of(build)).to_contain_text("HW 3")


def test_the_sentence_of_an_error_is_wrapped_on_a_phone(build: Page) -> None:
    build.set_viewport_size({"width": 320, "height": 700})
    build.get_by_role("tab", name="File").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    editor.press("Control+Home")
    build.keyboard.type("brokres: [1]\n")

    sentence = build.locator(".cm-sentence")
    expect(sentence).to_contain_text("did you mean brokers?")
    box = sentence.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 320
    expect(sentence.get_by_role("button", name="Write brokers")).to_be_in_viewport(ratio=1)


def test_the_editor_knows_the_format(build: Page) -> None:
    build.get_by_role("tab", name="File").click()
    build.get_by_role("textbox", name="Scenario (YAML or JSON)").click()
    build.keyboard.press("Control+End")
    build.keyboard.type("  - powe")

    offer = build.locator(".cm-tooltip-autocomplete li").first
    expect(offer).to_contain_text("power_loss")


def test_typing_over_a_selection_uses_no_style_that_the_policy_refuses(build: Page) -> None:
    refused: list[str] = []
    build.on("console", lambda said: refused.append(said.text) if "style" in said.text else None)
    build.get_by_role("tab", name="File").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    editor.click()
    build.keyboard.press("Control+a")
    build.keyboard.type("scenario: 1\nk")

    # The messages of errors stand between the lines.
    expect(editor.locator(".cm-line")).to_have_text(["scenario: 1", "k"])
    expect(build.locator(".cm-tooltip-autocomplete li").first).to_contain_text("kafka")
    assert refused == []


def test_what_a_real_cluster_prints_is_run_and_kept_under_a_name(build: Page) -> None:
    build.get_by_role("tab", name="Import").click()
    pasted = (REAL / "topics.txt").read_text() + "==> broker-2/replication-offset-checkpoint <==\n"
    pasted += (REAL / "data-2/replication-offset-checkpoint").read_text()
    build.get_by_role("textbox", name="Output of the tools").fill(pasted)
    build.get_by_role("button", name="Read it").click()
    expect(build.get_by_text("Topic orders: 2 partitions")).to_be_visible()
    expect(build.get_by_text("The input does not contain the leader epoch of t-0.")).to_be_visible()

    build.get_by_role("button", name="Run it").click()
    wait_for_run(build)
    build.get_by_role("button", name="Crash broker 2").first.click()
    expect(build.locator(POSITION)).to_have_text("Step 1 of 1")

    build.get_by_role("link", name="Edit as a file").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    expect(editor).to_contain_text("- crash: {broker: 2}")
    mine = build.get_by_role("region", name="My runs")
    mine.get_by_role("textbox", name="Name of Imported cluster").first.fill("Our outage")
    build.keyboard.press("Tab")
    build.reload()
    expect(mine.get_by_role("textbox", name="Name of Our outage")).to_be_visible()


def test_the_page_is_accessible_and_fits_a_phone(build: Page, axe_script: Path) -> None:
    build.set_viewport_size({"width": 320, "height": 700})
    build.evaluate(axe_script.read_text(encoding="utf-8"))
    for tab in ("Steps", "Stage", "Cluster", "Import", "File"):
        show(build, tab)
        found = build.evaluate("() => axe.run({resultTypes: ['violations']})")
        assert [one["id"] for one in found["violations"]] == [], tab
        wide = build.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 320, tab

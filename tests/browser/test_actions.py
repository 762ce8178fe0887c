"""Actions with custom values, and changed settings, by keyboard on the page of a run."""

import re

from playwright.sync_api import Page, expect


def test_a_typed_value_is_produced_and_an_invalid_one_is_reported_at_its_field(run: Page) -> None:
    run.keyboard.press("Shift+P")
    form = run.get_by_role("dialog", name="Produce records")
    values = form.get_by_label("values")
    expect(values).to_be_focused()
    expect(values).to_have_value("m1")

    run.keyboard.press("Control+A")
    run.keyboard.type("a/b")
    run.keyboard.press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("printable characters")

    run.keyboard.press("Control+A")
    run.keyboard.type("order1")
    run.keyboard.press("Enter")
    expect(form).to_have_count(0)
    expect(run.get_by_role("region", name="Stage")).to_contain_text("order1")


def test_an_action_of_the_list_opens_with_its_own_values(run: Page) -> None:
    run.get_by_role("button", name="With other values: Cut the power of broker 1").first.click()

    form = run.get_by_role("dialog", name="Cut the power")
    expect(form.get_by_label("broker", exact=True)).to_have_value("1")
    expect(form.get_by_label("log that survives · t-0")).to_be_visible()


def test_a_setting_is_changed_as_a_step_and_from_the_start(run: Page) -> None:
    run.set_viewport_size({"width": 1600, "height": 900})  # room for a chip each
    address = run.url
    run.get_by_role("button", name=re.compile("^min.insync.replicas 1")).click()
    settings = run.get_by_role("dialog", name="Settings of this run")
    expect(settings.get_by_label("min.insync.replicas")).to_be_focused()
    run.keyboard.press("Control+A")
    run.keyboard.type("0")
    settings.get_by_role("button", name="Change it now").click()
    expect(settings.get_by_role("alert")).to_contain_text("must be from 1")

    settings.get_by_label("min.insync.replicas").fill("2")
    settings.get_by_role("button", name="Change it now").click()
    changed = run.get_by_role("button", name=re.compile("^min.insync.replicas 2"))
    expect(changed).to_be_visible()

    changed.click()
    settings.get_by_label("replica.lag.time.max.ms").fill("5000")
    expect(settings.get_by_role("status")).to_have_text("With this, the run stays the same.")
    settings.get_by_role("button", name="Restart with this setting").click()
    expect(run).not_to_have_url(re.compile(re.escape(address.split("?")[0])))
    expect(run.get_by_text("+1")).to_be_visible()
    expect(run.locator("#why-step")).to_have_text("Start")


def test_what_producers_ask_for_is_a_setting_for_the_next_record_and_from_the_start(
    run: Page,
) -> None:
    run.set_viewport_size({"width": 1600, "height": 900})  # room for a chip each
    run.get_by_role("button", name=re.compile("^acks all")).click()
    settings = run.get_by_role("dialog", name="Settings of this run")
    acks = settings.get_by_label("acks", exact=True)
    expect(acks).to_be_focused()

    acks.select_option("1")
    foretold = settings.get_by_role("status")
    expect(foretold).to_contain_text("With this, the run differs from step 1 on: produce m1.")
    # The record is still lost, but the property is about acks=all.
    expect(foretold).to_contain_text("With acks=1 Kafka does not promise to keep a record")
    settings.get_by_role("button", name="Compare with this setting").click()
    comparing = run.get_by_role("region", name="Compare", exact=True)
    expect(comparing).to_contain_text("First difference")
    # With acks=1 the record is lost, too: no side has a loss of its own.
    expect(comparing).not_to_contain_text("An acknowledged record is lost")

    run.get_by_role("button", name=re.compile("^acks all")).click()
    acks.select_option("0")
    settings.get_by_role("button", name="Produce with it").click()
    form = run.get_by_role("dialog", name="Produce records")
    expect(form.get_by_label("acks")).to_have_value("0")
    expect(form.get_by_label("values")).to_have_value("m1")


def test_an_action_that_the_list_does_not_offer_is_found_by_its_name(run: Page) -> None:
    run.get_by_label("Filter actions").fill("retry")
    run.get_by_role("button", name="Retry a produce request").click()

    expect(run.get_by_role("dialog", name="Retry a produce request")).to_be_visible()


def test_terms_are_explained_in_place_and_in_a_glossary(run: Page) -> None:
    chip = run.locator(".chip.explained", has_text="ISR").first
    chip.focus()
    tooltip = run.get_by_role("tooltip").filter(has_text="In-sync replicas")
    expect(tooltip).to_be_visible()
    run.keyboard.press("Escape")
    expect(tooltip).to_be_hidden()

    run.keyboard.press("ArrowRight")
    words = run.locator(".why .rule .term")
    words.first.focus()
    run.keyboard.press("ArrowRight")
    expect(words.nth(1)).to_be_focused()
    expect(run.get_by_role("tooltip")).to_be_visible()
    run.keyboard.press("Escape")

    run.keyboard.press("?")
    help_ = run.get_by_role("dialog")
    expect(help_).to_contain_text("record that differs from the leader")
    help_.get_by_role("link", name="All terms").click()

    run.wait_for_url(re.compile("/glossary$"))
    run.get_by_label("Filter terms").fill("last stable")
    expect(run.get_by_role("term")).to_have_text(["LSO"])


def test_what_is_drawn_on_the_stage_is_explained_in_its_place(run: Page) -> None:
    marks = run.get_by_role("group", name="Terms in the drawing")
    tooltip = run.get_by_role("tooltip")

    def rest_on(name: str) -> None:
        run.mouse.move(1, 1)
        expect(tooltip).to_be_hidden()
        box = marks.get_by_role("img", name=re.compile(f"^Broker 1: {name}")).bounding_box()
        assert box is not None
        run.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=2)

    for name, meaning in (
        ("HW", "High watermark: every record below"),
        ("LEO", "Log end offset: the offset that the next record"),
        ("in sync", "In-sync replicas"),
    ):
        rest_on(name)
        expect(tooltip).to_contain_text(meaning)

    # The words belong to the broker's name still: a click there selects it.
    run.mouse.down()
    run.mouse.up()
    expect(run.locator('[data-broker="1"]')).to_have_attribute("aria-pressed", "true")

    marks.get_by_role("img").first.focus()
    run.keyboard.press("ArrowRight")
    expect(marks.get_by_role("img").nth(1)).to_be_focused()
    expect(tooltip).to_be_visible()
    run.keyboard.press("Escape")
    expect(tooltip).to_be_hidden()


def test_dragging_from_one_name_to_another_cuts_the_link_and_again_restores_it(run: Page) -> None:
    def drag_the_link() -> None:
        first, second = (
            run.locator(f'[data-broker="{broker}"]').bounding_box() for broker in (2, 1)
        )
        assert first is not None
        assert second is not None
        run.mouse.move(first["x"] + 20, first["y"] + 20)
        run.mouse.down()
        run.mouse.move(second["x"] + 30, second["y"] + 10, steps=4)
        run.mouse.move(second["x"] + 20, second["y"] + 20)

    drag_the_link()
    expect(run.get_by_text("Cut 2 → 1", exact=True)).to_be_visible()
    run.mouse.up()
    expect(run.locator("#why-step")).to_have_text("Step 1 of 1")
    broken = run.locator(".hw-broken-link")
    expect(broken).to_have_count(1)

    broken.locator(".hw-broken-hit").click(button="right", force=True)
    restore = run.get_by_role("menuitem", name="Restore the link 2 → 1", exact=True)
    expect(restore).to_be_visible()
    run.keyboard.press("Escape")

    drag_the_link()
    expect(run.get_by_text("Restore 2 → 1", exact=True)).to_be_visible()
    run.mouse.up()
    expect(broken).to_have_count(0)

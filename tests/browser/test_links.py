"""Shared links: pasted into a site that embeds them, and opened in a browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, BrowserType, Page, Playwright, expect

API = "/api/v1"


@pytest.fixture(scope="module")
def api(playwright: Playwright, base_url: str) -> APIRequestContext:
    return playwright.request.new_context(base_url=base_url)


@pytest.fixture(scope="module")
def share(api: APIRequestContext) -> dict[str, Any]:
    """The lesson of KIP-101, shared at its eighth step."""
    session = api.post(f"{API}/sessions", data={"scenario_id": "s26"}).json()
    story = api.get(f"{API}/sessions/{session['id']}/story?at={session['head']}").json()["story"]
    created = api.post(
        f"{API}/shares",
        data={"session": session["id"], "at": story[8]["last_frame"]},
        headers={"Idempotency-Key": "links"},
    )
    assert created.status == 201, created.text()
    made: dict[str, Any] = created.json()
    return made


def test_a_link_that_a_site_frames_shows_the_embed(
    page: Page, share: dict[str, Any], foreign_site: Callable[[str], str]
):
    page.goto(
        foreign_site(
            f'<iframe src="{share["url"]}" width="800" height="480" sandbox="allow-scripts">'
            f'</iframe><iframe id="svg" src="{share["svg_url"]}" width="800" height="480"></iframe>'
        )
    )

    frame = page.frame_locator("iframe").first
    expect(frame.get_by_text("Step 8 of", exact=False).first).to_be_visible()
    assert any("/e/v1/s/" in frame.url for frame in page.frames)
    expect(page.frame_locator("#svg").locator("svg .hw-paper")).to_be_visible()


def test_the_picture_of_a_step_shows_what_was_cut_in_the_middle_of_it(
    page: Page, api: APIRequestContext
):
    """In the last step, the sixth of ten messages truncates m2."""
    session = api.post(f"{API}/sessions", data={"scenario_id": "s26"}).json()
    shared = api.post(
        f"{API}/shares",
        data={"session": session["id"], "at": session["head"]},
        headers={"Idempotency-Key": "the whole step"},
    ).json()

    for look in ("theme=light&lang=en", "theme=dark&lang=zh"):

        def cut_in(step: int, look: str = look) -> int:
            page.goto(f"/s/{shared['sid']}.svg?frame={step}&{look}")
            return page.locator(".hw-ghost-value", has_text="m2").count()

        assert cut_in(session["head"] - 1) == 0
        assert cut_in(session["head"]) == 1
        expect(page.locator(".hw-cut-line")).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_diagram_of_a_share_is_drawn_by_mermaid(
    page: Page, api: APIRequestContext, share: dict[str, Any], repository: Path, lang: str
):
    diagram = api.get(f"/s/{share['sid']}.mmd?lang={lang}").text()
    page.set_content("<main></main>")
    page.add_script_tag(path=repository / "frontend/node_modules/mermaid/dist/mermaid.min.js")

    kind, drawn = page.evaluate(
        """async (diagram) => {
          const { diagramType } = await mermaid.parse(diagram);
          const { svg } = await mermaid.render("drawn", diagram);
          return [diagramType, svg];
        }""",
        diagram,
    )

    assert kind == "sequence"
    assert drawn.count("messageText") >= diagram.count("->>")
    assert "Broker 2" in drawn


def test_a_page_from_a_disk_plays_without_a_network(
    browser: Browser, api: APIRequestContext, share: dict[str, Any], tmp_path: Path
):
    file = tmp_path / "shared.html"
    file.write_bytes(api.get(f"/s/{share['sid']}.html").body())
    context = browser.new_context(offline=True)
    page = context.new_page()
    said: list[str] = []
    page.on("request", lambda request: said.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))

    page.goto(file.as_uri())
    expect(page.get_by_text("Step 8 of 14").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Step 9 of 14").first).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("start", exact=False).first).to_be_visible()

    assert said == [file.as_uri()]
    link = page.get_by_role("link", name="Open").get_attribute("href")
    assert link is not None
    assert link.startswith(share["url"])
    context.close()


@pytest.mark.slow
def test_an_animation_plays_as_an_image_where_no_script_runs(
    browser: Browser, share: dict[str, Any], foreign_site: Callable[[str], str]
):
    page = browser.new_page(java_script_enabled=False)
    page.goto(foreign_site(f'<img src="{share["svg_url"]}?range=0-999" width="800">'))
    seen = {page.locator("img").screenshot()}

    for _ in range(40):
        page.wait_for_timeout(200)
        seen.add(page.locator("img").screenshot())
        if len(seen) == 3:
            break

    assert len(seen) == 3
    page.close()


@pytest.mark.slow
def test_an_animation_is_still_with_reduced_motion(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    share: dict[str, Any],
    foreign_site: Callable[[str], str],
):
    # The setting of the system, because a theme emulated for a page does not apply to its images.
    arguments = {**browser_type_launch_args, "args": ["--force-prefers-reduced-motion"]}
    with browser_type.launch(**arguments) as calm:
        page = calm.new_page(java_script_enabled=False)
        page.goto(foreign_site(f'<img src="{share["svg_url"]}?range=0-999" width="800">'))
        first = page.locator("img").screenshot()
        page.wait_for_timeout(3000)

        assert page.locator("img").screenshot() == first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "share_word", "tabs"),
    [("en", "Share", ("Image", "File")), ("zh", "分享", ("图片", "文件"))],
)
def test_the_share_dialog_offers_every_kind_of_file(
    page: Page, api: APIRequestContext, lang: str, share_word: str, tabs: tuple[str, str]
):
    page.goto(f"/lessons/s26?lang={lang}")
    page.get_by_role("button", name=share_word, exact=True).first.click()
    dialog = page.get_by_role("dialog")
    kinds: dict[str, str] = {}

    for tab in tabs:
        dialog.get_by_role("tab", name=tab).click()
        expect(dialog.locator("a[download]").first).to_be_visible()
        for link in dialog.locator("a[download]").all():
            answered = api.get(str(link.get_attribute("href")))
            assert answered.status == 200, answered.text()
            name = str(link.get_attribute("download")).partition(".")[2]
            kinds[name] = answered.headers["content-type"].partition(";")[0]

    assert kinds == {
        "svg": "image/svg+xml",
        "gif": "image/gif",
        "png": "image/png",
        "html": "text/html",
        "md": "text/markdown",
        "yaml": "application/yaml",
        "mmd": "text/plain",
        "json": "application/json",
        "itf.json": "application/json",
    }


@pytest.mark.slow
def test_an_animation_of_a_part_of_a_long_run_is_chosen_in_the_dialog(
    page: Page, api: APIRequestContext
):
    steps = [{"pause": {"broker": 2}}, {"resume": {"broker": 2}}] * 24
    topics = [{"name": "t", "partitions": [{"replicas": [1, 2]}]}]
    scenario = {"scenario": 1, "id": "long", "title": "Long", "kafka": "3.9", "brokers": [1, 2]}
    limits = {limit["name"]: limit for limit in api.get(f"{API}/limits").json()["limits"]}
    most = limits["animated_pictures"]["number"]
    assert most < len(steps)
    session = api.post(
        f"{API}/sessions", data={"scenario": {**scenario, "topics": topics, "steps": steps}}
    ).json()
    page.goto(f"/x/{session['id']}?frame={session['head']}&lang=en")
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("tab", name="Image").click()
    first = dialog.get_by_role("combobox", name="First step")
    last = dialog.get_by_role("combobox", name="Last step")
    file = dialog.get_by_role("link", name="Download animation")

    # At first the last part that fits.
    expect(last.locator("option:checked")).to_have_text("step 48: resume broker 2")
    expect(first.locator("option:checked")).to_contain_text(f"step {49 - most}: ")
    played = api.get(str(file.get_attribute("href")))
    assert played.text().count('<g class="hw-moment"') == most

    # One step earlier, by the keyboard.
    first.focus()
    page.keyboard.press("ArrowUp")

    refused = f"{most + 1} pictures are too many: an animation can have at most {most}."
    expect(dialog.get_by_role("status").filter(has_text=refused)).to_be_visible()
    expect(first).to_have_accessible_description(f"{refused} Choose fewer steps.")
    expect(file).to_have_count(0)

    last.select_option(label="step 47: pause broker 2")
    assert api.get(str(file.get_attribute("href"))).status == 200

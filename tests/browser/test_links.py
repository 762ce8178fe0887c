"""Links that were sent: pasted where a site frames them, and opened in a browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Page, Playwright, expect

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

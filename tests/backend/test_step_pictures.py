"""Pictures and texts of a link to the end of a step, which show the whole step as the page does."""

from typing import Any

import pytest

from tests.backend.conftest import API, PUBLIC_URL, Service


@pytest.fixture
async def share(sqlite_service: Service) -> dict[str, Any]:
    """The lesson of KIP-101, shared at its end: the last of the ten messages of its last step."""
    session = await sqlite_service.new_session(scenario_id="kip-101-data-loss")
    created = await sqlite_service.share(session["id"], session["head"])
    found: dict[str, Any] = await sqlite_service.read(f"shares/{created['sid']}?full=1")
    return found


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", ["/s/{}.svg", "/e/v1/s/{}", "/s/{}.html", "/s/{}"])
async def test_a_link_to_the_end_of_a_step_shows_the_whole_step(
    sqlite_service: Service, share: dict[str, Any], path: str, lang: str
):
    step = share["story"][-1]
    own = [frame for frame in share["frames"] if frame["step"] == step["step"]]
    assert len(own) > 1

    page = await sqlite_service.client.get(f"{path.format(share['sid'])}?lang={lang}")

    events = sum(len(frame["events"]) for frame in own)
    assert f"events {events} since {own[0]['frame'] - 1} message -" in page.text
    assert f"told {step['summary'][lang]}" in page.text


@pytest.mark.parametrize("path", ["/s/{}.svg", "/e/v1/s/{}", "/s/{}.html", "/s/{}"])
async def test_a_link_to_a_message_inside_a_step_shows_that_message(
    sqlite_service: Service, share: dict[str, Any], path: str
):
    inside = share["frames"][-2]

    page = await sqlite_service.client.get(f"{path.format(share['sid'])}?frame={inside['frame']}")

    assert f"events {len(inside['events'])} since - message 9" in page.text
    assert f"told {share['story'][-1]['summary']['en']}" not in page.text


@pytest.mark.parametrize("path", ["/s/{}.svg", "/e/v1/s/{}", "/s/{}.html", "/s/{}"])
async def test_a_link_to_a_message_shows_the_message_that_ends_a_step(
    sqlite_service: Service, share: dict[str, Any], path: str
):
    last = share["frames"][-1]

    page = await sqlite_service.client.get(
        f"{path.format(share['sid'])}?frame={last['frame']}&level=message"
    )

    assert f"events {len(last['events'])} since - message 10" in page.text
    assert f"told {share['story'][-1]['summary']['en']}" not in page.text


@pytest.mark.parametrize("path", ["/e/v1/s/{}", "/s/{}.html"])
@pytest.mark.parametrize(
    ("query", "level"), [("", "story"), ("level=message", "message"), ("level=x", "story")]
)
async def test_a_player_opens_at_the_level_of_its_link(
    sqlite_service: Service, share: dict[str, Any], path: str, query: str, level: str
):
    page = await sqlite_service.client.get(f"{path.format(share['sid'])}?{query}")

    assert f'"level":"{level}"' in page.text


async def test_a_page_of_a_message_has_its_card_and_its_address(
    sqlite_service: Service, share: dict[str, Any]
):
    at = f"frame={share['at']}"
    page = await sqlite_service.client.get(f"/s/{share['sid']}?{at}&level=message")
    embed = await sqlite_service.client.get(f"/e/v1/s/{share['sid']}?{at}&level=message")

    assert f"/s/{share['sid']}.png?{at}&amp;level=message&amp;lang=en" in page.text
    assert f'content="{PUBLIC_URL}/s/{share["sid"]}?{at}&amp;level=message"' in page.text
    assert f'href="{PUBLIC_URL}/s/{share["sid"]}?{at}&amp;level=message"' in embed.text


async def test_so_does_a_link_to_a_step_of_a_single_message(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario_id="unnoticed-bounce")
    created = await sqlite_service.share(session["id"], session["head"])
    asked = await sqlite_service.client.get(f"{API}/shares/{created['sid']}?full=1")
    step = asked.json()["story"][-1]
    own = [frame for frame in asked.json()["frames"] if frame["step"] == step["step"]]
    assert len(own) == 1

    picture = (await sqlite_service.client.get(f"/s/{created['sid']}.svg")).text

    assert f"since {own[0]['frame'] - 1} message -" in picture
    assert f"told {step['summary']['en']}" in picture
    # An administrator has reordered the replicas; the rows of the picture stay.
    assert own[0]["state"]["partitions"]["t-0"]["replicas"] == [1, 2]
    assert "order 2,1" in picture


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_the_caption_of_a_whole_step_is_its_summary(
    sqlite_service: Service, share: dict[str, Any], lang: str
):
    step = share["story"][-1]

    page = await sqlite_service.client.get(f"/s/{share['sid']}?lang={lang}")

    caption = page.text.partition("<figcaption>")[2].partition("</figcaption>")[0]
    assert f"<p>{step['summary'][lang]}</p>" in caption
    assert "10" not in caption.partition("</p>")[0].replace("0.10.2", "")


async def test_a_transcript_marks_a_whole_step_and_no_message_of_it(
    sqlite_service: Service, share: dict[str, Any]
):
    transcript = (await sqlite_service.client.get(f"/s/{share['sid']}.md")).text

    (marked,) = [line for line in transcript.splitlines() if line.endswith(" ◀")]
    assert marked == f"{share['story'][-1]['summary']['en']} ◀"


async def test_a_transcript_marks_the_moment_of_its_address(
    sqlite_service: Service, share: dict[str, Any]
):
    address = f"/s/{share['sid']}.md"
    ends = {frame["step"]: frame["frame"] for frame in share["frames"]}

    async def marked(query: str) -> list[str]:
        transcript = (await sqlite_service.client.get(f"{address}?{query}")).text
        return [line for line in transcript.splitlines() if line.endswith(" ◀")]

    whole = await marked(f"frame={ends[1]}")
    message = await marked(f"frame={ends[1]}&level=message")
    missing = await sqlite_service.client.get(f"{address}?frame={share['frames'][-1]['frame'] + 1}")

    assert whole == [f"{share['story'][1]['summary']['en']} ◀"]
    assert [line[:2] for line in message] == ["- "]
    assert missing.status_code == 404

"""oEmbed: discovery, responses as a consumer reads them, and errors as the
specification says (https://oembed.com)."""

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import micawber
import pytest

from tests.backend.conftest import API, LOSS, PUBLIC_URL, SCENARIO, Service

REQUIRED = {"version", "type", "html", "width", "height"}
HEIGHT = 472  # of the picture that the tests draw, and of the controls
LESSON = f"{PUBLIC_URL}/lessons/s26"


@pytest.fixture
async def share(sqlite_service: Service) -> dict[str, Any]:
    session = await sqlite_service.new_session(scenario=LOSS)
    return await sqlite_service.share(session["id"], 3)


async def ask(service: Service, url: str, **parameters: int) -> dict[str, Any]:
    response = await service.client.get("/oembed", params={"url": url, **parameters})
    assert response.status_code == 200, response.text
    # A consumer of the response: it adds missing values, and rejects invalid ones.
    answer: dict[str, Any] = micawber.Provider("").handle_response(response.text, url)
    assert set(answer) >= REQUIRED
    assert answer["version"] == "1.0"
    return answer


class Discovered(HTMLParser):
    """The addresses of a page's oEmbed links, by their type."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        if tag == "link" and named.get("rel") == "alternate":
            self.links[named["type"]] = named["href"]


async def test_a_share_is_found_from_its_page_in_both_formats(
    sqlite_service: Service, share: dict[str, Any]
):
    page = await sqlite_service.client.get(f"/s/{share['sid']}?frame=2")
    links = Discovered(page.text).links

    as_json = await sqlite_service.client.get(links["application/json+oembed"])
    as_xml = await sqlite_service.client.get(links["text/xml+oembed"])

    answer = as_json.json()
    assert as_json.headers["content-type"] == "application/json"
    assert as_xml.headers["content-type"].startswith("text/xml")
    root = ElementTree.fromstring(as_xml.text)
    assert root.tag == "oembed"
    assert {child.tag: child.text for child in root} == {n: str(v) for n, v in answer.items()}
    assert f'src="{share["embed_url"]}?frame=2"' in answer["html"]


async def test_a_lesson_is_found_from_its_page(sqlite_service: Service):
    page = await sqlite_service.client.get("/lessons/s26")
    link = Discovered(page.text).links["application/json+oembed"]

    answer = (await sqlite_service.client.get(link)).json()

    source = f"{PUBLIC_URL}/e/v1/lessons/kip-101-data-loss?kafka=0.10.2"
    assert answer["type"] == "rich"
    assert f'src="{source}"' in answer["html"]
    shown = await sqlite_service.client.get(answer["thumbnail_url"].removeprefix(PUBLIC_URL))
    assert shown.headers["content-type"] == "image/png"


async def test_the_step_of_a_lesson_is_embedded_at_that_step(sqlite_service: Service):
    answer = await ask(sqlite_service, f"{LESSON}?step=9&kafka=0.10.2")

    assert "/e/v1/lessons/kip-101-data-loss?step=9&amp;kafka=0.10.2" in answer["html"]
    assert "kip-101-data-loss.png?step=9&kafka=0.10.2" in answer["thumbnail_url"]
    assert "removes m2" in answer["description"]


async def test_an_embed_needs_nothing_of_the_page_around_it(
    sqlite_service: Service, share: dict[str, Any]
):
    answer = await ask(sqlite_service, share["url"])

    assert answer["title"] == "A <loss> & more"
    assert 'title="A &lt;loss&gt; &amp; more"' in answer["html"]
    # Its own origin, for the browser's cache; docs/decisions/0025 says what isolates it.
    sandbox = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    assert f'sandbox="{sandbox}"' in answer["html"]


@pytest.mark.parametrize(
    ("room", "embed", "thumbnail"),
    [
        ({}, (800, HEIGHT), (1200, 630)),
        ({"maxwidth": 600}, (600, HEIGHT), (600, 315)),
        ({"maxheight": 200}, (800, 200), (380, 199)),
        ({"maxwidth": 320, "maxheight": 240}, (320, 240), (320, 168)),
    ],
)
async def test_it_fits_the_room_that_there_is(
    sqlite_service: Service,
    share: dict[str, Any],
    room: dict[str, int],
    embed: tuple[int, int],
    thumbnail: tuple[int, int] | None,
):
    answer = await ask(sqlite_service, share["url"], **room)

    assert (answer["width"], answer["height"]) == embed
    assert f'width="{embed[0]}" height="{embed[1]}"' in answer["html"]
    if thumbnail is None:
        assert "thumbnail_url" not in answer
        return
    assert (answer["thumbnail_width"], answer["thumbnail_height"]) == thumbnail
    address = answer["thumbnail_url"].removeprefix(PUBLIC_URL)
    picture = (await sqlite_service.client.get(address)).content
    assert int.from_bytes(picture[16:20]) == thumbnail[0]
    assert abs(int.from_bytes(picture[20:24]) - thumbnail[1]) <= 1


async def test_where_a_player_could_not_be_read_there_is_a_picture_or_a_link(
    sqlite_service: Service, share: dict[str, Any]
):
    async def answer(**room: int) -> dict[str, Any]:
        asked: dict[str, str | int] = {"url": f"{share['url']}?frame=2", **room}
        response = await sqlite_service.client.get("/oembed", params=asked)
        found: dict[str, Any] = response.json()
        return found

    for room in ({"maxwidth": 299}, {"maxheight": 199}, {"maxwidth": 200, "maxheight": 100}):
        photo = await answer(**room)
        assert photo["type"] == "photo", room
        assert "html" not in photo
        assert photo["width"] <= room.get("maxwidth", 1200)
        assert photo["height"] <= room.get("maxheight", 630)
        picture = await sqlite_service.client.get(photo["url"].removeprefix(PUBLIC_URL))
        assert int.from_bytes(picture.content[16:20]) == photo["width"]
        assert "frame=2" in photo["url"]
    link = await answer(maxwidth=50)
    assert link["type"] == "link"
    assert not {"html", "url", "thumbnail_url"} & set(link)


@pytest.mark.parametrize(
    "form",
    [
        "/s/{}",
        "/e/v1/s/{}",
        "/s/{}?frame=2",
        "/s/{}#frame=2",
        "/s/{}?frame=2&level=message",
        "/s/{}?frame=2&level=story",
    ],
)
async def test_every_form_of_a_link_is_embedded(
    sqlite_service: Service, share: dict[str, Any], form: str
):
    for host in (PUBLIC_URL, PUBLIC_URL.replace("https", "http"), "https://HIGHWATER.example"):
        answer = await ask(sqlite_service, host + form.format(share["sid"].upper()))

        level = "&amp;level=message" if "level=message" in form else ""
        frame = f"?frame=2{level}" if "=2" in form else ""
        assert f'src="{share["embed_url"]}{frame}"' in answer["html"]


NOT_OURS = [
    f"{PUBLIC_URL}/",
    f"{PUBLIC_URL}/insights",
    f"{PUBLIC_URL}/s/{'1' * 26}",
    f"{PUBLIC_URL}/s/{'u' * 26}",
    f"{PUBLIC_URL}/lessons/nope",
    f"{PUBLIC_URL}/lessons/s26?kafka=9.9",
    f"{PUBLIC_URL}/s/../s/{'1' * 26}",
    "https://elsewhere.example/s/" + "1" * 26,
    "https://highwater.example@elsewhere.example/lessons/s26",
    "ftp://highwater.example/lessons/s26",
    "file:///etc/passwd",
    "http://[::1",
    "not an address",
    "",
]


async def test_what_is_not_ours_is_not_found(sqlite_service: Service):
    for url in NOT_OURS:
        response = await sqlite_service.client.get("/oembed", params={"url": url})

        assert response.status_code == 404, url
        assert response.headers["content-type"] == "application/problem+json"


async def test_a_deleted_share_is_not_found(service: Service):
    share = await service.share((await service.new_session(scenario=LOSS))["id"], 3)
    token = {"Authorization": f"Bearer {share['delete_token']}"}
    found = await service.client.get("/oembed", params={"url": share["url"]})
    await service.client.delete(f"{API}/shares/{share['sid']}", headers=token)

    response = await service.client.get("/oembed", params={"url": share["url"]})

    assert (found.status_code, response.status_code) == (200, 404)
    unknown = await service.client.get("/oembed", params={"url": f"{PUBLIC_URL}/s/{'1' * 26}"})
    assert unknown.status_code == 404
    for answer in (response, unknown):  # the same for both, and no word of the share
        assert share["title"]["en"] not in answer.text
        assert answer.json()["code"] == "not_found"


ANSWERED = [
    (urlencode({"url": LESSON, "format": "yaml"}), 501),
    (urlencode({"url": LESSON, "format": ""}), 200),
    ("", 400),
    (urlencode([("url", LESSON), ("url", LESSON)]), 400),
    (urlencode({"url": LESSON, "maxwidth": "0"}), 400),
    (urlencode({"url": LESSON, "maxwidth": "-5"}), 400),
    (urlencode({"url": LESSON, "maxheight": "wide"}), 400),
    (urlencode({"url": LESSON, "maxwidth": "9" * 400}), 400),
    (urlencode({"url": LESSON, "dnt": "1", "unknown": "x"}), 200),
]


async def test_errors_are_those_of_the_specification(sqlite_service: Service):
    for query, status in ANSWERED:
        response = await sqlite_service.client.get(f"/oembed?{query}")

        assert response.status_code == status, query


async def test_whatever_a_title_contains_the_answer_is_well_formed(service: Service):
    title = ']]> <b> & "quotes" </title>'
    session = await service.new_session(scenario={**SCENARIO, "title": {"en": title, "zh": title}})
    share = await service.share(session["id"], 0)

    response = await service.client.get("/oembed", params={"url": share["url"], "format": "xml"})

    root = ElementTree.fromstring(response.text)
    assert root.findtext("title") == title


@pytest.mark.parametrize("destination", ["iframe", "frame", "embed", "object"])
async def test_a_link_in_a_frame_leads_to_the_embed(
    sqlite_service: Service, share: dict[str, Any], destination: str
):
    response = await sqlite_service.client.get(
        f"/s/{share['sid']}?frame=2&theme=dark", headers={"Sec-Fetch-Dest": destination}
    )

    assert response.status_code == 302
    assert response.headers["location"] == f"/e/v1/s/{share['sid']}?frame=2&theme=dark"
    assert "frame-ancestors" not in response.headers["content-security-policy"]
    assert "x-frame-options" not in response.headers
    assert "Sec-Fetch-Dest" in response.headers["vary"]


async def test_a_link_in_a_tab_is_the_page(sqlite_service: Service, share: dict[str, Any]):
    response = await sqlite_service.client.get(
        f"/s/{share['sid']}", headers={"Sec-Fetch-Dest": "document"}
    )

    assert response.status_code == 200
    assert "Sec-Fetch-Dest" in response.headers["vary"]
    assert response.headers["x-frame-options"] == "DENY"

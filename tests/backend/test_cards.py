"""Link cards: the tags of a page, parsed as programs that show cards parse them."""

import struct
import zlib
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from backend.drawing import figures, raster
from backend.limit_table import PICTURE_PIXELS, PICTURES_WAITING, PNG_SECONDS
from backend.shares import representations
from backend.shares import routes as share_routes
from sim_engine.languages import LANGUAGES
from tests.backend.conftest import PUBLIC_URL, Service
from tests.backend.frontend import LINK_CARD

CARD = (1200, 630)


def size_of_png(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG, after checking every chunk (https://www.w3.org/TR/png/)."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    position, kinds, pixels, size = 8, [], b"", (0, 0)
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        content = data[position + 8 : position + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, position + 8 + length)
        assert checksum == zlib.crc32(kind + content)
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack_from(">IIBB", content)
            assert (depth, color) == (8, 6)
            size = (width, height)
        if kind == b"IDAT":
            pixels += content
        kinds.append(kind)
        position += 12 + length
    assert kinds[0] == b"IHDR"
    assert kinds[-1] == b"IEND"
    assert len(zlib.decompress(pixels)) == size[1] * (1 + 4 * size[0])
    return size


def card_of(page: str, kind: str) -> dict[str, str]:
    """The tags of one vocabulary (`og` or `twitter`), the first of each name, as of a parser that
    goes by either attribute."""
    found: dict[str, str] = {}
    for tag in BeautifulSoup(page, "html.parser").find_all("meta"):
        vocabulary, _, name = str(tag.get("property") or tag.get("name") or "").partition(":")
        if vocabulary == kind:
            found.setdefault(name, str(tag["content"]))
    return found


async def test_without_quickjs_there_are_pages_but_no_pictures(
    sqlite_service: Service, sid: str, monkeypatch: pytest.MonkeyPatch
):
    """As docs/how-to/operate.md describes Macs with Intel processors."""
    monkeypatch.setattr(figures, "quickjs", None)

    for page in (f"/s/{sid}", f"/e/v1/s/{sid}", "/lessons/s26"):
        assert (await sqlite_service.client.get(page)).status_code == 200, page
    for picture in (f"/s/{sid}.svg", f"/s/{sid}.png?w=400", f"/s/{sid}.html", "/lessons/s26.gif"):
        refused = await sqlite_service.client.get(picture)
        assert (refused.status_code, refused.json()["code"]) == (503, "figure_failed"), picture
        assert "QuickJS" in refused.json()["detail"]
    for card in ("/card.png", f"/s/{sid}.png?frame=0", "/lessons/s26.png?step=3", "/assess.png"):
        await assert_the_card_of_the_site(sqlite_service, card)


async def assert_the_card_of_the_site(service: Service, card: str) -> None:
    """A program that shows link cards asks once, so it gets a picture that nobody keeps."""
    response = await service.client.get(card)
    assert (response.status_code, response.content) == (200, LINK_CARD), card
    assert response.headers["content-type"] == "image/png"
    assert response.headers["cache-control"] == "no-store"


async def test_the_card_of_a_share_is_drawn_before_anybody_asks(
    fresh_service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(share_routes, "draw_card", representations.draw_card)
    monkeypatch.setattr(representations, "_LONGEST_WAIT_S", 60)
    sid = await fresh_service.shared()
    monkeypatch.setattr(figures, "quickjs", None)
    monkeypatch.setattr(raster.Raster, "_in_turn", None)

    response = await fresh_service.client.get(f"/s/{sid}.png")

    assert size_of_png(response.content) == CARD
    assert response.content != LINK_CARD


CARDS = [
    "/",
    "/insights",
    "/assess",
    "/glossary",
    "/glossary?term=ISR",
    "/articles/1",
    "/articles/1?claim=2",
    "/challenges/at-risk",
    "/docs/findings/missed-deposition",
    "/docs/how-to/share",
    "/lessons/s26",
    "/lessons/s26?step=3&kafka=0.11",
    "/lessons/s26?step=4&message=1&kafka=0.10.2",
    "/s/{sid}",
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", CARDS)
async def test_a_page_has_a_card_that_parsers_read(
    sqlite_service: Service, sid: str, path: str, lang: str
):
    asked = path.format(sid=sid)
    page = await sqlite_service.client.get(f"{asked}{'&' if '?' in asked else '?'}lang={lang}")
    graph, twitter = card_of(page.text, "og"), card_of(page.text, "twitter")

    for card in (graph, twitter):
        assert card["title"]
        assert card["description"]
        assert card["image"] == graph["image"]
    assert graph["site_name"] == "Highwater"
    assert graph["image"].endswith(f"lang={lang}")
    if "?" in path:  # the card is of what the address names, and so is the address in it
        assert graph["url"] == f"{PUBLIC_URL}{asked.replace('s26', 'kip-101-data-loss')}"
    assert graph["image"].startswith(f"{PUBLIC_URL}/")
    image = await sqlite_service.client.get(graph["image"].removeprefix(PUBLIC_URL))
    assert image.status_code == 200, image.text
    assert image.headers["content-type"] == "image/png"
    assert size_of_png(image.content) == CARD
    for name, number in (("width", 1200), ("height", 630)):
        assert graph[f"image:{name}"] == str(number)


async def test_a_card_describes_its_share(sqlite_service: Service, sid: str):
    page = await sqlite_service.client.get(f"/s/{sid}?lang=zh&frame=2")
    card = card_of(page.text, "og")

    assert card["title"] == "丢失"
    assert card["url"] == f"{PUBLIC_URL}/s/{sid}?frame=2"
    assert card["image"].startswith(f"{PUBLIC_URL}/s/{sid}.png?frame=2&lang=zh")


@pytest.mark.parametrize(
    ("query", "size"), [("", CARD), ("w=400", (400, 200)), ("w=1600&theme=dark", (1600, 800))]
)
async def test_a_png_has_the_size_of_a_card_or_the_requested_width(
    sqlite_service: Service, sid: str, query: str, size: tuple[int, int]
):
    response = await sqlite_service.client.get(f"/s/{sid}.png?{query}")

    assert response.headers["content-type"] == "image/png"
    assert size_of_png(response.content) == size


async def test_no_other_width_is_drawn(sqlite_service: Service, sid: str):
    for width in ("99", "2001", "0", "-1", "4e2", "99999999999999999999"):
        response = await sqlite_service.client.get(f"/s/{sid}.png?w={width}")

        assert response.status_code == 422, width
        assert response.json()["errors"][0]["where"] == "/w"


async def test_the_pixels_of_a_picture_are_bounded(
    sqlite_service: Service, sid: str, monkeypatch: pytest.MonkeyPatch
):
    limit = replace(PICTURE_PIXELS, number=500 * 250)
    monkeypatch.setattr(raster, "PICTURE_PIXELS", limit)

    allowed = await sqlite_service.client.get(f"/s/{sid}.png?w=500")
    refused = await sqlite_service.client.get(f"/s/{sid}.png?w=501")

    assert allowed.status_code == 200
    assert (refused.json()["limit"], refused.json()["number"]) == ("picture_pixels", 125_000)
    assert refused.json()["errors"] == [
        {"where": "/w", "message": "must be at most 500 for this picture"}
    ]


async def test_too_many_concurrent_pictures_return_a_retryable_error(
    sqlite_service: Service, sid: str, monkeypatch: pytest.MonkeyPatch
):
    limit = replace(PICTURES_WAITING, number=0)
    monkeypatch.setattr(raster, "PICTURES_WAITING", limit)

    response = await sqlite_service.client.get(f"/s/{sid}.png?w=400")

    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    await assert_the_card_of_the_site(sqlite_service, f"/s/{sid}.png?frame=0")


async def test_a_picture_that_was_just_drawn_is_remembered(
    sqlite_service: Service, sid: str, monkeypatch: pytest.MonkeyPatch
):
    first = await sqlite_service.client.get(f"/s/{sid}.png")
    limit = replace(PICTURES_WAITING, number=0)
    monkeypatch.setattr(raster, "PICTURES_WAITING", limit)

    again = await sqlite_service.client.get(f"/s/{sid}.png")

    assert again.content == first.content


async def test_a_picture_that_takes_too_long_ends(
    sqlite_service: Service, sid: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(raster, "PNG_SECONDS", replace(PNG_SECONDS, number=0))

    response = await sqlite_service.client.get(f"/s/{sid}.png?w=400")

    await assert_the_card_of_the_site(sqlite_service, f"/s/{sid}.png?frame=0")
    assert response.status_code == 503
    problem = response.json()
    assert (problem["code"], problem["limit"]) == ("figure_failed", "png_seconds")
    assert response.headers["retry-after"] == "5"


async def test_the_card_of_a_step_has_its_sentence(sqlite_service: Service):
    page = await sqlite_service.client.get("/lessons/s26?step=9&kafka=0.10.2&lang=en")
    card = card_of(page.text, "og")

    assert card["title"] == "An acknowledged record is lost"
    assert "broker 1 truncates its log to 1 and removes m2" in card["description"]
    assert card["image:alt"] == card["description"]
    assert card["url"] == f"{PUBLIC_URL}/lessons/kip-101-data-loss?step=9&kafka=0.10.2"


@pytest.mark.parametrize(
    ("card", "status"),
    [
        ("/lessons/nope.png", 404),
        ("/lessons/s26.png?step=99", 404),
        ("/lessons/s26.png?step=4&message=99", 404),
        ("/lessons/s26.png?step=-1", 422),
        ("/lessons/s26.png?step=99999999999999999999", 422),
        ("/lessons/s26.png?step=1&step=2", 422),
        ("/lessons/s26.png?message=0&step=1", 422),
        ("/lessons/s26.png?kafka=9.9", 422),
        ("/lessons/s26.png?lang=xx", 422),
        ("/articles/99.png", 404),
        ("/articles/1.png?claim=99", 404),
        ("/challenges/nope.png", 404),
        ("/recordings/nope.png", 404),
        ("/glossary.png?term=nope", 404),
        ("/docs/nope.png", 404),
        ("/nope.png", 404),
    ],
)
async def test_a_card_of_nothing_is_refused_in_words(
    sqlite_service: Service, card: str, status: int
):
    refused = await sqlite_service.client.get(card)

    assert refused.status_code == status
    assert refused.json()["detail"]


@pytest.mark.parametrize(
    "query", ["step=99&kafka=0.11", "step=x", "step=1&kafka=9.9", "step=1&message=0&kafka=0.11"]
)
async def test_the_page_of_a_lesson_opens_whatever_its_link_names(
    sqlite_service: Service, query: str
):
    """Chat programs shorten and break links; the app says what it does not know."""
    page = await sqlite_service.client.get(f"/lessons/s26?{query}")

    assert page.status_code == 200
    assert card_of(page.text, "og")["image"].startswith(
        f"{PUBLIC_URL}/lessons/kip-101-data-loss.png"
    )

"""The feed of the site, robots.txt, and addresses that people and programs guess."""

from typing import Any
from xml.etree import ElementTree

import pytest

from backend.gallery import feed
from tests.backend.conftest import LOSS, PUBLIC_URL, Service

ATOM = "{http://www.w3.org/2005/Atom}"


async def read_feed(service: Service, **headers: str) -> ElementTree.Element:
    response = await service.client.get("/feed.xml", headers=headers)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.text)


async def test_a_listed_share_is_in_the_feed_and_an_unlisted_one_is_not(fresh_service: Service):
    session = await fresh_service.new_session(scenario=LOSS)
    title = "A <loss> & more"
    share = await fresh_service.share(session["id"], 3, "a", listed=True, title=title)
    await fresh_service.share(session["id"], 2, "b", listed=False)

    root = await read_feed(fresh_service)

    links = [link.attrib["href"] for link in root.iterfind(f"{ATOM}entry/{ATOM}link")]
    assert links == [f"{PUBLIC_URL}/s/{share['sid']}"]
    assert root.findtext(f"{ATOM}entry/{ATOM}title") == "A <loss> & more"
    assert root.findtext(f"{ATOM}updated") == root.findtext(f"{ATOM}entry/{ATOM}updated")


async def test_a_release_with_a_date_is_in_the_feed(
    fresh_service: Service, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
):
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text("## 0.2.0 — unreleased\n\n## 0.1.0 — 2027-01-31\n", encoding="utf-8")
    monkeypatch.setattr(feed, "_CHANGELOG", changelog)
    feed._releases.cache_clear()

    root = await read_feed(fresh_service)
    feed._releases.cache_clear()

    assert [one.text for one in root.iterfind(f"{ATOM}entry/{ATOM}title")] == ["Highwater 0.1.0"]
    assert root.findtext(f"{ATOM}updated") == "2027-01-31T00:00:00Z"


async def test_the_pages_about_shares_name_the_feed(sqlite_service: Service):
    for path, named in (("/", True), ("/gallery", True), ("/glossary", False)):
        page = (await sqlite_service.client.get(path)).text
        assert (f'type="application/atom+xml" href="{PUBLIC_URL}/feed.xml"' in page) == named, path


@pytest.mark.parametrize(
    ("guessed", "leads_to"),
    [("/docs/", "/docs"), ("/docs/?lang=zh", "/docs?lang=zh"), ("/lessons", "/#lessons")],
)
async def test_an_address_that_people_guess_leads_on(
    sqlite_service: Service, guessed: str, leads_to: str
):
    response = await sqlite_service.client.get(guessed)

    assert (response.status_code, response.headers["location"]) == (308, leads_to)


async def test_crawlers_read_pages_but_no_runs(sqlite_service: Service):
    said = (await sqlite_service.client.get("/robots.txt")).text

    assert "Disallow: /x/\n" in said
    assert "/s/" not in said  # the card of a link is read by a crawler

"""Every link of the documentation leads to a page, a section, a file or a place of the site."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from backend.documentation.contents import ADDRESS, FOLDER, PAGES, page_address
from backend.documentation.library import Library
from sim_engine import LANGUAGES
from tests.backend.conftest import Service


def bodies(library: Library, lang: str) -> Iterator[tuple[str, BeautifulSoup]]:
    for page in PAGES:
        shown = library.read(page, lang)
        yield page_address(page), BeautifulSoup(shown.laid.body, "html.parser")


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_every_link_leads_somewhere(sqlite_service: Service, lang: str):
    pages = dict(bodies(sqlite_service.app.state.documentation, lang))
    anchors = {
        address: {str(named["id"]) for named in body.select("[id]")}
        for address, body in pages.items()
    }
    elsewhere: set[str] = set()

    for address, body in pages.items():
        for link in body.select("a[href]"):
            target = urlsplit(str(link["href"]))
            if target.scheme:
                assert target.scheme in ("https", "http"), (address, target)
                continue
            path = target.path or address
            if path == ADDRESS or path.startswith(f"{ADDRESS}/"):
                assert path in pages, f"{address}: there is no page {path}"
                known = anchors[path]
                assert target.fragment in {"", *known}, f"{address}: {target.geturl()}"
            else:
                elsewhere.add(path)
        for image in body.select("img"):
            assert (FOLDER / "images" / str(image["src"]).rpartition("/")[2]).is_file(), image

    for path in elsewhere:
        response = await sqlite_service.client.get(path, follow_redirects=True)
        assert response.status_code == 200, path


def test_every_file_that_is_named_is_there(sqlite_service: Service):
    for lang in LANGUAGES:
        for address, body in bodies(sqlite_service.app.state.documentation, lang):
            for named in body.select("span.file"):
                assert (FOLDER.parent / str(named["title"])).exists(), (address, named)

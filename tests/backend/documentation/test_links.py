"""Every link of the documentation leads to an existing page, section, file or page of the site."""

from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from backend.documentation.contents import ADDRESS, FOLDER
from tests.backend.conftest import Service

Bodies = dict[str, dict[str, BeautifulSoup]]


async def test_every_link_leads_somewhere(sqlite_service: Service, bodies: Bodies):
    for pages in bodies.values():
        await follow_links(sqlite_service, pages)


async def follow_links(service: Service, pages: dict[str, BeautifulSoup]) -> None:
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
        response = await service.client.get(path, follow_redirects=True)
        assert response.status_code == 200, path


def test_every_file_that_is_named_is_there(bodies: Bodies):
    for pages in bodies.values():
        for address, body in pages.items():
            for named in body.select("span.file"):
                assert (FOLDER.parent / str(named["title"])).exists(), (address, named)

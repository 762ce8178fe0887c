"""The documentation's pages are complete without scripts, in each available language."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from backend.documentation.contents import FOLDER, PAGES, page_address, page_file, page_title
from backend.documentation.generated import Subject
from backend.documentation.library import (
    Library,
    pages_with_generated_parts,
    without_generated_parts,
)
from backend.documentation.page import LOGO
from backend.main import create_app
from backend.settings import Settings
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from tests.backend.conftest import Service

REPOSITORY = FOLDER.parent
GENERATED = re.compile(r"<!-- generated: .*?<!-- until here -->", re.DOTALL)
OTHERS = [lang for lang in LANGUAGES if lang != DEFAULT_LANGUAGE]
# Not a page: decisions are for developers.
KEPT_APART = {"decisions"}


async def read(service: Service, address: str, **headers: str) -> BeautifulSoup:
    response = await service.client.get(address, headers=headers)
    assert response.status_code == 200, address
    return BeautifulSoup(response.text, "html.parser")


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_every_page_is_there_with_a_title_and_a_place_in_the_list(
    sqlite_service: Service, lang: str
):
    for page in PAGES:
        shown = await read(sqlite_service, f"{page_address(page)}?lang={lang}")

        assert shown.html is not None
        assert shown.html["lang"] == lang
        assert len(shown.select("main h1")) == 1, page
        current = shown.select(".contents [aria-current=page]")
        assert [entry.text for entry in current] == [page_title(page, lang)]
        assert shown.select_one("title") is not None
        assert not shown.select("[style], [onclick], main script"), "no policy would allow it"


def test_every_file_is_a_page():
    files = {
        file.relative_to(FOLDER).with_suffix("").as_posix()
        for file in FOLDER.rglob("*.md")
        if file.relative_to(FOLDER).parts[0] not in KEPT_APART
    }
    translated = {name.partition("/")[2] for name in files if name.partition("/")[0] in OTHERS}

    assert translated <= set(PAGES)
    assert {name for name in files if name.partition("/")[0] not in OTHERS} == set(PAGES)


async def test_an_untranslated_page_is_shown_in_english_with_a_note(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "backend.documentation.library.page_file",
        lambda page, lang: page_file(page, DEFAULT_LANGUAGE) if lang == DEFAULT_LANGUAGE else None,
    )

    shown = await read(sqlite_service, "/docs/how-to/operate?lang=zh")

    article = shown.select_one("article")
    note = shown.select_one("article .note")
    assert article is not None
    assert article["lang"] == "en"
    assert note is not None
    assert note["lang"] == "zh"
    assert "英文" in note.text


@pytest.mark.parametrize("lang", OTHERS)
def test_a_translation_has_the_sections_of_the_original(lang: str):
    for page in PAGES:
        original, translation = page_file(page, DEFAULT_LANGUAGE), page_file(page, lang)
        assert original is not None
        if translation is not None:
            assert levels(translation) == levels(original), page


def levels(file: Path) -> list[int]:
    """The nested headings of a file, without code."""
    prose = re.sub(
        r"^(`{3,}).*?^\1$",
        "",
        without_generated_parts(file.read_text()),
        flags=re.MULTILINE | re.DOTALL,
    )
    return [len(marks) for marks in re.findall(r"^(#+) ", prose, re.MULTILINE)]


async def test_every_link_keeps_the_requested_language(sqlite_service: Service):
    chosen = await read(sqlite_service, "/docs?lang=zh")
    by_header = await read(sqlite_service, "/docs", **{"Accept-Language": "zh"})

    for shown, query in ((chosen, "?lang=zh"), (by_header, "")):
        links = [str(link["href"]) for link in shown.select(".contents a, article a")]
        assert f"{page_address('how-to/embed')}{query}" in links
    assert by_header.html is not None
    assert by_header.html["lang"] == "zh"


async def test_a_page_that_there_is_not_is_not_found(sqlite_service: Service):
    for address in ("/docs/nope", "/docs/index", "/docs/decisions/0001-record-decisions"):
        assert (await sqlite_service.client.get(address)).status_code == 404, address
    for address in ("/docs/images/nope.png", "/docs/images/..%2findex.md", "/docs/how-to/embed.md"):
        assert (await sqlite_service.client.get(address)).status_code == 404, address


async def test_a_picture_is_served(sqlite_service: Service):
    response = await sqlite_service.client.get("/docs/images/loss.svg")

    assert response.headers["content-type"] == "image/svg+xml"
    assert response.content == (FOLDER / "images/loss.svg").read_bytes()


def test_the_files_contain_their_generated_parts():
    """`scripts/write docs` brings them up to date."""
    library = Library(Subject(Settings(), create_app(Settings()).openapi))

    differing = [
        file.name
        for file, lang in pages_with_generated_parts()
        if library.whole(file, lang) != file.read_text("utf-8")
    ]

    assert differing == []


def test_a_link_in_a_generated_part_leads_to_a_file_or_nowhere():
    """A code host has no `/lessons`."""
    links = {
        f"{file.name}: {link[0]}"
        for file, _ in pages_with_generated_parts()
        for part in GENERATED.findall(file.read_text("utf-8"))
        for link in re.finditer(r"\]\(/[^)]*\)", part)
    }

    assert links == set()


async def test_what_has_not_changed_is_not_sent_again(sqlite_service: Service):
    first = await sqlite_service.client.get("/docs")

    again = await sqlite_service.client.get(
        "/docs", headers={"If-None-Match": first.headers["etag"]}
    )

    assert again.status_code == 304


def test_the_logo_is_that_of_the_app():
    source = (REPOSITORY / "frontend/src/view/logo/LogoShapes.svelte").read_text()
    water = re.search(r'WATER = "([^"]+)"', source)
    assert water is not None

    shapes = source.partition("</script>")[2].replace("{WATER}", f'"{water[1]}"')
    assert re.findall(r"<(?:path|rect)[^>]*>", LOGO) == re.findall(r"<(?:path|rect)[^>]*>", shapes)

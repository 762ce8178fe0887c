"""`highwater site`: the files of a copy, their links, and what the command refuses."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from starlette.datastructures import Headers

from backend.cli import run
from backend.main import create_app
from backend.settings import Settings
from backend.static_site import writing
from backend.static_site.addresses import file_of, path_in_copy
from backend.static_site.pages import NOWHERE, Copied
from backend.static_site.writing import MARK, write_copy
from tests.backend.frontend import write_frontend

LESSON = "kip-101-data-loss"
PLACE = "https://user.example/highwater"
_LINK = re.compile(r'\b(?:href|src)="([^"]*)"')


def _is_wanted(address: str) -> bool:
    """Whether a small copy has it: one lesson under two releases, and everything that is short."""
    is_lesson = address.startswith(("/api/v1/scenarios/", "/lessons/", "/e/"))
    if is_lesson and LESSON not in address:
        return False
    if "/runs/" in address and "/runs/3.9" not in address:
        return False
    is_recording = "/recordings/" in address
    return not is_recording and (".png" not in address or address.startswith("/card.png"))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    pages, figure = write_frontend(tmp_path_factory.mktemp("frontend"))
    return Settings(frontend_folder=pages, figure_script=figure, public_url=NOWHERE)


@pytest.fixture(scope="module")
def copy(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small copy that may lie anywhere."""
    folder = tmp_path_factory.mktemp("copy")
    write_copy(folder, settings, wanted=_is_wanted, processes=2)
    return folder


@pytest.fixture(scope="module")
def placed(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for one address, without what an address changes nothing in: the documentation and
    the files of the API.
    """
    folder = tmp_path_factory.mktemp("placed")
    at = settings.model_copy(update={"public_url": PLACE})

    def is_wanted(address: str) -> bool:
        return _is_wanted(address) and not address.startswith(("/docs", "/api/"))

    write_copy(folder, at, wanted=is_wanted, processes=1)
    return folder


@pytest.mark.parametrize(
    ("address", "file", "link"),
    [
        ("/", "index.html", ""),
        ("/?wrong=lost#lessons", "index.html", "?wrong=lost#lessons"),
        ("/lessons/x?step=2", None, "lessons/x/?step=2"),
        ("/lessons/x?lang=zh", "zh/lessons/x/index.html", "lessons/x/?lang=zh"),
        ("/lessons/x.svg?lang=zh&theme=dark", "zh/lessons/x~theme=dark.svg", None),
        ("/lessons/x.svg?lang=en&theme=light", "lessons/x.svg", "lessons/x.svg"),
        ("/recordings/a-3.9.2?lang=en", "recordings/a-3.9.2/index.html", None),
        ("/docs?lang=zh", "zh/docs/index.html", "zh/docs/"),
        ("/docs/how-to/share#links", "docs/how-to/share/index.html", "docs/how-to/share/#links"),
        ("/docs/how-to/share?lang=en", None, "docs/how-to/share/?lang=en"),
        ("/api/v1/versions", "api/v1/versions.json.gz", None),
        ("/api/v1/openapi.json", "api/v1/openapi.json", "api/v1/openapi.json"),
        (
            "/api/v1/versions/3.9/settings?control=kraft",
            "api/v1/versions/3.9/settings~control=kraft.json.gz",
            None,
        ),
    ],
)
def test_each_address_has_one_file(address: str, file: str | None, link: str | None) -> None:
    if file is not None:
        assert file_of(address) == file
    if link is not None:
        assert path_in_copy(address) == link


def _pages(folder: Path) -> Iterator[tuple[Path, str]]:
    for file in sorted(folder.rglob("*.html")):
        yield file, file.read_text()


def test_every_link_of_a_page_leads_to_a_file(copy: Path) -> None:
    """Except links to lessons that this small copy lacks."""
    broken = set()
    for page, html in _pages(copy):
        folder = copy if page.name == "404.html" else page.parent
        for link in _LINK.findall(html):
            path = unquote(urldefrag(link.replace("&amp;", "&")).url.partition("?")[0])
            if re.match(r"[a-z]+:", path):
                continue
            target = (folder / path.removeprefix("/")).resolve()
            is_left_out = {"lessons", "recordings"} & set(target.relative_to(copy).parts)
            is_file = target.is_file() or (target / "index.html").is_file()
            if not is_left_out and not is_file:
                broken.add(f"{page.relative_to(copy)}: {link}")
    assert sorted(broken) == []


def test_no_page_has_an_address_at_the_root_of_its_host(copy: Path) -> None:
    for page, html in _pages(copy):
        at_root = [link for link in _LINK.findall(html) if link.startswith("/")]
        assert (page.name == "404.html") or at_root == [], page


def test_the_place_of_a_copy_without_one_is_nowhere(copy: Path) -> None:
    for file in copy.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            plain = gzip.decompress(content) if file.suffix == ".gz" else content
            assert b"copy.invalid" not in plain, file
    assert "og:image" not in (copy / "index.html").read_text()
    assert not (copy / "sitemap.xml").exists()


def test_a_placed_copy_has_cards_and_a_map(placed: Path) -> None:
    html = (placed / "zh/lessons" / LESSON / "index.html").read_text()
    assert f'content="{PLACE}/zh/lessons/{LESSON}.png"' in html
    assert '<meta name="highwater-address" content="/lessons/kip-101-data-loss?lang=zh" />' in html
    assert f'<link rel="canonical" href="{PLACE}/lessons/{LESSON}/" />' in html
    assert "oembed" not in html
    places = re.findall("<loc>(.*)</loc>", (placed / "sitemap.xml").read_text())
    assert {f"{PLACE}/", f"{PLACE}/zh/lessons/{LESSON}/"} < set(places)
    assert not any("/e/v1/" in place or "404" in place for place in places)
    assert f"Sitemap: {PLACE}/sitemap.xml" in (placed / "robots.txt").read_text()
    fallback = (placed / "404.html").read_text()
    assert '<meta name="highwater-static" content="/highwater/" />' in fallback
    assert 'src="/highwater/assets/' in fallback
    assert 'content="noindex"' in fallback


def test_the_policy_is_in_the_head(copy: Path) -> None:
    for page, html in _pages(copy):
        policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', html)
        assert policy is not None, page
        assert "script-src &#x27;self&#x27;" in policy[1], page
        # A browser would report these as errors.
        assert not re.search("frame-ancestors|sandbox", policy[1]), page


def test_the_files_of_the_api_are_what_the_service_responds(copy: Path) -> None:
    runs = copy / "api/v1/scenarios" / LESSON / "runs"
    (file,) = runs.glob("3.9~v=*.json.gz")
    run_ = json.loads(gzip.decompress(file.read_bytes()))
    assert (run_["kafka"], run_["scenario"]["id"]) == ("3.9", LESSON)
    listed = re.search('highwater-files" content="([^"]*)"', (copy / "index.html").read_text())
    assert listed is not None
    assert "/scenarios/*/runs/*?v" in listed[1].split()
    assert "/sessions/*" not in listed[1].split()


def test_an_embed_contains_its_whole_run(copy: Path) -> None:
    html = (copy / "e/v1/lessons" / LESSON / "index.html").read_text()
    island = re.search('id="highwater-run">(.*?)</script>', html)
    assert island is not None
    player = json.loads(island[1])
    assert len(player["part"]["frames"]) == player["outline"]["total"] > 30


def test_an_address_without_a_page_is_told_so_where_no_app_loads(copy: Path) -> None:
    html = (copy / "404.html").read_text()
    assert '<main id="first-sight"><h1 lang=en>Page not found</h1>' in html
    assert "<h2 lang=zh>页面不存在</h2>" in html


def test_the_runs_of_a_reader_have_a_page(copy: Path) -> None:
    html = (copy / "x/index.html").read_text()
    assert '<meta name="highwater-static" content="../" />' in html
    assert 'content="noindex"' in html


def test_a_recorded_release_has_its_sources_and_settings(copy: Path) -> None:
    for file in ("sources", "settings~control=kraft"):
        assert (copy / f"api/v1/versions/3.9.2/{file}.json.gz").is_file()


async def test_a_copy_that_would_lack_a_page_is_none(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> tuple[int, Headers, bytes]:
        return 500, Headers(), b""

    monkeypatch.setattr(writing, "_get", broken)
    settings = settings.model_copy(update={"database_url": f"sqlite:///{tmp_path}/empty.db"})
    share = writing._Share(tmp_path, settings, Copied(NOWHERE, "", ""), ["/docs"])
    with pytest.raises(writing.IncompleteError, match="/docs"):
        await writing._write(share, create_app(settings))


def test_two_copies_are_equal(settings: Settings, copy: Path, tmp_path: Path) -> None:
    write_copy(tmp_path, settings, wanted=_is_wanted, processes=1)
    for folder, other in ((copy, tmp_path), (tmp_path, copy)):
        for file in folder.rglob("*"):
            twin = other / file.relative_to(folder)
            assert file.is_dir() or file.read_bytes() == twin.read_bytes(), file


@pytest.mark.parametrize(
    "url",
    [
        "user.github.io/x",
        "ftp://a.example",
        "https://",
        "https://a.example/?q=1",
        "https://a.example/#x",
        "https://me:secret@a.example",
        "https://a.example:0",
        "https://a.example:port",
        'https://a.example/"x',
        "https://[::1",
    ],
)
def test_a_place_is_an_address(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["site", "--out", str(tmp_path / "out"), "--base-url", url]) == 2
    assert re.fullmatch(r"highwater: --base-url .*\n", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_what_is_not_a_copy_is_never_replaced(
    settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HIGHWATER_FRONTEND_FOLDER", str(settings.frontend_folder))
    thesis = tmp_path / "thesis.md"
    thesis.write_text("Years of work.")
    for out in (tmp_path, thesis):
        assert run(["site", "--out", str(out)]) == 2
        assert re.fullmatch("highwater: .* did not write it.*\n", capsys.readouterr().err)
    assert run(["site", "--out", str(thesis / "below")]) == 2
    assert re.fullmatch("highwater: cannot write .*\n", capsys.readouterr().err)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.md"]


def test_a_copy_is_replaced_as_a_whole(
    settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HIGHWATER_FRONTEND_FOLDER", str(settings.frontend_folder))
    written = []

    def write(folder: Path, _: Settings) -> list[object]:
        written.append(sorted(file.name for file in out.iterdir()) if out.exists() else [])
        (folder / MARK).touch()
        (folder / f"{len(written)}.html").touch()
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        return []

    out = tmp_path / "out"
    monkeypatch.setattr("backend.commands.site.write_copy", write)
    assert run(["site", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == 0
    assert run(["site", "--out", str(out)]) == 0
    capsys.readouterr()
    assert run(["site", "--out", str(out)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    # The earlier one stays there while the next is written, and if that fails.
    assert written == [[], ["1.html", MARK], ["2.html", MARK]]
    assert sorted(file.name for file in out.iterdir()) == ["2.html", MARK]
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_pages_must_be_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIGHWATER_FRONTEND_FOLDER", str(tmp_path))
    assert run(["site", "--out", str(tmp_path / "out")]) == 2
    assert "not built" in capsys.readouterr().err

"""The file of the entries that the build of the pages has."""

from pathlib import Path

import pytest

from backend.site_contents import kept
from backend.site_search.entry import Entry
from backend.site_search.index import SearchIndex

_ANEW = Entry(kind="term", id="anew", address="/", title={"en": "anew"}, text={})


@pytest.fixture(scope="module")
def build(index: SearchIndex, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build with the file."""
    folder = tmp_path_factory.mktemp("build")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "all_entries", lambda: index.entries)
        kept.write_entries(folder)
    return folder


@pytest.fixture(autouse=True)
def collected_anew(monkeypatch: pytest.MonkeyPatch, build: Path) -> None:
    monkeypatch.setattr(kept, "all_entries", lambda: (_ANEW,))


def test_the_entries_are_read_as_they_were_written(build: Path, index: SearchIndex) -> None:
    assert tuple(kept.read_entries(build)) == tuple(index.entries)


def test_they_are_collected_where_there_is_no_file_or_a_damaged_one(
    build: Path, tmp_path: Path
) -> None:
    assert kept.read_entries(tmp_path) == (_ANEW,)

    (tmp_path / kept.FILE).write_bytes((build / kept.FILE).read_bytes()[:1000])
    assert kept.read_entries(tmp_path) == (_ANEW,)


def test_a_file_of_other_code_is_not_read(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_made_of", lambda: "other code")

    assert kept.read_entries(build) == (_ANEW,)

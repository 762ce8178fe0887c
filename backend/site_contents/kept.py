"""The entries as a file in the build of the pages: collecting them plays every lesson, and takes
seconds. `python -m backend.site_contents.kept FOLDER` writes it.

The file states of which code it was made, so one that is out of date is never read.
"""

import gzip
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from backend.lessons.release import digest_of
from backend.site_contents.doc_entries import documentation_entries, page_entries
from backend.site_contents.entries import engine_entries, with_asked
from backend.site_search.entry import Entry, KeptEntries
from backend.site_search.index import SearchIndex

FILE = "search.json.gz"
_ROOMS = ("sim_engine", "backend", "docs")
_SUFFIXES = frozenset({".py", ".yaml", ".ftl", ".json", ".md"})


def all_entries() -> tuple[Entry, ...]:
    """Everything that can be found. Takes seconds."""
    return tuple(with_asked((*engine_entries(), *documentation_entries(), *page_entries())))


def write_entries(folder: Path) -> None:
    """Write the file into the build of the pages."""
    kept = msgspec.json.encode(KeptEntries(_made_of(), all_entries()))
    (folder / FILE).write_bytes(gzip.compress(kept, mtime=0))


def read_entries(folder: Path) -> Sequence[Entry]:
    """Everything that can be found: from the file, if it was made of this code."""
    try:
        kept = msgspec.json.decode(gzip.decompress((folder / FILE).read_bytes()), type=KeptEntries)
    except (OSError, EOFError, msgspec.DecodeError):
        return all_entries()
    return kept.entries if kept.made_of == _made_of() else all_entries()


_made: dict[Path, SearchIndex] = {}


def made_index(build: Path) -> SearchIndex | None:
    """The index of this process, from a build of the pages, if somebody has searched."""
    return _made.get(build)


def search_index(build: Path) -> SearchIndex:
    """The same, which the first call makes."""
    if build not in _made:
        _made[build] = SearchIndex(read_entries(build))
    return _made[build]


def _made_of() -> str:
    return digest_of(_ROOMS, _SUFFIXES)


if __name__ == "__main__":
    write_entries(Path(sys.argv[1]))

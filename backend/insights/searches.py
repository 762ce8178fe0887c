"""The searched grids: those that ship, and those in the folder of the operator's campaigns."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from backend.insights.campaigns import MOST_BYTES, MOST_CAMPAIGNS
from backend.limit_table import GRID_CELLS
from sim_engine.campaign.summary import SEARCH_SUMMARY_VERSION, SearchSummary, shipped_searches

SUMMARY_FILE = "_searched.json"


class SearchedGrids:
    """The searched grids of a folder and its folders, after those that ship.

    Files are read when they change. One that is too large or not a summary of this format is left
    out.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def read_all(self) -> Mapping[str, SearchSummary]:
        """Every searched grid by its id; one that ships hides others with its id."""
        own = {summary.search: summary for summary in self._own()}
        return {**own, **shipped_searches()}

    def _own(self) -> Iterator[SearchSummary]:
        if self._folder is None:
            return
        files = sorted([*self._folder.glob(SUMMARY_FILE), *self._folder.glob(f"*/{SUMMARY_FILE}")])
        for file in files[:MOST_CAMPAIGNS]:
            try:
                stat = file.stat()
                summary = _read(file, stat.st_mtime_ns, stat.st_size)
            except OSError:
                continue
            if summary is not None:
                yield summary


@lru_cache(MOST_CAMPAIGNS)
def _read(file: Path, changed_ns: int, size: int) -> SearchSummary | None:
    """The summary in a file with this time and size; None if it is none."""
    if size > MOST_BYTES:
        return None
    try:
        summary = msgspec.json.decode(file.read_bytes(), type=SearchSummary)
    except msgspec.DecodeError:
        return None
    is_shown = summary.version == SEARCH_SUMMARY_VERSION
    return summary if is_shown and len(summary.cells) <= GRID_CELLS.number else None

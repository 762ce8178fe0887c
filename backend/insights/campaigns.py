"""The operator's own campaigns: their summaries are in a folder named in the settings.

Nothing is uploaded. A file that is too large or invalid is listed with the reason, and does not
hide the others.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from backend.limit_table import GRID_CELLS
from sim_engine import SUMMARY_VERSION, CampaignSummary

SUMMARY_FILE = "_summary.json"
MOST_BYTES = 16_000_000
MOST_CAMPAIGNS = 100

Problem = Literal["too_large", "too_many_cells", "no_summary", "other_version"]


class OwnCampaign(Struct, frozen=True, kw_only=True):
    """A campaign in the folder: its name, and its summary or the reason why it is invalid."""

    id: str
    name: str
    summary: CampaignSummary | None
    problem: Problem | None = None


class OwnCampaigns:
    """The campaigns in a folder, or the folder's own; empty if no folder is set.

    Files are read at each request, so a campaign appears as soon as it is finished.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[Path, tuple[tuple[int, int], OwnCampaign]] = {}

    def read_all(self) -> list[OwnCampaign]:
        """Every campaign, by the name of its folder; at most `MOST_CAMPAIGNS`."""
        return [self._read(file) for file in self._files()]

    def count_left_out(self) -> int:
        """The number of campaigns in the folder that `read_all` leaves out."""
        return max(0, len(self._all_files()) - MOST_CAMPAIGNS)

    def find(self, campaign_id: str) -> OwnCampaign | None:
        """The campaign with this id; None if there is none."""
        for file in self._files():
            if _id_of(file) == campaign_id:
                return self._read(file)
        return None

    def _files(self) -> list[Path]:
        return self._all_files()[:MOST_CAMPAIGNS]

    def _all_files(self) -> list[Path]:
        return [] if self._folder is None else sorted(_summaries(self._folder))

    def _read(self, file: Path) -> OwnCampaign:
        try:
            stat = file.stat()
        except OSError:
            return _wrong(file, "no_summary")
        state = (stat.st_mtime_ns, stat.st_size)
        known = self._known.get(file)
        if known is None or known[0] != state:
            known = state, _read(file, stat.st_size)
            self._known[file] = known
        return known[1]


def _summaries(folder: Path) -> Iterator[Path]:
    own = folder / SUMMARY_FILE
    if own.is_file():
        yield own
    yield from folder.glob(f"*/{SUMMARY_FILE}")


def _read(file: Path, size: int) -> OwnCampaign:
    if size > MOST_BYTES:
        return _wrong(file, "too_large")
    try:
        content = file.read_bytes()
        summary = msgspec.json.decode(content, type=CampaignSummary)
    except (OSError, msgspec.DecodeError):
        return _wrong(file, "no_summary")
    if summary.version != SUMMARY_VERSION:
        return _wrong(file, "other_version")
    if len(summary.cells) > GRID_CELLS.number:
        return _wrong(file, "too_many_cells")
    return OwnCampaign(id=_id_of(file), name=file.parent.name, summary=summary)


def _wrong(file: Path, problem: Problem) -> OwnCampaign:
    return OwnCampaign(id=_id_of(file), name=file.parent.name, summary=None, problem=problem)


def _id_of(file: Path) -> str:
    """An id for addresses, because a folder can have any name."""
    return hashlib.sha256(file.parent.name.encode("utf-8", "surrogateescape")).hexdigest()[:12]

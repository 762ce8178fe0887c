"""The operator's own campaigns, whose summaries are in a folder named in the settings, and any run
of a campaign as a scenario, from its cell and seed: no rows are stored for it.

Nothing is uploaded. A file that is too large or invalid is listed with the reason, and does not
hide the others.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from backend.answers.scenario_input import from_scenario_error
from backend.http.errors import invalid
from backend.limit_table import GRID_CELLS
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_scenario
from sim_engine.campaign.summary import SUMMARY_VERSION, CampaignSummary
from sim_engine.scenario_reader.document import ScenarioError, ScenarioJson
from sim_engine.scenario_reader.writer import scenario_document

SUMMARY_FILE = "_summary.json"
MOST_BYTES = 16_000_000
MOST_CAMPAIGNS = 100

Problem = Literal["too_large", "too_many_cells", "no_summary", "other_version"]
_MOST_GRIDS = 8


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


def find_run(summary: CampaignSummary, cell: int, seed: int) -> ScenarioJson | None:
    """The scenario of a run; None if the campaign has no such run.

    A campaign of an older engine may have a grid that this engine cannot read. It then has no runs.
    """
    try:
        grid = _grid(msgspec.json.encode(summary.grid))
    except ScenarioError:
        return None
    if cell >= len(grid.cells) or seed >= summary.runs_per_cell:
        return None
    return _scenario(grid, cell, seed)


def run_of_grid(document: Mapping[str, object], cell: int, seed: int) -> ScenarioJson:
    """The scenario of a run of a submitted grid. Raises InvalidInputError with the places."""
    try:
        grid = read_grid_document(document, most_cells=GRID_CELLS.number)
    except ScenarioError as error:
        refused = from_scenario_error(error, where="/grid", code="invalid_grid")
        if error.problems[0].reason.code == "too_many_cells":
            refused.members.update(GRID_CELLS.members())
        raise refused from None
    if cell >= len(grid.cells):
        raise invalid("/cell", f"the grid's cells are 0 to {len(grid.cells) - 1}")
    return _scenario(grid, cell, seed)


@lru_cache(_MOST_GRIDS)
def _grid(document: bytes) -> Grid:
    # Reading a grid takes 50 ms, and its runs are opened one after another. The cells depend on the
    # order of the members.
    return read_grid_document(msgspec.json.decode(document))


def _scenario(grid: Grid, cell: int, seed: int) -> ScenarioJson:
    key = RunKey(campaign=grid.seed, cell=cell, run=seed)
    return scenario_document(run_scenario(key, grid.cells[cell]))

"""Converts a row of a campaign to the scenario that produced it."""

import json

import pyarrow.dataset as ds

from analytics.campaigns.folder import CampaignFolder
from analytics.errors import GridInvalidError
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_scenario
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.writer import scenario_document, scenario_text

_LEAST_DIGITS = 8


def replay_text(folder: CampaignFolder, row: str, *, as_json: bool = False) -> str:
    """Return the scenario file of a row, as YAML or as JSON.

    `row` is `CELL:SEED`, the row's digest or the beginning of it, or its number among all rows by
    cell and seed, from 0.

    Raises `GridInvalidError` if there is no such row.
    """
    scenario = _scenario_of(folder, row)
    if as_json:
        return json.dumps(scenario_document(scenario), ensure_ascii=False, indent=2) + "\n"
    return scenario_text(scenario)


def _scenario_of(folder: CampaignFolder, row: str) -> Scenario:
    cell, seed = _find(folder, row)
    key = RunKey(campaign=folder.grid.seed, cell=cell, run=seed)
    return run_scenario(key, folder.grid.cells[cell])


def _find(folder: CampaignFolder, row: str) -> tuple[int, int]:
    cells, runs = len(folder.grid.cells), folder.written.runs
    first, colon, second = row.partition(":")
    if colon and first.isdigit() and second.isdigit():
        cell, seed = int(first), int(second)
    elif row.isdigit() and int(row) < cells * runs:
        cell, seed = divmod(int(row), runs)
    else:
        return _find_digest(folder, row)
    if cell >= cells or seed >= runs:
        raise GridInvalidError(
            f"there is no row {row}: cells are 0 to {cells - 1}, seeds 0 to {runs - 1}"
        )
    return cell, seed


def _find_digest(folder: CampaignFolder, digest: str) -> tuple[int, int]:
    if len(digest) < _LEAST_DIGITS or set(digest) - set("0123456789abcdef"):
        raise GridInvalidError(
            f"{digest} is not a row: write CELL:SEED, at least {_LEAST_DIGITS} digits of a digest,"
            " or the row's number"
        )
    rows = ds.dataset(folder.rows_path, format="parquet", partitioning="hive")
    table = rows.to_table(columns=["cell", "seed", "digest"])
    found = [row for row in table.to_pylist() if row["digest"].startswith(digest)]
    if not found:
        raise GridInvalidError(f"there is no row with the digest {digest}")
    lowest = min(found, key=lambda row: (row["cell"], row["seed"]))
    return int(lowest["cell"]), int(lowest["seed"])

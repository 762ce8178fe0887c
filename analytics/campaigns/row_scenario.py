"""Converts a row of a campaign to the scenario that produced it.

The folder is read without Spark, unless it is in a file system that only Spark knows.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pyarrow.dataset as ds
from pyspark.sql import functions as F

from analytics.campaigns.folder import CampaignFolder, CampaignManifest
from analytics.errors import GridInvalidError
from analytics.file_systems import Files, local_path
from analytics.spark import spark_session
from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_scenario
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.writer import scenario_document, scenario_text

_LEAST_DIGITS = 8

Place = tuple[int, int]
"""The cell and the seed of a row."""
FindDigest = Callable[[str], Iterable[Place]]
"""Finds the rows whose digest begins with some digits."""


def replay(options: argparse.Namespace) -> None:
    """Print the scenario file of a row, as YAML or as JSON: `campaign replay`.

    Raises `GridInvalidError` if there is no such row, and `CampaignFolderError` if there is no
    campaign.
    """
    path = local_path(options.folder)
    if path is not None:
        file = path / CampaignFolder.FILE
        text = file.read_bytes() if file.exists() else None
        written = CampaignFolder.manifest(text, str(path))
        rows = path / written.rows_name
        scenario = scenario_of(written, options.row, lambda digest: _found_in(rows, digest))
    else:
        with spark_session() as spark:
            folder = CampaignFolder.open(Files(spark, options.folder))
            scenario = scenario_of(
                folder.written, options.row, lambda digest: _found_by_spark(folder, digest)
            )
    if options.json:
        document = scenario_document(scenario)
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(scenario_text(scenario))


def scenario_of(written: CampaignManifest, row: str, find_digest: FindDigest) -> Scenario:
    """Return the scenario of a row.

    `row` is `CELL:SEED`, the row's digest or the beginning of it, or its number among all rows by
    cell and seed, from 0. Raises `GridInvalidError` if there is no such row.
    """
    grid = read_grid_document(written.grid)
    cell, seed = _find(len(grid.cells), written.runs, row, find_digest)
    return run_scenario(RunKey(campaign=grid.seed, cell=cell, run=seed), grid.cells[cell])


def _find(cells: int, runs: int, row: str, find_digest: FindDigest) -> Place:
    first, colon, second = row.partition(":")
    if colon and first.isdigit() and second.isdigit():
        cell, seed = int(first), int(second)
    elif row.isdigit() and int(row) < cells * runs:
        cell, seed = divmod(int(row), runs)
    else:
        return _lowest(row, find_digest)
    if cell >= cells or seed >= runs:
        raise GridInvalidError(
            f"there is no row {row}: cells are 0 to {cells - 1}, seeds 0 to {runs - 1}"
        )
    return cell, seed


def _lowest(digest: str, find_digest: FindDigest) -> Place:
    if len(digest) < _LEAST_DIGITS or set(digest) - set("0123456789abcdef"):
        raise GridInvalidError(
            f"{digest} is not a row: write CELL:SEED, at least {_LEAST_DIGITS} digits of a digest,"
            " or the row's number"
        )
    found = min(find_digest(digest), default=None)
    if found is None:
        raise GridInvalidError(f"there is no row with the digest {digest}")
    return found


def _found_in(rows: Path, digest: str) -> Iterable[Place]:
    table = ds.dataset(rows, format="parquet", partitioning="hive").to_table(
        columns=["cell", "seed", "digest"]
    )
    for row in table.to_pylist():
        if row["digest"].startswith(digest):
            yield int(row["cell"]), int(row["seed"])


def _found_by_spark(folder: CampaignFolder, digest: str) -> Iterable[Place]:
    rows = folder.rows().where(F.col("digest").startswith(digest)).select("cell", "seed")
    for row in rows.orderBy("cell", "seed").limit(1).collect():
        yield row["cell"], row["seed"]

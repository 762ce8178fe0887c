"""A whole campaign on Spark: rows, digests, interruptions, the summary."""

import hashlib
import json
import random
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from analytics.campaigns import campaign_runner, row_counts
from analytics.campaigns import folder as campaign_folder
from analytics.campaigns.campaign_runner import (
    make_examples,
    measure_cells,
    next_wave,
    piece_sizes,
    play_piece,
    run_campaign,
)
from analytics.campaigns.campaign_summary import campaign_digest, summarize
from analytics.campaigns.folder import CampaignFolder, CampaignManifest, Piece
from analytics.campaigns.row_schema import rows_table, run_schema
from analytics.errors import CampaignFolderError
from analytics.file_systems import Files
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_cell as play
from sim_engine.identifiers import ENGINE_VERSION

GRID = """
grid: 1
kafka: ["0.10.2", "3.9"]
acks: [1]
faults: {crash: 0.1, rack_power_loss: 0.02}
steps: 10
shrink: false
"""
RUNS = 6


def grid() -> Grid:
    return read_grid_text(GRID)


def new_folder(
    spark: SparkSession, path: Path | str, *, piece_runs: int = 2, runs: int = RUNS
) -> CampaignFolder:
    made = grid()
    return CampaignFolder.create(
        Files(spark, str(path)),
        CampaignManifest(
            engine=ENGINE_VERSION,
            runs=runs,
            piece_runs=(piece_runs,) * len(made.cells),
            cell_ms=(1.0, 2.0),
            grid=made.document,
        ),
    )


def add_played(folder: CampaignFolder, pieces: Iterable[Piece] | None = None) -> None:
    """The rows as a plain loop plays them: one wave."""
    grid_text = json.dumps(folder.written.grid)
    played = [play_piece(grid_text, piece) for piece in pieces or folder.missing()]
    folder.add_runs(folder.files.spark.createDataFrame(pa.concat_tables(played), folder.schema))


def seeds_of(folder: CampaignFolder, cell: int) -> list[int]:
    rows = pd.read_parquet(folder.files.address, columns=["cell", "seed"])
    return sorted(rows.loc[rows["cell"].astype(int) == cell, "seed"])


def files_of(folder: CampaignFolder, cell: int) -> list[Path]:
    return sorted(Path(folder.files.at(folder.name_of(cell))).iterdir())


def test_pieces_go_out_with_the_costliest_cells_first(spark: SparkSession, tmp_path: Path) -> None:
    folder = new_folder(spark, tmp_path, piece_runs=4)

    assert folder.missing() == [Piece(1, 0, 4), Piece(1, 4, 2), Piece(0, 0, 4), Piece(0, 4, 2)]


def test_only_what_has_no_rows_is_left_to_do(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_folder, "RANGE_RUNS", 5)
    folder = new_folder(spark, tmp_path)
    add_played(folder, [Piece(1, 0, 2), Piece(1, 2, 1), Piece(1, 5, 1)])

    assert folder.missing() == [
        Piece(1, 3, 1), Piece(1, 4, 1),
        Piece(0, 0, 2), Piece(0, 2, 2), Piece(0, 4, 1), Piece(0, 5, 1),
    ]  # fmt: skip
    more = CampaignFolder.open(folder.files).with_runs(8)
    assert more.missing()[2:4] == [Piece(1, 6, 2), Piece(0, 0, 2)]
    assert CampaignFolder.open(folder.files).with_runs(1).written.runs == 8


def test_rows_that_are_there_twice_are_found(spark: SparkSession, tmp_path: Path) -> None:
    folder = new_folder(spark, tmp_path)
    add_played(folder, [Piece(0, 0, 2)])
    add_played(folder, [Piece(0, 1, 1)])

    with pytest.raises(CampaignFolderError, match="each row of cell 0 once"):
        folder.missing()


def test_a_wave_takes_two_minutes_on_the_cores_that_there_are() -> None:
    pieces = [Piece(1, first, 10) for first in range(0, 1_000, 10)] + [Piece(0, 0, 10)]

    assert len(next_wave(pieces, (1.0, 1_000.0), 1)) == 12
    assert len(next_wave(pieces, (1.0, 1_000.0), 2)) == 24
    assert next_wave(pieces, (1.0, 1e9), 2) == pieces[:1]
    assert next_wave(pieces, (1.0, 1.0), 2) == pieces


def test_pieces_are_measured_in_cpu_time_and_are_not_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu_seconds = 0.0

    def run(key: RunKey, _: object) -> None:
        nonlocal cpu_seconds
        cpu_seconds += (0.04, 2.0)[key.cell]

    monkeypatch.setattr(campaign_runner, "run_cell", run)
    monkeypatch.setattr("time.process_time", lambda: cpu_seconds)

    costs = measure_cells(grid())

    assert costs == pytest.approx([40, 2_000])
    assert piece_sizes(costs) == (25, 20)


def test_the_rows_of_a_wave_and_range_are_in_one_file_without_others_beside_it(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_folder, "RANGE_RUNS", 4)
    folder = new_folder(spark, tmp_path, piece_runs=1)

    add_played(folder)

    parts = [pq.read_table(file, partitioning=None)["seed"] for file in files_of(folder, 0)]
    ranges = [{seed.as_py() // 4 for seed in part} for part in parts]
    assert sorted(number for of_file in ranges for number in of_file) == [0, 1]
    assert {file.suffix for file in files_of(folder, 0)} == {".parquet"}


def test_a_campaign_is_not_written_over(spark: SparkSession, tmp_path: Path) -> None:
    new_folder(spark, tmp_path)

    with pytest.raises(CampaignFolderError, match="already has a campaign"):
        new_folder(spark, tmp_path)


def test_rows_have_a_column_for_each_axis_and_each_field_has_a_description(
    spark: SparkSession, tmp_path: Path
) -> None:
    folder = new_folder(spark, tmp_path)
    add_played(folder, [Piece(0, 0, 1)])
    row = play(RunKey(campaign=1, cell=0, run=0), grid().cells[0])

    stored = spark.read.parquet(str(tmp_path))

    assert all(
        field.metadata.get("comment")
        for field in stored.schema
        if field.name not in ("campaign", "cell")
    )
    (record,) = stored.collect()
    assert (record["kafka"], record["acks"], record["cell"]) == ("0.10.2", 1, 0)
    assert (record["acked"], record["digest"]) == (row.acked, row.digest)
    assert record["faults"] == row.faults
    columns = rows_table(run_schema(grid()), grid().cells[0], [row]).column_names
    assert set(stored.columns) == {*columns, "campaign"}


def test_neither_pieces_nor_partitions_nor_a_stop_change_a_row(
    spark: SparkSession, tmp_path: Path, elsewhere: str
) -> None:
    bare = new_folder(spark, tmp_path / "bare", piece_runs=6)
    add_played(bare)
    on_spark = new_folder(spark, f"{elsewhere}/spark", piece_runs=1)
    stopped = new_folder(spark, (tmp_path / "stopped").as_uri(), piece_runs=2)

    assert run_campaign(spark, on_spark, lambda done, total: None) == 2 * RUNS
    add_played(stopped, stopped.missing()[:-1])
    assert run_campaign(spark, stopped, lambda done, total: None) == 2

    digests = {
        campaign_digest(folder.rows().repartition(random.Random(1).randint(2, 9)))
        for folder in (bare, on_spark, stopped)
    }
    assert len(digests) == 1


def test_a_campaign_that_is_stopped_while_a_wave_is_written_loses_only_that_wave(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = new_folder(spark, tmp_path / "whole", piece_runs=3)
    add_played(whole)
    folder = new_folder(spark, tmp_path / "stopped", piece_runs=3)
    waves = 0
    write = CampaignFolder.add_runs

    def stop(self: CampaignFolder, rows: DataFrame) -> None:
        nonlocal waves
        waves += 1
        if waves == 2:
            raise KeyboardInterrupt
        write(self, rows)

    with monkeypatch.context() as stopping:
        stopping.setattr(CampaignFolder, "add_runs", stop)
        stopping.setattr(campaign_runner, "WAVE_MS", 0)
        with pytest.raises(KeyboardInterrupt):
            run_campaign(spark, folder, lambda done, total: None)
    # What a killed job leaves: the files of tasks that have ended, which Hadoop would keep.
    left = Path(folder.files.at(folder.written.rows_name)) / "_temporary" / "0" / "task_0"
    shutil.copytree(Path(whole.files.at(whole.name_of(0))), left / "cell=0")

    assert seeds_of(folder, 1) == [0, 1, 2]
    again = CampaignFolder.open(folder.files)
    assert run_campaign(spark, again, lambda done, total: None) == 9
    assert campaign_digest(again.rows()) == campaign_digest(whole.rows())
    assert not left.exists()


def test_workers_that_do_not_reach_the_folder_end_the_campaign(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = new_folder(spark, tmp_path)
    monkeypatch.setattr(CampaignFolder, "add_runs", lambda *_: None)

    with pytest.raises(CampaignFolderError, match="that every worker reaches"):
        run_campaign(spark, folder, lambda done, total: None)


def test_a_digest_is_of_ranges_of_seeds_in_order_whatever_the_files(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [new_folder(spark, tmp_path / str(size), piece_runs=size) for size in (1, 6)]
    for folder in folders:
        add_played(folder)
    of_one_range = [campaign_digest(folder.rows()) for folder in folders]
    monkeypatch.setattr(row_counts, "DIGEST_SEEDS", 4)

    ranges = row_counts.range_digests(folders[0].rows()).collect()
    of_two_ranges = [campaign_digest(folder.rows().repartition(3)) for folder in folders]

    by_place = {(row["cell"], row["range"]): row["digest"] for row in ranges}
    assert sorted(by_place) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    joined = "".join(by_place[place] for place in sorted(by_place))
    assert of_two_ranges == [hashlib.sha256(joined.encode()).hexdigest()] * 2
    assert of_one_range[0] == of_one_range[1] != of_two_ranges[0]


def test_a_digest_stays_the_same_from_release_to_release(spark: SparkSession) -> None:
    """Rows of two cells; one has seeds in two ranges."""
    rows = spark.createDataFrame(
        [(1, 5, "a"), (0, 12_000, "b"), (0, 3, "c"), (0, 1, "d")],
        "cell int, seed long, kafka string",
    )

    assert campaign_digest(rows) == (
        "af13c3eeec1059cd5fef1d499bb6d9a385a328947624d2a7149e0b29e06bb328"
    )


def test_the_summary_agrees_with_the_rows(spark: SparkSession, tmp_path: Path) -> None:
    folder = new_folder(spark, tmp_path)
    add_played(folder)
    rows = pd.concat(
        pq.read_table(file, partitioning=None).to_pandas().assign(cell=cell)
        for cell in (0, 1)
        for file in files_of(folder, cell)
    )

    summary = summarize(spark, folder, partial(make_examples, spark, folder))

    conclusive = rows[rows["exercised"]]
    assert summary.runs == len(rows)
    assert summary.exercised == len(conclusive)
    assert summary.lost == (conclusive["lost"] > 0).sum() > 0
    for cell in summary.cells:
        own = conclusive[conclusive["cell"] == cell.cell]
        assert cell.lost.count == (own["lost"] > 0).sum()
        assert sum(share.lost.count for share in cell.causes) == cell.lost.count
        assert cell.records_lost.mean == pytest.approx(own["lost"].mean())
        assert cell.acked.mean == pytest.approx(own["acked"].mean())
        assert cell.faults.mean == pytest.approx(own["fault_count"].mean())
        assert cell.lost_of_acked == pytest.approx(own["lost"].sum() / own["acked"].sum())
        assert cell.unavailable.mean == pytest.approx(own["unavailable_ms"].mean() / 10_000)
        assert sum(cell.lag.counts) == sum(map(sum, own["lag_histogram"]))
        assert cell.truncated_by == {} or cell.truncated.mean > 0
    (comparison,) = summary.comparisons
    seeds = [set(conclusive.loc[conclusive["cell"] == cell, "seed"]) for cell in (0, 1)]
    losses = [
        set(conclusive.loc[(conclusive["cell"] == cell) & (conclusive["lost"] > 0), "seed"])
        for cell in (0, 1)
    ]
    assert comparison.pairs == len(seeds[0] & seeds[1])
    assert comparison.both == len(losses[0] & losses[1])
    assert comparison.only_first == len((losses[0] - losses[1]) & seeds[1])
    assert {curve.by for curve in summary.survival} == {"faults", "time_ms"}
    assert {(e.cell, e.cause) for e in summary.examples} == {
        (cell.cell, share.cause) for cell in summary.cells for share in cell.causes
    }
    for fault in summary.faults:
        met = rows[[fault.kind in dict(faults) for faults in rows["faults"]]]
        keys = sorted(zip(met["seed"], met["cell"], strict=True)) or [(None, None)]
        assert fault.runs == len(met)
        assert (fault.example_seed, fault.example_cell) == keys[0]
    assert any(fault.runs for fault in summary.faults)
    assert [headline.kind for headline in summary.headlines] == ["too_few_runs"] * 3


def test_a_folder_without_a_campaign_or_with_a_damaged_one_is_an_error(
    spark: SparkSession, tmp_path: Path
) -> None:
    files = Files(spark, str(tmp_path))
    with pytest.raises(CampaignFolderError, match="has no campaign"):
        CampaignFolder.open(files)
    (tmp_path / "_campaign.json").write_text("{")
    with pytest.raises(CampaignFolderError, match="damaged"):
        CampaignFolder.open(files)

"""A whole campaign on Spark: rows, digests, interruptions, the summary."""

import hashlib
import json
import random
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from analytics.campaigns import campaign_runner, row_counts
from analytics.campaigns import folder as campaign_folder
from analytics.campaigns.campaign_runner import (
    make_examples,
    measure_cells,
    piece_sizes,
    run_campaign,
)
from analytics.campaigns.campaign_summary import campaign_digest, read_rows, summarize
from analytics.campaigns.folder import CampaignFolder, CampaignManifest, Piece
from analytics.campaigns.row_scenario import replay_text
from analytics.campaigns.row_schema import rows_table
from analytics.errors import CampaignFolderError, GridInvalidError
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_cell as play
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.scenario_reader.reader import read_scenario_document, read_scenario_text
from sim_engine.simulation.timeline import Timeline

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


def new_folder(path: Path, *, piece_runs: int = 2, runs: int = RUNS) -> CampaignFolder:
    made = grid()
    return CampaignFolder.create(
        path,
        CampaignManifest(
            engine=ENGINE_VERSION,
            runs=runs,
            piece_runs=(piece_runs,) * len(made.cells),
            cell_ms=(1.0, 2.0),
            grid=made.document,
        ),
    )


def write_bare(folder: CampaignFolder, pieces: Iterable[Piece] | None = None) -> None:
    """The rows as a plain loop plays them, without Spark."""
    for piece in folder.missing() if pieces is None else pieces:
        cell = folder.grid.cells[piece.cell]
        keys = [
            RunKey(campaign=folder.grid.seed, cell=piece.cell, run=run)
            for run in range(piece.first, piece.first + piece.count)
        ]
        folder.write_piece(piece, [play(key, cell) for key in keys])


def test_pieces_go_out_with_the_costliest_cells_first(tmp_path: Path) -> None:
    folder = new_folder(tmp_path, piece_runs=4)

    assert folder.missing() == [Piece(1, 0, 4), Piece(1, 4, 2), Piece(0, 0, 4), Piece(0, 4, 2)]


def test_only_what_has_no_rows_is_left_to_do(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    folder.write_piece(Piece(1, 2, 2), [])

    assert Piece(1, 2, 2) not in folder.missing()
    assert len(folder.missing()) == 5
    assert CampaignFolder.open(tmp_path).with_runs(8).missing()[-1] == Piece(0, 6, 2)


def test_runs_that_have_rows_are_in_no_piece_whatever_the_files(tmp_path: Path) -> None:
    folder = new_folder(tmp_path, piece_runs=4, runs=12)
    for file in (Piece(0, 2, 1), Piece(0, 3, 1), Piece(0, 3, 3), Piece(0, 11, 3)):
        folder.write_piece(file, [])

    assert [piece for piece in folder.missing() if piece.cell == 0] == [
        Piece(0, 0, 2), Piece(0, 6, 2), Piece(0, 8, 3),
    ]  # fmt: skip


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


def files_of(folder: CampaignFolder, cell: int) -> list[str]:
    return sorted(file.name for file in (folder.rows_path / f"cell={cell}").iterdir())


def seeds_of(folder: CampaignFolder, cell: int) -> list[int]:
    rows = pd.read_parquet(folder.rows_path, columns=["cell", "seed"])
    return sorted(rows.loc[rows["cell"].astype(int) == cell, "seed"])


def join(folder: CampaignFolder) -> None:
    for joined in folder.joinable():
        folder.join_files(joined)


def test_the_files_of_a_cell_are_joined_and_keep_their_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_folder, "MOST_FILE_RUNS", 4)
    folder = new_folder(tmp_path, piece_runs=1)
    write_bare(folder, [piece for piece in folder.missing() if piece != Piece(1, 2, 1)])
    before = pq.read_table(folder.rows_path / "cell=0" / "runs-1-1.parquet", partitioning=None)

    join(folder)

    assert files_of(folder, 0) == ["runs-0-4.parquet", "runs-4-2.parquet"]
    assert files_of(folder, 1) == ["runs-0-2.parquet", "runs-3-3.parquet"]
    assert seeds_of(folder, 0) == list(range(RUNS))
    after = pq.read_table(folder.rows_path / "cell=0" / "runs-0-4.parquet", partitioning=None)
    assert after.slice(1, 1).equals(before)
    assert after.schema.equals(before.schema, check_metadata=True)
    assert folder.joinable() == []
    assert folder.missing() == [Piece(1, 2, 1)]


def test_a_stop_while_files_are_joined_leaves_no_row_twice_once_it_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = new_folder(tmp_path)
    write_bare(folder)
    with monkeypatch.context() as stopped:
        stopped.setattr(Path, "unlink", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            join(folder)
    assert len(seeds_of(folder, 0)) > RUNS
    more = folder.with_runs(RUNS + 1)
    write_bare(more, [Piece(0, RUNS, 1)])

    join(more)

    assert [seeds_of(folder, cell) for cell in (0, 1)] == [list(range(RUNS + 1)), list(range(RUNS))]


def test_a_piece_that_ends_after_its_file_was_joined_adds_no_row(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    write_bare(folder)
    join(folder)

    write_bare(folder, [Piece(0, 2, 2)])

    assert files_of(folder, 0) == ["runs-0-6.parquet"]


def test_a_campaign_is_not_written_over(tmp_path: Path) -> None:
    new_folder(tmp_path)

    with pytest.raises(CampaignFolderError, match="already has a campaign"):
        new_folder(tmp_path)


def test_rows_have_a_column_for_each_axis_and_each_field_has_a_description() -> None:
    cell = grid().cells[0]
    row = play(RunKey(campaign=1, cell=0, run=0), cell)

    table = rows_table(grid(), cell, [row])

    assert table.schema.metadata == {b"row_version": b"1"}
    assert all(field.metadata[b"description"] for field in table.schema)
    (record,) = table.to_pylist()
    assert (record["kafka"], record["acks"]) == ("0.10.2", 1)
    assert (record["acked"], record["digest"]) == (row.acked, row.digest)
    assert dict(record["faults"]) == row.faults


def test_a_row_is_printed_as_the_scenario_that_makes_it(tmp_path: Path) -> None:
    folder = new_folder(tmp_path, runs=2)
    write_bare(folder)
    rows = pd.read_parquet(folder.rows_path)
    row = rows[(rows["cell"].astype(int) == 1) & (rows["seed"] == 1)].iloc[0]

    by_name, by_digest, by_number = (
        replay_text(folder, text) for text in ("1:1", row["digest"][:12], "3")
    )

    assert by_name == by_digest == by_number
    timeline = Timeline(read_scenario_text(by_name))
    timeline.run_all()
    assert len(timeline.frames) == row["frames"]
    as_json = replay_text(folder, "1:1", as_json=True)
    assert read_scenario_document(json.loads(as_json)) == read_scenario_text(by_name)
    for wrong in ("2:0", "4", "zz", "ffffffffffff"):
        with pytest.raises(GridInvalidError):
            replay_text(folder, wrong)


@pytest.mark.slow
def test_neither_pieces_nor_partitions_nor_a_stop_change_a_row(
    spark: SparkSession, tmp_path: Path
) -> None:
    bare = new_folder(tmp_path / "bare", piece_runs=6)
    write_bare(bare)
    on_spark = new_folder(tmp_path / "spark", piece_runs=1)
    stopped = new_folder(tmp_path / "stopped", piece_runs=2)

    run_campaign(spark, on_spark, lambda done, total: None)
    write_bare(stopped, stopped.missing()[1:])
    assert run_campaign(spark, stopped, lambda done, total: None) == 2

    digests = {
        campaign_digest(read_rows(spark, folder).repartition(random.Random(1).randint(2, 9)))
        for folder in (bare, on_spark, stopped)
    }
    assert len(digests) == 1
    assert files_of(bare, 0) == files_of(on_spark, 0) == files_of(stopped, 0)


def test_a_digest_is_of_ranges_of_seeds_in_order_whatever_the_files(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [new_folder(tmp_path / str(size), piece_runs=size) for size in (1, 6)]
    for folder in folders:
        write_bare(folder)
    of_one_range = [campaign_digest(read_rows(spark, folder)) for folder in folders]
    monkeypatch.setattr(row_counts, "DIGEST_SEEDS", 4)

    ranges = row_counts.range_digests(read_rows(spark, folders[0])).collect()
    of_two_ranges = [campaign_digest(read_rows(spark, folder).repartition(3)) for folder in folders]

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
    folder = new_folder(tmp_path)
    write_bare(folder)
    rows = pd.concat(
        pq.read_table(file, partitioning=None).to_pandas().assign(cell=cell)
        for cell in (0, 1)
        for file in (folder.rows_path / f"cell={cell}").iterdir()
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


def test_a_folder_without_a_campaign_or_with_a_damaged_one_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CampaignFolderError, match="has no campaign"):
        CampaignFolder.open(tmp_path)
    (tmp_path / "_campaign.json").write_text("{")
    with pytest.raises(CampaignFolderError, match="damaged"):
        CampaignFolder.open(tmp_path)

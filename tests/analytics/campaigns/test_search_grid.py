"""`highwater search-grid`: rows, scenarios, interruptions, output."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pandas as pd
import pytest
from pyspark.sql import SparkSession

from analytics.__main__ import main
from analytics.campaigns.grid_file import read_grid
from analytics.campaigns.grid_search import search_grid, search_one, search_share
from analytics.campaigns.search_command import search_document, search_lines
from analytics.campaigns.search_folder import SearchFolder, SearchManifest
from sim_engine.campaign.summary import SearchSummary
from sim_engine.exploration.search import SearchOptions
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.scenario_reader.reader import read_scenario_text

GRID = """
grid: 1
kafka: ["0.10.2", "3.9"]
control: [zookeeper, kraft]
replication_factor: 2
configs: {min.insync.replicas: [1]}
"""
OPTIONS = SearchOptions(
    property="NoAckedRecordLost", max_depth=5, budget={"crash": 2, "produce": 1}
)
COMMAND = [
    "--budget",
    "crash=2,produce=1",
    "--max-depth",
    "5",
    "--states",
    "200000",
    "--shares",
    "1",
]


def grid_file(folder: Path, text: str = GRID) -> Path:
    file = folder / "grid.yaml"
    file.write_text(text)
    return file


def new_folder(tmp_path: Path, name: str) -> SearchFolder:
    grid = read_grid(grid_file(tmp_path))
    return SearchFolder.create(
        tmp_path / name, SearchManifest(engine=ENGINE_VERSION, options=OPTIONS, grid=grid.document)
    )


def untimed(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Rows without the only column that depends on the machine."""
    return [{**row, "cpu_ms": 0} for row in rows]


def searched(tmp_path: Path, name: str = "searched") -> SearchFolder:
    """A folder whose cells were searched without Spark."""
    folder = new_folder(tmp_path, name)
    for cell in folder.missing():
        search_one(str(folder.path), cell)
    return folder


def test_spark_finds_what_a_bare_loop_finds_and_searches_only_what_has_no_row(
    spark: SparkSession, tmp_path: Path
) -> None:
    bare, on_spark = searched(tmp_path, "bare"), new_folder(tmp_path, "spark")
    search_one(str(on_spark.path), 0)

    assert search_grid(spark, on_spark, lambda done, total: None) == 2
    assert untimed(on_spark.rows()) == untimed(bare.rows())
    assert search_grid(spark, on_spark, lambda done, total: None) == 0


SPLIT = SearchManifest(
    engine=ENGINE_VERSION,
    grid={"grid": 1, "kafka": ["2.0.0"], "acks": [1, "all"], "replication_factor": [2]},
    options=SearchOptions(
        property="NoAckedRecordLost",
        grain="exchange",
        max_depth=40,
        budget={"crash": 1, "produce": 1},
    ),
    shares=3,
    whole_states=100,
)


def test_a_hard_cell_is_searched_in_shares_and_has_the_result_of_one_piece(
    spark: SparkSession, tmp_path: Path
) -> None:
    whole = SearchFolder.create(tmp_path / "whole", msgspec.structs.replace(SPLIT, shares=1))
    split = SearchFolder.create(tmp_path / "split", SPLIT)

    search_grid(spark, whole, lambda done, total: None)
    search_grid(spark, split, lambda done, total: None)

    results = [
        [
            (row["verdict"], row["complete"], row["steps"], row["depth"], row["exercised"])
            for row in folder.rows()
        ]
        for folder in (whole, split)
    ]
    assert results[0] == results[1]
    assert {row["verdict"] for row in split.rows()} == {"violated", "none_within_bound"}
    assert {row["shares"] for row in split.rows()} == {3}
    # No state is taken by two shares.
    assert split.rows()[1]["states"] == whole.rows()[1]["states"]
    assert not list(split.path.glob("_shares/cell-*"))


def test_of_a_hard_cell_only_what_is_missing_is_searched_after_a_kill(tmp_path: Path) -> None:
    """The process is killed while it searches a share's level; then another one goes on."""
    folder = SearchFolder.create(tmp_path / "split", SPLIT)
    killed = """
import os, signal, sys
from analytics.campaigns import grid_search as searching
path = sys.argv[1]
searching.FEW_STATES = 1
searching._begin(path, 1)
searched = searching.ShareSearch.search_level
def killed(self, *arguments, **named):
    searched(self, *arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)
for depth in range(1, 4):
    for share in searching._open(path).share_files(1).missing(depth):
        if (depth, share) == (3, 1):
            searching.ShareSearch.search_level = killed
        searching.search_share(path, 1, depth, share)
"""
    ended = subprocess.run([sys.executable, "-c", killed, str(folder.path)], check=False)

    assert ended.returncode == -signal.SIGKILL
    files = folder.share_files(1)
    assert (len(files.levels()), files.missing(3)) == (3, [1, 2])
    searched = {file: file.stat().st_mtime_ns for file in folder.path.glob("_shares/*/*/*")}
    search_share(str(folder.path), 1, 3, 1)
    search_share(str(folder.path), 1, 3, 2)
    assert len(files.levels()) == 4
    assert all(file.stat().st_mtime_ns == written for file, written in searched.items())


def test_rows_are_parquet_with_a_column_for_each_axis(tmp_path: Path) -> None:
    folder = searched(tmp_path)

    rows = pd.read_parquet(folder.path).sort_values("kafka")

    assert list(rows["kafka"]) == ["0.10.2", "3.9", "3.9"]
    assert list(rows["found"]) == [True, False, False]
    assert set(rows["min.insync.replicas"]) == {1}
    assert {"cell", "steps", "faults", "complete", "states", "prevented_by", "digest"} <= set(rows)


def test_what_was_found_is_a_scenario_file_and_what_was_not_has_none(tmp_path: Path) -> None:
    folder = searched(tmp_path)

    found = read_scenario_text(folder.scenario_file(0).read_text("utf-8"))

    assert [step.kind for step in found.steps].count("crash") == 2
    assert not folder.scenario_file(1).exists()


def test_the_table_and_the_document_list_the_violations_found_and_the_impossible_cells(
    tmp_path: Path,
) -> None:
    folder = searched(tmp_path)

    lines = list(search_lines(folder))
    document = json.loads(json.dumps(search_document(folder)))

    assert lines[1].split()[:6] == ["0", "0.10.2", "zookeeper", "yes", "5", "crash=2"]
    assert "does not support kraft" in lines[4]
    assert [cell["found"] for cell in document["cells"]] == [True, False, False]
    assert Path(document["cells"][0]["scenario"]) == folder.scenario_file(0)
    assert [cell["settings"]["kafka"] for cell in document["impossible"]] == ["0.10.2"]


def test_a_finished_search_is_printed_again_without_spark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = searched(tmp_path)
    command = ["search-grid", str(tmp_path / "grid.yaml"), "--out", str(folder.path), *COMMAND]

    assert main([*command, "--resume", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["max_depth"] == 5


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "already has a searched grid: add --resume"),
        (
            ["--resume", "--max-depth", "4"],
            "has a search with a different grid or different bounds",
        ),
    ],
)
def test_a_search_is_neither_written_over_nor_mixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    folder = new_folder(tmp_path, "searched")
    command = ["search-grid", str(tmp_path / "grid.yaml"), "--out", str(folder.path), *COMMAND]

    assert main([*command, *more]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--budget", "fire=1"], "'fire=1' is not NAME=NUMBER"),
        (["--states", "0"], "whole number of at least 1"),
        (["--property", "Safe"], "invalid choice: 'Safe'"),
    ],
)
def test_a_wrong_option_is_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    command = ["search-grid", str(grid_file(tmp_path)), "--out", str(tmp_path / "out"), *options]

    with pytest.raises(SystemExit) as ended:
        main(command)

    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_summary_has_every_cell_with_its_scope_and_its_run(tmp_path: Path) -> None:
    folder = searched(tmp_path)

    summary = msgspec.json.decode(folder.write_summary().read_bytes(), type=SearchSummary)

    assert [cell.verdict for cell in summary.cells] == [row["verdict"] for row in folder.rows()]
    assert [cell.scenario is not None for cell in summary.cells] == [True, False, False]
    assert "crash" in summary.scopes[summary.cells[0].scope].tried
    assert summary.not_searched == 0

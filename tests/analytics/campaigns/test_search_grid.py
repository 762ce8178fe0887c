"""`highwater search-grid`: rows, scenarios, interruptions, output."""

import json
from pathlib import Path

import msgspec
import pandas as pd
import pytest
from pyspark.sql import SparkSession

from analytics.__main__ import main
from analytics.campaigns import grid_search, search_command
from analytics.campaigns.grid_search import search_grid
from analytics.campaigns.search_command import search_document, search_lines
from analytics.campaigns.search_folder import SearchFolder, SearchManifest, scenario_name
from analytics.campaigns.share_levels import SplitCell
from analytics.file_systems import Files
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.campaign.summary import SearchSummary
from sim_engine.exploration.search import SearchOptions
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.scenario_reader.reader import read_scenario_text
from tests.analytics.sessions import KeptOpen

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


def new_folder(spark: SparkSession, path: Path | str) -> SearchFolder:
    grid = read_grid_text(GRID)
    return SearchFolder.create(
        Files(spark, str(path)),
        SearchManifest(engine=ENGINE_VERSION, options=OPTIONS, grid=grid.document),
    )


def silent(_done: int, _total: int) -> None:
    pass


@pytest.fixture(scope="session")
def searched(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> SearchFolder:
    """A folder whose cells were searched. Tests do not change it."""
    folder = new_folder(spark, tmp_path_factory.mktemp("searched"))
    search_grid(spark, folder, silent)
    folder.write_summary()
    return folder


def test_only_what_has_no_row_is_searched_in_any_file_system(
    spark: SparkSession, searched: SearchFolder, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grid_search, "WAVE_CELLS", 1)
    folder = new_folder(spark, f"{elsewhere}/searched")
    grid_search._search_whole(spark, folder, [0])

    assert search_grid(spark, folder, silent) == 2
    assert [row["cell"] for row in folder.searched()] == [0, 1, 2]
    # The time is the only column that depends on the machine.
    assert [{**row, "cpu_ms": 0} for row in folder.searched()] == [
        {**row, "cpu_ms": 0} for row in searched.searched()
    ]
    assert search_grid(spark, folder, silent) == 0


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
    spark: SparkSession, tmp_path: Path, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grid_search, "FEW_STATES", 5)
    whole = SearchFolder.create(
        Files(spark, str(tmp_path / "whole")), msgspec.structs.replace(SPLIT, shares=1)
    )
    split = SearchFolder.create(Files(spark, f"{elsewhere}/split"), SPLIT)

    search_grid(spark, whole, silent)
    search_grid(spark, split, silent)

    results = [
        [
            (row["verdict"], row["complete"], row["steps"], row["depth"], row["exercised"])
            for row in folder.searched()
        ]
        for folder in (whole, split)
    ]
    assert results[0] == results[1]
    assert {row["verdict"] for row in split.searched()} == {"violated", "none_within_bound"}
    assert {row["shares"] for row in split.searched()} == {3}
    # No state is taken by two shares.
    assert split.searched()[1]["states"] == whole.searched()[1]["states"]
    assert not list((tmp_path / "elsewhere").glob("split/_shares/cell*"))


def test_of_a_hard_cell_only_the_level_that_was_searched_is_lost_with_a_kill(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver ends after a level was written, and before its counts were."""
    monkeypatch.setattr(grid_search, "FEW_STATES", 1)
    folder = SearchFolder.create(Files(spark, str(tmp_path)), SPLIT)
    grid_search._search_whole(spark, folder, [0, 1])
    assert folder.hard() == [0, 1]
    split = SplitCell(folder.files, 1)
    grid_search._begin(spark, folder, [split])
    begun = len(split.levels)
    grid_search._search_levels(spark, folder, [split])
    with monkeypatch.context() as killed:
        killed.setattr(SplitCell, "complete", lambda _: None)
        grid_search._search_levels(spark, folder, [split])

    again = SplitCell(folder.files, 1)
    level = tmp_path / "_shares" / "cell=1" / f"level={begun + 1}"
    written = sorted(level.iterdir())
    assert written
    assert len(again.levels) == begun + 1
    grid_search._search_levels(spark, folder, [again])
    assert len(again.levels) == begun + 2
    assert not set(written) & set(level.iterdir())
    counts = again.rows().where("kind = 'counts'").groupBy("level").count().collect()
    assert {row["count"] for row in counts} == {SPLIT.shares}


def test_rows_are_parquet_with_a_column_for_each_axis(searched: SearchFolder) -> None:
    rows = pd.read_parquet(searched.files.address).sort_values("kafka")

    assert list(rows["kafka"]) == ["0.10.2", "3.9", "3.9"]
    assert list(rows["found"]) == [True, False, False]
    assert set(rows["min.insync.replicas"]) == {1}
    assert {"cell", "steps", "faults", "complete", "states", "prevented_by", "digest"} <= set(rows)


def test_what_was_found_is_a_scenario_file_and_what_was_not_has_none(
    searched: SearchFolder,
) -> None:
    folder = Path(searched.files.address)

    found = read_scenario_text((folder / scenario_name(0)).read_text("utf-8"))

    assert [step.kind for step in found.steps].count("crash") == 2
    assert not (folder / scenario_name(1)).exists()


def test_the_table_and_the_document_list_the_violations_found_and_the_impossible_cells(
    searched: SearchFolder,
) -> None:
    lines = list(search_lines(searched))
    document = json.loads(json.dumps(search_document(searched)))

    assert lines[1].split()[:6] == ["0", "0.10.2", "zookeeper", "yes", "5", "crash=2"]
    assert "does not support kraft" in lines[4]
    assert [cell["found"] for cell in document["cells"]] == [True, False, False]
    assert document["cells"][0]["scenario"] == f"{searched.files.address}/_scenarios/cell-0.yaml"
    assert [cell["settings"]["kafka"] for cell in document["impossible"]] == ["0.10.2"]


def test_a_finished_search_is_printed_again(
    spark: SparkSession,
    searched: SearchFolder,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_command, "spark_session", lambda _: KeptOpen(spark))
    command = ["search-grid", str(grid_file(tmp_path)), "--out", searched.files.address, *COMMAND]

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
    spark: SparkSession,
    searched: SearchFolder,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    message: str,
) -> None:
    monkeypatch.setattr(search_command, "spark_session", lambda _: KeptOpen(spark))
    command = ["search-grid", str(grid_file(tmp_path)), "--out", searched.files.address, *COMMAND]

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


def test_a_summary_has_every_cell_with_its_scope_and_its_run(searched: SearchFolder) -> None:
    text = (Path(searched.files.address) / "_searched.json").read_bytes()

    summary = msgspec.json.decode(text, type=SearchSummary)

    assert [cell.verdict for cell in summary.cells] == [
        row["verdict"] for row in searched.searched()
    ]
    assert [cell.scenario is not None for cell in summary.cells] == [True, False, False]
    assert "crash" in summary.scopes[summary.cells[0].scope].tried
    assert summary.not_searched == 0

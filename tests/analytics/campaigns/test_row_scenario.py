"""`highwater campaign replay`: from a row to its scenario file."""

import json
from pathlib import Path

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from analytics.campaigns import row_scenario
from analytics.campaigns.row_scenario import replay
from analytics.errors import CampaignFolderError, GridInvalidError
from sim_engine.command_line.spark_jobs import job_parser
from sim_engine.scenario_reader.reader import read_scenario_document, read_scenario_text
from sim_engine.simulation.timeline import Timeline
from tests.analytics.campaigns.test_campaign import add_played, new_folder
from tests.analytics.sessions import KeptOpen


def replayed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    replay(job_parser("campaign replay").parse_args(arguments))
    return capsys.readouterr().out


def test_a_row_is_printed_as_the_scenario_that_makes_it(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = new_folder(spark, tmp_path, runs=2)
    add_played(folder)
    rows = pd.read_parquet(tmp_path)
    row = rows[(rows["cell"].astype(int) == 1) & (rows["seed"] == 1)].iloc[0]

    by_name, by_digest, by_number = (
        replayed(capsys, str(tmp_path), text) for text in ("1:1", row["digest"][:12], "3")
    )

    assert by_name == by_digest == by_number == replayed(capsys, tmp_path.as_uri(), "1:1")
    timeline = Timeline(read_scenario_text(by_name))
    timeline.run_all()
    assert len(timeline.frames) == row["frames"]
    as_json = replayed(capsys, str(tmp_path), "1:1", "--json")
    assert read_scenario_document(json.loads(as_json)) == read_scenario_text(by_name)
    for wrong in ("2:0", "4", "zz", "ffffffffffff"):
        with pytest.raises(GridInvalidError):
            replayed(capsys, str(tmp_path), wrong)


def test_a_campaign_in_another_file_system_is_read_by_spark(
    spark: SparkSession,
    elsewhere: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(row_scenario, "spark_session", lambda: KeptOpen(spark))
    folder = new_folder(spark, f"{elsewhere}/campaign", runs=2)
    add_played(folder)
    digest = folder.rows().where("cell = 1 AND seed = 1").collect()[0]["digest"]

    by_digest = replayed(capsys, folder.files.address, digest[:12])

    assert by_digest == replayed(capsys, folder.files.address, "1:1")
    with pytest.raises(GridInvalidError, match="no row with the digest"):
        replayed(capsys, folder.files.address, "ffffffffffff")
    with pytest.raises(CampaignFolderError, match="has no campaign"):
        replayed(capsys, f"{elsewhere}/none", "0:0")
    with pytest.raises(CampaignFolderError, match="cannot use none://x/y: No FileSystem for"):
        replayed(capsys, "none://x/y", "0:0")

"""The plans in docs/explanation/spark-plans.md are those of the jobs.

pytest tests/analytics/test_plans.py --rewrite     writes the plans into the pages
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from analytics import transforms
from analytics.campaigns import row_counts
from analytics.campaigns.folder import CampaignFolder, CampaignManifest
from analytics.campaigns.row_schema import rows_table
from analytics.connecting import Connector
from analytics.file_systems import Files
from analytics.share_facts import SharesToRead, Snapshot
from analytics.storage import read_shares
from sim_engine.campaign.grid_reader import read_grid_text

PAGES = ("docs/explanation/spark-plans.md", "docs/zh/explanation/spark-plans.md")
BLOCK = re.compile(r"(<!-- plan: (?P<name>\S+) -->\n\n```text\n)(?P<plan>.*?)```", re.DOTALL)
SHOWN = {
    "spark.sql.debug.maxToStringFields": "4",
    # A whole path, however long, so that it can be left out.
    "spark.sql.maxMetadataStringLength": "10000",
}


@pytest.fixture
def short_plans(spark: SparkSession) -> Iterator[None]:
    before = {name: spark.conf.get(name) or "" for name in SHOWN}
    for name, value in SHOWN.items():
        spark.conf.set(name, value)
    yield
    for name, value in before.items():
        spark.conf.set(name, value)


def shares(spark: SparkSession) -> DataFrame:
    """Four ranges of shares, which are never read."""
    return read_shares(
        spark,
        SharesToRead(
            connector=Connector("sqlite:///none.db"),
            counted=Snapshot(shares=100_000, watermark=1),
            ranges=(("", "h"), ("h", "p"), ("p", "w"), ("w", "z")),
            exported=None,
        ),
    )


def rows(spark: SparkSession, folder: Path) -> DataFrame:
    """The rows of two cells, of which there are none."""
    grid = read_grid_text('grid: 1\nkafka: ["2.1", "3.9"]\nfaults: {crash: 0.1}\n')
    campaign = CampaignFolder.create(
        Files(spark, str(folder)),
        CampaignManifest(
            engine="0", runs=1, piece_runs=(1, 1), cell_ms=(1.0, 1.0), grid=grid.document
        ),
    )
    for cell in grid.cells:
        file = folder / campaign.name_of(cell.number) / "rows.parquet"
        file.parent.mkdir(parents=True)
        pq.write_table(rows_table(campaign.schema, cell, []).drop_columns("cell"), file)
    return campaign.rows()


def plans_of(spark: SparkSession, folder: Path) -> Mapping[str, str]:
    runs = transforms.shared_runs(shares(spark))
    own = transforms.own_runs(runs)
    campaign = rows(spark, folder)
    pairs = spark.range(0, 1, 1, 1).selectExpr("int(id) AS first", "int(id) AS second")
    text_of_own = plan_of(own)
    runs.cache()
    own.cache()
    plans = {
        "loss_counts": transforms.loss_counts(own),
        "fault_counts": transforms.fault_counts(own),
        "cause_counts": transforms.cause_counts(own),
        "lesson_counts": transforms.lesson_counts(runs),
        "cell_counts": row_counts.cell_counts(campaign),
        "pair_counts": row_counts.pair_counts(campaign, pairs),
        "range_digests": row_counts.range_digests(campaign),
        "sampled_rows": row_counts.sampled_rows(campaign, of_each_cell=2),
        "shortest_losses": row_counts.shortest_losses(campaign),
        "survival_counts": row_counts.survival_counts(campaign, every_ms=1_000),
    }
    try:
        others = {name: plan_of(data) for name, data in plans.items()}
    finally:
        own.unpersist()
        runs.unpersist()
    return {"own_runs": text_of_own, **others}


def plan_of(data: DataFrame) -> str:
    """The physical plan without numbers of expressions; what is cached is one line."""
    text = data._jdf.queryExecution().executedPlan().toString()
    text = re.sub(r"#\d+L?", "", text)
    text = re.sub(r", \[plan_id=\d+\]", "", text)
    text = re.sub(r"Location: .*?\]", "Location: …", text)
    text = re.sub(r"(lambda [a-z]|_common_expr)_\d+", r"\1", text)
    lines: list[str] = []
    hidden_from: int | None = None
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip(" :+-*(0123456789)"))
        if hidden_from is not None and depth > hidden_from:
            continue
        hidden_from = depth if "InMemoryRelation" in line else None
        lines.append(line[:160].rstrip())
    return "\n".join(lines) + "\n"


@pytest.mark.usefixtures("short_plans")
def test_the_pages_have_the_plans_of_the_jobs(
    spark: SparkSession, repository: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    plans = plans_of(spark, tmp_path)

    for page in PAGES:
        file = repository / page
        if request.config.getoption("--rewrite"):
            text = file.read_text()
            file.write_text(BLOCK.sub(lambda found: f"{found[1]}{plans[found['name']]}```", text))
        shown = {found["name"]: found["plan"] for found in BLOCK.finditer(file.read_text())}
        assert shown == plans, f"{page}: pytest tests/analytics/test_plans.py --rewrite"

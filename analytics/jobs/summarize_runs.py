"""Shares → Parquet → counts → summary tables, which the service's insights page shows.

The same shares always give the same rows: rows are sorted, and nothing is sampled.
"""

import json
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from analytics.errors import SummaryContradictoryError
from analytics.progress import Progress
from analytics.schemas import SUMMARY_FAULTS, SUMMARY_LESSONS, SUMMARY_LOSS
from analytics.storage import Database, Summary, read_shares
from analytics.transforms.durability import loss_counts
from analytics.transforms.faults import fault_counts
from analytics.transforms.lessons import lesson_counts
from analytics.transforms.shared_runs import own_runs, shared_runs
from sim_engine import ENGINE_VERSION

FEWEST_SHOWN = 10
"""Rows of fewer runs (of lessons: of fewer shares) are not written: few people can be told apart,
and their links are unlisted."""


def summarize_runs(
    database: Database,
    folder: Path,
    open_spark: Callable[[], AbstractContextManager[SparkSession]],
    progress: Progress,
) -> int:
    """Write a summary of every share that is not deleted, and return its id.

    `folder` is where the shares are kept as Parquet. Spark starts after the export.
    """
    with progress.stage("reading shares") as stage:
        exported = database.export_shares(folder)
        stage.result = f"read {exported:,} {_plural(exported, 'share')}"
    with ExitStack() as spark_runs:
        with progress.stage("starting Spark") as stage:
            spark = spark_runs.enter_context(open_spark())
            master = str(spark.sparkContext.master)
            stage.result = f"started Spark on {master}"
        # A cluster's workers run on other machines or in containers and cannot read our folder.
        in_this_process = master == "local" or master.startswith("local[")
        shares = read_shares(spark, folder, workers_see_folder=in_this_process)
        summary = summary_of(shares, exported, progress)
    with progress.stage("writing the summary") as stage:
        summary_id = database.write_summary(summary)
        stage.result = f"wrote summary {summary_id}"
    return summary_id


def summary_of(shares: DataFrame, exported: int, progress: Progress) -> Summary:
    """The summary of the shares; `exported` is how many of them were read."""
    runs = shared_runs(shares).cache()
    own = own_runs(runs).cache()
    try:
        with progress.stage("counting runs") as stage:
            (extent,) = runs.agg(
                F.count("*").alias("runs"),
                # As numbers: Spark returns timestamps in the machine's time zone.
                F.unix_micros(F.min("created_at")).alias("first"),
                F.unix_micros(F.max("created_at")).alias("last"),
            ).collect()
            left_out = exported - extent["runs"]
            made = own.count()
            stage.result = (
                f"counted {made:,} {_plural(made, 'run')} that people made, in"
                f" {extent['runs']:,} {_plural(extent['runs'], 'share')}"
            ) + (f", excluded {left_out:,} with invalid facts" if left_out else "")
        with progress.stage("counting losses") as stage:
            loss = loss_table(_rows(shown(loss_counts(own), "runs")))
            stage.result = f"counted losses of {loss.num_rows} configurations"
        with progress.stage("counting faults and lessons") as stage:
            faults = fault_table(_rows(shown(fault_counts(own), "runs")))
            lessons = lesson_table(_rows(shown(lesson_counts(runs), "shares")))
            stage.result = (
                f"counted {faults.num_rows} {_plural(faults.num_rows, 'kind')} of fault"
                f" and {lessons.num_rows} {_plural(lessons.num_rows, 'lesson')}"
            )
    finally:
        own.unpersist()
        runs.unpersist()
    return Summary(
        generated_at=datetime.now(UTC),
        engine=ENGINE_VERSION,
        shares_read=extent["runs"],
        first_share_at=_moment(extent["first"]),
        last_share_at=_moment(extent["last"]),
        loss=loss,
        faults=faults,
        lessons=lessons,
    )


def shown(counts: DataFrame, count: str) -> DataFrame:
    """The rows that stand for at least FEWEST_SHOWN."""
    return counts.where(F.col(count) >= FEWEST_SHOWN)


Row: TypeAlias = dict[str, Any]
"""A row of a DataFrame, with the columns that its transform declares."""


def loss_table(rows: Iterable[Row]) -> pa.Table:
    """The rows of `loss_counts`, oldest version first.

    Raises SummaryContradictoryError for counts that do not add up.
    """
    ordered = sorted(
        rows,
        key=lambda row: (
            row["dimension"],
            _release(row["kafka"]),
            row["acks"] != "all",
            row["min_insync_replicas"] or 0,
            row["replication_factor"] or 0,
        ),
    )
    for row in ordered:
        _require(row["lost"] <= row["exercised"] <= row["runs"], row)
        _require(row["exercised"] + row["not_exercised"] == row["runs"], row)
    return pa.Table.from_pylist(ordered, SUMMARY_LOSS)


def fault_table(rows: Iterable[Row]) -> pa.Table:
    """The rows of `fault_counts`, those with the most subsequent losses first."""
    ordered = sorted(
        rows,
        key=lambda row: (-row["lossy_runs"], -row["last_before_loss"], -row["runs"], row["fault"]),
    )
    for row in ordered:
        _require(row["last_before_loss"] <= row["lossy_runs"] <= row["runs"], row)
    return pa.Table.from_pylist(ordered, SUMMARY_FAULTS)


def lesson_table(rows: Iterable[Row]) -> pa.Table:
    """The rows of `lesson_counts`, most shared first; a lesson without a title has its id."""
    ordered = sorted(rows, key=lambda row: (-row["shares"], row["scenario_id"]))
    for row in ordered:
        title = {
            "en": row.pop("title_en") or row["scenario_id"],
            "zh": row.pop("title_zh") or row["scenario_id"],
        }
        row["title"] = json.dumps(title, ensure_ascii=False, separators=(",", ":"))
    return pa.Table.from_pylist(ordered, SUMMARY_LESSONS)


def _require(holds: bool, row: Row) -> None:
    if not holds:
        raise SummaryContradictoryError(f"the counts do not add up, so nothing was written: {row}")


def _rows(frame: DataFrame) -> list[Row]:
    return [row.asDict() for row in frame.collect()]


def _release(kafka: str | None) -> tuple[tuple[int, ...], str]:
    """Orders releases as numbers: 0.10.2 comes before 0.11, and 3.10 after 3.9."""
    return tuple(int(digits) for digits in re.findall(r"\d+", kafka or "")), kafka or ""


def _moment(microseconds: int | None) -> datetime | None:
    if microseconds is None:
        return None
    seconds, rest = divmod(microseconds, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"

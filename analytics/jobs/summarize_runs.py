"""Shares → counts → summary tables, which the service's insights page shows.

The same shares always give the same rows: rows are sorted, and nothing is sampled.
"""

import json
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from analytics import share_facts
from analytics.connecting import Connector
from analytics.errors import SummaryContradictoryError
from analytics.progress import Progress
from analytics.schemas import SUMMARY_CAUSES, SUMMARY_FAULTS, SUMMARY_LESSONS, SUMMARY_LOSS, TITLES
from analytics.share_facts import Refreshed, Snapshot
from analytics.spark import SPARK_ERRORS, shown_start
from analytics.storage import Summary, confirm_summary, keep_shares, read_shares, write_summary
from analytics.transforms import (
    cause_counts,
    fault_counts,
    lesson_counts,
    loss_counts,
    own_runs,
    shared_runs,
)
from sim_engine.identifiers import ENGINE_VERSION

FEWEST_SHOWN = 10
"""Rows of fewer runs (for lessons: of fewer shares) are not written: they could identify people
whose links are unlisted.
"""


MOST_READINGS = 3
"""How often a job reads shares that change while it reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarized:
    """The result of the job. `summary` is the id of the latest summary, which another job may have
    written.
    """

    summary: int
    shares: int
    added: int
    removed: int
    watermark: int
    is_new: bool
    """False if the latest summary already covered these shares, or newer ones."""


def summarize_runs(
    connector: Connector,
    open_spark: Callable[[], AbstractContextManager[SparkSession]],
    progress: Progress,
    *,
    keep_parquet: str | None = None,
) -> Summarized:
    """Write a summary of all visible shares, unless the latest summary is up to date.

    Only new or changed shares are read from the table `shares`. Spark starts, and its workers read
    their rows, only if the counts may have changed; with `keep_parquet`, in any case, and the rows
    are also written to that folder.
    """
    with progress.stage("reading shares") as stage:
        refreshed = share_facts.refresh(connector)
        state = share_facts.snapshot(connector)
        stage.result = _said(refreshed, state)
    summary_id = confirm_summary(connector, state.watermark, ENGINE_VERSION, datetime.now(UTC))
    is_new = summary_id is None
    if is_new or keep_parquet is not None:
        with shown_start(progress, open_spark()) as spark:
            state, summary = _read(spark, connector, progress, keep_parquet, is_counted=is_new)
        if summary is not None:
            with progress.stage("writing the summary") as stage:
                summary_id = write_summary(connector, summary)
                stage.result = f"wrote summary {summary_id}"
    if not is_new:
        with progress.stage("comparing with the latest summary") as stage:
            stage.result = f"summary {summary_id} is up to date"
    assert summary_id is not None, "written or confirmed"
    return Summarized(
        summary=summary_id,
        shares=state.shares,
        added=refreshed.added,
        removed=refreshed.removed,
        watermark=state.watermark,
        is_new=is_new,
    )


def _said(refreshed: Refreshed, state: Snapshot) -> str:
    new = f"{refreshed.added:,} new or changed, {refreshed.removed:,} removed or changed"
    return f"found {state.shares:,} {_plural(state.shares, 'share')}: {new}"


def _read(
    spark: SparkSession,
    connector: Connector,
    progress: Progress,
    keep_parquet: str | None,
    *,
    is_counted: bool,
) -> tuple[Snapshot, Summary | None]:
    """Read one snapshot of the shares, keep it if that is asked for, and return its summary; None
    if it is not to be counted.

    If the shares change meanwhile and the database cannot keep the snapshot, everything is read
    again, MOST_READINGS times in all.
    """
    for reading in range(1, MOST_READINGS + 1):
        with share_facts.shares_to_read(connector) as found:
            shares = read_shares(spark, found)
            try:
                if keep_parquet is not None:
                    with progress.stage("keeping shares") as stage:
                        stage.result = f"wrote {keep_shares(shares, keep_parquet)}"
                summary = summary_of(shares, found.counted, progress) if is_counted else None
                return found.counted, summary
            except SPARK_ERRORS:
                has_changed = share_facts.snapshot(connector).watermark != found.counted.watermark
                if reading == MOST_READINGS or not has_changed:
                    raise
    raise AssertionError("the last reading returns or raises")


def summary_of(shares: DataFrame, counted: Snapshot, progress: Progress) -> Summary:
    """Summarize the shares, which must be those of the snapshot."""
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
            left_out = counted.shares - extent["runs"]
            made = own.count()
            stage.result = (
                f"counted {made:,} {_plural(made, 'run')} by users, in"
                f" {extent['runs']:,} {_plural(extent['runs'], 'share')}"
            ) + (f", excluded {left_out:,} with invalid facts" if left_out else "")
        with progress.stage("counting losses") as stage:
            loss = loss_table(_rows(shown(loss_counts(own), "runs")))
            stage.result = f"counted losses of {loss.num_rows} configurations"
        with progress.stage("counting faults, causes and lessons") as stage:
            faults = fault_table(_rows(shown(fault_counts(own), "runs")))
            causes = cause_table(_rows(shown(cause_counts(own), "runs")))
            lessons = lesson_table(_rows(shown(lesson_counts(runs), "shares")))
            stage.result = (
                f"counted {faults.num_rows} {_plural(faults.num_rows, 'kind')} of fault,"
                f" {causes.num_rows} {_plural(causes.num_rows, 'cause')}"
                f" and {lessons.num_rows} {_plural(lessons.num_rows, 'lesson')}"
            )
    finally:
        own.unpersist()
        runs.unpersist()
    return Summary(
        generated_at=datetime.now(UTC),
        engine=ENGINE_VERSION,
        watermark=counted.watermark,
        shares_read=extent["runs"],
        first_share_at=_moment(extent["first"]),
        last_share_at=_moment(extent["last"]),
        loss=loss,
        faults=faults,
        causes=causes,
        lessons=lessons,
    )


def shown(counts: DataFrame, count: str) -> DataFrame:
    """The rows that count at least FEWEST_SHOWN runs or shares."""
    return counts.where(F.col(count) >= FEWEST_SHOWN)


Row: TypeAlias = dict[str, Any]
"""A row of a DataFrame, with the columns that its transform declares. Any: each column has its own
type.
"""


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


def cause_table(rows: Iterable[Row]) -> pa.Table:
    """The rows of `cause_counts`, the most frequent cause first."""
    ordered = sorted(rows, key=lambda row: (-row["runs"], row["cause"]))
    for row in ordered:
        _require(row["lost_acks_all"] <= row["runs"], row)
    return pa.Table.from_pylist(ordered, SUMMARY_CAUSES)


def lesson_table(rows: Iterable[Row]) -> pa.Table:
    """The rows of `lesson_counts`, most shared first; a lesson without a title has its id."""
    ordered = sorted(rows, key=lambda row: (-row["shares"], row["scenario_id"]))
    for row in ordered:
        title = {
            name.removeprefix("title_"): row.pop(name) or row["scenario_id"] for name in TITLES
        }
        row["title"] = json.dumps(title, ensure_ascii=False, separators=(",", ":"))
    return pa.Table.from_pylist(ordered, SUMMARY_LESSONS)


def _require(holds: bool, row: Row) -> None:
    if not holds:
        raise SummaryContradictoryError(f"the counts do not add up, so nothing was written: {row}")


def _rows(data: DataFrame) -> list[Row]:
    return [row.asDict() for row in data.collect()]


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

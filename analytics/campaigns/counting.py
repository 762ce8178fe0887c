"""Rows → counts. Each transformation says what one row of its result is."""

from collections.abc import Sequence

import pandas as pd
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

_MEANS = (
    "lost",
    "unavailable_ms",
    "unreadable_ms",
    "failed",
    "elections",
    "isr_changes",
    "truncated",
)
"""Columns of which the summary shows means."""


def evidence(rows: DataFrame) -> DataFrame:
    """One row a run that says something about losses: complete and exercised.

    A run that lost a record before it became too long counts too, or losses would be missed where
    runs are longest.
    """
    return rows.where(F.col("exercised") & ((F.col("status") == "complete") | (F.col("lost") > 0)))


def cell_counts(rows: DataFrame) -> DataFrame:
    """One row a cell: runs of each kind, and sums over those that are evidence."""
    counts = rows.groupBy("cell").agg(
        F.count("*").alias("runs"),
        F.sum((~F.col("exercised")).cast("long")).alias("not_exercised"),
        F.sum((F.col("status") != "complete").cast("long")).alias("censored"),
    )
    sums: list[Column] = [
        F.count("*").alias("exercised"),
        _runs_with(F.col("lost") > 0).alias("lost_runs"),
        _runs_with(F.col("at_risk") > 0).alias("at_risk_runs"),
        _runs_with((F.col("at_risk") > 0) & (F.col("lost") == 0)).alias("recovered_runs"),
        _runs_with(F.col("diverged")).alias("diverged_runs"),
        _runs_with(F.col("inconsistent_read")).alias("inconsistent_runs"),
        _runs_with(F.col("unclean_elections") > 0).alias("unclean_runs"),
        _runs_with(F.col("duplicates") > 0).alias("duplicated_runs"),
        F.sum("uncommitted").alias("uncommitted"),
        F.max("max_lag").alias("max_lag"),
        F.first("duration_ms").alias("duration_ms"),
    ]
    for name in _MEANS:
        sums.append(F.sum(name).alias(f"{name}_sum"))
        sums.append(F.sum(F.col(name) * F.col(name)).alias(f"{name}_squares"))
    return counts.join(evidence(rows).groupBy("cell").agg(*sums), "cell", "left")


def counted(rows: DataFrame, column: str) -> DataFrame:
    """One row a cell and value of `column`, with the runs of the evidence that have it."""
    return (
        evidence(rows)
        .where(F.col(column).isNotNull())
        .groupBy("cell", F.col(column).alias("value"))
        .agg(F.count("*").alias("runs"))
    )


def smallest_sets(rows: DataFrame) -> DataFrame:
    """One row a cell and smallest set of faults, joined by "+", with its runs."""
    joined = rows.withColumn("smallest_set", F.array_join("smallest", "+"))
    return counted(joined, "smallest_set")


def rules_named(rows: DataFrame) -> DataFrame:
    """One row a cell and rule, with the runs whose events named it."""
    return (
        evidence(rows)
        .select("cell", F.explode("rules").alias("value"))
        .groupBy("cell", "value")
        .agg(F.count("*").alias("runs"))
    )


def truncated_by_rule(rows: DataFrame) -> DataFrame:
    """One row a cell and rule, with the records that it truncated."""
    return (
        evidence(rows)
        .select("cell", F.explode("truncated_by").alias("value", "records"))
        .groupBy("cell", "value")
        .agg(F.sum("records").alias("runs"))
    )


def fault_runs(rows: DataFrame) -> DataFrame:
    """One row a kind of fault, with the runs in which it happened."""
    return (
        rows.select(F.explode(F.map_keys("faults")).alias("fault"))
        .groupBy("fault")
        .agg(F.count("*").alias("runs"))
    )


def lag_counts(rows: DataFrame) -> DataFrame:
    """One row a cell and bin of the high-watermark lag, with its records."""
    return (
        evidence(rows)
        .select("cell", F.posexplode("lag_histogram").alias("bin", "records"))
        .groupBy("cell", "bin")
        .agg(F.sum("records").alias("records"))
    )


def pair_counts(rows: DataFrame, pairs: DataFrame) -> DataFrame:
    """One row a pair of cells and outcome: seeds that were evidence in both.

    `pairs` has the columns `first` and `second`. A result has `lost_first`, `lost_second`, `seeds`
    and the lowest of them, `seed`.
    """
    outcomes = evidence(rows).select("cell", "seed", (F.col("lost") > 0).alias("lost"))
    first = outcomes.select(F.col("cell").alias("first"), "seed", F.col("lost").alias("lost_first"))
    second = outcomes.select(
        F.col("cell").alias("second"), "seed", F.col("lost").alias("lost_second")
    )
    return (
        F.broadcast(pairs)
        .join(first, "first")
        .join(second, ["second", "seed"])
        .groupBy("first", "second", "lost_first", "lost_second")
        .agg(F.count("*").alias("seeds"), F.min("seed").alias("seed"))
    )


def survival_counts(rows: DataFrame, *, every_ms: int) -> DataFrame:
    """One row a cell, axis, moment and outcome, with its runs.

    By faults, a run lost its first record at its nth fault, or was observed until its last one. By
    time the same in ms, in classes of `every_ms`.
    """
    runs = evidence(rows)
    lost = F.col("lost") > 0
    by_faults = runs.select(
        "cell",
        F.lit("faults").alias("by"),
        F.when(lost, F.col("faults_before_loss")).otherwise(F.col("fault_count")).alias("at"),
        lost.alias("lost"),
    )
    moment = F.when(lost, F.least("lost_at_ms", "duration_ms")).otherwise(F.col("duration_ms"))
    by_time = runs.select(
        "cell",
        F.lit("time_ms").alias("by"),
        (F.ceil(moment / every_ms) * every_ms).alias("at"),
        lost.alias("lost"),
    )
    return by_faults.unionAll(by_time).groupBy("cell", "by", "at", "lost").count()


def design_rows(rows: DataFrame, kinds: Sequence[str], *, below_seed: int) -> DataFrame:
    """One row a run of the evidence: cell, seed, whether it lost, and whether each kind of fault
    happened. Only the seeds below `below_seed`, which are a random sample as any."""
    happened = [F.coalesce(F.col("faults")[kind] > 0, F.lit(False)).alias(kind) for kind in kinds]
    return (
        evidence(rows)
        .where(F.col("seed") < below_seed)
        .select("cell", "seed", (F.col("lost") > 0).alias("lost"), *happened)
    )


def shortest_losses(rows: DataFrame) -> DataFrame:
    """One row a cell and cause: the run with the fewest faults in its smallest set, of these the
    one with the fewest steps, of these the lowest seed."""
    order = F.struct(F.coalesce(F.size("smallest"), F.lit(0)), "steps", "seed")
    return (
        rows.where(F.col("cause").isNotNull())
        .groupBy("cell", "cause")
        .agg(F.min_by("seed", order).alias("seed"))
    )


def sampled_rows(rows: DataFrame, *, of_each_cell: int) -> DataFrame:
    """One row a sampled run: those of a cell with the lowest digests, as good as drawn by lot."""
    by_digest = Window.partitionBy("cell").orderBy("digest")
    return (
        rows.withColumn("place", F.row_number().over(by_digest))
        .where(F.col("place") <= of_each_cell)
        .select("cell", "seed", "digest", "lost")
    )


def cell_digests(rows: DataFrame) -> DataFrame:
    """One row a cell: the SHA-256 over all its rows, whole, by seed."""
    columns = sorted(name for name in rows.columns if name not in ("campaign", "cell"))
    whole = F.sha2(F.to_json(F.struct(*(F.col(f"`{name}`") for name in columns))), 256)
    each = rows.select("cell", "seed", whole.alias("row_digest"))
    ordered = F.array_sort(F.collect_list(F.struct("seed", "row_digest")))
    joined = F.array_join(F.transform(ordered, lambda pair: pair["row_digest"]), "")
    return each.groupBy("cell").agg(F.sha2(joined, 256).alias("cell_digest"))


def _runs_with(condition: Column) -> Column:
    return F.sum(condition.cast("long"))


def collected(counts: DataFrame) -> pd.DataFrame:
    """Counts, which are small whatever the number of runs, as a frame of this process."""
    return counts.toPandas()

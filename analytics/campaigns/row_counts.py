"""Rows → counts. Each transformation documents one row of its result."""

from collections.abc import Sequence

import pandas as pd
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analytics.transforms import outcome_counts, with_outcome

_MEANS = (
    "fault_count",
    "acked",
    "lost",
    "unavailable_ms",
    "unreadable_ms",
    "failed",
    "elections",
    "isr_changes",
    "truncated",
)
"""The columns whose means are in the summary."""

DIGEST_SEEDS = 10_000
"""Part of the definition of a campaign's digest: a different number gives different digests."""


def conclusive_runs(rows: DataFrame) -> DataFrame:
    """One row for each run that is conclusive about losses; see `with_outcome`."""
    return _with_outcome(rows).where("is_conclusive")


def cell_counts(rows: DataFrame) -> DataFrame:
    """One row for each cell: the counts of `outcome_counts`, and sums over the conclusive runs."""
    at_risk = F.col("at_risk") > 0
    sums = [
        F.count_if(F.col("status") != "complete").alias("censored"),
        _conclusive_with(at_risk).alias("at_risk_runs"),
        _conclusive_with(at_risk & ~F.col("has_lost")).alias("recovered_runs"),
        _conclusive_with(F.col("diverged")).alias("diverged_runs"),
        _conclusive_with(F.col("inconsistent_read")).alias("inconsistent_runs"),
        _conclusive_with(F.col("unclean_elections") > 0).alias("unclean_runs"),
        _conclusive_with(F.col("duplicates") > 0).alias("duplicated_runs"),
        F.sum(_if_conclusive("uncommitted")).alias("uncommitted"),
        F.max(_if_conclusive("max_lag")).alias("max_lag"),
        F.max(_if_conclusive("duration_ms")).alias("duration_ms"),
    ]
    for name in _MEANS:
        value = _if_conclusive(name)
        sums.append(F.sum(value).alias(f"{name}_sum"))
        sums.append(F.sum(value * value).alias(f"{name}_squares"))
    return outcome_counts(_with_outcome(rows), "cell", others=tuple(sums))


def _with_outcome(rows: DataFrame) -> DataFrame:
    return with_outcome(
        rows,
        exercised=F.col("exercised"),
        lost=F.col("lost") > 0,
        complete=F.col("status") == "complete",
    )


def _conclusive_with(condition: Column) -> Column:
    return F.count_if(F.col("is_conclusive") & condition)


def _if_conclusive(name: str) -> Column:
    return F.when(F.col("is_conclusive"), F.col(name))


def counted(rows: DataFrame, column: str) -> DataFrame:
    """One row for each cell and value of `column`, with the number of conclusive runs that have the
    value.
    """
    return (
        conclusive_runs(rows)
        .where(F.col(column).isNotNull())
        .groupBy("cell", F.col(column).alias("value"))
        .agg(F.count("*").alias("runs"))
    )


def smallest_sets(rows: DataFrame) -> DataFrame:
    """One row for each cell and smallest set of faults (joined by "+"), with the number of runs."""
    joined = rows.withColumn("smallest_set", F.array_join("smallest", "+"))
    return counted(joined, "smallest_set")


def rules_named(rows: DataFrame) -> DataFrame:
    """One row for each cell and rule, with the number of runs whose events named the rule."""
    return (
        conclusive_runs(rows)
        .select("cell", F.explode("rules").alias("value"))
        .groupBy("cell", "value")
        .agg(F.count("*").alias("runs"))
    )


def truncated_by_rule(rows: DataFrame) -> DataFrame:
    """One row for each cell and rule, with the number of records that it truncated."""
    return (
        conclusive_runs(rows)
        .select("cell", F.explode("truncated_by").alias("value", "records"))
        .groupBy("cell", "value")
        .agg(F.sum("records").alias("runs"))
    )


def lag_counts(rows: DataFrame) -> DataFrame:
    """One row for each cell and bin of the high-watermark lag, with the number of records."""
    return (
        conclusive_runs(rows)
        .select("cell", F.posexplode("lag_histogram").alias("bin", "records"))
        .groupBy("cell", "bin")
        .agg(F.sum("records").alias("records"))
    )


def pair_counts(rows: DataFrame, pairs: DataFrame) -> DataFrame:
    """One row for each pair of cells and outcome, over the seeds that are conclusive in both.

    `pairs` has the columns `first` and `second`. The result has `lost_first`, `lost_second`,
    `seeds` (their number) and `seed` (the lowest).
    """
    outcomes = conclusive_runs(rows).select("cell", "seed", F.col("has_lost").alias("lost"))
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
    """One row for each cell, axis, moment and outcome, with the number of runs.

    On the axis of faults, the moment is the number of the fault at which a run lost its first
    record, or of the last fault if it lost none. On the axis of time, moments are in ms, in classes
    of `every_ms`.
    """
    runs = conclusive_runs(rows)
    lost = F.col("has_lost")
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
    """One row for each conclusive run: cell, seed, whether it lost a record, and whether each
    kind of fault happened.

    Contains only the seeds below `below_seed`. Seeds are random, so this is a random sample.
    """
    happened = [F.coalesce(F.col("faults")[kind] > 0, F.lit(False)).alias(kind) for kind in kinds]
    return (
        conclusive_runs(rows)
        .where(F.col("seed") < below_seed)
        .select("cell", "seed", F.col("has_lost").alias("lost"), *happened)
    )


def shortest_losses(rows: DataFrame) -> DataFrame:
    """One row for each cell and cause: the run with the fewest faults in its smallest set, then the
    fewest steps, then the lowest seed.
    """
    order = F.struct(F.coalesce(F.size("smallest"), F.lit(0)), "steps", "seed")
    return (
        rows.where(F.col("cause").isNotNull())
        .groupBy("cell", "cause")
        .agg(F.min_by("seed", order).alias("seed"))
    )


def sampled_rows(rows: DataFrame, *, of_each_cell: int) -> DataFrame:
    """One row for each sampled run: those of a cell with the lowest digests, which is a random
    sample.
    """
    by_digest = Window.partitionBy("cell").orderBy("digest")
    return (
        rows.withColumn("place", F.row_number().over(by_digest))
        .where(F.col("place") <= of_each_cell)
        .select("cell", "seed", "digest", "lost")
    )


def range_digests(rows: DataFrame) -> DataFrame:
    """One row for each cell and range of `DIGEST_SEEDS` seeds, numbered from 0: the SHA-256 over
    all columns of its rows, by seed.

    An executor collects the rows of one range, whatever the number of runs. The ranges do not
    depend on files.
    """
    columns = sorted(name for name in rows.columns if name not in ("campaign", "cell"))
    whole = F.sha2(F.to_json(F.struct(*(F.col(f"`{name}`") for name in columns))), 256)
    number = F.floor(F.col("seed") / DIGEST_SEEDS).alias("range")
    ordered = F.array_sort(F.collect_list(F.struct("seed", "row_digest")))
    joined = F.array_join(F.transform(ordered, lambda pair: pair["row_digest"]), "")
    return (
        rows.select("cell", number, "seed", whole.alias("row_digest"))
        .groupBy("cell", "range")
        .agg(F.sha2(joined, 256).alias("digest"))
    )


def collected(counts: DataFrame) -> pd.DataFrame:
    """Collect counts as a local pandas DataFrame. They are small, whatever the number of runs."""
    return counts.toPandas()

"""Counts of runs by outcome: the same for shared runs and for a campaign's."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


def with_outcome(
    runs: DataFrame, *, exercised: Column, lost: Column, complete: Column | None = None
) -> DataFrame:
    """The same runs with three more columns.

    `is_exercised`: the run could have lost an acknowledged record. `has_lost`: it did. A run is
    conclusive about losses (`is_conclusive`) if it is exercised and complete. A run that lost a
    record before it was stopped counts too; otherwise losses would be missed among the longest
    runs. Without `complete`, every run is complete.
    """
    ended = F.lit(True) if complete is None else complete
    return runs.withColumns(
        {
            "is_exercised": exercised,
            "has_lost": lost,
            "is_conclusive": exercised & (ended | lost),
        }
    )


def outcome_counts(runs: DataFrame, *by: str, others: tuple[Column, ...] = ()) -> DataFrame:
    """One row per group with at least one run, keyed by the columns `by`; `runs` as `with_outcome`
    returns them.

    `runs` counts all runs of the group, `exercised` the conclusive ones, `not_exercised` those that
    were not exercised, and `lost` the conclusive ones that lost an acknowledged record. `others`
    are more aggregates, computed in the same pass.
    """
    return runs.groupBy(*by).agg(
        F.count("*").alias("runs"),
        F.count_if("is_conclusive").alias("exercised"),
        F.count_if(~F.col("is_exercised")).alias("not_exercised"),
        F.count_if(F.col("is_conclusive") & F.col("has_lost")).alias("lost"),
        *others,
    )

"""Counts the runs of each configuration that lost an acknowledged record."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analytics.transforms.outcomes import outcome_counts, with_outcome

CONFIGURATION = ("dimension", "kafka", "acks", "min_insync_replicas", "replication_factor")


def loss_counts(runs: DataFrame) -> DataFrame:
    """One row per configuration with at least one run.

    Keyed by CONFIGURATION: `dimension` names how runs were grouped, and of the other four only
    the columns of that dimension are set. The dimensions 'version', 'min_insync_replicas' and
    'replication_factor' are about acks=all; 'acks' and 'version_acks' have a row for each acks.

    Every run counts once in each row whose configuration it has. `exercised` is the number of those
    in which a loss was possible: a record was acknowledged with the row's acks, and a fault
    occurred. A run that lost such a record counts as exercised, whatever the cause.
    """
    lost = F.col("lost") > 0
    exercised = (F.col("acked") > 0) & (F.col("exercised") | lost)
    runs = with_outcome(_run_configurations(runs), exercised=exercised, lost=lost)
    return outcome_counts(runs, *CONFIGURATION)


def _run_configurations(runs: DataFrame) -> DataFrame:
    """One row per run and configuration, with its counts of acknowledged and lost records."""
    kafka = F.col("kafka")
    configurations = F.array(
        _configuration("version", "all", kafka=kafka),
        _configuration("acks", "all", acks=F.lit("all")),
        _configuration("acks", "1", acks=F.lit("1")),
        _configuration(
            "min_insync_replicas", "all", min_insync_replicas=F.col("min_insync_replicas")
        ),
        _configuration("replication_factor", "all", replication_factor=F.col("replication_factor")),
        _configuration("version_acks", "all", kafka=kafka, acks=F.lit("all")),
        _configuration("version_acks", "1", kafka=kafka, acks=F.lit("1")),
    )
    return runs.select("exercised", F.explode(configurations).alias("of")).select(
        "exercised", "of.*"
    )


def _configuration(dimension: str, counted_acks: str, **values: Column) -> Column:
    no_text, no_number = F.lit(None).cast("string"), F.lit(None).cast("int")
    return F.struct(
        F.lit(dimension).alias("dimension"),
        values.get("kafka", no_text).alias("kafka"),
        values.get("acks", no_text).alias("acks"),
        values.get("min_insync_replicas", no_number).alias("min_insync_replicas"),
        values.get("replication_factor", no_number).alias("replication_factor"),
        F.col(f"acked_{counted_acks}").alias("acked"),
        F.col(f"lost_{counted_acks}").alias("lost"),
    )

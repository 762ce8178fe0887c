"""The counts of runs: functions from DataFrames to a DataFrame, which read and write no storage and
collect no rows. Shared runs and campaigns use the same counts of outcomes and of faults.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analytics.schemas import FACTS, TITLES
from sim_engine.documents.shares import UNKNOWN_CAUSE
from sim_engine.invariants.fates import LOSS_CAUSES

CONFIGURATION = ("dimension", "kafka", "acks", "min_insync_replicas", "replication_factor")


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
        {"is_exercised": exercised, "has_lost": lost, "is_conclusive": exercised & (ended | lost)}
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


def runs_by_fault(
    runs: DataFrame, *, kinds: Column | None = None, others: tuple[Column, ...] = ()
) -> DataFrame:
    """One row per kind of fault that happened in at least one run, keyed by `fault`.

    `runs` is the number of runs with the fault: its count in the column `faults` is above 0, or it
    is in the array `kinds`. `others` are further aggregates over these runs. Shared runs and
    campaigns both use this.
    """
    happened = kinds_that_happened() if kinds is None else kinds
    return (
        runs.withColumn("fault", F.explode(happened))
        .groupBy("fault")
        .agg(F.count("*").alias("runs"), *others)
    )


def kinds_that_happened() -> Column:
    """The kinds in a run's column `faults` whose number is above 0, as an array."""
    return F.map_keys(F.map_filter("faults", lambda _, times: times > 0))


def fault_counts(runs: DataFrame) -> DataFrame:
    """`runs_by_fault` of shared runs, with the losses that followed.

    `lossy_runs` counts the runs with the fault that lost a record acknowledged with acks=all, and
    `last_before_loss` those lossy runs in which it was the last fault up to the first loss.
    """
    last_fault = F.when(F.col("lossy"), F.col("last_fault_before_loss"))
    # The last fault is stored separately from the counts; the run counts for it in any case.
    of_run = F.array_distinct(F.array_compact(F.concat(kinds_that_happened(), F.array(last_fault))))
    return runs_by_fault(
        runs,
        kinds=of_run,
        others=(
            F.count_if("lossy").alias("lossy_runs"),
            F.count_if(last_fault == F.col("fault")).alias("last_before_loss"),
        ),
    )


def shared_runs(shares: DataFrame) -> DataFrame:
    """One row per share with valid facts: `digest`, `as_shipped`, and its facts as columns.

    Keyed by `sid`. `lossy` is true if a record acknowledged with acks=all was lost. Shares are
    excluded if their facts are not an object, lack a count, or have more losses than
    acknowledgements.
    """
    # An array of one or no element. Spark would move a filter on columns below the parsing, and
    # parse the text again for each field in the condition.
    valid = F.filter(F.array(F.from_json("facts", FACTS)), _is_valid)
    return shares.select("sid", "created_at", "digest", "as_shipped", F.inline(valid)).withColumn(
        "lossy", F.col("lost_all") > 0
    )


def own_runs(runs: DataFrame) -> DataFrame:
    """The runs that users made, each once, however often it was shared. Keyed by `digest`.

    Unchanged lessons are excluded: their steps were written by their authors and are the same for
    everyone.
    """
    others = [name for name in runs.columns if name != "digest"]
    return (
        runs.where(~F.col("as_shipped"))
        .groupBy("digest")
        .agg(F.min_by(F.struct(*others), "sid").alias("run"))
        .select("digest", "run.*")
    )


def _is_valid(facts: Column) -> Column:
    is_complete = F.lit(True)
    for field in FACTS:
        # Titles are stored only for lessons.
        if not field.nullable and field.name not in TITLES:
            is_complete = is_complete & facts[field.name].isNotNull()
    return (
        is_complete
        & facts["lost_all"].between(0, facts["acked_all"])
        & facts["lost_1"].between(0, facts["acked_1"])
    )


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


def cause_counts(runs: DataFrame) -> DataFrame:
    """One row per cause of a loss of acknowledged records in shared runs, keyed by `cause`.

    `runs` counts the runs that lost a record acknowledged with any acks, by the cause of their
    first loss; `lost_acks_all` those of them that lost one acknowledged with acks=all. Runs without
    a cause, or with one that this version does not have, count as UNKNOWN_CAUSE.
    """
    cause = F.when(F.col("loss_cause").isin(*LOSS_CAUSES), F.col("loss_cause"))
    return (
        runs.where((F.col("lost_all") > 0) | (F.col("lost_1") > 0))
        .groupBy(F.coalesce(cause, F.lit(UNKNOWN_CAUSE)).alias("cause"))
        .agg(F.count("*").alias("runs"), F.count_if("lossy").alias("lost_acks_all"))
    )


def lesson_counts(runs: DataFrame) -> DataFrame:
    """One row per lesson that was shared as shipped, keyed by `scenario_id`.

    `shares` counts its shares, also of the same run. Shares with steps that are not the lesson's
    are excluded. `TITLES` are from the latest share, because a lesson's title may change; if
    several have the same time, from the one with the greatest sid.
    """
    title = F.max_by(F.struct(*TITLES), F.struct("created_at", "sid"))
    return (
        runs.where("as_shipped")
        .groupBy("scenario_id")
        .agg(title.alias("title"), F.count("*").alias("shares"))
        .select("scenario_id", *(f"title.{name}" for name in TITLES), "shares")
    )

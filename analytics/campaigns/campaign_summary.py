"""Rows → summary: Spark counts; plain Python computes the estimates.

The same rows always give the same summary: it does not depend on files, partitions or time, except
for `finished_at`, which the caller passes.
"""

import hashlib
from collections.abc import Callable, Sequence

import pandas as pd
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from analytics.campaigns import row_counts
from analytics.campaigns.cell_summaries import summarize_cells
from analytics.campaigns.comparisons import Pair, comparisons, pairs_of
from analytics.campaigns.folder import CampaignFolder
from analytics.campaigns.headlines import headlines_of
from analytics.campaigns.odds import MOST_RUNS, odds_of_loss
from analytics.campaigns.survival import AXES, log_rank, survival_curve
from analytics.statistics import CONFIDENCE, adjust_p_values
from analytics.transforms import runs_by_fault
from sim_engine.campaign.grid import FAULT_TYPES, Grid
from sim_engine.campaign.summary import (
    SUMMARY_VERSION,
    CampaignSummary,
    Example,
    FaultModel,
    LogRank,
    SampledRow,
    SurvivalCurve,
)
from sim_engine.identifiers import ENGINE_VERSION

TIME_CLASSES = 30
"""The number of classes into which survival by time divides the runs' length: seconds, in the
shipped campaign.
"""

SAMPLED = 2
"""The number of rows of each cell that the summary lists with their digests."""

MakeExamples = Callable[[Sequence[tuple[int, int]]], Sequence[Example]]
"""Converts runs, each identified by cell and seed, to examples that can be opened."""


def campaign_digest(rows: DataFrame) -> str:
    """The SHA-256 over the digests of the ranges of seeds, by cell and range, in hexadecimal."""
    digests = row_counts.range_digests(rows).collect()
    ranges = sorted((row["cell"], row["range"], row["digest"]) for row in digests)
    return hashlib.sha256("".join(digest for _, _, digest in ranges).encode()).hexdigest()


def summarize(
    spark: SparkSession,
    folder: CampaignFolder,
    make_examples: MakeExamples,
    *,
    finished_at: str | None = None,
) -> CampaignSummary:
    """Summarize the rows in a campaign's folder.

    `make_examples` converts the shortest losing runs to scenarios. `finished_at` is ISO 8601 in
    UTC; None if it is unknown.
    """
    grid = folder.grid
    rows = folder.rows().cache()
    axes = dict(grid.axes)
    settings = [dict(cell.settings) for cell in grid.cells]
    cells = summarize_cells(rows, settings)
    pairs = pairs_of(axes, settings)
    compared = comparisons(pairs, _pair_counts(spark, rows, pairs))
    survival, ranks = _survival(rows, grid, pairs)
    kinds = [kind for kind, _ in grid.cells[0].faults]
    below_seed = max(1, MOST_RUNS // len(grid.cells))
    design = row_counts.collected(row_counts.design_rows(rows, kinds, below_seed=below_seed))
    odds = odds_of_loss(
        design.sort_values(["cell", "seed"], ignore_index=True),
        kinds=kinds,
        axes=axes,
        settings=settings,
    )
    losses = row_counts.shortest_losses(rows).orderBy("cell", "cause").collect()
    examples = make_examples([(row["cell"], row["seed"]) for row in losses])
    summary = CampaignSummary(
        version=SUMMARY_VERSION,
        campaign=folder.written.id,
        title=grid.title,
        engine=ENGINE_VERSION,
        finished_at=finished_at,
        seed=grid.seed,
        paired=grid.cells[0].paired,
        steps=grid.cells[0].workload.steps,
        step_ms=grid.cells[0].workload.step_ms,
        runs_per_cell=folder.written.runs,
        runs=sum(cell.runs for cell in cells),
        exercised=sum(cell.exercised for cell in cells),
        censored=sum(cell.censored for cell in cells),
        lost=sum(cell.lost.count for cell in cells),
        digest=campaign_digest(rows),
        confidence=CONFIDENCE,
        multiplicity="holm",
        grid=grid.document,
        axes=axes,
        faults=_fault_models(rows, grid),
        cells=cells,
        impossible=grid.impossible,
        comparisons=compared,
        survival=survival,
        log_rank=ranks,
        odds=odds,
        headlines=headlines_of(axes, cells, compared, survival, odds),
        examples=tuple(examples),
        samples=tuple(
            SampledRow(cell=row["cell"], seed=row["seed"], digest=row["digest"], lost=row["lost"])
            for row in row_counts.sampled_rows(rows, of_each_cell=SAMPLED)
            .orderBy("cell", "seed")
            .collect()
        ),
    )
    rows.unpersist()
    return summary


def _pair_counts(spark: SparkSession, rows: DataFrame, pairs: Sequence[Pair]) -> pd.DataFrame:
    columns = ["first", "second", "lost_first", "lost_second", "seeds", "seed"]
    if not pairs:
        return pd.DataFrame(columns=columns)
    compared = spark.createDataFrame(
        [(pair.first, pair.second) for pair in pairs], "first int, second int"
    )
    return row_counts.collected(row_counts.pair_counts(rows, compared))[columns]


def _survival(
    rows: DataFrame, grid: Grid, pairs: Sequence[Pair]
) -> tuple[tuple[SurvivalCurve, ...], tuple[LogRank, ...]]:
    workload = grid.cells[0].workload
    every_ms = max(1, workload.steps * workload.step_ms // TIME_CLASSES)
    counts = row_counts.collected(row_counts.survival_counts(rows, every_ms=every_ms))
    counts = counts.sort_values(["cell", "by", "at", "lost"], ignore_index=True)
    parts = dict(list(counts.groupby(["cell", "by"])))
    curves = tuple(
        survival_curve(parts[cell.number, by], cell=cell.number, by=by)
        for cell in grid.cells
        for by in AXES
        if (cell.number, by) in parts
    )
    ranks: list[LogRank] = []
    for by in AXES:
        tests = [
            (pair, *log_rank(parts[pair.first, by], parts[pair.second, by]))
            for pair in pairs
            if (pair.first, by) in parts and (pair.second, by) in parts
        ]
        adjusted = adjust_p_values([p for _, _, p in tests])
        ranks.extend(
            LogRank(
                by=by,
                axis=pair.axis,
                cells=(pair.first, pair.second),
                statistic=statistic,
                p=p,
                p_adjusted=p_adjusted,
                differs=p_adjusted < 1 - CONFIDENCE,
            )
            for (pair, statistic, p), p_adjusted in zip(tests, adjusted, strict=True)
        )
    return curves, tuple(ranks)


def _fault_models(rows: DataFrame, grid: Grid) -> tuple[FaultModel, ...]:
    first = F.min(F.struct("seed", "cell")).alias("first")
    counts = {row["fault"]: row for row in runs_by_fault(rows, others=(first,)).collect()}
    models: list[FaultModel] = []
    for kind, rate in grid.cells[0].faults:
        rates = sorted({dict(cell.faults)[kind].rate for cell in grid.cells})
        count = counts.get(kind)
        models.append(
            FaultModel(
                kind=kind,
                scope=FAULT_TYPES[kind].scope,
                rates=tuple(rates),
                duration_ms=rate.duration_ms,
                reason=FAULT_TYPES[kind].reason,
                runs=0 if count is None else count["runs"],
                example_cell=None if count is None else count["first"]["cell"],
                example_seed=None if count is None else count["first"]["seed"],
            )
        )
    return tuple(models)

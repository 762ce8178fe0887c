"""One summary for each cell, computed from the counts of its rows."""

from collections.abc import Mapping, Sequence

import pandas as pd
from pyspark.sql import DataFrame, Row

from analytics.campaigns import row_counts
from analytics.campaigns.comparisons import Value
from analytics.statistics import estimate_mean, estimate_rate
from sim_engine.campaign.row import LAG_BINS
from sim_engine.campaign.summary import CauseShare, CellSummary, LagDistribution, Mean, SmallestSet

MOST_SMALLEST_SETS = 10


def summarize_cells(
    rows: DataFrame, settings: Sequence[Mapping[str, Value]]
) -> tuple[CellSummary, ...]:
    """Return the summaries of the cells that have rows, in the grid's order. `settings` has the
    settings of each cell of the grid.
    """
    counts = {row["cell"]: row for row in row_counts.cell_counts(rows).collect()}
    causes = _by_cell(row_counts.counted(rows, "cause"))
    smallest = _by_cell(row_counts.smallest_sets(rows))
    rules = _by_cell(row_counts.rules_named(rows))
    truncated = _by_cell(row_counts.truncated_by_rule(rows))
    lags = row_counts.collected(row_counts.lag_counts(rows))
    return tuple(
        _summarize(
            cell,
            dict(settings[cell]),
            counts[cell],
            causes=causes.get(cell, {}),
            smallest=smallest.get(cell, {}),
            rules=rules.get(cell, {}),
            truncated=truncated.get(cell, {}),
            lags=lags[lags["cell"] == cell],
        )
        for cell in sorted(counts)
    )


def _by_cell(counts: DataFrame) -> dict[int, dict[str, int]]:
    """Cell → value → number of runs, the most frequent value first."""
    found: dict[int, dict[str, int]] = {}
    rows = sorted(counts.collect(), key=lambda row: (row["cell"], -row["runs"], row["value"]))
    for row in rows:
        found.setdefault(row["cell"], {})[row["value"]] = row["runs"]
    return found


def _summarize(
    cell: int,
    settings: dict[str, Value],
    counts: Row,
    *,
    causes: dict[str, int],
    smallest: dict[str, int],
    rules: dict[str, int],
    truncated: dict[str, int],
    lags: pd.DataFrame,
) -> CellSummary:
    exercised = counts["exercised"]
    duration_ms = counts["duration_ms"] or 1
    return CellSummary(
        cell=cell,
        settings=settings,
        runs=counts["runs"],
        exercised=exercised,
        not_exercised=counts["not_exercised"],
        censored=counts["censored"],
        lost=estimate_rate(counts["lost"], exercised),
        causes=tuple(
            CauseShare(cause=cause, lost=estimate_rate(runs, exercised))
            for cause, runs in causes.items()
        ),
        at_risk=estimate_rate(counts["at_risk_runs"], exercised),
        recovered=estimate_rate(counts["recovered_runs"], counts["at_risk_runs"]),
        diverged=estimate_rate(counts["diverged_runs"], exercised),
        inconsistent_read=estimate_rate(counts["inconsistent_runs"], exercised),
        unclean=estimate_rate(counts["unclean_runs"], exercised),
        duplicated=estimate_rate(counts["duplicated_runs"], exercised),
        faults=_mean(counts, "fault_count"),
        acked=_mean(counts, "acked"),
        records_lost=_mean(counts, "lost"),
        lost_of_acked=counts["lost_sum"] / counts["acked_sum"] if counts["acked_sum"] else None,
        unavailable=_mean(counts, "unavailable_ms", unit=duration_ms),
        unreadable=_mean(counts, "unreadable_ms", unit=duration_ms),
        failed=_mean(counts, "failed"),
        elections=_mean(counts, "elections"),
        isr_changes=_mean(counts, "isr_changes"),
        truncated=_mean(counts, "truncated"),
        truncated_by=truncated,
        rules=dict(sorted(rules.items())),
        lag=_lag(lags, counts),
        smallest=tuple(
            SmallestSet(faults=tuple(name.split("+")), runs=runs)
            for name, runs in list(smallest.items())[:MOST_SMALLEST_SETS]
        ),
    )


def _mean(counts: Row, name: str, *, unit: int = 1) -> Mean:
    return estimate_mean(
        (counts[f"{name}_sum"] or 0) / unit,
        (counts[f"{name}_squares"] or 0) / unit**2,
        counts["exercised"],
    )


def _lag(lags: pd.DataFrame, counts: Row) -> LagDistribution:
    bins = [0] * LAG_BINS
    for row in lags.itertuples():
        bins[int(row.bin)] = int(row.records)
    return LagDistribution(
        counts=tuple(bins),
        p50_ms=_quantile(bins, 0.5),
        p95_ms=_quantile(bins, 0.95),
        p99_ms=_quantile(bins, 0.99),
        uncommitted=counts["uncommitted"] or 0,
        max_records=counts["max_lag"] or 0,
    )


def _quantile(bins: Sequence[int], share: float) -> int | None:
    """The upper end of the bin that contains the quantile."""
    needed = share * sum(bins)
    reached = 0
    for number, count in enumerate(bins):
        reached += count
        if reached and reached >= needed:
            return 1 << number
    return None

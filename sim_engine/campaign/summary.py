"""The summary of a campaign's rows, small enough to ship and to display, and the one that ships.

Every number is computed from the rows. The summary contains no sentences: a page shows `headlines`
in its reader's language. `docs/explanation/campaigns.md` describes how each number is computed.

The summary of a searched grid has the witness of each violated cell.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from sim_engine.campaign.grid import AxisValue, Grid, ImpossiblePoint
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.exploration.alphabet import Grain
from sim_engine.exploration.search import SearchLimit, SearchOutcome
from sim_engine.invariants.fates import Cause
from sim_engine.json_types import Document, PublishedJson
from sim_engine.scenario_reader.reader import (
    searched_summary_texts,
    shipped_grid_text,
    shipped_summary_text,
)

SUMMARY_VERSION = 1
"""Incremented when a field is removed or changes its meaning; new fields do not change it."""


class Proportion(Document, frozen=True, kw_only=True):
    """A count and its rate, with the exact (Clopper–Pearson) interval of the true rate."""

    count: int
    of: int
    """The number of trials."""
    rate: float | None
    """Null if there were none."""
    low: float | None
    high: float | None


class Mean(Document, frozen=True, kw_only=True):
    """The mean of a value over runs, with the interval of the true mean."""

    mean: float
    low: float
    high: float


class CauseShare(Document, frozen=True, kw_only=True):
    """The proportion of exercised runs that lost a record by one cause."""

    cause: Cause
    lost: Proportion


class SmallestSet(Document, frozen=True, kw_only=True):
    """A smallest set of faults that still causes a loss, and the number of runs with this set."""

    faults: tuple[str, ...]
    runs: int


class LagDistribution(Document, frozen=True, kw_only=True):
    """The time from append to commit of all records, over all runs of a cell."""

    counts: tuple[int, ...]
    """Number of records by time: bin 0 is below 1 ms, bin k from 2^(k-1) ms up to, but excluding,
    2^k ms; the last bin also has all slower records."""
    p50_ms: int | None
    """The median in ms, as the end of its bin: at most half of the records took longer."""
    p95_ms: int | None
    p99_ms: int | None
    uncommitted: int
    """Appended records that were never committed."""
    max_records: int
    """The most records that a leader had above its high watermark."""


class Example(Document, frozen=True, kw_only=True):
    """The shortest run found in a cell that lost a record by one cause, as a scenario that can be
    opened.
    """

    cell: int
    seed: int
    """The run that it is based on."""
    cause: Cause
    faults: tuple[str, ...]
    steps: int
    """Steps of `scenario`."""
    scenario: PublishedJson
    """A complete scenario document."""


class CellSummary(Document, frozen=True, kw_only=True):
    """The runs of one cell. Rates refer to its exercised, complete runs."""

    cell: int
    settings: dict[str, AxisValue]
    """In the order of the axes."""
    runs: int
    exercised: int
    not_exercised: int
    """Runs without an acknowledged record or without a fault; they are not evidence."""
    censored: int
    """Runs that became too long or did not settle."""
    lost: Proportion
    """Runs that lost an acknowledged record."""
    causes: tuple[CauseShare, ...]
    """Most frequent first."""
    at_risk: Proportion
    """Runs in which an acknowledged record was at risk."""
    recovered: Proportion
    """Runs among `at_risk` that lost no record."""
    diverged: Proportion
    """Runs that diverged below high watermarks."""
    inconsistent_read: Proportion
    """Runs whose consumer read a record that changed later."""
    unclean: Proportion
    """Runs with an unclean election."""
    duplicated: Proportion
    """Runs whose final log repeats a record."""
    faults: Mean
    """Faults per run."""
    acked: Mean
    """Acknowledged records per run."""
    records_lost: Mean
    """Acknowledged records lost per run."""
    lost_of_acked: float | None
    """Lost records per acknowledged one, in all runs; null if none was."""
    unavailable: Mean
    """Share of time without writes, 0 to 1."""
    unreadable: Mean
    """Share of time without a leader, 0 to 1."""
    failed: Mean
    """Failed produce requests per run."""
    elections: Mean
    isr_changes: Mean
    truncated: Mean
    """Records truncated by followers per run."""
    truncated_by: dict[str, int]
    """Rule → records in all runs."""
    rules: dict[str, int]
    """Rule → runs whose events named it."""
    lag: LagDistribution
    smallest: tuple[SmallestSet, ...]
    """Most frequent first, ten at most."""


class Comparison(Document, frozen=True, kw_only=True):
    """Two cells that differ in one setting, compared on the same seeds (McNemar's exact test)."""

    axis: str
    cells: tuple[int, int]
    values: tuple[AxisValue, AxisValue]
    pairs: int
    """Seeds that were exercised and complete in both."""
    both: int
    only_first: int
    """Seeds that lost a record only in the first cell."""
    only_second: int
    p: float
    p_adjusted: float
    """Adjusted by Holm's method, over all comparisons."""
    differs: bool
    """Whether `p_adjusted` is below 1 − confidence."""
    difference: Mean
    """The rate of the second cell minus the first; not adjusted."""
    decided: bool
    """Whether they differ, or the interval excludes a difference over 0.05."""
    example_seed: int | None
    """The lowest seed that lost a record in only one of the two cells."""


class SurvivalPoint(Document, frozen=True, kw_only=True):
    """The share of runs that still had every acknowledged record, from `at` on."""

    at: float
    survival: float
    low: float
    high: float
    runs_left: int
    """Runs that were still observed immediately before."""


class SurvivalCurve(Document, frozen=True, kw_only=True):
    """A Kaplan–Meier curve of one cell. Runs without a loss are censored at their end."""

    cell: int
    by: Literal["faults", "time_ms"]
    """The unit of the axis: number of faults, or time."""
    points: tuple[SurvivalPoint, ...]
    """One point for each step of the curve; the first is at 0, with all runs left."""
    median: float | None
    """Null if fewer than half of the runs lost a record."""


class LogRank(Document, frozen=True, kw_only=True):
    """The log-rank test of whether the curves of two cells differ."""

    by: Literal["faults", "time_ms"]
    axis: str
    cells: tuple[int, int]
    statistic: float
    p: float
    p_adjusted: float
    """Adjusted by Holm's method, over all log-rank tests of `by`."""
    differs: bool


class OddsTerm(Document, frozen=True, kw_only=True):
    """The factor by which one fault or setting multiplies the odds of a loss, all else equal."""

    kind: Literal["fault", "setting"]
    name: str
    """The kind of fault, or the axis."""
    value: AxisValue | None
    """The setting's value; null for a fault."""
    reference: AxisValue | None
    """The value that `value` is compared with; null for a fault."""
    runs: int
    """Exercised runs with it."""
    lost: int
    """The number of those runs that lost a record."""
    odds_ratio: float | None
    """Null if it cannot be estimated; see `reason`."""
    low: float | None
    high: float | None
    p_adjusted: float | None
    """Adjusted by Holm's method, over all terms."""
    effect: Literal["harms", "protects", "none", "unknown"]
    """Based on `p_adjusted`; unknown if it cannot be estimated."""
    reason: (
        Literal["never_lost", "always_lost", "constant", "determined", "separated", "few_runs"]
        | None
    )
    """Why there is no estimate. `constant`: it is the same in every run. `determined`: other
    settings determine it, as the release determines the controller. `separated`: together with
    other terms it predicts losses without exception, so no ratio is finite. `few_runs`: there are
    too few independent runs for an interval."""


class Odds(Document, frozen=True, kw_only=True):
    """A logistic regression of loss on the faults of a run and the settings of its cell.

    Errors are clustered by seed, because the runs of a seed meet the same faults.
    """

    runs: int
    lost: int
    terms: tuple[OddsTerm, ...]
    """Strongest harm first."""


class Averages(Document, frozen=True, kw_only=True):
    """What explains a rate of loss: means over the cells of a headline."""

    faults: float
    """Faults per run."""
    writable: float
    """Share of time in which writes were possible."""
    acked: float
    """Acknowledged records per run."""
    lost_of_acked: float
    """Lost records per acknowledged one."""


class Headline(Document, frozen=True, kw_only=True):
    """A conclusion that the numbers support, for a headline. `kind` determines which fields are
    present.

    - `never_lost`: `cells`, all those with `settings` (if it is empty, all of the campaign), lost
      nothing; `high` bounds the worst rate.
    - `changed`: from `values[0]` to `values[1]` of `axis` the rate fell or rose (`direction`) in
      `number` pairs of `cells`, adjusted for multiplicity. `averages` has the means of the first
      and of the second cells of these pairs: a run with more brokers meets more faults, and one
      that accepts more writes has more records to lose.
    - `no_difference`: none of the `number` comparisons along `axis` differs, and each excludes a
      difference above 0.05; of the forest, no term has a clear effect.
    - `undecided`: none of the `number` comparisons along `axis` differs, but the runs are too few:
      they do not exclude a difference of `high`.
    - `survival`: `cells[0]` is where most, or fewest, runs were left after `values[0]` faults, the
      last that 30 of its runs met; `number` is the share.
    - `odds`: the fault or setting `name` (with `values[0]`) that harms or protects most; `number`
      is its odds ratio.
    - `too_few_runs`: no cell has `number` exercised runs.
    """

    kind: Literal[
        "never_lost", "changed", "no_difference", "undecided", "survival", "odds", "too_few_runs"
    ]
    about: Literal["matrix", "survival", "forest"]
    """The chart whose headline it is."""
    settings: Mapping[str, AxisValue] = {}
    axis: str | None = None
    values: tuple[AxisValue, ...] = ()
    cells: tuple[int, ...] = ()
    direction: Literal["fell", "rose"] | None = None
    averages: tuple[Averages, Averages] | None = None
    name: str | None = None
    number: float | None = None
    """The rate, share, odds ratio or count in the headline."""
    low: float | None = None
    high: float | None = None


class SampledRow(Document, frozen=True, kw_only=True):
    """A row for verification: when the run is played again, it must have this digest."""

    cell: int
    seed: int
    digest: str
    lost: int


class FaultModel(Document, frozen=True, kw_only=True):
    """One kind of fault, as configured in the campaign."""

    kind: str
    scope: Literal["broker", "rack", "cluster"]
    rates: tuple[float, ...]
    """Expected number of faults per step, for each broker, each rack or the cluster."""
    duration_ms: int
    reason: str
    """The reasons for the defaults, in English."""
    runs: int
    """Runs in which the fault happened."""
    example_cell: int | None = None
    """The cell of the first run in which it happened, by seed and cell; null if it never did, or if
    the summary was written before there was this field."""
    example_seed: int | None = None
    """The seed of that run; null if there is none."""


class CampaignSummary(Document, frozen=True, kw_only=True):
    """A campaign: its grid and the summary of its runs."""

    version: int
    campaign: str
    """The first 12 hexadecimal digits of its grid's SHA-256."""
    title: str
    engine: str
    finished_at: str | None
    """ISO 8601 in UTC; null if it was not recorded."""
    seed: int
    paired: bool
    steps: int
    step_ms: int
    runs_per_cell: int
    runs: int
    exercised: int
    censored: int
    lost: int
    """Exercised runs that lost an acknowledged record."""
    digest: str
    """SHA-256 over the digests of all rows, by cell and range of seeds, in hexadecimal."""
    confidence: float
    multiplicity: Literal["holm"]
    """The method by which p-values are adjusted."""
    grid: PublishedJson
    """The grid file, from which the campaign can be run again."""
    axes: dict[str, tuple[AxisValue, ...]]
    """Each setting of cells with its values, in order."""
    faults: tuple[FaultModel, ...]
    cells: tuple[CellSummary, ...]
    impossible: tuple[ImpossiblePoint, ...]
    """Points of the grid that are impossible."""
    comparisons: tuple[Comparison, ...]
    survival: tuple[SurvivalCurve, ...]
    log_rank: tuple[LogRank, ...]
    odds: Odds
    headlines: tuple[Headline, ...]
    examples: tuple[Example, ...]
    samples: tuple[SampledRow, ...]
    """A few rows of each cell."""


@cache
def shipped_campaign() -> CampaignSummary:
    """The summary of the shipped campaign."""
    return msgspec.json.decode(shipped_summary_text(), type=CampaignSummary)


def shipped_grid() -> Grid:
    """The grid of the shipped campaign, from which any of its rows can be run again."""
    return read_grid_text(shipped_grid_text(), filename="shipped.yaml")


# --- searched grids -------------------------------------------------------------------------------


SEARCH_SUMMARY_VERSION = 1
"""Incremented when a field is removed or changes its meaning; new fields do not change it."""


class SearchedScope(Document, frozen=True, kw_only=True):
    """What a search may try, and what it leaves out: `NAME REASON` of each step and timer."""

    tried: tuple[str, ...]
    left_out: tuple[str, ...]


class CellOfSearch(Document, frozen=True, kw_only=True):
    """The result of one cell, as in its row."""

    cell: int
    settings: dict[str, AxisValue]
    verdict: SearchOutcome
    complete: bool
    exercised: bool
    limit: SearchLimit | None
    depth: int
    states: int
    transitions: int
    shares: int
    cpu_ms: int
    scope: int
    """The index of its scope in `scopes`."""
    steps: int | None
    faults: dict[str, int]
    cause: Cause | None
    cause_rule: str | None
    prevented_by: tuple[str, ...]
    scenario: PublishedJson | None
    """The witness as a scenario document; null if no violation was found."""


class SearchSummary(Document, frozen=True, kw_only=True):
    """A searched grid."""

    version: int
    search: str
    """A short id of the grid and the bounds."""
    title: str
    engine: str
    property: str
    grain: Grain
    max_depth: int
    max_states: int
    grid: PublishedJson
    """The grid file."""
    axes: dict[str, tuple[AxisValue, ...]]
    """Each setting of cells with its values, in order."""
    scopes: tuple[SearchedScope, ...]
    cells: tuple[CellOfSearch, ...]
    """The cells that were searched. A search that was stopped has only a part of its grid."""
    not_searched: int
    """The number of cells that were not searched."""
    impossible: tuple[ImpossiblePoint, ...]
    """Points of the grid that are impossible."""


@cache
def shipped_searches() -> Mapping[str, SearchSummary]:
    """The searched grids that ship, by their ids."""
    read = (msgspec.json.decode(text, type=SearchSummary) for text in searched_summary_texts())
    return {summary.search: summary for summary in read}

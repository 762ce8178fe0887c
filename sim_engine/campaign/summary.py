"""The summary of a campaign's rows, small enough to ship and to display.

Every number is computed from the rows. The summary contains no sentences: a page shows `findings`
in its reader's language. `docs/explanation/campaigns.md` describes how each number is computed.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from sim_engine.documents.document import Document
from sim_engine.invariants.losses import Cause
from sim_engine.json_types import PublishedJson

SUMMARY_VERSION = 1
"""Incremented when a field is removed or changes its meaning; new fields do not change it."""

SettingValue = str | int | float | bool


class Proportion(Document, frozen=True, kw_only=True):
    """A count and its rate, with the exact (Clopper–Pearson) interval of the true rate."""

    count: int
    of: Annotated[int, Meta(description="The number of trials.")]
    rate: Annotated[float | None, Meta(description="Null if there were none.")]
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

    counts: Annotated[
        tuple[int, ...],
        Meta(
            description="Number of records by time: bin 0 is below 1 ms, bin k from 2^(k-1) ms up"
            " to, but excluding, 2^k ms; the last bin also has all slower records."
        ),
    ]
    p50_ms: Annotated[
        int | None,
        Meta(
            description="The median in ms, as the end of its bin: at most half of the records"
            " took longer."
        ),
    ]
    p95_ms: int | None
    p99_ms: int | None
    uncommitted: Annotated[int, Meta(description="Appended records that were never committed.")]
    max_records: Annotated[
        int, Meta(description="The most records that a leader had above its high watermark.")
    ]


class Example(Document, frozen=True, kw_only=True):
    """The shortest run found in a cell that lost a record by one cause, as a scenario that can be
    opened.
    """

    cell: int
    seed: Annotated[int, Meta(description="The run that it is based on.")]
    cause: Cause
    faults: tuple[str, ...]
    steps: Annotated[int, Meta(description="Steps of `scenario`.")]
    scenario: Annotated[PublishedJson, Meta(description="A complete scenario document.")]


class CellSummary(Document, frozen=True, kw_only=True):
    """The runs of one cell. Rates refer to its exercised, complete runs."""

    cell: int
    settings: Annotated[dict[str, SettingValue], Meta(description="In the order of the axes.")]
    runs: int
    exercised: int
    not_exercised: Annotated[
        int,
        Meta(
            description="Runs without an acknowledged record or without a fault; they are not"
            " evidence."
        ),
    ]
    censored: Annotated[int, Meta(description="Runs that became too long or did not settle.")]
    lost: Annotated[Proportion, Meta(description="Runs that lost an acknowledged record.")]
    causes: Annotated[tuple[CauseShare, ...], Meta(description="Most frequent first.")]
    at_risk: Annotated[
        Proportion, Meta(description="Runs in which an acknowledged record was at risk.")
    ]
    recovered: Annotated[Proportion, Meta(description="Runs among `at_risk` that lost no record.")]
    diverged: Annotated[Proportion, Meta(description="Runs that diverged below high watermarks.")]
    inconsistent_read: Annotated[
        Proportion, Meta(description="Runs whose consumer read a record that changed later.")
    ]
    unclean: Annotated[Proportion, Meta(description="Runs with an unclean election.")]
    duplicated: Annotated[Proportion, Meta(description="Runs whose final log repeats a record.")]
    faults: Annotated[Mean, Meta(description="Faults per run.")]
    acked: Annotated[Mean, Meta(description="Acknowledged records per run.")]
    records_lost: Annotated[Mean, Meta(description="Acknowledged records lost per run.")]
    lost_of_acked: Annotated[
        float | None,
        Meta(description="Lost records per acknowledged one, in all runs; null if none was."),
    ]
    unavailable: Annotated[Mean, Meta(description="Share of time without writes, 0 to 1.")]
    unreadable: Annotated[Mean, Meta(description="Share of time without a leader, 0 to 1.")]
    failed: Annotated[Mean, Meta(description="Failed produce requests per run.")]
    elections: Mean
    isr_changes: Mean
    truncated: Annotated[Mean, Meta(description="Records truncated by followers per run.")]
    truncated_by: Annotated[dict[str, int], Meta(description="Rule → records in all runs.")]
    rules: Annotated[dict[str, int], Meta(description="Rule → runs whose events named it.")]
    lag: LagDistribution
    smallest: Annotated[
        tuple[SmallestSet, ...], Meta(description="Most frequent first, ten at most.")
    ]


class Comparison(Document, frozen=True, kw_only=True):
    """Two cells that differ in one setting, compared on the same seeds (McNemar's exact test)."""

    axis: str
    cells: tuple[int, int]
    values: tuple[SettingValue, SettingValue]
    pairs: Annotated[int, Meta(description="Seeds that were exercised and complete in both.")]
    both: int
    only_first: Annotated[int, Meta(description="Seeds that lost a record only in the first cell.")]
    only_second: int
    p: float
    p_adjusted: Annotated[
        float, Meta(description="Adjusted by Holm's method, over all comparisons.")
    ]
    differs: Annotated[bool, Meta(description="Whether `p_adjusted` is below 1 − confidence.")]
    difference: Annotated[
        Mean,
        Meta(description="The rate of the second cell minus the first; not adjusted."),
    ]
    decided: Annotated[
        bool,
        Meta(description="Whether they differ, or the interval excludes a difference over 0.05."),
    ]
    example_seed: Annotated[
        int | None,
        Meta(description="The lowest seed that lost a record in only one of the two cells."),
    ]


class SurvivalPoint(Document, frozen=True, kw_only=True):
    """The share of runs that still had every acknowledged record, from `at` on."""

    at: float
    survival: float
    low: float
    high: float
    runs_left: Annotated[int, Meta(description="Runs that were still observed immediately before.")]


class SurvivalCurve(Document, frozen=True, kw_only=True):
    """A Kaplan–Meier curve of one cell. Runs without a loss are censored at their end."""

    cell: int
    by: Annotated[
        Literal["faults", "time_ms"],
        Meta(description="The unit of the axis: number of faults, or time."),
    ]
    points: Annotated[
        tuple[SurvivalPoint, ...],
        Meta(
            description="One point for each step of the curve; the first is at 0, with all runs"
            " left."
        ),
    ]
    median: Annotated[
        float | None, Meta(description="Null if fewer than half of the runs lost a record.")
    ]


class LogRank(Document, frozen=True, kw_only=True):
    """The log-rank test of whether the curves of two cells differ."""

    by: Literal["faults", "time_ms"]
    axis: str
    cells: tuple[int, int]
    statistic: float
    p: float
    p_adjusted: Annotated[
        float, Meta(description="Adjusted by Holm's method, over all log-rank tests of `by`.")
    ]
    differs: bool


class OddsTerm(Document, frozen=True, kw_only=True):
    """The factor by which one fault or setting multiplies the odds of a loss, all else equal."""

    kind: Literal["fault", "setting"]
    name: Annotated[str, Meta(description="The kind of fault, or the axis.")]
    value: Annotated[
        SettingValue | None, Meta(description="The setting's value; null for a fault.")
    ]
    reference: Annotated[
        SettingValue | None,
        Meta(description="The value that `value` is compared with; null for a fault."),
    ]
    runs: Annotated[int, Meta(description="Exercised runs with it.")]
    lost: Annotated[int, Meta(description="The number of those runs that lost a record.")]
    odds_ratio: Annotated[
        float | None, Meta(description="Null if it cannot be estimated; see `reason`.")
    ]
    low: float | None
    high: float | None
    p_adjusted: Annotated[
        float | None, Meta(description="Adjusted by Holm's method, over all terms.")
    ]
    effect: Annotated[
        Literal["harms", "protects", "none", "unknown"],
        Meta(description="Based on `p_adjusted`; unknown if it cannot be estimated."),
    ]
    reason: Annotated[
        Literal["never_lost", "always_lost", "constant", "determined"] | None,
        Meta(
            description="Why there is no estimate. `constant`: it is the same in every run."
            " `determined`: other settings determine it, as the release determines the controller."
        ),
    ]


class Odds(Document, frozen=True, kw_only=True):
    """A logistic regression of loss on the faults of a run and the settings of its cell.

    Errors are clustered by seed, because the runs of a seed meet the same faults.
    """

    runs: int
    lost: int
    terms: Annotated[tuple[OddsTerm, ...], Meta(description="Strongest harm first.")]


class Averages(Document, frozen=True, kw_only=True):
    """What explains a rate of loss: means over the cells of a headline."""

    faults: Annotated[float, Meta(description="Faults per run.")]
    writable: Annotated[float, Meta(description="Share of time in which writes were possible.")]
    acked: Annotated[float, Meta(description="Acknowledged records per run.")]
    lost_of_acked: Annotated[float, Meta(description="Lost records per acknowledged one.")]


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
    about: Annotated[
        Literal["matrix", "survival", "forest"], Meta(description="The chart whose headline it is.")
    ]
    settings: Mapping[str, SettingValue] = {}
    axis: str | None = None
    values: tuple[SettingValue, ...] = ()
    cells: tuple[int, ...] = ()
    direction: Literal["fell", "rose"] | None = None
    averages: tuple[Averages, Averages] | None = None
    name: str | None = None
    number: Annotated[
        float | None, Meta(description="The rate, share, odds ratio or count in the headline.")
    ] = None
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
    rates: Annotated[
        tuple[float, ...],
        Meta(
            description="Expected number of faults per step, for each broker, each rack or the"
            " cluster."
        ),
    ]
    duration_ms: int
    reason: Annotated[str, Meta(description="The reasons for the defaults, in English.")]
    runs: Annotated[int, Meta(description="Runs in which the fault happened.")]
    example_cell: Annotated[
        int | None,
        Meta(
            description="The cell of the first run in which it happened, by seed and cell; null if"
            " it never did, or if the summary was written before there was this field."
        ),
    ] = None
    example_seed: Annotated[
        int | None, Meta(description="The seed of that run; null if there is none.")
    ] = None


class ImpossiblePoint(Document, frozen=True, kw_only=True):
    """A point of the grid that is possible in no Kafka cluster, and why."""

    settings: dict[str, SettingValue]
    reason: str


class CampaignSummary(Document, frozen=True, kw_only=True):
    """A campaign: its grid and the summary of its runs."""

    version: int
    campaign: Annotated[
        str, Meta(description="The first 12 hexadecimal digits of its grid's SHA-256.")
    ]
    title: str
    engine: str
    finished_at: Annotated[
        str | None, Meta(description="ISO 8601 in UTC; null if it was not recorded.")
    ]
    seed: int
    paired: bool
    steps: int
    step_ms: int
    runs_per_cell: int
    runs: int
    exercised: int
    censored: int
    lost: Annotated[int, Meta(description="Exercised runs that lost an acknowledged record.")]
    digest: Annotated[
        str,
        Meta(description="SHA-256 over the digests of all rows, by cell and seed, in hexadecimal."),
    ]
    confidence: float
    multiplicity: Annotated[
        Literal["holm"], Meta(description="The method by which p-values are adjusted.")
    ]
    grid: Annotated[
        PublishedJson, Meta(description="The grid file, from which the campaign can be run again.")
    ]
    axes: Annotated[
        dict[str, tuple[SettingValue, ...]],
        Meta(description="Each setting of cells with its values, in order."),
    ]
    faults: tuple[FaultModel, ...]
    cells: tuple[CellSummary, ...]
    impossible: Annotated[
        tuple[ImpossiblePoint, ...], Meta(description="Points of the grid that are impossible.")
    ]
    comparisons: tuple[Comparison, ...]
    survival: tuple[SurvivalCurve, ...]
    log_rank: tuple[LogRank, ...]
    odds: Odds
    findings: tuple[Headline, ...]
    examples: tuple[Example, ...]
    samples: Annotated[tuple[SampledRow, ...], Meta(description="A few rows of each cell.")]

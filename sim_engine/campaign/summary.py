"""The summary of a campaign: what its rows come to, small enough to ship and to show.

Every number of it is computed; it holds no sentences. A page says `findings` in its reader's
language. `docs/explanation/campaigns.md` describes how each number is made.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from sim_engine.campaign.losses import Cause
from sim_engine.documents.document import Document
from sim_engine.json_types import JsonObject

SUMMARY_VERSION = 1
"""Grows when a field changes its meaning or goes away; new fields do not change it."""

SettingValue = str | int | float | bool


class Proportion(Document, frozen=True, kw_only=True):
    """How often something happened, with the exact (Clopper–Pearson) interval of the true rate."""

    count: int
    of: Annotated[int, Meta(description="How many it could have happened to.")]
    rate: Annotated[float | None, Meta(description="Null where there were none.")]
    low: float | None
    high: float | None


class Mean(Document, frozen=True, kw_only=True):
    """The mean of something over runs, with the interval of the true mean."""

    mean: float
    low: float
    high: float


class CauseShare(Document, frozen=True, kw_only=True):
    """The runs that lost a record by one cause, of the exercised ones."""

    cause: Cause
    lost: Proportion


class SmallestSet(Document, frozen=True, kw_only=True):
    """Faults of which none could be left out without losing the loss, and in how many runs."""

    faults: tuple[str, ...]
    runs: int


class LagDistribution(Document, frozen=True, kw_only=True):
    """How long appended records took to be committed, over all runs of a cell."""

    counts: Annotated[
        tuple[int, ...],
        Meta(
            description="Records by time: bin 0 below 1 ms, bin k from 2^(k-1) up to, and without, "
            "2^k ms; the last bin also has all that took longer."
        ),
    ]
    p50_ms: Annotated[
        int | None, Meta(description="No more than half took this long or longer: a bin's end.")
    ]
    p95_ms: int | None
    p99_ms: int | None
    uncommitted: Annotated[int, Meta(description="Appended records that never were committed.")]
    max_records: Annotated[
        int, Meta(description="The most records that a leader had above its high watermark.")
    ]


class Example(Document, frozen=True, kw_only=True):
    """The shortest run found in a cell that lost a record by one cause, as a scenario to open."""

    cell: int
    seed: Annotated[int, Meta(description="The run that it was made from.")]
    cause: Cause
    faults: tuple[str, ...]
    steps: Annotated[int, Meta(description="Steps of `scenario`.")]
    scenario: Annotated[JsonObject, Meta(description="A complete scenario document.")]


class CellSummary(Document, frozen=True, kw_only=True):
    """The runs of one cell. Rates are of its exercised, complete runs."""

    cell: int
    settings: Annotated[dict[str, SettingValue], Meta(description="In the order of the axes.")]
    runs: int
    exercised: int
    not_exercised: Annotated[
        int, Meta(description="Nothing was acknowledged or no fault happened: no evidence.")
    ]
    censored: Annotated[int, Meta(description="Runs that became too long or did not settle.")]
    lost: Annotated[Proportion, Meta(description="Runs that lost an acknowledged record.")]
    causes: Annotated[tuple[CauseShare, ...], Meta(description="Most frequent first.")]
    at_risk: Annotated[Proportion, Meta(description="Runs in which one was at risk.")]
    recovered: Annotated[Proportion, Meta(description="Of those, runs that lost none.")]
    diverged: Annotated[Proportion, Meta(description="Runs that diverged below high watermarks.")]
    inconsistent_read: Annotated[
        Proportion, Meta(description="Runs whose consumer saw what then changed.")
    ]
    unclean: Annotated[Proportion, Meta(description="Runs with an unclean election.")]
    duplicated: Annotated[Proportion, Meta(description="Runs whose final log repeats a record.")]
    records_lost: Annotated[Mean, Meta(description="Acknowledged records lost a run.")]
    unavailable: Annotated[Mean, Meta(description="Share of time without writes, 0 to 1.")]
    unreadable: Annotated[Mean, Meta(description="Share of time without a leader, 0 to 1.")]
    failed: Annotated[Mean, Meta(description="Produce requests that failed a run.")]
    elections: Mean
    isr_changes: Mean
    truncated: Annotated[Mean, Meta(description="Records that followers truncated a run.")]
    truncated_by: Annotated[dict[str, int], Meta(description="Rule → records in all runs.")]
    rules: Annotated[dict[str, int], Meta(description="Rule → runs whose events named it.")]
    lag: LagDistribution
    smallest: Annotated[
        tuple[SmallestSet, ...], Meta(description="Most frequent first, ten at most.")
    ]


class Comparison(Document, frozen=True, kw_only=True):
    """Two cells on the same seeds, that differ in one setting (McNemar's exact test)."""

    axis: str
    cells: tuple[int, int]
    values: tuple[SettingValue, SettingValue]
    pairs: Annotated[int, Meta(description="Seeds that were exercised and complete in both.")]
    both: int
    only_first: Annotated[int, Meta(description="Seeds that lost a record in the first alone.")]
    only_second: int
    p: float
    p_adjusted: Annotated[float, Meta(description="By Holm, over all comparisons.")]
    differs: Annotated[bool, Meta(description="Whether `p_adjusted` is below 1 − confidence.")]
    example_seed: Annotated[
        int | None, Meta(description="The lowest seed that lost a record in one of them alone.")
    ]


class SurvivalPoint(Document, frozen=True, kw_only=True):
    """The share of runs that still had every acknowledged record, from `at` on."""

    at: float
    survival: float
    low: float
    high: float
    runs_left: Annotated[int, Meta(description="Runs that were still observed right before.")]


class SurvivalCurve(Document, frozen=True, kw_only=True):
    """A Kaplan–Meier curve of one cell. Runs without a loss are censored at their end."""

    cell: int
    by: Annotated[
        Literal["faults", "time_ms"], Meta(description="What the axis counts: faults met, or time.")
    ]
    points: Annotated[
        tuple[SurvivalPoint, ...],
        Meta(description="A step each, the first at 0 with everything left."),
    ]
    median: Annotated[float | None, Meta(description="Null where half never lost a record.")]


class LogRank(Document, frozen=True, kw_only=True):
    """Whether the curves of two cells differ."""

    by: Literal["faults", "time_ms"]
    axis: str
    cells: tuple[int, int]
    statistic: float
    p: float
    p_adjusted: Annotated[float, Meta(description="By Holm, over all log-rank tests of `by`.")]
    differs: bool


class OddsTerm(Document, frozen=True, kw_only=True):
    """What one fault or setting multiplies the odds of a loss by, all else equal."""

    kind: Literal["fault", "setting"]
    name: Annotated[str, Meta(description="The kind of fault, or the axis.")]
    value: Annotated[SettingValue | None, Meta(description="Of a setting; null for a fault.")]
    reference: Annotated[
        SettingValue | None, Meta(description="What `value` is compared with; null for a fault.")
    ]
    runs: Annotated[int, Meta(description="Exercised runs with it.")]
    lost: Annotated[int, Meta(description="How many of them lost a record.")]
    odds_ratio: Annotated[
        float | None, Meta(description="Null where it cannot be estimated: see `reason`.")
    ]
    low: float | None
    high: float | None
    p_adjusted: Annotated[float | None, Meta(description="By Holm, over all terms.")]
    effect: Annotated[
        Literal["harms", "protects", "none", "unknown"],
        Meta(description="By `p_adjusted`; unknown where it cannot be estimated."),
    ]
    reason: Annotated[
        Literal["never_lost", "always_lost", "never_happened", "determined"] | None,
        Meta(
            description="Why there is no estimate; `determined`: by other settings, as the "
            "controller is by the release."
        ),
    ]


class Odds(Document, frozen=True, kw_only=True):
    """A logistic regression of loss on the faults of a run and the settings of its cell.

    Errors are clustered by seed, because the runs of a seed meet the same faults.
    """

    runs: int
    lost: int
    terms: Annotated[tuple[OddsTerm, ...], Meta(description="Strongest harm first.")]


class Finding(Document, frozen=True, kw_only=True):
    """Something that the numbers carry, for a headline. Which fields are there depends on `kind`.

    - `never_lost`: `cells`, all those with `settings`, lost nothing; `high` bounds the worst rate.
    - `changed`: from `values[0]` to `values[1]` of `axis` the rate fell or rose (`direction`) in
      `number` pairs of `cells`, adjusted for multiplicity.
    - `no_difference`: none of the `number` comparisons along `axis` differs; of the forest, no term
      has a clear effect.
    - `survival`: `cells[0]` is where most, or fewest, runs were left after `values[0]` faults, the
      last that 30 of its runs met; `number` is the share.
    - `odds`: the fault or setting `name` (with `values[0]`) that harms or protects most; `number`
      is its odds ratio.
    - `too_few_runs`: no cell has `number` exercised runs.
    """

    kind: Literal["never_lost", "changed", "no_difference", "survival", "odds", "too_few_runs"]
    about: Annotated[
        Literal["matrix", "survival", "forest"], Meta(description="The chart that it heads.")
    ]
    settings: Mapping[str, SettingValue] = {}
    axis: str | None = None
    values: tuple[SettingValue, ...] = ()
    cells: tuple[int, ...] = ()
    direction: Literal["fell", "rose"] | None = None
    name: str | None = None
    number: Annotated[
        float | None, Meta(description="The rate, share, odds ratio or count that it is about.")
    ] = None
    low: float | None = None
    high: float | None = None


class SampledRow(Document, frozen=True, kw_only=True):
    """A row by which anyone can check that a run is what it was: run again, it has this digest."""

    cell: int
    seed: int
    digest: str
    lost: int


class FaultModel(Document, frozen=True, kw_only=True):
    """One kind of fault as the campaign had it."""

    kind: str
    scope: Literal["broker", "rack", "cluster"]
    rates: Annotated[
        tuple[float, ...],
        Meta(description="Expected faults for each broker, rack or cluster, and step."),
    ]
    duration_ms: int
    reason: Annotated[str, Meta(description="Why the defaults are what they are, in English.")]
    runs: Annotated[int, Meta(description="Runs in which it happened.")]


class ImpossiblePoint(Document, frozen=True, kw_only=True):
    """A point of the grid that no Kafka can be, and why."""

    settings: dict[str, SettingValue]
    reason: str


class CampaignSummary(Document, frozen=True, kw_only=True):
    """A campaign: what was run, and what it came to."""

    version: int
    campaign: Annotated[
        str, Meta(description="The first 12 hexadecimal digits of its grid's SHA-256.")
    ]
    title: str
    engine: str
    finished_at: Annotated[
        str | None, Meta(description="ISO 8601 in UTC; null where it was not recorded.")
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
    multiplicity: Annotated[Literal["holm"], Meta(description="How p-values are adjusted.")]
    grid: Annotated[JsonObject, Meta(description="The grid file, from which it can be run again.")]
    axes: Annotated[
        dict[str, tuple[SettingValue, ...]],
        Meta(description="Each setting of cells with its values, in order."),
    ]
    faults: tuple[FaultModel, ...]
    cells: tuple[CellSummary, ...]
    impossible: Annotated[
        tuple[ImpossiblePoint, ...], Meta(description="Points of the grid that cannot be.")
    ]
    comparisons: tuple[Comparison, ...]
    survival: tuple[SurvivalCurve, ...]
    log_rank: tuple[LogRank, ...]
    odds: Odds
    findings: tuple[Finding, ...]
    examples: tuple[Example, ...]
    samples: Annotated[tuple[SampledRow, ...], Meta(description="A few rows of each cell.")]

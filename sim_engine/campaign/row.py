"""The result of one run of a campaign: one flat row, identical on every machine."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sim_engine.campaign.losses import Cause

ROW_VERSION = 1
"""Grows when a field changes its meaning or goes away; new fields do not change it."""

Status = Literal["complete", "censored"]

LAG_BINS = 20
"""Bin 0 counts records that committed within the same millisecond, bin k those that took from
2^(k-1) up to, and without, 2^k ms; the last bin also counts all that took longer."""


class RunRow(Struct, frozen=True, kw_only=True):
    """One run. Counts are of records unless a field says otherwise; times are virtual."""

    version: Annotated[int, Meta(description="The version of this row's format.")]
    engine: Annotated[str, Meta(description="The version of the engine.")]
    cell: Annotated[int, Meta(description="The cell of the grid, counted from 0.")]
    seed: Annotated[
        int,
        Meta(
            description="The run in its cell, counted from 0. Runs of one seed meet the same "
            "faults in every cell of a paired campaign."
        ),
    ]
    status: Annotated[
        Status,
        Meta(
            description="`censored`: the run became too long or did not settle, and counts up to "
            "there."
        ),
    ]
    exercised: Annotated[
        bool,
        Meta(
            description="Whether a record was acknowledged and a fault happened. Any other run "
            "says nothing about losses."
        ),
    ]
    digest: Annotated[
        str,
        Meta(
            description="BLAKE2b-128, in hexadecimal, of what happened when, of what became of "
            "each record, and of the final logs."
        ),
    ]
    frames: Annotated[int, Meta(description="Frames that the run made.")]
    steps: Annotated[int, Meta(description="Steps of its scenario.")]
    duration_ms: Annotated[
        int,
        Meta(description="How long faults could happen: what unavailable times are parts of."),
    ]
    produced: Annotated[int, Meta(description="Records that the producer sent, retries apart.")]
    acked: Annotated[int, Meta(description="Records that were acknowledged.")]
    failed: Annotated[int, Meta(description="Produce requests that got an error or no response.")]
    lost: Annotated[
        int, Meta(description="The number of acknowledged records that were lost permanently.")
    ]
    at_risk: Annotated[
        int, Meta(description="Acknowledged records that were at risk at some time, lost or not.")
    ]
    recovered: Annotated[int, Meta(description="How many of `at_risk` were safe in the end.")]
    duplicates: Annotated[
        int, Meta(description="Records in the final log that an earlier one repeats.")
    ]
    diverged: Annotated[
        bool,
        Meta(
            description="Whether two live replicas had different records at an offset below both "
            "high watermarks (the property LogMatching)."
        ),
    ]
    inconsistent_read: Annotated[
        bool,
        Meta(
            description="Whether the consumer saw what then changed, or skipped a record "
            "(ConsistentRead)."
        ),
    ]
    unavailable_ms: Annotated[
        int,
        Meta(
            description="How long no record could be written with the cell's acks: no leader, or "
            "with acks=all fewer in-sync replicas than min.insync.replicas."
        ),
    ]
    unreadable_ms: Annotated[int, Meta(description="How long there was no leader to read from.")]
    isr_changes: Annotated[int, Meta(description="How often the controller's ISR changed.")]
    elections: Annotated[int, Meta(description="Elections of a leader, unclean ones included.")]
    unclean_elections: Annotated[int, Meta(description="Elections from outside the ISR.")]
    truncated: Annotated[int, Meta(description="Records that followers truncated.")]
    truncated_by: Annotated[
        dict[str, int], Meta(description="Rule → how many of `truncated` it removed.")
    ]
    rules: Annotated[tuple[str, ...], Meta(description="The rules that events named, sorted.")]
    faults: Annotated[dict[str, int], Meta(description="Kind → faults that happened.")]
    fault_count: Annotated[int, Meta(description="Faults that happened.")]
    faults_before_loss: Annotated[
        int | None, Meta(description="Faults up to the first loss; null where nothing was lost.")
    ]
    lost_at_ms: Annotated[
        int | None,
        Meta(description="When the first acknowledged record was lost, from the run's start."),
    ]
    cause: Annotated[
        Cause | None, Meta(description="What cost the first lost record; null without a loss.")
    ]
    cause_rule: Annotated[
        str | None,
        Meta(description="The rule by which a copy of it was truncated last; null where none was."),
    ]
    smallest: Annotated[
        tuple[str, ...] | None,
        Meta(
            description="Kinds of the faults of which none can be left out without losing the "
            "loss; null where nothing was lost, or it was not looked for."
        ),
    ]
    lag_histogram: Annotated[
        tuple[int, ...],
        Meta(
            description="High-watermark lag: how long appended records took to be committed, as "
            "counts of `LAG_BINS` bins."
        ),
    ]
    uncommitted: Annotated[
        int, Meta(description="Appended records that were never committed at their offset.")
    ]
    max_lag: Annotated[
        int, Meta(description="The most records that a leader had above its high watermark.")
    ]

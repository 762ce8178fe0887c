"""The result of one run of a campaign: one flat row, identical on every machine."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sim_engine.invariants.losses import Cause
from sim_engine.json_types import Int32

ROW_VERSION = 1
"""Incremented when a field is removed or changes its meaning; new fields do not change it."""

Status = Literal["complete", "censored"]

LAG_BINS = 20
"""Bin 0 counts records committed in less than 1 ms. Bin k counts records that took from 2^(k-1) ms
up to, but excluding, 2^k ms. The last bin also counts all slower records.
"""


class RunRow(Struct, frozen=True, kw_only=True):
    """One run. Counts are of records unless a field says otherwise; times are virtual."""

    version: Annotated[Int32, Meta(description="The version of this row's format.")]
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
            description="`censored`: the run became too long or did not settle, and counts up to"
            " that point."
        ),
    ]
    exercised: Annotated[
        bool,
        Meta(
            description="Whether a record was acknowledged and a fault happened. Other runs do"
            " not show whether records can be lost."
        ),
    ]
    digest: Annotated[
        str,
        Meta(
            description="BLAKE2b-128, in hexadecimal, of the events with their times, the fate of"
            " each record, and the final logs."
        ),
    ]
    frames: Annotated[int, Meta(description="Frames of the run.")]
    steps: Annotated[int, Meta(description="Steps of its scenario.")]
    duration_ms: Annotated[
        int,
        Meta(
            description="The time during which faults could happen, in ms; unavailable times are"
            " parts of it."
        ),
    ]
    produced: Annotated[
        int, Meta(description="Records that the producer sent, not counting retries.")
    ]
    acked: Annotated[int, Meta(description="Records that were acknowledged.")]
    failed: Annotated[int, Meta(description="Produce requests that got an error or no response.")]
    lost: Annotated[
        int, Meta(description="The number of acknowledged records that were lost permanently.")
    ]
    at_risk: Annotated[
        int, Meta(description="Acknowledged records that were at risk at some time, lost or not.")
    ]
    recovered: Annotated[
        int, Meta(description="The number of records in `at_risk` that were safe in the end.")
    ]
    duplicates: Annotated[int, Meta(description="Duplicate records in the final log.")]
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
            description="Whether the consumer read a record that changed later, or skipped a"
            " record (ConsistentRead)."
        ),
    ]
    unavailable_ms: Annotated[
        int,
        Meta(
            description="The time, in ms, during which no record could be written with the cell's"
            " acks: there was no leader, or with acks=all fewer in-sync replicas than"
            " min.insync.replicas."
        ),
    ]
    unreadable_ms: Annotated[
        int, Meta(description="The time, in ms, during which there was no leader to read from.")
    ]
    isr_changes: Annotated[int, Meta(description="ISR changes, as committed by the controller.")]
    elections: Annotated[int, Meta(description="Leader elections, including unclean ones.")]
    unclean_elections: Annotated[int, Meta(description="Elections from outside the ISR.")]
    truncated: Annotated[int, Meta(description="Records that followers truncated.")]
    truncated_by: Annotated[
        dict[str, int],
        Meta(description="Rule → the number of records in `truncated` that it removed."),
    ]
    rules: Annotated[tuple[str, ...], Meta(description="The rules that events named, sorted.")]
    faults: Annotated[
        dict[str, int], Meta(description="Kind → the number of faults that happened.")
    ]
    fault_count: Annotated[int, Meta(description="Faults that happened.")]
    faults_before_loss: Annotated[
        int | None, Meta(description="Faults up to the first loss; null if nothing was lost.")
    ]
    lost_at_ms: Annotated[
        int | None,
        Meta(
            description="The time from the run's start to the loss of the first acknowledged"
            " record, in ms; null if nothing was lost."
        ),
    ]
    cause: Annotated[
        Cause | None, Meta(description="The cause of the first loss; null without a loss.")
    ]
    cause_rule: Annotated[
        str | None,
        Meta(
            description="The rule that last truncated a copy of the first lost record; null if no"
            " copy was truncated."
        ),
    ]
    smallest: Annotated[
        tuple[str, ...] | None,
        Meta(
            description="The kinds of a smallest set of faults that still causes the loss; null"
            " if nothing was lost or no such set was searched for."
        ),
    ]
    lag_histogram: Annotated[
        tuple[int, ...],
        Meta(
            description="High-watermark lag: the time from append to commit, as counts of"
            " `LAG_BINS` bins."
        ),
    ]
    uncommitted: Annotated[
        int, Meta(description="Appended records that were never committed at their offset.")
    ]
    max_lag: Annotated[
        int, Meta(description="The most records that a leader had above its high watermark.")
    ]

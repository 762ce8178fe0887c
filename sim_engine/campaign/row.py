"""The result of one run of a campaign: one flat row, identical on every machine."""

from typing import Literal

from msgspec import Struct

from sim_engine.invariants.fates import Cause
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

    version: Int32
    """The version of this row's format."""
    engine: str
    """The version of the engine."""
    cell: int
    """The cell of the grid, counted from 0."""
    seed: int
    """The run in its cell, counted from 0. Runs of one seed meet the same faults in every cell of a
    paired campaign."""
    status: Status
    """`censored`: the run became too long or did not settle, and counts up to that point."""
    exercised: bool
    """Whether a record was acknowledged and a fault happened. Other runs do not show whether
    records can be lost."""
    digest: str
    """BLAKE2b-128, in hexadecimal, of the events with their times, the fate of each record, and the
    final logs."""
    frames: int
    """Frames of the run."""
    steps: int
    """Steps of its scenario."""
    duration_ms: int
    """The time during which faults could happen, in ms; unavailable times are parts of it."""
    produced: int
    """Records that the producer sent, not counting retries."""
    acked: int
    """Records that were acknowledged."""
    failed: int
    """Produce requests that got an error or no response."""
    lost: int
    """The number of acknowledged records that were lost permanently."""
    at_risk: int
    """Acknowledged records that were at risk at some time, lost or not."""
    recovered: int
    """The number of records in `at_risk` that were safe in the end."""
    duplicates: int
    """Duplicate records in the final log."""
    diverged: bool
    """Whether two live replicas had different records at an offset below both high watermarks (the
    property LogMatching)."""
    inconsistent_read: bool
    """Whether the consumer read a record that changed later, or skipped a record
    (ConsistentRead)."""
    unavailable_ms: int
    """The time, in ms, during which no record could be written with the cell's acks: there was no
    leader, or with acks=all fewer in-sync replicas than min.insync.replicas."""
    unreadable_ms: int
    """The time, in ms, during which there was no leader to read from."""
    isr_changes: int
    """ISR changes, as committed by the controller."""
    elections: int
    """Leader elections, including unclean ones."""
    unclean_elections: int
    """Elections from outside the ISR."""
    truncated: int
    """Records that followers truncated."""
    truncated_by: dict[str, int]
    """Rule → the number of records in `truncated` that it removed."""
    rules: tuple[str, ...]
    """The rules that events named, sorted."""
    faults: dict[str, int]
    """Kind → the number of faults that happened."""
    fault_count: int
    """Faults that happened."""
    faults_before_loss: int | None
    """Faults up to the first loss; null if nothing was lost."""
    lost_at_ms: int | None
    """The time from the run's start to the loss of the first acknowledged record, in ms; null if
    nothing was lost."""
    cause: Cause | None
    """The cause of the first loss; null without a loss."""
    cause_rule: str | None
    """The rule that last truncated a copy of the first lost record; null if no copy was
    truncated."""
    smallest: tuple[str, ...] | None
    """The kinds of a smallest set of faults that still causes the loss; null if nothing was lost or
    no such set was searched for."""
    lag_histogram: tuple[int, ...]
    """High-watermark lag: the time from append to commit, as counts of `LAG_BINS` bins."""
    uncommitted: int
    """Appended records that were never committed at their offset."""
    max_lag: int
    """The most records that a leader had above its high watermark."""

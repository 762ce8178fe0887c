"""The result of one run of a campaign: one flat row, identical on every machine, and the measures
from which it is computed. They are collected while the run is played, frame by frame, from events
and states."""

import hashlib
from typing import Literal

import msgspec
from msgspec import Struct

from sim_engine.campaign.grid import PARTITION, Cell
from sim_engine.cluster.state import ClusterState
from sim_engine.events.base import Event
from sim_engine.events.controller import LeaderElected
from sim_engine.events.isr import IsrChangesKept
from sim_engine.events.log import LogTruncated, RecordsAtRisk
from sim_engine.events.run import DidNotSettle
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, FrameNumber, Offset, TimeMs
from sim_engine.invariants.fates import Cause, Losses
from sim_engine.invariants.observation import legitimate_leader, observe, start_history
from sim_engine.invariants.safety import evaluate
from sim_engine.json_types import Int32
from sim_engine.simulation.step_execution import ExecutedAction

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


class Measures:
    """The measures of a run so far. Call `watch` for each frame and `finish` at the end."""

    def __init__(self, cell: Cell, cluster: ClusterState, horizon_ms: int) -> None:
        self.losses = Losses()
        self.is_censored = False
        """Whether the run did not settle, or became too long."""
        self.lost_at_ms: int | None = None
        self.unavailable_ms = 0
        self.unreadable_ms = 0
        self.isr_changes = 0
        self.elections = 0
        self.unclean_elections = 0
        self.truncated_by: dict[str, int] = {}
        self.rules: set[str] = set()
        self.at_risk: set[str] = set()
        self.max_lag = 0
        self.lag_histogram = [0] * LAG_BINS
        self._cell = cell
        self._start_ms = cluster.now_ms
        self._end_ms = cluster.now_ms + horizon_ms
        self._frame = FIRST_FRAME
        self._cluster = cluster
        self._history = start_history(cluster)
        self._verdicts = evaluate(self._history, cluster, FIRST_FRAME, {})
        self._digest = hashlib.blake2b(digest_size=16)
        self._encode = msgspec.json.Encoder().encode
        self._appended_ms: list[int] = []
        """For each uncommitted offset: the time at which its record was first appended."""

    def watch(self, executed: ExecutedAction) -> None:
        """Add the events and the duration of one more frame."""
        before, after = self._cluster, executed.transition.cluster
        self._frame = FrameNumber(self._frame + 1)
        self._pass_time(before, after.now_ms)
        self._history = observe(self._history, before, after, self._frame)
        self._verdicts = evaluate(self._history, after, self._frame, self._verdicts)
        events = executed.transition.events
        for happened in events:
            self._see(happened)
        # An early check of ISR changes changes nothing, and digests are older than its trace.
        described = [
            (happened.kind, happened.variant)
            for happened in events
            if not isinstance(happened, IsrChangesKept)
        ]
        self._digest.update(self._encode((after.now_ms, described)))
        if after.brokers is not before.brokers or after.controller is not before.controller:
            self._look_at_leader(after)
            was = before.controller.partition(PARTITION).isr
            self.isr_changes += after.controller.partition(PARTITION).isr != was
        if self.losses.first is not None and self.lost_at_ms is None:
            self.lost_at_ms = after.now_ms - self._start_ms
        self._cluster = after

    def has_violated(self, name: str) -> bool:
        """Whether a property has been violated."""
        return self._verdicts[name].status == "violated"

    def finish(self, cluster: ClusterState) -> str:
        """Add the time up to the end, and return the digest of the run."""
        self._pass_time(self._cluster, cluster.now_ms)
        self._cluster = cluster
        for produced in cluster.clients.produced:
            came_to = (produced.value, produced.offset, produced.outcome, produced.error)
            self._digest.update(self._encode((*came_to, produced.acked_frame, produced.fate)))
        for consumed in cluster.clients.consumed:
            self._digest.update(self._encode((consumed.offset, consumed.id, consumed.frame)))
        for broker in cluster.brokers:
            for replica in broker.replicas:
                log = [(record.offset, record.epoch, record.id) for record in replica.log.records]
                self._digest.update(self._encode((broker.process, log, replica.high_watermark)))
        return self._digest.hexdigest()

    def _see(self, happened: Event) -> None:
        self.losses.see(happened)
        if happened.rule is not None:
            self.rules.add(happened.rule)
        if isinstance(happened, LogTruncated):
            rule = happened.rule or happened.variant
            self.truncated_by[rule] = self.truncated_by.get(rule, 0) + len(happened.values)
        elif isinstance(happened, LeaderElected):
            self.elections += 1
            self.unclean_elections += happened.variant == "unclean"
        elif isinstance(happened, RecordsAtRisk):
            self.at_risk.update(happened.values)
        elif isinstance(happened, DidNotSettle):
            self.is_censored = True

    def _pass_time(self, cluster: ClusterState, until_ms: int) -> None:
        """Count the time since the last frame, in which the cluster did not change. Repair and
        settling at the end do not count.
        """
        passed_ms = min(until_ms, self._end_ms) - min(cluster.now_ms, self._end_ms)
        if passed_ms <= 0:
            return
        leader = legitimate_leader(cluster, cluster.controller.partition(PARTITION))
        running = leader is not None and cluster.broker(leader.broker_id).running
        self.unreadable_ms += 0 if running else passed_ms
        self.unavailable_ms += 0 if running and self._takes_writes(cluster) else passed_ms

    def _takes_writes(self, cluster: ClusterState) -> bool:
        if self._cell.acks != "all":
            return True
        needed = cluster.settings_of(PARTITION).min_insync_replicas
        return len(cluster.controller.partition(PARTITION).isr) >= needed

    def _look_at_leader(self, cluster: ClusterState) -> None:
        registration = cluster.controller.partition(PARTITION)
        if registration.leader == NO_LEADER:
            return
        leader = legitimate_leader(cluster, registration)
        if leader is None:
            return
        # Later records replace those of a deposed leader beyond the new leader's log end offset.
        del self._appended_ms[max(leader.log_end_offset, self.committed) :]
        while len(self._appended_ms) < leader.log_end_offset:
            self._appended_ms.append(cluster.now_ms)
        self.max_lag = max(self.max_lag, leader.log_end_offset - leader.high_watermark)
        self._commit(cluster.now_ms)

    def _commit(self, now_ms: TimeMs) -> None:
        """Count the records that have been committed since the last frame."""
        committed = self._history.committed[0].log_end_offset
        for offset in range(self.committed, min(committed, Offset(len(self._appended_ms)))):
            lag_ms = now_ms - self._appended_ms[offset]
            self.lag_histogram[min(lag_ms.bit_length(), LAG_BINS - 1)] += 1

    @property
    def committed(self) -> int:
        """The number of offsets whose record has been committed."""
        return sum(self.lag_histogram)

    @property
    def appended(self) -> int:
        """The highest log end offset of any leader."""
        return len(self._appended_ms)

"""Counts and times that are collected while a run is played, frame by frame, from events and
states.
"""

import hashlib

import msgspec

from sim_engine.campaign.cell_scenario import PARTITION
from sim_engine.campaign.grid import Cell
from sim_engine.campaign.row import LAG_BINS
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event
from sim_engine.events.election import LeaderElected
from sim_engine.events.isr import IsrChangesKept
from sim_engine.events.log import LogTruncated, RecordsAtRisk
from sim_engine.events.run import DidNotSettle
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, FrameNumber, Offset, TimeMs
from sim_engine.invariants import PROPERTY_NAMES, evaluate, observe, start_history
from sim_engine.invariants.fates import Losses
from sim_engine.invariants.observation import legitimate_leader
from sim_engine.simulation.step_execution import ExecutedAction

_WATCHED = {name: PROPERTY_NAMES.index(name) for name in ("LogMatching", "ConsistentRead")}


class Measures:
    """The measures of a run so far. Call `watch` for each frame and `finish` at the end."""

    def __init__(self, cell: Cell, cluster: ClusterState, horizon_ms: int) -> None:
        self.losses = Losses()
        self.did_settle = True
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
        self._verdicts = evaluate(self._history, cluster, FIRST_FRAME, ())
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
        told = [
            (happened.kind, happened.variant)
            for happened in events
            if not isinstance(happened, IsrChangesKept)
        ]
        self._digest.update(self._encode((after.now_ms, told)))
        if after.brokers is not before.brokers or after.controller is not before.controller:
            self._look_at_leader(after)
            was = before.controller.partition(PARTITION).isr
            self.isr_changes += after.controller.partition(PARTITION).isr != was
        if self.losses.first is not None and self.lost_at_ms is None:
            self.lost_at_ms = after.now_ms - self._start_ms
        self._cluster = after

    def has_violated(self, name: str) -> bool:
        """Whether LogMatching or ConsistentRead has been violated."""
        return self._verdicts[_WATCHED[name]].status == "violated"

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
            self.did_settle = False

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

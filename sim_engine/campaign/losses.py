"""Tracks the copies of records, to determine the cause of each loss."""

import copy
from typing import Literal

from sim_engine.events import Event
from sim_engine.events.election import LeaderElected
from sim_engine.events.log import LogTruncated, RecordLost, UnflushedRecordsLost
from sim_engine.events.metadata import DepositionMissed
from sim_engine.events.process import DiskLost

Cause = Literal[
    "power_loss",
    "disk_loss",
    "unclean_election",
    "missed_metadata",
    "leader_only",
    "protocol_rule",
]
"""What cost the first acknowledged record that a run lost, in the smallest set of faults.

The first of these that applies: a power loss or a disk loss took a copy of that record; a leader
was elected from outside the ISR; a leader never heard that it was deposed; the record was
acknowledged with acks=1, so by the leader alone. Otherwise replication itself lost it, by the
version's rules.
"""


class Losses:
    """The first loss of an acknowledged record, and what led to it. Events are shown in order."""

    def __init__(self) -> None:
        self.first: RecordLost | None = None
        self.cause: Cause | None = None
        self.rule: str | None = None
        self._by_power: set[str] = set()
        self._by_disk: set[str] = set()
        self._truncated_by: dict[str, str | None] = {}
        self._unclean = False
        self._missed = False

    def copy(self) -> "Losses":
        """The same up to here, for a run that goes on otherwise."""
        other = copy.copy(self)
        other._by_power = {*self._by_power}
        other._by_disk = {*self._by_disk}
        other._truncated_by = {**self._truncated_by}
        return other

    def see(self, happened: Event) -> None:
        """Take note of one event."""
        if self.first is not None:
            return
        if isinstance(happened, UnflushedRecordsLost):
            self._by_power.update(happened.values)
        elif isinstance(happened, DiskLost):
            records = () if happened.evidence is None else happened.evidence.records
            self._by_disk.update(record.value for record in records)
        elif isinstance(happened, LogTruncated):
            self._truncated_by.update(dict.fromkeys(happened.values, happened.rule))
        elif isinstance(happened, LeaderElected):
            self._unclean = self._unclean or happened.variant == "unclean"
        elif isinstance(happened, DepositionMissed):
            self._missed = True
        elif isinstance(happened, RecordLost) and happened.variant in ("acked", "replaced"):
            self.first = happened
            self.cause = self._cause_of(happened)
            self.rule = self._truncated_by.get(happened.value)

    def _cause_of(self, lost: RecordLost) -> Cause:
        if lost.value in self._by_power:
            return "power_loss"
        if lost.value in self._by_disk:
            return "disk_loss"
        if self._unclean:
            return "unclean_election"
        if self._missed:
            return "missed_metadata"
        return "leader_only" if lost.acks == 1 else "protocol_rule"

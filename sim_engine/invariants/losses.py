"""Determines why a run lost acknowledged records. This is the only place that does: for the runs
of campaigns, for shared runs as they are played, and for their stored events.
"""

import copy
from typing import Annotated

from msgspec import Meta

from sim_engine.actions import DiskLoss, PowerLoss, name_of
from sim_engine.events import Event
from sim_engine.events.election import LeaderElected
from sim_engine.events.log import LogTruncated, RecordLost, UnflushedRecordsLost
from sim_engine.events.metadata import DepositionMissed
from sim_engine.events.process import DiskLost
from sim_engine.identifiers import TopicPartition

POWER_LOSS = name_of(PowerLoss)
DISK_LOSS = name_of(DiskLoss)
LOSS_CAUSES = (
    POWER_LOSS,
    DISK_LOSS,
    "unclean_election",
    "missed_metadata",
    "leader_only",
    "protocol_rule",
)
Cause = Annotated[str, Meta(extra_json_schema={"enum": list(LOSS_CAUSES)})]
"""The causes of the first loss of an acknowledged record.

The first of these that applies: a power loss or a disk loss destroyed a copy of that record; its
partition elected a leader from outside the ISR; a leader of its partition did not learn that it was
deposed; the record was acknowledged with acks=1, by the leader alone. Otherwise replication itself
lost it, according to the version's rules.
"""


class Losses:
    """Tracks the first loss of an acknowledged record and its cause. Events must be passed in
    order.
    """

    EVENTS: tuple[type[Event], ...] = (
        UnflushedRecordsLost,
        DiskLost,
        LogTruncated,
        LeaderElected,
        DepositionMissed,
        RecordLost,
    )
    """The events on which a cause depends; `see` ignores all others."""

    def __init__(self) -> None:
        self.first: RecordLost | None = None
        self.cause: Cause | None = None
        self.rule: str | None = None
        self._by_power: set[tuple[TopicPartition, str]] = set()
        self._by_disk: set[str] = set()
        self._truncated_by: dict[tuple[TopicPartition, str], str | None] = {}
        self._unclean: set[TopicPartition] = set()
        self._missed: set[TopicPartition] = set()

    def copy(self) -> "Losses":
        """A copy of the state so far, for a run that continues differently."""
        other = copy.copy(self)
        other._by_power = {*self._by_power}
        other._by_disk = {*self._by_disk}
        other._truncated_by = {**self._truncated_by}
        other._unclean = {*self._unclean}
        other._missed = {*self._missed}
        return other

    def see(self, happened: Event) -> None:
        """Update the state with the next event."""
        if self.first is not None:
            return
        if isinstance(happened, UnflushedRecordsLost):
            self._by_power.update((happened.partition, value) for value in happened.values)
        elif isinstance(happened, DiskLost):
            records = () if happened.subject is None else happened.subject.records
            self._by_disk.update(record.value for record in records)
        elif isinstance(happened, LogTruncated):
            for value in happened.values:
                self._truncated_by[happened.partition, value] = happened.rule
        elif isinstance(happened, LeaderElected):
            if happened.variant == "unclean":
                self._unclean.add(happened.partition)
        elif isinstance(happened, DepositionMissed):
            self._missed.add(happened.partition)
        elif isinstance(happened, RecordLost) and happened.variant in ("acked", "replaced"):
            self.first = happened
            self.cause = self._cause_of(happened)
            self.rule = self._truncated_by.get((happened.partition, happened.value))

    def _cause_of(self, lost: RecordLost) -> Cause:
        if (lost.partition, lost.value) in self._by_power:
            return POWER_LOSS
        if lost.value in self._by_disk:
            return DISK_LOSS
        if lost.partition in self._unclean:
            return "unclean_election"
        if lost.partition in self._missed:
            return "missed_metadata"
        return "leader_only" if lost.acks == 1 else "protocol_rule"

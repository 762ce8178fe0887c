"""Compares the records that a KRaft controller wrote about the partition."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import UNSET, Struct, convert, to_builtins
from msgspec.structs import replace

from sim_engine.conformance.difference import Compared, compared
from sim_engine.conformance.recording import TOPIC, Recording
from sim_engine.conformance.recording_file import PartitionRecord
from sim_engine.events.controller import MetadataRecordsWritten
from sim_engine.events.metadata_records import PartitionChangeRecord
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.simulation.step_execution import ExecutedAction


def created_record(registration: PartitionRegistration) -> PartitionRecord:
    """The record that a KRaft controller writes for a new partition."""
    return PartitionRecord(
        record="PartitionRecord",
        leader=registration.leader,
        isr=list(registration.isr),
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
    )


def written_records(executed: Sequence[ExecutedAction]) -> list[PartitionRecord]:
    """The engine's records about the watched partition in these frames."""
    return [
        _as_recorded(record)
        for one in executed
        for happened in one.transition.events
        if isinstance(happened, MetadataRecordsWritten)
        for record in happened.records
        if isinstance(record, PartitionChangeRecord) and record.partition == TOPIC
    ]


def _as_recorded(record: PartitionChangeRecord) -> PartitionRecord:
    fields = to_builtins(record)
    del fields["partition"]
    return convert(fields, PartitionRecord)


def compare_metadata_records(
    recording: Recording, number: int, written: list[PartitionRecord]
) -> Iterator[Compared]:
    """Compare the sequence of PartitionRecord and PartitionChangeRecord.

    Registrations are not compared. Replicas may join the ISR in any order if the recording states
    so, or if the run was made only once, so that nothing shows which steps are races.
    """
    recorded = recording.steps[number].metadata_records
    if recorded is None:
        return
    may_race = number in recording.unordered_isr_steps or not recording.repeated
    raced = may_race and _same_but_for_who_joined_first(
        _isr_before(recording, number), recorded, written
    )
    yield compared("metadata_records", recorded, written, held=recorded == written or not raced)


def _isr_before(recording: Recording, number: int) -> list[BrokerId] | None:
    """The ISR recorded before a step; `None` if it was not read."""
    saw = recording.steps[number - 1].saw if number else None
    return None if saw is None else saw.isr


def _same_but_for_who_joined_first(
    before: list[BrokerId] | None, expected: list[PartitionRecord], got: list[PartitionRecord]
) -> bool:
    """Whether two sequences differ only in the order in which replicas joined the ISR.

    Members may differ only while it grows by one at a time in both, from what it was before the
    race to the same members in both. The last one to join may complete a reassignment: the record
    then has the new replicas, and the removed ones leave the ISR.
    """
    if [_without_members(record) for record in expected] != [
        _without_members(record) for record in got
    ]:
        return False
    chains = [
        [_Isr(before), *(_isr_of(record) for record in records if record.isr is not UNSET)]
        for records in (expected, got)
    ]
    return all(
        sorted(recorded.members) == sorted(ours.members)
        or (
            place + 1 < len(chains[0])
            and all(_joins_one_by_one(chain[place - 1 : place + 2]) for chain in chains)
        )
        for place, (recorded, ours) in enumerate(zip(*chains, strict=True))
        if recorded.members is not None and ours.members is not None
    )


class _Isr(Struct, frozen=True):
    """The ISR after a record; `None` if it was not read. `replicas` are those of the record if it
    changes them.
    """

    members: list[BrokerId] | None
    replicas: list[BrokerId] | None = None

    def without_removed(self, members: set[BrokerId]) -> set[BrokerId]:
        """Those of these members that this record does not remove."""
        return members if self.replicas is None else members & {*self.replicas}


def _isr_of(record: PartitionRecord) -> _Isr:
    assert record.isr is not UNSET, "filtered before"
    return _Isr(record.isr, None if record.replicas is UNSET else record.replicas)


def _without_members(record: PartitionRecord) -> PartitionRecord:
    """The record with its ISR reduced to its size: the values that must be equal in order."""
    return record if record.isr is UNSET else replace(record, isr=[len(record.isr)])


def _joins_one_by_one(isrs: Sequence[_Isr]) -> bool:
    """Whether each recorded ISR has one more member than the previous one, apart from those that a
    completed reassignment removes.
    """
    for earlier, later in pairwise(isrs):
        if earlier.members is None or later.members is None:
            continue
        stay = later.without_removed({*earlier.members})
        if not stay < {*later.members} or len(later.members) != len(stay) + 1:
            return False
    return True

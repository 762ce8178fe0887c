"""Where each leader epoch starts in a log (Kafka: `LeaderEpochFileCache`, KIP-101).

A cache is a tuple of `(epoch, start_offset)`, oldest first. Two generations of rules exist: up to
2.0.0 only an append adds an entry; from 2.0.1 (KAFKA-7415) a leader adds one when it takes over,
and entries that conflict with a new one are removed.
"""

from sim_engine.identifiers import UNDEFINED_EPOCH, UNDEFINED_OFFSET, LeaderEpoch, Offset
from sim_engine.kafka_history import Rules

EpochEntries = tuple[tuple[LeaderEpoch, Offset], ...]
EpochEndOffset = tuple[LeaderEpoch, Offset]

UNDEFINED_END: EpochEndOffset = (UNDEFINED_EPOCH, UNDEFINED_OFFSET)


def latest_epoch(entries: EpochEntries) -> LeaderEpoch:
    """The latest epoch; `UNDEFINED_EPOCH` (-1) if there is none."""
    return entries[-1][0] if entries else UNDEFINED_EPOCH


def assign(entries: EpochEntries, epoch: LeaderEpoch, start: Offset, rules: Rules) -> EpochEntries:
    """Add an entry: the first record of `epoch` is at offset `start`. Returns the same object if it
    adds nothing.
    """
    if not rules.assign_epoch_at_leader:
        if entries and (epoch <= entries[-1][0] or start < entries[-1][1]):
            return entries
        return (*entries, (epoch, start))
    if entries and epoch == entries[-1][0] and start >= entries[-1][1]:
        return entries
    kept = entries
    while kept and (kept[-1][0] >= epoch or kept[-1][1] >= start):
        kept = kept[:-1]
    return (*kept, (epoch, start))


def truncate_from_end(entries: EpochEntries, offset: Offset) -> EpochEntries:
    """Remove the epochs that start at `offset` or later; -1 removes none."""
    if offset < 0:
        return entries
    return tuple(entry for entry in entries if entry[1] < offset)


def truncate_from_start(entries: EpochEntries, offset: Offset) -> EpochEntries:
    """Remove the epochs that end before the log's new start; the epoch that contains it starts
    there.
    """
    if offset < 0:
        return entries
    dropped = [entry for entry in entries if entry[1] <= offset]
    if not dropped:
        return entries
    kept = entries[len(dropped) :]
    return ((dropped[-1][0], offset), *kept)


def end_offset_for(
    entries: EpochEntries, requested: LeaderEpoch, log_end_offset: Offset, rules: Rules
) -> EpochEndOffset:
    """The end offset of epoch `requested` in this log, with the epoch that it belongs to.

    (-1, -1) if undefined. With KIP-101 alone the response contains only the offset, so the epoch is
    undefined even if the offset is known.
    """
    epoch, offset = _end_offset(entries, requested, log_end_offset, rules)
    if not rules.iterative_epoch_truncation:
        return (UNDEFINED_EPOCH, offset)
    return (epoch, offset)


def _end_offset(
    entries: EpochEntries, requested: LeaderEpoch, log_end_offset: Offset, rules: Rules
) -> EpochEndOffset:
    if requested == UNDEFINED_EPOCH:
        # Before KAFKA-6857 "no epoch" was the latest epoch of an empty cache: the log's end.
        if not entries and not rules.no_epoch_has_no_end:
            return (UNDEFINED_EPOCH, log_end_offset)
        return UNDEFINED_END
    if not entries or requested > entries[-1][0]:
        return UNDEFINED_END
    if requested == entries[-1][0]:
        return (requested, log_end_offset)
    if requested < entries[0][0]:
        return (requested, entries[0][1]) if rules.assign_epoch_at_leader else UNDEFINED_END
    floor = max(entry for entry in entries if entry[0] <= requested)
    following = min(entry for entry in entries if entry[0] > requested)
    return (floor[0], following[1])

"""Append records to a log, on leaders and on followers (`UnifiedLog.append`)."""

from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.events.log import EpochAssigned
from sim_engine.protocol.log.leader_epoch_cache import assign
from sim_engine.protocol.log.replica_log import append
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import Replica, flush_after_append
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.records import Record


def append_records(
    replica: Replica, records: tuple[Record, ...], *, settings: PartitionSettings
) -> Outcome:
    """Append records to a replica's log and add the epoch of each batch to the epoch cache
    (KIP-101).

    The offsets of `records` must continue the log. The log is flushed if
    log.flush.interval.messages requires it. The outcome has one event for each epoch added to the
    cache, and no messages.
    """
    rules = settings.profile.rules
    epoch_cache = replica.epoch_cache
    events: list[Event] = []
    for record in records:
        if record.epoch is None:
            continue
        assigned = assign(epoch_cache, record.epoch, record.offset, rules)
        if assigned != epoch_cache:
            events.append(
                EpochAssigned(
                    variant="append",
                    rule="KIP-101",
                    sources=("KIP-101", "LeaderEpochFileCache"),
                    broker=replica.broker_id,
                    partition=replica.partition,
                    epoch=record.epoch,
                    start_offset=record.offset,
                )
            )
        epoch_cache = assigned
    replica = replace(replica, log=append(replica.log, *records), epoch_cache=epoch_cache)
    return Outcome(
        replica=flush_after_append(replica, settings.flush_messages), events=tuple(events)
    )

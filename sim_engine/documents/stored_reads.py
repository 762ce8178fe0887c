"""The reads of consumers in states that were stored as JSON before reads had `changed`."""

from typing import Any, cast

import msgspec
from msgspec import Struct


class _Record(Struct):
    offset: int
    value: str


class _Replica(Struct):
    log: list[_Record]


class _Partition(Struct):
    leader: int


class _Read(Struct):
    partition: str
    offset: int
    value: str


class _Clients(Struct):
    consumed: list[_Read]


class _State(Struct):
    """The fields of a state's document from which `changed` is determined."""

    partitions: dict[str, _Partition]
    replicas: dict[str, dict[str, _Replica]]
    clients: _Clients


def with_changed_reads(stored: object) -> object:
    """A stored state, with `changed` in each read at whose offset the controller's leader has a
    record with another value: stored reads do not name their record. Without such a read, the same
    object. Raises msgspec.ValidationError if it is no state.
    """
    state = msgspec.convert(stored, _State)
    changed = {
        index: value
        for index, read in enumerate(state.clients.consumed)
        if (value := _value_now(state, read)) not in (None, read.value)
    }
    if not changed:
        return stored
    whole = cast("dict[str, Any]", stored)
    reads = [
        {**read, "changed": changed[index]} if index in changed else read
        for index, read in enumerate(whole["clients"]["consumed"])
    ]
    return {**whole, "clients": {**whole["clients"], "consumed": reads}}


def _value_now(state: _State, read: _Read) -> str | None:
    leader = state.partitions[read.partition].leader
    replica = state.replicas[read.partition].get(str(leader))
    log = [] if replica is None else replica.log
    return next((record.value for record in log if record.offset == read.offset), None)

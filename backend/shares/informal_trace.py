"""A share as a trace for TLA+ tools: the Informal Trace Format of Apalache (ADR-015).

The variables are those of a specification of replication, not the whole state of a frame. A TLA+
function is a map in the trace; an unknown value is -1, as in Kafka. No field has the name of a
keyword of Python or TLA+, because readers of traces make classes and records of them.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from backend.frames.packing import unpacked
from backend.shares import transcript
from backend.shares.share import Share
from sim_engine import (
    FrameDocument,
    LogRecordDocument,
    ReplicaDocument,
    StateDocument,
    read_frame,
    values_with,
)

_UNKNOWN = -1
_VARIABLES = (
    "action",
    "brokerState",
    "leader",
    "leaderEpoch",
    "isr",
    "role",
    "log",
    "logEndOffset",
    "highWatermark",
    "inFlight",
    "acked",
    "atRisk",
    "lost",
    "violated",
    "timeMs",
)

Value = object
"""A value of the format: a string, a number, a list, a record, or one of the marked forms."""


def itf(share: Share, lang: str) -> bytes:
    """Return the whole branch as JSON, with one state for each frame."""
    frames = enumerate(map(read_frame, unpacked(share.entries)))
    return msgspec.json.encode(
        {
            "#meta": {
                "format": "ITF",
                "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
                "description": "\n\n".join(
                    words
                    for words in (transcript.in_language(share.title, lang), share.note)
                    if words
                ),
                "source": f"Highwater {share.engine}, share {share.sid}, Kafka {share.kafka}",
            },
            "params": [],
            "vars": list(_VARIABLES),
            "states": [{"#meta": {"index": index}, **_state(frame)} for index, frame in frames],
        }
    )


def _state(frame: FrameDocument) -> dict[str, Value]:
    state = frame.state
    produced = state.clients.produced
    return {
        "action": next(iter(frame.action or {"Init": None})),
        "brokerState": _by_number({broker: found.state for broker, found in state.brokers.items()}),
        "leader": _map((name, found.leader) for name, found in state.partitions.items()),
        "leaderEpoch": _map((name, found.leader_epoch) for name, found in state.partitions.items()),
        "isr": _map((name, _set(found.isr)) for name, found in state.partitions.items()),
        "role": _of_replicas(state, lambda replica: replica.role),
        "log": _of_replicas(state, lambda replica: _log(replica.log)),
        "logEndOffset": _of_replicas(state, lambda replica: replica.log_end_offset),
        "highWatermark": _of_replicas(state, lambda replica: _known(replica.high_watermark)),
        "inFlight": _set(
            {
                "id": message.id,
                "kind": message.kind,
                "sender": str(message.from_),
                "receiver": str(message.to),
            }
            for message in state.in_flight
        ),
        "acked": _set(
            sorted({record.value for record in produced if record.acked_frame is not None})
        ),
        "atRisk": _set(values_with(state.clients, "at_risk")),
        "lost": _set(values_with(state.clients, "lost")),
        "violated": _set(
            name
            for name, found in frame.properties.items()
            if found.status == "violated" and found.until_frame is None
        ),
        "timeMs": state.time_ms,
    }


def _log(records: Sequence[LogRecordDocument]) -> list[Value]:
    return [
        {"offset": record.offset, "epoch": _known(record.epoch), "value": record.value}
        for record in records
    ]


def _known(number: int | None) -> int:
    return _UNKNOWN if number is None else number


def _of_replicas(state: StateDocument, value: Callable[[ReplicaDocument], Value]) -> Value:
    """A function of partitions, whose values are functions of brokers."""
    return _map(
        (name, _by_number({broker: value(replica) for broker, replica in replicas.items()}))
        for name, replicas in state.replicas.items()
    )


def _by_number(values: dict[str, Value]) -> Value:
    """A map whose keys are broker ids, as numbers."""
    return _map((int(broker), value) for broker, value in values.items())


def _map(pairs: Iterable[tuple[Value, Value]]) -> Value:
    return {"#map": [list(pair) for pair in pairs]}


def _set(values: Iterable[Value]) -> Value:
    return {"#set": list(values)}

"""A share as a trace for tools of TLA+: the Informal Trace Format of Apalache (ADR-015).

The variables are those of a specification of replication, and not the whole state of a frame. Where
TLA+ has a function the trace has a map; what is unknown is -1, as in Kafka.
"""

from collections.abc import Iterable, Sequence

import msgspec

from backend.frames.packing import StoredFrame, unpacked
from backend.shares import transcript
from backend.shares.shown import Share
from sim_engine import JsonView

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
    "lost",
    "violated",
    "timeMs",
)

Value = object
"""A value of the format: a string, a number, a list, a record, or one of the marked forms."""


def itf(share: Share, lang: str) -> bytes:
    """The whole branch as JSON, a state for each frame."""
    frames = enumerate(unpacked(share.entries))
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


def _state(frame: StoredFrame) -> dict[str, Value]:
    state = frame["state"]
    partitions, replicas = state["partitions"], state["replicas"]
    produced = state["clients"]["produced"]
    acked = [record for record in produced if record["acked_frame"] is not None]
    return {
        "action": next(iter(frame["action"] or {"Init": None})),
        "brokerState": _by_number(
            {broker: found["state"] for broker, found in state["brokers"].items()}
        ),
        "leader": _map((name, found["leader"]) for name, found in partitions.items()),
        "leaderEpoch": _map((name, found["leader_epoch"]) for name, found in partitions.items()),
        "isr": _map((name, _set(found["isr"])) for name, found in partitions.items()),
        "role": _of_replicas(replicas, "role"),
        "log": _map(
            (name, _by_number({broker: _log(one["log"]) for broker, one in found.items()}))
            for name, found in replicas.items()
        ),
        "logEndOffset": _of_replicas(replicas, "log_end_offset"),
        "highWatermark": _of_replicas(replicas, "high_watermark"),
        "inFlight": _set(
            {
                "id": message["id"],
                "kind": message["kind"],
                "from": str(message["from"]),
                "to": str(message["to"]),
            }
            for message in state["in_flight"]
        ),
        "acked": _set(sorted({record["value"] for record in acked})),
        "lost": _set(sorted({r["value"] for r in acked if r["lost_frame"] is not None})),
        "violated": _set(
            name
            for name, found in frame["properties"].items()
            if found["status"] == "violated" and found.get("until_frame") is None
        ),
        "timeMs": state["time_ms"],
    }


def _log(records: Sequence[JsonView]) -> list[Value]:
    return [
        {
            "offset": record["offset"],
            "epoch": _UNKNOWN if record["epoch"] is None else record["epoch"],
            "value": record["value"],
        }
        for record in records
    ]


def _of_replicas(replicas: JsonView, name: str) -> Value:
    return _map(
        (
            partition,
            _by_number(
                {broker: _UNKNOWN if one[name] is None else one[name] for broker, one in of.items()}
            ),
        )
        for partition, of in replicas.items()
    )


def _by_number(values: dict[str, Value]) -> Value:
    """A function of brokers, whose ids are numbers."""
    return _map((int(broker), value) for broker, value in values.items())


def _map(pairs: Iterable[tuple[Value, Value]]) -> Value:
    return {"#map": [list(pair) for pair in pairs]}


def _set(values: Iterable[Value]) -> Value:
    return {"#set": list(values)}

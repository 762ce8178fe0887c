"""One partition of a reading as recorded values, and the frame that draws them.

The frame is the first of a scenario that starts in this state, as an import makes it. Every value
that was read is compared with the frame's, as those of a recording are.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import to_builtins
from msgspec.structs import replace

from backend.frames.packing import packed
from sim_engine.actions.steps import Happening
from sim_engine.cluster_import.assembly import assemble
from sim_engine.cluster_import.conclusions import releases_for
from sim_engine.cluster_import.parsed_state import (
    ParsedPartition,
    ParsedState,
    Partition,
    UnreadableError,
)
from sim_engine.documents.frames import frame_document
from sim_engine.documents.state import StateDocument
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, BrokerId
from sim_engine.json_types import JsonObject
from sim_engine.languages import LANGUAGES
from sim_engine.simulation.timeline import Timeline

_ASSUMED_OF_ALL = frozenset({"internal_topics", "partitions_left_out"})
"""Assumptions about a scenario of many partitions."""


def drawn_partition(
    state: ParsedState,
    name: Partition,
    number: int,
    kafka: str | None,
    not_running: Mapping[BrokerId, Happening] = MappingProxyType({}),
) -> JsonObject:
    """The document of a partition, which the reading `number` has. A scenario starts with every
    broker running that the controller believes to run: `not_running` has the step after which one
    of them is as it was read.
    """
    own = _only(state, name)
    document: JsonObject = {
        "partition": str(name),
        "number": number,
        "kafka": kafka or releases_for(own, None)[0].kafka,
        "control": None,
        "frame": None,
        "why_not": {},
        "drawn_otherwise": [],
        "engine_frame": None,
        "offsets_read": name in state.high_watermarks or bool(own.logs),
    }
    try:
        imported = assemble(_only(state, name), kafka=kafka)
    except UnreadableError as error:
        why = {lang: error.problems[0].reason.text(lang) for lang in LANGUAGES}
        compared = [_row(where, value, None, has_frame=False) for where, value in _read(own, name)]
        return {**document, "why_not": why, "compared": compared, "not_known": []}
    timeline = Timeline(imported.scenario)
    running = frame_document(timeline, FIRST_FRAME).state.brokers
    for broker, step in sorted(not_running.items()):
        drawn_broker = running.get(str(broker))
        if drawn_broker is not None and drawn_broker.state == "running":
            timeline.perform(timeline.head, step)
    frame = frame_document(timeline, timeline.head)
    drawn = dict(_drawn(frame.state, str(name)))
    return {
        **document,
        "kafka": timeline.profile.kafka,
        "control": timeline.profile.control,
        "frame": to_builtins(packed([frame])[0]),
        "compared": [
            _row(where, value, drawn.get(where), has_frame=True)
            for where, value in _read(own, name)
        ],
        "not_known": [one.texts() for one in imported.unknown if one.name not in _ASSUMED_OF_ALL],
    }


def differing(document: JsonObject) -> list[object]:
    """The values of a drawn partition that its frame does not have as they were read."""
    compared = document["compared"]
    assert isinstance(compared, list), "a list of rows"
    return [one for one in compared if one["standing"] == "differs"]


def _only(state: ParsedState, name: Partition) -> ParsedState:
    """A state of this partition alone: an import of it changes nothing in the original."""
    about = state.partitions[name]
    return replace(
        state,
        partitions={name: replace(about)},
        logs=[log for log in state.logs if log.partition == name],
        high_watermarks={
            one: offset for one, offset in state.high_watermarks.items() if one == name
        },
        lags={key: lag for key, lag in state.lags.items() if key[0] == name},
        brokers=set(),
        unknown=list(state.unknown),
        understood=[],
        not_used=[],
    )


def _read(state: ParsedState, name: Partition) -> Iterator[tuple[str, object]]:
    """Each value that was read, by its path as in a recording."""
    about: ParsedPartition = state.partitions[name]
    yield "saw/leader", NO_LEADER if about.leader is None else about.leader
    if about.leader_epoch is not None:
        yield "saw/leader_epoch", about.leader_epoch
    yield "saw/replicas", list(about.replicas)
    yield "saw/isr", sorted(about.isr or ())
    if state.elr_enabled:
        yield "saw/elr", sorted(about.elr)
        yield "saw/last_known_elr", sorted(about.last_known_elr)
    logs = {log.origin.stated: log for log in state.logs}
    for broker in sorted(about.replicas):
        if state.live:
            yield f"saw/brokers/{broker}/running", broker in state.live
        if broker == about.leader and name in state.high_watermarks:
            yield f"saw/brokers/{broker}/high_watermark", state.high_watermarks[name]
        log = logs.get(broker)
        if log is None:
            continue
        if log.log_start is not None:
            yield f"saw/brokers/{broker}/log_start_offset", log.log_start
        if log.end is not None:
            yield f"saw/brokers/{broker}/log_end_offset", log.end
        if log.epochs is not None:
            yield f"saw/brokers/{broker}/epoch_cache", [(one, start) for one, start in log.epochs]


def _drawn(state: StateDocument, name: str) -> Iterator[tuple[str, object]]:
    """The frame's values, by the same paths."""
    about = state.partitions[name]
    yield "saw/leader", about.leader
    yield "saw/leader_epoch", about.leader_epoch
    yield "saw/replicas", list(about.replicas)
    yield "saw/isr", sorted(about.isr)
    yield "saw/elr", sorted(about.elr)
    yield "saw/last_known_elr", sorted(about.last_known_elr)
    for broker, replica in state.replicas[name].items():
        yield f"saw/brokers/{broker}/running", state.brokers[broker].state == "running"
        yield f"saw/brokers/{broker}/high_watermark", replica.high_watermark
        yield f"saw/brokers/{broker}/log_start_offset", replica.log_start_offset
        yield f"saw/brokers/{broker}/log_end_offset", replica.log_end_offset
        yield f"saw/brokers/{broker}/epoch_cache", replica.epoch_cache


def _row(where: str, read: object, drawn: object, *, has_frame: bool) -> Mapping[str, object]:
    standing = "not_held" if not has_frame else "equal" if _same(read, drawn) else "differs"
    return {"where": where, "recorded": read, "engine": drawn, "standing": standing}


def _same(read: object, drawn: object) -> bool:
    if isinstance(read, list) and isinstance(drawn, list | tuple):
        return [_plain(one) for one in read] == [_plain(one) for one in drawn]
    return read == drawn


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value

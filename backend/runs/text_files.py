"""The text formats of a run, for other programs: a scenario file, a sequence diagram, a trace.

An arrow of the Mermaid diagram (https://mermaid.js.org/syntax/sequenceDiagram.html) is placed where
its message arrived, so that effects follow their causes from top to bottom. The arrow of a lost
message ends in a cross.

The trace for TLA+ tools is in the Informal Trace Format of Apalache (ADR-015). Its variables are
those of a specification of replication, not the whole state of a frame. A TLA+ function is a map in
the trace; an unknown value is -1, as in Kafka. No field has the name of a keyword of Python or
TLA+, because readers of traces make classes and records of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec
from msgspec import UNSET

from backend.frames.narration import sentence
from backend.frames.packing import unpacked, whole
from backend.runs import transcript
from backend.runs.run import Run, Shown
from backend.runs.transcript import markdown
from sim_engine.documents.author_words import branch_scenario, ending
from sim_engine.documents.brokers import LogRecordDocument, ReplicaDocument
from sim_engine.documents.frames import FrameDocument
from sim_engine.documents.runs import StoredFrame, headline_of, moves_of, read_frame
from sim_engine.documents.state import (
    ProducedDocument,
    SentMessageDocument,
    StateDocument,
    values_with,
)
from sim_engine.events import place_of
from sim_engine.languages import say as say_message
from sim_engine.narration import value_words
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_text

_NOT_EXACT = (
    "The run left a step before its end, at a point that no step of a file can express.",
    "This file ends differently from the run.",
)


def scenario_yaml(run: Run, base_url: str) -> str:
    """The file as text. It is a valid scenario, and `check` compares its result with the run's last
    frame. It names the run's address, so that readers of the file can find it.
    """
    about = run.about
    timeline = run.replayed()
    branch = timeline.path(timeline.head)
    made = branch_scenario(timeline, branch[min(len(run.entries), len(branch)) - 1])
    expected = ending(read_frame(whole(run.entries, len(run.entries) - 1))) if made.is_exact else []
    document = {
        **made.document,
        "title": about.title,
        "steps": [*made.document["steps"], *expected],
    }
    digest = "" if about.digest is None else f", frames {about.digest}"
    page = [f"{base_url}{about.address}"] if about.path else []
    comments = [*page, f"Highwater {about.engine}{digest}"]
    if about.parent is not None:
        comments.append(f"Forked from {base_url}{about.parent}")
    if about.note is not None:
        comments += about.note.split("\n")
    if not made.is_exact:
        comments += _NOT_EXACT
    return scenario_text(read_scenario_document(document), comments)


_CONTROLLER = "controller"
_HERE = " ◀"
_GROUND = "rgba(90, 130, 250, 0.16)"
"""On light and on dark pages."""
# Characters that end a text, begin an entity, or could be parsed as markup.
_SPECIAL = re.compile('[#;<>"`{}%]')
_DELIVERED = ("arrived", "arrived_unseen")
_NUMBERS = ("fetch_offset", "values", "high_watermark", "isr", "leader_epoch", "end_offset")
"""The numbers of a message that an arrow shows, in this order; `service.ftl` names them."""
_MOST_NUMBERS = 3


def mermaid(shown: Shown, lang: str, frames: Sequence[StoredFrame]) -> str:
    """The diagram of some consecutive frames of a run, in one language. What is shown is marked,
    unless it is the start.
    """
    run, number, step_shown = shown.run, shown.frame["frame"], shown.whole_step
    last = read_frame(whole(run.entries, len(run.entries) - 1))
    produced = last.state.clients.produced
    sent = {
        move.id: move.message
        for frame in run.entries
        for move in moves_of(frame)
        if move.message is not UNSET
    }
    lines = ["sequenceDiagram", *_words(run, lang), *_participants(run, produced, lang)]
    everybody = _everybody(run)
    for step, made in groupby(frames, key=lambda frame: frame["step"]):
        told = next(one for one in run.story if one.step == step)
        title = transcript.in_language(told.title, lang)
        name = title if step == 0 else say_message(lang, "service", "step", step=step, title=title)
        is_here = step == shown.frame["step"] != 0
        drawn = [f"  Note over {everybody}: {_text(name)}{_HERE if is_here else ''}"]
        for frame in made:
            is_telling = frame["frame"] == told.telling_frame
            of_frame = _of_frame(frame, sent, produced, lang, everybody, is_telling=is_telling)
            is_message = step_shown is None and frame["frame"] == number
            drawn += _marked(of_frame) if is_message else of_frame
        lines += _marked(drawn) if is_here and step_shown is not None else drawn
    return "\n".join(lines) + "\n"


def _marked(lines: Iterable[str]) -> Iterator[str]:
    """The lines on a coloured ground. Nothing is marked if there are none: Mermaid draws no empty
    one.
    """
    marked = list(lines)
    return iter([f"  rect {_GROUND}", *marked, "  end"] if marked else [])


def _words(run: Run, lang: str) -> Iterator[str]:
    """The run's title and its author's note, for screen readers."""
    yield f"  accTitle: {_text(transcript.in_language(run.about.title, lang))}"
    if run.about.note is not None:
        yield f"  accDescr: {_text(run.about.note)}"


def _participants(run: Run, produced: Sequence[ProducedDocument], lang: str) -> Iterator[str]:
    producers = dict.fromkeys(record.as_ for record in produced)
    for name in producers:
        yield f"  actor {_client(name)} as {_text(name)}"
    for broker in _brokers(run):
        called = say_message(lang, "service", "participant", broker=broker)
        yield f"  participant {_name(broker)} as {called}"
    yield f"  participant {_name(_CONTROLLER)} as {value_words('from', _CONTROLLER, lang)}"


def _of_frame(
    frame: StoredFrame,
    sent: Mapping[int, SentMessageDocument],
    produced: Sequence[ProducedDocument],
    lang: str,
    everybody: str,
    *,
    is_telling: bool,
) -> Iterator[str]:
    number = frame["frame"]
    for record in produced:
        if record.frame == number:
            words = _text(f"{record.value} (acks={record.acks})")
            yield f"  {_client(record.as_)}->>{_name(record.broker)}: {words}"
    drawn = False
    moves = moves_of(frame)
    for move in moves:
        message = sent.get(move.id)
        if message is not None and (move.fate in _DELIVERED or move.fate == "lost"):
            drawn = True
            yield _arrow(message, lang, is_lost=move.fate == "lost")
    for record in produced:
        if record.acked_frame == number:
            words = _text(f"{record.value} ✓")
            yield f"  {_name(record.broker)}-->>{_client(record.as_)}: {words}"
    # If a frame only sends a message, the arrow follows in the frame where it arrives.
    sends = any(move.fate == "sent" for move in moves) and len(frame["events"]) == 1
    event = headline_of(frame)
    if event is not None and (is_telling or not (drawn or sends)):
        where = place_of(
            event["kind"],
            event.get("variant"),
            event["numbers"],
            event["subject"].get("replicas", ()),
        )
        over = everybody if where is None else _name(where)
        yield f"  Note over {over}: {_text(sentence(event, lang))}"


def _arrow(message: SentMessageDocument, lang: str, *, is_lost: bool) -> str:
    kind = value_words("kind", message.kind, lang)
    numbers = [
        say_message(lang, "service", name, value=_written(message.numbers[name]))
        for name in _NUMBERS
        if message.numbers.get(name) not in (None, ())
    ]
    words = " · ".join([kind, *numbers[:_MOST_NUMBERS]])
    line = "-x" if is_lost else "->>"
    return f"  {_name(message.from_)}{line}{_name(message.to)}: {_text(words)}"


def _written(value: object) -> str:
    return " ".join(str(one) for one in value) if isinstance(value, tuple) else str(value)


def _brokers(run: Run) -> list[int]:
    return sorted(int(broker) for broker in read_frame(whole(run.entries, 0)).state.brokers)


def _everybody(run: Run) -> str:
    return f"{_name(_brokers(run)[0])},{_name(_CONTROLLER)}"


def _name(endpoint: int | str) -> str:
    return endpoint if isinstance(endpoint, str) else f"b{endpoint}"


def _client(name: str) -> str:
    """A client's name as an identifier, because the name may contain text that Mermaid parses as an
    arrow.
    """
    return "c_" + "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}" for c in name)


def _text(words: str) -> str:
    one_line = " ".join(words.split())
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", one_line) or "–"


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


def itf(run: Run, lang: str) -> bytes:
    """Return the whole branch as JSON, with one state for each frame."""
    about = run.about
    frames = enumerate(map(read_frame, unpacked(run.entries)))
    return msgspec.json.encode(
        {
            "#meta": {
                "format": "ITF",
                "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html",
                "description": "\n\n".join(
                    words
                    for words in (transcript.in_language(about.title, lang), about.note)
                    if words
                ),
                "source": f"Highwater {about.engine}, {about.name}, Kafka {about.kafka}",
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


@dataclass(frozen=True, slots=True)
class TextAsked:
    """The request for a text file: what it marks of its run, the frames, and the language."""

    shown: Shown
    frames: Sequence[StoredFrame]
    lang: str
    base_url: str


@dataclass(frozen=True, slots=True)
class TextFile:
    """One text format of a run."""

    media_type: str
    write: Callable[[TextAsked], str]


TEXTS: Mapping[str, TextFile] = {
    "md": TextFile(
        "text/markdown", lambda asked: markdown(asked.shown, asked.lang, asked.base_url)
    ),
    "yaml": TextFile(
        "application/yaml", lambda asked: scenario_yaml(asked.shown.run, asked.base_url)
    ),
    "mmd": TextFile("text/plain", lambda asked: mermaid(asked.shown, asked.lang, asked.frames)),
}

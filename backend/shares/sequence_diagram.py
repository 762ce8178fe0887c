"""A share as a Mermaid sequence diagram: its messages, delivered or lost.

https://mermaid.js.org/syntax/sequenceDiagram.html. An arrow is placed where its message arrived, so
that effects follow their causes from top to bottom. The arrow of a lost message ends in a cross.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import UNSET

from backend.frames.narration import sentence
from backend.frames.packing import whole
from backend.shares import transcript
from backend.shares.share import Share
from sim_engine import (
    ProducedDocument,
    SentMessageDocument,
    StoredFrame,
    headline_of,
    moves_of,
    place_of,
    read_frame,
    say_message,
    value_words,
)

_CONTROLLER = "controller"
# Characters that end a text, begin an entity, or could be parsed as markup.
_SPECIAL = re.compile('[#;<>"`{}%]')
_DELIVERED = ("arrived", "arrived_unseen")
_NUMBERS = ("fetch_offset", "values", "high_watermark", "isr", "leader_epoch", "end_offset")
"""The numbers of a message that an arrow shows, in this order; `service.ftl` names them."""
_MOST_NUMBERS = 3


def mermaid(share: Share, lang: str, frames: Sequence[StoredFrame]) -> str:
    """The diagram of some consecutive frames of a share, in one language."""
    last = read_frame(whole(share.entries, len(share.entries) - 1))
    produced = last.state.clients.produced
    sent = {
        move.id: move.message
        for frame in share.entries
        for move in moves_of(frame)
        if move.message is not UNSET
    }
    lines = ["sequenceDiagram", *_words(share, lang), *_participants(share, produced, lang)]
    everybody = _everybody(share)
    for step, made in groupby(frames, key=lambda frame: frame["step"]):
        told = next(one for one in share.story if one.step == step)
        title = transcript.in_language(told.title, lang)
        name = title if step == 0 else say_message(lang, "service", "step", step=step, title=title)
        lines.append(f"  Note over {everybody}: {_text(name)}")
        for frame in made:
            is_telling = frame["frame"] == told.telling_frame
            lines += _of_frame(frame, sent, produced, lang, everybody, is_telling=is_telling)
    return "\n".join(lines) + "\n"


def _words(share: Share, lang: str) -> Iterator[str]:
    """The share's title and its author's note, for screen readers."""
    yield f"  accTitle: {_text(transcript.in_language(share.title, lang))}"
    if share.note is not None:
        yield f"  accDescr: {_text(share.note)}"


def _participants(share: Share, produced: Sequence[ProducedDocument], lang: str) -> Iterator[str]:
    producers = dict.fromkeys(record.as_ for record in produced)
    for name in producers:
        yield f"  actor {_client(name)} as {_text(name)}"
    for broker in _brokers(share):
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


def _brokers(share: Share) -> list[int]:
    return sorted(int(broker) for broker in read_frame(whole(share.entries, 0)).state.brokers)


def _everybody(share: Share) -> str:
    return f"{_name(_brokers(share)[0])},{_name(_CONTROLLER)}"


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

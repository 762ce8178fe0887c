"""What the player of an embed is given: an outline of the whole run, and its frames in parts.

A part is a block of frames with everything that is said in it, in one language: the first frame
with its whole state, the others as patches. The outline grows by some bytes a step, so that a page
stays small however long the run is. A frame has only what the player draws: the rest of it is in
the share's own documents.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from backend.frames.packing import StoredFrame, whole
from backend.shares.shown import Share
from backend.shares.transcript import in_language
from sim_engine import JsonObject, catalogue

BLOCK = 16
"""Parts begin and end at multiples of it."""
LARGEST_PART = 4 * BLOCK
"""The most frames in one part."""
_FRAME = ("frame", "step", "headline", "state", "patch")
_EVENT = ("kind", "variant", "numbers", "evidence")
_PROPERTY = ("status", "first_frame", "until_frame", "evidence")
SHOWN_PROPERTIES = ("NoAckedRecordLost", "LogMatching", "ConsistentRead", "AckedRecordAtRisk")
"""Those of which the player's head may speak."""


class StepWords(Struct, frozen=True):
    """How a step is called and what happened in it, in the part's language."""

    step: int
    title: str
    summary: str


class Part(Struct, frozen=True, rename={"start": "from"}):
    """Frames of a branch from position `start` on."""

    start: int
    frames: list[JsonObject]
    steps: list[StepWords]
    """Of each step that has a frame in the part, and of the one after."""
    texts: JsonObject
    """What of the catalogue the part's sentences need: `events`, `properties` and `values`."""


class Outline(Struct, frozen=True):
    """A run as its track shows it, without a word."""

    total: int
    numbers: list[tuple[int, int]]
    """The frame numbers of the branch, as runs: the first of each, and how many follow it."""
    lengths: list[int]
    """How many frames each step has, from the start on."""
    telling: dict[int, int]
    """Of a step, the position in it of what tells most, where that is not its last frame."""
    marks: dict[int, list[str]]
    """Of a step, what of note happens in it, the most telling first."""


class Run(Struct, frozen=True):
    """What the page has in it: enough for the first picture, and to ask for the rest."""

    sid: str
    at: int
    """The position at which it opens."""
    title: str
    kafka: str
    outline: Outline
    block: int
    largest: int
    part: Part
    link: str | None = None
    """The share's page, for a file that is opened from a disk; null beside the page itself."""


def run_for_page(share: Share, frame: StoredFrame, lang: str) -> Run:
    """The run opened at one of its frames, with the frames around that frame's step."""
    numbers = [entry["frame"] for entry in share.entries]
    at = numbers.index(frame["frame"])
    return Run(
        sid=share.sid,
        at=at,
        title=in_language(share.title, lang),
        kafka=share.kafka,
        outline=_outline(share, numbers),
        block=BLOCK,
        largest=LARGEST_PART,
        part=part_of(share, *_around_step(share.entries, at), lang),
    )


def part_of(share: Share, start: int, end: int, lang: str) -> Part:
    """The frames from one position to before another, of which there is at least one."""
    first = whole(share.entries, start)
    entries = share.entries[start:end]
    frames = [_drawn(first), *(_drawn(entry) for entry in entries[1:])]
    following = share.entries[end]["step"] if end < len(share.entries) else None
    told = {entry["step"] for entry in entries} | {following}
    return Part(
        start=start,
        frames=frames,
        steps=[
            StepWords(step.step, in_language(step.title, lang), in_language(step.summary, lang))
            for step in share.story
            if step.step in told
        ],
        texts=_texts(entries, lang),
    )


def _outline(share: Share, numbers: Sequence[int]) -> Outline:
    lengths = [len(list(frames)) for _, frames in groupby(e["step"] for e in share.entries)]
    place = {number: position for position, number in enumerate(numbers)}
    telling = {
        step.step: place[step.telling_frame] - place[step.first_frame]
        for step in share.story
        if step.telling_frame in place and step.telling_frame != step.last_frame
    }
    return Outline(
        total=len(numbers),
        numbers=list(_in_runs(numbers)),
        lengths=lengths,
        telling=telling,
        marks={step.step: list(step.marks) for step in share.story if step.marks},
    )


def _in_runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    breaks = [at for at, (one, next_) in enumerate(pairwise(numbers), 1) if next_ != one + 1]
    for start, end in pairwise([0, *breaks, len(numbers)]):
        yield numbers[start], end - start


def _around_step(entries: Sequence[StoredFrame], at: int) -> tuple[int, int]:
    """Whole blocks around the step of the frame at `at` and the frame before it.

    Of a step that is longer than a part may be, those around the frame.
    """
    step = entries[at]["step"]
    of_step = [position for position, entry in enumerate(entries) if entry["step"] == step]
    start = _block_start(max(0, of_step[0] - 1))
    end = _block_start(of_step[-1]) + BLOCK
    if end - start > LARGEST_PART:
        start = _block_start(max(0, at - BLOCK))
        end = start + LARGEST_PART
    return start, min(end, len(entries))


def _block_start(position: int) -> int:
    return position - position % BLOCK


def _drawn(entry: StoredFrame) -> JsonObject:
    """What the player needs of a frame."""
    return {
        **_only(entry, _FRAME),
        "events": [_only(event, _EVENT) for event in entry["events"]],
        "properties": {
            name: _only(entry["properties"][name], _PROPERTY)
            for name in SHOWN_PROPERTIES
            if name in entry["properties"]
        },
    }


def _only(document: JsonObject, names: Iterable[str]) -> JsonObject:
    return {name: document[name] for name in names if name in document}


def _texts(entries: Sequence[StoredFrame], lang: str) -> JsonObject:
    """The sentences of the frames' headlines, and the words for the values in them."""
    texts = catalogue((lang,))["languages"][lang]
    told = [e["events"][e.get("headline", 0)] for e in entries if e["events"]]
    events = {}
    for event in told:
        names = (f"{event['kind']}-{event.get('variant')}".replace(".", "-"), event["kind"])
        name = next((name for name in names if name in texts["events"]), None)
        if name is not None:
            events[name] = {"text": texts["events"][name]["text"], "formula": None}
    values = {name for event in told for name in event["numbers"]}
    return {
        "events": events,
        "properties": {name: texts["properties"][name] for name in SHOWN_PROPERTIES},
        "values": {name: text for name, text in texts["values"].items() if name in values},
    }

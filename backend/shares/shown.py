"""What a link shows: the frames as they were stored, and what is said of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import msgspec

from backend.frames.gzip_pieces import compressed, together
from backend.frames.packing import StoredFrame, unpacked
from backend.limits.table import ANSWER_BYTES
from backend.shares import stored
from backend.shares.tables import ShareRow, TreeAct
from sim_engine import FrameNumber, StoredAct, StoryStepDocument, stored_story, words_under

_OTHERS = b',"other_frames":'


@dataclass(frozen=True)
class Share:
    """What a link shows."""

    sid: str
    at: FrameNumber
    title: dict[str, str]
    scenario: dict[str, object]
    scenario_id: str | None
    kafka: str
    control: str
    engine: str
    created: str
    digest: str
    packed_frames: bytes
    stored_frames: bytes
    """The same, as gzip."""
    record: Sequence[StoredAct]
    """What made them: after which frame, the step, and the entry of the scenario's steps."""
    entries: list[StoredFrame]
    """Its frames as they are stored: all that is said of each, and of some the whole state."""
    story: Sequence[StoryStepDocument]
    """The branch in steps."""
    note: str | None
    parent: str | None
    """The share that its run was forked from."""
    root: str | None
    """The first share of that line."""
    packed_others: bytes
    stored_others: bytes
    """The same, as gzip."""
    others: list[StoredFrame]
    """The frames of all other branches, where they were shared: together they are the whole run."""
    tree: Sequence[TreeAct]
    """What made them and the branch; nothing where one branch was shared."""

    @property
    def weight(self) -> int:
        """How many bytes its frames are."""
        return len(self.packed_frames) + len(self.packed_others)

    def document(self) -> bytes:
        """The share as JSON."""
        pieces = (self._before_frames(), self.packed_frames, _OTHERS, self.packed_others, b"}")
        return b"".join(pieces)

    def zipped_document(self) -> bytes:
        """The same as gzip: the frames as they are stored."""
        before, between, after = (compressed([p]) for p in (self._before_frames(), _OTHERS, b"}"))
        return together([before, self.stored_frames, between, self.stored_others, after])

    def part(self, first: int, last: int, *, full: bool) -> bytes:
        """The share as JSON with the frames at `first` up to `last`, exclusive, in its branch.

        The first has its whole state, with `full` each. They are as many as an answer holds, and at
        least one; `next` is the place of the first of them that did not fit, or null.
        """
        last = min(last, len(self.entries))
        written: list[bytes] = []
        size = 0
        for entry in _from(self.entries, first, last, full=full):
            frame = msgspec.json.encode(entry)
            size += len(frame)
            if written and size > ANSWER_BYTES.number:
                break
            written.append(frame)
        end = first + len(written)
        going_on = msgspec.json.encode(end if end < last else None)
        frames = b"[" + b",".join(written) + b"]"
        return self._before_frames() + frames + b',"next":' + going_on + b"}"

    def _before_frames(self) -> bytes:
        """The document up to the frames, which are its last members."""
        words = words_under(self.scenario, self.kafka, self.control)
        document = msgspec.json.encode(
            {
                "sid": self.sid,
                "at": self.at,
                "title": self.title,
                "scenario": self.scenario,
                "words": {**words, "title": self.title},
                "note": self.note,
                "forked_from": (
                    None if self.parent is None else {"share": self.parent, "root": self.root}
                ),
                "scenario_id": self.scenario_id,
                "kafka": self.kafka,
                "control": self.control,
                "engine": self.engine,
                "created": self.created,
                "digest": self.digest,
                "story": self.story,
            }
        )
        return document.removesuffix(b"}") + b',"frames":'


def opened(row: ShareRow) -> Share:
    """A stored share, read back. Raises DamagedError."""
    frames, entries = stored.checked_frames(row)
    packed_frames = row.timeline
    steps, story = stored_story(
        entries, row.record, scenario=row.scenario, kafka=row.kafka, control=row.control
    )
    if "step" not in entries[0]:  # shared before frames named their step of the story
        for entry, step in zip(entries, steps, strict=True):
            entry["step"] = step
        frames = _encoded(entries)
        packed_frames = compressed([frames])
    packed_others, others = stored.other_frames(row)
    return Share(
        sid=row.sid,
        at=row.at_frame,
        title=row.title,
        scenario=row.scenario,
        scenario_id=row.scenario_id,
        kafka=row.kafka,
        control=row.control,
        engine=row.engine,
        created=row.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        digest=row.digest,
        packed_frames=frames,
        stored_frames=packed_frames,
        record=row.record,
        entries=entries,
        story=story,
        note=row.note,
        parent=row.parent_sid,
        root=row.root_sid,
        packed_others=packed_others,
        stored_others=row.other_frames or compressed([packed_others]),
        others=others,
        tree=row.tree_record or (),
    )


def _encoded(frames: Iterable[StoredFrame]) -> bytes:
    return b"[" + b",".join(msgspec.json.encode(frame) for frame in frames) + b"]"


def _from(
    entries: Sequence[StoredFrame], first: int, last: int, *, full: bool
) -> Iterator[StoredFrame]:
    """Entries of a part of a branch: the first whole, with `full` each."""
    if first >= last:
        return
    start = first
    while "state" not in entries[start]:
        start -= 1
    wholes = unpacked(entries[start : last if full else first + 1])
    yield from islice(wholes, first - start, None)
    if not full:
        yield from entries[first + 1 : last]

"""The contents of a share as its link shows them: the stored frames and their metadata."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import cast

import msgspec

from backend.frames.gzip_pieces import compressed, together
from backend.frames.packing import unpacked, whole
from backend.limit_table import RESPONSE_BYTES
from backend.shares import verified_rows
from backend.shares.tables import ShareRow, TreeAct
from sim_engine import (
    FrameNumber,
    ScenarioJson,
    StoredAct,
    StoredFrame,
    StoryStepDocument,
    WordsShown,
    beyond_budget,
    stored_story,
    words_on_path,
    words_under,
)

_MOST_WHOLE = 4
_OTHERS = b',"other_frames":'


@dataclass(frozen=True)
class Share:
    """A stored share as its link shows it."""

    sid: str
    at: FrameNumber
    title: dict[str, str]
    scenario: ScenarioJson
    scenario_id: str | None
    kafka: str
    control: str
    engine: str
    created: str
    digest: str
    packed_frames: bytes
    stored_frames: bytes
    """The JSON array of its frames, as gzip."""
    record: Sequence[StoredAct]
    """The steps that created them: the frame that each followed, the step, and its entry in the
    scenario.
    """
    entries: list[StoredFrame]
    """Its frames as they are stored: all metadata of each frame, and the complete state of some."""
    story: Sequence[StoryStepDocument]
    """The branch in steps."""
    note: str | None
    parent: str | None
    """The share from which its run was forked."""
    root: str | None
    """The first share in that chain of forks."""
    packed_others: bytes
    stored_others: bytes
    """The JSON array of the frames of the other branches, as gzip."""
    others: list[StoredFrame]
    """The frames of all other branches, if they were shared: together with the branch they are the
    whole run.
    """
    tree: Sequence[TreeAct]
    """The steps that created them and the branch; empty if only one branch was shared."""

    @cached_property
    def frame_at(self) -> Callable[[int], StoredFrame]:
        """The function that gives the complete frame at a position of the branch. The latest ones
        are kept, so nobody may change them.
        """
        return lru_cache(maxsize=_MOST_WHOLE)(partial(whole, self.entries))

    @cached_property
    def words(self) -> WordsShown:
        """The author's words that the link shows."""
        words = words_under(self.scenario, self.kafka, self.control)
        return {**words, "title": self.title}

    def scenario_on(self, path: Iterable[FrameNumber]) -> ScenarioJson:
        """The scenario with the author's words that belong to the branch with these frames."""
        return _scenario_on(path, self.scenario, (*self.entries, *self.others))

    @property
    def weight(self) -> int:
        """The size of its frames in bytes."""
        return len(self.packed_frames) + len(self.packed_others)

    def document(self) -> bytes:
        """The share as JSON."""
        pieces = (self._before_frames(), self.packed_frames, _OTHERS, self.packed_others, b"}")
        return b"".join(pieces)

    def zipped_document(self) -> bytes:
        """The same document as gzip, with the frames as they are stored."""
        before, between, after = (compressed([p]) for p in (self._before_frames(), _OTHERS, b"}"))
        return together([before, self.stored_frames, between, self.stored_others, after])

    def part(self, first: int, last: int, *, full: bool) -> bytes:
        """The share as JSON, with the frames at positions `first` up to, but excluding, `last` of
        its branch.

        The first frame has its complete state; with `full`, each has. There are as many as fit into
        a response, and at least one. `next` is the position of the first one that did not fit, or
        null.
        """
        last = min(last, len(self.entries))
        written: list[bytes] = []
        size = 0
        for entry in _from(self.entries, first, last, full=full):
            frame = msgspec.json.encode(entry)
            size += len(frame)
            if written and size > RESPONSE_BYTES.number:
                break
            written.append(frame)
        end = first + len(written)
        going_on = msgspec.json.encode(end if end < last else None)
        frames = b"[" + b",".join(written) + b"]"
        return self._before_frames() + frames + b',"next":' + going_on + b"}"

    def _before_frames(self) -> bytes:
        """The document up to the frames, which are its last member."""
        document = msgspec.json.encode(
            {
                "sid": self.sid,
                "at": self.at,
                "title": self.title,
                "scenario": self.scenario,
                "words": self.words,
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
    """Read a stored share, however long that takes. Raises DamagedError."""
    with beyond_budget():
        return _opened(row)


def _opened(row: ShareRow) -> Share:
    packed_frames, entries = verified_rows.checked_frames(row)
    packed_others, others = verified_rows.other_frames(row)
    scenario = cast("ScenarioJson", row.scenario)
    return Share(
        sid=row.sid,
        at=row.at_frame,
        title=row.title,
        scenario=scenario,
        scenario_id=row.scenario_id,
        kafka=row.kafka,
        control=row.control,
        engine=row.engine,
        created=row.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        digest=row.digest,
        packed_frames=packed_frames,
        stored_frames=row.timeline,
        record=row.record,
        entries=entries,
        story=stored_story(
            entries,
            row.record,
            scenario=_scenario_on((one["frame"] for one in entries), scenario, (*entries, *others)),
            kafka=row.kafka,
            control=row.control,
        ),
        note=row.note,
        parent=row.parent_sid,
        root=row.root_sid,
        packed_others=packed_others,
        stored_others=compressed([packed_others]) if row.other_frames is None else row.other_frames,
        others=others,
        tree=row.tree_record or (),
    )


def _scenario_on(
    path: Iterable[FrameNumber], scenario: ScenarioJson, frames: Iterable[StoredFrame]
) -> ScenarioJson:
    in_order = sorted((one["frame"], one["item"]) for one in frames)
    return words_on_path(scenario, in_order, path)


def _from(
    entries: Sequence[StoredFrame], first: int, last: int, *, full: bool
) -> Iterator[StoredFrame]:
    """The entries of a part of a branch: the first with its complete state; with `full`, each."""
    if first >= last:
        return
    start = first
    while "state" not in entries[start]:
        start -= 1
    wholes = unpacked(entries[start : last if full else first + 1])
    yield from islice(wholes, first - start, None)
    if not full:
        yield from entries[first + 1 : last]

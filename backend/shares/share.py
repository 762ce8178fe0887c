"""A share as its link shows it: its stored frames and their metadata, the frame and the branch
that a link means, and its steps replayed on the current engine.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import cast

import msgspec

from backend.frames.gzip_pieces import compressed, together
from backend.frames.packing import unpacked, whole
from backend.http.errors import NotFoundError, NotReplayableError, invalid
from backend.limit_table import RESPONSE_BYTES
from backend.shares import verified_rows
from backend.shares.tables import ShareRow, TreeAct
from sim_engine.budget import beyond_budget
from sim_engine.documents.author_words import words_on_path
from sim_engine.documents.runs import StoredAct, StoredEvent, StoredFrame, stored_story
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.scenario_reader.document import ScenarioError, ScenarioJson
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.version import WordsShown, words_under
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.step_texts import StoryStepDocument

_MOST_WHOLE = 4
_OTHERS = b',"other_frames":'


@dataclass(frozen=True)
class Share:
    """A stored share as its link shows it. Its frames are as they are stored: all metadata of each
    frame, and the complete state of some.
    """

    row: ShareRow
    packed_frames: bytes
    """The JSON array of the frames of its branch."""
    entries: list[StoredFrame]
    packed_others: bytes
    """The JSON array of the frames of all other branches, if they were shared: together with the
    branch they are the whole run.
    """
    others: list[StoredFrame]

    @property
    def scenario(self) -> ScenarioJson:
        """The scenario document that was stored."""
        return cast("ScenarioJson", self.row.scenario)

    @cached_property
    def story(self) -> Sequence[StoryStepDocument]:
        """The branch in steps."""
        return self.story_of(self.entries, self.row.record)

    @cached_property
    def frame_at(self) -> Callable[[int], StoredFrame]:
        """The function that gives the complete frame at a position of the branch. The latest ones
        are kept, so nobody may change them.
        """
        return lru_cache(maxsize=_MOST_WHOLE)(partial(whole, self.entries))

    @cached_property
    def words(self) -> WordsShown:
        """The author's words that the link shows."""
        words = words_under(self.scenario, self.row.kafka, self.row.control)
        return {**words, "title": self.row.title}

    def scenario_on(self, path: Iterable[FrameNumber]) -> ScenarioJson:
        """The scenario with the author's words that belong to the branch with these frames."""
        in_order = sorted((one["frame"], one["item"]) for one in (*self.entries, *self.others))
        return words_on_path(self.scenario, in_order, path)

    def story_of(
        self, entries: list[StoredFrame], acts: Sequence[StoredAct]
    ) -> Sequence[StoryStepDocument]:
        """The steps of a branch: of its frames, and of the played steps that created them."""
        return stored_story(
            entries,
            acts,
            scenario=self.scenario_on(one["frame"] for one in entries),
            kafka=self.row.kafka,
            control=self.row.control,
        )

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
        others = self.row.other_frames or compressed([self.packed_others])
        return together([before, self.row.timeline, between, others, after])

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
        row = self.row
        lineage = {"share": row.parent_sid, "root": row.root_sid}
        document = msgspec.json.encode(
            {
                "sid": row.sid,
                "at": row.at_frame,
                "title": row.title,
                "scenario": row.scenario,
                "words": self.words,
                "note": row.note,
                "forked_from": None if row.parent_sid is None else lineage,
                "scenario_id": row.scenario_id,
                "kafka": row.kafka,
                "control": row.control,
                "engine": row.engine,
                "created": row.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "digest": row.digest,
                "story": self.story,
            }
        )
        return document.removesuffix(b"}") + b',"frames":'


def opened(row: ShareRow) -> Share:
    """Read a stored share, however long that takes. Raises DamagedError."""
    with beyond_budget():
        share = Share(row, *verified_rows.checked_frames(row), *verified_rows.other_frames(row))
        _ = share.story  # here, and not in the event loop
        return share


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


def replayed_row(row: ShareRow) -> Timeline:
    """Replay a stored share with all of its branches on the current engine. Raises DamagedError,
    and NotReplayableError if the engine cannot perform its steps.
    """
    verified_rows.checked_frames(row)
    if row.tree_record is None:
        return replayed(row)
    return _played(row, [(after, step, item) for after, step, item, _ in row.tree_record])


def replayed(row: ShareRow) -> Timeline:
    """Replay the steps of a share's branch. Raises NotReplayableError."""
    return _played(row, [(after, step, item) for after, step, item in row.record])


def _played(
    row: ShareRow, steps: Sequence[tuple[FrameNumber, dict[str, object], int | None]]
) -> Timeline:
    try:
        return Timeline.replay(
            read_scenario_document(row.scenario), kafka=row.kafka, control=row.control, steps=steps
        )
    except (ScenarioError, ValueError, IndexError) as error:
        raise NotReplayableError(
            f"This share was made by engine {row.engine}; engine {ENGINE_VERSION} cannot play "
            "its steps. The link still shows it.",
            code="engine_changed",
        ) from error


def story_through(share: Share, at: FrameNumber) -> tuple[FrameNumber, Sequence[StoryStepDocument]]:
    """The end of the branch through a frame, and the steps that lead there.

    If branches fork after the frame, the shared branch is used if it contains the frame, otherwise
    the one that continues the frame. Raises InvalidInputError for a frame that the share does not
    have.
    """
    shared = [entry["frame"] for entry in share.entries]
    if at in shared:
        return shared[-1], share.story
    others = {entry["frame"]: entry for entry in share.others}
    if at not in others:
        raise invalid("/at", "the share has no such frame", code="no_such_frame")
    first_child: dict[FrameNumber, FrameNumber] = {}
    for number in sorted(others):
        parent = others[number]["parent"]
        if parent is not None:
            first_child.setdefault(parent, number)
    head = at
    while head in first_child:
        head = first_child[head]
    every = {**others, **{entry["frame"]: entry for entry in share.entries}}
    path: list[FrameNumber] = []
    before: FrameNumber | None = head
    while before is not None:
        path.append(before)
        before = every[before]["parent"]
    path.reverse()
    acts = _acts_of(share.row.tree_record or (), frozenset(path))
    return head, share.story_of([every[number] for number in path], acts)


def _acts_of(tree: Sequence[TreeAct], path: Collection[FrameNumber]) -> list[StoredAct]:
    """The played steps of one branch, with the frame numbers that the branch alone would have."""
    acts: list[StoredAct] = []
    made_before = length = 1
    for after, step, item, made in tree:
        kept = sum(FrameNumber(made_before + place) in path for place in range(made))
        if kept or (not made and after in path):
            acts.append([length - 1, step, item])
            length += kept
        made_before += made
    return acts


MESSAGE = "message"
"""The value of `level` in a link to a single message."""
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})", re.ASCII)
_SIGNED_NUMBER = re.compile(r"-?[0-9]{1,12}", re.ASCII)


def is_message_asked(query: Mapping[str, str]) -> bool:
    """Whether a link shows its frame as a single message, although it may end a step."""
    return query.get("level") == MESSAGE


def query_of(frame: FrameNumber | str, *, is_message: bool) -> str:
    """The query of a link that shows a frame."""
    return f"frame={frame}" + (f"&level={MESSAGE}" if is_message else "")


@dataclass(frozen=True, slots=True)
class PlaceInStory:
    """The position of what a link shows: its step, the number of steps, and its message within the
    step; 1 of 1 for a whole step.
    """

    step: int
    steps: int
    message: int
    messages: int


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture of a frame shows, and the complete frame that it is compared with."""

    frame: StoredFrame
    previous: StoredFrame | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a link shows of a share: the whole step that a frame ends, or a single message."""

    share: Share
    frame: StoredFrame
    """Complete."""
    is_message: bool = False
    """Whether the frame is shown as a single message, although it may end a step."""

    @property
    def query(self) -> str:
        """The query of the link."""
        return query_of(self.frame["frame"], is_message=self.is_message)

    @property
    def whole_step(self) -> StoryStepDocument | None:
        """The step that is shown as a whole, as on the page; None for a single message."""
        last = self._positions()[-1]
        if self.is_message or self.share.entries[last]["frame"] != self.frame["frame"]:
            return None
        return next(step for step in self.share.story if step.step == self.frame["step"])

    @property
    def place(self) -> PlaceInStory:
        """Its position in the share's story."""
        step, steps = self.frame["step"], self.share.story[-1].step
        if self.whole_step is not None:
            return PlaceInStory(step, steps, message=1, messages=1)
        together = [self.share.entries[position]["frame"] for position in self._positions()]
        message = together.index(self.frame["frame"]) + 1
        return PlaceInStory(step, steps, message, len(together))

    def scene(self) -> Scene:
        """What its picture shows: of a whole step its end, with all of its events, compared with
        the state before it.
        """
        step = self.whole_step
        if step is None:
            return Scene(self.frame, None)
        positions = self._positions()
        events: list[StoredEvent] = []
        headline = 0
        for at in positions:
            entry = self.share.entries[at]
            if entry["frame"] == step.telling_frame:
                headline = len(events) + entry["headline"]
            events += entry["events"]
        merged: StoredFrame = {**self.frame, "events": events, "headline": headline}
        merged.pop("cause", None)  # an index in the events of one frame
        before = positions[0] - 1
        return Scene(merged, None if before < 0 else self.share.frame_at(before))

    def _positions(self) -> list[int]:
        step = self.frame["step"]
        return [at for at, entry in enumerate(self.share.entries) if entry["step"] == step]


def shown_on_page(share: Share, query: Mapping[str, str]) -> Shown:
    """For a page: the last frame up to the one asked for, or the frame at which the share opens."""
    wanted, asked = share.row.at_frame, query.get("frame")
    if asked is not None and _SIGNED_NUMBER.fullmatch(asked):
        wanted = FrameNumber(int(asked))
    not_after = [at for at, entry in enumerate(share.entries) if entry["frame"] <= wanted]
    frame = share.frame_at(not_after[-1] if not_after else 0)
    return Shown(share, frame, is_message_asked(query))


def shown_exactly(share: Share, number: int | None = None, *, is_message: bool = False) -> Shown:
    """For a picture: exactly this frame, or the one at which the share opens. Raises NotFoundError
    if the share does not have it.
    """
    wanted = share.row.at_frame if number is None else number
    for position, entry in enumerate(share.entries):
        if entry["frame"] == wanted:
            return Shown(share, share.frame_at(position), is_message)
    raise NotFoundError("This share has no such frame.")


def frames_between(share: Share, numbers: str | None) -> Sequence[StoredFrame]:
    """The share's entries in an inclusive range of frames such as `3-12`; all without a range.

    Raises InvalidInputError for an invalid range, and NotFoundError if the branch has no frame in
    it.
    """
    if numbers is None:
        return share.entries
    found = _RANGE.fullmatch(numbers)
    if found is None or int(found[1]) > int(found[2]):
        raise invalid("/range", "must be two frame numbers, the first not larger: 3-12")
    first, last = int(found[1]), int(found[2])
    between = [entry for entry in share.entries if first <= entry["frame"] <= last]
    if not between:
        raise NotFoundError("This share has no such frames.")
    return between

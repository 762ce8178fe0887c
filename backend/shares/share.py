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
from sim_engine import (
    ENGINE_VERSION,
    FrameNumber,
    ScenarioError,
    ScenarioJson,
    StoredAct,
    StoredEvent,
    StoredFrame,
    StoryStepDocument,
    Timeline,
    WordsShown,
    beyond_budget,
    read_scenario_document,
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


def replayed_row(row: ShareRow) -> Timeline:
    """Replay a stored share with all of its branches. Raises DamagedError."""
    verified_rows.checked_frames(row)
    if row.tree_record is None:
        return replayed(row)
    return _played(row, [(after, step, item) for after, step, item, _ in row.tree_record])


def replayed(share: ShareRow | Share) -> Timeline:
    """Replay the steps of a share's branch on the current engine.

    Raises NotReplayableError if the engine cannot perform them.
    """
    return _played(share, [(after, step, item) for after, step, item in share.record])


def _played(
    share: ShareRow | Share, steps: Sequence[tuple[FrameNumber, dict[str, object], int | None]]
) -> Timeline:
    try:
        return Timeline.replay(
            read_scenario_document(share.scenario),
            kafka=share.kafka,
            control=share.control,
            steps=steps,
        )
    except (ScenarioError, ValueError, IndexError) as error:
        raise NotReplayableError(
            f"This share was made by engine {share.engine}; engine {ENGINE_VERSION} cannot play "
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
    story = stored_story(
        [every[number] for number in path],
        _acts_of(share.tree, frozenset(path)),
        scenario=share.scenario_on(path),
        kafka=share.kafka,
        control=share.control,
    )
    return head, story


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


def clamped_frame(share: Share, asked: str | None) -> StoredFrame:
    """For a page: the last frame up to the one asked for, or the frame at which the share opens."""
    wanted = share.at
    if asked is not None and _SIGNED_NUMBER.fullmatch(asked):
        wanted = FrameNumber(int(asked))
    not_after = [
        position for position, entry in enumerate(share.entries) if entry["frame"] <= wanted
    ]
    return share.frame_at(not_after[-1] if not_after else 0)


@dataclass(frozen=True, slots=True)
class PlaceInStory:
    """The position of what a link shows: its step, the number of steps, and its message within the
    step; 1 of 1 for a whole step.
    """

    step: int
    steps: int
    message: int
    messages: int


def place_in_story(share: Share, frame: StoredFrame, *, is_message: bool = False) -> PlaceInStory:
    """The position of one of a share's frames in its story."""
    together = [share.entries[position]["frame"] for position in _positions(share, frame["step"])]
    is_whole = frame["frame"] == together[-1] and not is_message
    return PlaceInStory(
        step=frame["step"],
        steps=share.story[-1].step,
        message=1 if is_whole else together.index(frame["frame"]) + 1,
        messages=1 if is_whole else len(together),
    )


def whole_step(
    share: Share, frame: StoredFrame, *, is_message: bool = False
) -> StoryStepDocument | None:
    """The step that a link to this frame shows as a whole, as the page does: the one that it ends.

    None if the link shows a single message: inside its step or, with `is_message`, in any case.
    """
    if is_message:
        return None
    last = _positions(share, frame["step"])[-1]
    if share.entries[last]["frame"] != frame["frame"]:
        return None
    return next(step for step in share.story if step.step == frame["step"])


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture of a frame shows, and the complete frame that it is compared with."""

    frame: StoredFrame
    previous: StoredFrame | None


def scene_of(share: Share, frame: StoredFrame, *, is_message: bool = False) -> Scene:
    """The scene of one of a share's complete frames: of a whole step its end, with all of its
    events, compared with the state before it.
    """
    step = whole_step(share, frame, is_message=is_message)
    if step is None:
        return Scene(frame, None)
    positions = _positions(share, step.step)
    events: list[StoredEvent] = []
    headline = 0
    for at in positions:
        entry = share.entries[at]
        if entry["frame"] == step.telling_frame:
            headline = len(events) + entry["headline"]
        events += entry["events"]
    merged: StoredFrame = {**frame, "events": events, "headline": headline}
    merged.pop("cause", None)  # an index in the events of one frame
    return Scene(merged, None if positions[0] == 0 else share.frame_at(positions[0] - 1))


def exact_frame(share: Share, number: int) -> StoredFrame:
    """For a picture: exactly this frame. Raises NotFoundError if the share does not have it."""
    for position, entry in enumerate(share.entries):
        if entry["frame"] == number:
            return share.frame_at(position)
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


def _positions(share: Share, step: int) -> list[int]:
    return [position for position, entry in enumerate(share.entries) if entry["step"] == step]

"""A share: a stored run with its row, the branches that it contains, and its steps replayed on the
current engine.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

import msgspec

from backend.frames.gzip_pieces import compressed, together
from backend.frames.packing import unpacked
from backend.http.errors import NotReplayableError, invalid
from backend.limit_table import RESPONSE_BYTES
from backend.runs.run import About, Run, Shown
from backend.shares import verified_rows
from backend.shares.tables import ShareRow, TreeAct
from sim_engine.budget import beyond_budget
from sim_engine.documents.runs import StoredAct, StoredFrame
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.scenario_reader.document import ScenarioError, ScenarioJson
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.steps import StoryStepDocument

_OTHERS = b',"other_frames":'


@dataclass(frozen=True, kw_only=True)
class Share(Run):
    """A stored share as its link shows it."""

    row: ShareRow
    packed_frames: bytes
    """The JSON array of the frames of its branch."""
    packed_others: bytes
    """The JSON array of the frames of all other branches, if they were shared."""

    def query_of(self, shown: Shown) -> str:
        """The query of a link that shows a moment of it."""
        return query_of(shown.frame["frame"], is_message=shown.is_message)

    def replayed(self) -> Timeline:
        """The branch, performed again by this engine. Raises NotReplayableError."""
        return replayed(self.row)

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
        packed_frames, entries = verified_rows.checked_frames(row)
        packed_others, others = verified_rows.other_frames(row)
        share = Share(
            about=_about(row),
            entries=entries,
            others=others,
            row=row,
            packed_frames=packed_frames,
            packed_others=packed_others,
        )
        _ = share.story  # here, and not in the event loop
        return share


def _about(row: ShareRow) -> About:
    return About(
        path=f"/s/{row.sid}",
        name=f"share {row.sid}",
        file_name=f"highwater-{row.sid[:8]}",
        at_frame=row.at_frame,
        scenario=cast("ScenarioJson", row.scenario),
        kafka=row.kafka,
        control=row.control,
        engine=row.engine,
        digest=row.digest,
        acts=row.record,
        title=row.title,
        note=row.note,
        parent=None if row.parent_sid is None else f"/s/{row.parent_sid}",
    )


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
_SIGNED_NUMBER = re.compile(r"-?[0-9]{1,12}", re.ASCII)


def is_message_asked(query: Mapping[str, str]) -> bool:
    """Whether a link shows its frame as a single message, although it may end a step."""
    return query.get("level") == MESSAGE


def query_of(frame: FrameNumber | str, *, is_message: bool) -> str:
    """The query of a link that shows a frame."""
    return f"frame={frame}" + (f"&level={MESSAGE}" if is_message else "")


def shown_on_page(share: Share, query: Mapping[str, str]) -> Shown:
    """For a page: the last frame up to the one asked for, or the frame at which the share opens."""
    wanted, asked = share.row.at_frame, query.get("frame")
    if asked is not None and _SIGNED_NUMBER.fullmatch(asked):
        wanted = FrameNumber(int(asked))
    not_after = [at for at, entry in enumerate(share.entries) if entry["frame"] <= wanted]
    frame = share.frame_at(not_after[-1] if not_after else 0)
    return Shown(share, frame, is_message_asked(query))

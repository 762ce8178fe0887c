"""What is stored of a run when it is shared: its frames as they are, and what made them."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from backend.database import now
from backend.frames.gzip_pieces import compressed
from backend.frames.packing import packed_one_by_one
from backend.http.errors import LimitError
from backend.identifiers import new_id
from backend.limits.table import SHARE_BYTES
from backend.sessions.timelines import OpenTimeline
from backend.shares.seal import added_seal_of, seal_of
from backend.shares.tables import ShareRow, TreeAct
from sim_engine import (
    ENGINE_VERSION,
    LANGUAGES,
    FrameDocument,
    FrameNumber,
    StoredAct,
    Timeline,
    canonical_line,
    facts_document,
    frame_document,
    scenario_document,
    spend,
    title_under,
)


class Wanted(NamedTuple):
    """What is to be shared of a run, and what its author says of it."""

    at: FrameNumber
    end: FrameNumber
    """Of the branch that is shown first."""
    with_branches: bool = False
    title: str | None = None
    note: str | None = None
    parent: str | None = None
    root: str | None = None
    is_listed: bool = False


def new_row(opened: OpenTimeline, wanted: Wanted) -> ShareRow:
    """The branch of a run up to `wanted.end`, and perhaps its others. Raises LimitError."""
    timeline, profile = opened.timeline, opened.timeline.profile
    path = timeline.path(wanted.end)
    writer = _Writer(timeline)
    frames = compressed(writer.written(path))
    digest = writer.digest.hexdigest()
    on_path = frozenset(path)
    others = [frame.frame for frame in timeline.frames if frame.frame not in on_path]
    has_others = wanted.with_branches and bool(others)
    # The branch alone, played again: its steps are what a fork of it starts from.
    branch = timeline.replayed(wanted.end, kafka=profile.kafka, control=profile.control)
    facts = facts_document(timeline, wanted.end)
    row = ShareRow(
        sid=new_id(),
        session_id=opened.session_id,
        at_frame=wanted.at,
        scenario=scenario_document(timeline.scenario),
        scenario_id=opened.scenario_id,
        kafka=profile.kafka,
        control=profile.control,
        engine=ENGINE_VERSION,
        record=_record(branch),
        digest=digest,
        timeline=frames,
        frame_count=len(path),
        facts=to_builtins(replace(facts, scenario_id=opened.scenario_id)),
        title=(
            title_under(timeline.scenario, profile.kafka, profile.control)
            if wanted.title is None
            else dict.fromkeys(LANGUAGES, wanted.title)
        ),
        created_at=now().replace(second=0, microsecond=0),
        note=wanted.note,
        parent_sid=wanted.parent,
        root_sid=wanted.root,
        other_frames=compressed(writer.written(others)) if has_others else None,
        is_listed=wanted.is_listed or None,
        tree_record=_tree_record(timeline) if has_others else None,
    )
    row.seal = seal_of(row)
    row.added_seal = added_seal_of(row)
    return row


class _Writer:
    """Writes frames as JSON, all of them together within the limit of a share."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._size = 0
        self.digest = hashlib.sha256()
        """Of what was written, each frame in canonical JSON, as `run --json` has it."""

    def written(self, numbers: Sequence[FrameNumber]) -> Iterator[bytes]:
        """The frames as one JSON array, in pieces. Raises LimitError.

        One at a time: all states of a long run, written out, are more than memory holds.
        """
        yield b"["
        for place, entry in enumerate(packed_one_by_one(self._documents(numbers))):
            written = (b"," if place else b"") + msgspec.json.encode(entry)
            self._size += len(written)
            if self._size > SHARE_BYTES.number:
                raise LimitError(SHARE_BYTES, frame=entry.frame)
            yield written
        yield b"]"

    def _documents(self, numbers: Sequence[FrameNumber]) -> Iterator[FrameDocument]:
        for number in numbers:
            spend(number)
            document = frame_document(self._timeline, number)
            self.digest.update(canonical_line(document))
            yield document


def _record(timeline: Timeline) -> list[StoredAct]:
    return [[done.after, done.step, done.item] for done in timeline.record]


def _tree_record(timeline: Timeline) -> list[TreeAct]:
    return [(done.after, done.step, done.item, len(done.frames)) for done in timeline.record]

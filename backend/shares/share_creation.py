"""Creates the row of a share: the frames as they were shown, and the steps that created them."""

import hashlib
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from backend.answers.open_run import OpenTimeline
from backend.database.database import now
from backend.frames.gzip_pieces import compressed
from backend.frames.packing import packed_one_by_one
from backend.http.errors import LimitError
from backend.identifiers import new_id
from backend.limit_table import SHARE_BYTES
from backend.shares.schemas import ShareCreate
from backend.shares.tables import ShareRow, TreeAct
from backend.shares.verified_rows import seal_of
from sim_engine.budget import spend
from sim_engine.documents.author_words import has_own_steps, scenario_of_branch, title_of_branch
from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.documents.runs import StoredAct, canonical_line
from sim_engine.documents.shares import facts_document
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.version import words_under
from sim_engine.simulation.timeline import Timeline


def new_row(
    opened: OpenTimeline,
    body: ShareCreate,
    end: FrameNumber,
    parent: str | None = None,
    root: str | None = None,
) -> ShareRow:
    """Return the row for the branch of a run up to `end`, with the other branches if `body` asks
    for them. `parent` and `root` are the shares from which the run was forked. Raises LimitError if
    the frames are too large.
    """
    timeline, profile = opened.timeline, opened.timeline.profile
    path = timeline.path(end)
    encoder = _FrameEncoder(timeline)
    frames = compressed(encoder.encoded(path))
    digest = encoder.digest.hexdigest()
    on_path = frozenset(path)
    others = [frame.frame for frame in timeline.frames if frame.frame not in on_path]
    has_others = body.branches and bool(others)
    # Replay the branch alone, because a fork starts from its steps.
    branch = timeline.replayed(end, kafka=profile.kafka, control=profile.control)
    facts = facts_document(timeline, end)
    shared = (frame.frame for frame in timeline.frames) if has_others else path
    scenario = scenario_of_branch(timeline, shared)
    if has_own_steps(timeline, end):
        # It may not hold, and is not stored: a link must show the same under every later version.
        scenario = {**scenario, "summary": dict.fromkeys(LANGUAGES, "")}
    row = ShareRow(
        sid=new_id(),
        session_id=opened.session_id,
        at_frame=body.at,
        scenario=scenario,
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
            title_of_branch(
                words_under(scenario, profile.kafka, profile.control)["title"], timeline, end
            )
            if body.title is None
            else dict.fromkeys(LANGUAGES, body.title)
        ),
        created_at=now().replace(second=0, microsecond=0),
        note=body.note,
        parent_sid=parent,
        root_sid=root,
        other_frames=compressed(encoder.encoded(others)) if has_others else None,
        is_listed=body.listed,
        tree_record=_tree_record(timeline) if has_others else None,
    )
    row.seal = seal_of(row)
    return row


class _FrameEncoder:
    """Encodes frames as JSON. Their total size is limited."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._size = 0
        self.digest = hashlib.sha256()
        """The digest of the encoded frames, each in canonical JSON, as `run --json` computes it."""

    def encoded(self, numbers: Sequence[FrameNumber]) -> Iterator[bytes]:
        """The frames as a JSON array, in pieces. Raises LimitError.

        Encodes one frame at a time, because all states of a long run do not fit into memory.
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
    return [[done.after, done.step, done.item] for done in timeline.played_steps]


def _tree_record(timeline: Timeline) -> list[TreeAct]:
    return [(done.after, done.step, done.item, len(done.frames)) for done in timeline.played_steps]

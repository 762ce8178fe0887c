"""Sharing a moment: what is stored, what a link shows, who may delete it.

A share holds the frames that were on the screen, not a recipe for them, so a link shows the
same under every later engine. Viewing never implies deleting: the delete token is another
secret, shown once, and stored only as a hash.
"""

import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncSession

from backend.database import Database, now
from backend.frames.gzip_pieces import between, compressed
from backend.frames.packing import StoredFrame, packed_one_by_one, unpacked
from backend.http.errors import (
    InvalidInputError,
    LimitError,
    NotFoundError,
    NotReplayableError,
    invalid,
)
from backend.identifiers import new_id
from backend.limits.table import ANSWER_BYTES, KEY_CHARACTERS, SHARE_BYTES
from backend.sessions import service as sessions
from backend.sessions.branches import end_of_branch_through
from backend.sessions.ownership import provenance
from backend.sessions.timelines import OpenTimeline, Timelines
from backend.shares import repository, stored
from backend.shares.schemas import ShareCreate
from backend.shares.seal import seal_of
from backend.shares.tables import IdempotencyKeyRow, ShareRow
from sim_engine import (
    ENGINE_VERSION,
    FrameDocument,
    FrameNumber,
    ScenarioError,
    StoredAct,
    StoryStepDocument,
    Timeline,
    canonical_line,
    facts_document,
    frame_document,
    read_scenario_document,
    scenario_document,
    spend,
    stored_story,
    title_under,
    words_under,
)

KEYS_KEPT_FOR = timedelta(hours=24)
_MOST_REMEMBERED = 32
_LARGEST_REMEMBERED_BYTES = 1024 * 1024
_canonical = msgspec.json.Encoder(order="deterministic")


@dataclass(frozen=True, slots=True)
class Created:
    """A share that was made; `repeated` where the same key had made it before."""

    sid: str
    delete_token: str
    digest: str
    repeated: bool


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

    def document(self) -> bytes:
        """The share as JSON."""
        return self._before_frames() + self.packed_frames + b"}"

    def zipped_document(self) -> bytes:
        """The same as gzip: the frames as they are stored."""
        return between(self._before_frames(), self.stored_frames, b"}")

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
        """The document up to the frames, which are its last member."""
        document = msgspec.json.encode(
            {
                "sid": self.sid,
                "at": self.at,
                "title": self.title,
                "scenario": self.scenario,
                "words": words_under(self.scenario, self.kafka, self.control),
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


class Shares:
    """The shares of one database, and the few that were looked at last."""

    def __init__(self, database: Database, timelines: Timelines) -> None:
        self._database = database
        self._timelines = timelines
        self._remembered: OrderedDict[str, Share] = OrderedDict()

    async def create(self, body: ShareCreate, idempotency_key: str) -> Created:
        """Share a branch, once for each key.

        The same key with the same body is answered the same; with another body it is refused.
        """
        key = _checked_key(idempotency_key)
        body_hash = _sha256(_canonical.encode([body.session, body.at, body.end]))
        async with self._timelines.alone(body.session):
            async with self._database.reading() as session:
                claimed = await repository.get_key(session, _sha256(key))
                if claimed is not None:
                    return await self._repeated(session, claimed, key, body_hash)
            opened = await self._timelines.latest(body.session)
            sessions.check_frame(opened, body.at, where="/at")
            end = _end_of_branch(opened, body)
            row = await self._timelines.compute_long(_materialised, opened, body.at, end)
        salt = secrets.token_hex(16)
        token = _delete_token(salt, key)
        row.delete_token_hash = _sha256(token.encode())
        claim = IdempotencyKeyRow(
            key=_sha256(key), body_hash=body_hash, sid=row.sid, salt=salt, created_at=row.created_at
        )
        async with self._database.writing() as session:
            if await repository.claim_key(session, claim):
                session.add(row)
                await session.flush()
                return Created(row.sid, token, row.digest, repeated=False)
            claimed = await repository.get_key(session, claim.key)
            assert claimed is not None
            return await self._repeated(session, claimed, key, body_hash)

    async def _repeated(
        self, session: AsyncSession, claimed: IdempotencyKeyRow, key: bytes, body_hash: str
    ) -> Created:
        if not hmac.compare_digest(claimed.body_hash, body_hash):
            raise InvalidInputError(
                "This Idempotency-Key was used for another request.", code="idempotency_key_reused"
            )
        row = await repository.get(session, claimed.sid)
        assert row is not None
        return Created(row.sid, _delete_token(claimed.salt, key), row.digest, repeated=True)

    async def get(self, sid: str) -> Share:
        """Raises NotFoundError, GoneError for a deleted one, DamagedError."""
        async with self._database.reading() as session:
            remembered = self._remembered.get(sid)
            if remembered is not None:
                # It cannot have changed, but it can be gone. Others may forget it meanwhile.
                if await repository.exists(session, sid):
                    self._remember(remembered)
                    return remembered
                self._remembered.pop(sid, None)
            row = await stored.shown_row(session, sid)
        share: Share = await self._timelines.compute(_opened, row)
        self._remember(share)
        return share

    def _remember(self, share: Share) -> None:
        if len(share.packed_frames) > _LARGEST_REMEMBERED_BYTES:
            return
        self._remembered[share.sid] = share
        self._remembered.move_to_end(share.sid)
        while len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    async def delete(self, sid: str, token: str | None) -> None:
        """A wrong token, or none, is answered as if there were no such share."""
        async with self._database.writing() as session:
            row = await stored.row_of(session, sid)
            expected = row.delete_token_hash if row is not None else _sha256(b"")
            right = hmac.compare_digest(expected, _sha256((token or "").encode()))
            if row is None or not right or row.deleted_at is not None:
                raise NotFoundError("There is no such share, or this is not its delete token.")
            await repository.mark_deleted(session, sid, now())
        self._remembered.pop(sid, None)

    async def fork(self, sid: str, owner_key: str | None = None) -> tuple[OpenTimeline, int]:
        """A new session with the steps of a share, and the frame in it that the share opens at."""
        async with self._database.reading() as session:
            row = await stored.shown_row(session, sid)
        timeline = await self._timelines.compute_long(_replayed, row)
        opened = await sessions.add(
            self._database,
            self._timelines,
            timeline,
            timeline.scenario,
            row.scenario_id,
            provenance(owner_key, {"share": sid}),
        )
        share = await self.get(sid)
        depth = next(entry["depth"] for entry in share.entries if entry["frame"] == share.at)
        branch = timeline.path(timeline.head)
        return opened, branch[min(depth, len(branch) - 1)]

    async def count(self) -> int:
        """How many shares are stored."""
        async with self._database.reading() as session:
            return await repository.count(session)


def _checked_key(key: str) -> bytes:
    if not key or len(key) > KEY_CHARACTERS.number or not key.isascii() or not key.isprintable():
        raise LimitError(KEY_CHARACTERS)
    return key.encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _delete_token(salt: str, key: bytes) -> str:
    """Needs both what only the client chose and what only the database knows."""
    return hmac.new(bytes.fromhex(salt), key, hashlib.sha256).hexdigest()


def _end_of_branch(opened: OpenTimeline, body: ShareCreate) -> FrameNumber:
    timeline = opened.timeline
    if body.end is None:
        return end_of_branch_through(timeline.frames, body.at, timeline.head)
    sessions.check_frame(opened, body.end, where="/end")
    if body.at not in timeline.path(body.end):
        raise invalid("/end", "must be on a branch that runs through `at`")
    return body.end


def _materialised(opened: OpenTimeline, at: FrameNumber, end: FrameNumber) -> ShareRow:
    timeline = opened.timeline
    path = timeline.path(end)
    digest = hashlib.sha256()
    frames = compressed(_written_frames(timeline, path, digest.update))
    # The branch alone, played again: its steps are what a fork starts from.
    branch = timeline.replayed(end, kafka=timeline.profile.kafka, control=timeline.profile.control)
    row = ShareRow(
        sid=new_id(),
        session_id=opened.session_id,
        at_frame=at,
        scenario=scenario_document(timeline.scenario),
        scenario_id=opened.scenario_id,
        kafka=timeline.profile.kafka,
        control=timeline.profile.control,
        engine=ENGINE_VERSION,
        record=_record(branch),
        digest=digest.hexdigest(),
        timeline=frames,
        frame_count=len(path),
        facts=to_builtins(replace(facts_document(timeline, end), scenario_id=opened.scenario_id)),
        title=title_under(timeline.scenario, timeline.profile.kafka, timeline.profile.control),
        created_at=now().replace(second=0, microsecond=0),
    )
    row.seal = seal_of(row)
    return row


def _written_frames(
    timeline: Timeline, path: Sequence[FrameNumber], digest: Callable[[bytes], None]
) -> Iterator[bytes]:
    """The frames of a branch as one JSON array, in pieces. Raises LimitError.

    One at a time: all states of a long run, written out, are more than memory holds. The digest is
    of each in canonical JSON, as `run --json` has it for the same run.
    """

    def documents() -> Iterator[FrameDocument]:
        for number in path:
            spend(number)
            document = frame_document(timeline, number)
            digest(canonical_line(document))
            yield document

    size = 0
    separator = b"["
    for entry in packed_one_by_one(documents()):
        written = separator + msgspec.json.encode(entry)
        size += len(written)
        if size > SHARE_BYTES.number:
            raise LimitError(SHARE_BYTES, frame=entry.frame)
        yield written
        separator = b","
    yield b"]"


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


def _record(timeline: Timeline) -> list[StoredAct]:
    return [[done.after, done.step, done.item] for done in timeline.record]


def _replayed(row: ShareRow) -> Timeline:
    stored.checked_frames(row)
    return replayed(row)


def replayed(share: ShareRow | Share) -> Timeline:
    """The steps of a share done again, on the engine of now.

    Raises NotReplayableError where it cannot play them.
    """
    try:
        return Timeline.replay(
            read_scenario_document(share.scenario),
            kafka=share.kafka,
            control=share.control,
            record=[(after, step, item) for after, step, item in share.record],
        )
    except (ScenarioError, ValueError) as error:
        raise NotReplayableError(
            f"This share was made by engine {share.engine}; engine {ENGINE_VERSION} cannot play "
            "its steps. The link still shows it.",
            code="engine_changed",
        ) from error


def _opened(row: ShareRow) -> Share:
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
    )

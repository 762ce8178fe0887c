"""The operations on shares: create, show, fork and delete them.

A share stores the frames that were on the screen, not instructions for replaying them, so a link
shows the same under every later engine. The link does not grant the right to delete: the delete
token is a separate secret, returned once and stored only as a hash.
"""

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from backend.answers.open_run import OpenTimeline
from backend.database.database import now
from backend.http.errors import NotFoundError, invalid
from backend.runs.title_and_note import checked_note, checked_title
from backend.sessions import service as sessions
from backend.sessions.ownership import provenance
from backend.sessions.timelines import Timelines
from backend.shares import repository, verified_rows
from backend.shares.claims import checked_key, claimed_before, delete_token, hash_of_key, sha256
from backend.shares.schemas import ShareCreate
from backend.shares.share import Share, opened, replayed_row
from backend.shares.share_creation import new_row
from backend.shares.tables import IdempotencyKeyRow
from sim_engine.documents.operator_words import OperatorWords, frame_words
from sim_engine.identifiers import FrameNumber

KEYS_KEPT_FOR = timedelta(hours=24)
_MOST_REMEMBERED = 32
_MOST_SIZES = 10_000
_LARGEST_REMEMBERED_BYTES = 1024 * 1024
_canonical = msgspec.json.Encoder(order="deterministic")


@dataclass(frozen=True, slots=True)
class Created:
    """A created share; `repeated` if the same key had already created it."""

    sid: str
    delete_token: str
    digest: str
    title: dict[str, str]
    repeated: bool


@dataclass(frozen=True, slots=True)
class Words:
    """The title of a share, by language, and its author's note."""

    title: dict[str, str]
    note: str | None


class Shares:
    """The shares of one database, with a small cache of recently viewed ones."""

    def __init__(self, timelines: Timelines) -> None:
        self._database = timelines.database
        self._timelines = timelines
        self._remembered: OrderedDict[str, Share] = OrderedDict()
        self._sizes: OrderedDict[str, bool] = OrderedDict()

    async def is_large(self, sid: str) -> bool:
        """Whether a share takes long to decode; false for one that does not exist."""
        known = self._sizes.get(sid)
        if known is None:
            async with self._database.reading() as db:
                known = await repository.is_large(db, sid)
            if known is None:
                return False
            self._sizes[sid] = known
            while len(self._sizes) > _MOST_SIZES:
                self._sizes.popitem(last=False)
        return known

    async def create(self, body: ShareCreate, idempotency_key: str) -> Created:
        """Share one branch, or all branches, once for each idempotency key of a visitor and a
        session.

        The same key with the same body returns the same share; with another body it is rejected.
        """
        key = checked_key(idempotency_key)
        texts = {"title": checked_title(body.title), "note": checked_note(body.note)}
        body = body.model_copy(update=texts)
        asked = [body.at, body.end, body.title, body.note, body.branches, body.listed]
        body_hash = sha256(_canonical.encode(asked))
        key_hash = hash_of_key(body.session, key)
        async with self._timelines.alone(body.session):
            async with self._database.reading() as db:
                claimed = await claimed_before(db, key_hash, body_hash)
                if claimed is not None:
                    return await self._repeated(db, claimed, key)
            opened = await self._timelines.latest(body.session)
            opened.check_frame(body.at, where="/at")
            end = _end_of_branch(opened, body)
            parent, root = await self._lineage(opened)
            compute = self._timelines.lanes.compute_long
            row = await compute(new_row, opened, body, end, parent, root)
        salt = secrets.token_hex(16)
        token = delete_token(salt, key)
        row.delete_token_hash = sha256(token.encode())
        claim = IdempotencyKeyRow(
            key=key_hash, body_hash=body_hash, sid=row.sid, salt=salt, created_at=row.created_at
        )
        async with self._database.writing() as db:
            if await repository.claim_key(db, claim):
                db.add(row)
                await db.flush()
                return Created(row.sid, token, row.digest, row.title, repeated=False)
            claimed = await claimed_before(db, key_hash, body_hash)
            assert claimed is not None
            return await self._repeated(db, claimed, key)

    async def _lineage(self, of: OpenTimeline) -> tuple[str | None, str | None]:
        """The share that a run was forked from, and the first share in that chain of forks."""
        parent = (of.provenance.forked_from or {}).get("share")
        if not isinstance(parent, str):
            return None, None
        async with self._database.reading() as db:
            return parent, await repository.root_of(db, parent) or parent

    async def _repeated(self, db: AsyncSession, claimed: IdempotencyKeyRow, key: bytes) -> Created:
        row = await repository.get(db, claimed.sid)
        assert row is not None
        token = delete_token(claimed.salt, key)
        return Created(row.sid, token, row.digest, row.title, repeated=True)

    async def get(self, sid: str) -> Share:
        """The share with this id. Raises NotFoundError for an unknown id, GoneError for a share
        that was deleted or taken down, and DamagedError if its contents were changed.
        """
        async with self._database.reading() as db:
            remembered = self._remembered.get(sid)
            if remembered is not None:
                # A cached share cannot have changed, but it may have been deleted, and others may
                # evict it meanwhile.
                if await repository.exists(db, sid):
                    self._remember(remembered)
                    return remembered
                self._remembered.pop(sid, None)
        share = await self.read(sid)
        self._remember(share)
        return share

    async def read(self, sid: str) -> Share:
        """As `get`, but for one use: nothing is cached, so the next reader verifies it again."""
        async with self._database.reading() as db:
            row = await verified_rows.shown_row(db, sid)
        share: Share = await self._timelines.lanes.compute(opened, row)
        return share

    async def words(self, sid: str) -> Words:
        """The title and the note of a share, without its frames. Raises the errors of `get`."""
        async with self._database.reading() as db:
            row = await verified_rows.shown_row(db, sid)
        await self._timelines.lanes.compute(verified_rows.check, row)
        return Words(row.title, row.note)

    def _remember(self, share: Share) -> None:
        if share.weight > _LARGEST_REMEMBERED_BYTES:
            return
        self._remembered[share.row.sid] = share
        self._remembered.move_to_end(share.row.sid)
        while len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    async def delete(self, sid: str, token: str) -> None:
        """Delete a share. With a wrong or missing token this raises the same NotFoundError as for
        an unknown share.
        """
        async with self._database.writing() as db:
            row = await verified_rows.row_of(db, sid)
            expected = row.delete_token_hash if row is not None else sha256(b"")
            right = hmac.compare_digest(expected, sha256(token.encode()))
            if row is None or not right or row.deleted_at is not None:
                raise NotFoundError("There is no such share, or this is not its delete token.")
            await repository.mark_deleted(db, sid, now())
        self._remembered.pop(sid, None)

    async def fork(self, sid: str, owner_key: str | None = None) -> tuple[OpenTimeline, int]:
        """Create a session with the steps of a share. Returns it and the frame at which the share
        opens.
        """
        async with self._database.reading() as db:
            row = await verified_rows.shown_row(db, sid)
        timeline = await self._timelines.lanes.compute_long(replayed_row, row)
        of_copy = provenance(owner_key, {"share": sid})
        opened = await sessions.add(self._timelines, timeline, row.scenario_id, of_copy)
        if row.tree_record is not None:
            return opened, row.at_frame
        share = await self.get(sid)
        depth = next(entry["depth"] for entry in share.entries if entry["frame"] == row.at_frame)
        branch = timeline.path(timeline.head)
        return opened, branch[min(depth, len(branch) - 1)]

    async def operator_words(self, sid: str, at: FrameNumber) -> OperatorWords:
        """What an operator would see in a frame of a share, from a replay of its steps."""
        async with self._database.reading() as db:
            row = await verified_rows.shown_row(db, sid)
        share = await self.get(sid)
        depths = {entry["frame"]: entry["depth"] for entry in (*share.entries, *share.others)}
        if at not in depths:
            raise invalid("/at", "the share has no such frame", code="no_such_frame")
        timeline = await self._timelines.lanes.compute_long(replayed_row, row)
        if row.tree_record is None:
            branch = timeline.path(timeline.head)
            at = branch[min(depths[at], len(branch) - 1)]
        return await self._timelines.lanes.compute(frame_words, timeline, at)

    async def count(self) -> int:
        """The number of shares that are not deleted."""
        async with self._database.reading() as db:
            return await repository.count(db)


def _end_of_branch(opened: OpenTimeline, body: ShareCreate) -> FrameNumber:
    """The end of the branch to share. If several run through `at`, it is the one that leads to the
    newest frame, otherwise the one that continues `at`.
    """
    timeline = opened.timeline
    if body.end is None:
        return timeline.tip(timeline.head if body.at in timeline.path(timeline.head) else body.at)
    opened.check_frame(body.end, where="/end")
    if body.at not in timeline.path(body.end):
        raise invalid("/end", "must be on a branch that runs through `at`")
    return body.end

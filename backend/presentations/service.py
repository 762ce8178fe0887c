"""Presentations: a presenter moves the playhead, and others follow.

The current scene is stored in the database, so that every process of the service shows the same. A
process polls it for each presentation that it has followers of: immediately after its own changes,
otherwise twice a second. A follower always receives the complete current scene, so a follower that
was disconnected or is slow misses nothing relevant.

A scene is computed in the computing process, once for all followers; the streams stay here.
People read a presentation's code from a screen and type it.
"""

import asyncio
import contextlib
import hashlib
import hmac
import logging
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextvars import Context
from datetime import timedelta
from http import HTTPStatus

import msgspec
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from backend.answers.acting import started
from backend.answers.open_run import OpenTimeline
from backend.answers.requests import SessionCreate
from backend.computing.process import ComputingProcess
from backend.database.database import now
from backend.http.errors import (
    GoneError,
    HighwaterError,
    LimitError,
    NotFoundError,
    NotYetError,
    UnavailableError,
    invalid,
)
from backend.limit_table import FOLLOWERS, VOTES
from backend.limits.quotas import VoteLimit
from backend.limits.visitors import Visitor, current_visitor, visiting
from backend.presentations import repository
from backend.presentations.hub import Hub, event
from backend.presentations.schemas import MomentShown, PresentationCreate, VoteCreate
from backend.presentations.tables import PresentationRow
from backend.sessions import service as sessions
from backend.sessions.ownership import provenance
from backend.sessions.timelines import Timelines
from sim_engine.documents.author_words import has_own_steps, title_of_branch, unrefuted_words
from sim_engine.documents.runs import story_to
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.reader import load_shipped, shipped_names
from sim_engine.simulation.timeline import Timeline

# Without characters that are easily confused when they are read from the last row of a room.
_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 5


def new_code() -> str:
    """A random code, which another presentation may already have."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def canonical_code(text: str) -> str | None:
    """The normalized code, or None if `text` is not a valid code. Does not query the database."""
    code = text.lower()
    return code if len(code) == _LENGTH and set(code) <= set(_ALPHABET) else None


def scene_document(opened: OpenTimeline, row: PresentationRow, shown: MomentShown) -> bytes:
    """The scene of this moment of a run."""
    timeline = opened.timeline
    path = timeline.path(shown.frame)
    begins = path.index(shown.first)
    told = story_to(timeline, shown.frame, since=shown.frame)
    question = shown.question
    return msgspec.json.encode(
        {
            "version": row.version,
            "title": _title(timeline, path),
            "kafka": timeline.profile.kafka,
            "lesson": _lesson(timeline, shown.frame),
            "step": timeline.frames[shown.frame].place.step,
            "message": shown.message,
            "messages": shown.messages,
            "step_frames": [
                number
                for place, number in enumerate(path)
                if place == 0
                or timeline.frames[number].place.step != timeline.frames[path[place - 1]].place.step
            ],
            "order": {
                partition.partition: partition.replicas
                for partition in timeline.frames[path[0]].cluster.controller.partitions
            },
            "told": told[-1].summary if shown.whole and told else None,
            "frames": [msgspec.Raw(entry) for entry in _entries(opened, path, begins)],
            "begins": begins == 0,
            "question": None
            if question is None
            else {
                "key": question.key,
                "text": question.text,
                "answers": question.answers,
                "correct": question.correct if shown.revealed else None,
                "reasons": question.reasons if shown.revealed else None,
            },
            "revealed": shown.revealed,
            "black": shown.black,
            "ended": row.ended_at is not None,
        }
    )


def _lesson(timeline: Timeline, frame: FrameNumber) -> str | None:
    """The shipped lesson whose own steps lead to this frame; None for any other run."""
    scenario = timeline.scenario
    if has_own_steps(timeline, frame) or scenario.id not in shipped_names():
        return None
    return scenario.id if scenario == load_shipped(scenario.id) else None


def _title(timeline: Timeline, path: Sequence[FrameNumber]) -> dict[str, str]:
    """The title of the branch that is presented."""
    profile = timeline.profile
    words = unrefuted_words(timeline.scenario, profile.kafka, profile.control)
    return title_of_branch(words["title"], timeline, path[-1])


def _entries(opened: OpenTimeline, path: Sequence[FrameNumber], begins: int) -> list[bytes]:
    """The frames of a path from a position on, preceded by the frame before it if there is one."""
    entries: list[bytes] = []
    wanted = path[max(0, begins - 1) :]
    start = 0
    for place in range(1, len(wanted) + 1):
        # A branch may skip frame numbers, and a patch is against the previous number.
        if place == len(wanted) or wanted[place] != wanted[place - 1] + 1:
            entries += opened.rendering.entries(wanted[start], wanted[place - 1] + 1)
            start = place
    return entries


_log = logging.getLogger("highwater.presentations")

KEPT_FOR = timedelta(days=1)
"""A presentation that is unchanged for this long is ended and deleted."""

SCENE_ADDRESS = "/api/v1/presentations/{code}/scene"
_LOOK_EVERY_S = 0.5
_SAY_WHO_EVERY = timedelta(seconds=5)
_BELIEVED_FOR = timedelta(seconds=12)
_SIGN_OF_LIFE_S = 15.0
# A question that has all the answers that it can have stays so until the next question.
_FULL_FOR_S = 60
_MOST_CODES_TRIED = 10


def require_code(text: str) -> str:
    """The canonical form of a code. Raises NotFoundError, without a database query, for a text that
    cannot be a code.
    """
    code = canonical_code(text)
    if code is None:
        raise _no_such()
    return code


class Presentations:
    """The presentations that are followed through this process."""

    def __init__(
        self, timelines: Timelines, computing: ComputingProcess | None, votes: VoteLimit
    ) -> None:
        self._database = timelines.database
        self._timelines = timelines
        self._computing = computing
        self._votes = votes
        self._process = secrets.token_hex(8)
        self._hubs: dict[str, Hub] = {}
        self._looking: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop polling and end all streams. Followers reconnect to another process."""
        for hub in self._hubs.values():
            hub.end()
        for looking in self._looking:
            looking.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)

    async def create(self, body: PresentationCreate) -> tuple[str, str]:
        """Create a presentation. Returns its code and the presenter's token.

        Raises NotFoundError for an unknown session and InvalidInputError for an unknown frame.
        """
        await self._check(body.session, body.moment)
        token = secrets.token_urlsafe(24)
        for _ in range(_MOST_CODES_TRIED):
            code = new_code()
            try:
                async with self._database.writing() as db:
                    db.add(_new_row(code, token, body))
            except IntegrityError:
                continue  # another presentation has this code
            return code, token
        raise UnavailableError("No code is free at this moment.", code="busy", retry_after_s=60)

    async def show(self, code: str, token: str, moment: MomentShown) -> None:
        """Move the playhead. With a wrong token, the response is the same as for an unknown
        presentation.
        """
        row = await self._row_of_presenter(code, token)
        await self._check(row.session_id, moment)
        async with self._database.writing() as db:
            await repository.show(db, code, moment.model_dump(), now())
        self.wake(code)

    async def end(self, code: str, token: str) -> None:
        """End the presentation for all followers."""
        await self._row_of_presenter(code, token)
        async with self._database.writing() as db:
            await repository.end(db, code, now())
        self.wake(code)

    async def fork(self, code: str, owner_key: str | None) -> OpenTimeline:
        """Create a session with the steps up to what was shown last, which is its head.

        It does not name the presenter's session. Raises NotYetError before the end, because a run
        contains its questions' answers and its later steps.
        """
        row = await self._any_row(code)
        if row.ended_at is None:
            raise NotYetError(
                "This presentation has not ended: its followers can continue after its end.",
                code="presentation_not_ended",
            )
        shown = MomentShown.model_validate(row.moment)
        body = SessionCreate(session=row.session_id, at=shown.frame)
        async with self._timelines.alone_with(row.session_id) as opened:
            run = await self._timelines.lanes.compute_long(started, body, opened)
        of = provenance(owner_key, {**(run.forked_from or {}), "session": None})
        return await sessions.add(self._timelines, run.timeline, run.scenario_id, of)

    async def vote(self, code: str, body: VoteCreate) -> None:
        """Store an answer to the current question, replacing the voter's earlier one.

        Raises InvalidInputError if the question is not open.
        """
        row = await self._row(code)
        shown = MomentShown.model_validate(row.moment)
        question = shown.question
        if question is None or question.key != body.question or shown.revealed:
            raise invalid("/question", "this question is not open")
        if body.choice >= len(question.answers):
            raise invalid("/choice", f"there are {len(question.answers)} answers")
        self._votes.admit(current_visitor().network, code, body.question, body.voter)
        async with self._database.writing() as db:
            if await repository.count_votes(db, code, body.question) >= VOTES.number:
                raise LimitError(VOTES, retry_after_s=_FULL_FOR_S)
            await repository.vote(db, code, body.question, body.voter, body.choice)
        self.wake(code)

    async def follow(self, code: str, *, counted: bool) -> AsyncGenerator[bytes]:
        """Server-sent events: the complete current scene, then every change.

        `counted` is false for the presenter's own page, which is not part of the audience. Raises
        NotFoundError, GoneError and LimitError before the first event.
        """
        hub = self._hubs.get(code)
        if hub is None:
            await self._row(code)
        elif hub.watching >= FOLLOWERS.number:
            raise LimitError(FOLLOWERS, retry_after_s=30)
        return self._events(code, counted=counted)

    async def _events(self, code: str, *, counted: bool) -> AsyncGenerator[bytes]:
        # Looked up here, because the last earlier follower may leave before the stream is read.
        hub = self._hubs.get(code)
        if hub is None:
            hub = self._hubs[code] = Hub()
            # Without the current visitor, whose work stops when that visitor disconnects: this is
            # for all followers.
            looking = asyncio.create_task(self._look(code, hub), context=Context())
            self._looking.add(looking)
            looking.add_done_callback(self._looking.discard)
        hub.enter(counted=counted)
        hub.wake()
        try:
            yield b"retry: 2000\n\n"
            async for event in hub.events(_SIGN_OF_LIFE_S):
                yield event
        finally:
            hub.leave(counted=counted)
            if hub.is_empty:
                self._hubs.pop(code, None)
            else:
                hub.wake()

    def wake(self, code: str) -> None:
        """Poll a presentation immediately, because it has changed."""
        hub = self._hubs.get(code)
        if hub is not None:
            hub.wake()

    # --- the scene -------------------------------------------------------------------------

    async def scene(self, code: str) -> bytes:
        """The current scene as JSON; of a presentation that has ended, the last one."""
        return await self._computed(await self._any_row(code))

    async def _look(self, code: str, hub: Hub) -> None:
        """Poll the current scene while there are followers, and send it to them."""
        # Each presentation counts as a visitor, so that none waits for the scenes of others.
        with visiting(Visitor(f"presentation {code}")):
            await self._look_while_followed(code, hub)

    async def _look_while_followed(self, code: str, hub: Hub) -> None:
        said_at = now() - _SAY_WHO_EVERY
        said: int | None = None
        while not hub.is_empty and not hub.is_over:
            await hub.wait(_LOOK_EVERY_S)
            try:
                moment = now()
                if said != hub.followers or moment - said_at >= _SAY_WHO_EVERY:
                    said, said_at = hub.followers, moment
                    await self._say_who(code, said)
                await self._look_once(code, hub)
            except NotFoundError:
                hub.end()
            except HighwaterError:
                continue  # the database is unavailable; followers keep the last scene
            except SQLAlchemyError:
                _log.exception("presentation_failed")
        if hub.is_empty:
            with contextlib.suppress(HighwaterError):
                await self._say_who(code, 0)

    async def _say_who(self, code: str, followers: int) -> None:
        async with self._database.writing() as db:
            if await repository.get(db, code) is not None:
                await repository.note_followers(db, code, self._process, followers, now())

    async def _look_once(self, code: str, hub: Hub) -> None:
        async with self._database.reading() as db:
            row = await repository.get(db, code)
            if row is None:
                raise NotFoundError
            shown = MomentShown.model_validate(row.moment)
            key = None if shown.question is None else shown.question.key
            audience = await repository.audience(db, code, key, now() - _BELIEVED_FOR)
        if row.version != hub.version:
            scene = await self._scene(row)
            # The presenter may have moved on meanwhile.
            version = msgspec.json.decode(scene, type=_Version).version
            hub.show(version, event("scene", version, scene))
        answers = 0 if shown.question is None else len(shown.question.answers)
        votes = [audience.votes.get(choice, 0) for choice in range(answers)]
        told = {
            "here": audience.here,
            "answered": sum(votes),
            "votes": votes if shown.revealed else None,
        }
        hub.count(event("audience", None, msgspec.json.encode(told)))
        if row.ended_at is not None:
            hub.end()

    async def _scene(self, row: PresentationRow) -> bytes:
        if self._computing is None:
            return await self._computed(row)
        response = await self._computing.get(SCENE_ADDRESS.format(code=row.code))
        if response.status_code == HTTPStatus.NOT_FOUND:
            raise _no_such()
        if response.status_code != HTTPStatus.OK:
            raise UnavailableError(
                "The scene cannot be computed at this moment.", code="busy", retry_after_s=2
            )
        return bytes(response.body)

    async def _computed(self, row: PresentationRow) -> bytes:
        shown = MomentShown.model_validate(row.moment)
        async with self._timelines.alone_with(row.session_id) as opened:
            return await self._timelines.lanes.compute(scene_document, opened, row, shown)

    # --- checks ----------------------------------------------------------------------------

    async def _check(self, session_id: str, moment: MomentShown) -> None:
        async with self._timelines.alone_with(session_id) as opened:
            opened.check_frame(moment.frame, where="/frame")
            if moment.first not in opened.timeline.path(moment.frame):
                raise invalid("/first", "must be on the branch of `frame`")

    async def _any_row(self, code: str) -> PresentationRow:
        async with self._database.reading() as db:
            row = await repository.get(db, code)
        if row is None:
            raise _no_such()
        return row

    async def _row(self, code: str) -> PresentationRow:
        row = await self._any_row(code)
        if row.ended_at is not None:
            raise GoneError("This presentation has ended.", code="presentation_ended")
        return row

    async def _row_of_presenter(self, code: str, token: str) -> PresentationRow:
        row = await self._row(code)
        if not hmac.compare_digest(row.token_hash, _hash(token)):
            raise NotFoundError("There is no such presentation, or this is not its token.")
        return row


def _new_row(code: str, token: str, body: PresentationCreate) -> PresentationRow:
    moment = now()
    return PresentationRow(
        code=code,
        session_id=body.session,
        token_hash=_hash(token),
        moment=body.moment.model_dump(),
        version=1,
        created_at=moment,
        updated_at=moment,
        ended_at=None,
    )


class _Version(msgspec.Struct):
    """The number of a scene."""

    version: int


def _no_such() -> NotFoundError:
    return NotFoundError("There is no such presentation.")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

"""Assesses pasted clusters, and stores those that are shared.

What was pasted is read where it is received, which refuses what cannot be read, and again by the
worker. Then it is forgotten: a document and a share have only what the import made of it, in which
no secrets are.
"""

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from backend.answers.assessing import assessment_request, report_of, with_searches
from backend.answers.long_requests import AssessmentCreate, SearchedAssessmentCreate
from backend.assessments import repository
from backend.assessments.repository import SharedAssessment
from backend.assessments.tables import AssessmentRow
from backend.database.database import Database, now
from backend.frames.telling import telling_picture
from backend.http.errors import NotFoundError, UnavailableError, invalid
from backend.identifiers import new_id
from backend.limit_table import (
    ASSESSMENT_SEARCHES_AT_ONCE,
    ASSESSMENT_SEARCHES_OF_A_VISITOR,
    ASSESSMENTS_AT_ONCE,
    ASSESSMENTS_OF_A_VISITOR,
)
from backend.limits.lanes import Lanes
from backend.limits.visitors import current_visitor
from backend.shares import repository as share_repository
from backend.shares.claims import checked_key, claimed_before, delete_token, hash_of_key, sha256
from backend.shares.tables import IdempotencyKeyRow
from backend.watches.watch import Watch, for_assessment
from backend.workers.work import Work, WorkerKind, Workers, event_bytes, failure
from sim_engine.assessment import report
from sim_engine.assessment.cases import FAILURES
from sim_engine.assessment.page_document import page_document
from sim_engine.cluster_import.parsed_state import ParsedState
from sim_engine.documents.assessment import AssessedCell, AssessedSearches, AssessmentPage
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline

_KIND = WorkerKind(
    module="backend.assessments.worker",
    niceness=5,
    at_once=ASSESSMENTS_AT_ONCE,
    of_a_visitor=ASSESSMENTS_OF_A_VISITOR,
    # A page that is reloaded, and one whose reader changes a setting and takes that back.
    waits_for_listeners_s=5.0,
    # A reader looks at the table, and then shares it.
    kept_s=900.0,
    most_kept=32,
    failed=failure("assessment_failed", "The assessment ended early."),
)
_SEARCH_KIND = WorkerKind(
    module="backend.assessments.worker",
    # Below what visitors wait for, and above what only a few ask for.
    niceness=10,
    at_once=ASSESSMENT_SEARCHES_AT_ONCE,
    of_a_visitor=ASSESSMENT_SEARCHES_OF_A_VISITOR,
    waits_for_listeners_s=5.0,
    kept_s=900.0,
    most_kept=64,
    failed=failure("search_failed", "The search ended early."),
)
_ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored assessment; `repeated` if the same key had already stored it."""

    sid: str
    delete_token: str
    repeated: bool


class Assessments(Workers):
    """The assessments of this process, and those that are stored."""

    def __init__(self, database: Database, lanes: Lanes, watch: Watch | None = None) -> None:
        super().__init__(_KIND)
        self.searches = Workers(_SEARCH_KIND)
        self._watch = watch
        self._database = database
        self._lanes = lanes

    async def ask(self, body: AssessmentCreate) -> Work:
        """Start an assessment, or join the one that asks the same. `leave` must follow.

        Raises InvalidInputError for what cannot be read, and LimitError if no slot is free.
        """
        state = self._state_of(body.reading)
        request, first = await self._lanes.compute_long(_read, body, state)
        return self.join(_id_of(request), request, event_bytes("progress", first))

    def _state_of(self, number: int | None) -> ParsedState | None:
        """The state of a reading of the watched cluster, null for null. Raises InvalidInputError if
        there is no such reading, or none at all.
        """
        if number is None:
            return None
        state = None if self._watch is None else self._watch.state_of(number)
        if state is None:
            raise invalid("/reading", "there is no such reading, or it is no longer kept")
        return for_assessment(state)

    async def ask_search(self, body: AssessmentCreate, partition: str) -> Work:
        """Start the search of a partition, or join the one that asks the same. `searches.leave`
        must follow. Raises the errors of `ask`, and InvalidInputError for an unknown partition.
        """
        state = self._state_of(body.reading)
        request = await self._lanes.compute_long(_read_search, body, state, partition)
        return self.searches.join(_id_of(request), request)

    async def close(self) -> None:
        """End all workers, and wait for the ends of their processes."""
        await super().close()
        await self.searches.close()

    async def page_of(self, body: SearchedAssessmentCreate) -> bytes:
        """The complete document as JSON, with the searches that were asked for. Raises the errors
        of `ask` and `ask_search`, and UnavailableError if a worker fails.
        """
        page = await _result_of(self, await self.ask(body))
        found = [
            await _result_of(self.searches, await self.ask_search(body, partition))
            for partition in dict.fromkeys(body.searched)
        ]
        return await self._lanes.compute_long(_with_searches, page, found) if found else page

    async def report_of(self, body: SearchedAssessmentCreate, lang: str) -> dict[str, str]:
        """The report of what was pasted, in Markdown. Raises the errors of `page_of`."""
        page = await self.page_of(body)
        return await self._lanes.compute(_report, page, lang)

    async def share(self, body: SearchedAssessmentCreate, idempotency_key: str) -> Stored:
        """Store an assessment, once for each idempotency key of a visitor. Raises the errors of
        `page_of`, and InvalidInputError if the key was used for another request.
        """
        key = checked_key(idempotency_key)
        key_hash = hash_of_key("assessments", key)
        body_hash = sha256(msgspec.json.encode(body))
        async with self._database.reading() as db:
            claimed = await claimed_before(db, key_hash, body_hash)
        if claimed is not None:
            return Stored(claimed.sid, delete_token(claimed.salt, key), repeated=True)
        page = await self.page_of(body)
        content = await self._lanes.compute_long(_content, page)
        salt, moment = secrets.token_hex(16), now()
        token = delete_token(salt, key)
        row = AssessmentRow(
            sid=new_id(),
            engine=ENGINE_VERSION,
            created_at=moment,
            delete_token_hash=sha256(token.encode()),
            seal=sha256(content),
            content=content,
        )
        claim = IdempotencyKeyRow(
            key=key_hash, body_hash=body_hash, sid=row.sid, salt=salt, created_at=moment
        )
        async with self._database.writing() as db:
            if await share_repository.claim_key(db, claim):
                db.add(row)
                return Stored(row.sid, token, repeated=False)
            claimed = await claimed_before(db, key_hash, body_hash)
            assert claimed is not None
            return Stored(claimed.sid, delete_token(claimed.salt, key), repeated=True)

    async def get(self, sid: str) -> SharedAssessment:
        """A stored assessment. Raises NotFoundError for an unknown id, GoneError for one that was
        deleted or taken down, and DamagedError if its contents were changed.
        """
        async with self._database.reading() as db:
            row = await repository.shown_row(db, sid)
        shared: SharedAssessment = await self._lanes.compute(repository.opened, row)
        return shared

    async def delete(self, sid: str, token: str) -> None:
        """Delete a stored assessment. With a wrong or missing token this raises the same
        NotFoundError as for an unknown one.
        """
        async with self._database.writing() as db:
            row = await db.get(AssessmentRow, sid)
            expected = sha256(b"") if row is None else row.delete_token_hash
            right = hmac.compare_digest(expected, sha256(token.encode()))
            if row is None or not right or row.deleted_at is not None:
                raise NotFoundError("There is no such link, or this is not its delete token.")
            await repository.mark_deleted(db, sid, now())


async def _result_of(workers: Workers, work: Work) -> bytes:
    """The result of a work that was joined, once it has ended."""
    try:
        await work.end()
    finally:
        workers.leave(work)
    if work.result is None:
        raise UnavailableError(
            "The assessment ended early.", code="assessment_failed", retry_after_s=5
        )
    return work.result


def _with_searches(page: bytes, found: Sequence[bytes]) -> bytes:
    decoded = [msgspec.json.decode(one, type=AssessedSearches) for one in found]
    whole = with_searches(msgspec.json.decode(page, type=AssessmentPage), decoded)
    return msgspec.json.encode(whole)


def _read(body: AssessmentCreate, state: ParsedState | None) -> tuple[bytes, bytes]:
    """The worker's request and the document before anything is computed, as JSON."""
    request, assessment = assessment_request(body, state)
    return msgspec.json.encode(request), msgspec.json.encode(page_document(assessment))


def _read_search(body: AssessmentCreate, state: ParsedState | None, partition: str) -> bytes:
    """The request of the worker that searches, as JSON."""
    request, _ = assessment_request(body, state, partition)
    return msgspec.json.encode(request)


def _id_of(request: bytes) -> str:
    """The same for the same question of one visitor."""
    network = current_visitor().network.encode()
    return blake2b(network + b"\n" + request, digest_size=_ID_BYTES).hexdigest()


def _report(page: bytes, lang: str) -> dict[str, str]:
    return report_of(msgspec.json.decode(page, type=AssessmentPage), lang)


def _content(encoded: bytes) -> bytes:
    page = msgspec.json.decode(encoded, type=AssessmentPage)
    timeline = Timeline(read_scenario_document(_telling_run(page)))
    timeline.run_all()
    picture = telling_picture(timeline)
    shared = SharedAssessment(
        page=msgspec.Raw(encoded),
        title={lang: report.title(page, lang) for lang in LANGUAGES},
        about={lang: report.about(page, lang) for lang in LANGUAGES},
        reports={lang: report.markdown(page, lang) for lang in LANGUAGES},
        card=msgspec.Raw(msgspec.json.encode(picture.frame)),
        card_options=picture.options,
    )
    return repository.packed(shared)


def _telling_run(page: AssessmentPage) -> Mapping[str, object]:
    """The run of the worst cell, or the printed state if no cell has one."""
    kind = page.kinds[0]
    cells: list[AssessedCell] = [getattr(kind.cells, failure) for failure in FAILURES]
    shown = next(
        (cell for cell in cells if cell.verdict in ("can_lose", "lost") and cell.steps), None
    )
    if shown is None:
        return kind.starts[0]
    return {**kind.starts[shown.start], "steps": list(shown.steps or ())}

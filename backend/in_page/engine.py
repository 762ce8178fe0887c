"""The requests about runs that a page answers itself, by the functions that the routes call.

A run is kept as its scenario and its steps, as in the service; who keeps it is the caller. There
are no visitors here: no quotas, no budget, and whoever has the page owns its runs.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import zip_longest
from typing import Final, Literal, TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec
from msgspec import Struct, field

from backend.answers import challenges, drafts, replay, responses
from backend.answers.acting import (
    REFUSALS,
    performed,
    performed_before,
    read_action,
    refusal,
    started,
)
from backend.answers.open_run import (
    OpenTimeline,
    Provenance,
    StoredStep,
    engine_changed,
    replayed,
    stored_steps,
)
from backend.answers.requests import (
    ActionCreate,
    ComparisonCreate,
    DraftCheck,
    ImportCreate,
    Level,
    Request,
    SessionCreate,
    TryCreate,
    read_request,
)
from backend.frames.rendering import Rendering, rendered_frames
from backend.http.errors import HighwaterError, InvalidInputError, NotFoundError, problem_document
from backend.http.json_document import decoded
from backend.identifiers import new_page_id
from backend.lessons.files import LessonPart, lesson_file, lesson_file_key
from backend.site_search.answer import SearchQuery, answered
from backend.site_search.entry import KeptEntries
from backend.site_search.index import SearchIndex
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError

_OWNED = "this page"
_encoder = msgspec.json.Encoder()
_Body = TypeVar("_Body", bound=Request)
_Query = TypeVar("_Query", bound=Struct)


class Answer(Struct, frozen=True):
    """A response: JSON, of an error a problem document."""

    status: int
    body: str


Say = Callable[[str], bool]
"""Takes the next server-sent event of a stream; false if the computation is not wanted any more."""


def _unheard(_event: str) -> bool:
    """Nobody listens, and the answer is wanted."""
    return True


class Asked(Struct, frozen=True):
    """A request: the names in its path, its query, its body as JSON, and who hears its stream."""

    names: tuple[str, ...]
    query: Mapping[str, str]
    body: bytes
    say: Say

    def read(self, kind: type[_Body]) -> _Body:
        """The body. Raises InvalidInputError if it is not of this kind."""
        return read_request(kind, decoded(self.body))

    def queried(self, kind: type[_Query]) -> _Query:
        """The query. Raises InvalidInputError if it is not of this kind."""
        try:
            return msgspec.convert(self.query, kind, strict=False)
        except msgspec.ValidationError:
            raise InvalidInputError("The request is invalid.", code="invalid") from None


class KeptRun(Struct, frozen=True):
    """A run as a page keeps it."""

    id: str
    scenario: dict[str, object]
    scenario_id: str | None
    kafka: str
    control: str
    engine: str
    created_at: datetime
    forked_from: dict[str, object] | None
    owned: bool
    steps: list[StoredStep]


class _At(Struct, forbid_unknown_fields=True):
    at: FrameNumber | None = None


class _After(Struct, forbid_unknown_fields=True):
    after: FrameNumber


class _Moment(Struct, forbid_unknown_fields=True):
    at: FrameNumber


class _Stretch(Struct, forbid_unknown_fields=True):
    first: int = field(name="from", default=0)
    to: int | None = None
    full: Literal["0", "1"] = "0"


class _Branch(Struct, forbid_unknown_fields=True):
    at: FrameNumber
    level: Level = "story"
    end: FrameNumber | None = None


class PageEngine:
    """The runs of one page that are open, and what is answered about them: the requests of a table,
    by default those of ANSWERED.
    """

    def __init__(self, answerers: "Mapping[str, Answerer] | None" = None) -> None:
        self._open: dict[str, OpenTimeline] = {}
        self._rendered = rendered_frames()
        self._index: SearchIndex | None = None
        self._answerers = ANSWERED if answerers is None else answerers

    def knows(self, run_id: str) -> bool:
        """Whether a run is open. One that is kept must be opened before it is asked about."""
        return run_id in self._open

    def open_kept(self, kept: str) -> None:
        """Open a run that was kept. Raises NotReplayableError if another engine made it and this
        one plays it differently.
        """
        run = msgspec.json.decode(kept, type=KeptRun)
        try:
            timeline = replayed(run.scenario, run.kafka, run.control, run.steps)
        except (ScenarioError, LimitReachedError, ValueError):
            raise engine_changed(run.engine) from None
        if [step.frames for step in stored_steps(timeline)] != [step.frames for step in run.steps]:
            raise engine_changed(run.engine)
        self._open[run.id] = OpenTimeline(
            run.id,
            run.scenario_id,
            run.created_at,
            len(run.steps),
            Provenance(_OWNED if run.owned else None, run.forked_from),
            timeline,
            Rendering(timeline, self._rendered),
        )

    def open_search(self, kept: str) -> None:
        """Take what can be found, as the build of the pages has it. Before, nothing is found."""
        self._index = SearchIndex(msgspec.json.decode(kept, type=KeptEntries).entries)

    def to_keep(self, run_id: str) -> str:
        """An open run, to be kept."""
        opened = self._open[run_id]
        profile = opened.timeline.profile
        return _encoder.encode(
            KeptRun(
                id=run_id,
                scenario={**scenario_document(opened.timeline.scenario)},
                scenario_id=opened.scenario_id,
                kafka=profile.kafka,
                control=profile.control,
                engine=ENGINE_VERSION,
                created_at=opened.created_at,
                forked_from=opened.provenance.forked_from,
                owned=opened.provenance.owned,
                steps=stored_steps(opened.timeline),
            )
        ).decode()

    def answer(self, method: str, address: str, body: str = "", say: Say = _unheard) -> Answer:
        """The response to a request; `address` is a path below `/api/v1`, with its query. Of a long
        computation, `say` is called with each event of its stream, and the body is empty.
        """
        path, _, written = address.partition("?")
        try:
            request, names = requested(self._answerers, method, path)
            asked = Asked(names, dict(parse_qsl(written)), body.encode(), say)
            status, document = self._answerers[request](self, asked)
        except HighwaterError as error:
            return Answer(error.status.value, problem_document(error).decode())
        encoded = document if isinstance(document, bytes) else _encoder.encode(document)
        return Answer(status.value, encoded.decode())

    def found(self, run_id: str) -> OpenTimeline:
        """An open run. Raises NotFoundError if there is none with this id."""
        try:
            return self._open[run_id]
        except KeyError:
            raise NotFoundError("There is no such session.") from None

    def search(self, asked: Asked) -> tuple[HTTPStatus, object]:
        """Search the site."""
        index = SearchIndex(()) if self._index is None else self._index
        return HTTPStatus.OK, answered(index, asked.queried(SearchQuery))

    def start(self, asked: Asked) -> tuple[HTTPStatus, object]:
        """Begin a run, and open it."""
        body = asked.read(SessionCreate)
        run = started(body, None if body.session is None else self.found(body.session))
        run_id = new_page_id()
        opened = OpenTimeline(
            run_id,
            run.scenario_id,
            datetime.now(UTC),
            len(stored_steps(run.timeline)),
            Provenance(_OWNED if body.owned else None, run.forked_from),
            run.timeline,
            Rendering(run.timeline, self._rendered),
        )
        self._open[run_id] = opened
        key = {"owner_key": secrets.token_urlsafe(8)} if body.owned else {}
        return HTTPStatus.CREATED, {**responses.describe(opened), **key}

    def act(self, asked: Asked) -> tuple[HTTPStatus, object]:
        """Perform a step of a run, or repeat the response if this step was performed before."""
        opened, body = self.found(*asked.names), asked.read(ActionCreate)
        step, key = read_action(opened, body)
        opened.check_frame(body.after, where="/after")
        frames = opened.done.get((body.after, key))
        if frames is not None:
            return HTTPStatus.OK, performed_before(opened, body, frames)
        next_frame = opened.frame_count
        try:
            result, document = performed(opened, body, step)
        except REFUSALS as refused:
            if opened.frame_count != next_frame:
                # Frames without a step: what is kept is right, and will be opened again.
                del self._open[opened.session_id]
            raise refusal(refused) from None
        opened.note(StoredStep(body.after, step.as_step(), key, None, tuple(result.frames)))
        return HTTPStatus.CREATED, document


def requested(answerers: Iterable[str], method: str, path: str) -> tuple[str, tuple[str, ...]]:
    """The request of a table at a path below `/api/v1`, and the names in the path. Raises
    NotFoundError if it is none of them.
    """
    parts = [unquote(part) for part in path.strip("/").split("/")]
    for request in answerers:
        known, _, pattern = request.partition(" /")
        pairs = list(zip_longest(pattern.split("/"), parts))
        names = tuple(part for said, part in pairs if said and said.startswith("{"))
        if known == method and all(
            said == part or (part and said and said.startswith("{")) for said, part in pairs
        ):
            return request, names
    raise NotFoundError("A page without a service does not answer this.")


Answerer = Callable[[PageEngine, Asked], tuple[HTTPStatus, object]]
"""Answers a request with a status, and a document or its JSON."""


def _alone(answer: Callable[[Asked], object]) -> Answerer:
    return lambda _, asked: (HTTPStatus.OK, answer(asked))


def _of_run(answer: Callable[[OpenTimeline, Asked], object]) -> Answerer:
    return lambda page, asked: (HTTPStatus.OK, answer(page.found(*asked.names), asked))


def _timeline(run: OpenTimeline, asked: Asked) -> object:
    stretch = asked.queried(_Stretch)
    return responses.timeline_document(run, stretch.first, stretch.to, full=stretch.full == "1")


def _link(run: OpenTimeline, asked: Asked) -> object:
    branch = asked.queried(_Branch)
    return responses.run_for_link(run, branch.at, branch.end, branch.level)


def _draft(asked: Asked) -> object:
    draft = asked.read(DraftCheck)
    return drafts.preview(draft.scenario_text, draft.after)


def _try(asked: Asked) -> object:
    moves = asked.read(TryCreate).moves
    return challenges.tried(challenges.found(*asked.names), moves)


def _lesson(part: LessonPart) -> Answerer:
    def answer(asked: Asked) -> bytes:
        key = lesson_file_key(part, *asked.names)
        with replay.engine_errors():
            return lesson_file(key)

    return _alone(answer)


ANSWERED: Final[Mapping[str, Answerer]] = {
    "GET /search": PageEngine.search,
    "POST /sessions": PageEngine.start,
    "GET /sessions/{id}": _of_run(lambda run, _: responses.describe(run)),
    "POST /sessions/{id}/actions": PageEngine.act,
    "POST /sessions/{id}/comparisons": _of_run(
        lambda run, asked: replay.compare(run, asked.read(ComparisonCreate))
    ),
    "GET /sessions/{id}/timeline": _of_run(_timeline),
    "GET /sessions/{id}/story": _of_run(
        lambda run, asked: responses.story(run, asked.queried(_At).at)
    ),
    "GET /sessions/{id}/link": _of_run(_link),
    "GET /sessions/{id}/choices": _of_run(
        lambda run, asked: responses.choices(run, asked.queried(_After).after)
    ),
    "GET /sessions/{id}/words": _of_run(
        lambda run, asked: responses.operator_words(run, asked.queried(_Moment).at)
    ),
    "GET /sessions/{id}/file": _of_run(
        lambda run, asked: drafts.branch_file(run, asked.queried(_At).at)
    ),
    "POST /drafts": _alone(_draft),
    "POST /imports": _alone(lambda asked: drafts.imported(asked.read(ImportCreate))),
    "POST /challenges/{challenge_id}/tries": _alone(_try),
    "GET /scenarios/{scenario_id}/run": _lesson("run"),
    "GET /scenarios/{scenario_id}/runs/{kafka}": _lesson("run"),
    "GET /scenarios/{scenario_id}/runs/{kafka}/choices": _lesson("choices"),
    "GET /scenarios/{scenario_id}/runs/{kafka}/words": _lesson("words"),
    "GET /scenarios/{scenario_id}/runs/{kafka}/comparisons/{other}": _lesson("comparison"),
}
"""The one list of what a page answers while somebody acts, written as in the service's description;
`COMPUTED` has what takes long. The page reads both beside the engine's files, and
`scripts/bundle_engine.py` asks each of them.
"""

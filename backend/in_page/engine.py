"""The requests about runs that a page answers itself, by the functions that the routes call.

A run is kept as its scenario and its steps, as in the service; who keeps it is the caller. There
are no visitors here: no quotas, no budget, and whoever has the page owns its runs.
"""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Literal, TypeVar
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
    SessionCreate,
    TryCreate,
    read_request,
)
from backend.frames.rendering import Rendering, rendered_frames
from backend.http.errors import HighwaterError, InvalidInputError, NotFoundError, problem_document
from backend.http.json_document import decoded
from backend.identifiers import new_page_id
from backend.lessons.files import LessonFileKey, lesson_file, lesson_file_key
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError

_OWNED = "this page"
_encoder = msgspec.json.Encoder()
_Query = TypeVar("_Query", bound=Struct)


class Answer(Struct, frozen=True):
    """A response: JSON, of an error a problem document."""

    status: int
    body: str


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
    """The runs of one page that are open."""

    def __init__(self) -> None:
        self._open: dict[str, OpenTimeline] = {}
        self._rendered = rendered_frames()

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

    def answer(self, method: str, address: str, body: str = "") -> Answer:
        """The response to a request; `address` is a path below `/api/v1`, with its query."""
        path, _, written = address.partition("?")
        names = [unquote(name) for name in path.strip("/").split("/")]
        try:
            status, document = self._answered(
                method, names, dict(parse_qsl(written)), body.encode()
            )
        except HighwaterError as error:
            return Answer(error.status.value, problem_document(error).decode())
        encoded = document if isinstance(document, bytes) else _encoder.encode(document)
        return Answer(status.value, encoded.decode())

    def _answered(
        self, method: str, names: list[str], query: dict[str, str], body: bytes
    ) -> tuple[HTTPStatus, object]:
        match method, names:
            case "POST", ["sessions"]:
                made = self._start(read_request(SessionCreate, decoded(body)))
                return HTTPStatus.CREATED, made
            case "POST", ["sessions", run_id, "actions"]:
                return self._act(self._found(run_id), read_request(ActionCreate, decoded(body)))
            case "POST", ["sessions", run_id, "comparisons"]:
                asked = read_request(ComparisonCreate, decoded(body))
                return HTTPStatus.OK, replay.compare(self._found(run_id), asked)
            case "GET", ["sessions", run_id, *part]:
                return HTTPStatus.OK, _read(self._found(run_id), "/".join(part), query)
            case "POST", ["drafts"]:
                draft = read_request(DraftCheck, decoded(body))
                return HTTPStatus.OK, drafts.preview(draft.scenario_text, draft.after)
            case "POST", ["imports"]:
                return HTTPStatus.OK, drafts.imported(read_request(ImportCreate, decoded(body)))
            case "POST", ["challenges", challenge, "tries"]:
                moves = read_request(TryCreate, decoded(body)).moves
                return HTTPStatus.OK, challenges.tried(challenges.found(challenge), moves)
            case "GET", ["scenarios", lesson, "run"]:
                return HTTPStatus.OK, _lesson(lesson_file_key("run", lesson))
            case "GET", ["scenarios", lesson, "runs", kafka]:
                return HTTPStatus.OK, _lesson(lesson_file_key("run", lesson, kafka))
            case "GET", ["scenarios", lesson, "runs", kafka, ("choices" | "words") as part]:
                return HTTPStatus.OK, _lesson(lesson_file_key(part, lesson, kafka))
            case "GET", ["scenarios", lesson, "runs", kafka, "comparisons", other]:
                return HTTPStatus.OK, _lesson(lesson_file_key("comparison", lesson, kafka, other))
        raise NotFoundError("A page without a service does not answer this.")

    def _found(self, run_id: str) -> OpenTimeline:
        try:
            return self._open[run_id]
        except KeyError:
            raise NotFoundError("There is no such session.") from None

    def _start(self, body: SessionCreate) -> Mapping[str, object]:
        run = started(body, None if body.session is None else self._found(body.session))
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
        return {**responses.describe(opened), **key}

    def _act(self, opened: OpenTimeline, body: ActionCreate) -> tuple[HTTPStatus, bytes]:
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


def _read(opened: OpenTimeline, part: str, query: Mapping[str, str]) -> object:
    match part:
        case "":
            return responses.describe(opened)
        case "timeline":
            stretch = _of_query(_Stretch, query)
            is_full = stretch.full == "1"
            return responses.timeline_document(opened, stretch.first, stretch.to, full=is_full)
        case "story":
            return responses.story(opened, _of_query(_At, query).at)
        case "link":
            branch = _of_query(_Branch, query)
            return responses.run_for_link(opened, branch.at, branch.end, branch.level)
        case "choices":
            return responses.choices(opened, _of_query(_After, query).after)
        case "words":
            return responses.operator_words(opened, _of_query(_Moment, query).at)
        case "file":
            return drafts.branch_file(opened, _of_query(_At, query).at)
    raise NotFoundError


def _of_query(kind: type[_Query], query: Mapping[str, str]) -> _Query:
    try:
        return msgspec.convert(query, kind, strict=False)
    except msgspec.ValidationError:
        raise InvalidInputError("The request is invalid.", code="invalid") from None


def _lesson(key: LessonFileKey) -> bytes:
    with replay.engine_errors():
        return lesson_file(key)

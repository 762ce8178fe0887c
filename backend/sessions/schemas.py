"""The schemas of sessions."""

from functools import partial
from typing import Annotated, ClassVar, TypeVar

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, PlainValidator
from pydantic_core import CoreSchema

from backend.answers import requests
from backend.answers.requests import Control, read_request
from backend.frames.packing import FrameEntry
from backend.http.schemas import Shape, WordsRead, reference
from backend.limit_table import BODY_BYTES, FRAMES_A_SESSION, Limit
from sim_engine.documents.comparison import ComparisonDocument
from sim_engine.documents.operator_words import OperatorWords
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.choices import ChoiceDocument
from sim_engine.story.steps import StoryStepDocument

AFrame = Annotated[FrameNumber, Field(ge=0, lt=FRAMES_A_SESSION.number + 1)]
FrameEntryRead = Annotated[object, reference(FrameEntry)]
Id = Annotated[str, Field(min_length=26, max_length=26)]
ChoiceRead = Annotated[object, reference(ChoiceDocument)]
StoryStepRead = Annotated[object, reference(StoryStepDocument)]
ComparisonRead = Annotated[object, reference(ComparisonDocument)]
OperatorWordsRead = Annotated[object, reference(OperatorWords)]


class _AsDeclared:
    """FastAPI's validation and schema of a body that `backend.answers` declares."""

    def __get_pydantic_core_schema__(
        self, kind: type[requests.Request], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        validated = PlainValidator(partial(_checked, kind))
        return handler.generate_schema(Annotated[object, validated, reference(kind)])


def _checked(kind: type[requests.Request], body: object) -> requests.Request:
    # A long body was already read, outside the event loop.
    return body if isinstance(body, kind) else read_request(kind, body)


_Kind = TypeVar("_Kind", bound=requests.Request)
Declared = Annotated[_Kind, Body(), _AsDeclared()]
"""The body of a route: `body: Declared[ActionCreate]`."""


class Request(BaseModel):
    """The base of other request bodies: exactly these keys, with exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    body_limit: ClassVar[Limit] = BODY_BYTES


class ForkCreate(Request):
    """A new session with the steps of a share, or with those that a presentation has shown."""

    owned: bool = Field(False, description="As in a session.")


class LinkOrigin(Shape):
    """The full-state link that a session was created from."""

    engine: str = Field(description="The engine version that created the link.")
    differs: bool = Field(description="Whether this engine plays its steps differently.")


class RunLinkRead(Shape):
    """A run for the fragment of an address; nothing is stored."""

    run: dict[str, object] = Field(description="The value for `run` of `POST /sessions`.")
    most_characters: int = Field(
        description="The maximum length of the fragment. A longer run needs a share."
    )


class ForkedFrom(Shape):
    """The origin of a copy: another session, a share, a session created from a share, or a
    full-state link.
    """

    session: str | None = Field(
        None,
        description="Null if its id grants the right to act on it; such an id is not disclosed.",
    )
    share: str | None = None
    link: LinkOrigin | None = None


class BranchRead(Shape):
    """A branch of a session, from `first_frame` to `head`."""

    head: FrameNumber
    first_frame: FrameNumber
    forked_after: int | None = Field(description="The frame where it forks from another branch.")
    depth: int = Field(description="The number of actions from the start to `head`.")


class SessionRead(Shape):
    """A run in progress. Anyone with its id can perform steps in it, unless it has an owner."""

    id: str
    head: FrameNumber = Field(description="The newest frame.")
    frames: int = Field(description="The number of frames on all branches.")
    kafka: str = Field(description="The profile of its version.")
    control: Control
    engine: str
    scenario_id: str | None = Field(description="The shipped scenario; null for any other.")
    scenario: dict[str, object] = Field(description="The whole scenario document.")
    words: WordsRead
    created: str
    owned: bool = Field(description="Whether steps require the owner's key.")
    forked_from: ForkedFrom | None = Field(
        description="The origin of the copy; null if it is not a copy."
    )
    branches: list[BranchRead]


class SessionCreated(SessionRead):
    """A new session."""

    owner_key: str = Field(
        "",
        description="Only with `owned`: the key for performing steps. It is returned only here. "
        "Send it as `Authorization: Bearer`.",
    )


class ActionRead(Shape):
    """What a step did, and what is possible next."""

    head: FrameNumber = Field(description="The end of the branch after this action.")
    forked: bool = Field(description="Whether `after` was not the head of its branch.")
    repeated: bool = Field(
        description="Whether the same step had already been performed after this frame."
    )
    frames: list[FrameEntryRead] = Field(
        description="The new frames, at most 500, as in a timeline: the first with its complete "
        "state, the others with patches. With `known`, the first has a patch as well. Frames that "
        "do not fit into the response are omitted; fetch them from the timeline."
    )
    missed: list[FrameEntryRead] = Field(
        description="Frames from `known` up to `frames` that other clients created, at most 500. A "
        "patch is against the state of the frame with the previous number, which the client has. "
        "If more frames are missing, the first of `frames` has its complete state."
    )
    total: int = Field(description="The number of frames on all branches.")
    story: list[StoryStepRead] = Field(
        description="The story steps from the one that contains the first of `frames` up to "
        "`head`; on another branch from the one that contains the frame before, because it may end "
        "earlier there. They replace the steps with these numbers that the client has."
    )
    choices: list[ChoiceRead] = Field(
        description="The steps after `head`, as `/choices` returns them."
    )


class StoryRead(Shape):
    """The steps of one branch."""

    head: FrameNumber = Field(description="The end of the branch.")
    story: list[StoryStepRead] = Field(description="Its steps, from the start.")


class TimelineRead(Shape):
    """Frames of a session, on all branches, by number."""

    head: FrameNumber
    total: int
    next: int | None = Field(
        description="The first requested frame that did not fit into the response; null if all of "
        "them fit."
    )
    frames: list[FrameEntryRead]

"""The schemas of sessions."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from backend.frames.packing import FrameEntry
from backend.http.schemas import Shape, Step, WordsRead, reference
from backend.limit_table import BODY_BYTES, FRAMES_A_SESSION, SCENARIO_BODY_BYTES, Limit
from sim_engine.documents.comparison import ComparisonDocument
from sim_engine.documents.operator_words import OperatorWords
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.choices import ChoiceDocument
from sim_engine.story.step_texts import StoryStepDocument

AFrame = Annotated[FrameNumber, Field(ge=0, lt=FRAMES_A_SESSION.number + 1)]
Release = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[0-9][0-9.]*$")]
Control = Literal["zookeeper", "kraft"]
FrameEntryRead = Annotated[object, reference(FrameEntry)]
ChoiceRead = Annotated[object, reference(ChoiceDocument)]
StoryStepRead = Annotated[object, reference(StoryStepDocument)]
ComparisonRead = Annotated[object, reference(ComparisonDocument)]
OperatorWordsRead = Annotated[object, reference(OperatorWords)]
Id = Annotated[str, Field(min_length=26, max_length=26)]


class Request(BaseModel):
    """The base of request bodies: exactly these keys, with exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    body_limit: ClassVar[Limit] = BODY_BYTES


class Recipe(Request):
    """A run as its scenario and steps, as in a full-state link (/docs/reference/links)."""

    scenario: dict[str, object] = Field(description="The whole scenario document.")
    kafka: Release
    control: Control
    record: list[object] = Field(
        description="The steps taken, in order: a number is an entry of the scenario's steps, an "
        "object is a user's step. In a list, they follow the frame that they were taken after."
    )
    at: AFrame = Field(description="The frame that the link opens at.")
    level: Literal["story", "message"] = Field(
        "story", description="The step size when it is opened."
    )
    engine: str = Field(max_length=32, description="The engine version that created the link.")
    digest: str = Field(
        pattern="^[0-9a-f]{16}$", description="The first digits of the SHA-256 of its frames."
    )


class ProducerSettings(Request):
    """Settings for every producer. Omitted settings stay as in each step."""

    acks: Literal["all", -1, 0, 1] | None = None
    idempotent: bool | None = None

    def arguments(self) -> dict[str, object]:
        """The arguments for a produce step: only those that are set."""
        return self.model_dump(exclude_none=True)


class SessionCreate(Request):
    """Exactly one of `scenario_id`, `scenario`, `scenario_text`, `run`, or `session` with `at`."""

    body_limit = SCENARIO_BODY_BYTES

    scenario_id: str | None = Field(
        None, min_length=1, max_length=64, description="The id or alias of a shipped scenario."
    )
    scenario: dict[str, object] | None = Field(None, description="A complete scenario document.")
    scenario_text: str | None = Field(
        None,
        min_length=1,
        max_length=SCENARIO_BODY_BYTES.number,
        description="A complete scenario file, YAML or JSON. Errors are reported with line and "
        "column.",
    )
    run: Recipe | None = Field(None, description="The contents of a full-state link's fragment.")
    session: Id | None = Field(None, description="Replay the steps of this session, up to `at`.")
    at: AFrame | None = Field(None, description="The frame of `session` to replay up to.")
    kafka: Release | None = Field(
        None, description="Run under this version instead of the scenario's own."
    )
    control: Control | None = None
    configs: dict[str, int | bool | str] | None = Field(
        None,
        description="With `session`: run in a cluster with these settings. Not allowed together "
        "with another version.",
    )
    producers: ProducerSettings | None = Field(
        None,
        description="With `session`: run with these producer settings, restricted like `configs`.",
    )

    owned: bool = Field(
        False,
        description="If true, every step requires the `owner_key` of the response. Anyone with "
        "the id can still read and copy the session.",
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        origins = [self.scenario_id, self.scenario, self.scenario_text, self.run, self.session]
        if sum(origin is not None for origin in origins) != 1:
            raise ValueError(
                "give exactly one of scenario_id, scenario, scenario_text, run and session"
            )
        if (self.session is None) != (self.at is None):
            raise ValueError("session and at belong together")
        is_changed = self.configs is not None or self.producers is not None
        if is_changed and (self.session is None or self.kafka or self.control):
            raise ValueError(
                "configs and producers need session and at, and exclude kafka and control"
            )
        return self


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


class ActionCreate(Request):
    """One step to perform after a frame."""

    after: AFrame = Field(description="The frame to act on: any frame, not only a head.")
    step: Step
    known: Annotated[int, Field(ge=1, le=FRAMES_A_SESSION.number + 1)] | None = Field(
        None,
        description="The number of frames that the client has: those from 0 up to but excluding "
        "this one.",
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


class ComparisonCreate(Request):
    """Compares the branch up to `at` with the same steps under another version or other configs,
    with another scenario under the same version and controller, or with another branch."""

    at: AFrame | None = Field(None, description="The end of the branch. Default: the head.")
    kafka: Release | None = None
    control: Control | None = None
    configs: dict[str, int | bool | str] | None = None
    producers: ProducerSettings | None = Field(None, description="Alone, or with `configs`.")
    scenario_id: str | None = Field(
        None, min_length=1, max_length=64, description="The id or alias of a shipped scenario."
    )
    branches: Annotated[list[AFrame], Field(min_length=2, max_length=2)] | None = None

    @model_validator(mode="after")
    def _one_other_side(self) -> Self:
        settings = self.producers if self.configs is None else self.configs
        others = [self.kafka or self.control, settings, self.scenario_id, self.branches]
        if sum(other is not None for other in others) != 1:
            raise ValueError(
                "give exactly one of kafka, configs or producers, scenario_id and branches"
            )
        if self.branches is not None and self.at is not None:
            raise ValueError("branches define their own end: omit at")
        return self

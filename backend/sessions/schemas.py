"""The shapes of sessions on the wire."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from backend.frames.packing import FrameEntry
from backend.http.answers import Shape, Step, WordsRead, reference
from backend.limits.table import BODY_BYTES, FRAMES_A_SESSION
from sim_engine import ChoiceDocument, ComparisonDocument, FrameNumber, StoryStepDocument

AFrame = Annotated[FrameNumber, Field(ge=0, lt=FRAMES_A_SESSION.number + 1)]
Release = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[0-9][0-9.]*$")]
Control = Literal["zookeeper", "kraft"]
FrameEntryRead = Annotated[object, reference(FrameEntry)]
ChoiceRead = Annotated[object, reference(ChoiceDocument)]
StoryStepRead = Annotated[object, reference(StoryStepDocument)]
ComparisonRead = Annotated[object, reference(ComparisonDocument)]
Id = Annotated[str, Field(min_length=26, max_length=26)]


class Request(BaseModel):
    """What a caller sends: exactly these keys, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Recipe(Request):
    """A run as what makes it, as a full-state link has it (/docs/reference/links)."""

    scenario: dict[str, object] = Field(description="The whole scenario document.")
    kafka: Release
    control: Control
    record: list[object] = Field(
        description="What was done, in order: a number is an entry of the scenario's steps, an "
        "object a step of a person. In a list, they stand after the frame that they follow."
    )
    at: AFrame = Field(description="The frame that the link opens at.")
    level: Literal["story", "message"] = Field("story", description="How one goes along it there.")
    engine: str = Field(max_length=32, description="What the link was made by.")
    digest: str = Field(
        pattern="^[0-9a-f]{16}$", description="The first digits of the sha256 of its frames."
    )


class SessionCreate(Request):
    """One of `scenario_id`, `scenario`, `scenario_text`, `run`, or `session` with `at`."""

    scenario_id: str | None = Field(
        None, min_length=1, max_length=64, description="A shipped scenario's id or alias."
    )
    scenario: dict[str, object] | None = Field(None, description="A whole scenario document.")
    scenario_text: str | None = Field(
        None,
        min_length=1,
        max_length=BODY_BYTES.number,
        description="A whole scenario file, YAML or JSON: what is wrong with it is told with its "
        "line and column.",
    )
    run: Recipe | None = Field(None, description="What a full-state link has in its fragment.")
    session: Id | None = Field(None, description="Replay what was done in this session …")
    at: AFrame | None = Field(None, description="… up to this frame.")
    kafka: Release | None = Field(None, description="Under this version instead of its own.")
    control: Control | None = None
    configs: dict[str, int | bool | str] | None = Field(
        None,
        description="With `session`: in a cluster with these settings, where not under another "
        "version.",
    )

    owned: bool = Field(
        False,
        description="Only whoever makes it may act on it, with the `owner_key` of the answer; "
        "everybody who has its id may read it and copy it.",
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        origins = [self.scenario_id, self.scenario, self.scenario_text, self.run, self.session]
        if sum(origin is not None for origin in origins) != 1:
            raise ValueError("give one of scenario_id, scenario, scenario_text, run and session")
        if (self.session is None) != (self.at is None):
            raise ValueError("session and at belong together")
        if self.configs is not None and (self.session is None or self.kafka or self.control):
            raise ValueError("configs belong to session and at, without kafka and control")
        return self


class LinkOrigin(Shape):
    """A full-state link that a session was made of."""

    engine: str = Field(description="What the link was made by.")
    differs: bool = Field(description="Whether this engine plays its steps differently.")


class RunLinkRead(Shape):
    """A run for the fragment of an address; nothing is stored."""

    run: dict[str, object] = Field(description="As `run` of `POST /sessions` takes it.")
    most_characters: int = Field(
        description="How long the fragment may be; a longer run is shared."
    )


class ForkedFrom(Shape):
    """What a session is a copy of: another session, a share, or a session that was made of one.

    Or a full-state link.
    """

    session: str | None = Field(
        None, description="Null where its id is the right to act on it, which is not told."
    )
    share: str | None = None
    link: LinkOrigin | None = None


class BranchRead(Shape):
    """From `first_frame` to `head`."""

    head: int
    first_frame: int
    forked_after: int | None = Field(description="Where it parts from another branch.")
    depth: int = Field(description="How many actions `head` is from the start.")


class SessionRead(Shape):
    """A run being played. Its id is the right to act on it, unless it has an owner."""

    id: str
    head: int = Field(description="The frame that was made last.")
    frames: int = Field(description="How many there are, of all branches.")
    kafka: str = Field(description="The version's profile that it runs under.")
    control: Control
    engine: str
    scenario_id: str | None = Field(description="The shipped scenario that this is, if one.")
    scenario: dict[str, object] = Field(description="The whole scenario document.")
    words: WordsRead
    created: str
    owned: bool = Field(description="Whether only the owner's key is the right to act on it.")
    forked_from: ForkedFrom | None = Field(description="What it is a copy of, if of anything.")
    branches: list[BranchRead]


class SessionCreated(SessionRead):
    owner_key: str = Field(
        "",
        description="Only with `owned`: the right to act on it, shown here and nowhere else. Send "
        "it as `Authorization: Bearer`.",
    )


class ActionCreate(Request):
    after: AFrame = Field(description="The frame to act on; any frame, not only a head.")
    step: Step
    known: Annotated[int, Field(ge=1, le=FRAMES_A_SESSION.number + 1)] | None = Field(
        None, description="How many frames the client holds: those numbered from 0 to before this."
    )


class ActionRead(Shape):
    head: int = Field(description="The end of the branch acted on, just after this action.")
    forked: bool = Field(description="Whether `after` was not the head of its branch.")
    repeated: bool = Field(description="The same step was done after the same frame before.")
    frames: list[FrameEntryRead] = Field(
        description="The frames that it made, at most 500, as in a timeline: the first with its "
        "whole state, patches after it. With `known`, the first has a patch as well. Where they "
        "are too large for one answer, the last are left out: a timeline has them."
    )
    missed: list[FrameEntryRead] = Field(
        description="Frames from `known` to before `frames` that others made, at most 500. A patch "
        "is against the state of the frame with the number before, which the client holds; where "
        "more were missed, the first of `frames` has its whole state."
    )
    total: int = Field(description="How many frames there are, of all branches.")
    story: list[StoryStepRead] = Field(
        description="The steps of the story from that of the first of `frames` on to `head`. One "
        "that the client knows already has become longer."
    )
    choices: list[ChoiceRead] = Field(
        description="What could be done after `head`, as `/choices` answers it."
    )


class StoryRead(Shape):
    head: int = Field(description="The end of the branch that is told.")
    story: list[StoryStepRead] = Field(description="Its steps, from the start on.")


class TimelineRead(Shape):
    head: int
    total: int
    next: int | None = Field(
        description="The first frame of those asked for that did not fit into this answer; null "
        "where all are there."
    )
    frames: list[FrameEntryRead]


class ComparisonCreate(Request):
    """The branch to `at` against the same steps under another version or other configs, against
    another scenario under the same version and controller, or against another branch."""

    at: AFrame | None = Field(None, description="The end of the branch; left out: the head.")
    kafka: Release | None = None
    control: Control | None = None
    configs: dict[str, int | bool | str] | None = None
    scenario_id: str | None = Field(
        None, min_length=1, max_length=64, description="A shipped scenario's id or alias."
    )
    branches: Annotated[list[AFrame], Field(min_length=2, max_length=2)] | None = None

    @model_validator(mode="after")
    def _one_other_side(self) -> Self:
        others = [self.kafka or self.control, self.configs, self.scenario_id, self.branches]
        if sum(other is not None for other in others) != 1:
            raise ValueError("give one of kafka, configs, scenario_id and branches")
        if self.branches is not None and self.at is not None:
            raise ValueError("branches say where they end: leave at out")
        return self

"""The schemas of presentations."""

from typing import Annotated

from pydantic import Field

from backend.http.schemas import Shape, Text
from backend.limit_table import QUESTION_ANSWERS
from backend.sessions.schemas import AFrame, FrameEntryRead, Request

Words = Annotated[
    dict[Annotated[str, Field(max_length=16)], Annotated[str, Field(max_length=2_000)]],
    Field(min_length=1, max_length=20, description="The same words by language."),
]


class QuestionShown(Request):
    """A question. The correct answer and the reasons are sent only when they are revealed."""

    key: str = Field(
        min_length=1, max_length=64, description="The id of the question among the run's words."
    )
    text: Words
    answers: list[Words] = Field(min_length=2, max_length=QUESTION_ANSWERS.number)
    correct: int | None = Field(None, ge=0, lt=QUESTION_ANSWERS.number)
    reasons: list[Words] | None = Field(
        None, max_length=QUESTION_ANSWERS.number, description="Why each answer is right or wrong."
    )


class MomentShown(Request):
    """What the presenter shows: a step or a single frame."""

    first: AFrame = Field(description="The first frame of what is shown.")
    frame: AFrame = Field(description="The last frame, which is the position of the playhead.")
    whole: bool = Field(False, description="Whether the frames are shown as one step.")
    message: AFrame | None = Field(
        None, description="The number of the message in its step; null for a whole step."
    )
    messages: AFrame | None = Field(None, description="The number of messages of that step.")
    question: QuestionShown | None = None
    revealed: bool = Field(False, description="Whether the votes and the correct answer are shown.")
    black: bool = Field(False, description="Whether the screen is blank.")


class PresentationCreate(Request):
    """A new presentation of a session, and the first scene."""

    session: str = Field(min_length=26, max_length=26)
    moment: MomentShown


class PresentationCreated(Shape):
    """A new presentation. The token is required to move the playhead and is returned only here."""

    code: str
    url: str = Field(description="The address for followers.")
    token: str


class VoteCreate(Request):
    """A vote. The voter's number is a random number from the page and identifies no person."""

    question: str = Field(min_length=1, max_length=64)
    voter: str = Field(pattern="^[0-9a-f]{32}$")
    choice: int = Field(ge=0, lt=QUESTION_ANSWERS.number)


class QuestionRead(Shape):
    """A question and, once revealed, the correct answer and the reasons."""

    key: str
    text: Text
    answers: list[Text]
    correct: int | None
    reasons: list[Text] | None = Field(
        description="Why each answer is right or wrong; null before they are revealed, and if the "
        "author gives no reasons."
    )


class SceneRead(Shape):
    """The data of a `scene` event: what is shown now. It contains nothing from later steps."""

    version: int
    title: Text
    kafka: str
    lesson: str | None = Field(
        description="The shipped lesson that is presented, in which a follower can continue at "
        "this step; null for any other run, and after a step of the presenter."
    )
    step: int = Field(description="The step of the story.")
    message: int | None = Field(
        description="The number of the message in the step; null for a whole step."
    )
    messages: int | None = Field(description="The number of messages of the step.")
    step_frames: list[int] = Field(description="The first frame of each step so far.")
    order: dict[str, list[int]] = Field(
        description="The replicas of each partition at the start of the run. Their rows keep this "
        "order when the partition is reassigned."
    )
    told: Text | None = Field(description="What the step is about; null for a single message.")
    frames: list[FrameEntryRead] = Field(
        description="The shown frames, preceded by the frame before them if there is one."
    )
    begins: bool = Field(description="Whether no frame precedes them.")
    question: QuestionRead | None
    revealed: bool
    black: bool
    ended: bool


class AudienceRead(Shape):
    """The data of an `audience` event."""

    here: int = Field(description="The number of followers.")
    answered: int = Field(description="The number of votes on the current question.")
    votes: list[int] | None = Field(
        description="The number of votes for each answer, once revealed."
    )

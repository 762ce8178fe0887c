"""The shapes of a presentation on the wire."""

from typing import Annotated

from pydantic import Field

from backend.http.answers import Shape, Text
from backend.sessions.schemas import AFrame, FrameEntryRead, Request

MOST_ANSWERS = 9
Words = Annotated[
    dict[Annotated[str, Field(max_length=16)], Annotated[str, Field(max_length=2_000)]],
    Field(min_length=1, max_length=20, description="The same words by language."),
]


class QuestionShown(Request):
    """A question to the audience. What is right is told when it is revealed."""

    key: str = Field(min_length=1, max_length=64, description="Its name among the run's words.")
    text: Words
    answers: list[Words] = Field(min_length=2, max_length=MOST_ANSWERS)
    correct: int | None = Field(None, ge=0, lt=MOST_ANSWERS)


class MomentShown(Request):
    """What the presenter shows: the step or the message that ends with a frame."""

    first: AFrame = Field(description="The first frame of what is shown.")
    frame: AFrame = Field(description="The last one, on which the playhead stands.")
    whole: bool = Field(False, description="Whether they are shown as one step.")
    question: QuestionShown | None = None
    revealed: bool = Field(False, description="Whether answers are counted and the right one told.")
    black: bool = Field(False, description="Whether nothing is shown.")


class PresentationCreate(Request):
    """A presentation of a session, and what is shown first."""

    session: str = Field(min_length=26, max_length=26)
    moment: MomentShown


class PresentationCreated(Shape):
    """A new presentation. The token, which is told here only, moves its playhead."""

    code: str
    url: str = Field(description="Where others follow.")
    token: str


class VoteCreate(Request):
    """An answer. The voter's number is made up by the page: it names nobody."""

    question: str = Field(min_length=1, max_length=64)
    voter: str = Field(pattern="^[0-9a-f]{32}$")
    choice: int = Field(ge=0, lt=MOST_ANSWERS)


class QuestionRead(Shape):
    """A question, and once it is revealed what is right."""

    key: str
    text: Text
    answers: list[Text]
    correct: int | None


class SceneRead(Shape):
    """The data of a `scene` event: what is shown, and nothing of what comes next."""

    version: int
    title: Text
    kafka: str
    step: int = Field(description="The step of the story.")
    step_frames: list[int] = Field(description="The first frame of each step so far.")
    told: Text | None = Field(description="What the step is about; null for a single message.")
    frames: list[FrameEntryRead] = Field(
        description="Those of what is shown, after the frame before them, where there is one."
    )
    begins: bool = Field(description="Whether there is no frame before.")
    question: QuestionRead | None
    revealed: bool
    black: bool
    ended: bool


class AudienceRead(Shape):
    """The data of an `audience` event."""

    here: int = Field(description="How many follow.")
    answered: int = Field(description="How many have answered the question that is shown.")
    votes: list[int] | None = Field(description="How many chose each answer, once revealed.")

"""The shapes of shares on the wire."""

from pydantic import Field

from backend.http.answers import Shape, Text, WordsRead
from backend.sessions.schemas import (
    AFrame,
    FrameEntryRead,
    Id,
    Request,
    SessionCreated,
    StoryStepRead,
)


class ShareCreate(Request):
    session: Id
    at: AFrame = Field(description="The frame that the link opens at.")
    end: AFrame | None = Field(
        None,
        description="Where branches part after `at`: the end of the one to share. Left out, it is "
        "the branch that was acted on last.",
    )


class ShareCreated(Shape):
    """`delete_token` is shown here and nowhere else."""

    sid: str
    url: str
    embed_url: str
    svg_url: str
    delete_token: str
    digest: str = Field(description="sha256 of the shared frames.")


class ShareRead(Shape):
    """One branch of a run as it was when it was shared. It never changes."""

    sid: str
    at: int
    title: Text
    scenario: dict[str, object]
    words: WordsRead
    scenario_id: str | None
    kafka: str
    control: str
    engine: str
    created: str
    digest: str
    story: list[StoryStepRead] = Field(description="The branch in steps, from the start on.")
    frames: list[FrameEntryRead]
    next: int | None = Field(
        None,
        description="In an answer with a part of the frames: the place in the branch of the first "
        "of those asked for that did not fit; null where all are there.",
    )


class ForkCreate(Request):
    owned: bool = Field(False, description="As of a session.")


class ForkRead(SessionCreated):
    at: int = Field(description="The frame of the new session that the share was opened at.")

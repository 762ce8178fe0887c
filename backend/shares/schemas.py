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
    branches: bool = Field(
        False, description="With all branches of the run; the link opens on the one above."
    )
    title: str | None = Field(
        None,
        description="What the share is called, instead of the scenario's title: plain text.",
    )
    note: str | None = Field(None, description="What the author says of it: plain text, in lines.")


class ShareCreated(Shape):
    """`delete_token` is shown here and nowhere else."""

    sid: str
    url: str
    embed_url: str
    svg_url: str
    delete_token: str
    digest: str = Field(description="sha256 of the shared frames.")


class LineageRead(Shape):
    """Where the run of a share was forked from."""

    share: str
    root: str = Field(description="The first share of that line.")


class ShareRead(Shape):
    """A run as it was when it was shared: one branch, and perhaps its others. It never changes."""

    sid: str
    at: int
    title: Text
    scenario: dict[str, object]
    words: WordsRead
    note: str | None = Field(description="What the author says of it: plain text, in lines.")
    forked_from: LineageRead | None
    scenario_id: str | None
    kafka: str
    control: str
    engine: str
    created: str
    digest: str
    story: list[StoryStepRead] = Field(description="The branch in steps, from the start on.")
    frames: list[FrameEntryRead] = Field(description="Of the branch that the link opens on.")
    other_frames: list[FrameEntryRead] = Field(
        [],
        description="Of all other branches, by number, where they were shared; a patch is against "
        "the entry before it in this list. Left out of an answer with a part of the frames.",
    )
    next: int | None = Field(
        None,
        description="In an answer with a part of the frames: the place in the branch of the first "
        "of those asked for that did not fit; null where all are there.",
    )


class ForkCreate(Request):
    owned: bool = Field(False, description="As of a session.")


class ForkRead(SessionCreated):
    at: int = Field(description="The frame of the new session that the share was opened at.")

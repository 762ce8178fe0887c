"""The schemas of shares."""

from pydantic import Field

from backend.http.schemas import Shape, Text, WordsRead
from backend.sessions.schemas import (
    AFrame,
    FrameEntryRead,
    Id,
    Request,
    SessionCreated,
    StoryStepRead,
)
from sim_engine.identifiers import FrameNumber


class ShareCreate(Request):
    """A run to share."""

    session: Id
    at: AFrame = Field(description="The frame at which the link opens.")
    end: AFrame | None = Field(
        None,
        description="The end of the branch to share, if branches fork after `at`. Default: the "
        "branch with the latest action.",
    )
    branches: bool = Field(
        False,
        description="Whether to share all branches of the run. The link opens on the branch above.",
    )
    listed: bool = Field(
        False,
        description="Whether the gallery may list it. Otherwise it can be found only by its link.",
    )
    title: str | None = Field(
        None, description="A title that replaces the scenario's, as plain text."
    )
    note: str | None = Field(None, description="The author's note, as plain text with line breaks.")


class ShareCreated(Shape):
    """A new share. `delete_token` is returned only here."""

    sid: str
    url: str
    embed_url: str
    svg_url: str
    delete_token: str
    digest: str = Field(description="The SHA-256 of the shared frames.")
    title: Text = Field(description="Its title, by language.")


class LineageRead(Shape):
    """The origin of a share whose run was forked."""

    share: str
    root: str = Field(description="The first share in the chain of forks.")


class ShareRead(Shape):
    """A run as it was when it was shared: one branch, or all branches. It never changes."""

    sid: str
    at: FrameNumber
    title: Text
    scenario: dict[str, object]
    words: WordsRead
    note: str | None = Field(description="The author's note, as plain text with line breaks.")
    forked_from: LineageRead | None
    scenario_id: str | None
    kafka: str
    control: str
    engine: str
    created: str
    digest: str
    story: list[StoryStepRead] = Field(description="The steps of the branch, from the start.")
    frames: list[FrameEntryRead] = Field(
        description="The frames of the branch on which the link opens."
    )
    other_frames: list[FrameEntryRead] = Field(
        [],
        description="The frames of all other branches, by number, if they were shared. A patch is "
        "against the previous entry of this list. Omitted from a response with a part of the "
        "frames.",
    )
    next: int | None = Field(
        None,
        description="In a response with a part of the frames: the position of the first requested "
        "frame that did not fit; null if all of them fit.",
    )


class ForkRead(SessionCreated):
    """A new session that continues a share."""

    at: FrameNumber = Field(description="The frame of the new session at which the share opens.")

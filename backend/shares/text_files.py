"""The text formats of a share, by file name extension."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from backend.shares.scenario_file import scenario_yaml
from backend.shares.sequence_diagram import mermaid
from backend.shares.share import Share
from backend.shares.transcript import markdown
from sim_engine import FrameNumber, StoredFrame


class TextAsked(NamedTuple):
    """The request for a text file: the language, the share's address, the frames, and the frame to
    mark; without one, it is the frame at which the share opens.
    """

    lang: str
    link: str
    frames: Sequence[StoredFrame]
    marked: FrameNumber | None = None
    is_message: bool = False


class TextFile(NamedTuple):
    """One text format of a share."""

    media_type: str
    write: Callable[[Share, TextAsked], str]


TEXTS: Mapping[str, TextFile] = {
    "md": TextFile(
        "text/markdown",
        lambda share, asked: markdown(
            share, asked.lang, asked.link, marked=asked.marked, is_message=asked.is_message
        ),
    ),
    "yaml": TextFile("application/yaml", lambda share, asked: scenario_yaml(share, asked.link)),
    "mmd": TextFile("text/plain", lambda share, asked: mermaid(share, asked.lang, asked.frames)),
}

"""The files of text that can be had of a share, by the ending of their names."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from backend.frames.packing import StoredFrame
from backend.shares.scenario_file import scenario_yaml
from backend.shares.sequence_diagram import mermaid
from backend.shares.shown import Share
from backend.shares.transcript import markdown


class TextAsked(NamedTuple):
    """In which language, the address of the share, and which of its frames."""

    lang: str
    link: str
    frames: Sequence[StoredFrame]


class TextFile(NamedTuple):
    """A kind of file."""

    media_type: str
    write: Callable[[Share, TextAsked], str]


TEXTS: Mapping[str, TextFile] = {
    "md": TextFile("text/markdown", lambda share, asked: markdown(share, asked.lang, asked.link)),
    "yaml": TextFile("application/yaml", lambda share, asked: scenario_yaml(share, asked.link)),
    "mmd": TextFile("text/plain", lambda share, asked: mermaid(share, asked.lang, asked.frames)),
}

"""The target of a share link."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

_PATH = re.compile(r"/(?:e/v1/)?s/([0-9A-Za-z]{1,64})(?:\.\w+)?/?")


class NotAShareError(ValueError):
    """The text is not a link to a share."""


@dataclass(frozen=True, slots=True)
class SharedMoment:
    """A share, and the frame at which it opens; None for its author's choice. With `by_message` it
    shows the frame as a single message, not the step that it ends.
    """

    service: str
    sid: str
    frame: int | None = None
    by_message: bool = False

    @classmethod
    def at(cls, link: str) -> "SharedMoment":
        """Parse a link. Raises NotAShareError."""
        parts = urlsplit(link.strip())
        match = _PATH.fullmatch(parts.path)
        if parts.scheme not in ("http", "https") or not parts.netloc or match is None:
            raise NotAShareError(f"not a link to a run, such as https://…/s/ID?frame=12: {link!r}")
        query = parse_qs(parts.query)
        frame = query.get("frame", [""])[0]
        if frame and not frame.isdecimal():
            raise NotAShareError(f"frame must be a whole number: {link!r}")
        return cls(
            f"{parts.scheme}://{parts.netloc}",
            match[1],
            int(frame) if frame else None,
            query.get("level") == ["message"],
        )

    @property
    def page(self) -> str:
        """The page of the run."""
        return self._address("/s/", "")

    def player(self, *, theme: str | None = None, lang: str | None = None) -> str:
        """The page for an iframe."""
        return self._address("/e/v1/s/", "", theme=theme, lang=lang)

    def file(self, extension: str, *, theme: str | None = None, lang: str | None = None) -> str:
        """A file of the moment: its picture (`svg`, `png`), or the player with the run, which plays
        without a network (`html`).
        """
        return self._address("/s/", f".{extension}", theme=theme, lang=lang)

    @property
    def loader(self) -> str:
        """The script that defines the element."""
        return f"{self.service}/embed/v1.js"

    def file_name(
        self, extension: str, *, theme: str | None = None, lang: str | None = None
    ) -> str:
        """A name for the copy of a file of the moment, different for each appearance."""
        parts = (self.sid, self._frame, self._level, theme, lang)
        return f"{'-'.join(part for part in parts if part)}.{extension}"

    @property
    def _frame(self) -> str | None:
        return None if self.frame is None else str(self.frame)

    @property
    def _level(self) -> str | None:
        return "message" if self.by_message else None

    def _address(self, path: str, ending: str, **query: str | None) -> str:
        wanted = {"frame": self._frame, "level": self._level, **query}
        parameters = {name: value for name, value in wanted.items() if value is not None}
        return f"{self.service}{path}{self.sid}{ending}" + (
            f"?{urlencode(parameters)}" if parameters else ""
        )

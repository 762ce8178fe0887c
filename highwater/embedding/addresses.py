"""What the link of a share leads to."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

_PATH = re.compile(r"/(?:e/v1/)?s/([0-9A-Za-z]{1,64})(?:\.\w+)?/?")


class NotAShareError(ValueError):
    """The text is no link to a share."""


@dataclass(frozen=True, slots=True)
class SharedMoment:
    """A share, and the frame at which it opens; None for the one that its author chose."""

    service: str
    sid: str
    frame: int | None = None

    @classmethod
    def at(cls, link: str) -> "SharedMoment":
        """The moment that a link means. Raises NotAShareError."""
        parts = urlsplit(link.strip())
        found = _PATH.fullmatch(parts.path)
        if parts.scheme not in ("http", "https") or not parts.netloc or found is None:
            raise NotAShareError(f"not a link to a run, such as https://…/s/ID?step=12: {link!r}")
        step = parse_qs(parts.query).get("step", [""])[0]
        if step and not step.isdecimal():
            raise NotAShareError(f"step must be a whole number: {link!r}")
        return cls(f"{parts.scheme}://{parts.netloc}", found[1], int(step) if step else None)

    @property
    def page(self) -> str:
        """The page of the run."""
        return self._address("/s/", "")

    def player(self, *, theme: str | None = None, lang: str | None = None) -> str:
        """The page to be framed."""
        return self._address("/e/v1/s/", "", theme=theme, lang=lang)

    def picture(
        self, kind: str = "svg", *, theme: str | None = None, lang: str | None = None
    ) -> str:
        """The picture of the moment, `svg` or `png`."""
        return self._address("/s/", f".{kind}", theme=theme, lang=lang)

    @property
    def loader(self) -> str:
        """The script that defines the element."""
        return f"{self.service}/embed/v1.js"

    @property
    def file_name(self) -> str:
        """A name for files of the moment, without an ending."""
        return self.sid if self.frame is None else f"{self.sid}-{self.frame}"

    def _address(self, path: str, ending: str, **query: str | None) -> str:
        wanted = {"step": None if self.frame is None else str(self.frame), **query}
        given = {name: value for name, value in wanted.items() if value is not None}
        return f"{self.service}{path}{self.sid}{ending}" + (f"?{urlencode(given)}" if given else "")

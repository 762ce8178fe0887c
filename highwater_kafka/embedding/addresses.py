"""The target of a link to a share, or to a step of a lesson."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

from highwater_kafka.errors import HighwaterError

_PATH = re.compile(
    r"/(?:e/v1/)?(?:(s)/([0-9A-Za-z]{1,64})|(lessons)/([0-9a-z-]{1,64}))(?:\.\w+)?/?"
)
_RELEASE = re.compile(r"[0-9A-Za-z.-]{1,32}")


class NotAShareError(HighwaterError, ValueError):
    """The text is not a link to a share or a lesson."""


@dataclass(frozen=True, slots=True)
class SharedMoment:
    """A share, and the frame at which it opens; None for its author's choice. With `by_message` it
    shows the frame as a single message, not the step that it ends.

    Or, with the room `lessons`, a lesson by its id: the step, the message in it, and the release.
    """

    service: str
    sid: str
    frame: int | None = None
    by_message: bool = False
    room: str = "s"
    step: int | None = None
    message: int | None = None
    kafka: str | None = None

    @classmethod
    def at(cls, link: str) -> "SharedMoment":
        """Parse a link. Raises NotAShareError."""
        parts = urlsplit(link.strip())
        match = _PATH.fullmatch(parts.path)
        if parts.scheme not in ("http", "https") or not parts.netloc or match is None:
            raise NotAShareError(f"not a link to a run, such as https://…/s/ID?frame=12: {link!r}")
        query = parse_qs(parts.query)

        def number(name: str) -> int | None:
            written = query.get(name, [""])[0]
            if written and not written.isdecimal():
                raise NotAShareError(f"{name} must be a whole number: {link!r}")
            return int(written) if written else None

        service = f"{parts.scheme}://{parts.netloc}"
        if match[1] is not None:
            return cls(service, match[2], number("frame"), query.get("level") == ["message"])
        kafka = query.get("kafka", [None])[0]
        if kafka is not None and _RELEASE.fullmatch(kafka) is None:
            raise NotAShareError(f"kafka must be a release: {link!r}")
        return cls(
            service,
            match[4],
            room=match[3],
            step=number("step"),
            message=number("message"),
            kafka=kafka,
        )

    @property
    def page(self) -> str:
        """The page of the run."""
        return self._address("", "")

    def player(self, *, theme: str | None = None, lang: str | None = None) -> str:
        """The page for an iframe."""
        return self._address("/e/v1", "", theme=theme, lang=lang)

    def file(self, extension: str, *, theme: str | None = None, lang: str | None = None) -> str:
        """A file of the moment: its picture (`svg`, `png`), or the player with the run, which plays
        without a network (`html`).
        """
        return self._address("", f".{extension}", theme=theme, lang=lang)

    @property
    def loader(self) -> str:
        """The script that defines the element."""
        return f"{self.service}/embed/v1.js"

    def file_name(
        self, extension: str, *, theme: str | None = None, lang: str | None = None
    ) -> str:
        """A name for the copy of a file of the moment, different for each appearance."""
        parts = (self.sid, *self._named.values(), theme, lang)
        return f"{'-'.join(part for part in parts if part)}.{extension}"

    @property
    def _named(self) -> dict[str, str | None]:
        """What the link names of its run."""
        if self.room == "s":
            return {"frame": _written(self.frame), "level": "message" if self.by_message else None}
        return {"step": _written(self.step), "message": _written(self.message), "kafka": self.kafka}

    def _address(self, before: str, ending: str, **query: str | None) -> str:
        wanted = {**self._named, **query}
        parameters = {name: value for name, value in wanted.items() if value is not None}
        return f"{self.service}{before}/{self.room}/{self.sid}{ending}" + (
            f"?{urlencode(parameters)}" if parameters else ""
        )


def _written(number: int | None) -> str | None:
    return None if number is None else str(number)

"""The HTML of an embed. Everything that an author writes is escaped here."""

from dataclasses import dataclass
from html import escape

from highwater.embedding.addresses import SharedMoment

_SANDBOX = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
THEMES = ("light", "dark")
_TALLEST = 4000


class OptionError(ValueError):
    """An option has a value that it cannot have."""


@dataclass(frozen=True, slots=True)
class Options:
    """How an embed looks. `theme` None is that of the page around it. Raises OptionError."""

    title: str = "Highwater"
    height: int = 460
    theme: str | None = None
    lang: str | None = None

    def __post_init__(self) -> None:
        """Refuses what no embed can have."""
        if not 120 <= self.height <= _TALLEST:
            raise OptionError(f"height must be from 120 to {_TALLEST} pixels, not {self.height}")
        if self.theme is not None and self.theme not in THEMES:
            raise OptionError(f"theme must be light or dark, not {self.theme!r}")

    @classmethod
    def read(cls, given: dict[str, str]) -> "Options":
        """From text, as authors write it. Raises OptionError."""
        if unknown := sorted(set(given) - {"title", "height", "theme", "lang"}):
            raise OptionError(f"unknown option {unknown[0]!r}: title, height, theme or lang")
        height = given.get("height", "460")
        if not height.isdecimal():
            raise OptionError(f"height must be a whole number of pixels, not {height!r}")
        return cls(
            title=given.get("title", "Highwater"),
            height=int(height),
            theme=given.get("theme"),
            lang=given.get("lang"),
        )


def element(moment: SharedMoment, options: Options) -> str:
    """The element with the picture inside, and its script."""
    look = "".join(
        f' {name}="{escape(value)}"'
        for name, value in (("theme", options.theme), ("lang", options.lang))
        if value is not None
    )
    step = "" if moment.frame is None else f' step="{moment.frame}"'
    source = f"{moment.service}/s/{moment.sid}"
    picture = moment.picture(theme=options.theme, lang=options.lang)
    return (
        f'<highwater-replay src="{escape(source)}"{step} height="{options.height}"{look}>'
        f"{linked_picture(moment, options, picture)}</highwater-replay>"
        f'<script type="module" src="{escape(moment.loader)}" async></script>'
    )


def frame(moment: SharedMoment, options: Options) -> str:
    """The player in a frame, for where no script may stand."""
    address = moment.player(theme=options.theme, lang=options.lang)
    return (
        f'<iframe src="{escape(address)}" title="{escape(options.title)}" loading="lazy" '
        f'width="100%" height="{options.height}" '
        f'style="width:100%;height:{options.height}px;border:0" sandbox="{_SANDBOX}"></iframe>'
    )


def linked_picture(moment: SharedMoment, options: Options, picture: str) -> str:
    """A picture of the moment, the service's or a copy of it, that leads to the run."""
    return (
        f'<a href="{escape(moment.page)}"><img src="{escape(picture)}" '
        f'alt="{escape(options.title)}" style="max-width:100%;height:auto" /></a>'
    )

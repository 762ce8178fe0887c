"""The HTML of an embed, and the fenced block in Markdown that asks for it. All input of authors is
escaped here.

A block is named `highwater` and has the link and options:

    ```highwater
    https://highwater.example/s/ID?frame=12
    title: An acknowledged record is lost
    height: 551
    ```
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from highwater_kafka.embedding.addresses import SharedMoment
from highwater_kafka.errors import HighwaterError

_SANDBOX = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
_SERVICE_SANDBOX = f"{_SANDBOX} allow-same-origin"
"""For the service's own player: a player that the document contains would be of its origin."""
THEMES = ("light", "dark")
_TALLEST = 4000
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<name>[^\n`]*)\n(?P<body>.*?)"
    r"^[ \t]*(?P=marks)[`~]*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


class OptionError(HighwaterError, ValueError):
    """An option has an invalid value."""


@dataclass(frozen=True, slots=True)
class Options:
    """The appearance of an embed. `theme` None follows the page around it. Raises OptionError."""

    title: str = "Highwater"
    height: int = 460
    theme: str | None = None
    lang: str | None = None

    def __post_init__(self) -> None:
        """Validates the options. Raises OptionError."""
        if not 120 <= self.height <= _TALLEST:
            raise OptionError(f"height must be from 120 to {_TALLEST} pixels, not {self.height}")
        if self.theme is not None and self.theme not in THEMES:
            raise OptionError(f"theme must be light or dark, not {self.theme!r}")

    @classmethod
    def read(cls, given: dict[str, str]) -> "Options":
        """Parse options from text. Raises OptionError."""
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
    level = ' level="message"' if moment.by_message else ""
    # The link of a lesson names the step itself.
    source = f"{moment.service}/s/{moment.sid}" if moment.room == "s" else moment.page
    picture = moment.file("svg", theme=options.theme, lang=options.lang)
    return (
        f'<highwater-replay src="{escape(source)}"{step}{level} height="{options.height}"{look}>'
        f"{linked_picture(moment, options, picture)}</highwater-replay>"
        f'<script type="module" src="{escape(moment.loader)}" async></script>'
    )


def iframe(moment: SharedMoment, options: Options) -> str:
    """The service's player in an iframe, for places that allow no script."""
    source = moment.player(theme=options.theme, lang=options.lang)
    return _framed(options, "src", source, _SERVICE_SANDBOX)


def copied_player(options: Options, path: str) -> str:
    """The player of a run that is part of the site, as the HTML file at `path`."""
    return _framed(options, "src", path)


def inline_player(options: Options, page: str) -> str:
    """The player of a run that is part of the document: `page` is its HTML."""
    return _framed(options, "srcdoc", page)


def _framed(options: Options, attribute: str, value: str, sandbox: str = _SANDBOX) -> str:
    return (
        f'<iframe {attribute}="{escape(value)}" title="{escape(options.title)}" loading="lazy" '
        f'width="100%" height="{options.height}" '
        f'style="width:100%;height:{options.height}px;border:0" sandbox="{sandbox}"></iframe>'
    )


def linked_picture(moment: SharedMoment, options: Options, picture: str) -> str:
    """A picture of the moment (from the service, or a copy) that links to the run."""
    return (
        f'<a href="{escape(moment.page)}"><img src="{escape(picture)}" '
        f'alt="{escape(options.title)}" style="max-width:100%;height:auto" /></a>'
    )


Render = Callable[[SharedMoment, Options], str]


def replaced(markdown: str, render: Render) -> str:
    """The text in which the HTML from `render` replaces each fence.

    Other fences stay unchanged, even if they contain one of ours. Raises NotAShareError and
    OptionError.
    """

    def replace(block: re.Match[str]) -> str:
        if block["name"].strip() != "highwater":
            return block[0]
        moment, options = _content(block["body"])
        return f"{block['indent']}{render(moment, options)}"

    return _FENCE.sub(replace, markdown)


def _content(body: str) -> tuple[SharedMoment, Options]:
    """The link in the first line, and `name: value` in the others."""
    link, *others = [line.strip() for line in body.splitlines() if line.strip()] or [""]
    options: dict[str, str] = {}
    for line in others:
        name, colon, value = line.partition(":")
        if not colon:
            raise OptionError(f"an option is written `name: value`, not {line!r}")
        options[name.strip()] = value.strip()
    return SharedMoment.at(link), Options.read(options)

"""Embeds in Markdown: a fenced block named `highwater`, with the link and options.

```highwater https://highwater.example/s/ID?frame=12 title: An acknowledged record is lost height:
551 ```
"""

import re
from collections.abc import Callable

from highwater.embedding.addresses import SharedMoment
from highwater.embedding.markup import OptionError, Options

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<name>[^\n`]*)\n(?P<body>.*?)"
    r"^[ \t]*(?P=marks)[`~]*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)

Render = Callable[[SharedMoment, Options], str]


def replaced(markdown: str, render: Render) -> str:
    """The text in which the HTML from `render` replaces each fence.

    Other fences stay unchanged, even if they contain one of ours. Raises NotAShareError and
    OptionError.
    """

    def replace(found: re.Match[str]) -> str:
        if found["name"].strip() != "highwater":
            return found[0]
        moment, options = read(found["body"])
        return f"{found['indent']}{render(moment, options)}"

    return _FENCE.sub(replace, markdown)


def read(body: str) -> tuple[SharedMoment, Options]:
    """The link in the first line, and `name: value` in the others."""
    link, *others = [line.strip() for line in body.splitlines() if line.strip()] or [""]
    given: dict[str, str] = {}
    for line in others:
        name, colon, value = line.partition(":")
        if not colon:
            raise OptionError(f"an option is written `name: value`, not {line!r}")
        given[name.strip()] = value.strip()
    return SharedMoment.at(link), Options.read(given)

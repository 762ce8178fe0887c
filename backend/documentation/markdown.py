"""Renders Markdown as HTML: headings with anchors, links to the site's addresses, highlighted code.

The Markdown comes from this repository and is trusted: it may contain HTML.
"""

from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.anchors import anchors_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_Environment = MutableMapping[str, object]
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title; `anchor` is its fragment in the page's address."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a link. `href` is None for a file of the repository that is not a page."""

    href: str | None
    file: str = ""


@dataclass(frozen=True, slots=True)
class LaidOutText:
    """A rendered text. `body` is HTML without the title; `lead` is its first paragraph."""

    title: str
    lead: str
    body: str
    headings: tuple[Heading, ...]


def lay_out(
    markdown: str,
    *,
    follow: Callable[[str], Link],
    permalink: str,
    anchors: Sequence[str] | None = None,
) -> LaidOutText:
    """Render a Markdown text with one title.

    `follow` converts the address of a link or a picture, and `permalink` is the accessible name of
    the link to a section. `anchors` are the headings' anchors, if they are not derived from the
    text: a translation has the same anchors as the original.
    """
    reader = _reader()
    tokens = reader.parse(markdown)
    for token in _with_children(tokens):
        if token.type == "link_open":
            _lead(token, follow(str(token.attrs["href"])))
        elif token.type == "image":
            token.attrs["src"] = follow(str(token.attrs["src"])).href or ""
            token.attrs["loading"] = "lazy"
    _pair_spans(tokens)
    headings = _headings(tokens, anchors)
    assert headings[0].level == 1, "a page begins with its title"
    title_ends = next(at for at, token in enumerate(tokens) if token.type == "heading_close")
    environment: _Environment = {"permalink": permalink}
    return LaidOutText(
        title=headings[0].text,
        lead=_lead_of(tokens),
        body=reader.renderer.render(tokens[title_ends + 1 :], reader.options, environment),
        headings=tuple(headings[1:]),
    )


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader.use(anchors_plugin, max_level=_DEEPEST)
    reader.add_render_rule("fence", _fence)
    reader.add_render_rule("heading_close", _heading_close)
    reader.add_render_rule("table_open", _table_open)
    reader.add_render_rule("table_close", _table_close)
    return reader


def _with_children(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _lead(token: Token, link: Link) -> None:
    if link.href is None:
        token.tag = "span"
        token.attrs = {"class": "file", "title": link.file}
        return
    token.attrs["href"] = link.href
    if "://" in link.href:
        token.attrs["rel"] = "noopener"


def _pair_spans(tokens: Sequence[Token]) -> None:
    """Makes each closing tag match the element that its link opened."""
    for token in tokens:
        opened = ""
        for child in token.children or ():
            if child.type == "link_open":
                opened = child.tag
            elif child.type == "link_close":
                child.tag = opened


def _headings(tokens: Sequence[Token], anchors: Sequence[str] | None) -> list[Heading]:
    found: list[Heading] = []
    for at, token in enumerate(tokens):
        if token.type != "heading_open" or int(token.tag[1]) > _DEEPEST:
            continue
        if anchors is not None and len(found) < len(anchors):
            token.attrs["id"] = anchors[len(found)]
        anchor = str(token.attrs["id"])
        tokens[at + 2].meta["anchor"] = anchor
        found.append(Heading(int(token.tag[1]), _text(tokens[at + 1]), anchor))
    return found


def _text(inline: Token) -> str:
    return "".join(
        child.content
        for child in inline.children or ()
        if child.type in ("text", "code_inline", "softbreak")
    )


def _lead_of(tokens: Sequence[Token]) -> str:
    for at, token in enumerate(tokens):
        if token.type == "paragraph_open":
            return _text(tokens[at + 1])
    return ""


def _fence(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    at: int,
    _options: OptionsDict,
    _environment: _Environment,
) -> str:
    language = tokens[at].info.strip().partition(" ")[0]
    return (
        f'<div class="code"><pre tabindex="0"><code data-language="{escape(language)}">'
        f"{_coloured(tokens[at].content, language)}</code></pre></div>\n"
    )


def _coloured(code: str, language: str) -> str:
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def _heading_close(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    at: int,
    _options: OptionsDict,
    environment: _Environment,
) -> str:
    tag, anchor = tokens[at].tag, tokens[at].meta.get("anchor")
    if anchor is None:
        return f"</{tag}>\n"
    label = escape(str(environment["permalink"]))
    return (
        f' <a class="anchor" href="#{escape(anchor)}" aria-label="{label}" title="{label}">#</a>'
        f"</{tag}>\n"
    )


def _table_open(*_of: object) -> str:
    # A wide table scrolls within itself, also by keyboard. The page itself does not scroll
    # sideways.
    return '<div class="wide" tabindex="0"><table>\n'


def _table_close(*_of: object) -> str:
    return "</table></div>\n"

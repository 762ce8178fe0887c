"""The pages of one service, rendered at the first request and then cached."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from os.path import relpath
from pathlib import Path

from backend.documentation.contents import (
    ADDRESS,
    DOCUMENTED,
    FOLDER,
    PAGES,
    WORDS,
    page_address,
    page_file,
    page_of_file,
)
from backend.documentation.generated import GENERATORS, Subject
from backend.documentation.markdown import LaidOutText, Link, lay_out
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.languages import say as say_message

IMAGES = "images"
_GENERATED = re.compile(
    r"^<!-- generated: ([\w-]+) -->$(?:.*?^<!-- until here -->$)?", re.MULTILINE | re.DOTALL
)
_IN_ENGLISH = ("documents", "requests")
_SITE_LINK = re.compile(r"\[(?P<text>[^\[\]]+)\]\((?P<address>/[^)\s]*)\)")
_ELSEWHERE = re.compile(r"[a-z]+:|/|#")
_REPOSITORY = FOLDER.parent


@dataclass(frozen=True, slots=True)
class DocumentationPage:
    """A rendered page. `lang` is the requested language, or English without a translation."""

    page: str
    lang: str
    laid: LaidOutText


@dataclass(frozen=True, slots=True)
class Library:
    """All pages of a service; the generated parts describe `subject`."""

    subject: Subject
    _laid: dict[tuple[str, str, str], DocumentationPage] = field(default_factory=dict)

    def read(self, page: str, lang: str, *, query: str = "") -> DocumentationPage:
        """A page of `PAGES`, in English if it is not translated.

        `query` is appended to links to other pages. Rendering the longest page takes a fraction of
        a second, so call this in a thread.
        """
        key = (page, lang, query)
        found = self._laid.get(key)
        if found is None:
            found = self._laid[key] = self._lay_out(page, lang, query)
        return found

    def _lay_out(self, page: str, lang: str, query: str) -> DocumentationPage:
        file = page_file(page, lang)
        if file is None:
            assert lang != DEFAULT_LANGUAGE, f"docs/{page}.md is missing"
            return self.read(page, DEFAULT_LANGUAGE, query=query)
        anchors = None
        if lang != DEFAULT_LANGUAGE:
            original = self.read(page, DEFAULT_LANGUAGE).laid
            anchors = ["", *(heading.anchor for heading in original.headings)]
        laid = lay_out(
            self.markdown(file, lang),
            follow=lambda target: _follow(file, target, query),
            permalink=say_message(lang, WORDS, "permalink"),
            anchors=anchors,
        )
        return DocumentationPage(page, lang, laid)

    def markdown(self, file: Path, lang: str) -> str:
        """A page's Markdown, with the generated parts of this service in place of the file's."""
        return _GENERATED.sub(
            lambda named: self._generated(named[1], lang), file.read_text("utf-8")
        )

    def whole(self, file: Path, lang: str) -> str:
        """What a page's file should contain: its generated parts as of now, so that it can be read
        on a code host. A translation omits the parts that are long and only in English.
        """

        def part(named: re.Match[str]) -> str:
            begins = f"<!-- generated: {named[1]} -->"
            if lang != DEFAULT_LANGUAGE and named[1] in _IN_ENGLISH:
                return begins
            text = _SITE_LINK.sub(
                lambda link: _on_a_code_host(file, link), self._generated(named[1], lang)
            )
            return f"{begins}\n\n{text.strip()}\n\n<!-- until here -->"

        return _GENERATED.sub(part, file.read_text("utf-8"))

    def _generated(self, name: str, lang: str) -> str:
        return GENERATORS[name](self.subject, lang)


def _on_a_code_host(file: Path, link: re.Match[str]) -> str:
    """A link to a page of the documentation as one to its file; of any other page, only the text:
    a code host has none of them.
    """
    page, mark, anchor = link["address"].removeprefix(f"{ADDRESS}/").partition("#")
    target = FOLDER / f"{page}.md"
    if not target.is_file():
        return link["text"]
    return f"[{link['text']}]({relpath(target, file.parent)}{mark}{anchor})"


def without_generated_parts(markdown: str) -> str:
    """What authors wrote of a page."""
    return _GENERATED.sub("", markdown)


def pages_with_generated_parts() -> Iterator[tuple[Path, str]]:
    """The files that `whole` changes, with their languages."""
    for lang in DOCUMENTED:
        files = [page_file(page, lang) for page in PAGES]
        yield from (
            (file, lang)
            for file in files
            if file is not None and _GENERATED.search(file.read_text("utf-8"))
        )


def _follow(file: Path, target: str, query: str) -> Link:
    """The address on the site for a link in a file."""
    if _ELSEWHERE.match(target):
        return Link(target)
    name, mark, anchor = target.partition("#")
    path = (file.parent / name).resolve()
    page = page_of_file(path)
    if page is not None:
        return Link(f"{page_address(page)}{query}{mark}{anchor}")
    if path.parent == FOLDER / IMAGES:
        return Link(f"{page_address('images')}/{path.name}")
    return Link(None, path.relative_to(_REPOSITORY).as_posix())

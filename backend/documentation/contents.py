"""The pages of the documentation, in order, and the paths of their files."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.languages import say as say_message

FOLDER = Path(__file__).resolve().parents[2] / "docs"
ADDRESS = "/docs"
WORDS = "documentation"
"""The Fluent file of each language that has the titles in this module."""


@dataclass(frozen=True, slots=True)
class Section:
    """Pages of one kind: tutorial, how-to guides, reference or explanation."""

    name: str
    pages: tuple[str, ...]

    def title(self, lang: str) -> str:
        """Its heading in the list of pages, in a language."""
        return say_message(lang, WORDS, self.name)


START = "index"
SECTIONS = (
    Section("tutorial", ("tutorial/first-loss",)),
    Section(
        "how-to",
        (
            "how-to/install",
            "how-to/assess",
            "how-to/share",
            "how-to/embed",
            "how-to/export",
            "how-to/notebook",
            "how-to/find-a-failure",
            "how-to/import-a-cluster",
            "how-to/connect-to-a-cluster",
            "how-to/record-real-brokers",
            "how-to/write-a-lesson",
            "how-to/check-in-ci",
            "how-to/use-from-an-assistant",
            "how-to/generate-a-client",
            "how-to/run-a-campaign",
            "how-to/run-on-a-spark-cluster",
            "how-to/publish",
            "how-to/operate",
        ),
    ),
    Section(
        "reference",
        (
            "reference/scenario-file",
            "reference/steps",
            "reference/command-line",
            "reference/python",
            "reference/http",
            "reference/documents",
            "reference/element",
            "reference/settings",
            "reference/links",
            "reference/keyboard",
            "reference/limits",
            "reference/operator-words",
            "reference/known-losses",
            "reference/conformance",
            "reference/scenarios",
        ),
    ),
    Section(
        "explanation",
        (
            "explanation/fidelity",
            "explanation/versions",
            "explanation/verdicts",
            "explanation/campaigns",
            "explanation/spark-plans",
            "explanation/promises",
            "explanation/articles",
            "explanation/other-systems",
            "findings/missed-deposition",
            "findings/late-response",
            "findings/reassignment-last-word",
            "findings/eligible-but-no-replica",
            "findings/unclean-cancel",
        ),
    ),
)
PAGES = (START, *(page for section in SECTIONS for page in section.pages))


def page_title(page: str, lang: str) -> str:
    """The page's title in the list of pages, in a language."""
    return say_message(lang, WORDS, page.replace("/", "-"))


def page_address(page: str) -> str:
    """The path at which the page is served."""
    return ADDRESS if page == START else f"{ADDRESS}/{page}"


def page_file(page: str, lang: str) -> Path | None:
    """The page's file in a language; None if it is not translated."""
    folder = FOLDER if lang == DEFAULT_LANGUAGE else FOLDER / lang
    file = folder / f"{page}.md"
    return file if file.is_file() else None


DOCUMENTED = tuple(
    lang for lang in LANGUAGES if lang == DEFAULT_LANGUAGE or (FOLDER / lang).is_dir()
)
"""The languages in which some of the pages are written. Generated pages exist in these languages,
so a language that is added to the interface changes no page.
"""


def page_of_file(file: Path) -> str | None:
    """The page of a file, in any language; None if the file is not a page."""
    if not file.is_relative_to(FOLDER) or file.suffix != ".md":
        return None
    parts = file.relative_to(FOLDER).with_suffix("").parts
    if parts[0] in LANGUAGES:
        parts = parts[1:]
    page = "/".join(parts)
    return page if page in PAGES else None


FINDINGS = "findings/"
_LESSON = re.compile(r"/lessons/\w+/([a-z0-9-]+)\.yaml")


@cache
def lesson_of_finding(page: str) -> str | None:
    """The id of the lesson that a page about a finding names first; None for any other page."""
    file = page_file(page, DEFAULT_LANGUAGE)
    if not page.startswith(FINDINGS) or file is None:
        return None
    named = _LESSON.search(file.read_text(encoding="utf-8"))
    return None if named is None else named[1]

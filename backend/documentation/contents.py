"""Which pages the documentation has, in their order, and where their files are."""

from dataclasses import dataclass
from pathlib import Path

from sim_engine import DEFAULT_LANGUAGE, LANGUAGES, say_message

FOLDER = Path(__file__).resolve().parents[2] / "docs"
ADDRESS = "/docs"
WORDS = "documentation"
"""The file of each language with the titles of this module."""


@dataclass(frozen=True, slots=True)
class Section:
    """Pages of one kind: what one learns by, what one does, looks up, or understands."""

    name: str
    pages: tuple[str, ...]

    def title(self, lang: str) -> str:
        """Its heading in the list of pages."""
        return say_message(lang, WORDS, self.name)


START = "index"
SECTIONS = (
    Section("tutorial", ("tutorial/first-loss",)),
    Section(
        "how-to",
        (
            "how-to/share",
            "how-to/embed",
            "how-to/export",
            "how-to/find-a-failure",
            "how-to/import-a-cluster",
            "how-to/write-a-lesson",
            "how-to/run-a-campaign",
            "how-to/operate",
        ),
    ),
    Section(
        "reference",
        (
            "reference/scenario-file",
            "reference/steps",
            "reference/command-line",
            "reference/http",
            "reference/documents",
            "reference/element",
            "reference/settings",
            "reference/links",
            "reference/limits",
            "reference/scenarios",
        ),
    ),
    Section(
        "explanation",
        (
            "explanation/fidelity",
            "explanation/versions",
            "explanation/campaigns",
            "explanation/promises",
            "explanation/articles",
            "findings/missed-deposition",
        ),
    ),
)
PAGES = (START, *(page for section in SECTIONS for page in section.pages))


def page_title(page: str, lang: str) -> str:
    """What the list of pages calls it."""
    return say_message(lang, WORDS, page.replace("/", "-"))


def page_address(page: str) -> str:
    """Where it is served."""
    return ADDRESS if page == START else f"{ADDRESS}/{page}"


def page_file(page: str, lang: str) -> Path | None:
    """Its file in a language; None where it is not translated."""
    folder = FOLDER if lang == DEFAULT_LANGUAGE else FOLDER / lang
    file = folder / f"{page}.md"
    return file if file.is_file() else None


def page_of_file(file: Path) -> str | None:
    """The page that a file is, in whatever language; None where it is none."""
    if not file.is_relative_to(FOLDER) or file.suffix != ".md":
        return None
    parts = file.relative_to(FOLDER).with_suffix("").parts
    if parts[0] in LANGUAGES:
        parts = parts[1:]
    page = "/".join(parts)
    return page if page in PAGES else None

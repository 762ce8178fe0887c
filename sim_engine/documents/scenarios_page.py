"""Generates the documentation page of the shipped scenarios: what each shows, in which versions,
and its source.

The endings come from running the files, so the page always matches what a reader sees.
"""

from collections.abc import Iterator, Mapping, Sequence

from sim_engine.curriculum import Ending
from sim_engine.documents.release_ranges import ranges_in_words
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, in_language, say
from sim_engine.scenario_reader.document import CHAPTERS, Scenario

_CHAPTER_NAMES = "interface/pages"
"""The Fluent file, without ".ftl", with the names of the chapters. The front page uses it too."""


def scenarios_page(
    scenarios: Sequence[Scenario],
    endings: Mapping[str, Sequence[Ending]],
    languages: Sequence[str] = LANGUAGES,
) -> str:
    """Return the whole page, in Markdown, with titles in these languages.

    `endings` has the endings of each scenario by its id.
    """
    return "\n".join(
        (
            "# Scenarios",
            "",
            "Generated from `sim_engine/lessons/` and from running them, by "
            "`scripts/write-scenarios`; change the scenarios, not this page.",
            "",
            "`python -m sim_engine run s26 --kafka 0.11` runs one of them. The column *how it "
            "ends* lists the violated properties, or states that all hold. It covers all releases, "
            "including patch releases, that can perform all steps. The name of a line includes its "
            "patch releases: up to 2.6 ends with 2.6.3.",
            "",
            *(
                line
                for chapter in CHAPTERS
                for line in _section(
                    " · ".join(say(lang, _CHAPTER_NAMES, chapter) for lang in languages),
                    [scenario for scenario in scenarios if scenario.chapter == chapter],
                    endings,
                    languages,
                )
            ),
        )
    )


def _section(
    heading: str,
    scenarios: Sequence[Scenario],
    endings: Mapping[str, Sequence[Ending]],
    languages: Sequence[str],
) -> Iterator[str]:
    yield f"## {heading}"
    yield ""
    yield "| | scenario | written for | how it ends | from |"
    yield "| --- | --- | --- | --- | --- |"
    for scenario in scenarios:
        title, *others = (in_language(scenario.title, lang) for lang in languages)
        cells = (
            scenario.alias or "",
            f"{' · '.join((f'**{title}**', *others))}<br>`{scenario.id}`",
            scenario.kafka,
            "<br>".join(endings_text(endings[scenario.id])),
            ", ".join(scenario.source),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def endings_text(endings: Sequence[Ending]) -> Iterator[str]:
    """One line for each ending, with all of its releases."""
    for ending in endings:
        ranges = ranges_in_words(ending.releases, DEFAULT_LANGUAGE)
        yield f"{', '.join(ending.violated) or 'all holds'}: {ranges}"

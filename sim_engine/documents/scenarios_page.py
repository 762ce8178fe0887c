"""Generates the documentation page of the shipped scenarios: what each shows, in which versions,
and its source.

The endings come from running the files, so the page always matches what a reader sees.
"""

from collections.abc import Iterator, Mapping, Sequence

from sim_engine.languages import LANGUAGES, in_language, say
from sim_engine.releases import Number, find_release
from sim_engine.scenario_reader.document import CHAPTERS, Scenario
from sim_engine.versions import PROFILE_NAMES

Endings = Mapping[str, Sequence[str]]
"""Version → the properties that a scenario violates under it."""

_CHAPTER_NAMES = "interface/pages"
"""The Fluent file, without ".ftl", with the names of the chapters. The front page uses it too."""


def scenarios_page(
    scenarios: Sequence[Scenario],
    endings: Mapping[str, Endings],
    languages: Sequence[str] = LANGUAGES,
) -> str:
    """Return the whole page, in Markdown, with titles in these languages.

    `endings` maps a scenario's id to its endings.
    """
    return "\n".join(
        (
            "# Scenarios",
            "",
            "Generated from `sim_engine/lessons/` and from running them, by "
            "`scripts/write-scenarios`; change the scenarios, not this page.",
            "",
            "`python -m sim_engine run s26 --kafka 0.11` runs one of them. Each is checked under "
            "the versions in the column *how it ends*, which lists the violated properties, or "
            "states that all hold.",
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
    endings: Mapping[str, Endings],
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


def endings_text(endings: Endings) -> Iterator[str]:
    """One line for each ending, with its versions. Consecutive versions form a range."""
    versions_of: dict[str, list[str]] = {}
    for kafka in sorted(endings, key=_number):
        versions_of.setdefault(", ".join(endings[kafka]) or "all holds", []).append(kafka)
    for said, versions in versions_of.items():
        yield f"{said}: {', '.join(_ranges(versions))}"


def _ranges(versions: Sequence[str]) -> Iterator[str]:
    run: list[str] = []
    for kafka in versions:
        if run and any(_number(run[-1]) < _number(name) < _number(kafka) for name in PROFILE_NAMES):
            yield _range(run)
            run = []
        run.append(kafka)
    yield _range(run)


def _number(kafka: str) -> Number:
    return find_release(kafka).number


def _range(run: Sequence[str]) -> str:
    return run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}"

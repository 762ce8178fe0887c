"""Generates the documentation page of the shipped scenarios: what each shows, in which versions,
and its source.

The endings come from running the files, so the page always matches what a reader sees.
"""

from collections.abc import Iterator, Mapping, Sequence

from sim_engine.releases import Number, find_release
from sim_engine.scenario_reader.document import Chapter, Scenario
from sim_engine.versions import PROFILE_NAMES

Endings = Mapping[str, Sequence[str]]
"""Version → the properties that a scenario violates under it."""

_CHAPTERS: tuple[tuple[Chapter, str], ...] = (
    ("basics", "How replication works · 复制是怎样工作的"),
    ("truncation", "Truncation, and what repaired it · 截断，以及修好它的办法"),
    ("failures", "Failures, elections and clients · 故障、选举与客户端"),
)


def library_page(scenarios: Sequence[Scenario], endings: Mapping[str, Endings]) -> str:
    """The whole page, in Markdown. `endings` maps a scenario's id to its endings."""
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
                for chapter, heading in _CHAPTERS
                for line in _section(
                    heading,
                    [scenario for scenario in scenarios if scenario.chapter == chapter],
                    endings,
                )
            ),
        )
    )


def _section(
    heading: str, scenarios: Sequence[Scenario], endings: Mapping[str, Endings]
) -> Iterator[str]:
    yield f"## {heading}"
    yield ""
    yield "| | scenario | written for | how it ends | from |"
    yield "| --- | --- | --- | --- | --- |"
    for scenario in scenarios:
        cells = (
            scenario.alias or "",
            f"**{scenario.title['en']}** · {scenario.title['zh']}<br>`{scenario.id}`",
            scenario.kafka,
            "<br>".join(told_endings(endings[scenario.id])),
            ", ".join(scenario.source),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def told_endings(endings: Endings) -> Iterator[str]:
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

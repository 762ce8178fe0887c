"""`check` and `list`: check scenarios against their expectations, and list what the shipped ones
violate. `conform`: recordings of real clusters, replayed. `versions` and `schema`: reference
output."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import to_builtins

from sim_engine.command_line import FAILS, HOLDS, print_json, run_by, wrong_input
from sim_engine.command_line.check_report import (
    CheckedFile,
    CheckedRelease,
    checked_release,
    github,
    junit,
    problems_of,
    text_lines,
)
from sim_engine.command_line.run import find_scenario, play, source_of
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import Recording, RecordingError
from sim_engine.conformance.replay import Difference, conform
from sim_engine.curriculum import Ending, lesson_index
from sim_engine.documents import pages
from sim_engine.documents.frames import frame_document
from sim_engine.documents.schemas import run_schema
from sim_engine.error_texts import WrongInputError
from sim_engine.events.run import ActionRefused, DidNotSettle
from sim_engine.json_types import JsonObject
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.release_groups import release_groups
from sim_engine.releases import is_in_a_stretch, stretches_of
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.expectations import (
    CheckResult,
    FrameSummary,
    judge,
    properties_held,
    releases_checked,
    versions_to_check,
)
from sim_engine.scenario_reader.reader import list_shipped, read_source_file
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import list_versions


def declare_check(parser: argparse.ArgumentParser) -> None:
    """Declare `check FILE…`: exit status 1 if an expectation fails."""
    run_by(parser, _check)
    parser.add_argument(
        "scenarios",
        metavar="FILE",
        nargs="+",
        help="files, - for standard input, or ids of shipped scenarios",
    )
    parser.add_argument(
        "--format",
        choices=tuple(_REPORTS),
        default="text",
        help="text (default), junit for CI services, or github for annotations of GitHub Actions",
    )
    parser.add_argument(
        "--output",
        "-o",
        metavar="FILE",
        type=Path,
        help="write the report to this file, and text to standard output",
    )


def declare_list(parser: argparse.ArgumentParser) -> None:
    """Declare `list`: the shipped scenarios and the properties that they violate."""
    run_by(parser, _list)
    parser.add_argument("--markdown", action="store_true", help="print Markdown")


def _check(options: argparse.Namespace) -> int:
    output: Path | None = options.output
    if options.json and (options.format != "text" or output is not None):
        raise WrongInputError("--json is a report of its own; leave out --format and -o")
    is_text = output is not None or options.format == "text"
    status = HOLDS
    files: list[CheckedFile] = []
    for name in options.scenarios:
        try:
            checked = CheckedFile(name=name, releases=_checked(name))
        except (ScenarioError, WrongInputError) as error:
            status = max(status, wrong_input(str(error)))
            checked = CheckedFile(name=name, releases=(), problems=problems_of(error))
        status = max(status, HOLDS if checked.holds else FAILS)
        files.append(checked)
        for line in text_lines(checked) if is_text and not options.json else ():
            print(line)
    report = _REPORTS[options.format](files)
    if options.json:
        print_json([document for file in files for document in file.documents()])
    elif output is not None:
        output.write_text(report, "utf-8")
    elif not is_text:
        print(report, end="")
    return status


_REPORTS: Mapping[str, Callable[[Sequence[CheckedFile]], str]] = {
    "text": lambda files: "".join(f"{line}\n" for file in files for line in text_lines(file)),
    "junit": junit,
    "github": github,
}


_Judgement = tuple[bool, Sequence[Mapping[str, object]], Iterable[str]]
"""Whether a file holds, its results as JSON, and the lines to print."""


def _judge_each(names: Sequence[str], judge: Callable[[str], _Judgement], *, as_json: bool) -> int:
    """Judge files, print the results and return the highest exit status."""
    status = HOLDS
    documents: list[Mapping[str, object]] = []
    for name in names:
        try:
            holds, results, lines = judge(name)
        except (ScenarioError, WrongInputError) as error:
            status = max(status, wrong_input(str(error)))
            continue
        status = max(status, HOLDS if holds else FAILS)
        documents += results
        for line in () if as_json else lines:
            print(line)
    if as_json:
        print_json(documents)
    return status


def _checked(name: str) -> tuple[CheckedRelease, ...]:
    scenario = find_scenario(name)
    place = source_of(scenario, name).place
    return tuple(
        checked_release(timeline, judge_run(timeline, kafka), place)
        for kafka in versions_to_check(scenario)
        for timeline in (play(scenario, kafka, None, name=name),)
    )


def judge_run(timeline: Timeline, kafka: str) -> CheckResult:
    """Check the expectations of a scenario against its complete run under a release."""
    frames = [
        FrameSummary(
            frame=frame.frame,
            item=frame.item,
            events=tuple(type(happened) for happened in frame.events),
        )
        for frame in timeline.frames
    ]
    return judge(
        timeline.scenario,
        kafka,
        frames,
        lambda number: to_builtins(frame_document(timeline, number)),
    )


def _list(options: argparse.Namespace) -> int:
    scenarios = list_shipped()
    endings = {lesson: entry.endings for lesson, entry in lesson_index().items()}
    if options.json:
        print_json(
            [
                {
                    "id": scenario.id,
                    "alias": scenario.alias,
                    "title": scenario.title,
                    "kafka": scenario.kafka,
                    "verdicts": {
                        kafka: list(ending.violated)
                        for kafka in versions_to_check(scenario)
                        for ending in endings[scenario.id]
                        if is_in_a_stretch(kafka, ending.releases)
                    },
                    "endings": [to_builtins(ending) for ending in endings[scenario.id]],
                }
                for scenario in scenarios
            ]
        )
        return HOLDS
    if options.markdown:
        print(pages.scenarios_tables(scenarios, endings, DEFAULT_LANGUAGE))
        return HOLDS
    width = max((len(scenario.id) for scenario in scenarios), default=0)
    for scenario in scenarios:
        alias = scenario.alias or ""
        title = scenario.title[DEFAULT_LANGUAGE]
        print(f"{alias:<5} {scenario.id:<{width}}  {scenario.kafka:<7} {title}")
        for line in pages.endings_text(endings[scenario.id], DEFAULT_LANGUAGE):
            print(f"{'':<5} {'':<{width}}  {line}")
    return HOLDS


@cache
def library_endings() -> Mapping[str, tuple[Ending, ...]]:
    """The endings of every shipped scenario by its id, from running them."""
    return {scenario.id: endings_of(scenario) for scenario in list_shipped()}


def run_under(scenario: Scenario, kafka: str) -> Timeline:
    """The complete run of a scenario under a release."""
    return play(scenario, kafka, None, name=scenario.id)


def endings_of(
    scenario: Scenario, run: Callable[[Scenario, str], Timeline] = run_under
) -> tuple[Ending, ...]:
    """Which properties a scenario violates, from its complete run under each group of equal
    releases. Includes every release under which it is checked or all of its steps can be performed.

    Covers the three properties that are always checked, and those that an expectation of the
    scenario names.
    """
    checked = releases_checked(scenario)
    releases_by_ending: dict[tuple[str, ...], list[str]] = {}
    for group in release_groups():
        timeline = run(scenario, group[-1])
        if checked.isdisjoint(group) and not _is_performed(timeline):
            continue
        verdicts = timeline.frames[timeline.head].verdicts
        held = properties_held(scenario)
        violated = tuple(name for name in held if verdicts[name].status == "violated")
        releases_by_ending.setdefault(violated, []).extend(group)
    return tuple(
        Ending(violated=violated, releases=stretches_of(names))
        for violated, names in releases_by_ending.items()
    )


def _is_performed(timeline: Timeline) -> bool:
    """Whether a run has the controller of its scenario, and no step was refused or did not settle,
    except those that the scenario expects to be refused.
    """
    scenario = timeline.scenario
    failed = {
        frame.item
        for frame in timeline.frames
        if any(isinstance(event, ActionRefused | DidNotSettle) for event in frame.events)
    }
    expected = {place for place, step in enumerate(scenario.steps) if step.refused}
    return scenario.control in (None, timeline.profile.control) and failed <= expected


def declare_conform(parser: argparse.ArgumentParser) -> None:
    """Declare `conform RECORDING…`: exit status 1 if a replay differs."""
    run_by(parser, _conform)
    parser.add_argument(
        "recordings", metavar="RECORDING", nargs="+", help="files with recorded runs"
    )


def _conform(options: argparse.Namespace) -> int:
    return _judge_each(options.recordings, _conformed, as_json=options.json)


def _conformed(name: str) -> _Judgement:
    recording, differences = _replayed(name)
    document = {
        "file": name,
        "kafka": recording.file.kafka,
        "holds": not differences,
        "differences": to_builtins(differences),
    }
    return not differences, [document], [f"{name}: {differences[0] if differences else 'holds'}"]


def _replayed(name: str) -> tuple[Recording, list[Difference]]:
    _, recording = read_recording_file(name)
    return recording, conform(recording)


def read_recording_file(name: str) -> tuple[JsonObject, Recording]:
    """The document of a recording, and what it contains. Raises `WrongInputError` with the
    place.
    """
    source = read_source_file(Path(name))
    try:
        recording = read_recording(source.document)
        assert isinstance(source.document, dict), "the reader checked"
        return source.document, recording
    except RecordingError as error:
        line, column = source.place(error.where) or (1, 1)
        raise WrongInputError(
            f"{name}:{line}:{column}: {error.where or '/'}: {error.message}"
        ) from None


def declare_versions(parser: argparse.ArgumentParser) -> None:
    """Declare `versions`: prints each rule and the release that added it."""
    run_by(parser, _versions)
    parser.add_argument(
        "--markdown", action="store_true", help="print the rules and the changed defaults, too"
    )


def declare_schema(parser: argparse.ArgumentParser) -> None:
    """Declare `schema [scenario|run]`, which always prints JSON."""
    run_by(parser, _schema, json=False)
    parser.add_argument("document", choices=("scenario", "run"), nargs="?", default="scenario")


def _versions(options: argparse.Namespace) -> int:
    if options.json:
        print_json(list_versions())
    else:
        tables = [pages.versions_table]
        if options.markdown:
            tables += [pages.truncation_table, pages.rules_table, pages.defaults_table]
        print("\n".join(table(DEFAULT_LANGUAGE) for table in tables), end="")
    return HOLDS


def _schema(options: argparse.Namespace) -> int:
    print_json(run_schema() if options.document == "run" else scenario_schema())
    return HOLDS

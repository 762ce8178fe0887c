"""`check` and `list`: check scenarios against their expectations, and list what the shipped ones
violate. `conform`: recordings of real clusters, replayed. `versions` and `schema`: reference
output.

`check` reports each expectation of a file under each release, with its place in the file: as text,
as JUnit XML, which CI services show as tests, and as annotations of GitHub Actions, which are shown
at the lines of a change.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from msgspec import Struct, to_builtins

from sim_engine.actions import Expect, Words
from sim_engine.command_line import FAILS, HOLDS, coloured, print_json, run_by, wrong_input
from sim_engine.command_line.run import find_scenario, play, source_of
from sim_engine.configs import release_groups
from sim_engine.conformance import replay
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import Recording, RecordingError
from sim_engine.curriculum import Ending, lesson_index
from sim_engine.documents import pages
from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import story_to
from sim_engine.documents.schemas import run_schema
from sim_engine.error_texts import WrongInputError
from sim_engine.events.run import ActionRefused, DidNotSettle
from sim_engine.identifiers import FIRST_FRAME
from sim_engine.json_types import JsonObject
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.releases import is_in_a_stretch, stretches_of
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.expectations import (
    CheckResult,
    Difference,
    FrameSummary,
    is_held,
    judge,
    properties_held,
    releases_checked,
    versions_to_check,
)
from sim_engine.scenario_reader.reader import list_shipped, read_source_file
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.scenario_reader.source import Position, step_pointer
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import list_versions

_START: Position = (1, 1)
# A file's name may have these; XML has no way to write them.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STEPS_RUN = "the steps run as written"


class Located(Struct, frozen=True, kw_only=True):
    """A sentence about a place in a file: line and column count from 1."""

    line: int
    column: int
    text: str


class CheckedExpectation(Struct, frozen=True, kw_only=True):
    """One expectation, or whether the steps run as written: the first of every release."""

    name: str
    line: int
    column: int
    story_step: int
    """The step of the story that it is about, as `render --step` takes it; 0 is the start."""
    failures: tuple[Located, ...]


class CheckedRelease(Struct, frozen=True, kw_only=True):
    """The run of a file under one release."""

    result: CheckResult
    expectations: tuple[CheckedExpectation, ...]


class CheckedFile(Struct, frozen=True, kw_only=True):
    """A file, its runs and, if it is invalid, what is wrong with it."""

    name: str
    releases: tuple[CheckedRelease, ...]
    problems: tuple[Located, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every run meets every expectation."""
        return all(release.result.holds for release in self.releases)

    def documents(self) -> Iterator[Mapping[str, object]]:
        """The result of each release as JSON."""
        for release in self.releases:
            about = {"expectations": release.expectations}
            yield {"file": self.name, **release.result.document(), **about}


def checked_release(
    timeline: Timeline, result: CheckResult, place: Callable[[str], Position | None]
) -> CheckedRelease:
    """The result of a run by its expectations; `place` finds a JSON Pointer in the file."""
    by_step: dict[int, list[Difference]] = {}
    others: list[Difference] = []
    expected: list[tuple[int, Expect]] = []
    for index, step in enumerate(timeline.scenario.steps):
        if isinstance(step.step, Expect) and is_held(step.step, result.kafka):
            expected.append((index, step.step))
            by_step[index] = []
    for difference in result.differences:
        by_step.get(difference.step, others).append(difference)
    story_step = _story_steps(timeline)
    first_other = others[0].step if others else None

    def checked(
        name: str, item: int | None, about: int | None, found: Sequence[Difference]
    ) -> CheckedExpectation:
        line, column = place(step_pointer(item)) or _START
        failures = tuple(
            Located(line=at[0], column=at[1], text=str(one))
            for one in found
            for at in (place(one.where) or _START,)
        )
        return CheckedExpectation(
            name=name, line=line, column=column, story_step=story_step(about), failures=failures
        )

    return CheckedRelease(
        result=result,
        expectations=(
            checked(_STEPS_RUN, None, first_other, others),
            *(
                checked(f"{step_pointer(index)}: {_keys(one)}", index, index, by_step[index])
                for index, one in expected
            ),
        ),
    )


def _keys(expected: Expect) -> str:
    return ", ".join(key for key in expected.arguments() if key != "kafka")


def _story_steps(timeline: Timeline) -> Callable[[int | None], int]:
    """A function from an entry of the scenario's steps to the step of the story that shows it."""
    last_frames = [step.last_frame for step in story_to(timeline, timeline.head)]
    frames = {frame.item: frame.frame for frame in timeline.frames if frame.item is not None}

    def story_step(item: int | None) -> int:
        steps = timeline.scenario.steps
        while item is not None and item >= 0 and isinstance(steps[item].step, Words):
            item -= 1
        frame = timeline.head if item is None else frames.get(item, FIRST_FRAME)
        return next(number for number, last in enumerate(last_frames) if frame <= last)

    return story_step


def problems_of(error: WrongInputError) -> tuple[Located, ...]:
    """What is wrong with an invalid file."""
    if not isinstance(error, ScenarioError):
        return (Located(line=1, column=1, text=str(error)),)
    return tuple(
        Located(
            line=problem.line or 1,
            column=problem.column or 1,
            text=f"{problem.where or '/'}: {problem.message}",
        )
        for problem in error.problems
    )


def text_lines(file: CheckedFile) -> Iterator[str]:
    """A line for each release that holds, and for each failure."""
    for release in file.releases:
        kafka = release.result.kafka
        if release.result.holds:
            yield f"{file.name}: Kafka {kafka}: {coloured('holds', 'good')}"
        for expectation in release.expectations:
            yield from (_line(file, kafka, failure) for failure in expectation.failures)


def _line(file: CheckedFile, kafka: str, failure: Located) -> str:
    place = f"{file.name}:{failure.line}:{failure.column}"
    return f"{place}: Kafka {kafka}: {coloured(failure.text, 'bad')}"


# --- JUnit ------------------------------------------------------------------------------------


def junit(files: Sequence[CheckedFile]) -> str:
    """The report as JUnit XML: a suite for each file, a test for each expectation under a release;
    of an invalid file, one error.
    """
    root = ElementTree.Element("testsuites", name="highwater check")
    for file in files:
        suite = ElementTree.SubElement(root, "testsuite", name=file.name, file=file.name)
        if file.problems:
            case = ElementTree.SubElement(suite, "testcase", classname=file.name, name="is valid")
            lines = [f"{file.name}:{one.line}:{one.column}: {one.text}" for one in file.problems]
            _add(case, "error", "invalid", file.problems, lines)
        for release in file.releases:
            kafka = release.result.kafka
            for expectation in release.expectations:
                case = ElementTree.SubElement(
                    suite,
                    "testcase",
                    classname=f"{file.name}: Kafka {kafka}",
                    name=expectation.name,
                )
                if expectation.failures:
                    lines = [_line(file, kafka, failure) for failure in expectation.failures]
                    _add(case, "failure", "expectation", expectation.failures, lines)
        _count(suite)
    _count(root)
    ElementTree.indent(root)
    written = _NOT_XML.sub("\ufffd", ElementTree.tostring(root, "unicode"))
    return f'<?xml version="1.0" encoding="utf-8"?>\n{written}\n'


def _add(
    case: ElementTree.Element, kind: str, of: str, found: Sequence[Located], lines: Sequence[str]
) -> None:
    message = "; ".join(one.text for one in found)
    added = ElementTree.SubElement(case, kind, type=of, message=message)
    added.text = "\n".join(lines)


def _count(element: ElementTree.Element) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    element.set("failures", str(len(list(element.iter("failure")))))
    element.set("errors", str(len(list(element.iter("error")))))


# --- GitHub -----------------------------------------------------------------------------------


def github(files: Sequence[CheckedFile]) -> str:
    """The report as commands that GitHub Actions reads from a step's output: an annotation for each
    failure, and a plain line for each release that holds.
    """
    lines: list[str] = []
    for file in files:
        lines += (_annotation(file.name, problem, "Invalid scenario") for problem in file.problems)
        for release in file.releases:
            kafka = release.result.kafka
            if release.result.holds:
                lines.append(_escaped(f"{file.name}: Kafka {kafka}: holds"))
            for expectation in release.expectations:
                lines += (
                    _annotation(file.name, failure, f"Kafka {kafka}")
                    for failure in expectation.failures
                )
    return "".join(f"{line}\n" for line in lines)


def _annotation(name: str, found: Located, title: str) -> str:
    properties = {"file": name, "line": found.line, "col": found.column, "title": title}
    written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::error {written}::{_escaped(found.text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


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


def _replayed(name: str) -> tuple[Recording, list[replay.Difference]]:
    _, recording = read_recording_file(name)
    return recording, replay.conform(recording)


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

"""What `check` reports: each expectation of a file under each release, with its place in the file.

As text, as JUnit XML, which CI services show as tests, and as annotations of GitHub Actions, which
are shown at the lines of a change.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from xml.etree import ElementTree

from msgspec import Struct

from sim_engine.actions import Expect, Words
from sim_engine.command_line import coloured
from sim_engine.documents.runs import story_to
from sim_engine.error_texts import WrongInputError
from sim_engine.identifiers import FIRST_FRAME
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.expectations import CheckResult, Difference, is_held
from sim_engine.scenario_reader.source import Position, step_pointer
from sim_engine.simulation.timeline import Timeline

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

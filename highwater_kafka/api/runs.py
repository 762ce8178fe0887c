"""Runs of scenarios: `run` plays one, and `compare` finds where two diverge."""

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from highwater_kafka.api.inputs import ScenarioSource, caller_errors, played
from highwater_kafka.embedding import markup
from highwater_kafka.errors import HighwaterError
from sim_engine.command_line.run import comparison_lines, run_lines
from sim_engine.documents.comparison import comparison_document
from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import run_document
from sim_engine.json_types import PublishedJson
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration import sentence_of
from sim_engine.scenario_reader.expectations import properties_held
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline

if TYPE_CHECKING:
    from backend.runs.files import RunFiles

Json: TypeAlias = PublishedJson
"""An object of JSON, as the command line prints it: `highwater schema run` describes its parts."""

_HEIGHT = 560


def plain_json(document: object) -> Json:
    """A document as objects of JSON, whose keys are texts."""
    decoded: Json = msgspec.json.decode(msgspec.json.encode(document))
    return decoded


class Run:
    """A scenario that was played under one release. It never changes.

    The last expression of a notebook's cell shows it as a player, or where HTML is not shown as a
    picture.

    >>> highwater_kafka.run("kip-101-data-loss")
    <Run kip-101-data-loss, Kafka 0.10.2, 14 steps, violated: NoAckedRecordLost, StrongIsr>
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline

    def __repr__(self) -> str:
        violated = ", ".join(self.violated) or "nothing"
        return (
            f"<Run {self.scenario['id']}, Kafka {self.kafka}, {len(self.story) - 1} steps, "
            f"violated: {violated}>"
        )

    def __str__(self) -> str:
        """The run as text, as `highwater run` prints it."""
        return "\n".join(run_lines(self._timeline, DEFAULT_LANGUAGE))

    @cached_property
    def _files(self) -> "RunFiles":
        # What draws takes longer to import than most runs take.
        from backend.runs.files import RunFiles

        return RunFiles(self._timeline)

    @property
    def kafka(self) -> str:
        """The release.

        >>> highwater_kafka.run("kip-101-data-loss", kafka="3.9").kafka
        '3.9'
        """
        return self._timeline.profile.kafka

    @property
    def control(self) -> str:
        """The kind of controller, `zookeeper` or `kraft`."""
        return self._timeline.profile.control

    @cached_property
    def scenario(self) -> Json:
        """The scenario that was played."""
        return plain_json(scenario_document(self._timeline.scenario))

    @cached_property
    def document(self) -> Json:
        """What `highwater run --json` prints: `digest`, `final`, `properties`, `story` and more."""
        return plain_json(run_document(self._timeline))

    @property
    def story(self) -> list[Json]:
        """The steps of the run, with their texts in every language; the first is the start.

        >>> story = highwater_kafka.run("kip-101-data-loss").story
        >>> [step["step"] for step in story][:3]
        [0, 1, 2]
        """
        story: list[Json] = self.document["story"]
        return story

    @cached_property
    def frames(self) -> list[Json]:
        """The state after each action, with the events and the changes that led to it.

        >>> run = highwater_kafka.run("kip-101-data-loss")
        >>> run.frames[0]["state"]["partitions"]["t-0"]["leader"]
        2
        """
        numbers = self._timeline.path(self._timeline.head)
        return [plain_json(frame_document(self._timeline, number)) for number in numbers]

    @cached_property
    def events(self) -> list[Json]:
        """Everything that happened, in order, each with its `frame`, its `step` and its `sentence`
        in English: rows for a table.

        >>> events = highwater_kafka.run("kip-101-data-loss").events
        >>> next(event["sentence"] for event in events if event["kind"] == "LogTruncated")
        'Broker 1 truncates its log from 2 to 1 and loses m2.'
        """
        return self.events_in(DEFAULT_LANGUAGE)

    def events_in(self, lang: str) -> list[Json]:
        """The events, with sentences in this language. Raises HighwaterError for an unknown one."""
        if lang not in LANGUAGES:
            raise HighwaterError(f"the language must be {' or '.join(LANGUAGES)}, not {lang!r}")
        sentences = {
            (frame.frame, place): sentence_of(event, lang)
            for frame in self._timeline.frames
            for place, event in enumerate(frame.events)
        }
        return [
            {
                "frame": frame["frame"],
                "step": frame["step"],
                **event,
                "sentence": sentences[frame["frame"], place],
            }
            for frame in self.frames
            for place, event in enumerate(frame["events"])
        ]

    @property
    def final(self) -> Json:
        """The state after the last step.

        >>> highwater_kafka.run("kip-101-data-loss").final["partitions"]["t-0"]["isr"]
        [1, 2]
        """
        final: Json = self.document["final"]
        return final

    @property
    def properties(self) -> Json:
        """Property name → its verdict at the end, with the first frame that violates it."""
        properties: Json = self.document["properties"]
        return properties

    @property
    def violated(self) -> list[str]:
        """The properties that the run violates, of those that `expect: {violated: …}` compares:
        NoAckedRecordLost, LogMatching and ConsistentRead, and any that the scenario names.
        `properties` has all.

        >>> highwater_kafka.run("kip-101-data-loss", kafka="0.10.2").violated
        ['NoAckedRecordLost', 'StrongIsr']
        >>> highwater_kafka.run("kip-101-data-loss", kafka="0.11").violated
        []
        """
        held = properties_held(self._timeline.scenario)
        return [name for name in held if self.properties[name]["status"] == "violated"]

    def at(self, step: int) -> "Moment":
        """The end of a step of the story; 0 is the start, -1 the last step. Raises HighwaterError
        if there is no such step.

        >>> moment = highwater_kafka.run("kip-101-data-loss").at(7)
        >>> moment.sentence(), moment.state["brokers"]["1"]["state"]
        ('Broker 1 crashes.', 'crashed')
        """
        last = len(self.story) - 1
        wanted = last if step == -1 else step
        if not 0 <= wanted <= last:
            raise HighwaterError(f"this run has the steps 0 to {last}, not {step}")
        return Moment(self, wanted)

    def show(
        self,
        step: int | None = None,
        *,
        lang: str = DEFAULT_LANGUAGE,
        theme: str | None = None,
        height: int = _HEIGHT,
    ) -> "Shown":
        """The player for a notebook, opened at a step or at the most important one. Without a
        theme, it follows the reader's setting. Raises HighwaterError.
        """
        return Shown(self, step, lang=lang, theme=theme, height=height)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        step: int | None = None,
        steps: tuple[int, int] | None = None,
        lang: str = DEFAULT_LANGUAGE,
        theme: str | None = None,
        width: int | None = None,
    ) -> Path:
        """Write the run to a file and return its path. The name states the kind: `.html` (plays
        offline), `.svg`, `.png`, `.gif`, `.md`, `.mmd`, `.yaml`, `.itf.json` or `.json`.

        A picture shows the end of `step`, by default the most important one; `steps` is a first and
        a last step to play (`.svg`, `.gif`) or to write (`.mmd`). `width` is in pixels (`.png`,
        `.gif`). Raises HighwaterError.
        """
        from backend.runs.files import ending_of

        target = Path(path)
        with caller_errors():
            content = self._files.file(
                ending_of(str(target)), step=step, steps=steps, lang=lang, theme=theme, width=width
            )
            try:
                target.write_bytes(content)
            except OSError as error:  # which names no file if the disk is full
                raise HighwaterError(f"{target}: {error.strerror}") from None
        return target

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return _shown_or_told(self)


class Moment:
    """The end of one step of a run. A notebook shows it as the player, opened there."""

    def __init__(self, run: Run, step: int) -> None:
        self.run = run
        self.step = step

    def __repr__(self) -> str:
        return f"<Moment {self.run.scenario['id']}, step {self.step}: {self.sentence()}>"

    @property
    def frame(self) -> Json:
        """The last frame of the step."""
        return self.run.frames[self.run.story[self.step]["last_frame"]]

    @property
    def state(self) -> Json:
        """The state after the step, in the form of `Run.final`."""
        state: Json = self.frame["state"]
        return state

    @property
    def events(self) -> list[Json]:
        """What happened in the step."""
        return [event for event in self.run.events if event["step"] == self.step]

    @property
    def violated(self) -> list[str]:
        """The properties of `Run.violated` that are violated by then."""
        properties = self.frame["properties"]
        held = properties_held(self.run._timeline.scenario)
        return [name for name in held if properties[name]["status"] == "violated"]

    def sentence(self, lang: str = DEFAULT_LANGUAGE) -> str:
        """What happened in the step, in one sentence. Raises HighwaterError for an unknown
        language."""
        texts: dict[str, str] = self.run.story[self.step]["summary"]
        if lang not in texts:
            raise HighwaterError(f"the language must be {' or '.join(texts)}, not {lang!r}")
        return texts[lang]

    def show(
        self, *, lang: str = DEFAULT_LANGUAGE, theme: str | None = None, height: int = _HEIGHT
    ) -> "Shown":
        """The player, opened at the step: `Run.show`."""
        return self.run.show(self.step, lang=lang, theme=theme, height=height)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        lang: str = DEFAULT_LANGUAGE,
        theme: str | None = None,
        width: int | None = None,
    ) -> Path:
        """Write the run to a file that shows this step: `Run.save`."""
        return self.run.save(path, step=self.step, lang=lang, theme=theme, width=width)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return _shown_or_told(self)


class Shown:
    """The player of a run in the output of a notebook's cell, with the picture and the text for
    readers of a notebook that does not show HTML. Nothing is loaded when it is read.
    """

    def __init__(
        self, run: Run, step: int | None, *, lang: str, theme: str | None, height: int
    ) -> None:
        with caller_errors():
            title = run._files.title(lang)
            self._options = _options(title, height=height, theme=theme, lang=lang)
            self._text = run._files.sentence(step, lang)
            self._page = run._files.file("html", step=step, lang=lang, theme=theme).decode()
            self._picture = run._files.file("svg", step=step, lang=lang, theme=theme).decode()

    def __repr__(self) -> str:
        return f"{self._options.title}: {self._text}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {
            "text/plain": repr(self),
            "image/svg+xml": self._picture,
            "text/html": markup.inline_player(self._options, self._page),
        }


def _shown_or_told(it: Run | Moment) -> dict[str, str]:
    """The player, or where it cannot be drawn the text with the reason."""
    try:
        return it.show()._repr_mimebundle_()
    except HighwaterError as error:
        return {"text/plain": f"{it!r}\n{error}"}


def _options(title: str, *, height: int, theme: str | None, lang: str) -> markup.Options:
    return markup.Options(title=title, height=height, theme=theme, lang=lang)


def run(scenario: ScenarioSource, *, kafka: str | None = None, control: str | None = None) -> Run:
    """Play a scenario: the path of a YAML or JSON file, the text of one, a document as a dict, or
    the id of a shipped scenario. `kafka` is a release, `control` is `zookeeper` or `kraft` for
    releases that have both; by default, the scenario's own.

    Raises HighwaterError, which names the place and what is allowed.

    >>> run = highwater_kafka.run('''
    ... id: mine
    ... kafka: "3.9"
    ... brokers: [1, 2]
    ... topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
    ... steps:
    ...   - produce: {to: t-0, values: [m1], as: p1}
    ...   - settle: {}
    ... ''')
    >>> run.violated
    []
    >>> run.final["replicas"]["t-0"]["2"]["high_watermark"]
    1
    >>> highwater_kafka.run("kip-101-data-lost")
    Traceback (most recent call last):
        ...
    highwater_kafka.errors.HighwaterError: kip-101-data-lost: no such file or shipped scenario; ...
    """
    return Run(played(scenario, kafka, control))


class Comparison:
    """Where two runs diverge."""

    def __init__(self, a: Run, b: Run, names: Sequence[str]) -> None:
        self.a = a
        self.b = b
        self._compared = comparison_document(a._timeline, b._timeline)
        self._names = names

    def __repr__(self) -> str:
        return "\n".join(comparison_lines(self._compared, self._names))

    @cached_property
    def document(self) -> Json:
        """What `highwater compare --json` prints."""
        return plain_json(self._compared)

    @property
    def differs(self) -> bool:
        """Whether the states of the runs ever differ."""
        return self._compared.where is not None

    @property
    def loss(self) -> str | None:
        """Which of the two runs loses an acknowledged record that the other keeps, `a` or `b`; None
        if neither does.
        """
        return None if self._compared.loss is None else self._compared.loss.violated_in


def compare(
    scenario: ScenarioSource | Run,
    other: ScenarioSource | Run | None = None,
    *,
    kafka: str | Sequence[str] | None = None,
) -> Comparison:
    """Compare a scenario under two releases (`kafka=("0.10.2", "0.11")`), two scenarios under one,
    or two runs. Raises HighwaterError.

    >>> found = highwater_kafka.compare("kip-101-data-loss", kafka=("0.10.2", "0.11"))
    >>> found.differs, found.loss
    (True, 'a')
    """
    if other is None:
        is_pair = isinstance(kafka, Sequence) and not isinstance(kafka, str) and len(kafka) == 2
        if isinstance(scenario, Run) or not is_pair:
            raise HighwaterError(
                'compare needs two releases, kafka=("0.10.2", "0.11"), or another scenario or run'
            )
        first, second = kafka or ("", "")
        a, b = run(scenario, kafka=first), run(scenario, kafka=second)
        return Comparison(a, b, [f"Kafka {one.kafka} ({one.control})" for one in (a, b)])
    if kafka is not None and not isinstance(kafka, str):
        raise HighwaterError("two scenarios are compared under one release, kafka='3.9'")
    a = scenario if isinstance(scenario, Run) else run(scenario, kafka=kafka)
    b = other if isinstance(other, Run) else run(other, kafka=kafka or a.kafka)
    names = [str(one.scenario["id"]) for one in (a, b)]
    if names[0] == names[1]:
        names = [f"{name} under Kafka {one.kafka}" for name, one in zip(names, (a, b), strict=True)]
    return Comparison(a, b, names)

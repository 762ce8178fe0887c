"""The fidelity checks of the engine: `FIDELITY.md`, the recordings, and Kafka's own test cases.

The recordings and Kafka's cases are with the tests; `scripts/write scenarios` lists them in
`fidelity.json` in this folder, and a test compares it with them.

A recording can be shown as a run: the engine's frames, and the real cluster's values after each
step. A step of the recording is a step of the story; its title in every language is in
`recordings.ftl`. Each recorded value is returned with the engine's value, equal or not.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from gzip import decompress
from importlib.resources import files
from typing import Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from sim_engine.conformance import recording as verbs
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordedStep, Recording
from sim_engine.conformance.replay import Compared, replay_steps
from sim_engine.conformance.replay_state import Replay
from sim_engine.events.run import RecordedStepUnseen
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, say, translations_of
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.steps import Act
from sim_engine.versions import Control

TEXTS = "recordings"


def titles_of(step: RecordedStep) -> Mapping[str, str]:
    """The title of a step by language: the operation on the real cluster."""
    name, numbers = _words(step)
    return {lang: say(lang, TEXTS, name, **numbers) for lang in LANGUAGES}


def _words(step: RecordedStep) -> tuple[str, Mapping[str, object]]:
    """The name of the message and the values for it."""
    verb = step.verb
    numbers = {name.rstrip("_"): value for name, value in asdict(verb).items()}
    match verb:
        case verbs.Produce():
            name = "produce" if verb.broker is None else "produce-to"
            acks = "all" if verb.acks == -1 else verb.acks
            return name, {**numbers, "acks": acks}
        case verbs.Transaction():
            return f"transaction-{'begin' if verb.end is None else verb.end}", {}
        case verbs.Start():
            return "start", {"brokers": verb.broker_ids()}
        case verbs.Wait():
            return _waited(verb)
        case verbs.DeleteFile():
            return step.name, {"broker": verb.broker, "deleted": verb.file}
        case verbs.Config():
            whose = next(
                (one for one in ("topic", "broker") if numbers[one] is not None), "cluster"
            )
            return f"config-{whose}", numbers
        case verbs.Elect():
            return f"elect-{verb.kind}", {}
        case verbs.Fetch():
            return f"fetch-{verb.response}", numbers
        case verbs.Network():
            done = next(one for one in ("hold", "release", "drop", "cut", "heal") if numbers[one])
            is_link = done in ("cut", "heal")
            return f"network-{done}" if is_link else f"network-{done}-{numbers[done]}", numbers
        case _:
            return step.name, numbers


def _waited(verb: verbs.Wait) -> tuple[str, Mapping[str, object]]:
    if verb.until is None:
        return "wait", {"ms": verb.ms}
    until = {name: value for name, value in asdict(verb.until).items() if value}
    name = next(iter(until))
    return ("wait-fenced-all" if until[name] == "all" else f"wait-{name}"), until


ARCHIVE = "recordings.json.gz"
"""The file with all recordings in the package: one JSON object, by `RecordingEntry.name`."""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """One step of a recording, and the values read after it. `frame` is the step's last frame.

    `settled` is whether nothing was pending in the cluster when it was read.
    """

    step: int
    frame: FrameNumber
    settled: bool
    compared: tuple[Compared, ...]


class RecordedRun(Struct, frozen=True, kw_only=True):
    """A recording, replayed."""

    timeline: Timeline
    checkpoints: tuple[Checkpoint, ...]


def recorded_run(name: str) -> RecordedRun:
    """Replay a recording of the package. Raises `KeyError` if no recording has this name."""
    return run_of(read_recording(json.loads(_archive()[name])))


def run_of(recording: Recording) -> RecordedRun:
    """Replay a recording, or the beginning of one. If the engine refuses an action, the run ends
    there; the last checkpoint states it.
    """
    timeline = Timeline(recording.scenario)
    replay = Replay(recording)
    checkpoints: list[Checkpoint] = []
    kept = 0
    for number, compared in enumerate(replay_steps(replay), start=1):
        execution = replay.execution
        if len(execution.executed) == kept:
            execution.note(RecordedStepUnseen())
        act = Act(
            number=number,
            step={"recorded": {"step": number}},
            item=None,
            title=titles_of(replay.step),
        )
        timeline.keep(timeline.head, act, execution.executed[kept:], execution)
        execution.unseen = ()
        kept = len(execution.executed)
        checkpoints.append(
            Checkpoint(
                step=number,
                frame=timeline.head,
                settled=replay.step.settled,
                compared=tuple(compared),
            )
        )
    return RecordedRun(timeline=timeline, checkpoints=tuple(checkpoints))


@cache
def _archive() -> Mapping[str, str]:
    """The JSON text of each recording, by its name."""
    zipped = files("sim_engine.conformance").joinpath(ARCHIVE).read_bytes()
    archive: Mapping[str, str] = json.loads(decompress(zipped))
    return archive


SectionName = Literal["modelled", "tests", "losses", "simpler", "left_out"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""The sections of FIDELITY.md, in order."""

RECORDING_TITLES = "recording_titles"
"""The Fluent file of a language, without ".ftl", that contains the texts of recordings by id: the
title, and what it shows as the attribute `shows`.
"""

_FILE = "FIDELITY.md"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class RecordingEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A recording of a real cluster, which the engine must reproduce step by step."""

    id: str
    kafka: str
    title: str
    shows: str
    steps: int

    @property
    def name(self) -> str:
        """Its name, also in addresses: its id and the recorded release."""
        return f"{self.id}-{self.kafka}"

    def titles(self) -> Mapping[str, str]:
        """Its title in English, and in every language that has a translation."""
        return recording_titles(self.id, self.title)

    def said(self) -> Mapping[str, str]:
        """What it shows, in English and in every language that has a translation."""
        return {DEFAULT_LANGUAGE: self.shows, **_translated_texts().get(_shows(self.id), {})}


class Agreement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The recorded values of a recording beside the engine's: the number of those that are equal,
    that differ, and that are not compared because they depend on timing.
    """

    control: Control
    runs: int | None
    """The number of runs of the schedule whose values agreed; null if the file does not state it.
    """
    equal: int
    differ: int
    not_held: int


class WalkedRelease(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The random schedules that the brokers of a release carried out, by their outcome (`Outcome`
    of `backend/recorded_walks`), and the processor time of the brokers and the comparison, in s.
    """

    kafka: str
    control: Control
    agrees: int
    differs: int
    unstable: int
    not_recorded: int
    equal: int
    not_held: int
    cpu_s: int

    @property
    def schedules(self) -> int:
        """The number of schedules that were drawn."""
        return self.agrees + self.differs + self.unstable + self.not_recorded


@cache
def walked_releases() -> tuple[WalkedRelease, ...]:
    """What `scripts/write walks` kept of the last night with real brokers, oldest release first."""
    text = (files("sim_engine.conformance") / "walks.json").read_bytes()
    return msgspec.json.decode(text, type=tuple[WalkedRelease, ...])


def agreement_of(recording: Recording) -> Agreement:
    """Replay a recording and count its values."""
    of_file = recording.file.recorded
    counts = Counter(
        one.standing for compared in replay_steps(Replay(recording)) for one in compared
    )
    return Agreement(
        control=recording.file.control,
        runs=of_file.recordings_agreeing or of_file.repeats,
        equal=counts["equal"],
        differ=counts["differs"],
        not_held=counts["not_held"],
    )


class OlderRecordings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The recordings that were made by scripts outside the repository, by their ids."""

    covered: Mapping[str, tuple[str, ...]]
    """For each scenario that was recorded since, those whose behaviour its recordings show."""
    not_a_scenario: Mapping[str, Mapping[str, str]]
    """What no scenario can do of those that are covered in part, in every language."""


@cache
def older_recordings() -> OlderRecordings:
    """Read which scenarios cover the older recordings."""
    text = (files("sim_engine.conformance") / "older_recordings.json").read_bytes()
    return msgspec.json.decode(text, type=OlderRecordings)


class FidelityChecks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All recordings and test cases. `cases` are those of Kafka's own tests; some can be expressed
    only in part.
    """

    recordings: tuple[RecordingEntry, ...]
    agreement: Mapping[str, Agreement]
    """The agreement of each recording, by its name."""
    cases: int
    cases_in_part: int

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases that were recorded, oldest first."""
        named = {recording.kafka for recording in self.recordings}
        return tuple(sorted(named, key=lambda kafka: [int(part) for part in kafka.split(".")]))


class Section(Struct, frozen=True, kw_only=True):
    """A section of FIDELITY.md: its text and its table. Code is enclosed in backticks."""

    name: SectionName
    paragraphs: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def read_fidelity_checks() -> FidelityChecks:
    """Read the list of recordings and test cases that comes with the engine."""
    text = files("sim_engine.conformance").joinpath("fidelity.json").read_bytes()
    return msgspec.json.decode(text, type=FidelityChecks)


def recording_texts() -> Mapping[str, str]:
    """The English texts of each recording by the name of their message: `ID`, `ID.shows`."""
    return {
        name: text
        for one in read_fidelity_checks().recordings
        for name, text in ((one.id, one.title), (_shows(one.id), one.shows))
    }


def recording_titles(recording: str, title: str) -> Mapping[str, str]:
    """The title of a recording by language: translated if that is its title in Highwater."""
    is_known = recording_texts().get(recording) == title
    return {DEFAULT_LANGUAGE: title, **(_translated_texts().get(recording, {}) if is_known else {})}


def _shows(recording: str) -> str:
    return f"{recording}.shows"


@cache
def _translated_texts() -> Mapping[str, Mapping[str, str]]:
    return translations_of(RECORDING_TITLES, recording_texts().keys())


def fidelity_path(lang: str) -> str | None:
    """The path of FIDELITY.md in a language, from the engine's folder; None if it has none."""
    if lang == DEFAULT_LANGUAGE:
        return _FILE
    path = f"languages/{lang}/{_FILE}"
    return path if files("sim_engine").joinpath(path).is_file() else None


def fidelity_languages() -> tuple[str, ...]:
    """The languages in which FIDELITY.md exists."""
    return tuple(lang for lang in LANGUAGES if fidelity_path(lang) is not None)


@cache
def fidelity(lang: str = DEFAULT_LANGUAGE) -> tuple[Section, ...]:
    """The sections of FIDELITY.md in one of its languages."""
    path = fidelity_path(lang)
    assert path is not None, "FIDELITY.md exists in this language"
    text = files("sim_engine").joinpath(path).read_text(encoding="utf-8")
    parts = text.split("\n## ")[1:]
    assert len(parts) == len(SECTIONS), "each section of FIDELITY.md has a name"
    return tuple(_section(name, part) for name, part in zip(SECTIONS, parts, strict=True))


def _section(name: SectionName, text: str) -> Section:
    _, *lines = _LINK.sub(r"\1", text).splitlines()
    lines = [line for line in lines if not line.startswith("<!--")]
    table = [line for line in lines if line.startswith("|")]
    return Section(
        name=name,
        paragraphs=tuple(line for line in lines if line and not line.startswith("|")),
        # The first two lines are the head of the table.
        rows=tuple(
            tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in table[2:]
        ),
    )

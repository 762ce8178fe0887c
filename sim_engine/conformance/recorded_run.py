"""A recording as a run: the engine's frames, and the real cluster's values after each step.

A step of the recording is a step of the story; its title in every language is in `recordings.ftl`.
Each recorded value is returned with the engine's value, equal or not.
"""

import json
from collections.abc import Mapping
from functools import cache
from gzip import decompress
from importlib.resources import files

from msgspec import Struct
from msgspec.structs import asdict

from sim_engine.conformance import verbs
from sim_engine.conformance.compare import Compared
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordedStep
from sim_engine.conformance.replay import replay_steps
from sim_engine.conformance.replay_state import Replay
from sim_engine.events.run import RecordedStepUnseen
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import LANGUAGES, say
from sim_engine.simulation.timeline import Timeline
from sim_engine.story import Act

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
        case verbs.ChangeConfig():
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
    recording = read_recording(json.loads(_archive()[name]))
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

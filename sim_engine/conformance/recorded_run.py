"""A recording as a run: the engine's frames, and the real cluster's values after each step.

A step of the recording is a step of the story. Each recorded value is returned with the engine's
value, equal or not.
"""

import json
from collections.abc import Mapping
from functools import cache
from gzip import decompress
from importlib.resources import files

from msgspec import Struct

from sim_engine.conformance.difference import Compared
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.replay import replay_steps
from sim_engine.conformance.replay_state import Replay
from sim_engine.conformance.step_titles import titles_of
from sim_engine.events.run import RecordedStepUnseen
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline
from sim_engine.story import Act

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

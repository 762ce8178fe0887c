"""A recording as a run: the engine's frames, and after each step what the real cluster had.

A step of the recording is a step of the story. What was read after it stands beside the engine's
value, whether the two are equal or not.
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
"""The recordings as the package has them: one JSON object, by `RecordingEntry.name`."""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """One step of a recording, and what was read after it. `frame` is the step's last one.

    `settled` tells whether the cluster had come to rest when it was read.
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
    """Replay a recording of the package. Raises `KeyError` where it has none of that name."""
    recording = read_recording(json.loads(_archive()[name]))
    timeline = Timeline(recording.scenario)
    replay = Replay(recording)
    checkpoints: list[Checkpoint] = []
    kept = 0
    for number, compared in enumerate(replay_steps(replay), start=1):
        play = replay.play
        if len(play.played) == kept:
            play.note(RecordedStepUnseen())
        act = Act(
            number=number,
            step={"recorded": {"step": number}},
            item=None,
            title=titles_of(replay.step),
        )
        timeline.keep(timeline.head, act, play.played[kept:], play)
        play.unseen = ()
        kept = len(play.played)
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
    """The text of each recording, by its name."""
    zipped = files("sim_engine.conformance").joinpath(ARCHIVE).read_bytes()
    archive: Mapping[str, str] = json.loads(decompress(zipped))
    return archive

"""A run in memory on which somebody acts, and its steps in the form in which they are stored."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from backend.frames.rendering import Rendering
from backend.http.errors import NotReplayableError, invalid
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline

_canonical = msgspec.json.Encoder(order="deterministic")


def step_key(step: object) -> str:
    """A hash of a step that does not depend on the order of its keys."""
    return hashlib.sha256(_canonical.encode(step)).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredStep:
    """One step as it is stored; `frames` are the frames that it created."""

    after: FrameNumber
    step: dict[str, object]
    key: str
    item: int | None
    frames: tuple[FrameNumber, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """The hash of the owner's key, and the session or share that the session was copied from."""

    owner_key_hash: str | None = None
    forked_from: dict[str, object] | None = None

    @property
    def owned(self) -> bool:
        """Whether acting requires the owner's key."""
        return self.owner_key_hash is not None


@dataclass(slots=True)
class OpenTimeline:
    """One session's timeline, and the number of stored steps that were replayed."""

    session_id: str
    scenario_id: str | None
    created_at: datetime
    step_count: int
    provenance: Provenance
    timeline: Timeline
    rendering: Rendering
    # Frame and step key → the frames that the step created. Refused steps are not included.
    done: dict[tuple[FrameNumber, str], tuple[FrameNumber, ...]] = field(init=False)
    # When it was last kept.
    taken_bytes: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.done = {
            (done.after, step_key(done.step)): tuple(done.frames)
            for done in self.timeline.played_steps
            if done.frames and not done.refused
        }

    @property
    def frame_count(self) -> int:
        """The number of frames on all branches."""
        return len(self.timeline.frames)

    def check_frame(self, frame: FrameNumber, *, where: str) -> None:
        """Raise InvalidInputError, with `where` as its place, for a frame that does not exist."""
        if frame >= self.frame_count:
            raise invalid(
                where,
                f"there is no such frame; the last one is {self.frame_count - 1}",
                code="no_such_frame",
            )

    def note(self, done: StoredStep) -> None:
        """Note a step that is stored now."""
        self.step_count += 1
        self.done[done.after, done.key] = done.frames


def replayed(
    scenario: dict[str, object], kafka: str, control: str, steps: Sequence[StoredStep]
) -> Timeline:
    """Replay these steps of a scenario and return the timeline."""
    return Timeline.replay(
        read_scenario_document(scenario),
        kafka=kafka,
        control=control,
        steps=[(step.after, step.step, step.item) for step in steps],
    )


def engine_changed(engine: str) -> NotReplayableError:
    """The error for a stored run that this engine plays differently than the one that made it."""
    return NotReplayableError(
        f"This session was made by engine {engine}; engine {ENGINE_VERSION} plays it "
        "differently. Start it again from its scenario.",
        code="engine_changed",
    )


def stored_steps(timeline: Timeline) -> list[StoredStep]:
    """A timeline's played steps in the form in which they are stored.

    A step without frames can occur twice after the same frame (two `settle` in a row); it is stored
    once.
    """
    steps: dict[tuple[FrameNumber, str], StoredStep] = {}
    for done in timeline.played_steps:
        key = step_key(done.step)
        steps.setdefault(
            (done.after, key), StoredStep(done.after, done.step, key, done.item, tuple(done.frames))
        )
    return list(steps.values())

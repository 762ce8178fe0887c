"""Random schedules on real brokers: each is drawn, recorded, and replayed by the engine. A schedule
that differs is shortened on real brokers too.

A recorder is a function that carries out a scenario under a release. Everything here depends on its
recordings alone.

Known nondeterminism is not decided here. A schedule is recorded once, and the comparison of the
engine (`sim_engine.conformance.replay`) knows one race in such a recording: the order in which
replicas joined the ISR. A difference that a second recording does not have is *unstable*: it is
counted and printed as what it is, never as agreement.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from backend.recording.plan import NotRecordableError, Plan, plan
from backend.recording.record import WrittenRecording, recording_document
from backend.recording.settings import lags
from sim_engine.actions import Words
from sim_engine.actions.steps import Advance, Run
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import (
    KRAFT_CONTROLLER,
    CreateTopic,
    CutOff,
    DiskLoss,
    Freeze,
    Kill,
    Network,
    PowerLoss,
    RecordingError,
    Wait,
)
from sim_engine.conformance.replay import Difference, differences, replay_steps
from sim_engine.conformance.replay_state import Replay
from sim_engine.events.run import ActionRefused
from sim_engine.exploration.schedules import (
    ENDLESS_SESSION_MS,
    GOALS,
    OUTLASTS_LAG,
    random_schedule,
)
from sim_engine.exploration.shrink import shrink
from sim_engine.identifiers import BrokerId
from sim_engine.scenario_reader.document import Scenario
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import Control

STEPS = 14
"""The steps of a schedule: each is read on real disks, which takes a second or two."""

_LONGEST_WAIT_MS = 5_000
"""Longer waits take too much of a night, and only change something through the lag time."""

_DEATHS = (Kill, PowerLoss, DiskLoss)
_WITHOUT_HEARTBEATS = (Freeze, CutOff)


class NoRecordingError(Exception):
    """Brokers did not come to the end of a schedule; the message states why."""


Recorder = Callable[[Scenario, str], WrittenRecording]
"""Records a schedule once, under an exact release. Raises `NoRecordingError`."""

Outcome = Literal["agrees", "differs", "unstable", "not_recorded"]


class Compared(Struct, frozen=True, kw_only=True):
    """A recording beside the engine's replay."""

    recording: WrittenRecording
    differences: tuple[Difference, ...]
    values: Counter[str]
    """The number of values by their standing: `equal`, `differs` and `not_held`."""
    exercised: Counter[str]
    """The verbs, the rules and the goals of random schedules that the replay exercised, with the
    number of frames or steps. Their names begin with `verb `, `rule ` and `goal `.
    """


class Walked(Struct, frozen=True, kw_only=True):
    """A schedule and its outcome. Of one that was not recorded, `reason` states why. Of one that
    differs, `shortest` is the shortest schedule found that does, and `compared` belongs to it.
    """

    seed: int
    schedule: Scenario
    outcome: Outcome
    compared: Compared | None = None
    reason: str | None = None
    shortest: Scenario | None = None


def draw(seed: int, release: str, control: Control, *, steps: int = STEPS) -> Scenario:
    """A random schedule that real brokers of this release can carry out."""
    return random_schedule(
        seed,
        steps=steps,
        kafka=release,
        control=control,
        accepts=lambda scenario: _can_be_recorded(scenario, release, control),
    )


def _can_be_recorded(scenario: Scenario, release: str, control: Control) -> bool:
    waits = [one.step for one in scenario.steps if isinstance(one.step, Advance | Run)]
    if any(one.ms > _LONGEST_WAIT_MS for one in waits if one != OUTLASTS_LAG):
        return False
    try:
        planned = plan(scenario, release, control)
    except NotRecordableError:
        return False
    return _releases_what_is_held(planned) and (not lags(scenario) or _outlasts_lag(planned))


def _outlasts_lag(planned: Plan) -> bool:
    """Whether nothing depends on when a replica leaves the ISR: each state is read after whoever
    lags has left, and no KRaft session of a broker without heartbeats ends meanwhile.
    """
    first, *others = [one for one in planned.steps if one.reads]
    assert isinstance(first.verb, CreateTopic), "nobody lags behind an empty log"
    if not all(
        one.read_after_ms == OUTLASTS_LAG.ms or one.verb == Wait(ms=OUTLASTS_LAG.ms)
        for one in others
    ):
        return False
    is_endless = planned.configs.get("broker.session.timeout.ms") == ENDLESS_SESSION_MS
    ends = _DEATHS if is_endless else _WITHOUT_HEARTBEATS
    return planned.control == "zookeeper" or not any(isinstance(one.verb, ends) for one in others)


def _releases_what_is_held(planned: Plan) -> bool:
    """Whether a broker's metadata is released only while it is held. In a scenario each record is
    delivered; on real brokers metadata flows by itself.
    """
    held: set[BrokerId] = set()
    for one in planned.steps:
        verb = one.verb
        if not isinstance(verb, Network) or verb.to != KRAFT_CONTROLLER:
            continue
        assert verb.from_ is not None, "a broker's metadata"
        if (verb.hold is not None) == (verb.from_ in held):
            return False
        held ^= {verb.from_}
    return True


def compare(recording: WrittenRecording) -> Compared:
    """Replay a recording and count what the replay exercised. Raises `NoRecordingError` for a
    recording that the engine cannot read.
    """
    try:
        read = read_recording(recording_document(recording))
    except RecordingError as error:
        raise NoRecordingError(f"the engine does not read the recording: {error}") from None
    replay = Replay(read)
    steps = list(replay_steps(replay))
    exercised = Counter(f"verb {step.name}" for step in read.steps)
    for executed in replay.execution.executed:
        happened = executed.transition.events
        exercised.update({f"rule {one.rule}" for one in happened if one.rule is not None})
        exercised.update(
            f"goal {goal}" for goal, shows in GOALS.items() if any(map(shows, happened))
        )
    return Compared(
        recording=recording,
        differences=tuple(differences(steps)),
        values=Counter(one.standing for values in steps for one in values),
        exercised=exercised,
    )


def walk(
    seeds: range, release: str, control: Control, recorder: Recorder, *, most_recordings: int
) -> Iterator[Walked]:
    """Record and compare the schedule of each seed. A difference is recorded again, and if it is
    there again, its schedule is shortened with at most `most_recordings` further recordings.
    """
    for seed in seeds:
        yield _walked(seed, draw(seed, release, control), release, recorder, most_recordings)


def _walked(
    seed: int, schedule: Scenario, release: str, recorder: Recorder, most_recordings: int
) -> Walked:
    def outcome(outcome: Outcome, compared: Compared) -> Walked:
        return Walked(seed=seed, schedule=schedule, outcome=outcome, compared=compared)

    try:
        first = _compared(schedule, release, recorder)
        if not first.differences:
            return outcome("agrees", first)
        again = _compared(schedule, release, recorder)
    except NoRecordingError as error:
        return Walked(seed=seed, schedule=schedule, outcome="not_recorded", reason=str(error))
    place = _common_place(first, again)
    if place is None:
        return outcome("unstable", first)
    still = _StillDiffers(place, release, recorder, most_recordings, known=again)
    shortest = shrink(schedule, still)
    return Walked(
        seed=seed, schedule=schedule, outcome="differs", compared=still.last, shortest=shortest
    )


def _compared(schedule: Scenario, release: str, recorder: Recorder) -> Compared:
    """Record and compare a schedule. One that was not recorded is tried once more: on a busy
    machine, a broker may lose its session. Raises `NoRecordingError` if that fails too.
    """
    try:
        return compare(recorder(schedule, release))
    except NoRecordingError:
        return compare(recorder(schedule, release))


def _places(compared: Compared) -> list[str]:
    """What differs, without the numbers of brokers and of responses."""
    return [re.sub(r"/\d+", "", one.where) for one in compared.differences]


def _common_place(first: Compared, again: Compared) -> str | None:
    """The first kind of place that differs in both recordings."""
    return next((place for place in _places(first) if place in _places(again)), None)


class _StillDiffers:
    """Whether a shorter schedule differs on real brokers at the same kind of place. `last` is the
    comparison of the last one that did.

    A schedule that the engine refuses is not recorded: it would show nothing about Kafka. After the
    most recordings, no schedule counts as one that differs.
    """

    def __init__(
        self, place: str, release: str, recorder: Recorder, most: int, *, known: Compared
    ) -> None:
        self.last = known
        self._place = place
        self._release = release
        self._recorder = recorder
        self._left = most
        self._is_known = 2  # the schedule itself, and without its texts

    def __call__(self, scenario: Scenario) -> bool:
        if self._is_known:
            self._is_known -= 1
            return True
        control = self.last.recording.control
        if self._left == 0 or not _can_be_recorded(scenario, self._release, control):
            return False
        if not _is_possible(scenario):
            return False
        self._left -= 1
        try:
            compared = compare(self._recorder(scenario, self._release))
        except NoRecordingError:
            return False
        if self._place not in _places(compared):
            return False
        self.last = compared
        return True


def _is_possible(scenario: Scenario) -> bool:
    """Whether the engine can perform each step."""
    timeline = Timeline(scenario)
    for number, step in enumerate(scenario.steps):
        if not isinstance(step.step, Words):
            timeline.run_step(number, step.step)
    return not any(
        isinstance(one, ActionRefused) for frame in timeline.frames for one in frame.events
    )

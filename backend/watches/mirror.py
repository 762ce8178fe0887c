"""A recording beside the engine, while real brokers make it or afterwards: each step with the
values that were read, drawn as a watched cluster is, and the engine's values.

The command adds what was recorded so far, and the engine replays all of it again: a replay takes
less time than a step of real brokers. Nothing is stored here.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from msgspec import to_builtins

from backend.frames.packing import packed
from backend.watches.drawing import differing, drawn_partition
from backend.watches.watch import Watched
from sim_engine.actions.steps import Crash, Pause
from sim_engine.cluster_import.logs import changes_between
from sim_engine.cluster_import.parsed_state import (
    Origin,
    ParsedLog,
    ParsedPartition,
    ParsedRecord,
    ParsedState,
    Partition,
    Statement,
)
from sim_engine.conformance.fidelity import RecordedRun, run_of, titles_of
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordedBroker, RecordedState, Recording, RecordingFile
from sim_engine.documents.frames import frame_document
from sim_engine.error_texts import Wording
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset
from sim_engine.json_types import JsonObject

_ELR = "eligible.leader.replicas.version"
Stage = Literal["starting", "recording", "finished", "failed"]


@dataclass(frozen=True, slots=True)
class _Recorded:
    """What was recorded so far, and the engine's replay of it. `states` has null for each step
    after which nothing was read, and `at` the time at which a step was added; a kept recording has
    none.
    """

    recording: Recording
    run: RecordedRun
    states: tuple[ParsedState | None, ...]
    changes: tuple[tuple[Statement, ...], ...]
    at: tuple[datetime | None, ...]


class Mirror(Watched):
    """A recording. Its steps count from 0 to `last`, as in the file and for `highwater conform`.
    `runs` is the number of runs that have to agree; the first one is shown.
    """

    def __init__(self, title: Mapping[str, str], kafka: str, *, last: int, runs: int = 0) -> None:
        super().__init__()
        self._title, self._kafka, self._last, self._runs = title, kafka, last, runs
        self._stage: Stage = "starting" if runs else "finished"
        self._run = 1
        self._step: int | None = None
        self._file: str | None = None
        self._failure: Wording | None = None
        self._shown: _Recorded | None = None

    # --- the command adds -----------------------------------------------------------------------

    def at(self, run: int, step: int | None) -> None:
        """A run of the brokers carries out a step; None while they start."""
        with self._lock:
            self._stage = "starting" if step is None else "recording"
            self._run, self._step = run, step
            self._version += 1

    def show(self, document: object) -> None:
        """Show what was recorded so far, as JSON. Raises `RecordingError` if the engine cannot
        read it.
        """
        recording = read_recording(document)
        states = tuple(
            None if step.saw is None else parsed_state(recording.file, step.saw)
            for step in recording.steps
        )
        with self._lock:
            known = () if self._shown is None else self._shown.at
            now = None if self._stage == "finished" else datetime.now(UTC)
        new = (now,) * (len(states) - len(known))
        shown = _Recorded(recording, run_of(recording), states, _changes(states), known + new)
        with self._lock:
            self._shown = shown
            self._version += 1

    def finish(self, file: str) -> None:
        """The recording is complete and in this file."""
        with self._lock:
            self._stage, self._file = "finished", file
            self._version += 1

    def fail(self, reason: Wording) -> None:
        """The recording ends without being complete."""
        with self._lock:
            self._stage, self._failure = "failed", reason
            self._version += 1

    # --- the page reads -------------------------------------------------------------------------

    def document(self) -> JsonObject:
        """The recording so far: where it is, and each step with the number of its values."""
        with self._lock:
            shown = self._shown
            document: JsonObject = {
                "title": {**self._title},
                "kafka": self._kafka,
                "stage": self._stage,
                "file": self._file,
                "failure": None if self._failure is None else {**self._failure.said()},
                "run": self._run,
                "runs": self._runs,
                "step": self._step,
                "last": self._last,
            }
        recorded = [] if shown is None else _steps(shown)
        different = (one["number"] for one in recorded if one["differs"])
        return {**document, "difference": next(different, None), "recorded": recorded}

    def drawn(self, number: int) -> JsonObject | None:
        """The document of a step: its values on the stage, and beside the engine's. Null if there
        is no such step, or nothing was read after it.
        """
        with self._lock:
            shown = self._shown
        if shown is None or number >= len(shown.states):
            return None
        state, saw = shown.states[number], shown.recording.steps[number].saw
        if state is None or saw is None:
            return None
        name = _name(shown.recording.file)
        not_running = {
            broker: (Pause if one.process == "frozen" else Crash)(broker=broker)
            for broker, one in saw.brokers.items()
            if one.process != "running"
        }
        document = drawn_partition(state, name, number, self._kafka, not_running)
        followed = shown.run.checkpoints[number : number + 1]
        frames = [frame_document(shown.run.timeline, one.frame) for one in followed]
        compared = [row for one in followed for row in to_builtins(one.compared)]
        return {
            **document,
            "compared": compared or document["compared"],
            "drawn_otherwise": differing(document),
            "engine_frame": next(iter(to_builtins(packed(frames))), None),
        }


def parsed_state(file: RecordingFile, saw: RecordedState) -> ParsedState:
    """What was read after a step, as what an import reads. Of a cluster with ZooKeeper, the list of
    replicas is not read: it is that of the new topic and whoever has a log.
    """
    name = _name(file)
    created = file.topic.partitions[0]["replicas"]
    assert isinstance(created, list), "the reader checked"
    with_log = [broker for broker, one in saw.brokers.items() if one.log is not None]
    replicas = dict.fromkeys([*created, *(saw.isr or ()), *with_log])
    about = ParsedPartition(
        replicas=tuple(replicas if saw.replicas is None else saw.replicas),
        leader=saw.leader,
        isr=None if saw.isr is None else tuple(saw.isr),
        elr=tuple(saw.elr or ()),
        last_known_elr=tuple(saw.last_known_elr or ()),
        adding=tuple(saw.adding_replicas or ()),
        removing=tuple(saw.removing_replicas or ()),
        leader_epoch=saw.leader_epoch,
        partition_epoch=saw.partition_epoch,
        file="",
    )
    leader = None if saw.leader is None else saw.brokers.get(saw.leader)
    live = None if leader is None else leader.live_high_watermark
    high_watermark = saw.consumable_end if live is None else live
    return ParsedState(
        partitions={name: about},
        live={broker for broker, one in saw.brokers.items() if one.process == "running"},
        lists_live=True,
        controls={file.control},
        logs=[
            _log(name, broker, one) for broker, one in saw.brokers.items() if one.log is not None
        ],
        topic_configs={name.topic: _written(file.topic.configs)},
        cluster_configs=_written(file.configs),
        high_watermarks={} if high_watermark is None else {name: high_watermark},
        elr_enabled=file.recorded.features.get(_ELR, 0) > 0 if file.recorded.features else None,
    )


def _name(file: RecordingFile) -> Partition:
    return Partition(file.topic.name, 0)


def _log(name: Partition, broker: BrokerId, seen: RecordedBroker) -> ParsedLog:
    """A replica's log. A row is offset, epoch and value; of a transaction marker, its kind too."""
    records: dict[Offset, ParsedRecord] = {}
    markers = 0
    for offset, epoch, value, *kind in seen.log or ():
        assert isinstance(offset, int), "an offset is a number"
        text = None if value is None else str(value)
        of_epoch = LeaderEpoch(epoch) if isinstance(epoch, int) else None
        records[Offset(offset)] = ParsedRecord(text, of_epoch)
        markers += len(kind)
    epochs, mark = seen.leader_epoch_checkpoint, seen.high_watermark_checkpoint
    end = Offset(max(records, default=-1) + 1)
    return ParsedLog(
        partition=name,
        origin=Origin("", 0, broker),
        records=records,
        control=markers,
        epochs=None
        if epochs is None
        else tuple((LeaderEpoch(epoch), Offset(start)) for epoch, start in epochs),
        # A checkpoint may be older than a truncation; an import takes it for what the log had.
        high_watermark=None if mark is None else min(mark, end),
        end=end,
    )


def _written(configs: dict[str, object]) -> dict[str, str]:
    """Settings as tools print them."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in configs.items()
    }


def _changes(states: tuple[ParsedState | None, ...]) -> tuple[tuple[Statement, ...], ...]:
    """What differs between each state and the one before it that was read."""
    changes: list[tuple[Statement, ...]] = []
    before: ParsedState | None = None
    for state in states:
        changes.append(() if state is None or before is None else changes_between(before, state))
        before = before if state is None else state
    return tuple(changes)


def _steps(shown: _Recorded) -> list[JsonObject]:
    """The document of each step. One that the engine does not follow has no checkpoint."""
    steps: list[JsonObject] = []
    for number, step in enumerate(shown.recording.steps):
        followed = shown.run.checkpoints[number : number + 1]
        counts = Counter(one.standing for checkpoint in followed for one in checkpoint.compared)
        at = shown.at[number]
        steps.append(
            {
                "number": number,
                "title": titles_of(step),
                "at": None if at is None else at.isoformat(),
                "changes": [one.texts() for one in shown.changes[number]],
                "was_read": shown.states[number] is not None,
                "followed": bool(followed),
                "equal": counts["equal"],
                "differs": counts["differs"],
                "not_held": counts["not_held"],
            }
        )
    return steps

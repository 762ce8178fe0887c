"""Records a scenario: its steps are carried out by real brokers, twice, and what both runs agree on
is the recording.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct, to_builtins
from msgspec.json import encode
from msgspec.structs import fields, replace

from backend.recording.agreement import DisagreementError, agreed
from backend.recording.arguments import arguments_of
from backend.recording.asking import TOPIC_NAME
from backend.recording.carrying_out import Execution, NotRecordedError
from backend.recording.failures import RecordingFailedError, failure
from backend.recording.nodes import Cluster, needs_zookeeper
from backend.recording.plan import Plan, Retry, plan
from backend.recording.recordable import ZK_CONTROLLER
from backend.recording.releases import NoKafkaError
from sim_engine.actions.base import name_of
from sim_engine.conformance.recording import (
    Produce,
    Reassign,
    RecordedBroker,
    RecordedState,
    RecordedTopic,
    RecordingFile,
    RecordingRuns,
    StepInFile,
    TimingDependent,
    Verb,
)
from sim_engine.error_texts import Wording
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.releases import at_least, number_of
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.version import applies
from sim_engine.versions import Control, controls_of

_ADVERTISED = (3, 0)
"""The KRaft of 2.8 registers `socketServer.boundPort` (`BrokerServer`)."""


class Moment(Struct, frozen=True, kw_only=True):
    """Where a recording is: a run, from 1, and its step, from 0; None while its brokers start."""

    run: int
    runs: int
    step: int | None
    last: int
    doing: str

    def __str__(self) -> str:
        if self.step is None:
            return f"run {self.run} of {self.runs}: {self.doing}"
        return f"step {self.step} of {self.last}: {self.doing}"


Progress = Callable[[Moment], None]


class WrittenRecording(RecordingFile, frozen=True, kw_only=True):
    """A recording with what explains it to a reader, and is not replayed."""

    title: str
    shows: str
    remarks: list[str]
    """What a broker did by itself, and the errors that an administrator got."""


OnRead = Callable[[WrittenRecording], Awaitable[None]]


class PartlyRecordedError(RecordingFailedError):
    """A recording came to no end; `recorded` is what was recorded so far."""

    def __init__(self, reason: Wording, recorded: WrittenRecording | None) -> None:
        super().__init__(reason)
        self.recorded = recorded


class RecordingInterruptedError(PartlyRecordedError):
    """An interrupt ended a recording."""


def control_of(scenario: Scenario, release: str) -> Control:
    """The controller that a scenario is recorded with: its own, otherwise the release's."""
    if scenario.control is not None:
        return scenario.control
    return "zookeeper" if needs_zookeeper(release) else "kraft"


async def record(
    scenario: Scenario,
    release: str,
    *,
    runs: int = 2,
    progress: Progress = lambda _: None,
    on_read: OnRead | None = None,
) -> WrittenRecording:
    """Record a scenario under an exact release. `on_read` is awaited after each step of the first
    run that was read, and at the end, with what was recorded so far.

    Raises `NotRecordableError` before anything starts, `NoKafkaError` if there are no brokers, and
    `PartlyRecordedError` if a step fails or two runs differ, also as `RecordingInterruptedError`.
    """
    planned = prepare(scenario, release)
    recordings: list[WrittenRecording] = []
    for number in range(1, runs + 1):
        start = Moment(
            run=number, runs=runs, step=None, last=len(planned.steps) - 1,
            doing=f"starting {len(scenario.brokers)} brokers",
        )  # fmt: skip
        follow = on_read if number == 1 else None
        try:
            recordings.append(await _run(scenario, release, planned, start, progress, follow))
        except PartlyRecordedError as error:
            error.recorded = next(iter(recordings), error.recorded)
            raise
    first = recordings[0]
    timing = TimingDependent()
    for other in recordings[1:]:
        try:
            timing = agreed(first.steps, other.steps)
        except DisagreementError as error:
            raise PartlyRecordedError(failure("runs_differ", reason=error.reason), first) from None
    agreeing = replace(first.recorded, recordings_agreeing=runs)
    whole = replace(first, recorded=agreeing, timing_dependent=timing)
    if on_read is not None:
        await on_read(whole)
    return whole


def prepare(scenario: Scenario, release: str) -> Plan:
    """The plan of a recording, without starting anything. Raises `NotRecordableError` and
    `NoKafkaError`.
    """
    control = control_of(scenario, release)
    if control not in controls_of(release):
        raise NoKafkaError(failure("no_controller", release=release, control=control))
    if control == "kraft" and not at_least(number_of(release), _ADVERTISED):
        raise NoKafkaError(failure("bound_port", release=release))
    return plan(scenario, release, control)


async def _run(
    scenario: Scenario,
    release: str,
    planned: Plan,
    start: Moment,
    progress: Progress,
    on_read: OnRead | None,
) -> WrittenRecording:
    """Carry out the plan once on a new cluster."""
    progress(start)
    own = {broker.id: dict(broker.configs) for broker in scenario.brokers if broker.configs}
    level = scenario.metadata_version if planned.control == "kraft" else None
    cluster = Cluster(release, planned.control, scenario.broker_ids, planned.configs, own, level)
    execution = Execution(planned, cluster)
    steps: list[StepInFile] = []
    try:
        await execution.open()
        for number, one in enumerate(planned.steps):
            if one.reads:
                progress(replace(start, step=number, doing=_words(one.verb)))
            steps.append(await execution.step(one))
            if one.reads and on_read is not None:
                await on_read(_file(scenario, release, planned, execution, steps))
    except (NotRecordedError, asyncio.CancelledError) as error:
        file = _file(scenario, release, planned, execution, steps) if steps else None
        if isinstance(error, NotRecordedError):
            reason = failure("at_step", step=len(steps), reason=error.reason)
            raise PartlyRecordedError(reason, file) from None
        reason = failure("at_step", step=len(steps), reason=failure("interrupted"))
        raise RecordingInterruptedError(reason, file) from None
    finally:
        await execution.close()
    return _file(scenario, release, planned, execution, steps)


def _shows(scenario: Scenario, release: str, control: Control) -> str:
    """What the scenario says that it shows; its steps alone if that is about other releases."""
    if applies(scenario.applies_to, release, control):
        return scenario.summary.get(DEFAULT_LANGUAGE, "")
    return f"The steps of {scenario.id}, whose summary is about other releases."


def _words(verb: Verb | Retry) -> str:
    """A verb with its arguments, as the recording will have it."""
    return f"{name_of(type(verb))} {encode(arguments_of(verb)).decode()}"


def _file(
    scenario: Scenario,
    release: str,
    planned: Plan,
    execution: Execution,
    steps: Sequence[StepInFile],
) -> WrittenRecording:
    return WrittenRecording(
        conformance=1,
        id=scenario.id,
        title=scenario.title.get(DEFAULT_LANGUAGE, scenario.id),
        shows=_shows(scenario, release, planned.control),
        remarks=execution.remarks,
        kafka=release,
        control=planned.control,
        brokers=list(scenario.broker_ids),
        controller_broker=ZK_CONTROLLER if planned.control == "zookeeper" else None,
        configs=planned.configs,
        configs_per_broker={one.id: dict(one.configs) for one in scenario.brokers if one.configs},
        topic=RecordedTopic(
            name=TOPIC_NAME,
            partitions=[{"replicas": replicas} for replicas in planned.partitions],
            configs=dict(scenario.topics[0].configs),
        ),
        steps=list(steps),
        recorded=RecordingRuns(recordings_agreeing=1, features=execution.features),
    )


_REQUIRED = frozenset(
    one.encode_name
    for kind in (RecordedBroker, RecordedState, Produce, Reassign)
    for one in fields(kind)
    if one.required
)
"""The fields that a recording contains even if they are null."""


def recording_document(file: WrittenRecording) -> dict[str, object]:
    """A recording as JSON, without what was not read."""
    document = to_builtins(file, str_keys=True)
    assert isinstance(document, dict), "a struct is an object"
    steps = [
        {name: value for name, value in step.items() if value != [] or name == "metadata_records"}
        for step in document["steps"]
    ]
    return _without_nulls({**document, "steps": steps})


def _without_nulls(document: dict[str, object]) -> dict[str, object]:
    return {
        key: _without_nulls(value) if isinstance(value, dict) else _each(value)
        for key, value in document.items()
        if value is not None or key in _REQUIRED
    }


def _each(value: object) -> object:
    if not isinstance(value, list):
        return value
    return [_without_nulls(one) if isinstance(one, dict) else one for one in value]

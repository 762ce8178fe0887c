"""Brokers that the engine plays, as a double of real ones: what a recorder would return."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import to_builtins
from msgspec.structs import replace

from backend.recorded_walks.walk import NoRecordingError
from backend.recording.nodes import needs_zookeeper
from backend.recording.plan import THE_LEADER, PlannedVerb, Retry, plan
from backend.recording.record import WrittenRecording, recording_document
from backend.recording.recordable import ZK_CONTROLLER
from sim_engine.actions.base import name_of
from sim_engine.cluster.state import Broker
from sim_engine.conformance import recording
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.replay import PROCESS_WORDS, VERB_FUNCTIONS
from sim_engine.conformance.replay_state import (
    Replay,
    leader_of,
    notice_as_recorded,
    wait_until_idle,
)
from sim_engine.identifiers import NO_LEADER
from sim_engine.narration import RefusedError
from sim_engine.scenario_reader.document import Scenario
from sim_engine.versions import Control

_PROCESSES: Mapping[str, Literal["running", "frozen", "dead"]] = {
    "running": "running",
    "frozen": "frozen",
    "dead": "dead",
}

Spoil = Callable[[list[verbs.Verb], recording.RecordedState], recording.RecordedState]
"""What brokers with an error show after these verbs, in place of what the engine has."""


def recorded_by_engine(
    scenario: Scenario, release: str, spoil: Spoil = lambda _verbs, state: state
) -> WrittenRecording:
    """Carry out a scenario in the engine. Raises `NoRecordingError` if a verb is refused."""
    control: Control = "zookeeper" if needs_zookeeper(release) else "kraft"
    planned = plan(scenario, release, control)
    file = WrittenRecording(
        conformance=1,
        title=scenario.id,
        shows="Played by the engine.",
        remarks=[],
        id=scenario.id,
        kafka=release,
        control=control,
        brokers=list(scenario.broker_ids),
        controller_broker=ZK_CONTROLLER if control == "zookeeper" else None,
        configs=planned.configs,
        topic=recording.RecordedTopic(
            name="t",
            partitions=[{"replicas": replicas} for replicas in planned.partitions],
            configs=dict(scenario.topics[0].configs),
        ),
        steps=[recording.StepInFile(do={"wait": {"ms": 1}})],
        recorded=recording.RecordingRuns(recordings_agreeing=1),
    )
    replay = Replay(read_recording(recording_document(file)))
    steps: list[recording.StepInFile] = []
    done: list[verbs.Verb] = []
    for one in planned.steps:
        verb = _with_leader(one.verb, replay)
        done.append(verb)
        noticed = _noticed(verb) if control == "kraft" else []
        try:
            _carry_out(replay, verb, noticed, one)
        except RefusedError as refused:
            raise NoRecordingError(refused.code) from None
        steps.append(
            recording.StepInFile(
                do={name_of(type(verb)): to_builtins(verb)},
                noticed=noticed,
                read_after_ms=one.read_after_ms,
                saw=spoil(done, _state(replay)) if one.reads else None,
            )
        )
    return replace(file, steps=steps)


def _with_leader(verb: verbs.Verb | Retry, replay: Replay) -> verbs.Verb:
    leader = leader_of(replay)
    if isinstance(verb, Retry):
        raise NoRecordingError("only real brokers know which request is sent again")
    if isinstance(verb, verbs.Consume) and verb.broker == THE_LEADER:
        if leader == NO_LEADER:
            raise NoRecordingError("there is no leader to consume from")
        return replace(verb, broker=leader)
    if isinstance(verb, verbs.Fetch) and verb.from_ == THE_LEADER:
        if leader == NO_LEADER:
            raise NoRecordingError("there is no leader to fetch from")
        return replace(verb, from_=leader)
    if isinstance(verb, verbs.Network) and verb.to == THE_LEADER:
        return replace(verb, to=leader)
    return verb


def _noticed(verb: verbs.Verb) -> list[recording.NoticedBroker]:
    """What a KRaft controller notices in a step."""
    if isinstance(verb, verbs.Start):
        return [
            recording.NoticedBroker(broker=broker, registered=registered, fenced=registered)
            for broker in verb.broker_ids()
            for registered in (True, False)
        ]
    fenced = verb.until.fenced if isinstance(verb, verbs.Wait) and verb.until else None
    return [
        recording.NoticedBroker(broker=one, fenced=True)
        for one in fenced or ()
        if not isinstance(one, str)
    ]


def _carry_out(
    replay: Replay, verb: verbs.Verb, noticed: list[recording.NoticedBroker], planned: PlannedVerb
) -> None:
    replay.step = recording.RecordedStep(
        do={},
        name=name_of(type(verb)),
        verb=verb,
        partition_records=None,
        noticed=noticed,
        saw=_state(replay) if planned.reads else None,
        read_after_ms=planned.read_after_ms,
    )
    VERB_FUNCTIONS[type(verb)](replay, verb)
    for one in noticed:
        notice_as_recorded(replay, one)
    wait_until_idle(replay)


def _state(replay: Replay) -> recording.RecordedState:
    registration = replay.cluster.controller.partitions[0]
    return recording.RecordedState(
        leader=registration.leader,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        isr=list(registration.isr),
        consumable_end=None,
        consumed=None,
        brokers={
            broker.broker_id: recording.RecordedBroker(
                process=_PROCESSES[PROCESS_WORDS[broker.process]],
                clean_shutdown=None,
                log=_log(broker),
                leader_epoch_checkpoint=None,
                high_watermark_checkpoint=None,
                recovery_point_checkpoint=None,
            )
            for broker in replay.cluster.brokers
        },
    )


def _log(broker: Broker) -> list[recording.Row] | None:
    replica = broker.replica(recording.TOPIC)
    if replica is None:
        return None
    return [
        [one.offset, one.epoch, one.value]
        if one.control is None
        else [one.offset, one.epoch, None, one.control]
        for one in replica.log.records
    ]

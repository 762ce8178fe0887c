"""The cluster of a recording, as a scenario without steps."""

import re
from collections.abc import Mapping, Sequence

from sim_engine.conformance.recording import RecordingError
from sim_engine.conformance.recording_file import RecordingFile
from sim_engine.conformance.verbs import CreateTopic
from sim_engine.identifiers import BrokerId
from sim_engine.releases import (
    UnknownVersionError,
    find_release,
    level_numbered,
    newest_level,
)
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import FEATURES, dotted, resolve_profile, rules_by_name

CHECKPOINT_INTERVAL = "replica.high.watermark.checkpoint.interval.ms"


def _created(file: RecordingFile) -> CreateTopic:
    """The arguments with which the topic was created."""
    for step in file.steps:
        if step.do.create_topic is not None:
            return step.do.create_topic
    return CreateTopic()


def _configs_per_broker(file: RecordingFile) -> dict[BrokerId, dict[str, object]]:
    """The settings that single brokers have for themselves.

    Settings of a controller without replicas are ignored: they only affect when sessions end, which
    is recorded. Raises `RecordingError` for a broker that the recording does not have.
    """
    own = {
        broker_id: configs
        for broker_id, configs in file.configs_per_broker.items()
        if broker_id != file.controller_broker
    }
    for broker_id in own:
        if broker_id not in file.brokers:
            where = f"/configs_per_broker/{broker_id}"
            raise RecordingError(where, f"broker {broker_id} has no replica and is not modelled")
    return own


def own_checkpoint_times(file: RecordingFile) -> frozenset[BrokerId]:
    """The brokers whose checkpoint times are taken from the recording."""
    return frozenset(
        broker_id
        for broker_id, configs in _configs_per_broker(file).items()
        if CHECKPOINT_INTERVAL in configs
    )


def down_at_first(file: RecordingFile) -> tuple[BrokerId, ...]:
    """The brokers that were not running when the topic was created."""
    brokers_up = _created(file).brokers_up
    if brokers_up is None:
        return ()
    return tuple(broker_id for broker_id in file.brokers if broker_id not in brokers_up)


def _partition(partition: dict[str, object], down: Sequence[BrokerId]) -> dict[str, object]:
    """A new partition: running brokers form the first ISR, and the first of them is the leader."""
    replicas = partition.get("replicas")
    running = [one for one in replicas if one not in down] if isinstance(replicas, list) else []
    return {"replicas": replicas, **({"isr": running, "leader": running[0]} if running else {})}


def recorded_scenario(file: RecordingFile) -> Scenario:
    """The cluster of a recording, with the rules of exactly its release. A release that the engine
    does not know is an error, also one that is newer than all that it knows.
    """
    try:
        switched = {"rules": _rules(file), **_level(file)}
    except UnknownVersionError as error:
        raise RecordingError("/kafka", str(error)) from None
    down = down_at_first(file)
    own = _configs_per_broker(file)
    topic = {
        "name": file.topic.name,
        "configs": file.topic.configs or _created(file).configs,
        "partitions": [_partition(partition, down) for partition in file.topic.partitions],
    }
    document: dict[str, object] = {
        "scenario": 1,
        "id": "recording",
        "title": file.id,
        "summary": file.id,
        "kafka": file.kafka,
        "control": file.control,
        **switched,
        "brokers": {
            str(broker_id): {"configs": own.get(broker_id, {})} for broker_id in file.brokers
        },
        "configs": file.configs,
        "topics": [topic],
        "steps": [],
    }
    try:
        return read_scenario_document(document)
    except ScenarioError as error:
        problem = error.problems[0]
        of_broker = re.sub("^/brokers/([0-9]+)/configs", r"/configs_per_broker/\1", problem.where)
        raise RecordingError(of_broker, problem.message) from None


def _rules_by_features(levels: Mapping[str, int]) -> dict[str, bool]:
    """The rules that a cluster's finalized features switch on or off, by the rules' names.

    Kafka does not list a feature of level 0 (`FeatureControlManager`): levels that name
    metadata.version are all there are, and what they do not name is off. Levels without it say
    nothing about features that they do not name; such a feature has the default of the release.
    """
    complete = dotted("metadata_version") in levels
    return {
        rule.name: levels.get(feature, 0) > 0
        for feature, rule in FEATURES.items()
        if complete or feature in levels
    }


def _rules(file: RecordingFile) -> dict[str, bool]:
    """The rules that the recorded levels of features switch, compared with the release's default.

    Raises `UnknownVersionError` for an unknown release, or a controller that it does not support.
    """
    by_default = rules_by_name(resolve_profile(file.kafka, control=file.control))
    return {
        name: is_on
        for name, is_on in _rules_by_features(file.recorded.features).items()
        if by_default[name] != is_on
    }


def _level(file: RecordingFile) -> dict[str, str]:
    """The recorded metadata.version, if it is not the default of the release.

    Raises `UnknownVersionError` for an unknown one.
    """
    recorded = file.recorded.features.get(dotted("metadata_version"))
    if recorded is None:
        return {}
    level = level_numbered(recorded)
    return (
        {}
        if level == newest_level(find_release(file.kafka).number)
        else {"metadata_version": level}
    )

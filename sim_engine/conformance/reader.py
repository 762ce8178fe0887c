"""Reads a recording: checks its structure first, and then whether everything in it can be replayed.
Its cluster becomes a scenario without steps.

Everything that cannot be replayed is rejected with its place; nothing is skipped silently.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import ValidationError, convert
from msgspec.structs import asdict, replace

from sim_engine.configs import WrongConfigError, check_config
from sim_engine.conformance.recording import (
    API_MESSAGES,
    KRAFT_CONTROLLER,
    VERBS,
    Answer,
    Config,
    Consume,
    CreateTopic,
    CutLink,
    Fetch,
    Freeze,
    HealLink,
    Network,
    OffsetsForLeaderEpoch,
    PartitionRecord,
    Produce,
    RecordedStep,
    Recording,
    RecordingError,
    RecordingFile,
    Start,
    StepInFile,
    Thaw,
    Transaction,
    Verb,
    Wait,
)
from sim_engine.identifiers import BrokerId
from sim_engine.releases import UnknownVersionError, find_release, level_numbered, newest_level
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.source import shown
from sim_engine.versions import FEATURES, dotted, resolve_profile, rules_by_name

CHECKPOINT_INTERVAL = "replica.high.watermark.checkpoint.interval.ms"
_CREATE_TOPIC = "create_topic"


def _created(file: RecordingFile) -> CreateTopic:
    """The arguments with which the topic was created."""
    for index, step in enumerate(file.steps):
        if _CREATE_TOPIC in step.do:
            where = f"/steps/{index}/do/{_CREATE_TOPIC}"
            return _shaped(step.do[_CREATE_TOPIC], CreateTopic, where)
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


def _partition(partition: dict[str, object], down: Sequence[BrokerId]) -> dict[str, object]:
    """A new partition: running brokers form the first ISR, and the first of them is the leader."""
    replicas = partition.get("replicas")
    running = [one for one in replicas if one not in down] if isinstance(replicas, list) else []
    return {"replicas": replicas, **({"isr": running, "leader": running[0]} if running else {})}


def _scenario(
    file: RecordingFile,
    created: CreateTopic,
    own_configs: Mapping[BrokerId, Mapping[str, object]],
    down: Sequence[BrokerId],
) -> Scenario:
    """The cluster of a recording, with the rules of exactly its release. A release that the engine
    does not know is an error, also one that is newer than all that it knows.
    """
    try:
        switched = {"rules": _rules(file), **_level(file)}
    except UnknownVersionError as error:
        raise RecordingError("/kafka", str(error)) from None
    topic = {
        "name": file.topic.name,
        "configs": file.topic.configs or created.configs,
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
            str(broker_id): {"configs": own_configs.get(broker_id, {})}
            for broker_id in file.brokers
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


PARTITION_RECORDS = ("PartitionRecord", "PartitionChangeRecord")
OF_NO_INTEREST = ("version", "partition")
"""The fields of a partition record that are not compared: its format, and the only partition."""

Shape = TypeVar("Shape")


def read_recording(document: object) -> Recording:
    """Read a recording from parsed JSON. Raises `RecordingError` with the place."""
    if not isinstance(document, dict) or document.get("conformance") != 1:
        raise RecordingError("/conformance", "this is not a recording: it must have conformance: 1")
    file = _shaped(document, RecordingFile, "")
    file = replace(file, steps=[_without_nulls(step) for step in file.steps])
    created, own_configs = _created(file), _configs_per_broker(file)
    up = file.brokers if created.brokers_up is None else created.brokers_up
    down = tuple(broker_id for broker_id in file.brokers if broker_id not in up)
    scenario = _scenario(file, created, own_configs, down)
    return Recording(
        file=file,
        steps=_steps(file),
        scenario=scenario,
        own_checkpoint_times=frozenset(
            broker_id for broker_id, own in own_configs.items() if CHECKPOINT_INTERVAL in own
        ),
        down_at_first=down,
    )


# --- the shape ---------------------------------------------------------------------------------


def _shaped(document: object, shape: type[Shape], where: str) -> Shape:
    """The document as a struct. Raises `RecordingError` with the first invalid place."""
    try:
        return convert(document, shape, str_keys=True)
    except ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        where += _as_pointer(path.rstrip("`"))
        if missing := re.fullmatch("Object missing required field `(.+)`", message):
            raise RecordingError(f"{where}/{missing[1]}", "this field is required") from None
        if unknown := re.fullmatch("Object contains unknown field `(.+)`", message):
            raise _not_modelled(where, unknown[1]) from None
        raise RecordingError(where, message[0].lower() + message[1:]) from None


def _as_pointer(path: str) -> str:
    """The JSON Pointer for a path in an msgspec error, as far as the path names the key."""
    known = path.partition("[...]")[0]
    return known.replace(".", "/").replace("[", "/").replace("]", "")


def _not_modelled(where: str, name: str) -> RecordingError:
    """A verb or an argument that the replay does not support."""
    of_verb = re.search("/do/(.+)", where)
    what = f"{of_verb[1]} with {name}" if of_verb else name
    return RecordingError(f"{where}/{name}", f"the engine does not model {what} yet")


# --- the steps ---------------------------------------------------------------------------------


def _without_nulls(step: StepInFile) -> StepInFile:
    """The step without the verbs that are null: it does not have them."""
    given = {name: one for name, one in step.do.items() if one is not None or name not in VERBS}
    return replace(step, do=given)


def _steps(file: RecordingFile) -> tuple[RecordedStep, ...]:
    steps: list[RecordedStep] = []
    sent: set[str] = set()
    for index, step in enumerate(file.steps):
        steps.append(_step(index, step, file))
        _check_values(f"/steps/{index}", steps[-1], sent)
    if not steps:
        raise RecordingError("/steps", "a recording has at least one step")
    return tuple(steps)


def _step(index: int, step: StepInFile, file: RecordingFile) -> RecordedStep:
    where = f"/steps/{index}"
    for name in step.do:
        if name not in VERBS:
            raise _not_modelled(f"{where}/do", name)
    if len(step.do) != 1:
        raise RecordingError(f"{where}/do", "a step must have exactly one verb")
    ((name, arguments),) = step.do.items()
    verb = _shaped(arguments, VERBS[name], f"{where}/do/{name}")
    _check_brokers(f"{where}/do/{name}", verb, file)
    _check_alternatives(f"{where}/do/{name}", verb)
    if isinstance(verb, Network):
        _check_route(f"{where}/do/{name}", verb, file)
    if isinstance(verb, Config):
        _check_settings(f"{where}/do/{name}", verb, file)
    _check_observations(where, verb, step, file)
    return RecordedStep(
        **asdict(step),
        name=name,
        verb=verb,
        partition_records=_partition_records(f"{where}/metadata_records", step),
    )


def _partition_records(where: str, step: StepInFile) -> list[PartitionRecord] | None:
    """The records about the partition. Other records are ignored, because the order of
    registrations is a race.
    """
    if step.metadata_records is None:
        return None
    for index, record in enumerate(step.metadata_records):
        if "record" not in record:
            raise RecordingError(f"{where}/{index}/record", "this field is required")
    return [
        _shaped(
            {name: value for name, value in record.items() if name not in OF_NO_INTEREST},
            PartitionRecord,
            f"{where}/{index}",
        )
        for index, record in enumerate(step.metadata_records)
        if record.get("record") in PARTITION_RECORDS
    ]


def _check_brokers(where: str, verb: Verb, file: RecordingFile) -> None:
    """Reject verbs for brokers without replicas, except freezing and thawing the controller."""
    arguments = asdict(verb)
    named = [arguments.get("broker"), *(arguments.get("brokers") or ())]
    if isinstance(verb, Start) and not verb.broker_ids():
        raise RecordingError(f"{where}/broker", "this field is required")
    if isinstance(verb, Fetch):
        named.append(verb.from_)
    if isinstance(verb, CutLink | HealLink):
        named += [verb.from_, verb.to]
    for broker_id in named:
        if broker_id is None or broker_id in file.brokers:
            continue
        if broker_id == file.controller_broker and isinstance(verb, Freeze | Thaw):
            continue
        raise RecordingError(where, f"broker {broker_id} has no replica and is not modelled")


def _check_alternatives(where: str, verb: Verb) -> None:
    """Reject a verb that does not name exactly one of its alternatives."""
    if isinstance(verb, Wait) and verb.ms is None and verb.until is None:
        raise RecordingError(where, "a wait has ms or until")
    if isinstance(verb, Transaction) and not verb.add_partition and verb.end is None:
        raise RecordingError(where, "a transaction has add_partition or end")
    if isinstance(verb, Network):
        done = (verb.hold, verb.release, verb.drop, verb.cut, verb.heal)
        if sum(one is not None for one in done) != 1:
            raise RecordingError(where, "network does one of hold, release, drop, cut and heal")
        is_about_messages = verb.cut is None and verb.heal is None
        if is_about_messages and verb.api is None:
            raise RecordingError(f"{where}/api", "this field is required")
        if not is_about_messages and verb.broker is None:
            raise RecordingError(f"{where}/broker", "this field is required")


def _check_settings(where: str, verb: Config, file: RecordingFile) -> None:
    """Reject settings that the engine does not know, and those of other topics."""
    if verb.topic not in (None, file.topic.name):
        raise RecordingError(f"{where}/topic", f"there is no topic {shown(verb.topic)}")
    if verb.topic is not None and verb.broker is not None:
        raise RecordingError(where, "settings are those of a topic or of a broker, not of both")
    for name, value in verb.settings.items():
        try:
            check_config(
                name,
                value,
                level="broker" if verb.topic is None else "topic",
                kafka=file.kafka,
                of_one_broker=verb.broker is not None,
            )
        except WrongConfigError as error:
            raise RecordingError(f"{where}/settings/{name}", str(error)) from None


def _check_route(where: str, verb: Network, file: RecordingFile) -> None:
    """Reject holds that the replay cannot reproduce: they would have no effect."""
    if verb.api is None:
        return
    if verb.api not in API_MESSAGES:
        raise RecordingError(f"{where}/api", f"the engine cannot hold {verb.api} requests")
    sender, receiver = verb.from_, verb.to
    if sender not in file.brokers:
        raise RecordingError(f"{where}/from", f"broker {sender} has no replica to fetch for")
    if receiver in file.brokers and receiver != sender:
        return
    if receiver != KRAFT_CONTROLLER or file.control != "kraft":
        raise RecordingError(
            f"{where}/to", f"messages from broker {sender} to {receiver} cannot be held"
        )
    if verb.api != "Fetch":
        raise RecordingError(
            f"{where}/api",
            "of the requests from a broker to the controller only Fetch (its metadata) can be held",
        )
    if "request" not in (verb.hold, verb.release):
        raise RecordingError(
            where, "to hold or release a broker's metadata, hold or release its requests"
        )


def _check_observations(where: str, verb: Verb, step: StepInFile, file: RecordingFile) -> None:
    """Reject observations of brokers without replicas, and observations that the verb
    cannot make.
    """
    if isinstance(verb, OffsetsForLeaderEpoch) and not step.answers:
        raise RecordingError(
            f"{where}/answers", "offsets_for_leader_epoch needs the broker's response"
        )
    if step.consumed_from is not None and not isinstance(verb, Consume):
        raise RecordingError(f"{where}/consumed_from", "only consume reads from a broker")
    noticed = (("noticed", one.broker) for one in step.noticed)
    seen = (("saw/brokers", one) for one in (step.saw.brokers if step.saw else ()))
    for place, broker_id in (*noticed, *seen):
        if broker_id not in file.brokers:
            raise RecordingError(f"{where}/{place}", f"broker {broker_id} has no replica")


def _check_values(where: str, step: RecordedStep, sent: set[str]) -> None:
    """Reject responses to values that were never sent. Adds the values of this step to `sent`."""
    verb = step.verb
    if isinstance(verb, Produce):
        sent.update(verb.values)
    asked_for = [result.value for result in step.responses]
    if isinstance(verb, Answer):
        asked_for.append(verb.value)
    if isinstance(verb, Wait) and verb.until is not None and verb.until.answered is not None:
        asked_for.append(verb.until.answered)
    for value in asked_for:
        if value not in sent:
            raise RecordingError(where, f"no producer has sent {shown(value)} before this step")

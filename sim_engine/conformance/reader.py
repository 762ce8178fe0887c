"""Reads a recording: checks its structure first, and then whether everything in it can be replayed.

Everything that cannot be replayed is rejected with its place; nothing is skipped silently.
"""

import re
from typing import TypeVar

from msgspec import ValidationError, convert
from msgspec.structs import asdict

from sim_engine.configs import WrongConfigError, check_config
from sim_engine.conformance.recorded_cluster import (
    down_at_first,
    own_checkpoint_times,
    recorded_scenario,
)
from sim_engine.conformance.recording import (
    API_MESSAGES,
    KRAFT_CONTROLLER,
    RecordedStep,
    Recording,
    RecordingError,
)
from sim_engine.conformance.recording_file import PartitionRecord, RecordingFile, StepInFile
from sim_engine.conformance.verbs import (
    Answer,
    ChangeConfig,
    Consume,
    Fetch,
    Freeze,
    Network,
    OffsetsForLeaderEpoch,
    Produce,
    Start,
    Thaw,
    Transaction,
    Verb,
    Wait,
)
from sim_engine.scenario_reader.source import shown

PARTITION_RECORDS = ("PartitionRecord", "PartitionChangeRecord")
OF_NO_INTEREST = ("version", "partition")
"""The fields of a partition record that are not compared: its format, and the only partition."""

Shape = TypeVar("Shape")


def read_recording(document: object) -> Recording:
    """Read a recording from parsed JSON. Raises `RecordingError` with the place."""
    if not isinstance(document, dict) or document.get("conformance") != 1:
        raise RecordingError("/conformance", "this is not a recording: it must have conformance: 1")
    file = _shaped(document, RecordingFile, "")
    timing = file.timing_dependent
    return Recording(
        id=file.id,
        kafka=file.kafka,
        scenario_number=file.scenario,
        scenario=recorded_scenario(file),
        steps=_steps(file),
        own_checkpoint_times=own_checkpoint_times(file),
        controller_broker=file.controller_broker,
        down_at_first=down_at_first(file),
        repeated=max(file.recorded.recordings_agreeing or 0, file.recorded.repeats or 0) > 1,
        unordered_isr_steps=frozenset(timing.isr_in_any_order_at_steps),
        untimed_places=frozenset(timing.places),
        unheld_fields=frozenset(timing.fields),
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
    verbs = {name: verb for name, verb in asdict(step.do).items() if verb is not None}
    if len(verbs) != 1:
        raise RecordingError(f"{where}/do", "a step must have exactly one verb")
    ((name, verb),) = verbs.items()
    assert isinstance(verb, Verb), "each step has a verb"
    _check_brokers(f"{where}/do/{name}", verb, file)
    _check_alternatives(f"{where}/do/{name}", verb)
    if isinstance(verb, Network):
        _check_route(f"{where}/do/{name}", verb, file)
    if isinstance(verb, ChangeConfig):
        _check_settings(f"{where}/do/{name}", verb, file)
    _check_observations(where, verb, step, file)
    return RecordedStep(
        name=name,
        verb=verb,
        settled=step.settled,
        noticed=step.noticed,
        metadata_records=_partition_records(f"{where}/metadata_records", step),
        produced=[*step.produced, *step.produced_later],
        consumed_from=step.consumed_from,
        answers=step.answers,
        saw=step.saw,
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


def _check_settings(where: str, verb: ChangeConfig, file: RecordingFile) -> None:
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
    asked_for = [result.value for result in step.produced]
    if isinstance(verb, Answer):
        asked_for.append(verb.value)
    if isinstance(verb, Wait) and verb.until is not None and verb.until.answered is not None:
        asked_for.append(verb.until.answered)
    for value in asked_for:
        if value not in sent:
            raise RecordingError(where, f"no producer has sent {shown(value)} before this step")

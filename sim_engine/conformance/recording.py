"""A recording of a real cluster: the steps, and the observed disks, controller and clients.

The reader rejects everything that the replay cannot do and names it; nothing is skipped silently.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from sim_engine.identifiers import BrokerId, MessageKind
from sim_engine.releases import UnknownVersionError, find_release
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document

VERBS: Mapping[str, frozenset[str]] = {
    "create_topic": frozenset({"replicas", "configs", "brokers_up"}),
    "produce": frozenset(
        {
            "broker",
            "values",
            "acks",
            "timeout_ms",
            "wait",
            "retry",
            "idempotent",
            "transactional",
            "sequence",
            "producer_id_epoch_sequence",
        }
    ),
    "transaction": frozenset({"add_partition", "end"}),
    "answer": frozenset({"value"}),
    "kill": frozenset({"broker", "session"}),
    "session_end": frozenset({"broker"}),
    "delete_file": frozenset({"broker", "file"}),
    "power_loss": frozenset({"broker", "keep", "session"}),
    "stop": frozenset({"broker"}),
    "start": frozenset({"broker", "brokers"}),
    "freeze": frozenset({"broker"}),
    "thaw": frozenset({"broker"}),
    "wait": frozenset({"ms", "until"}),
    "elect": frozenset({"kind"}),
    "reassign": frozenset({"replicas"}),
    "cut_off": frozenset({"broker", "from"}),
    "reconnect": frozenset({"broker", "to"}),
    "network": frozenset({"hold", "release", "drop", "cut", "heal", "api", "from", "to", "broker"}),
    "fetch": frozenset({"broker", "from", "rounds", "response"}),
    "consume": frozenset({"broker", "offset"}),
    "offsets_for_leader_epoch": frozenset({"broker", "epochs", "asked", "current_leader_epoch"}),
}
"""The verbs that the replay supports, with their arguments."""

_EPOCH_LOOKUP: tuple[MessageKind, MessageKind] = (
    "offsets_for_leader_epoch_request",
    "offsets_for_leader_epoch_response",
)
API_MESSAGES: Mapping[str, tuple[MessageKind, MessageKind]] = {
    "Fetch": ("fetch_request", "fetch_response"),
    "OffsetForLeaderEpoch": _EPOCH_LOOKUP,
    "OffsetsForLeaderEpoch": _EPOCH_LOOKUP,
    "ListOffsets": ("list_offsets_request", "list_offsets_response"),
}
"""Kafka's names of its APIs, and the engine's names of its request and response."""

KRAFT_CONTROLLER = 100
"""The controller's node in recordings. A broker's Fetch requests to it read its metadata log."""

TOPIC = "t-0"
CHECKPOINT_INTERVAL = "replica.high.watermark.checkpoint.interval.ms"


class RecordingError(Exception):
    """A recording is invalid, or does something that the engine does not model."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


class RecordedStep(Struct, frozen=True, kw_only=True):
    """One step: its verb, and what was observed after it."""

    verb: str
    arguments: dict[str, Any]
    settled: bool
    noticed: tuple[dict[str, Any], ...]
    metadata_records: tuple[dict[str, Any], ...] | None
    produced: tuple[dict[str, Any], ...]
    produced_later: tuple[dict[str, Any], ...]
    consumed_from: dict[str, Any] | None
    answers: tuple[dict[str, Any], ...]
    """A broker's responses about the ends of leader epochs, one for each requested epoch."""
    saw: dict[str, Any] | None


class Recording(Struct, frozen=True, kw_only=True):
    """A whole recording, and the cluster it ran on as a scenario without steps."""

    id: str
    kafka: str
    scenario_number: str
    scenario: Scenario
    steps: tuple[RecordedStep, ...]
    own_checkpoint_times: frozenset[BrokerId]
    """Brokers whose high watermark checkpoint interval changed during the run. The file has only
    the final value, so the times of their checkpoints are taken from the recording."""
    controller_broker: BrokerId | None
    """Under ZooKeeper: the broker without replicas that is the controller."""
    down_at_first: tuple[BrokerId, ...]
    """The brokers that had not been started when the topic was created."""
    repeated: bool
    """Whether the run was repeated, so that the values that depend on timing are known."""
    unordered_isr_steps: frozenset[int]
    untimed_places: frozenset[str]
    unheld_fields: frozenset[str]


def read_recording(document: object) -> Recording:
    """Read a recording that was parsed from JSON. Raises `RecordingError` with the place."""
    if not isinstance(document, dict) or document.get("conformance") != 1:
        raise RecordingError("/conformance", "this is not a recording: it must have conformance: 1")
    for key in ("id", "kafka", "control", "brokers", "configs", "topic", "steps"):
        if key not in document:
            raise RecordingError(f"/{key}", "this field is required")
    recorded = document.get("recorded", {})
    controller_broker = document.get("controller_broker")
    timing = document.get("timing_dependent") or {}
    return Recording(
        id=document["id"],
        kafka=document["kafka"],
        scenario_number=str(document.get("scenario", "")),
        scenario=_scenario(document),
        steps=tuple(
            _step(index, step, document["brokers"], controller_broker, document["control"])
            for index, step in enumerate(document["steps"])
        ),
        own_checkpoint_times=_own_checkpoint_times(document),
        controller_broker=controller_broker,
        down_at_first=_down_at_first(document),
        repeated=bool(recorded.get("recordings_agreeing") or recorded.get("repeats")),
        unordered_isr_steps=frozenset(timing.get("isr_in_any_order_at_steps") or ()),
        untimed_places=frozenset(timing.get("places") or ()),
        unheld_fields=frozenset(timing.get("fields") or ()),
    )


def _created(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments with which the topic was created."""
    created: Mapping[str, Any] = next(
        (step["do"]["create_topic"] for step in document["steps"] if "create_topic" in step["do"]),
        {},
    )
    return created


def _own_checkpoint_times(document: Mapping[str, Any]) -> frozenset[BrokerId]:
    """The brokers whose checkpoint times are taken from the recording.

    Settings of a controller without replicas are ignored: they only affect when sessions end, which
    is recorded. Raises `RecordingError` for any other setting of a single broker.
    """
    configs_per_broker: Mapping[str, Mapping[str, Any]] = document.get("configs_per_broker") or {}
    with_replicas = {
        int(name): configs
        for name, configs in configs_per_broker.items()
        if int(name) != document.get("controller_broker")
    }
    for broker_id, configs in with_replicas.items():
        for name in configs:
            if name != CHECKPOINT_INTERVAL:
                raise RecordingError(
                    f"/configs_per_broker/{broker_id}/{name}",
                    "this setting is not supported for a single broker",
                )
    return frozenset(with_replicas)


def _down_at_first(document: Mapping[str, Any]) -> tuple[BrokerId, ...]:
    brokers_up = _created(document).get("brokers_up")
    if brokers_up is None:
        return ()
    return tuple(broker_id for broker_id in document["brokers"] if broker_id not in brokers_up)


def _partition(document: Mapping[str, Any], partition: Mapping[str, Any]) -> dict[str, Any]:
    """A new partition: running brokers form the first ISR, and the first of them is the leader."""
    down = _down_at_first(document)
    running = [broker_id for broker_id in partition["replicas"] if broker_id not in down]
    return {"replicas": partition["replicas"], "isr": running, "leader": running[0]}


def _scenario(document: Mapping[str, Any]) -> Scenario:
    """The cluster of a recording; versions newer than every profile run under the newest."""
    try:
        find_release(document["kafka"])
    except UnknownVersionError as error:
        raise RecordingError("/kafka", str(error)) from None
    created = _created(document)
    partitions = document["topic"]["partitions"]
    features = document.get("recorded", {}).get("features") or {}
    level = features.get("eligible.leader.replicas.version")
    try:
        return read_scenario_document(
            {
                "scenario": 1,
                "id": "recording",
                "title": document["id"],
                "summary": document["id"],
                "kafka": document["kafka"],
                "control": document["control"],
                "rules": {} if level is None else {"KIP-966": bool(level)},
                "brokers": document["brokers"],
                "configs": document["configs"],
                "topics": [
                    {
                        "name": document["topic"]["name"],
                        "configs": document["topic"].get("configs") or created.get("configs") or {},
                        "partitions": [_partition(document, partition) for partition in partitions],
                    }
                ],
                "steps": [],
            }
        )
    except ScenarioError as error:
        problem = error.problems[0]
        raise RecordingError(problem.where, problem.message) from None


def _step(
    index: int,
    step: Mapping[str, Any],
    known_brokers: list[BrokerId],
    controller_broker: BrokerId | None,
    control: str,
) -> RecordedStep:
    where = f"/steps/{index}/do"
    done = step["do"]
    if len(done) != 1:
        raise RecordingError(where, "a step must have exactly one verb")
    ((verb, arguments),) = done.items()
    if verb not in VERBS:
        raise RecordingError(f"{where}/{verb}", f"the engine does not model {verb} yet")
    for key in arguments:
        if key not in VERBS[verb]:
            raise RecordingError(
                f"{where}/{verb}/{key}", f"the engine does not model {verb} with {key} yet"
            )
    if verb == "network" and "api" in arguments and arguments["api"] not in API_MESSAGES:
        raise RecordingError(
            f"{where}/network/api", f"the engine cannot hold {arguments['api']} requests"
        )
    if verb == "offsets_for_leader_epoch" and not step.get("answers"):
        raise RecordingError(f"/steps/{index}/answers", f"{verb} needs the broker's response")
    if verb == "network" and "api" in arguments:
        _check_route(f"{where}/network", arguments, known_brokers, control)
    records = step.get("metadata_records")
    brokers = [arguments["broker"]] if arguments.get("broker") is not None else []
    for broker in (*brokers, *(arguments.get("brokers") or ())):
        if broker == controller_broker and verb in ("freeze", "thaw"):
            continue
        if broker not in known_brokers:
            raise RecordingError(
                f"{where}/{verb}", f"broker {broker} has no replica and is not modelled"
            )
    return RecordedStep(
        verb=verb,
        arguments=dict(arguments),
        settled=step.get("settled", True),
        noticed=tuple(step.get("noticed") or ()),
        metadata_records=None if records is None else tuple(records),
        produced=tuple(step.get("produced") or ()),
        produced_later=tuple(step.get("produced_later") or ()),
        consumed_from=step.get("consumed_from"),
        answers=tuple(step.get("answers") or ()),
        saw=step.get("saw"),
    )


def _check_route(
    where: str, arguments: Mapping[str, Any], known_brokers: list[BrokerId], control: str
) -> None:
    """Reject holds that the replay cannot reproduce: they would have no effect."""
    sender, receiver = arguments.get("from"), arguments.get("to")
    if sender not in known_brokers:
        raise RecordingError(f"{where}/from", f"broker {sender} has no replica to fetch for")
    if receiver in known_brokers and receiver != sender:
        return
    if receiver != KRAFT_CONTROLLER or control != "kraft":
        raise RecordingError(
            f"{where}/to", f"messages from broker {sender} to {receiver} cannot be held"
        )
    if arguments["api"] != "Fetch":
        raise RecordingError(
            f"{where}/api",
            "of the requests from a broker to the controller only Fetch (its metadata) can be held",
        )
    if "request" not in (arguments.get("hold"), arguments.get("release")):
        raise RecordingError(
            where, "to hold or release a broker's metadata, hold or release its requests"
        )

"""A validated recording of a real cluster: the steps, and the values observed after each."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from sim_engine.conformance.recording_file import (
    ConsumeResult,
    NoticedBroker,
    PartitionRecord,
    ProduceResult,
    RecordedEpochEnd,
    RecordedState,
)
from sim_engine.conformance.verbs import Verb
from sim_engine.identifiers import BrokerId, MessageKind, TopicPartition
from sim_engine.scenario_reader.document import Scenario

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

TOPIC: Final = TopicPartition("t-0")


class RecordingError(Exception):
    """A recording is invalid, or does something that the engine does not model."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


class RecordedStep(Struct, frozen=True, kw_only=True):
    """One step: its verb, and the values observed after it."""

    name: str
    """The verb's name in the file."""
    verb: Verb
    settled: bool
    noticed: list[NoticedBroker]
    metadata_records: list[PartitionRecord] | None
    """The KRaft controller's records about the partition; null if they were not read."""
    produced: list[ProduceResult]
    """The responses that producers received in this step, to requests of this or earlier steps."""
    consumed_from: ConsumeResult | None
    answers: list[RecordedEpochEnd]
    """A broker's responses about the ends of leader epochs, one for each requested epoch."""
    saw: RecordedState | None


class Recording(Struct, frozen=True, kw_only=True):
    """A whole recording, and the cluster it ran on as a scenario without steps."""

    id: str
    kafka: str
    scenario_number: str | None
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

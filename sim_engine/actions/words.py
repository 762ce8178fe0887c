"""What the author of a scenario says on the way: notes, questions, and what is expected.

Words belong to the frame before them; nothing happens by them. Words with `kafka` (releases or
ranges of them) or `control` apply to those alone.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import LeaderEpochField, Partition, SomeBrokers, SomeValues
from sim_engine.identifiers import BrokerId
from sim_engine.json_types import JsonObject

MAX_NOTE_CHARACTERS = 2_000
MAX_ANSWER_CHARACTERS = 300
MAX_REASON_CHARACTERS = 600
MAX_ANSWERS = 9
ERROR_NAME_PATTERN = "^[A-Z][A-Z0-9_]{1,63}$"

PropertyName = Literal[
    "NoAckedRecordLost",
    "AckedRecordAtRisk",
    "LogMatching",
    "WeakIsr",
    "StrongIsr",
    "LeaderInIsr",
    "OneLeaderPerEpoch",
    "HighWatermarkWithinLog",
    "MonotonicLeaderHighWatermark",
    "EpochsIncrease",
    "LeaderCompleteness",
    "LeaderCandidateCompleteness",
    "EligibleLeaderCompleteness",
    "ReplicationQuorumSuperset",
    "ConsistentRead",
]
PROPERTY_NAMES: tuple[PropertyName, ...] = get_args(PropertyName)

Control = Literal["zookeeper", "kraft"]


PARTITION_KEYS = ("leader", "leader_epoch", "partition_epoch", "isr", "elr", "replicas")
"""What an expectation says about one partition, which it names where there are several."""


class Said(StepStruct, frozen=True, gc=False, kw_only=True):
    """Words in each language, beside their condition: `{en: …, zh: …, kafka: …}`."""

    text: Mapping[str, str]
    """The words by language."""
    kafka: tuple[str, ...] | None = None
    control: Control | None = None

    def arguments(self) -> JsonObject:
        """As JSON, where each language is a key of its own."""
        arguments = super().arguments()
        return {**arguments.pop("text"), **arguments}


class Note(Said, frozen=True, gc=False, kw_only=True):
    """What the author says about the frame before."""


class Ask(Said, frozen=True, gc=False, kw_only=True):
    """A question to the reader, its answers, and which is right, counted from 0."""

    answers: tuple[Mapping[str, str], ...]
    correct: Annotated[int, Meta(ge=0, le=MAX_ANSWERS - 1)]
    reasons: tuple[Mapping[str, str], ...] | None = None
    """For each answer, in their order, why it is right or which misconception it is."""


class Expect(StepStruct, frozen=True, gc=False, kw_only=True):
    """What must be so in the frame before; only what is named is held.

    What is about one partition needs `partition` where there are several. Of a
    replica `log`, `leo`, `hw` and `epochs` may be named. `errors` are by value, `read` by consumer.
    """

    partition: Partition | None = None
    kafka: tuple[str, ...] | None = None
    leader: BrokerId | None = None
    leader_epoch: LeaderEpochField | None = None
    partition_epoch: LeaderEpochField | None = None
    isr: SomeBrokers | None = None
    elr: SomeBrokers | None = None
    replicas: Mapping[str, Mapping[str, object]] | None = None
    violated: tuple[PropertyName, ...] | None = None
    holds: tuple[PropertyName, ...] | None = None
    lost: SomeValues | None = None
    acked: SomeValues | None = None
    errors: Mapping[str, str | None] | None = None
    read: Mapping[str, SomeValues] | None = None
    refused: bool | None = None


Words = Note | Ask | Expect
"""What is said about a frame and makes none."""

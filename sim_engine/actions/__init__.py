"""Every action of the engine and every step of a scenario file: one struct each.

`Step` is the union of what a scenario file may contain, `Action` the union of what the engine
performs. All code that lists steps or actions iterates over these unions: the reader, the JSON
Schema, the table of transitions, the choices, searches, random schedules and the fault counts of a
share.

The author's words in a scenario, its notes, questions and expectations, are here. They belong to
the frame before them and do not change the cluster. Words with `kafka` (releases or ranges of
releases) or `control` apply only to runs that match.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, cast, get_args

from msgspec import Meta, Struct

from sim_engine.actions.base import (
    LeaderEpochField,
    LogOffset,
    OrNull,
    Partition,
    SomeBrokers,
    SomeValues,
    StepStruct,
    name_of,
    part,
)
from sim_engine.actions.steps import Action, Happening
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
"""The part of an expectation about one partition. `partition` is required if there are several."""


class AuthorText(StepStruct, frozen=True, gc=False, kw_only=True):
    """Words in each language, with their condition: `{en: …, zh: …, kafka: …}`."""

    text: Mapping[str, str]
    """The words by language."""
    kafka: tuple[str, ...] | None = None
    control: Control | None = None

    def arguments(self) -> JsonObject:
        """The JSON form, in which each language is a separate key."""
        arguments = super().arguments()
        del arguments["text"]
        return {**self.text, **arguments}


class Note(AuthorText, frozen=True, gc=False, kw_only=True):
    """The author's comment on the frame before it."""


class Ask(AuthorText, frozen=True, gc=False, kw_only=True):
    """A question to the reader, its answers, and the index of the correct one, from 0."""

    answers: tuple[Mapping[str, str], ...]
    correct: Annotated[int, Meta(ge=0, le=MAX_ANSWERS - 1)]
    reasons: tuple[Mapping[str, str], ...] | None = None
    """For each answer, in the same order: why it is correct, or the misconception behind it."""


class ExpectedReplica(Struct, frozen=True, kw_only=True):
    """The keys of one of the replicas in an expectation, which has only those that are written."""

    log: Annotated[str, Meta(extra=part("log_line"))] = ""
    leo: OrNull[LogOffset] = None
    hw: OrNull[LogOffset] = None
    epochs: OrNull[Annotated[tuple[tuple[int, int], ...], Meta(extra=part("epochs"))]] = None


Properties = Annotated[tuple[PropertyName, ...], Meta(extra=part("properties"))]


class Expect(StepStruct, frozen=True, gc=False, kw_only=True):
    """The state that is required in the frame before it. Only the named values are checked.

    Expectations about one partition require `partition` if there are several. A replica may have
    `log`, `leo`, `hw` and `epochs`. `lost` are the values of the acknowledged records whose fate is
    lost. `errors` maps a record's value to its error, and `read` a consumer to the values that it
    read.
    """

    partition: Partition | None = None
    kafka: Annotated[tuple[str, ...], Meta(extra=part("ranges"))] | None = None
    leader: Annotated[BrokerId, Meta(extra=part("leader_or_none"))] | None = None
    leader_epoch: LeaderEpochField | None = None
    partition_epoch: LeaderEpochField | None = None
    isr: SomeBrokers | None = None
    elr: SomeBrokers | None = None
    replicas: (
        Annotated[Mapping[str, Mapping[str, object]], Meta(extra=part("expected_replicas"))] | None
    ) = None
    violated: Properties | None = None
    holds: Properties | None = None
    lost: SomeValues | None = None
    acked: SomeValues | None = None
    errors: Annotated[Mapping[str, str | None], Meta(extra=part("error_names"))] | None = None
    read: Annotated[Mapping[str, SomeValues], Meta(extra=part("values_read"))] | None = None
    refused: bool | None = None


Words = Note | Ask | Expect
"""Words about a frame. They create no frame."""

Step = Happening | Words
"""The entries that a scenario file may contain, in the order of the format's documentation."""

STEPS = cast("tuple[type[StepStruct], ...]", get_args(Step))
ACTIONS = cast("tuple[type[StepStruct], ...]", get_args(Action))
STEP_NAMED: Mapping[str, type[StepStruct]] = {name_of(kind): kind for kind in STEPS}
WORD_NAMES = frozenset(name_of(kind) for kind in get_args(Words))
"""The entries of a scenario file that create no frame."""

"""What the file of a recording contains, as `msgspec` reads it from JSON.

Null means "not read": it is not compared. What explains a recording to a reader of the file
(`title`, `shows`, `note`, `remarks`, `live_in_zookeeper`) is not here.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from sim_engine.conformance.verbs import Do
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset

Row = list[int | str | None]
"""A record as recordings write it: offset, epoch and value, without the epoch where a client read
it; a transaction marker has the value null, and then its kind."""


class RunsMade(Struct, frozen=True, kw_only=True):
    """How often the run was made, and the levels of KRaft's features."""

    recordings_agreeing: int | None = None
    repeats: int | None = None
    features: dict[str, int] = {}


class TopicMade(Struct, frozen=True, kw_only=True):
    """The topic. Its partitions are checked as those of a scenario are."""

    name: str
    partitions: list[dict[str, object]]
    configs: dict[str, object] = {}


class TimingDependent(Struct, frozen=True, kw_only=True):
    """What differed between runs, and is not compared."""

    fields: list[str] = []
    """Names of fields, wherever they stand."""
    places: list[str] = []
    """Single places, as in `steps/7/saw/isr`."""
    isr_in_any_order_at_steps: list[int] = []


class Noticed(Struct, frozen=True, kw_only=True):
    """What the KRaft controller noticed of a broker in this step."""

    broker: BrokerId
    fenced: bool | None = None
    registered: bool = False
    in_controlled_shutdown: bool | None = None


class ProduceResult(Struct, frozen=True, kw_only=True):
    """What a producer was told of one value."""

    value: str
    outcome: Literal["acked", "failed", "no_answer", "not_sent", "pending"] | None = None
    offset: Offset | None = None
    error: str | None = None


class ConsumeResult(Struct, frozen=True, kw_only=True):
    """What a consumer got at one broker."""

    records: list[Row] | None = None
    high_watermark: Offset | None = None
    error: str | None = None


class EpochAnswer(Struct, frozen=True, kw_only=True):
    """A broker's response about the end of the epoch `asked`; -1 is undefined. No error is null."""

    asked: LeaderEpoch
    leader_epoch: LeaderEpoch | None = None
    end_offset: Offset | None = None
    error: str | None = None


class PartitionRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A PartitionRecord or PartitionChangeRecord of the metadata log.

    An optional field is unset where the record does not change it.
    """

    record: Literal["PartitionRecord", "PartitionChangeRecord"]
    leader: BrokerId | UnsetType = UNSET
    isr: list[BrokerId] | UnsetType = UNSET
    elr: list[BrokerId] | UnsetType = UNSET
    last_known_elr: list[BrokerId] | UnsetType = UNSET
    leader_recovery_state: int | UnsetType = UNSET
    replicas: list[BrokerId] | UnsetType = UNSET
    removing: list[BrokerId] | UnsetType = UNSET
    adding: list[BrokerId] | UnsetType = UNSET
    leader_epoch: LeaderEpoch | UnsetType = UNSET
    partition_epoch: int | UnsetType = UNSET


class SeenBroker(Struct, frozen=True, kw_only=True):
    """One broker: its process, and what is on its disk."""

    process: Literal["running", "frozen", "dead"]
    clean_shutdown: bool | None
    log: list[Row] | None
    leader_epoch_checkpoint: list[list[int]] | None
    """Epochs with their start offsets."""
    high_watermark_checkpoint: Offset | None
    recovery_point_checkpoint: Offset | None
    live_high_watermark: Offset | None = None
    fetch_error: str | None = None
    fenced: bool | None = None
    in_controlled_shutdown: bool | None = None


class Saw(Struct, frozen=True, kw_only=True):
    """What the controller, the clients and the disks showed after a step."""

    leader: BrokerId | None
    leader_epoch: LeaderEpoch | None
    partition_epoch: int | None
    isr: list[BrokerId] | None
    consumable_end: Offset | None
    """The high watermark that a client at the leader hears of."""
    consumed: list[Row] | None
    """What a new consumer reads from the start."""
    brokers: dict[BrokerId, SeenBroker]
    elr: list[BrokerId] | None = None
    last_known_elr: list[BrokerId] | None = None
    leader_recovery_state: int | None = None
    """0 is recovered, 1 recovering."""
    replicas: list[BrokerId] | None = None
    adding_replicas: list[BrokerId] | None = None
    removing_replicas: list[BrokerId] | None = None
    controller_epoch: int | None = None
    list_offsets_latest: Offset | str | None = None
    """Of old, the error too: below version 5 of ListOffsets there is no other place for it."""
    list_offsets_error: str | None = None
    last_stable_offset: Offset | None = None
    consumable_end_read_committed: Offset | None = None
    fetched_read_committed: list[Row] | None = None
    aborted_transactions: list[list[int]] | None = None
    """Producer ids with the first offsets of their transactions."""
    consumed_read_committed: list[Row] | None = None


class StepInFile(Struct, frozen=True, kw_only=True):
    """One step: what was done, and what was seen after it."""

    do: Do
    settled: bool = True
    """Whether two reads 700 ms apart agreed, or the cluster was read about 100 ms later."""
    noticed: list[Noticed] = []
    metadata_records: list[dict[str, object]] | None = None
    produced: list[ProduceResult] = []
    produced_later: list[ProduceResult] = []
    consumed_from: ConsumeResult | None = None
    answers: list[EpochAnswer] = []
    saw: Saw | None = None


class RecordingFile(Struct, frozen=True, kw_only=True):
    """A whole file."""

    conformance: Literal[1]
    """The version of this format."""
    id: str
    kafka: str
    control: Literal["kraft", "zookeeper"]
    brokers: list[BrokerId]
    """The brokers with replicas."""
    controller_broker: BrokerId | None = None
    """ZooKeeper: the broker without replicas that is the controller."""
    configs: dict[str, object]
    configs_per_broker: dict[BrokerId, dict[str, object]] = {}
    topic: TopicMade
    steps: list[StepInFile]
    scenario: str | None = None
    recorded: RunsMade = field(default_factory=RunsMade)
    timing_dependent: TimingDependent = field(default_factory=TimingDependent)

"""The parsed input, before anything is concluded from it."""

from msgspec import Struct, field

from sim_engine.cluster_import.statements import Statement
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset

Partition = tuple[str, int]
"""A topic and a partition number."""
Epochs = tuple[tuple[LeaderEpoch, Offset], ...]
"""An epoch cache: pairs of an epoch and its start offset."""


class ClusterFile(Struct, frozen=True):
    """A file or a pasted text. The name is its path, if it has one, because paths identify the
    broker and the partition. The bytes are a log segment, or text in UTF-8.
    """

    name: str
    content: str | bytes


class Origin(Struct, frozen=True):
    """The broker of a part of the input: as stated, otherwise guessed from its path."""

    file: str
    line: int
    told: BrokerId | None = None
    guesses: tuple[BrokerId, ...] = ()
    """The numbers in the path, the most likely broker id first."""


class ParsedRecord(Struct, frozen=True):
    """A record of a log. The value is None if it was not printed, and the epoch is None if the
    format has none.
    """

    value: str | None
    epoch: LeaderEpoch | None


class ParsedLog(Struct):
    """The contents of one file or one dump about a replica's log."""

    partition: Partition
    origin: Origin
    records: dict[Offset, ParsedRecord] = field(default_factory=dict)
    first: Offset | None = None
    """The offset at which a dumped segment starts, which may have no record."""
    old_format: bool = False
    """Whether it has messages of format 0 or 1, as before 0.11."""
    control: int = 0
    """How many of the records are transaction markers."""
    epochs: Epochs | None = None
    high_watermark: Offset | None = None
    recovery_point: Offset | None = None
    log_start: Offset | None = None


class ParsedPartition(Struct):
    """A partition according to the controller. A leader of -1 means that there is none; None means
    that it was not printed.
    """

    file: str
    line: int
    replicas: tuple[BrokerId, ...]
    leader: BrokerId | None = None
    isr: tuple[BrokerId, ...] | None = None
    elr: tuple[BrokerId, ...] = ()
    last_known_elr: tuple[BrokerId, ...] = ()


class ParsedState(Struct):
    """Everything that was read from all files."""

    partitions: dict[Partition, ParsedPartition] = field(default_factory=dict)
    logs: list[ParsedLog] = field(default_factory=list)
    topic_configs: dict[str, dict[str, str]] = field(default_factory=dict)
    cluster_configs: dict[str, str] = field(default_factory=dict)
    broker_configs: dict[BrokerId, dict[str, str]] = field(default_factory=dict)
    racks: dict[BrokerId, str] = field(default_factory=dict)
    brokers: set[BrokerId] = field(default_factory=set)
    """Brokers that were named without a replica: the observers of a quorum, data directories."""
    controls: list[tuple[str, str]] = field(default_factory=list)
    """zookeeper or kraft, and the evidence."""
    since: list[tuple[str, str]] = field(default_factory=list)
    """The lowest possible release, and the evidence."""
    until: list[tuple[str, str]] = field(default_factory=list)
    """A release that the cluster is older than, and the evidence."""
    understood: list[Statement] = field(default_factory=list)
    unknown: list[Statement] = field(default_factory=list)

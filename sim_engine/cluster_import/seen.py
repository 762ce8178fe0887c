"""What was read, before anything is concluded from it."""

from msgspec import Struct, field

from sim_engine.cluster_import.statements import Statement

Partition = tuple[str, int]
"""A topic and the number of a partition."""
Epochs = tuple[tuple[int, int], ...]
"""An epoch cache: pairs of an epoch and its start offset."""


class ClusterFile(Struct, frozen=True):
    """A file or a pasted text. The name is a path where it has one: paths tell which broker and
    which partition a file is of. Bytes are a segment as a broker writes it, or text in UTF-8."""

    name: str
    content: str | bytes


class Origin(Struct, frozen=True):
    """Which broker something is from: as it was told, or else what its path may mean."""

    file: str
    line: int
    told: int | None = None
    guesses: tuple[int, ...] = ()
    """The numbers in the path, the most likely broker id first."""


class SeenRecord(Struct, frozen=True):
    """A record of a log. No value: it was not printed. No epoch: the format has none."""

    value: str | None
    epoch: int | None


class SeenLog(Struct):
    """What one file or one dump says of a replica's log."""

    partition: Partition
    origin: Origin
    records: dict[int, SeenRecord] = field(default_factory=dict)
    first: int | None = None
    """The offset at which a dumped segment starts, which may have no record."""
    old_format: bool = False
    """Whether it has messages of format 0 or 1, as before 0.11."""
    control: int = 0
    """How many of the records are transaction markers."""
    epochs: Epochs | None = None
    high_watermark: int | None = None
    recovery_point: int | None = None
    log_start: int | None = None


class SeenPartition(Struct):
    """What the controller knows of a partition. A leader of -1 is none; None is not printed."""

    file: str
    line: int
    replicas: tuple[int, ...]
    leader: int | None = None
    isr: tuple[int, ...] | None = None
    elr: tuple[int, ...] = ()
    last_known_elr: tuple[int, ...] = ()


class Seen(Struct):
    """Everything that was read from all files."""

    partitions: dict[Partition, SeenPartition] = field(default_factory=dict)
    logs: list[SeenLog] = field(default_factory=list)
    topic_configs: dict[str, dict[str, str]] = field(default_factory=dict)
    cluster_configs: dict[str, str] = field(default_factory=dict)
    broker_configs: dict[int, dict[str, str]] = field(default_factory=dict)
    racks: dict[int, str] = field(default_factory=dict)
    brokers: set[int] = field(default_factory=set)
    """Brokers that were named without a replica: the observers of a quorum, data directories."""
    controls: list[tuple[str, str]] = field(default_factory=list)
    """zookeeper or kraft, and what shows it."""
    since: list[tuple[str, str]] = field(default_factory=list)
    """A release that the cluster is at least of, and what shows it."""
    until: list[tuple[str, str]] = field(default_factory=list)
    """A release that the cluster is older than, and what shows it."""
    understood: list[Statement] = field(default_factory=list)
    unknown: list[Statement] = field(default_factory=list)

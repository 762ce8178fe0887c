"""A campaign's grid: the faults of its failure model, its settings, and its cells, each with the
cluster with which a run starts.

A rate is the expected number of faults of a kind for each broker and step; those of a rack and of
the controller are for each rack and for the cluster. Each kind of fault is an independent Poisson
process, and durations are exponentially distributed.

Real clusters have a fault every few weeks. Campaigns have far more, so that faults overlap within a
run; the defaults preserve only which kinds are more frequent than others. The rates of a campaign
are therefore not failures per year. They compare settings under equal stress.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from sim_engine.actions.base import StepStruct, name_of
from sim_engine.actions.steps import (
    Crash,
    Cut,
    DiskLoss,
    FailController,
    Hold,
    Isolate,
    Pause,
    PowerLoss,
    Shutdown,
    Slow,
)
from sim_engine.configs import ConfigValue
from sim_engine.identifiers import Acks, TopicPartition
from sim_engine.json_types import Document, JsonObject

FaultKind = str
"""The name of a kind of fault: a key of `FAULT_TYPES`."""

Scope = Literal["broker", "rack", "cluster"]


class FaultType(Struct, frozen=True, kw_only=True):
    """One kind of fault: its step and target, its default rate and mean duration, and the reasons
    for them.

    A kind is named after its step, unless it has a `name`.
    """

    step: type[StepStruct]
    """The step with which it begins, once for each of its brokers."""
    name: str | None = None
    scope: Scope = "broker"
    rate: float
    duration_ms: int
    reason: str
    is_outage: bool = False
    """Whether its brokers stay down until they are restarted, after its duration."""


_FAULTS = (
    FaultType(
        step=Crash,
        rate=0.01,
        duration_ms=8_000,
        reason="A killed process is the most frequent fault. A supervisor restarts it within "
        "seconds; about half of the outages outlast a session timeout of 6 to 9 s.",
        is_outage=True,
    ),
    FaultType(
        step=Pause,
        rate=0.008,
        duration_ms=10_000,
        reason="A long garbage collection or a stalled disk. Around the session timeout and "
        "replica.lag.time.max.ms, where the controller and the process disagree.",
    ),
    FaultType(
        step=Shutdown,
        rate=0.005,
        duration_ms=6_000,
        reason="A rolling restart is routine: the broker stops in order and is back in seconds.",
        is_outage=True,
    ),
    FaultType(
        step=Isolate,
        rate=0.005,
        duration_ms=10_000,
        reason="A broker loses the controller, the other brokers or both, as behind a failed "
        "switch port. Long enough for its session to end in about half of the cases.",
    ),
    FaultType(
        step=Cut,
        rate=0.004,
        duration_ms=10_000,
        reason="One direction of one link fails: rarer than a full partition, and the case that "
        "neither end diagnoses.",
    ),
    FaultType(
        step=Slow,
        rate=0.005,
        duration_ms=10_000,
        reason="An overloaded broker or link. Its messages take 0.2, 1 or 5 s longer.",
    ),
    FaultType(
        step=Hold,
        name="late_metadata",
        rate=0.004,
        duration_ms=10_000,
        reason="KRaft: a broker lags behind the metadata log, then applies what it missed as one "
        "delivery. ZooKeeper's commands only lag with their connection (`slow`, `cut`).",
    ),
    FaultType(
        step=FailController,
        scope="cluster",
        rate=0.004,
        duration_ms=0,
        reason="ZooKeeper: the broker that is the controller fails as often as others do. A KRaft "
        "quorum hides it.",
    ),
    FaultType(
        step=PowerLoss,
        rate=0.002,
        duration_ms=15_000,
        reason="A machine restarts without writing its page cache: a kernel panic, a power supply. "
        "Rarer than a process crash, and slower to repair.",
        is_outage=True,
    ),
    FaultType(
        step=PowerLoss,
        name="rack_power_loss",
        scope="rack",
        rate=0.001,
        duration_ms=15_000,
        reason="Failures are correlated: a rack or a zone loses power at once. Models without "
        "this overestimate availability by orders of magnitude (Ford et al., 2010).",
        is_outage=True,
    ),
    FaultType(
        step=DiskLoss,
        rate=0.001,
        duration_ms=15_000,
        reason="A disk fails and is replaced by an empty one: the rarest fault.",
        is_outage=True,
    ),
)

FAULT_TYPES: Mapping[FaultKind, FaultType] = {
    fault.name or name_of(fault.step): fault for fault in _FAULTS
}
"""In the order in which faults at the same time begin."""

FAULT_KINDS = tuple(FAULT_TYPES)


MOST_STEPS = 500
MOST_MS = 86_400_000
MOST_BROKERS = 9

AxisValue = str | int | float | bool


class FaultRate(Struct, frozen=True, kw_only=True):
    """The expected number of faults for each broker and step, and their mean duration in ms."""

    rate: float
    duration_ms: int


class Workload(Struct, frozen=True, kw_only=True):
    """The workload of every run of a campaign, without faults.

    A run has `steps` steps of `step_ms` each. At a random moment in every `produce_every`th step
    the producer sends a record; in every `consume_every`th step the consumer reads the next records
    (0: never).
    """

    steps: Annotated[int, Meta(ge=1, le=MOST_STEPS)] = 40
    step_ms: Annotated[int, Meta(ge=1, le=MOST_MS)] = 1_000
    """The rate of records is low, because the engine plays every message. A step of a second is
    longer than a round of replication and longer than `replica.fetch.wait.max.ms`, so followers are
    idle between records.
    """
    produce_every: Annotated[int, Meta(ge=1, le=MOST_STEPS)] = 2
    consume_every: Annotated[int, Meta(ge=0, le=MOST_STEPS)] = 4
    in_flight_ms: Annotated[int, Meta(ge=0, le=MOST_MS)] = 10
    """Before each fault one more record is sent, at most this long ago: a busy cluster always has
    records in flight, and a fault without any would test little. 0 sends none. 10 ms is about two
    rounds of replication.
    """
    writeback_ms: Annotated[int, Meta(ge=0, le=MOST_MS)] = 30_000
    """A power loss destroys only data younger than this that was not flushed: Linux writes dirty
    pages after 30 s (`vm.dirty_expire_centisecs`).
    """
    operator_ms: Annotated[int, Meta(ge=1, le=MOST_MS)] = 10_000
    """A process that ended by itself is restarted after this time."""
    racks: Annotated[int, Meta(ge=1, le=MOST_BROKERS)] = 1
    """The number of racks; brokers are distributed round-robin. With one rack, all brokers share
    their power."""


class Cell(Struct, frozen=True, kw_only=True):
    """One point of the grid: everything that its runs have in common.

    `settings` maps the names of the axes, in order, to the values of this point, as rows and charts
    show them.
    """

    number: int
    settings: tuple[tuple[str, AxisValue], ...]
    kafka: str
    control: str
    acks: Acks
    replication_factor: int
    configs: tuple[tuple[str, ConfigValue], ...] = ()
    rules: tuple[tuple[str, bool], ...] = ()
    budget: tuple[tuple[str, int], ...] | None = None
    """How often what may happen in a search of this cell; null if the grid has no budgets."""
    latency_ms: int = 0
    """The additional delay of a message at each broker, on top of the engine's 1 to 4 ms: a message
    between two brokers is delayed twice, a message between a broker and the controller once.
    """
    faults: tuple[tuple[FaultKind, FaultRate], ...]
    workload: Workload
    paired: bool = True
    """Whether a run meets the same faults as the same run in every other cell."""
    shrink: bool = True
    """Whether to find the smallest set of faults of each loss."""


class ImpossiblePoint(Document, frozen=True, kw_only=True):
    """A point of the grid that is possible in no Kafka cluster, and why."""

    settings: dict[str, AxisValue]
    reason: str


class Grid(Struct, frozen=True, kw_only=True):
    """A campaign's grid, as read from its file.

    `axes` maps the names of `Cell.settings`, in order, to the values in the cells. `document` is
    the file as data; reading it again gives the same grid.
    """

    title: str
    seed: int
    axes: tuple[tuple[str, tuple[AxisValue, ...]], ...]
    cells: tuple[Cell, ...]
    impossible: tuple[ImpossiblePoint, ...]
    document: dict[str, object]


def default_faults() -> Mapping[FaultKind, FaultRate]:
    """The failure model of a grid that names no faults."""
    return {
        kind: FaultRate(rate=fault.rate, duration_ms=fault.duration_ms)
        for kind, fault in FAULT_TYPES.items()
    }


PARTITION: Final = TopicPartition("t-0")
"""A run has one partition, because partitions replicate independently of each other."""


def start_document(cell: Cell, *, name: str, title: str, latency_seed: int) -> JsonObject:
    """A scenario document without steps: one partition with a replica on each broker."""
    brokers = list(range(1, cell.replication_factor + 1))
    control = {"control": cell.control} if cell.control else {}
    return {
        "scenario": 1,
        "id": name,
        "title": title,
        "kafka": cell.kafka,
        **control,
        "rules": dict(cell.rules),
        "seed": latency_seed,
        "brokers": brokers,
        "configs": dict(cell.configs),
        "topics": [{"name": "t", "partitions": [{"replicas": brokers}]}],
        "steps": [],
    }

"""What a campaign varies: a grid of settings, whose points are cells, and what all cells share."""

from collections.abc import Mapping

from msgspec import Struct

from sim_engine.campaign.fault_kinds import FAULT_TYPES, FaultKind
from sim_engine.configs import ConfigValue
from sim_engine.identifiers import Acks

AxisValue = str | int | float | bool


class FaultRate(Struct, frozen=True, kw_only=True):
    """How often a fault happens for each broker and step, and how long it lasts on average."""

    rate: float
    duration_ms: int


class Workload(Struct, frozen=True, kw_only=True):
    """What every run of a campaign does, faults apart.

    A run is `steps` long, each of `step_ms`. At a random moment in every `produce_every`th step the
    producer sends a record; in every `consume_every`th the consumer reads on (0: never).
    """

    steps: int = 40
    step_ms: int = 1_000
    """The rate of records is low, because the engine plays every message. A second is longer than a
    round of replication and than `replica.fetch.wait.max.ms`, so followers idle between records."""
    produce_every: int = 2
    consume_every: int = 4
    in_flight_ms: int = 10
    """Before each fault one more record is sent, at most this long ago: a busy cluster always has
    records in flight, and a fault between two of them would test nothing. 0 sends none. 10 ms is
    about two rounds of replication."""
    writeback_ms: int = 30_000
    """A power loss costs what no flush has written in so long: Linux writes dirty pages after 30 s
    (`vm.dirty_expire_centisecs`)."""
    operator_ms: int = 10_000
    """A process that ended by itself is started again after this time."""
    racks: int = 1
    """The number of racks; brokers are distributed round-robin. With one rack, all brokers share
    their power."""


class Cell(Struct, frozen=True, kw_only=True):
    """One point of the grid: everything that its runs have in common.

    `settings` is the point by the names of the axes, in their order, as rows and charts show it.
    """

    number: int
    settings: tuple[tuple[str, AxisValue], ...]
    kafka: str
    control: str
    acks: Acks
    replication_factor: int
    configs: tuple[tuple[str, ConfigValue], ...] = ()
    rules: tuple[tuple[str, bool], ...] = ()
    latency_ms: int = 0
    """How much longer each end makes a message take than the engine's 1 to 4 ms: between two
    brokers it is twice this, between a broker and the controller once."""
    faults: tuple[tuple[FaultKind, FaultRate], ...]
    workload: Workload
    paired: bool = True
    """Whether the faults of a run are those of the same run in every other cell."""
    shrink: bool = True
    """Whether the smallest set of faults of each loss is looked for."""


class ImpossibleCell(Struct, frozen=True, kw_only=True):
    """A point of the grid that no Kafka can be, and why."""

    settings: tuple[tuple[str, AxisValue], ...]
    reason: str


class Grid(Struct, frozen=True, kw_only=True):
    """A campaign's grid as it was read.

    `axes` are the names of `Cell.settings`, in order, each with the values that cells have.
    `document` is the file as data, from which the same grid is read again.
    """

    title: str
    seed: int
    axes: tuple[tuple[str, tuple[AxisValue, ...]], ...]
    cells: tuple[Cell, ...]
    impossible: tuple[ImpossibleCell, ...]
    document: dict[str, object]


def default_faults() -> Mapping[FaultKind, FaultRate]:
    """The failure model of a grid that names no faults."""
    return {
        kind: FaultRate(rate=fault.rate, duration_ms=fault.duration_ms)
        for kind, fault in FAULT_TYPES.items()
    }

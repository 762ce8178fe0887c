"""A campaign's grid of settings, whose points are cells, and what all cells have in common."""

from collections.abc import Mapping

from msgspec import Struct

from sim_engine.campaign.fault_kinds import FAULT_TYPES, FaultKind
from sim_engine.configs import ConfigValue
from sim_engine.identifiers import Acks

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

    steps: int = 40
    step_ms: int = 1_000
    """The rate of records is low, because the engine plays every message. A step of a second is
    longer than a round of replication and longer than `replica.fetch.wait.max.ms`, so followers are
    idle between records.
    """
    produce_every: int = 2
    consume_every: int = 4
    in_flight_ms: int = 10
    """Before each fault one more record is sent, at most this long ago: a busy cluster always has
    records in flight, and a fault without any would test little. 0 sends none. 10 ms is about two
    rounds of replication.
    """
    writeback_ms: int = 30_000
    """A power loss destroys only data younger than this that was not flushed: Linux writes dirty
    pages after 30 s (`vm.dirty_expire_centisecs`).
    """
    operator_ms: int = 10_000
    """A process that ended by itself is restarted after this time."""
    racks: int = 1
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


class ImpossibleCell(Struct, frozen=True, kw_only=True):
    """A point of the grid that is possible in no Kafka cluster, and why."""

    settings: tuple[tuple[str, AxisValue], ...]
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
    impossible: tuple[ImpossibleCell, ...]
    document: dict[str, object]


def default_faults() -> Mapping[FaultKind, FaultRate]:
    """The failure model of a grid that names no faults."""
    return {
        kind: FaultRate(rate=fault.rate, duration_ms=fault.duration_ms)
        for kind, fault in FAULT_TYPES.items()
    }

"""The faults of the failure model: what each is, how often it happens and how long it lasts.

A rate is the expected number of faults of a kind for each broker and step; those of a rack and of
the controller are for each rack and for the cluster. Each kind of fault is an independent Poisson
process, and durations are exponentially distributed.

Real clusters have a fault every few weeks. Campaigns have far more, so that faults overlap within a
run; the defaults preserve only which kinds are more frequent than others. The rates of a campaign
are therefore not failures per year. They compare settings under equal stress.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sim_engine.actions import (
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
    StepStruct,
    name_of,
)

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

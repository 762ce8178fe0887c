"""The faults of the failure model: what each is, how often it happens and how long it lasts.

A rate is the expected number of faults of a kind for each broker and step; those of a rack and of
the controller are for each rack and for the cluster. Faults of one kind come independently of one
another and of all other kinds (a Poisson process), and last exponentially long.

Real clusters see a fault in weeks. A campaign speeds that up, so that faults overlap within a run;
the defaults keep only the order of what is more and what is less frequent. No rate of a campaign is
therefore a rate of failures a year. It compares settings under equal stress.
"""

from typing import Literal, get_args

from msgspec import Struct

from sim_engine.actions import Crash, DiskLoss, Pause, Shutdown

FaultKind = Literal[
    "crash",
    "pause",
    "shutdown",
    "isolate",
    "cut",
    "slow",
    "late_metadata",
    "fail_controller",
    "power_loss",
    "rack_power_loss",
    "disk_loss",
]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)

Scope = Literal["broker", "rack", "cluster"]


class FaultType(Struct, frozen=True, kw_only=True):
    """One kind of fault: its target, its default rate and mean duration, and the reasons for
    them."""

    scope: Scope
    rate: float
    duration_ms: int
    reason: str
    step: type[Crash | DiskLoss | Pause | Shutdown] | None = None
    """The step that it is, where that needs nothing but the broker; else the player makes it."""
    is_outage: bool = False
    """Whether its brokers are down until they are started, after its duration."""


FAULT_TYPES: dict[FaultKind, FaultType] = {
    "crash": FaultType(
        scope="broker",
        rate=0.01,
        duration_ms=8_000,
        reason="A killed process is the most frequent fault. A supervisor restarts it within "
        "seconds; about half of the outages outlast a session timeout of 6 to 9 s.",
        step=Crash,
        is_outage=True,
    ),
    "pause": FaultType(
        scope="broker",
        rate=0.008,
        duration_ms=10_000,
        reason="A long garbage collection or a stalled disk. Around the session timeout and "
        "replica.lag.time.max.ms, where the controller and the process disagree.",
        step=Pause,
    ),
    "shutdown": FaultType(
        scope="broker",
        rate=0.005,
        duration_ms=6_000,
        reason="A rolling restart is routine: the broker stops in order and is back in seconds.",
        step=Shutdown,
        is_outage=True,
    ),
    "isolate": FaultType(
        scope="broker",
        rate=0.005,
        duration_ms=10_000,
        reason="A broker loses the controller, the other brokers or both, as behind a failed "
        "switch port. Long enough for its session to end in about half of the cases.",
    ),
    "cut": FaultType(
        scope="broker",
        rate=0.004,
        duration_ms=10_000,
        reason="One direction of one link fails: rarer than a full partition, and the case that "
        "neither end diagnoses.",
    ),
    "slow": FaultType(
        scope="broker",
        rate=0.005,
        duration_ms=10_000,
        reason="An overloaded broker or link. Its messages take 0.2, 1 or 5 s longer.",
    ),
    "late_metadata": FaultType(
        scope="broker",
        rate=0.004,
        duration_ms=10_000,
        reason="KRaft: a broker lags behind the metadata log, then applies what it missed as one "
        "delivery. ZooKeeper's commands only lag with their connection (`slow`, `cut`).",
    ),
    "fail_controller": FaultType(
        scope="cluster",
        rate=0.004,
        duration_ms=0,
        reason="ZooKeeper: the broker that is the controller fails as often as others do. A KRaft "
        "quorum hides it.",
    ),
    "power_loss": FaultType(
        scope="broker",
        rate=0.002,
        duration_ms=15_000,
        reason="A machine restarts without writing its page cache: a kernel panic, a power supply. "
        "Rarer than a process crash, and slower to repair.",
        is_outage=True,
    ),
    "rack_power_loss": FaultType(
        scope="rack",
        rate=0.001,
        duration_ms=15_000,
        reason="Failures are correlated: a rack or a zone loses power at once. Models without "
        "this overestimate availability by orders of magnitude (Ford et al., 2010).",
        is_outage=True,
    ),
    "disk_loss": FaultType(
        scope="broker",
        rate=0.001,
        duration_ms=15_000,
        reason="A disk fails and is replaced by an empty one: the rarest fault.",
        step=DiskLoss,
        is_outage=True,
    ),
}
"""In the order of `FAULT_KINDS`."""

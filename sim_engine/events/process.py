"""A broker's process: how it starts, stands still and ends, and what goes with it."""

from sim_engine.events.base import BrokerEvent, ReplicaEvent
from sim_engine.identifiers import Offset


class BrokerBooted(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's process starts and opens its logs."""

    sources: tuple[str, ...] = ("LogManager",)


class RegistrationRefused(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A starting broker cannot register, because its old ZooKeeper session is still there; it
    exits."""

    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("KafkaController",)


class BrokerPaused(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's process stands still, as in a long garbage collection."""


class BrokerResumed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's process goes on where it was paused."""


class ShutdownStarted(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker begins a controlled shutdown."""

    rule: str | None = "CONTROLLED-SHUTDOWN"
    sources: tuple[str, ...] = ("KafkaController", "BrokerHeartbeatManager")


class BrokerStopped(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker has flushed its logs, written its checkpoints, and stopped."""

    rule: str | None = "CONTROLLED-SHUTDOWN"
    sources: tuple[str, ...] = ("LogManager", "ReplicaManager")


class BrokerCrashed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's process is killed; what it wrote is still in the page cache."""

    rule: str | None = "PAGE-CACHE"
    sources: tuple[str, ...] = ("LogManager",)


class PowerLost(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's machine loses power, and with its process what is not on disk."""

    rule: str | None = "POWER-LOSS"
    sources: tuple[str, ...] = ("LogManager",)


class DiskLost(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's disk is lost, with its logs, leader epoch caches and checkpoints."""

    rule: str | None = "POWER-LOSS"


class LongerThanLeader(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower's log is longer than its leader's and unclean election is off, so its process ends
    (up to 2.0.0)."""

    rule: str | None = "OUT-OF-RANGE-EXIT"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    leader_log_end_offset: Offset
    log_end_offset: Offset


class BrokerExited(LongerThanLeader, frozen=True, gc=False, kw_only=True):
    """A broker exits, orderly, rather than drop what its leader lacks."""


class BrokerHalted(LongerThanLeader, frozen=True, gc=False, kw_only=True):
    """A broker's process halts on the spot rather than drop what its leader lacks."""


class BrokerHung(LongerThanLeader, frozen=True, gc=False, kw_only=True):
    """A broker begins to exit rather than drop what its leader lacks, and hangs."""

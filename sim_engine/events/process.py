"""A broker's process: how it starts, pauses and ends, and what is lost with it."""

from typing import Literal

from sim_engine.events.base import (
    DISK,
    FILES,
    MEMORY,
    BrokerEvent,
    Rank,
    ReplicaEvent,
    dot,
    request,
)
from sim_engine.events.log import LogLoaded, UnflushedRecordsLost
from sim_engine.identifiers import Offset


class BrokerBooted(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's process starts and loads its logs."""

    rank = Rank.DETAIL
    implied_by = (LogLoaded,)
    reports = frozenset({"epoch_cache", "loaded", "high_watermark"})
    drawn = dot("starts", unless=LogLoaded.__name__)

    sources: tuple[str, ...] = ("LogManager",)


class RegistrationRefused(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A starting broker cannot register because its old ZooKeeper session still exists, so it
    exits."""

    rank = Rank.FAULT
    mark = "fault"
    reports = FILES
    drawn = request("registers", "bad", to="controller", lost=True)

    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("KafkaController",)


class BrokerPaused(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's process pauses, as in a long garbage collection."""

    rank = Rank.INTERVENTION
    mark = "fault"
    drawn = dot("pauses", "warn")


class BrokerResumed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A paused broker's process resumes."""

    rank = Rank.INTERVENTION
    drawn = dot("resumes")


class BrokerStopped(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker has flushed its logs, written its checkpoints, and stopped."""

    rank = Rank.INTERVENTION
    reports = MEMORY | FILES
    drawn = dot("stops", "bad")

    rule: str | None = "CONTROLLED-SHUTDOWN"
    sources: tuple[str, ...] = ("LogManager", "ReplicaManager")


class ShutdownStarted(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker begins a controlled shutdown."""

    rank = Rank.NOTICE
    mark = "fault"
    implied_by = (BrokerStopped,)
    drawn = dot("shutsDown", "warn")

    rule: str | None = "CONTROLLED-SHUTDOWN"
    sources: tuple[str, ...] = ("KafkaController", "BrokerHeartbeatManager")


class BrokerCrashed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's process is killed. Everything that it wrote survives in the page cache.

    Variant "away": the controller does not consider the broker alive already.
    """

    rank = Rank.FAULT
    mark = "fault"
    reports = MEMORY
    drawn = dot("crashes", "bad")

    variant: Literal["away"] | None = None
    rule: str | None = "PAGE-CACHE"
    sources: tuple[str, ...] = ("LogManager",)


class PowerLost(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's machine loses power: the process and everything that was not flushed are lost."""

    rank = Rank.FAULT
    mark = "fault"
    implied_by = (UnflushedRecordsLost,)
    reports = MEMORY
    drawn = dot("powerLost", "bad")

    rule: str | None = "POWER-LOSS"
    sources: tuple[str, ...] = ("LogManager",)


class DiskLost(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's disk is lost, with its logs, leader epoch caches and checkpoints."""

    rank = Rank.FAULT
    mark = "fault"
    reports = MEMORY | DISK
    drawn = dot("diskLost", "bad")

    rule: str | None = "POWER-LOSS"


class LongerThanLeader(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower's log is longer than its leader's and unclean election is disabled, so the process
    terminates (up to 2.0.0)."""

    rank = Rank.FORCED_EXIT
    mark = "fault"
    reports = MEMORY

    rule: str | None = "OUT-OF-RANGE-EXIT"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    leader_log_end_offset: Offset
    log_end_offset: Offset


class BrokerExited(LongerThanLeader, frozen=True, gc=False, kw_only=True):
    """A broker exits in an orderly way instead of truncating records that its leader does not
    have."""

    reports = MEMORY | FILES
    drawn = dot("ends", "bad")


class BrokerHalted(LongerThanLeader, frozen=True, gc=False, kw_only=True):
    """A broker's process halts immediately instead of truncating records that its leader does not
    have."""

    drawn = dot("ends", "bad")


class BrokerHung(LongerThanLeader, frozen=True, gc=False, kw_only=True):
    """A broker starts to exit instead of truncating records that its leader does not have, and
    hangs."""

    drawn = dot("hangs", "bad")

"""Faults and restarts of a broker's process and of the machine that it runs on."""

from typing import Literal

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, KeptOffsets


class OneBroker(StepStruct, frozen=True, gc=False, kw_only=True):
    """An action on one broker."""

    broker: Broker


class Crash(OneBroker, frozen=True, gc=False, kw_only=True):
    """Kills the process. The page cache survives, so no record is lost."""

    fault = True
    affects = "process"
    row = 7


class PowerLoss(OneBroker, frozen=True, gc=False, kw_only=True):
    """Kills the process and discards every byte that was not flushed to disk.

    `keep` maps a partition to the log end offset that survives; the default is the flushed offset.
    The broker may have crashed before.
    """

    fault = True
    affects = "machine"
    row = 8

    keep: KeptOffsets | None = None


class DiskLoss(OneBroker, frozen=True, gc=False, kw_only=True):
    """Destroys the broker's disk: logs, epoch files and checkpoints. The broker restarts with empty
    logs."""

    fault = True
    affects = "machine"
    row = 13


class Shutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """Shuts a broker down: a controlled shutdown, from the request to the end of the process."""

    fault = True
    row = 11


class BeginShutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """A broker starts a controlled shutdown: the controller moves its leaderships and removes it
    from every ISR."""

    def step(self) -> Shutdown:
        """The step that this action is part of."""
        return Shutdown(broker=self.broker)


class EndShutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """A broker completes its controlled shutdown: it writes its files and exits."""

    def step(self) -> Shutdown:
        """The step that this action is part of."""
        return Shutdown(broker=self.broker)


class Pause(OneBroker, frozen=True, gc=False, kw_only=True):
    """Pauses the process, which keeps its state (a long garbage collection, SIGSTOP)."""

    fault = True
    affects = "process"
    row = 9


class Resume(OneBroker, frozen=True, gc=False, kw_only=True):
    """Resumes a paused process."""

    row = 3


class Start(OneBroker, frozen=True, gc=False, kw_only=True):
    """Starts a broker: it recovers its logs, registers, and its replicas become leaders or
    followers."""

    row = 1


class Boot(OneBroker, frozen=True, gc=False, kw_only=True):
    """Starts a broker's process, which opens its logs. It has received no metadata yet.

    With `session: kept` its old znode still exists, so it cannot register (ZooKeeper).
    """

    row = 12

    session: Literal["kept"] | None = None


Happening = Crash | PowerLoss | DiskLoss | Shutdown | Pause | Resume | Start | Boot
"""The steps of this module."""

Action = Crash | PowerLoss | DiskLoss | BeginShutdown | EndShutdown | Pause | Resume | Boot
"""The actions of this module."""

"""What becomes of brokers as processes, and of the machines that they run on."""

from typing import Literal

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, KeptOffsets


class OneBroker(StepStruct, frozen=True, gc=False, kw_only=True):
    """Something about one broker."""

    broker: Broker


class Crash(OneBroker, frozen=True, gc=False, kw_only=True):
    """The process is gone; its page cache stays, so no record is lost."""

    fault = True
    befalls = "process"


class PowerLoss(OneBroker, frozen=True, gc=False, kw_only=True):
    """The process and every byte that was not flushed are gone.

    `keep` says of partitions how much survived all the same: their log end offset, which is the
    flushed one where it is not said. It may befall a process that crashed already.
    """

    fault = True
    befalls = "machine"

    keep: KeptOffsets | None = None


class DiskLoss(OneBroker, frozen=True, gc=False, kw_only=True):
    """The broker's disk is gone: logs, epoch files, checkpoints. It comes back empty."""

    fault = True
    befalls = "machine"


class Shutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """The broker is asked to stop: a controlled shutdown, to its end."""

    fault = True


class BeginShutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """A broker asks to stop: the controller moves its leaderships and takes it out of the ISRs."""

    def step(self) -> Shutdown:
        """The step that it is part of."""
        return Shutdown(broker=self.broker)


class EndShutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """The broker that asked to stop writes its files and ends."""

    def step(self) -> Shutdown:
        """The step that it is part of."""
        return Shutdown(broker=self.broker)


class Pause(OneBroker, frozen=True, gc=False, kw_only=True):
    """The process stands still and keeps everything (a long garbage collection, SIGSTOP)."""

    fault = True
    befalls = "process"


class Resume(OneBroker, frozen=True, gc=False, kw_only=True):
    """The process goes on where it stood."""


class Start(OneBroker, frozen=True, gc=False, kw_only=True):
    """The process boots, recovers its logs and registers; its replicas take their roles."""


class Boot(OneBroker, frozen=True, gc=False, kw_only=True):
    """The process starts and opens its logs; nobody has told it anything yet.

    With `session: kept` its old znode is still there, so that it cannot register (ZooKeeper).
    """

    session: Literal["kept"] | None = None


Happening = Crash | PowerLoss | DiskLoss | Shutdown | Pause | Resume | Start | Boot
"""What of these a scenario file may say."""

Action = Crash | PowerLoss | DiskLoss | BeginShutdown | EndShutdown | Pause | Resume | Boot
"""What of these the engine performs."""

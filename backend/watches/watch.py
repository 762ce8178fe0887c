"""The readings of a live cluster, kept in memory for the page that shows them.

The command `connect` reads the cluster, in a thread of its own, and adds each reading here. Nothing
in the service opens a connection to the cluster, and no request starts a reading or changes what is
read. Nothing is stored.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from msgspec.structs import replace as replaced

from sim_engine.cluster_import.logs import changes_between
from sim_engine.cluster_import.parsed_state import ParsedState, Statement

MOST_READINGS = 500
MOST_STATES = 60
_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of the cluster, or the reason why it could not be read."""

    number: int
    """From 1."""
    at: datetime
    """When it began."""
    took_s: float
    failure: str | None
    """A sentence in English, as the command prints it; null if the cluster was read."""
    changes: tuple[Statement, ...]
    """What differs from the newest reading before that succeeded."""
    brokers: int
    """How many run; of a reading that failed, 0."""
    partitions: int
    state: ParsedState | None
    """Null if it failed, and for an old one whose state was dropped."""


class Watched:
    """What a command shows while it changes. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version = 0
        self._stopped = False

    async def news(self) -> AsyncIterator[None]:
        """Yields at first, and then whenever something has changed, until the program ends."""
        seen = -1
        while not self._stopped:
            if self._version != seen:
                seen = self._version
                yield
            await asyncio.sleep(_LOOK_EVERY_S)

    def stop(self) -> None:
        """End every stream: the program ends."""
        with self._lock:
            self._stopped = True


class Watch(Watched):
    """The readings of one cluster, the oldest first."""

    def __init__(self, bootstrap: str, interval_s: float, kafka: str | None = None) -> None:
        super().__init__()
        self.bootstrap = bootstrap
        self.interval_s = interval_s
        self.kafka = kafka
        """The cluster's release, if it was named."""
        self._readings: list[Reading] = []
        self._began: datetime | None = None

    # --- the command adds -----------------------------------------------------------------------

    def begin(self) -> None:
        """A reading begins."""
        with self._lock:
            self._began = _now()
            self._version += 1

    def add(self, result: ParsedState | str) -> Reading:
        """Add the reading that has begun: the state, or why there is none."""
        with self._lock:
            began = self._began or _now()
            reading = self._reading(result, began)
            self._readings.append(reading)
            del self._readings[:-MOST_READINGS]
            with_state = [
                place for place, one in enumerate(self._readings) if one.state is not None
            ]
            for place in with_state[:-MOST_STATES]:
                self._readings[place] = replace(self._readings[place], state=None)
            self._began = None
            self._version += 1
            return reading

    def _reading(self, result: ParsedState | str, began: datetime) -> Reading:
        changes: tuple[Statement, ...] = ()
        state = None if isinstance(result, str) else result
        last = self._last()
        if state is not None and last is not None:
            changes = changes_between(last, state)
            _share_equal(last, state)
        return Reading(
            number=self._readings[-1].number + 1 if self._readings else 1,
            at=began,
            took_s=(_now() - began).total_seconds(),
            failure=result if isinstance(result, str) else None,
            changes=changes,
            brokers=0 if state is None else len(state.live),
            partitions=0 if state is None else len(state.partitions),
            state=state,
        )

    # --- the page reads -------------------------------------------------------------------------

    @property
    def began(self) -> datetime | None:
        """When the reading that is in progress began; null between two readings."""
        with self._lock:
            return self._began

    def readings(self, after: int = 0) -> list[Reading]:
        """The kept readings with a higher number."""
        with self._lock:
            return [one for one in self._readings if one.number > after]

    def state_of(self, number: int) -> ParsedState | None:
        """The state of a reading; null if there is no such reading, or no state of it any more."""
        with self._lock:
            return next((one.state for one in self._readings if one.number == number), None)

    def _last(self) -> ParsedState | None:
        """The newest state."""
        states = (one.state for one in reversed(self._readings))
        return next((state for state in states if state is not None), None)


def keep_reading(
    watch: Watch, read: Callable[[], ParsedState | str], stop: threading.Event, *, waits: bool
) -> None:
    """Add one reading after another until `stop` is set. The interval is from the beginning of one
    to that of the next. A reading that takes longer is followed by the next one immediately. With
    `waits`, the first one was added before.
    """
    if waits:
        stop.wait(watch.interval_s)
    while not stop.is_set():
        began = time.monotonic()
        watch.begin()
        watch.add(read())
        stop.wait(max(0.0, watch.interval_s - (time.monotonic() - began)))


def for_assessment(state: ParsedState) -> ParsedState:
    """The state without logs: partitions that differ only in these are alike."""
    return replaced(state, logs=[], high_watermarks={}, lags={}, unknown=list(state.unknown))


def _share_equal(before: ParsedState, after: ParsedState) -> None:
    """Partitions that have not changed are the same objects in both states."""
    for name, about in before.partitions.items():
        if after.partitions.get(name) == about:
            after.partitions[name] = about


def _now() -> datetime:
    return datetime.now(UTC)

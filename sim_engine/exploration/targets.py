"""What a search looks for: the violation of a property, as a condition on one frame; and the fair
continuation of a run: when its faults stop, does it get there?

From a state, every fault ends: cut links are restored, held messages released, paused processes
resumed, and brokers that are down started with what is on their disks, as an operator would. Then
everything happens that can happen by itself, again and again: messages arrive, followers fetch,
timers fire, the controller detects brokers and checks its leaders, and no broker stays down. No
client and no administrator does anything.

This is one fair execution of many: first what is in flight and the fetches, in a fixed order, then
everything in the order of the engine's clock. If it returns to a state in which it was, and a goal
was pending all along, it can repeat for ever, so the property is violated. If the goal is reached,
that is not shown for other orders.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Literal, Protocol, cast

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.steps import (
    Crash,
    Deliver,
    Fetch,
    Happening,
    Heal,
    Release,
    Resume,
    Run,
    Settle,
    Shutdown,
    Start,
)
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.moves import preferred_leader_checks, unclean_leader_checks
from sim_engine.exploration.state_space import StateSpace
from sim_engine.exploration.states import State
from sim_engine.identifiers import FIRST_FRAME, Acks, FrameNumber
from sim_engine.invariants.observation import (
    EVERYTHING,
    ChangedAspects,
    History,
    Observation,
    Property,
    PropertyResult,
    Verdicts,
    observation_of,
)
from sim_engine.invariants.safety import (
    LIVENESS_BY_NAME,
    LIVENESS_NAMES,
    PROPERTIES_BY_NAME,
    PROPERTY_NAMES,
    CheckedProperty,
)
from sim_engine.narration import RefusedError
from sim_engine.protocol.log import ReplicaLog
from sim_engine.simulation.fetch_rounds import delivery_of, looks_the_same
from sim_engine.simulation.performing.messages import why_no_fetch, why_undeliverable
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step

MOST_ROUNDS = 6
"""After this many rounds that neither reach the goal nor return to an earlier state, the
continuation is undecided. A loop that raises an epoch in every round is.
"""

_MOST_PASSES = 4
_MOST_FRAMES = 2_000

Ending = Literal["reached", "stuck", "recurs", "undecided"]
"""How a continuation ends. `stuck`: in a whole round nothing changes any more. `recurs`: something
changes, but the state returns. Times are not compared.
"""

NEVER_ENDS: tuple[Ending, ...] = ("stuck", "recurs")


class Continuation(Struct, frozen=True, kw_only=True):
    """A fair continuation: its steps and its end. `steps` end with the round that leads back, if
    one does.
    """

    ending: Ending
    steps: tuple[Happening, ...]

    @property
    def never_ends(self) -> bool:
        """Whether it can repeat for ever without reaching the goal."""
        return self.ending in NEVER_ENDS


def is_pending(cluster: ClusterState, check: Property) -> bool:
    """Whether the goal of a liveness property is pending in a state."""
    history = History(committed=tuple(ReplicaLog() for _ in cluster.partitions))
    changed = ChangedAspects(frozenset(cluster.partitions), EVERYTHING)
    return isinstance(check(observation_of(history, cluster, changed)), dict)


def continue_fairly(cluster: ClusterState, check: Property) -> Continuation:
    """Continue from a state in which the goal of this check is pending, until it is not, or until
    a state recurs.
    """
    playing = _PlayingOnClusters(cluster, check)
    return _as_played(playing, _ending(playing))


def shown_continuation(cluster: ClusterState, check: Property) -> Continuation:
    """A continuation that does not end, for readers: the one in the order of the engine's clock
    alone, which has few steps, unless that one reaches the goal.
    """
    playing = _PlayingOnClusters(cluster, check)
    by_clock = _as_played(playing, _ending_by_clock(playing))
    return by_clock if by_clock.never_ends else continue_fairly(cluster, check)


def continuation_after(
    start: ClusterState, steps: Iterable[Happening], check: Property
) -> Continuation:
    """The continuation to show after these steps of a run, from a state."""
    execution = StepExecution(start, FrameNumber(FIRST_FRAME + 1), 1 << 30)
    for step in steps:
        execute_step(execution, step)
    return shown_continuation(execution.cluster, check)


class KnownEndings:
    """The endings of the continuations of a search's states.

    Each is played on the states, whose effects are kept, as far as no time passes. The rest is
    played on a cluster, once for each of the few states to which that leads.
    """

    def __init__(self, space: StateSpace, start: ClusterState, check: Property) -> None:
        self._space = space
        self._timers = {broker.broker_id: broker.timers for broker in start.brokers}
        self._check = check
        self._known: dict[State, Ending] = {}

    def ending(self, state: State) -> Ending:
        """How the continuation of a state ends in which the goal is pending."""
        playing = _PlayingOnStates(self._space, state)
        if playing.reaches(ended_faults):
            return "reached"
        without_faults = playing.state
        known = self._known.get(without_faults)
        if known is None:
            known = self._known[without_faults] = self._ending_of(playing)
        return known

    def _ending_of(self, playing: "_PlayingOnStates") -> Ending:
        if _reaches_soon(playing):
            return "reached"
        known = self._known.get(playing.state)
        if known is None:
            cluster = self._with_timers(self._space.cluster_of(playing.state))
            known = _ending_later(_PlayingOnClusters(cluster, self._check))
            self._known[playing.state] = known
        return known

    def _with_timers(self, cluster: ClusterState) -> ClusterState:
        """A search in which no time passes has no timers in its states."""
        brokers = tuple(
            replace(broker, timers=broker.timers or self._timers[broker.broker_id])
            for broker in cluster.brokers
        )
        return replace(cluster, brokers=brokers)


# --- what happens ----------------------------------------------------------------------------

_Offer = Callable[[ClusterState], Iterator[Happening]]
"""Steps to play in a state, one after the other. One that is refused is left out."""


def _offered(offer: _Offer, cluster: ClusterState) -> tuple[Happening, ...]:
    return tuple(offer(cluster))


def ended_faults(cluster: ClusterState) -> Iterator[Happening]:
    """The steps that end every fault of a state, but start no broker."""
    for broker in cluster.brokers:
        if any(broker.broker_id in link for link in cluster.links_cut):
            yield Heal(broker=broker.broker_id)
    for kind, sender, receiver in cluster.network_holds:
        yield Release(kind=kind, from_=sender, to=receiver)
    for message in cluster.messages:
        if message.held:
            yield Release(kind=message.kind, from_=message.sender, to=message.receiver)
    for broker in cluster.brokers:
        if broker.process == "paused":
            yield Resume(broker=broker.broker_id)


def _exchanged(cluster: ClusterState) -> Iterator[Happening]:
    """Every message in flight arrives, and every follower fetches."""
    deliveries = {
        delivery_of(message)
        for message in cluster.messages
        if why_undeliverable(cluster, message) is None
    }
    yield from sorted(deliveries, key=_by_link)
    for broker in cluster.brokers:
        for replica in broker.replicas:
            follows = replica.fetcher is not None
            if follows and why_no_fetch(cluster, broker.broker_id, replica.partition) is None:
                yield Fetch(broker=broker.broker_id, partition=replica.partition)


def _by_link(delivery: Deliver) -> tuple[str, ...]:
    return tuple(map(str, (delivery.from_, delivery.to, delivery.kind, delivery.partition)))


def _started(cluster: ClusterState) -> Iterator[Happening]:
    for broker in cluster.brokers:
        if not broker.alive:
            yield Start(broker=broker.broker_id)


def _shut_down(cluster: ClusterState) -> Iterator[Happening]:
    """A controlled shutdown ends. An operator kills a process whose shutdown hangs."""
    for broker in cluster.brokers:
        if broker.process == "shutting_down":
            yield Shutdown(broker=broker.broker_id, only="end")
            yield Crash(broker=broker.broker_id)


def _settled(cluster: ClusterState) -> Iterator[Happening]:
    del cluster  # the engine finds what is pending
    yield Settle()


def _checked(cluster: ClusterState) -> Iterator[Happening]:
    """The controller's checks, whose periods are long."""
    yield from preferred_leader_checks(cluster)
    yield from unclean_leader_checks(cluster)


def _waited(cluster: ClusterState) -> Iterator[Happening]:
    """Time passes until a follower that does not catch up has left the ISR and every request has
    timed out.
    """
    lag_ms = max(settings.replica_lag_time_max_ms for _, settings in cluster.settings)
    timeouts = [record.timeout_ms for record in cluster.clients.produced]
    yield Run(ms=2 * lag_ms + max(timeouts, default=0) + 1)


class _Playing(Protocol):
    def reaches(self, *offers: _Offer) -> bool:
        """Play steps. Returns whether the goal is not pending in one of their states; then the
        rest is not played.
        """

    def is_as_before(self) -> bool:
        """Whether the last call of `reaches` has changed nothing."""


def _as_played(playing: "_PlayingOnClusters", ending: Ending) -> Continuation:
    return Continuation(ending=ending, steps=tuple(playing.steps))


def _ending(playing: "_PlayingOnClusters") -> Ending:
    try:
        if playing.reaches(ended_faults) or _reaches_soon(playing):
            return "reached"
    except LimitReachedError:
        return "undecided"
    return _ending_later(playing)


def _ending_by_clock(playing: "_PlayingOnClusters") -> Ending:
    try:
        if playing.reaches(ended_faults, _started):
            return "reached"
    except LimitReachedError:
        return "undecided"
    return _ending_later(playing)


def _reaches_soon(playing: _Playing) -> bool:
    """What happens without that time passes. What it leaves is done later."""
    for offers in ((_exchanged,), (_started, _exchanged)):
        if playing.reaches(*offers):
            return True
        for _ in range(_MOST_PASSES):
            if playing.is_as_before():
                break
            if playing.reaches(_exchanged):
                return True
    return False


def _ending_later(playing: "_PlayingOnClusters") -> Ending:
    try:
        if playing.reaches(_settled, _shut_down, _started, _settled):
            return "reached"
        ends = [playing.cluster]
        for _ in range(MOST_ROUNDS):
            if playing.reaches(_checked, _settled, _waited, _started, _settled):
                return "reached"
            for rounds, earlier in enumerate(reversed(ends), 1):
                if looks_the_same(earlier, playing.cluster):
                    return "stuck" if rounds == 1 and playing.has_only_waited() else "recurs"
            ends.append(playing.cluster)
    except LimitReachedError:
        pass
    return "undecided"


class _PlayingOnClusters:
    """The engine's own execution. A step without an effect is no step of the continuation."""

    def __init__(self, cluster: ClusterState, check: Property) -> None:
        self.cluster = cluster
        self.steps: list[Happening] = []
        self._check = check
        self._frame = FrameNumber(FIRST_FRAME + 1)
        self._states: list[ClusterState] = []

    def reaches(self, *offers: _Offer) -> bool:
        self._states = [self.cluster]
        for offer in offers:
            for step in offer(self.cluster):
                states = self._play(step)
                if not all(is_pending(state, self._check) for state in states):
                    return True
                self._states += states
        return False

    def is_as_before(self) -> bool:
        return looks_the_same(self._states[0], self.cluster)

    def has_only_waited(self) -> bool:
        """Whether nothing has changed since the last call of `reaches`, not even for a while."""
        return all(looks_the_same(state, self.cluster) for state in self._states)

    def _play(self, step: Happening) -> list[ClusterState]:
        execution = StepExecution(self.cluster, self._frame, _MOST_FRAMES)
        try:
            execute_step(execution, step)
        except RefusedError:
            return []
        if execution.executed:
            self.steps.append(step)
        self.cluster = execution.cluster
        self._frame = execution.next_frame
        return [*(one.transition.cluster for one in execution.executed), execution.cluster]


class _PlayingOnStates:
    """The same on the states of a search."""

    def __init__(self, space: StateSpace, state: State) -> None:
        self.state = state
        self._space = space
        self._before = state

    def reaches(self, *offers: _Offer) -> bool:
        self._before = self.state
        for offer in offers:
            steps = self._space.ask(self.state, offer, partial(_offered, offer))
            for step in cast("tuple[Happening, ...]", steps):
                for after in self._space.play(self.state, step) or ():
                    before, self.state = self.state, after
                    if not isinstance(self._space.judge(before, after), dict):
                        return True
        return False

    def is_as_before(self) -> bool:
        return self.state == self._before


# --- targets --------------------------------------------------------------------------------------


NO_ACKED_RECORD_LOST = "NoAckedRecordLost"
SOUGHT_NAMES = (*PROPERTY_NAMES, *LIVENESS_NAMES)
"""The properties that can be searched for."""

IsSought = Callable[[Verdicts, ClusterState], bool]
"""Whether the verdicts and the cluster of one frame contain the violation."""


def search_target(property_name: str, acks: Acks = "all") -> IsSought:
    """A condition for the violation of a property in a run whose records are sent with these acks.

    A state violates a liveness property if its fair continuation never reaches the goal
    (see above). Kafka guarantees only records acknowledged with acks=all, and
    NoAckedRecordLost is limited to those. If records are sent with acks=1, the condition is the
    loss of any acknowledged record.
    Raises `ValueError` for an unknown property.
    """
    check = sought_property(property_name, acks).check
    if property_name in LIVENESS_BY_NAME:
        return lambda _verdicts, cluster: (
            is_pending(cluster, check) and continue_fairly(cluster, check).never_ends
        )
    if property_name == NO_ACKED_RECORD_LOST and acks != "all":
        return lambda _verdicts, cluster: any(
            produced.fate == "lost" for produced in cluster.clients.produced
        )
    return lambda verdicts, _cluster: verdicts[property_name].status == "violated"


def sought_property(property_name: str, acks: Acks = "all") -> CheckedProperty:
    """The property whose violation `search_target` describes. Raises `ValueError` if there is none
    of this name.
    """
    watched = PROPERTIES_BY_NAME.get(property_name) or LIVENESS_BY_NAME.get(property_name)
    if watched is None:
        raise ValueError(
            f"there is no property '{property_name}'; properties are {', '.join(SOUGHT_NAMES)}"
        )
    if property_name == NO_ACKED_RECORD_LOST and acks != "all":
        return replace(watched, check=_no_record_lost_whatever_its_acks)
    return watched


def _no_record_lost_whatever_its_acks(observation: Observation) -> PropertyResult:
    produced = observation.cluster.clients.produced
    if any(record.fate == "lost" for record in produced):
        return {}
    return "holds" if any(record.outcome == "acked" for record in produced) else "not_exercised"

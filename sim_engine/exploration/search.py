"""Breadth-first search over the steps that a user could take, within a budget of faults.

The search is another driver of the engine: it chooses among the possible steps, performs each on a
copy of the state, and checks one property. The first violation found is one of the shortest,
counted in steps of the chosen grain. The result states how much was searched: the depth and the
number of states, which limit ended the search, and whether the property was exercised at all.

It identifies states by a key of everything that can still make a difference. Times, frame numbers
and message numbers are excluded, so two paths to the same state have equal keys. For a request,
only whether a sender still waits for it matters, not its number.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from sim_engine.actions.steps import Happening
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    GRAINS,
    Budget,
    Grain,
    after_elections,
    allowed_moves,
    sources,
    whole_budget,
)
from sim_engine.exploration.moves import Move, Source
from sim_engine.exploration.scope import SearchScope, scope_of
from sim_engine.identifiers import Acks, FrameNumber
from sim_engine.invariants.observation import History, observe
from sim_engine.invariants.safety import PROPERTY_NAMES, evaluate
from sim_engine.invariants.verdicts import Verdicts
from sim_engine.narration.sentences import RefusedError
from sim_engine.protocol.messages import Answer, Message
from sim_engine.protocol.replica import Replica, late_request
from sim_engine.simulation.fetch_rounds import observable
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.timeline import Frame

NO_ACKED_RECORD_LOST = "NoAckedRecordLost"

IsSought = Callable[[Verdicts, ClusterState], bool]
"""Whether the verdicts and the cluster of one frame contain the violation."""


def search_target(property_name: str, acks: Acks = "all") -> IsSought:
    """A condition for the violation of a property in a run whose records are sent with these acks.

    Kafka guarantees only records acknowledged with acks=all, and NoAckedRecordLost is limited to
    those. If records are sent with acks=1, the condition is the loss of any acknowledged record.
    Raises `ValueError` for an unknown property.
    """
    if property_name not in PROPERTY_NAMES:
        raise ValueError(
            f"there is no property '{property_name}'; properties are {', '.join(PROPERTY_NAMES)}"
        )
    if property_name == NO_ACKED_RECORD_LOST and acks != "all":
        return lambda _verdicts, cluster: any(
            produced.fate == "lost" for produced in cluster.clients.produced
        )
    return lambda verdicts, _cluster: verdicts[property_name].status == "violated"


def state_key(cluster: ClusterState) -> tuple[object, ...]:
    """The state reduced to what later steps depend on. Two states with equal keys have the same
    continuations.
    """
    brokers, controller, clients, _ = observable(cluster)
    del clients  # contains frame numbers; the relevant parts are added below
    produced = tuple(
        (record.id, record.outcome, record.fate, record.retried)
        for record in cluster.clients.produced
    )
    read = tuple((record.consumer, record.offset, record.id) for record in cluster.clients.consumed)
    return (
        brokers,
        tuple([_memory(broker) for broker in cluster.brokers]),
        _order_of_losses(cluster),
        controller,
        cluster.clients.clients,
        produced,
        read,
        cluster.links_cut,
        cluster.network_holds,
        tuple([_in_flight(cluster, message) for message in cluster.messages]),
    )


def _memory(broker: Broker) -> tuple[object, ...]:
    return (
        broker.contact_lost_ms is None,
        broker.broker_session_kept,
        broker.broker_epoch,
        broker.previous_broker_epoch,
        broker.clean_shutdown_epoch,
        broker.known_partitions,
        broker.isr_changes.partitions,
        len(broker.ending_fetchers),
        tuple([_loops(replica) for replica in broker.replicas]),
    )


def _loops(replica: Replica) -> tuple[object, ...]:
    """The fetch loops of a replica and, if it leads, its parked fetches."""
    fetcher, leading = replica.fetcher, replica.leading
    return (
        None
        if fetcher is None
        else (
            fetcher.leader,
            fetcher.truncation_fallback,
            fetcher.forgot_epoch,
            fetcher.awaiting is None,
            fetcher.delayed_until_ms is None,
        ),
        tuple(
            [(late.leader, late.leader_epoch, late.fetch_offset) for late in replica.late_requests]
        ),
        None
        if leading is None
        else (
            leading.leader_epoch_start_offset,
            tuple([(waiting.follower, waiting.request) for waiting in leading.parked]),
            tuple([(one.last_sent_high_watermark, one.broker_epoch) for one in leading.remotes]),
        ),
    )


def _order_of_losses(cluster: ClusterState) -> tuple[int, ...]:
    """The order in which the controller lost contact with brokers, because it reacts in
    that order.
    """
    away = [broker for broker in cluster.brokers if broker.contact_lost_ms is not None]
    return tuple(
        broker.broker_id for broker in sorted(away, key=lambda one: one.contact_lost_order)
    )


def _in_flight(cluster: ClusterState, message: Message) -> tuple[object, ...]:
    payload = message.payload
    awaited = False
    if isinstance(payload, Answer):
        awaited = _is_awaited(cluster, message, payload.in_reply_to)
        payload = replace(payload, in_reply_to=0)
    elif isinstance(message.sender, int) and message.partition is not None:
        replica = cluster.replica(message.sender, message.partition)
        awaited = _waits_for(replica, message.id)
    return (
        message.kind,
        message.sender,
        message.receiver,
        message.partition,
        payload,
        message.held,
        awaited,
    )


def _is_awaited(cluster: ClusterState, message: Message, request: int) -> bool:
    if not isinstance(message.receiver, int) or message.partition is None:
        return False
    return _waits_for(cluster.replica(message.receiver, message.partition), request)


def _waits_for(replica: Replica, request: int) -> bool:
    if replica.fetcher is not None and replica.fetcher.awaiting == request:
        return True
    pending = replica.leading.pending_isr if replica.leading is not None else None
    if pending is not None and pending.request == request:
        return True
    return late_request(replica, request) is not None


MOST_FRAMES_A_STEP = 200
_LOOK_AT_THE_CLOCK_EVERY = 64

SearchOutcome = Literal["violated", "none_within_bound", "not_exercised", "cut"]
"""`none_within_bound`: the property held in every state that was examined. `not_exercised`: no such
state could have violated it, so nothing was checked. `cut`: a limit other than the depth ended the
search.
"""

SearchLimit = Literal["depth", "states", "cpu_seconds", "actions", "interrupt"]
"""What ended a search, or left out a part of it: a limit of `SearchOptions`, a step with more than
`MOST_FRAMES_A_STEP` actions, or the user.
"""

SearchWatch = Callable[[int, int, int], None]
"""Called with the current depth, and the number of states and transitions so far."""


class SearchOptions(Struct, frozen=True, kw_only=True):
    """The property to search for, and the bounds.

    `seconds` limits the search only if a clock is given; otherwise only depth and states limit it.
    It is processor time: callers pass `time.process_time`, so that the same search has the same
    result on a busy machine.
    """

    property: str
    grain: Grain = "step"
    max_depth: int = 12
    max_states: int = 200_000
    budget: Mapping[str, int] = field(default_factory=lambda: DEFAULT_BUDGET)
    seconds: float | None = None
    acks: Acks = "all"
    """The acks of the records that the search sends."""


class SearchResult(Struct, frozen=True, kw_only=True):
    """The result of a search.

    `complete` means that every state was examined that the steps of the scope can reach within the
    budget, at any depth. It says nothing about what the scope leaves out. `limit` is what prevented
    that; null for a complete search and for a violation. `exercised` is false if no state could
    have violated the property, from the start of the run to the last one examined. `steps` is the
    counterexample, in the syntax of scenario files; empty if none was found.
    """

    verdict: SearchOutcome
    complete: bool
    limit: SearchLimit | None
    exercised: bool
    depth: int
    states: int
    transitions: int
    scope: SearchScope
    steps: tuple[dict[str, object], ...] = ()


class _Node(Struct, frozen=True):
    cluster: ClusterState
    history: History
    verdicts: Verdicts
    left: Budget
    steps: tuple[Happening, ...]
    is_violated: bool = False
    """Whether the property was violated in the last step, even temporarily."""


def search(
    start: Frame,
    options: SearchOptions,
    clock: Callable[[], float] | None = None,
    watch: SearchWatch | None = None,
) -> SearchResult:
    """Search for a path from a frame to a violation of a property.

    `watch` is called at intervals with the progress and must return quickly. `KeyboardInterrupt`
    ends the search with the result so far. Raises `ValueError` for an unknown property, grain or
    name in the budget.
    """
    is_sought = search_target(options.property, options.acks)
    if options.grain not in GRAINS:
        raise ValueError(f"there is no grain '{options.grain}'; grains are {', '.join(GRAINS)}")
    if options.grain == "exchange":
        raise ValueError("a search at the grain of exchanges is not possible yet")
    for kind in options.budget:
        if kind not in BUDGET_NAMES:
            raise ValueError(
                f"there is no fault '{kind}'; a budget may name {', '.join(BUDGET_NAMES)}"
            )
    scope = scope_of(start.cluster, options.grain, options.budget, options.acks)
    running = _Search(options, scope, is_sought, clock, watch)
    try:
        return running.run(start)
    except KeyboardInterrupt:
        return running.cut("interrupt")


class _Search:
    def __init__(
        self,
        options: SearchOptions,
        scope: SearchScope,
        is_sought: IsSought,
        clock: Callable[[], float] | None,
        watch: SearchWatch | None,
    ) -> None:
        self._options = options
        self._scope = scope
        self._is_sought = is_sought
        self._clock = clock
        self._watch = watch
        self._deadline = (
            None if clock is None or options.seconds is None else clock() + options.seconds
        )
        self._seen: set[int] = set()
        self._depth = 0
        self._transitions = 0
        self._turns = 0
        self._exercised = False
        self._sources: tuple[Source, ...] = ()
        self._left_out = False
        """Whether a step was abandoned because it has too many actions."""

    def run(self, start: Frame) -> SearchResult:
        root = _Node(
            start.cluster, start.history, start.verdicts, whole_budget(self._options.budget), ()
        )
        self._exercised = _is_exercised(root.verdicts, self._options.property)
        self._sources = sources(start.cluster, self._options.grain, self._options.acks)
        if self._is_sought(root.verdicts, root.cluster):
            return self._violated(())
        self._seen.add(_key(root))
        level = [root]
        for depth in range(1, self._options.max_depth + 1):
            self._depth = depth
            following: list[_Node] = []
            for node in level:
                for move, left in allowed_moves(self._sources, node.cluster, node.left):
                    limit = self._limit_reached()
                    if limit is not None:
                        return self.cut(limit)
                    after = self._play(node, move, left)
                    if after is None:
                        continue
                    if after.is_violated:
                        return self._violated(after.steps)
                    key = _key(after)
                    if key not in self._seen:
                        self._seen.add(key)
                        following.append(after)
            if not following:
                return self._none("actions" if self._left_out else None)
            level = following
        return self._none("depth")

    def _limit_reached(self) -> SearchLimit | None:
        if len(self._seen) >= self._options.max_states:
            return "states"
        self._turns += 1
        if self._turns % _LOOK_AT_THE_CLOCK_EVERY:
            return None
        if self._watch is not None:
            self._watch(self._depth, len(self._seen), self._transitions)
        is_over = (
            self._deadline is not None
            and self._clock is not None
            and self._clock() >= self._deadline
        )
        return "cpu_seconds" if is_over else None

    def _play(self, node: _Node, move: Move, left: Budget) -> _Node | None:
        frame = FrameNumber(len(node.steps) + 1)
        execution = StepExecution(node.cluster, frame, MOST_FRAMES_A_STEP)
        try:
            for step in move.steps:
                execute_step(execution, step)
        except RefusedError:
            return None
        except LimitReachedError:
            self._left_out = True
            return None
        history, verdicts = node.history, node.verdicts
        before = node.cluster
        is_violated = False
        for executed in execution.executed:
            self._transitions += 1
            after = executed.transition.cluster
            within = after_elections(left, before, after)
            if within is None:
                return None
            left = within
            history = observe(history, before, after, frame)
            verdicts = evaluate(history, after, frame, verdicts)
            if not self._exercised:
                self._exercised = _is_exercised(verdicts, self._options.property)
            is_violated = is_violated or self._is_sought(verdicts, after)
            before = after
        return _Node(
            execution.cluster, history, verdicts, left, (*node.steps, *move.steps), is_violated
        )

    def cut(self, limit: SearchLimit) -> SearchResult:
        """Return what was searched before a limit ended the search."""
        return self._result("cut", limit)

    def _none(self, limit: SearchLimit | None) -> SearchResult:
        return self._result("none_within_bound" if self._exercised else "not_exercised", limit)

    def _violated(self, steps: tuple[Happening, ...]) -> SearchResult:
        self._exercised = True
        return self._result("violated", None, steps)

    def _result(
        self, verdict: SearchOutcome, limit: SearchLimit | None, steps: tuple[Happening, ...] = ()
    ) -> SearchResult:
        return SearchResult(
            verdict=verdict,
            complete=verdict != "violated" and limit is None,
            limit=limit,
            exercised=self._exercised,
            depth=self._depth,
            states=len(self._seen),
            transitions=self._transitions,
            scope=self._scope,
            steps=tuple(step.as_step() for step in steps),
        )


def _is_exercised(verdicts: Verdicts, property_name: str) -> bool:
    return verdicts[property_name].status != "not_exercised"


def _key(node: _Node) -> int:
    return hash((state_key(node.cluster), node.left))

"""Breadth first over the steps that a person could take, within a budget of faults.

The search is one more driver of the engine's one function: it picks among enabled steps, plays each
on the side, and looks at one property. The first violation found is one of the shortest, counted in
steps. What it has not looked at it says: the depth and the states it reached, and whether it was
cut short.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, cast

from msgspec import Struct, field
from msgspec.structs import replace

from sim_engine.actions import (
    STEPS,
    Crash,
    Deliver,
    Detect,
    Drop,
    Elect,
    Fetch,
    Happening,
    Heal,
    Hold,
    Isolate,
    OneBroker,
    PowerLoss,
    Produce,
    Release,
    Resume,
    Start,
    name_of,
)
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId, FrameNumber
from sim_engine.invariants import PROPERTY_NAMES, History, Verdict, evaluate, observe
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import late_request
from sim_engine.simulation.autoplay import delivery_of, observable
from sim_engine.simulation.performing.late_metadata import is_metadata_held, waiting_records
from sim_engine.simulation.play import Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step
from sim_engine.simulation.timeline import Frame

FAULTS_UNASKED = tuple(
    kind for kind in STEPS if kind.befalls is not None and issubclass(kind, OneBroker)
)
UNCLEAN = "unclean"
FAULT_KINDS = (
    *(name_of(kind) for kind in FAULTS_UNASKED),
    *(name_of(kind) for kind in (Isolate, Drop, Hold)),
    UNCLEAN,
    name_of(Produce),
)
"""What a budget may name: how often each may happen on one path. `drop` is a lost fetch answer,
`hold` a broker that reads its metadata late, in deliveries of any size (KRaft)."""

DEFAULT_BUDGET: Mapping[str, int] = {
    name_of(Crash): 2,
    name_of(PowerLoss): 1,
    name_of(Drop): 1,
    name_of(Hold): 1,
    name_of(Produce): 2,
}
MOST_FRAMES_A_STEP = 200
GRAIN = "step"

SearchWatch = Callable[[int, int, int], None]
"""Told the depth that is looked at, and how many states and transitions there were so far."""


class SearchOptions(Struct, frozen=True, kw_only=True):
    """What to look for, and how far.

    `seconds` and `clock` cut the search by time; without a clock only depth and states bound it.
    """

    property: str
    max_depth: int = 12
    max_states: int = 200_000
    budget: Mapping[str, int] = field(default_factory=lambda: DEFAULT_BUDGET)
    seconds: float | None = None


class SearchResult(Struct, frozen=True, kw_only=True):
    """What the search came to. `steps` is the counterexample as a scenario file says it; where none
    was found it is empty."""

    verdict: Literal["violated", "none_within_bound", "cut"]
    depth: int
    states: int
    transitions: int
    steps: tuple[dict[str, object], ...] = ()


class _Node(Struct, frozen=True):
    cluster: ClusterState
    history: History
    verdicts: tuple[Verdict, ...]
    spent: tuple[int, ...]
    steps: tuple[Happening, ...]
    is_violated: bool = False
    """Whether the property that is looked for was violated at its last step, however briefly."""


def search(
    start: Frame,
    options: SearchOptions,
    clock: Callable[[], float] | None = None,
    watch: SearchWatch | None = None,
) -> SearchResult:
    """Look for a way from a frame to a violation of a property.

    `watch` is told now and again how far it has come; it must not take long.
    Raises `ValueError` for a property or a fault that does not exist.
    """
    if options.property not in PROPERTY_NAMES:
        raise ValueError(
            f"there is no property '{options.property}'; properties are {', '.join(PROPERTY_NAMES)}"
        )
    for kind in options.budget:
        if kind not in FAULT_KINDS:
            raise ValueError(f"there is no fault '{kind}'; faults are {', '.join(FAULT_KINDS)}")
    return _Search(options, clock, watch).run(start)


class _Search:
    def __init__(
        self, options: SearchOptions, clock: Callable[[], float] | None, watch: SearchWatch | None
    ) -> None:
        self._options = options
        self._clock = clock
        self._watch = watch
        self._deadline = (
            None if clock is None or options.seconds is None else clock() + options.seconds
        )
        self._index = PROPERTY_NAMES.index(options.property)
        self._seen: set[int] = set()
        self._transitions = 0

    def run(self, start: Frame) -> SearchResult:
        root = _Node(
            start.cluster,
            start.history,
            start.verdicts,
            tuple(self._options.budget.get(kind, 0) for kind in FAULT_KINDS),
            (),
        )
        if root.verdicts[self._index].status == "violated":
            return self._result("violated", 0)
        self._seen.add(_key(root))
        level = [root]
        for depth in range(1, self._options.max_depth + 1):
            following: list[_Node] = []
            for node in level:
                for step, spent in _steps(node):
                    if self._is_over():
                        return self._result("cut", depth)
                    if self._watch is not None and self._transitions % 64 == 0:
                        self._watch(depth, len(self._seen), self._transitions)
                    after = self._play(node, step, spent)
                    if after is None:
                        continue
                    if after.is_violated:
                        return self._result("violated", depth, after.steps)
                    key = _key(after)
                    if key not in self._seen:
                        self._seen.add(key)
                        following.append(after)
            if not following:
                return self._result("none_within_bound", depth)
            level = following
        return self._result("none_within_bound", self._options.max_depth)

    def _is_over(self) -> bool:
        if len(self._seen) >= self._options.max_states:
            return True
        return (
            self._deadline is not None
            and self._clock is not None
            and self._transitions % 64 == 0
            and self._clock() >= self._deadline
        )

    def _play(self, node: _Node, step: Happening, spent: tuple[int, ...]) -> _Node | None:
        frame = FrameNumber(len(node.steps) + 1)
        play = Play(node.cluster, frame, MOST_FRAMES_A_STEP)
        try:
            play_step(play, step)
        except RefusedError:
            return None
        history, verdicts = node.history, node.verdicts
        before = node.cluster
        is_violated = False
        for played in play.played:
            self._transitions += 1
            after = played.transition.cluster
            history = observe(history, before, after, frame)
            verdicts = evaluate(history, after, frame, verdicts)
            is_violated = is_violated or verdicts[self._index].status == "violated"
            before = after
        return _Node(play.cluster, history, verdicts, spent, (*node.steps, step), is_violated)

    def _result(
        self,
        verdict: Literal["violated", "none_within_bound", "cut"],
        depth: int,
        steps: tuple[Happening, ...] = (),
    ) -> SearchResult:
        return SearchResult(
            verdict=verdict,
            depth=depth,
            states=len(self._seen),
            transitions=self._transitions,
            steps=tuple(step.as_step() for step in steps),
        )


def _key(node: _Node) -> int:
    """What two nodes are told apart by: the cluster without times and frame numbers, what clients
    were told and read, what brokers have yet to read, and what of the budget is left."""
    seen = observable(node.cluster)
    unread = tuple(
        (message.receiver, message.payload, message.held)
        for message in node.cluster.messages
        if message.kind == METADATA_RECORD
    )
    clients = node.cluster.clients
    told = tuple((record.id, record.outcome) for record in clients.produced)
    read = tuple((record.consumer, record.offset, record.id) for record in clients.consumed)
    network = (node.cluster.links_cut, node.cluster.network_holds, unread)
    return hash((seen[0], seen[1], seen[3], told, read, node.spent, network))


def _steps(node: _Node) -> Iterator[tuple[Happening, tuple[int, ...]]]:
    """The steps to try after a node, each with the budget that is left after it."""
    for step in _possible(node.cluster):
        kind = _budgeted_as(step)
        if kind is None:
            yield step, node.spent
            continue
        index = FAULT_KINDS.index(kind)
        left = node.spent[index]
        if left > 0:
            yield step, (*node.spent[:index], left - 1, *node.spent[index + 1 :])


def _budgeted_as(step: Happening) -> str | None:
    """What of a budget a step takes; null where it is free."""
    if isinstance(step, Fetch):
        return None if step.drop is None else name_of(Drop)
    if isinstance(step, Elect):
        return UNCLEAN if step.kind == "unclean" else None
    name = name_of(type(step))
    return name if name in FAULT_KINDS else None


def _possible(cluster: ClusterState) -> Iterator[Happening]:
    """The alphabet of the search in one state, whatever the budget."""
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        yield Detect(broker=broker_id)
        if broker.alive:
            for replica in broker.replicas:
                if replica.fetcher is None:
                    continue
                fetch = Fetch(broker=broker_id, partition=replica.partition)
                yield fetch
                yield replace(fetch, drop="response")
            yield from _befalling("process", broker_id)
            yield Isolate(broker=broker_id, from_=CONTROLLER)
        else:
            yield Start(broker=broker_id)
        if broker.process == "paused":
            yield Resume(broker=broker_id)
        yield from _befalling("machine", broker_id)
        if any(broker_id in link for link in cluster.links_cut):
            yield Heal(broker=broker_id)
        if broker.alive and cluster.controller_kind.has_metadata_log:
            yield from _late_metadata(cluster, broker_id)
    for partition in cluster.partitions:
        value = f"s{len(cluster.clients.produced) + 1}"
        yield Produce(to=partition, values=(value,), as_="searcher")
        yield Elect(partition=partition, kind="preferred")
        yield Elect(partition=partition, kind="unclean")
    for message in cluster.messages:
        if message.kind.startswith("alter_partition"):
            yield replace(delivery_of(message), partition=None)
        elif _is_late_answer(cluster, message):
            yield delivery_of(message)


def _is_late_answer(cluster: ClusterState, message: Message) -> bool:
    """Whether a follower's thread waits for this answer since an earlier fetch loop.

    A `fetch` would take it too, but go on with rounds that may mend what it did.
    """
    if not isinstance(message.receiver, int) or message.partition is None or message.held:
        return False
    replica = cluster.broker(message.receiver).replica(message.partition)
    if replica is None or message.in_reply_to is None:
        return False
    return late_request(replica, message.in_reply_to) is not None


def _late_metadata(cluster: ClusterState, broker_id: BrokerId) -> Iterator[Happening]:
    """A broker's metadata is held back; then it reads one record, or all that have come since."""
    if not is_metadata_held(cluster, broker_id):
        yield Hold(kind=METADATA_RECORD, to=broker_id)
        return
    waiting = len(waiting_records(cluster, broker_id))
    for records in sorted({1, waiting}) if waiting else ():
        yield Deliver(kind=METADATA_RECORD, to=broker_id, records=records)
    yield Release(kind=METADATA_RECORD, to=broker_id)


def _befalling(what: Literal["process", "machine"], broker_id: BrokerId) -> Iterator[Happening]:
    """Every fault that befalls a broker unasked."""
    for kind in FAULTS_UNASKED:
        if kind.befalls == what:
            yield cast("Happening", kind(broker=broker_id))

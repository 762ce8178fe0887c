"""The effects of actions on the states of a search, and the moves that are offered in one.

The effect of an action is computed by the engine's own functions, once for the values of the parts
that they read (`recorded.py`), and looked up from then on. So is what the sources of moves offer.
"""

from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeVar, cast

from sim_engine.actions.steps import Action, Config, Deliver, Happening, PowerLoss, TimeStep
from sim_engine.cluster.state import ClusterState
from sim_engine.events.controller import LeaderElected
from sim_engine.exploration.alphabet import BUDGET_NAMES, Grain, sources
from sim_engine.exploration.canonical import (
    REQUESTS,
    first_number,
    numbers_in_use,
    renumbered,
    with_number,
)
from sim_engine.exploration.moves import READING_MESSAGES, Move, Source
from sim_engine.exploration.recorded import (
    FIRST_NEW_ID,
    THE_FRAME,
    Part,
    Reads,
    RecordedCluster,
    RecordedCopy,
)
from sim_engine.exploration.relevance import ANYTHING
from sim_engine.exploration.states import State, States, network_of, settings_of
from sim_engine.identifiers import Acks, BrokerId, TopicPartition
from sim_engine.invariants.fates import judge_fates
from sim_engine.invariants.observation import History
from sim_engine.invariants.safety import CheckedProperty
from sim_engine.narration import RefusedError
from sim_engine.protocol.controller.state import Controller
from sim_engine.simulation.performing.messages import matching, why_undeliverable
from sim_engine.simulation.receiving.arrival import receive
from sim_engine.simulation.step_execution import ExecutedAction, StepExecution
from sim_engine.simulation.step_expansion import EXPANSIONS, execute_step
from sim_engine.simulation.transition import PRIMITIVES, Transition

_Effect = tuple[tuple[tuple[int, int], ...], tuple[int, ...] | None, tuple[int, ...]]
"""What an action changes: places and their new integers, the messages if others than new ones have
changed, and the new messages.
"""
_NOTHING: _Effect = ((), None, ())


class _Acted(NamedTuple):
    """An action of a step: its effect, and the elections among its events."""

    effect: _Effect
    elections: tuple[LeaderElected, ...]


class _Performed(NamedTuple):
    """The effects of the actions of a step. If `judged`, they include the fates of records, which
    depend on every broker; else none of them changes the clients, if the property reads those.
    """

    effects: tuple[_Effect, ...]
    judged: bool

    def changes(self, part: int) -> bool:
        """Whether an action changes the part at this place."""
        return any(place == part for changes, _, _ in self.effects for place, _ in changes)


_MISSING = object()

MOST_FRAMES_A_STEP = 200


class StateSpace(States):
    """The states that can be reached from a cluster, and the effects of actions on them."""

    def __init__(
        self,
        start: ClusterState,
        history: History,
        watched: CheckedProperty,
        *,
        left: Sequence[int] | None = None,
        timed: bool = False,
        composed: bool = False,
        continued: bool = False,
    ) -> None:
        super().__init__(
            start, history, watched, left=left, timed=timed, composed=composed, continued=continued
        )
        self._effects: dict[Hashable, list[_Variant]] = {}
        self._in_steps: dict[Hashable, list[_Variant]] = {}
        self._normals: dict[int, int] = {}
        self._most = {*range(self._count), self._controller, self._messages}
        self._answers: dict[Hashable, list[_Variant]] = {}

    # --- effects -------------------------------------------------------------------------------

    def ask(
        self, state: State, key: Hashable, question: Callable[[ClusterState], object]
    ) -> object:
        """The answer to a question about a state, which must always be the same for one key."""

        def compute(recorded: RecordedCluster) -> object:
            return question(cast("ClusterState", recorded))

        return self._look_up(self._answers, state, key, compute)

    def play(
        self, state: State, step: Happening, needs: int = ANYTHING
    ) -> tuple[State, ...] | None:
        """The states after each action of a step, canonical for these needs, as `state` is; None if
        the step is refused.

        Raises `LimitReachedError` if the step has more than `MOST_FRAMES_A_STEP` actions.
        """
        if isinstance(step, TimeStep):
            return self._while_time_passes(state, step, needs)
        if type(step) not in EXPANSIONS:
            after = self.after(state, cast("Action", step), needs)
            return None if after is None else (after,)

        def perform(recorded: RecordedCluster) -> _Performed | None:
            try:
                performed = self._performed(state, recorded, step, judged=False)
                if self._reads_clients and performed.changes(self._clients):
                    return self._performed(state, recorded, step, judged=True)
            except RefusedError:
                return None
            return performed

        performed = self._look_up(self._effects, state, _key_of(step), perform)
        if performed is None:
            return None
        # A step that does nothing leads nowhere.
        return self._apply_all(state, cast("_Performed", performed), needs) or None

    def _performed(
        self, state: State, recorded: RecordedCluster, step: Happening, *, judged: bool
    ) -> "_Performed":
        execution = _RecordedExecution(self, state, recorded, judged=judged)
        execute_step(execution, step)
        return _Performed(tuple(execution.effects), judged)

    def _while_time_passes(
        self, before: State, step: Happening, needs: int
    ) -> tuple[State, ...] | None:
        """The states of a step that depends on every part, so that nothing of it is kept."""
        execution = StepExecution(self.cluster_of(before), THE_FRAME, MOST_FRAMES_A_STEP)
        try:
            execute_step(execution, step)
        except RefusedError:
            return None
        states: list[State] = []
        for cluster in (*(one.transition.cluster for one in execution.executed), execution.cluster):
            history = History(committed=self._histories[(states or [before])[-1][self._committed]])
            states.append(self._state_of(cluster, history, needs))
        return tuple(states)

    def _apply_all(self, before: State, step: "_Performed", needs: int) -> tuple[State, ...]:
        """The states after each of several effects. Each was computed for the cluster as the one
        before it left it, so only what the search adds is carried over from a canonical state: the
        committed records and, unless the effects have them, the fates of records.
        """
        states: list[State] = []
        plain: list[object] = list(before)
        for effect in step.effects:
            _change(plain, self._messages, effect)
            known = None if step.judged else (states or [before])[-1]
            state = [*plain]
            state[self._controller] = self._normal(cast("int", state[self._controller]))
            states.append(self._canonical(state, needs, known))
            plain[self._committed] = states[-1][self._committed]
            if self._reads_clients and not step.judged:
                plain[self._clients] = states[-1][self._clients]
        return tuple(states)

    def after(self, state: State, action: Action, needs: int) -> State | None:
        """The state after an action; None if it is refused."""
        if isinstance(action, Deliver) and action.records is None and not action.skip:
            return self._after_delivery(state, action, needs)

        def perform(recorded: RecordedCluster) -> _Effect | None:
            return self._effect_of(recorded, lambda work: PRIMITIVES[type(action)](work, action))

        effect = self._look_up(self._effects, state, _key_of(action), perform)
        return None if effect is None else self._apply(state, cast("_Effect", effect), needs)

    def _after_delivery(self, state: State, action: Deliver, needs: int) -> State | None:
        """As `deliver`: the oldest matching message that can arrive; its effect depends on the
        message and not on its place.
        """

        chosen = self._arriving(state, action)
        if chosen is None:
            return None
        arriving, others = chosen
        message = self._in_flight[arriving]
        rest = (*state[: self._messages], others, *state[self._messages + 1 :])

        def perform(recorded: RecordedCluster) -> _Effect | None:
            return self._effect_of(recorded, lambda work: receive(work, message))

        effect = self._look_up(self._effects, cast("State", rest), arriving, perform)
        if effect is None:
            return None
        return self._apply(cast("State", rest), cast("_Effect", effect), needs)

    def _arriving(
        self, state: State, action: Deliver, reads: Reads | None = None
    ) -> tuple[int, tuple[int, ...]] | None:
        """The message that a delivery delivers, and the other messages; None if none can arrive."""

        def choose(recorded: RecordedCluster) -> int | None:
            cluster = cast("ClusterState", recorded)
            messages = matching(cluster, action)
            free = [message for message in messages if not message.held] or messages
            for message in free:
                if why_undeliverable(cluster, message) is None:
                    return [one.id for one in cluster.messages].index(message.id)
            return None

        place = cast("int | None", self._look_up(self._answers, state, action, choose, reads))
        if place is None:
            return None
        numbers = cast("tuple[int, ...]", state[self._messages])
        return numbers[place], numbers[:place] + numbers[place + 1 :]

    def _look_up(
        self,
        kept: dict[Hashable, list["_Variant"]],
        state: State,
        key: Hashable,
        compute: Callable[[RecordedCluster], object],
        reads: Reads | None = None,
    ) -> object:
        """What is kept under a key for the values that it depends on; otherwise it is computed.
        What it depends on is added to `reads`.
        """
        variants = kept.get(key)
        if variants is None:
            variants = kept[key] = []
        for place, variant in enumerate(variants):
            found = variant.results.get(self._values_of(state, variant), _MISSING)
            if found is not _MISSING:
                if place:
                    # What was read last is likely to be read next.
                    variants[0], variants[place] = variant, variants[0]
                break
        else:
            read = Reads(self._count)
            found = compute(RecordedCluster(self.cluster_of(state), read))
            variant = self._variant(variants, read)
            if not self._most <= read.places:
                # Hardly another state has the same of everything.
                variant.results[self._values_of(state, variant)] = found
        if reads is not None:
            reads.places.update(variant.places)
            reads.senders.update(variant.senders)
        return found

    def _values_of(self, state: State, variant: "_Variant") -> object:
        values = None if variant.get is None else variant.get(state)
        if not variant.senders:
            return values
        return (values, *[self._used(state, sender) for sender in variant.senders])

    def _variant(self, variants: "list[_Variant]", reads: Reads) -> "_Variant":
        # A broker that was read as a whole includes its process.
        places = sorted(
            place
            for place in reads.places
            if not self._count <= place < 2 * self._count or place - self._count not in reads.places
        )
        senders = tuple(sorted(reads.senders))
        for variant in variants:
            if (variant.places, variant.senders) == (places, senders):
                return variant
        variants.append(_Variant(places, senders))
        return variants[-1]

    def _effect_of(
        self, recorded: RecordedCluster, perform: Callable[[RecordedCopy], None]
    ) -> _Effect | None:
        work = RecordedCopy(recorded)
        try:
            perform(work)
        except RefusedError:
            return None
        return self._effect(recorded.base, work.recorded, self._controller_number)

    def _effect(
        self,
        before: ClusterState,
        done: RecordedCluster,
        controller_number: Callable[[Controller], int],
    ) -> _Effect:
        """The effect of an action, of which `done` is the result."""
        after = done.base
        numbers = self._new_numbers(before, done)
        brokers = [renumbered(broker, numbers) for broker in after.brokers]
        changes: list[tuple[int, int]] = [
            (place, self._brokers.number(now))
            for place, (was, now) in enumerate(zip(before.brokers, brokers, strict=True))
            if was is not now
        ]
        if before.controller is not after.controller:
            changes.append((self._controller, controller_number(after.controller)))
        if before.clients is not after.clients:
            changes.append((self._clients, self._all_clients.number(after.clients)))
        if network_of(before) != network_of(after):
            changes.append((self._network, self._networks.number(network_of(after))))
        if settings_of(before) != settings_of(after):
            changes.append((self._settings, self._all_settings.number(settings_of(after))))
        whole: tuple[int, ...] | None = None
        if before.messages is not after.messages:
            messages = [with_number(one, numbers) for one in after.messages]
            whole = tuple([self._message_number(one) for one in messages])
        added = [self._message_number(with_number(one, numbers)) for one in done.added]
        return tuple(changes), whole, tuple(added)

    def act_in_step(self, state: State, action: Action, reads: Reads) -> "_Acted":
        """The effect of an action of a step, on a state that other actions of the step may have
        changed, so that it is not canonical. What the action reads is added to `reads`. Raises
        `RefusedError` if the action is not possible.

        The controller of the effect has the offset that it has reached: see `_normal`. No step
        loses contact with two brokers one after the other.
        """
        if isinstance(action, Deliver) and action.records is None and not action.skip:
            chosen = self._arriving(state, action, reads)
            if chosen is not None:
                arriving, others = chosen
                message = self._in_flight[arriving]
                rest = cast(
                    "State", (*state[: self._messages], others, *state[self._messages + 1 :])
                )
                acted = self._acted(rest, arriving, lambda work: receive(work, message), reads)
                changes, whole, added = acted.effect
                return acted._replace(effect=(changes, others if whole is None else whole, added))
        return self._acted(
            state, _key_of(action), lambda work: PRIMITIVES[type(action)](work, action), reads
        )

    def _acted(
        self, state: State, key: Hashable, perform: Callable[[RecordedCopy], None], reads: Reads
    ) -> "_Acted":
        def compute(recorded: RecordedCluster) -> _Acted:
            work = RecordedCopy(recorded)
            try:
                perform(work)
            except RefusedError:
                reads.add_all(recorded.reads)
                raise
            done = work.recorded
            return _Acted(
                self._effect(recorded.base, done, self._controllers.number),
                tuple(event for event in work.events if isinstance(event, LeaderElected)),
            )

        return cast("_Acted", self._look_up(self._in_steps, state, key, compute, reads))

    def with_effect(self, state: State, effect: _Effect) -> State:
        """The state after an effect; it is not canonical."""
        changed: list[object] = list(state)
        _change(changed, self._messages, effect)
        for place, number in effect[0]:
            if place < self._count:
                changed[self._count + place] = self._process_number(number)
        return cast("State", tuple(changed))

    def with_fates(self, before: State, effect: _Effect, reads: Reads) -> _Effect:
        """The effect of an action of a step with the fates of records."""
        after = self.with_effect(before, effect)
        reads.add(Part.CLIENTS)
        if not self._all_clients[after[self._clients]].produced:
            return effect
        reads.add_everything()
        judged, _ = judge_fates(self.cluster_of(before), self.cluster_of(after), THE_FRAME)
        changes, whole, added = effect
        number = self._all_clients.number(judged.clients)
        return (*changes, (self._clients, number)), whole, added

    def _normal(self, controller: int) -> int:
        """The number of a controller with the offset that it has in every state."""
        known = self._normals.get(controller)
        if known is None:
            known = self._controller_number(self._controllers[controller])
            self._normals[controller] = known
        return known

    def _new_numbers(self, before: ClusterState, done: RecordedCluster) -> dict[int, int]:
        """The numbers of the requests that an action has sent: the lowest that their senders do not
        use.
        """
        numbers: dict[int, int] = {}
        used: dict[BrokerId, set[int]] = {}
        for message in (*done.base.messages, *done.added):
            if message.id < FIRST_NEW_ID or message.kind not in REQUESTS:
                continue
            sender = message.sending_broker
            if sender not in used:
                done.reads.senders.add(sender)
                used[sender] = set(numbers_in_use(before, sender))
            number = first_number(sender, used[sender])
            used[sender].add(number)
            numbers[message.id] = number
        return numbers

    def _apply(self, state: State, effect: _Effect, needs: int) -> State:
        if effect == _NOTHING:
            return state
        changed: list[object] = list(state)
        _change(changed, self._messages, effect)
        return self._canonical(changed, needs, state)


def _change(state: list[object], messages: int, effect: _Effect) -> None:
    changes, whole, added = effect
    for place, number in changes:
        state[place] = number
    if whole is not None:
        state[messages] = whole
    if added:
        state[messages] = (*cast("tuple[int, ...]", state[messages]), *added)


class _RecordedExecution(StepExecution):
    """The actions of a step on a recorded cluster: it keeps the effect of each."""

    def __init__(
        self, space: StateSpace, state: State, cluster: RecordedCluster, *, judged: bool
    ) -> None:
        super().__init__(cast("ClusterState", cluster), THE_FRAME, MOST_FRAMES_A_STEP)
        self._space = space
        self._state = state
        self._recorded = cluster
        self._judged = judged
        self._rounds: set[tuple[BrokerId, TopicPartition]] = set()
        self.effects: list[_Effect] = []

    def act(self, action: Action) -> Transition:
        """Perform one action."""
        reads = self._recorded.reads
        acted = self._space.act_in_step(self._state, action, reads)
        effect = acted.effect
        if self._judged:
            effect = self._space.with_fates(self._state, effect, reads)
        self._state = self._space.with_effect(self._state, effect)
        self._recorded = RecordedCluster(self._space.cluster_of(self._state), reads)
        transition = Transition(cast("ClusterState", self._recorded), acted.elections)
        self._keep(ExecutedAction(action, transition))
        self.effects.append(effect)
        return transition

    def act_quietly(self, action: Action) -> bool:
        """Perform an action that may have no visible effect."""
        self.act(action)
        return True

    def is_shown(self, broker_id: BrokerId, partition: TopicPartition) -> bool:
        """Whether a follower's next round repeats. Only a second round can."""
        if (broker_id, partition) in self._rounds:
            self._recorded.reads.add_everything()
        self._rounds.add((broker_id, partition))
        base = self._recorded.base
        return self.loops.begin(base, broker_id, partition) is not None

    def trial(self) -> "_RecordedExecution":
        """An execution from here whose actions do not count until `adopt`."""
        return _RecordedExecution(self._space, self._state, self._recorded, judged=self._judged)

    def adopt(self, trial: StepExecution) -> None:
        """Adopt everything that a trial did."""
        assert isinstance(trial, _RecordedExecution), "made by `trial`"
        super().adopt(trial)
        self.effects += trial.effects
        self._state, self._recorded = trial._state, trial._recorded


class _Variant:
    """The results of what read the same parts: by the values of some places of a state, and by the
    requests that some senders have in flight.
    """

    __slots__ = ("get", "places", "results", "senders")

    def __init__(self, places: list[int], senders: tuple[BrokerId, ...]) -> None:
        self.places = places
        self.senders = senders
        self.get = itemgetter(*places) if places else None
        self.results: dict[object, object] = {}


def _key_of(step: Happening | Action) -> Hashable:
    """A step as a key: one with a mapping is not hashable, its text is."""
    return step if not isinstance(step, Config | PowerLoss) else repr(step)


Offered = tuple[Move, int | None, int | None]
"""A move, the entry of the budget that it uses, and the entry that it needs."""

_Value = TypeVar("_Value", bound=Hashable)


class Offering:
    """Sources that read much the same parts, so that they are asked together."""

    def __init__(self, of: Sequence[Source]) -> None:
        self._sources = of
        self._kept: dict[Hashable, Hashable] = {}

    def offered(self, space: StateSpace, state: State) -> tuple[Offered, ...]:
        """What they offer in a state, whatever is left of the budget."""
        return cast("tuple[Offered, ...]", space.ask(state, id(self), self._ask))

    def _ask(self, cluster: ClusterState) -> tuple[Offered, ...]:
        offered = tuple(
            [
                self._once((move, _index(move.budget), _index(source.needs)))
                for source in self._sources
                for move in source.moves(cluster)
            ]
        )
        return self._once(offered)

    def _once(self, value: _Value) -> _Value:
        """The same object for equal values: many states offer the same."""
        try:
            return cast("_Value", self._kept.setdefault(value, value))
        except TypeError:  # a power loss that keeps some records is not hashable
            return value


def offering(
    start: ClusterState, grain: Grain, acks: Acks, budget: Sequence[int]
) -> tuple[Offering, ...]:
    """The sources that a search with this budget uses, by what they are about."""
    by_subject: dict[object, list[Source]] = {}
    for source in sources(start, grain, acks):
        if any(
            index is not None and not budget[index]
            for index in (_index(source.budget), _index(source.needs))
        ):
            continue
        subject = source.subject[:1]
        about = "messages" if source.offer in READING_MESSAGES else subject
        by_subject.setdefault(about, []).append(source)
    return tuple(Offering(group) for group in by_subject.values())


def _index(kind: str | None) -> int | None:
    return None if kind is None else BUDGET_NAMES.index(kind)

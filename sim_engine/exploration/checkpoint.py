"""How far a search is, so that it can go on later, also in a different process.

A checkpoint has every state, the move that led to it, and what was left of the budget. The parts of
states, the moves and the budgets are each kept once, and stand in a state as their numbers.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Annotated, Generic, Literal, NamedTuple, TypeVar, cast

from msgspec import Meta, Struct

from sim_engine.actions.steps import Happening
from sim_engine.exploration.alphabet import BUDGET_NAMES, Grain
from sim_engine.exploration.states import State, States
from sim_engine.identifiers import ENGINE_VERSION, Acks
from sim_engine.simulation.timeline import Frame

Path = tuple[Happening, ...]
"""The steps of a move."""
Left = tuple[int, ...]
"""What is left of a budget."""

LeftOut = Literal["actions", "unconfirmed", "undecided"]
"""Why a search left something out within its limits: see `SearchLimit`."""


class SearchQuestion(Struct, frozen=True, kw_only=True):
    """What a search asks. Its limits are not part of it, so it can go on with higher ones."""

    engine: str
    kafka: str
    control: str
    property: str
    grain: Grain
    budget: Mapping[str, int]
    acks: Acks
    start: str
    """A digest of the state in which it starts."""


class Position(Struct, frozen=True, kw_only=True):
    """How far a search is: everything was tried from the first `done` states of the level before
    `depth`.
    """

    depth: int
    done: int
    states: int
    transitions: int
    exercised: bool
    left_out: LeftOut | None


Number = Annotated[int, Meta(ge=0)]
Part = Number | tuple[Number, ...]
"""The number of a part of a state; of the messages, one number for each."""


class KeptState(NamedTuple):
    """A state: the number of the state before it, and the numbers of the move, of what is left of
    the budget, and of its parts.
    """

    before: Number
    move: Number
    left: Number
    parts: tuple[Part, ...]


class Progress(Struct, frozen=True, kw_only=True):
    """What a search did since the checkpoint before: the new states, and what is new in them.

    `values` are parts of states, each with its place. Numbers count those of all checkpoints.
    """

    position: Position
    values: Sequence[tuple[int, object]]
    moves: Sequence[Path]
    lefts: Sequence[Left]
    states: Sequence[KeptState]


class CheckpointError(ValueError):
    """A checkpoint that does not fit the search; its argument is a sentence without its place."""


class Checkpoints(ABC):
    """Where a search keeps how far it is."""

    @abstractmethod
    def kept(
        self, question: SearchQuestion, type_at: Callable[[int], object]
    ) -> Sequence[Progress]:
        """Everything that was kept, in order; empty for a new search. `type_at` gives the type of
        the values at a place. Raises `CheckpointError`.
        """

    @abstractmethod
    def is_due(self) -> bool:
        """Whether it is time to keep something. It is asked often."""

    @abstractmethod
    def keep(self, progress: Progress) -> None:
        """Keep what the search did since the last time."""


def question_of(
    start: Frame, *, property_name: str, grain: Grain, budget: Mapping[str, int], acks: Acks
) -> SearchQuestion:
    """What a search asks that starts from a frame."""
    profile = start.cluster.profile
    text = repr((start.cluster, start.history.committed)).encode()
    return SearchQuestion(
        engine=ENGINE_VERSION,
        kafka=profile.kafka,
        control=profile.control,
        property=property_name,
        grain=grain,
        budget={name: budget[name] for name in sorted(budget)},
        acks=acks,
        start=blake2b(text, digest_size=8).hexdigest(),
    )


class NewState(NamedTuple):
    """A state that a search has taken, the number of the one before it, and the move."""

    state: State
    left: Left
    before: int
    move: Path


class Kept:
    """The states of all checkpoints of a search, for its space. Raises `CheckpointError`."""

    def __init__(self, progress: Sequence[Progress], space: States) -> None:
        self.position = progress[-1].position
        self.moves = [move for one in progress for move in one.moves]
        self.lefts = [left for one in progress for left in one.lefts]
        values = [value for one in progress for value in one.values]
        self.values = [(place, space.number_at(place, value)) for place, value in values]
        self._states = [state for one in progress for state in one.states]
        self._shape = space.start
        if len(self._states) != self.position.states - 1:
            raise CheckpointError("states are missing")
        if any(len(left) != len(BUDGET_NAMES) for left in self.lefts):
            raise CheckpointError("a budget of a state has too few entries, or too many")

    def states(self) -> Iterator[NewState]:
        """Every state, in the order in which it was taken."""
        for state in self._states:
            try:
                parts = tuple(self._number(place, part) for place, part in enumerate(state.parts))
                left, move = self.lefts[state.left], self.moves[state.move]
            except IndexError:
                raise CheckpointError("a state has unknown parts") from None
            if [*map(type, parts)] != [*map(type, self._shape)]:
                raise CheckpointError("a state has too few parts, or too many")
            yield NewState(cast("State", parts), left, state.before, move)

    def _number(self, place: int, part: Part) -> Part:
        numbers = part if isinstance(part, tuple) else (part,)
        found = [self.values[number] for number in numbers]
        if any(where != place for where, _ in found):
            raise CheckpointError("a part of a state belongs to a different place")
        return tuple([number for _, number in found]) if isinstance(part, tuple) else found[0][1]


class Keeping:
    """Keeps the states of a search as it goes on."""

    def __init__(self, checkpoints: Checkpoints, space: States, kept: Kept | None) -> None:
        self._checkpoints = checkpoints
        self._space = space
        self._last = None if kept is None else kept.position
        self._values = _Numbers[tuple[int, int]](() if kept is None else kept.values)
        self._moves = _Numbers[Path](() if kept is None else map(repr, kept.moves))
        self._lefts = _Numbers[Left](() if kept is None else kept.lefts)
        self.is_due = checkpoints.is_due

    def keep(self, position: Position, taken: list[NewState]) -> None:
        """Keep a position, and the states before it. They are removed from `taken`, which has those
        since the last time.
        """
        if position == self._last:
            return
        every = (self._values, self._moves, self._lefts)
        for numbers in every:
            numbers.drop_new()
        count = position.states - (1 if self._last is None else self._last.states)
        states = [self._packed(one) for one in taken[:count]]
        self._checkpoints.keep(
            Progress(
                position=position,
                values=[(place, self._space.value_at(place, at)) for place, at in self._values.new],
                moves=self._moves.new,
                lefts=self._lefts.new,
                states=states,
            )
        )
        for numbers in every:
            numbers.commit()
        del taken[:count]
        self._last = position

    def _packed(self, one: NewState) -> KeptState:
        parts = tuple(
            [
                tuple([self._value(place, each) for each in part])
                if isinstance(part, tuple)
                else self._value(place, part)
                for place, part in enumerate(cast("tuple[Part, ...]", one.state))
            ]
        )
        move = self._moves.number(repr(one.move), one.move)
        return KeptState(one.before, move, self._lefts.number(one.left, one.left), parts)

    def _value(self, place: int, number: int) -> int:
        return self._values.number((place, number), (place, number))


_Item = TypeVar("_Item")


class _Numbers(Generic[_Item]):
    """Numbers of what is kept once. `new` is what has no checkpoint yet."""

    def __init__(self, known: Iterable[Hashable]) -> None:
        self._numbers = {key: number for number, key in enumerate(known)}
        self._keys: list[Hashable] = []
        self.new: list[_Item] = []

    def number(self, key: Hashable, item: _Item) -> int:
        """The number of an item, by its key."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._numbers)
            self.new.append(item)
            self._keys.append(key)
        return number

    def drop_new(self) -> None:
        """Forget what has no checkpoint: the last one was interrupted."""
        for key in self._keys:
            del self._numbers[key]
        self.commit()

    def commit(self) -> None:
        """Note that everything has a checkpoint."""
        self._keys, self.new = [], []

"""What the sources of a search offer in a state: asked once for the parts that they read."""

from collections.abc import Hashable, Sequence
from typing import TypeVar, cast

from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.alphabet import BUDGET_NAMES, Grain, sources
from sim_engine.exploration.moves import READING_MESSAGES, Move, Source
from sim_engine.exploration.state_space import StateSpace
from sim_engine.exploration.states import State
from sim_engine.identifiers import Acks

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

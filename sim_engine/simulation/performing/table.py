"""The table from actions to the functions that perform them, which each module has a part of."""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from sim_engine.actions import StepStruct
from sim_engine.simulation.turn import Turn

A = TypeVar("A", bound=StepStruct)

Performer: TypeAlias = Callable[[Turn, StepStruct], None]
Entry: TypeAlias = tuple[type[StepStruct], Performer]
"""A kind of action, and what performs it."""


def performs(kind: type[A], function: Callable[[Turn, A], None]) -> Entry:
    """The entry that says: `function` performs actions of this kind.

    The type checker refuses a function of another kind.
    """

    def perform(turn: Turn, action: StepStruct) -> None:
        assert isinstance(action, kind), "the table is looked up by the action's class"
        function(turn, action)

    return kind, perform

"""The type of the tables from actions to functions, of which each module has a part."""

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias, TypeVar

from sim_engine.actions import StepStruct
from sim_engine.simulation.working_copy import WorkingCopy

A = TypeVar("A", bound=StepStruct)

Performer: TypeAlias = Callable[[WorkingCopy, StepStruct], None]
Entry: TypeAlias = tuple[type[StepStruct], Performer]
"""A class of actions, and the function that performs it."""


def performs(kind: type[A], function: Callable[[WorkingCopy, A], None]) -> Entry:
    """A table entry: `function` performs actions of this class, and may change the part of the
    working copy that it takes.

    The type checker rejects a function for a different class, and one that takes what a working
    copy does not have.
    """

    @wraps(function)
    def perform(work: WorkingCopy, action: StepStruct) -> None:
        assert isinstance(action, kind), "the table is looked up by the action's class"
        function(work, action)

    return kind, perform

"""Typed tables from classes to functions.

Each function in such a table takes only its own class, but a mapping has one type for all of its
values. `for_class` creates an entry: the type checker compares its class with the function's
argument, and the table's function accepts any object.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

Context = TypeVar("Context")
Kind = TypeVar("Kind")
Rest = ParamSpec("Rest")
Result = TypeVar("Result")


def for_class(
    kind: type[Kind], function: Callable[Concatenate[Context, Kind, Rest], Result]
) -> tuple[type[object], Callable[Concatenate[Context, object, Rest], Result]]:
    """Return a table entry, whose function is called with objects of this class.

    The object is the second argument; the first is the context that the function works on. The type
    checker rejects a function for a different class.
    """

    @wraps(function)
    def call(context: Context, one: object, /, *args: Rest.args, **named: Rest.kwargs) -> Result:
        assert isinstance(one, kind), "the table is looked up by the object's class"
        return function(context, one, *args, **named)

    return kind, call

"""The one thing that the type of a table of functions, one for each class, cannot say."""

from typing import Any, TypeAlias

OwnClass: TypeAlias = Any
"""The parameter by whose class a function is looked up: each takes its own class, and nobody calls
it with another. A mapping from classes to functions has one type for all of its values."""

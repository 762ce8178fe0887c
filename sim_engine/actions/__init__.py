"""Every action of the engine and every step of a scenario file: one struct each.

`Step` is the union of what a scenario file may contain, `Action` the union of what the engine
performs. All code that lists steps or actions iterates over these unions: the reader, the JSON
Schema, the table of transitions, the choices, searches, random schedules and the fault counts of a
share.
"""

from collections.abc import Mapping
from typing import cast, get_args

from sim_engine.actions.author_words import Words
from sim_engine.actions.base import StepStruct, name_of
from sim_engine.actions.steps import Action, Happening

Step = Happening | Words
"""The entries that a scenario file may contain, in the order of the format's documentation."""

STEPS = cast("tuple[type[StepStruct], ...]", get_args(Step))
ACTIONS = cast("tuple[type[StepStruct], ...]", get_args(Action))
STEP_NAMED: Mapping[str, type[StepStruct]] = {name_of(kind): kind for kind in STEPS}
WORD_NAMES = frozenset(name_of(kind) for kind in get_args(Words))
"""The entries of a scenario file that create no frame."""

"""A run told in steps: which frames are one step, what it is called, and what happened in it.

`steps.py` defines the steps, `facts.py` picks what is told of one, `telling.py` says it in every
language. All of it works on kinds, variants and numbers of events, which a frame that was stored
has as well as one that was just made.
"""

from sim_engine.story.facts import Happened
from sim_engine.story.steps import (
    MARKS,
    START,
    Act,
    Mark,
    Place,
    marks_of,
    place_after,
)
from sim_engine.story.telling import Setting, StoryStep, ToldFrame, WordMark, tell

__all__ = [
    "MARKS",
    "START",
    "Act",
    "Happened",
    "Mark",
    "Place",
    "Setting",
    "StoryStep",
    "ToldFrame",
    "WordMark",
    "marks_of",
    "place_after",
    "tell",
]

"""A run as a story of steps: the frames of each step, its title, and its summary.

`steps.py` defines the steps, `hindsight.py` omits events that the same step overtakes,
`event_groups.py` selects a frame's headline and the events that a summary names, `mark_counts.py`
counts what a step's marks stand for, and `step_texts.py` writes titles and summaries in every
language. All of them use only kinds, variants and values of events, which stored frames have as
well as new ones.
"""

from sim_engine.events.telling import MARKS, Mark
from sim_engine.story.event_groups import EventData, cause_of, headline_of
from sim_engine.story.step_texts import Setting, StoryFrame, StoryStep, WordMark, story_steps
from sim_engine.story.steps import NO_MARKS, START, Act, Place, marks_of, place_after

__all__ = [
    "MARKS",
    "NO_MARKS",
    "START",
    "Act",
    "EventData",
    "Mark",
    "Place",
    "Setting",
    "StoryFrame",
    "StoryStep",
    "WordMark",
    "cause_of",
    "headline_of",
    "marks_of",
    "place_after",
    "story_steps",
]

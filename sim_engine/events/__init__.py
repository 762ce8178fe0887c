"""What happened, as values: the one thing that narration, the stage and analytics read.

One frozen struct an event, in a module by what it is about. An event never guesses from states:
whoever made the change says so, with the numbers that it used and the rule that made it so. Texts
are found by an event's class and variant (`sim_engine.narration`); code matches the class.
"""

from sim_engine.events.base import Event, EventNumber, EventSubject
from sim_engine.events.declared import number_names, variants
from sim_engine.events.registry import EVENTS

__all__ = [
    "EVENTS",
    "Event",
    "EventNumber",
    "EventSubject",
    "number_names",
    "variants",
]

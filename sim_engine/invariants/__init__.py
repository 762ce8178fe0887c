"""The properties of every state of a run, each with a name, a sentence and a source.

The properties are evaluated after every action and never affect it. They read states, and ghost
state (`History`) that no broker could know. `safety.py` lists them.
"""

from sim_engine.invariants.fates import LOSS_CAUSES, Cause, Losses
from sim_engine.invariants.observation import History, observe, start_history
from sim_engine.invariants.safety import PROPERTY_NAMES, evaluate
from sim_engine.invariants.verdicts import PropertyDocument, Status, Verdicts

__all__ = [
    "LOSS_CAUSES",
    "PROPERTY_NAMES",
    "Cause",
    "History",
    "Losses",
    "PropertyDocument",
    "Status",
    "Verdicts",
    "evaluate",
    "observe",
    "start_history",
]

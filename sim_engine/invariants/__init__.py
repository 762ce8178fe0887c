"""What must hold in every state of a run: each property with a name, a sentence and its source.

The properties are read after every action and never take part in one: they see states, and ghost
state (`History`) that no broker could know. `safety.py` is the list.
"""

from sim_engine.invariants.history import History, observe, start_history
from sim_engine.invariants.safety import PROPERTY_NAMES, evaluate
from sim_engine.invariants.verdicts import Status, Verdict

__all__ = [
    "PROPERTY_NAMES",
    "History",
    "Status",
    "Verdict",
    "evaluate",
    "observe",
    "start_history",
]

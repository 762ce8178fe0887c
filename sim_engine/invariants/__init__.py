"""The properties that must hold in every state of a run, each with a name, a sentence and a source.

The properties are evaluated after every action and never affect one. They see states, and ghost
state (`History`) that no broker could know. `safety.py` lists them.
"""

from sim_engine.invariants.history import History, observe, start_history
from sim_engine.invariants.safety import PROPERTY_NAMES, evaluate
from sim_engine.invariants.verdicts import Status, Verdict, ViolationEvidence

__all__ = [
    "PROPERTY_NAMES",
    "History",
    "Status",
    "Verdict",
    "ViolationEvidence",
    "evaluate",
    "observe",
    "start_history",
]

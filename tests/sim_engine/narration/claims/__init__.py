"""What the sentence of each event claims about the state, as checks against the state.

Claims that only repeat the event's own numbers are not checked here.
"""

from tests.sim_engine.narration.claims import controllers, replication, roles_and_clients
from tests.sim_engine.narration.claims.states import CHECKS, Check

__all__ = ["check_of", "controllers", "replication", "roles_and_clients"]


def check_of(kind: str, variant: str | None) -> Check | None:
    """The check of a sentence, looked up like the sentence: by kind and variant, then by kind."""
    return CHECKS.get(f"{kind}-{variant}") or CHECKS.get(kind)

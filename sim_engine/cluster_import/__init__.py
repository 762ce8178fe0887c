"""Converts the output of a real cluster to a scenario that starts from its state.

Pure functions. The input is texts and bytes with their names; the result is a scenario, the
interpretation of each part, and the assumptions. Input that cannot be parsed is rejected with its
file and line, never skipped.
"""

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import (
    ClusterFile,
    ImportProblem,
    Statement,
    UnreadableError,
)

__all__ = [
    "ClusterFile",
    "ImportProblem",
    "ImportedCluster",
    "Statement",
    "UnreadableError",
    "import_cluster",
]

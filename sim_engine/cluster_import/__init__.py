"""From what a real cluster prints to a scenario that starts from that state.

Pure functions: texts and bytes with their names go in; a scenario, what each part was understood
as, and what could not be known come out. What cannot be read is refused with its file and line,
never skipped.
"""

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.problems import ImportProblem, UnreadableError
from sim_engine.cluster_import.seen import ClusterFile
from sim_engine.cluster_import.statements import Statement

__all__ = [
    "ClusterFile",
    "ImportProblem",
    "ImportedCluster",
    "Statement",
    "UnreadableError",
    "import_cluster",
]

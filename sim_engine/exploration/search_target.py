"""The condition that a search looks for: the violation of a property."""

from collections.abc import Callable

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import Acks
from sim_engine.invariants import PROPERTY_NAMES, Verdict

NO_ACKED_RECORD_LOST = "NoAckedRecordLost"

IsSought = Callable[[tuple[Verdict, ...], ClusterState], bool]
"""Whether the verdicts and the cluster of one frame contain the violation."""


def search_target(property_name: str, acks: Acks = "all") -> IsSought:
    """A condition for the violation of a property in a run whose records are sent with these acks.

    Kafka guarantees only records acknowledged with acks=all, and NoAckedRecordLost is limited to
    those. If records are sent with acks=1, the condition is the loss of any acknowledged record.
    Raises `ValueError` for an unknown property.
    """
    if property_name not in PROPERTY_NAMES:
        raise ValueError(
            f"there is no property '{property_name}'; properties are {', '.join(PROPERTY_NAMES)}"
        )
    index = PROPERTY_NAMES.index(property_name)
    if property_name == NO_ACKED_RECORD_LOST and acks != "all":
        return lambda _verdicts, cluster: any(
            produced.fate == "lost" for produced in cluster.clients.produced
        )
    return lambda verdicts, _cluster: verdicts[index].status == "violated"

"""What a search looks for: the violation of a property, as a condition on one frame."""

from collections.abc import Callable

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.continuation import continue_fairly, is_pending
from sim_engine.identifiers import Acks
from sim_engine.invariants.liveness import LIVENESS_BY_NAME, LIVENESS_NAMES
from sim_engine.invariants.observation import Observation
from sim_engine.invariants.safety import PROPERTIES_BY_NAME, PROPERTY_NAMES, CheckedProperty
from sim_engine.invariants.verdicts import PropertyResult, Verdicts

NO_ACKED_RECORD_LOST = "NoAckedRecordLost"
SOUGHT_NAMES = (*PROPERTY_NAMES, *LIVENESS_NAMES)
"""The properties that can be searched for."""

IsSought = Callable[[Verdicts, ClusterState], bool]
"""Whether the verdicts and the cluster of one frame contain the violation."""


def search_target(property_name: str, acks: Acks = "all") -> IsSought:
    """A condition for the violation of a property in a run whose records are sent with these acks.

    A state violates a liveness property if its fair continuation never reaches the goal
    (`continuation.py`). Kafka guarantees only records acknowledged with acks=all, and
    NoAckedRecordLost is limited to those. If records are sent with acks=1, the condition is the
    loss of any acknowledged record.
    Raises `ValueError` for an unknown property.
    """
    check = sought_property(property_name, acks).check
    if property_name in LIVENESS_BY_NAME:
        return lambda _verdicts, cluster: (
            is_pending(cluster, check) and continue_fairly(cluster, check).never_ends
        )
    if property_name == NO_ACKED_RECORD_LOST and acks != "all":
        return lambda _verdicts, cluster: any(
            produced.fate == "lost" for produced in cluster.clients.produced
        )
    return lambda verdicts, _cluster: verdicts[property_name].status == "violated"


def sought_property(property_name: str, acks: Acks = "all") -> CheckedProperty:
    """The property whose violation `search_target` describes. Raises `ValueError` if there is none
    of this name.
    """
    watched = PROPERTIES_BY_NAME.get(property_name) or LIVENESS_BY_NAME.get(property_name)
    if watched is None:
        raise ValueError(
            f"there is no property '{property_name}'; properties are {', '.join(SOUGHT_NAMES)}"
        )
    if property_name == NO_ACKED_RECORD_LOST and acks != "all":
        return replace(watched, check=_no_record_lost_whatever_its_acks)
    return watched


def _no_record_lost_whatever_its_acks(observation: Observation) -> PropertyResult:
    produced = observation.cluster.clients.produced
    if any(record.fate == "lost" for record in produced):
        return {}
    return "holds" if any(record.outcome == "acked" for record in produced) else "not_exercised"

"""The limits of a scenario, by name. A `Problem` names the limit that was exceeded."""

from collections.abc import Mapping
from types import MappingProxyType

from sim_engine.actions.fields import MAX_BROKERS, MAX_MS, MAX_RECORDS
from sim_engine.scenario_reader.cluster_layout import MAX_PARTITIONS
from sim_engine.scenario_reader.source import MAX_BYTES, MAX_DEPTH, MAX_NODES
from sim_engine.scenario_reader.steps import MAX_STEPS

SCENARIO_LIMITS: Mapping[str, int] = MappingProxyType(
    {
        "scenario_bytes": MAX_BYTES,
        "scenario_values": MAX_NODES,
        "scenario_depth": MAX_DEPTH,
        "brokers": MAX_BROKERS,
        "partitions": MAX_PARTITIONS,
        "records_a_log": MAX_RECORDS,
        "steps": MAX_STEPS,
        "step_milliseconds": MAX_MS,
    }
)

"""The KRaft controller: every decision is records in one metadata log that all brokers read.

Implements `ControllerKind`. Its state is the log's state: `update.py` writes records, the other
modules decide which (`ReplicationControlManager`, `PartitionChangeBuilder`).
"""

from typing import Final

from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.kraft.configuration import (
    feature_level_changed,
    min_isr_changed,
)
from sim_engine.protocol.controller.kraft.elections import elect_asked, elect_preferred
from sim_engine.protocol.controller.kraft.isr_changes import answer_alter_partition
from sim_engine.protocol.controller.kraft.reassign import (
    complete_reassignment,
    reassign,
    reorder_replicas,
)
from sim_engine.protocol.controller.kraft.registration import (
    begin_controlled_shutdown,
    broker_returned,
    end_controlled_shutdown,
    first_state,
    session_ended,
    take_over,
)
from sim_engine.protocol.controller.state import ControllerTask

__all__ = [
    "answer_alter_partition",
    "assigns_live_brokers_only",
    "balances_by_broker",
    "begin_controlled_shutdown",
    "broker_returned",
    "complete_reassignment",
    "elect_asked",
    "elect_preferred",
    "elects_when_unclean_is_enabled",
    "end_controlled_shutdown",
    "feature_level_changed",
    "fences_brokers",
    "first_state",
    "grants_shutdowns",
    "has_metadata_log",
    "hears_of_isr_changes_later",
    "min_isr_changed",
    "overlooks_restarts",
    "reassign",
    "registers_in_znodes",
    "reorder_replicas",
    "replaces_reassignments",
    "session_ended",
    "session_timeout_config",
    "take_over",
    "why_unsupported",
]

has_metadata_log: Final = True
registers_in_znodes: Final = False
fences_brokers: Final = True
grants_shutdowns: Final = True
session_timeout_config: Final = "broker.session.timeout.ms"
balances_by_broker: Final = False
assigns_live_brokers_only: Final = False


def replaces_reassignments(rules: Rules) -> bool:
    """Always: KIP-455 is older than KRaft."""
    return True


def overlooks_restarts(rules: Rules) -> bool:
    """Never: every start registers again."""
    return False


def hears_of_isr_changes_later(rules: Rules) -> bool:
    """Never: leaders ask it for each change (KIP-497)."""
    return False


def elects_when_unclean_is_enabled(rules: Rules, *, for_topic: bool) -> bool:
    """Never: its next look at leaderless partitions does (KAFKA-12670)."""
    return False


def why_unsupported(task: ControllerTask, rules: Rules) -> str | None:
    """The first releases with KRaft, 2.8 to 3.1, could not do everything yet."""
    supported, issue = {
        "elect": (rules.kraft_elects_on_request, "KAFKA-13162"),
        "reassign": (rules.partition_change_builder, "KAFKA-12803"),
        "preferred_leader_check": (rules.kraft_balances_leaders, "KAFKA-13682"),
    }[task]
    return None if supported else issue

"""The KRaft controller: every decision is written as records to one metadata log that all brokers
read.

Implements `ControllerKind`. Its state is the state of the log: `update.py` writes records, and the
other modules decide which (`ReplicationControlManager`, `PartitionChangeBuilder`).
"""

from typing import Final

from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.kraft.configuration import (
    feature_level_changed,
    min_isr_changed,
)
from sim_engine.protocol.controller.kraft.elections import elect_on_request, elect_preferred
from sim_engine.protocol.controller.kraft.isr_changes import respond_to_alter_partition
from sim_engine.protocol.controller.kraft.reassign import (
    complete_reassignment,
    reassign,
)
from sim_engine.protocol.controller.kraft.registration import (
    begin_controlled_shutdown,
    broker_returned,
    broker_session_ended,
    end_controlled_shutdown,
    first_state,
    take_over,
)
from sim_engine.protocol.controller.state import Controller, ControllerTask

__all__ = [
    "balances_by_broker",
    "begin_controlled_shutdown",
    "broker_returned",
    "broker_session_ended",
    "complete_reassignment",
    "elect_on_request",
    "elect_preferred",
    "elects_when_unclean_is_enabled",
    "end_controlled_shutdown",
    "feature_level_changed",
    "fences_brokers",
    "first_state",
    "grants_shutdowns",
    "has_metadata_log",
    "learns_isr_changes_by_notification",
    "min_isr_changed",
    "overlooks_restarts",
    "reassign",
    "rebalances_now",
    "registers_in_znodes",
    "respond_to_alter_partition",
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


def rebalances_now(controller: Controller, rules: Rules) -> bool:
    """Always: it does not wait for reassignments."""
    return True


def overlooks_restarts(rules: Rules) -> bool:
    """Never, because every start registers again."""
    return False


def learns_isr_changes_by_notification(rules: Rules) -> bool:
    """Never, because leaders request each change (KIP-497)."""
    return False


def elects_when_unclean_is_enabled(rules: Rules, *, for_topic: bool) -> bool:
    """Never; the next periodic check of leaderless partitions elects them (KAFKA-12670)."""
    return False


def why_unsupported(task: ControllerTask, rules: Rules) -> str | None:
    """The issue that added the operation: the first releases with KRaft, 2.8 to 3.1, do not support
    all of them. None if the release does.
    """
    supported, issue = {
        "elect": (rules.kraft_elects_on_request, "KAFKA-13162"),
        "reassign": (rules.partition_change_builder, "KAFKA-12803"),
        "preferred_leader_check": (rules.kraft_balances_leaders, "KAFKA-13682"),
    }[task]
    return None if supported else issue

"""The ZooKeeper controller: a broker that watches sessions and writes state znodes.

Implements `ControllerKind`. `update.py` writes the znodes and queues the commands to brokers; the
other modules decide (`KafkaController`, `PartitionStateMachine`, `ReplicaStateMachine`).
"""

from typing import Final

from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.reassignment import assignment_of
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerTask,
    Policies,
)
from sim_engine.protocol.controller.zookeeper.elections import elect_on_request, elect_preferred
from sim_engine.protocol.controller.zookeeper.isr_changes import respond_to_alter_partition
from sim_engine.protocol.controller.zookeeper.reassign import (
    complete_reassignment,
    reassign,
)
from sim_engine.protocol.controller.zookeeper.sessions import (
    begin_controlled_shutdown,
    broker_returned,
    broker_session_ended,
    end_controlled_shutdown,
    first_state,
    take_over,
)
from sim_engine.versions import Profile

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

has_metadata_log: Final = False
registers_in_znodes: Final = True
fences_brokers: Final = False
grants_shutdowns: Final = False
session_timeout_config: Final = "zookeeper.session.timeout.ms"
balances_by_broker: Final = True


def rebalances_now(controller: Controller, rules: Rules) -> bool:
    """Up to 3.3 only if no partition is being reassigned (KAFKA-10149)."""
    moves = any(assignment_of(one).in_progress for one in controller.partitions)
    return rules.rebalances_during_reassignments or not moves


def overlooks_restarts(rules: Rules) -> bool:
    """Up to 2.1: the watch on the broker ids does not detect a restart (KIP-380)."""
    return not rules.broker_generations


def learns_isr_changes_by_notification(rules: Rules) -> bool:
    """From 0.9 (KAFKA-1367) up to 2.6; from 2.7 leaders request each change (KIP-497)."""
    return rules.isr_changes_are_propagated and not rules.alter_partition


def elects_when_unclean_is_enabled(rules: Rules, *, for_topic: bool) -> bool:
    """For the cluster from KAFKA-6526 on, for a topic from KAFKA-6835 on."""
    if for_topic:
        return rules.enabling_unclean_on_topic_elects
    return rules.enabling_unclean_elects


def why_unsupported(task: ControllerTask, rules: Rules) -> None:
    """Return None: every release supports all operations."""


def feature_level_changed(
    controller: Controller, level: str, profile: Profile, policies: Policies
) -> None:
    """Return None: the level is a setting of each broker (inter.broker.protocol.version), so the
    controller writes nothing.
    """


def min_isr_changed(
    controller: Controller, topic: str | None, profile: Profile, policies: Policies
) -> None:
    """Return None: only leaders read min.insync.replicas, so the controller writes nothing."""

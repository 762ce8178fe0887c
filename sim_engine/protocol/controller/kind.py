"""The two kinds of controller behind one protocol class, and the choice between them by profile.

Code that runs a cluster uses `ControllerKind` and never branches on the name of a kind. The
modules `zookeeper/controller.py` and `kraft/controller.py` are the two implementations; the type
checker compares them with the protocol.
"""

from collections.abc import Mapping
from typing import Protocol

from sim_engine.identifiers import BrokerId, ErrorCode, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.kraft import controller as kraft
from sim_engine.protocol.controller.state import (
    BrokerStart,
    Controller,
    ControllerOutcome,
    ControllerTask,
    ReassignmentRefusal,
    Situation,
)
from sim_engine.protocol.controller.zookeeper import controller as zookeeper
from sim_engine.protocol.messages import AlterPartitionRequest, PartitionRegistration
from sim_engine.versions import Control, Profile


class ControllerKind(Protocol):
    """One kind of controller: its characteristics and its decisions.

    A decision takes the situation and returns the controller's new state with everything that was
    written. It does not change brokers: they receive it through `ControllerOutcome.commands` or the
    metadata log.
    """

    # --- characteristics -------------------------------------------------------------------

    @property
    def has_metadata_log(self) -> bool:
        """Whether brokers read its decisions from one metadata log (KIP-500), each at its own pace.

        Otherwise they receive LeaderAndIsr, StopReplica and UpdateMetadata requests.
        """

    @property
    def registers_in_znodes(self) -> bool:
        """Whether a broker is registered by an ephemeral znode, which exists as long as its
        ZooKeeper session. The session may outlive the process, and the next start then finds the
        old znode.
        """

    @property
    def fences_brokers(self) -> bool:
        """Whether a broker without heartbeats stays registered and is fenced until its heartbeats
        report that it has caught up (KIP-631).
        """

    @property
    def grants_shutdowns(self) -> bool:
        """Whether a broker that shuts down waits for the controller's permission to stop
        (`BrokerHeartbeatResponse.shouldShutDown`). The controller's decisions then come first.
        """

    @property
    def session_timeout_config(self) -> str:
        """The setting for the time without contact after which a broker's session ends."""

    @property
    def balances_by_broker(self) -> bool:
        """Whether the controller restores a broker's preferred leaderships only if more than
        `leader.imbalance.per.broker.percentage` of them are on other brokers.
        """

    def rebalances_now(self, controller: Controller, rules: Rules) -> bool:
        """Whether the periodic check for preferred leaders elects any: up to 3.3 a ZooKeeper
        controller waits until no partition is being reassigned (KAFKA-10149).
        """

    def overlooks_restarts(self, rules: Rules) -> bool:
        """Whether the controller misses a restart of a broker within its session, because it
        compares only ids, without broker epochs (before KIP-380).
        """

    def learns_isr_changes_by_notification(self, rules: Rules) -> bool:
        """Whether leaders write their ISR without the controller and notify it later
        (`maybePropagateIsrChanges`). Each leader has a timer for that.
        """

    def elects_when_unclean_is_enabled(self, rules: Rules, *, for_topic: bool) -> bool:
        """Whether the controller elects leaders for leaderless partitions as soon as unclean
        election is enabled, for one topic or for the cluster.
        """

    def why_unsupported(self, task: ControllerTask, rules: Rules) -> str | None:
        """The issue that added an operation, if the release does not support it; otherwise None."""

    # --- brokers ---------------------------------------------------------------------------

    def first_state(
        self,
        broker_ids: tuple[BrokerId, ...],
        partitions: tuple[PartitionRegistration, ...],
        rules: Rules,
    ) -> Controller:
        """The controller of a cluster in which every broker has registered and caught up.

        `broker_ids` and `partitions` must be sorted.
        """

    def broker_session_ended(self, at: Situation, broker_id: BrokerId) -> ControllerOutcome:
        """End a broker's session, because it timed out or was closed: remove the broker from every
        ISR and elect other leaders for its partitions, if possible.
        """

    def broker_returned(self, at: Situation, start: BrokerStart) -> ControllerOutcome:
        """Register a broker that is running again. Without `fences_brokers`, it is live
        immediately; with it, the first call registers it and the second one unfences it.
        """

    def begin_controlled_shutdown(self, at: Situation, broker_id: BrokerId) -> ControllerOutcome:
        """Begin the controlled shutdown that a broker requested: move its leaderships, and remove
        it from every ISR that has other members.
        """

    def end_controlled_shutdown(self, at: Situation, broker_id: BrokerId) -> ControllerOutcome:
        """Complete a broker's controlled shutdown. It is no longer considered live."""

    def take_over(self, at: Situation) -> ControllerOutcome | None:
        """Fail over to a new controller. None from a quorum: brokers notice no change."""

    # --- partitions ------------------------------------------------------------------------

    def elect_preferred(
        self, at: Situation, partition_name: TopicPartition
    ) -> ControllerOutcome | None:
        """Elect the first replica of the assignment. None if it cannot be elected, or if it is
        already the leader and the release then writes nothing.
        """

    def elect_on_request(
        self, at: Situation, partition_name: TopicPartition, *, unclean: bool
    ) -> ControllerOutcome | None:
        """Elect a leader for a leaderless partition. None if no replica can be elected."""

    def reassign(
        self, at: Situation, partition_name: TopicPartition, target: tuple[BrokerId, ...] | None
    ) -> ControllerOutcome | ReassignmentRefusal:
        """Begin a reassignment or replace the one in progress; with `target` None, cancel it. If it
        is already complete, the same call also ends it.

        A new order of the same replicas changes the preferred leader, and the same order none.
        """

    def complete_reassignment(
        self, at: Situation, partition_name: TopicPartition
    ) -> ControllerOutcome | None:
        """Complete a partition's reassignment if a leader's ISR change has fulfilled its condition.
        None if it has not, or if the response to the leader's request has completed it.
        """

    def respond_to_alter_partition(
        self,
        at: Situation,
        partition_name: TopicPartition,
        leader: BrokerId,
        request: AlterPartitionRequest,
    ) -> tuple[ErrorCode, ControllerOutcome | None]:
        """Validate and apply an ISR change that a leader requests (AlterPartition, KIP-497).

        Returns the error code for the response, and the outcome: None if nothing is written. An
        error together with an outcome means that the leader is no longer the leader. Before KIP-497
        leaders do not send this request: they write the ISR to ZooKeeper themselves (`write_isr`).
        """

    # --- settings --------------------------------------------------------------------------

    def feature_level_changed(self, at: Situation, level: str) -> ControllerOutcome | None:
        """Apply a raised or lowered protocol level. None if the controller does not store it,
        because every broker is restarted with the new setting.
        """

    def min_isr_changed(self, at: Situation, topic: str | None) -> ControllerOutcome | None:
        """Apply a change of min.insync.replicas, for one topic or, if `topic` is None, for all.
        None if the controller has no state that depends on it.
        """


_KINDS: Mapping[Control, ControllerKind] = {"zookeeper": zookeeper, "kraft": kraft}


def controller_kind(profile: Profile) -> ControllerKind:
    """The kind of controller of a cluster with this profile."""
    return _KINDS[profile.control]

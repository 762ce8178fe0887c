"""The two kinds of controller behind one protocol, and which of them a profile has.

Code that runs a cluster uses `ControllerKind` and never branches on the name of a kind. The
packages `zookeeper` and `kraft` are the two implementations; the type checker compares them with
the protocol.
"""

from collections.abc import Mapping
from typing import Protocol

from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller import kraft, zookeeper
from sim_engine.protocol.controller.state import (
    BrokerStart,
    Controller,
    ControllerOutcome,
    ControllerTask,
    Policies,
)
from sim_engine.protocol.messages import AlterPartitionRequest
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Control, Profile


class ControllerKind(Protocol):
    """What one kind of controller is, and what it decides.

    A decision takes the controller's state, the release's rules (`profile`) and the settings of
    each partition (`policies`), and returns the state after it with what was written. It changes
    nothing of a broker: brokers hear of it by `ControllerOutcome.commands` or by the metadata log.
    """

    # --- what it is ------------------------------------------------------------------------

    @property
    def has_metadata_log(self) -> bool:
        """Whether brokers read its decisions from one metadata log (KIP-500), each at its own pace.

        Without it they are told by LeaderAndIsr, StopReplica and UpdateMetadata requests.
        """

    @property
    def registers_in_znodes(self) -> bool:
        """Whether a broker is registered by an ephemeral znode, which lives as long as the
        ZooKeeper session that made it: also after its process, whose next start then finds it."""

    @property
    def fences_brokers(self) -> bool:
        """Whether a broker without heartbeats stays registered and is fenced, until its heartbeats
        say that it has caught up (KIP-631)."""

    @property
    def grants_shutdowns(self) -> bool:
        """Whether a broker that shuts down waits for the controller to let it stop
        (`BrokerHeartbeatResponse.shouldShutDown`): what the controller decides then comes first."""

    @property
    def session_timeout_config(self) -> str:
        """The setting for how long a broker may be silent before its session ends."""

    @property
    def balances_by_broker(self) -> bool:
        """Whether it leaves a broker's preferred leaderships alone unless more than
        `leader.imbalance.per.broker.percentage` of them are elsewhere."""

    @property
    def assigns_live_brokers_only(self) -> bool:
        """Whether a reassignment to a broker that is not live is refused."""

    def replaces_reassignments(self, rules: Rules) -> bool:
        """Whether a partition that is being moved may be given another target (KIP-455)."""

    def overlooks_restarts(self, rules: Rules) -> bool:
        """Whether it misses that a broker's process went and came back within its session: it
        compares ids alone, without broker epochs (before KIP-380)."""

    def hears_of_isr_changes_later(self, rules: Rules) -> bool:
        """Whether leaders write their ISR without it, and tell it later what they changed
        (`maybePropagateIsrChanges`). Each leader has a timer for that."""

    def elects_when_unclean_is_enabled(self, rules: Rules, *, for_topic: bool) -> bool:
        """Whether it elects for leaderless partitions as soon as unclean election is switched on,
        for one topic or for the cluster."""

    def why_unsupported(self, task: ControllerTask, rules: Rules) -> str | None:
        """The issue that brought a task, where the release does not have it yet; else null."""

    # --- brokers ---------------------------------------------------------------------------

    def first_state(
        self,
        broker_ids: tuple[BrokerId, ...],
        partitions: tuple[PartitionRegistration, ...],
        rules: Rules,
    ) -> Controller:
        """The controller of a cluster in which every broker has registered and caught up.

        `broker_ids` and `partitions` are sorted, and stay so.
        """

    def session_ended(
        self, controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
    ) -> ControllerOutcome:
        """A broker has been silent for too long, or its session was closed: it leaves every ISR,
        and what it led gets another leader where that is possible."""

    def broker_returned(
        self, controller: Controller, start: BrokerStart, profile: Profile, policies: Policies
    ) -> ControllerOutcome:
        """The next step of taking a broker back that runs: registered and at once one of the live
        ones, or (`fences_brokers`) registered first and unfenced by a second call."""

    def begin_controlled_shutdown(
        self, controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
    ) -> ControllerOutcome:
        """A broker asks to stop: its leaderships move, and it leaves every ISR as far as others
        are left."""

    def end_controlled_shutdown(
        self, controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
    ) -> ControllerOutcome:
        """The broker stops: the controller does not count on it any more."""

    def take_over(
        self, controller: Controller, profile: Profile, policies: Policies
    ) -> ControllerOutcome | None:
        """The controller fails and another takes its place; null where that changes nothing that
        a broker sees, because the controller is a quorum."""

    # --- partitions ------------------------------------------------------------------------

    def elect_preferred(
        self,
        controller: Controller,
        partition_name: TopicPartition,
        profile: Profile,
        policies: Policies,
    ) -> ControllerOutcome | None:
        """Make the first replica of the assignment lead; null where it cannot, or where it leads
        already and the release then writes nothing."""

    def elect_asked(
        self,
        controller: Controller,
        partition_name: TopicPartition,
        profile: Profile,
        policies: Policies,
        *,
        unclean: bool,
    ) -> ControllerOutcome | None:
        """An election for a leaderless partition; null if no replica can be elected."""

    def reorder_replicas(
        self,
        controller: Controller,
        partition_name: TopicPartition,
        replicas: tuple[BrokerId, ...],
        profile: Profile,
        policies: Policies,
    ) -> ControllerOutcome:
        """Write the same replicas in another order: the first one is the preferred leader."""

    def reassign(
        self,
        controller: Controller,
        partition_name: TopicPartition,
        target: tuple[BrokerId, ...],
        profile: Profile,
        policies: Policies,
    ) -> ControllerOutcome:
        """Begin to move a partition to other replicas; a move that is done at once is ended."""

    def complete_reassignment(
        self,
        controller: Controller,
        partition_name: TopicPartition,
        profile: Profile,
        policies: Policies,
    ) -> ControllerOutcome | None:
        """A leader has changed the ISR of a partition: end its move if that was what the move
        waited for. Null if not, or if the answer to the leader's request ended it."""

    def answer_alter_partition(
        self,
        controller: Controller,
        partition_name: TopicPartition,
        leader: BrokerId,
        request: AlterPartitionRequest,
        profile: Profile,
        policies: Policies,
    ) -> tuple[ErrorCode, ControllerOutcome | None]:
        """A leader asks for another ISR. Null where nothing is written; an error that comes with
        an outcome tells the leader that it does not lead any more.

        Before KIP-497 no leader asks: it writes the ISR to ZooKeeper itself (`write_isr`).
        """

    # --- settings --------------------------------------------------------------------------

    def feature_level_changed(
        self, controller: Controller, level: str, profile: Profile, policies: Policies
    ) -> ControllerOutcome | None:
        """The level of the protocol was raised or lowered; null where the controller does not
        write it down, but every broker is restarted with it."""

    def min_isr_changed(
        self, controller: Controller, topic: str | None, profile: Profile, policies: Policies
    ) -> ControllerOutcome | None:
        """min.insync.replicas of a topic, or of all, is another; null where the controller keeps
        nothing that depends on it."""


_KINDS: Mapping[Control, ControllerKind] = {"zookeeper": zookeeper, "kraft": kraft}


def controller_kind(profile: Profile) -> ControllerKind:
    """The kind of controller that a cluster of this profile has."""
    return _KINDS[profile.control]

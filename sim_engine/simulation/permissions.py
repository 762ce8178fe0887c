"""The parts of the cluster that a function may change: a protocol for each part of a `WorkingCopy`.

Every function in `performing/`, `receiving/` and `effects/` takes the narrowest of these protocols.
Its signature therefore states what it may change, and the type checker rejects the rest. Everything
may be read: `cluster` is immutable and only a method here replaces it.

The first group has one protocol for each part of the cluster. The second has the combinations that
occur. A combination names the operation that needs these parts together: for example, a message
that cannot be sent is lost, and its sender's replica detects that.
"""

from collections.abc import Sequence
from typing import Protocol

from sim_engine.cluster.state import Broker, Clients, ClusterState, Configs
from sim_engine.events import Event
from sim_engine.identifiers import BrokerId, Endpoint, FrameNumber, MessageKind
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.message_moves import MessageMove
from sim_engine.versions import Profile


class ReadsCluster(Protocol):
    """Changes nothing: it reads the cluster and records events."""

    @property
    def cluster(self) -> ClusterState:
        """The cluster, with the changes of this action so far."""

    @property
    def frame(self) -> FrameNumber:
        """The number of the frame that the action creates."""

    @property
    def events(self) -> Sequence[Event]:
        """The events of this action so far, in causal order."""

    def say(self, *events: Event) -> None:
        """Record events, in causal order."""


class AdvancesClock(ReadsCluster, Protocol):
    """May advance virtual time, and change nothing else."""

    def advance_clock(self, ms: int) -> None:
        """Advance virtual time by a number of ms."""


class ChangesReplicas(ReadsCluster, Protocol):
    """May change replicas: their logs, high watermarks, and roles as leader or follower."""

    def put_replica(self, replica: Replica) -> None:
        """Store a replica."""


class ChangesBrokers(ChangesReplicas, Protocol):
    """May change brokers: their processes, disks, timers and metadata, with their replicas."""

    def put_broker(self, broker: Broker) -> None:
        """Store a broker."""

    def count_loss_of_contact(self) -> int:
        """Count one more loss of contact with the controller, and return its place in the order."""


class ChangesClients(ReadsCluster, Protocol):
    """May change producers and consumers: their metadata, positions and records."""

    def put_clients(self, clients: Clients) -> None:
        """Store the clients."""


class ChangesMessages(ReadsCluster, Protocol):
    """May change and remove messages in flight. It does not send any."""

    def put_messages(self, messages: tuple[Message, ...]) -> None:
        """Store the messages in flight, which must be in sending order."""

    def record_move(self, move: MessageMove) -> None:
        """Record what became of a message."""


class HoldsMessages(ChangesMessages, Protocol):
    """May hold and release messages: those in flight, and new ones on a link."""

    def put_network_holds(
        self, network_holds: tuple[tuple[MessageKind, Endpoint, Endpoint], ...]
    ) -> None:
        """Store which kinds of new messages are held, with sender and receiver."""


class SendsMessages(ChangesMessages, ChangesReplicas, Protocol):
    """May also send and lose messages.

    A message that cannot be sent is lost immediately, and a replica that waits for its response
    detects the disconnect.
    """

    def add_message(self, message: Message) -> None:
        """Store a new message, whose id must be `next_message_id`, as the last one in flight."""


class ActsAsController(SendsMessages, Protocol):
    """May apply decisions of the controller: its state, the replicas that it assigns, and the
    messages that announce the decisions to the brokers.
    """

    def put_controller(self, controller: Controller) -> None:
        """Store the controller."""

    def create_assigned_replicas(self) -> None:
        """Create an empty replica where the controller has assigned a new one, and update the
        settings that depend on the assignment.
        """

    def record_unclean_election(self) -> None:
        """Record that the controller has elected a leader from outside the ISR."""


class ChangesSettings(ActsAsController, Protocol):
    """May change settings and the protocol level, and apply the decisions of the controller that
    follow from this.
    """

    def put_profile(self, profile: Profile) -> None:
        """Store the version, its protocol level and its rules."""

    def put_configs(self, configs: Configs, topic_configs: tuple[tuple[str, Configs], ...]) -> None:
        """Store the settings of the cluster and of each topic."""

    def put_broker_configs(self, broker_id: BrokerId, configs: Configs) -> None:
        """Store the settings that a broker has for itself."""


class ChangesBrokersAndMessages(ChangesBrokers, SendsMessages, Protocol):
    """May change brokers, and send and lose messages."""


class CutsLinks(ChangesBrokersAndMessages, Protocol):
    """May cut links: messages on them are lost, and brokers lose contact with the controller."""

    def put_links_cut(self, links_cut: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
        """Store the directed links that are cut."""


class EndsProcesses(ChangesBrokersAndMessages, ChangesClients, Protocol):
    """May end processes and delete replicas: messages are lost, and producers whose requests waited
    there learn the result, or that they will not learn it.
    """


class ShutsDownBrokers(ChangesBrokers, ActsAsController, Protocol):
    """May change brokers, and apply the decisions of the controller about them."""


class AppliesOutcomes(EndsProcesses, ShutsDownBrokers, Protocol):
    """May change whatever a protocol function's outcome can affect: brokers, replicas, messages,
    clients and the controller.

    The controller is included, because under ZooKeeper a leader writes the ISR itself, and the
    controller then completes reassignments that waited for it. Links, settings and time are not
    included.
    """


class OrdersEvents(AppliesOutcomes, Protocol):
    """May apply outcomes, and record events in a different order from that of the changes."""

    def hold_back(self, since: int) -> tuple[Event, ...]:
        """Remove the events from index `since` on and return them, to be recorded later."""


class HealsLinks(AppliesOutcomes, CutsLinks, Protocol):
    """May restore links, and apply the outcomes of the requests that waited for them."""

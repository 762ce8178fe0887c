"""One action's working copy of the cluster.

A working copy collects the changes and the events of an action. If the action is refused, it is
discarded and nothing changes. It only stores; the functions in `effects/` and `performing/` decide
what. Each of them receives one of the protocols in `permissions.py`, which a working copy
implements: only the part that the function may change.
"""

from msgspec.structs import replace

from sim_engine.cluster.start import with_settings
from sim_engine.cluster.state import (
    Broker,
    Clients,
    ClusterState,
    Configs,
    with_assigned_replicas,
    with_broker,
    with_replica,
)
from sim_engine.events import Event
from sim_engine.identifiers import BrokerId, Endpoint, FrameNumber, MessageKind, TimeMs
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.message_moves import MessageMove
from sim_engine.versions import Profile


class WorkingCopy:
    """The cluster while one action changes it, and the events so far.

    `frame` is the number of the frame that the action creates; `unclean_election` is whether the
    controller has elected a leader from outside the ISR in it.
    """

    def __init__(self, cluster: ClusterState, frame: FrameNumber) -> None:
        self.cluster = cluster
        self.frame = frame
        self.events: list[Event] = []
        self.moves: list[MessageMove] = []
        self.unclean_election = False

    def say(self, *events: Event) -> None:
        """Record events, in causal order."""
        self.events.extend(events)

    def hold_back(self, since: int) -> tuple[Event, ...]:
        """Remove the events from index `since` on and return them, to be recorded later."""
        held_back = tuple(self.events[since:])
        del self.events[since:]
        return held_back

    def put_replica(self, replica: Replica) -> None:
        """Store a replica."""
        self.cluster = with_replica(self.cluster, replica)

    def put_broker(self, broker: Broker) -> None:
        """Store a broker."""
        self.cluster = with_broker(self.cluster, broker)

    def count_loss_of_contact(self) -> int:
        """Count one more loss of contact with the controller, and return its place in the order."""
        order = self.cluster.losses_of_contact + 1
        self.cluster = replace(self.cluster, losses_of_contact=order)
        return order

    def put_controller(self, controller: Controller) -> None:
        """Store the controller."""
        self.cluster = replace(self.cluster, controller=controller)

    def create_assigned_replicas(self) -> None:
        """Create an empty replica where the controller has assigned a new one, and update the
        settings that depend on the assignment.
        """
        self.cluster = with_settings(with_assigned_replicas(self.cluster))

    def record_unclean_election(self) -> None:
        """Record that the controller has elected a leader from outside the ISR."""
        self.unclean_election = True

    def put_clients(self, clients: Clients) -> None:
        """Store the clients."""
        self.cluster = replace(self.cluster, clients=clients)

    def put_messages(self, messages: tuple[Message, ...]) -> None:
        """Store the messages in flight, which must be in sending order."""
        self.cluster = replace(self.cluster, messages=messages)

    def add_message(self, message: Message) -> None:
        """Store a new message, whose id must be `next_message_id`, as the last one in flight."""
        self.cluster = replace(
            self.cluster,
            messages=(*self.cluster.messages, message),
            next_message_id=message.id + 1,
        )

    def record_move(self, move: MessageMove) -> None:
        """Record what became of a message."""
        self.moves.append(move)

    def put_network_holds(
        self, network_holds: tuple[tuple[MessageKind, Endpoint, Endpoint], ...]
    ) -> None:
        """Store which kinds of new messages are held, with sender and receiver."""
        self.cluster = replace(self.cluster, network_holds=network_holds)

    def put_links_cut(self, links_cut: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
        """Store the directed links that are cut."""
        self.cluster = replace(self.cluster, links_cut=links_cut)

    def advance_clock(self, ms: int) -> None:
        """Advance virtual time by a number of ms."""
        self.cluster = replace(self.cluster, now_ms=TimeMs(self.cluster.now_ms + ms))

    def put_profile(self, profile: Profile) -> None:
        """Store the version, its protocol level and its rules."""
        self.cluster = with_settings(replace(self.cluster, profile=profile))

    def put_configs(self, configs: Configs, topic_configs: tuple[tuple[str, Configs], ...]) -> None:
        """Store the settings of the cluster and of each topic."""
        self.cluster = with_settings(
            replace(self.cluster, configs=configs, topic_configs=topic_configs)
        )

    def put_broker_configs(self, broker_id: BrokerId, configs: Configs) -> None:
        """Store the settings that a broker has for itself."""
        self.put_broker(replace(self.cluster.broker(broker_id), configs=configs))
        self.cluster = with_settings(self.cluster)

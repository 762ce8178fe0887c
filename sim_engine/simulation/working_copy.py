"""One action's working copy of the cluster, and what a function may change of it.

A working copy collects the changes and the events of an action. If the action is refused, it is
discarded and nothing changes. It only stores; the functions in `performing/`, `receiving/` and
`effects/` decide what. The working copy inherits its methods from the classes below, its
permissions. Each function takes the narrowest of them that has what it changes. Its signature
therefore states what it may change, and the type checker rejects the rest. Everything may be read:
`cluster` is immutable and only a method here replaces it.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster import state
from sim_engine.cluster.start import with_settings
from sim_engine.events.base import Event
from sim_engine.identifiers import BrokerId, Endpoint, FrameNumber, MessageKind, TimeMs
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import Replica
from sim_engine.versions import Profile

MessageFate = Literal["sent", "arrived", "arrived_unseen", "lost", "replaced"]
"""`arrived_unseen`: it arrived between two frames without a visible change. `replaced`: its sender
merged it into a newer message.
"""


class MessageMove(Struct, frozen=True, gc=False):
    """One message was sent, delivered or lost at a moment of virtual time."""

    fate: MessageFate
    message: Message
    time_ms: TimeMs


def unseen(moves: Iterable[MessageMove]) -> tuple[MessageMove, ...]:
    """The moves of an action that creates no frame, marked as unseen."""
    return tuple(
        replace(move, fate="arrived_unseen") if move.fate == "arrived" else move for move in moves
    )


class ReadsCluster:
    """Changes nothing: it reads the cluster and records events."""

    def __init__(self, cluster: state.ClusterState, frame: FrameNumber) -> None:
        self._cluster = cluster
        self._frame = frame
        self._events: list[Event] = []
        self._moves: list[MessageMove] = []
        self._unclean_election = False

    @property
    def cluster(self) -> state.ClusterState:
        """The cluster, with the changes of this action so far."""
        return self._cluster

    @property
    def frame(self) -> FrameNumber:
        """The number of the frame that the action creates."""
        return self._frame

    @property
    def events(self) -> Sequence[Event]:
        """The events of this action so far, in causal order."""
        return self._events

    def say(self, *events: Event) -> None:
        """Record events, in causal order."""
        self._events.extend(events)

    # A search, which records what an action reads, stores and reads in its own way: `recorded.py`.

    @property
    def _before(self) -> state.ClusterState:
        """The cluster that a change replaces a part of; that part is not read."""
        return self._cluster

    @property
    def _whole(self) -> state.ClusterState:
        """The cluster, for a change that depends on every broker, the controller and settings."""
        return self._cluster

    def _store(self, cluster: state.ClusterState) -> None:
        self._cluster = cluster


class AdvancesClock(ReadsCluster):
    """May advance virtual time, and change nothing else."""

    def advance_clock(self, ms: int) -> None:
        """Advance virtual time by a number of ms."""
        self._store(replace(self._before, now_ms=TimeMs(self._cluster.now_ms + ms)))


class ChangesBrokers(ReadsCluster):
    """May change brokers: their processes, disks, timers and metadata, and their replicas: logs,
    high watermarks, and roles as leader or follower.
    """

    def put_replica(self, replica: Replica) -> None:
        """Store a replica."""
        self._store(state.with_replica(self._before, replica))

    def put_broker(self, broker: state.Broker) -> None:
        """Store a broker."""
        self._store(state.with_broker(self._before, broker))

    def count_loss_of_contact(self) -> int:
        """Count one more loss of contact with the controller, and return its place in the order."""
        order = self._before.losses_of_contact + 1
        self._store(replace(self._before, losses_of_contact=order))
        return order


class ChangesClients(ReadsCluster):
    """May change producers and consumers: their metadata, positions and records."""

    def put_clients(self, clients: state.Clients) -> None:
        """Store the clients."""
        self._store(replace(self._before, clients=clients))

    def put_client(self, changed: state.Client) -> None:
        """Store a client."""
        clients = self._cluster.clients
        known = tuple(changed if one.name == changed.name else one for one in clients.clients)
        self.put_clients(replace(clients, clients=known))

    def put_produced(self, changed: state.ProducedRecord) -> None:
        """Store a produce request that was sent before."""
        clients, request = self._cluster.clients, changed.request
        before, after = clients.produced[:request], clients.produced[request + 1 :]
        self.put_clients(replace(clients, produced=(*before, changed, *after)))


class ChangesNetwork(ChangesBrokers):
    """May send, change, hold and lose messages.

    A message that cannot be sent is lost immediately, and a replica that waits for its response
    detects the disconnect, so brokers change too.
    """

    def put_messages(self, messages: tuple[Message, ...]) -> None:
        """Store the messages in flight, which must be in sending order."""
        self._store(replace(self._before, messages=messages))

    def add_message(self, message: Message) -> None:
        """Store a new message, whose id must be `next_message_id`, as the last one in flight."""
        messages = (*self._before.messages, message)
        self._store(replace(self._before, messages=messages, next_message_id=message.id + 1))

    def record_move(self, move: MessageMove) -> None:
        """Record what became of a message."""
        self._moves.append(move)

    def put_network_holds(
        self, network_holds: tuple[tuple[MessageKind, Endpoint, Endpoint], ...]
    ) -> None:
        """Store which kinds of new messages are held, with sender and receiver."""
        self._store(replace(self._before, network_holds=network_holds))


class CutsLinks(ChangesNetwork):
    """May cut links: messages on them are lost, and brokers lose contact with the controller."""

    def put_links_cut(self, links_cut: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
        """Store the directed links that are cut."""
        self._store(replace(self._before, links_cut=links_cut))


class EndsProcesses(ChangesNetwork, ChangesClients):
    """May end processes and delete replicas: messages are lost, and producers whose requests waited
    there learn the result, or that they will not learn it.
    """


class ActsAsController(ChangesNetwork):
    """May apply decisions of the controller: its state, the replicas that it assigns, and the
    messages that announce the decisions to the brokers.
    """

    def put_controller(self, controller: Controller) -> None:
        """Store the controller."""
        self._store(replace(self._before, controller=controller))

    def create_assigned_replicas(self) -> None:
        """Create an empty replica where the controller has assigned a new one, and update the
        settings that depend on the assignment.
        """
        self._store(with_settings(state.with_assigned_replicas(self._whole)))

    def record_unclean_election(self) -> None:
        """Record that the controller has elected a leader from outside the ISR."""
        self._unclean_election = True


class AppliesOutcomes(EndsProcesses, ActsAsController):
    """May change whatever a protocol function's outcome can affect: brokers, messages, clients and
    the controller; and may record events in a different order from that of the changes.

    The controller is included, because under ZooKeeper a leader writes the ISR itself, and the
    controller then completes reassignments that waited for it. Links, settings and time are not
    included.
    """

    def hold_back(self, since: int) -> tuple[Event, ...]:
        """Remove the events from index `since` on and return them, to be recorded later."""
        held_back = tuple(self._events[since:])
        del self._events[since:]
        return held_back


class ChangesConditions(AppliesOutcomes, CutsLinks):
    """May change the conditions under which brokers run (settings, the protocol level and links),
    and apply every outcome that follows.
    """

    def put_profile(self, profile: Profile) -> None:
        """Store the version, its protocol level and its rules."""
        self._store(with_settings(replace(self._whole, profile=profile)))

    def put_configs(
        self, configs: state.Configs, topic_configs: tuple[tuple[str, state.Configs], ...]
    ) -> None:
        """Store the settings of the cluster and of each topic."""
        changed = replace(self._whole, configs=configs, topic_configs=topic_configs)
        self._store(with_settings(changed))

    def put_broker_configs(self, broker_id: BrokerId, configs: state.Configs) -> None:
        """Store the settings that a broker has for itself."""
        changed = replace(self._whole.broker(broker_id), configs=configs)
        self._store(with_settings(state.with_broker(self._whole, changed)))


class WorkingCopy(ChangesConditions, AdvancesClock):
    """The cluster while one action changes it, and the events so far: every permission at once."""

    @property
    def moves(self) -> Sequence[MessageMove]:
        """The message moves so far, in order."""
        return self._moves

    @property
    def unclean_election(self) -> bool:
        """Whether the controller has elected a leader from outside the ISR in this action."""
        return self._unclean_election

"""One action's working copy of the cluster.

A turn collects the changes and the events of an action. If the action is refused, the turn is
discarded and nothing changes. A turn only stores; the functions in `effects/` and `performing/`
decide what.
"""

from msgspec.structs import replace

from sim_engine.cluster.clients import Clients
from sim_engine.cluster.state import Broker, ClusterState, with_broker, with_replica
from sim_engine.events import Event
from sim_engine.identifiers import FrameNumber
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.message_moves import MessageMove


class Turn:
    """The cluster while one action changes it, and what has happened so far.

    `frame` is the number of the frame that the action makes; `unclean_election` says whether the
    controller has elected a leader from outside the ISR in it.
    """

    def __init__(self, cluster: ClusterState, frame: FrameNumber) -> None:
        self.cluster = cluster
        self.frame = frame
        self.events: list[Event] = []
        self.moves: list[MessageMove] = []
        self.unclean_election = False

    def say(self, *events: Event) -> None:
        """Note what happened, in order."""
        self.events.extend(events)

    def put_replica(self, replica: Replica) -> None:
        """Take over a replica as it is now."""
        self.cluster = with_replica(self.cluster, replica)

    def put_broker(self, broker: Broker) -> None:
        """Take over a broker as it is now."""
        self.cluster = with_broker(self.cluster, broker)

    def put_controller(self, controller: Controller) -> None:
        """Take over the controller as it is now."""
        self.cluster = replace(self.cluster, controller=controller)

    def put_clients(self, clients: Clients) -> None:
        """Take over the clients as they are now."""
        self.cluster = replace(self.cluster, clients=clients)

    def put_messages(self, messages: tuple[Message, ...]) -> None:
        """Take over the messages in flight as they are now, in order of sending."""
        self.cluster = replace(self.cluster, messages=messages)

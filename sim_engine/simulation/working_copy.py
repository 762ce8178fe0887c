"""One action's working copy of the cluster, what a function may change of it, and the refusal of an
action.

A working copy collects the changes and the events of an action. If the action is refused, it is
discarded and nothing changes. It only stores; the functions in `performing/`, `receiving/` and
`effects/` decide what. Each of them takes the narrowest of the protocols below that has what it
changes. Its signature therefore states what it may change, and the type checker rejects the rest.
Everything may be read: `cluster` is immutable and only a method here replaces it.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Literal, Protocol, TypeAlias, TypeVar, Unpack

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import StepStruct
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
from sim_engine.events.run import ActionRefused, RefusalCode, RefusalNumbers
from sim_engine.identifiers import BrokerId, Endpoint, FrameNumber, MessageKind, TimeMs
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration import reason_text
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


class ChangesBrokers(ReadsCluster, Protocol):
    """May change brokers: their processes, disks, timers and metadata, and their replicas: logs,
    high watermarks, and roles as leader or follower.
    """

    def put_replica(self, replica: Replica) -> None:
        """Store a replica."""

    def put_broker(self, broker: Broker) -> None:
        """Store a broker."""

    def count_loss_of_contact(self) -> int:
        """Count one more loss of contact with the controller, and return its place in the order."""


class ChangesClients(ReadsCluster, Protocol):
    """May change producers and consumers: their metadata, positions and records."""

    def put_clients(self, clients: Clients) -> None:
        """Store the clients."""


class ChangesNetwork(ChangesBrokers, Protocol):
    """May send, change, hold and lose messages.

    A message that cannot be sent is lost immediately, and a replica that waits for its response
    detects the disconnect, so brokers change too.
    """

    def put_messages(self, messages: tuple[Message, ...]) -> None:
        """Store the messages in flight, which must be in sending order."""

    def add_message(self, message: Message) -> None:
        """Store a new message, whose id must be `next_message_id`, as the last one in flight."""

    def record_move(self, move: MessageMove) -> None:
        """Record what became of a message."""

    def put_network_holds(
        self, network_holds: tuple[tuple[MessageKind, Endpoint, Endpoint], ...]
    ) -> None:
        """Store which kinds of new messages are held, with sender and receiver."""


class CutsLinks(ChangesNetwork, Protocol):
    """May cut links: messages on them are lost, and brokers lose contact with the controller."""

    def put_links_cut(self, links_cut: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
        """Store the directed links that are cut."""


class EndsProcesses(ChangesNetwork, ChangesClients, Protocol):
    """May end processes and delete replicas: messages are lost, and producers whose requests waited
    there learn the result, or that they will not learn it.
    """


class ActsAsController(ChangesNetwork, Protocol):
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


class AppliesOutcomes(EndsProcesses, ActsAsController, Protocol):
    """May change whatever a protocol function's outcome can affect: brokers, messages, clients and
    the controller; and may record events in a different order from that of the changes.

    The controller is included, because under ZooKeeper a leader writes the ISR itself, and the
    controller then completes reassignments that waited for it. Links, settings and time are not
    included.
    """

    def hold_back(self, since: int) -> tuple[Event, ...]:
        """Remove the events from index `since` on and return them, to be recorded later."""


class ChangesConditions(AppliesOutcomes, CutsLinks, Protocol):
    """May change the conditions under which brokers run (settings, the protocol level and links),
    and apply every outcome that follows.
    """

    def put_profile(self, profile: Profile) -> None:
        """Store the version, its protocol level and its rules."""

    def put_configs(self, configs: Configs, topic_configs: tuple[tuple[str, Configs], ...]) -> None:
        """Store the settings of the cluster and of each topic."""

    def put_broker_configs(self, broker_id: BrokerId, configs: Configs) -> None:
        """Store the settings that a broker has for itself."""


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
            self.cluster, messages=(*self.cluster.messages, message), next_message_id=message.id + 1
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


class RefusedError(Exception):
    """An action is not possible in this state, or not supported by this version.

    `code` identifies the reason; `sim_engine.narration` has its text in each language, with
    `numbers` as values. When it is raised, nothing has changed.
    """

    def __init__(
        self,
        code: RefusalCode,
        /,
        *,
        rule: str | None = None,
        link: tuple[Endpoint, Endpoint | Literal["brokers", "all"]] | None = None,
        **numbers: Unpack[RefusalNumbers],
    ) -> None:
        if link is not None:
            numbers = {**numbers, "from": link[0], "to": link[1]}
        super().__init__(code, numbers)
        self.code: RefusalCode = code
        self.rule = rule
        self.numbers = numbers

    @property
    def reason(self) -> str:
        """The reason in English."""
        return self._in(DEFAULT_LANGUAGE)

    def said(self) -> dict[str, str]:
        """The reason in every language: a clause without a full stop."""
        return {lang: self._in(lang) for lang in LANGUAGES}

    def _in(self, lang: str) -> str:
        return reason_text(self.code, dict(self.numbers), lang)

    def as_event(self) -> Event:
        """The event of the frame that a refused step creates."""
        return ActionRefused(
            variant=self.code, rule=self.rule, reason=self.reason, given=self.numbers
        )


A = TypeVar("A", bound=StepStruct)

Performer: TypeAlias = Callable[[WorkingCopy, StepStruct], None]

Entry: TypeAlias = tuple[type[StepStruct], Performer]
"""A class of actions, and the function that performs it."""


def performs(kind: type[A], function: Callable[[WorkingCopy, A], None]) -> Entry:
    """A table entry: `function` performs actions of this class, and may change the part of the
    working copy that it takes.

    The type checker rejects a function for a different class, and one that takes what a working
    copy does not have.
    """

    @wraps(function)
    def perform(work: WorkingCopy, action: StepStruct) -> None:
        assert isinstance(action, kind), "the table is looked up by the action's class"
        function(work, action)

    return kind, perform

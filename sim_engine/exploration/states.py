"""The states of a search: canonical, and made of small integers.

A state is a tuple with one integer for each part (each broker, each broker's process, the
controller, the clients, the network, the settings, the committed records) and a tuple with one for
each message in flight. An integer stands for a value that is kept once, in a `Values` table. What
makes no difference to what can follow is not part of it:

- frame numbers and, unless the search lets time pass, times;
- the order of messages that may arrive in either order, and the numbers of messages: a request has
  the lowest number that its sender does not use, all others have none;
- epochs and offsets of the metadata log, which are only compared: each is its rank
  (`canonical.py`);
- the incarnation of a process, and how far it has read the metadata log: it is compared only
  whether the controller knows the one, and whether the other includes the broker's registration;
- what nothing reads under the rules of the release, for the property and with what is left of the
  budget, and messages whose delivery changes nothing (`relevance.py`).
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple, cast

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, Clients, ClusterState, Configs
from sim_engine.exploration.alphabet import elections_between
from sim_engine.exploration.canonical import (
    METADATA_OFFSET,
    Epochs,
    Values,
    lowest_numbers,
    numbers_at,
    renumbered,
    with_number,
    with_some_number,
)
from sim_engine.exploration.recorded import FIRST_NEW_ID, THE_FRAME, Part
from sim_engine.exploration.relevance import ANYTHING, Relevance, separates
from sim_engine.identifiers import (
    CONTROLLER,
    NO_LEADER,
    BrokerId,
    Endpoint,
    MessageKind,
    TimeMs,
    TopicPartition,
)
from sim_engine.invariants.fates import judge_fates
from sim_engine.invariants.observation import (
    CLIENTS,
    COMMITTED,
    EVERYTHING,
    ChangedAspects,
    History,
    PropertyResult,
    observation_of,
    observe,
)
from sim_engine.invariants.safety import CheckedProperty
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.log import ReplicaLog
from sim_engine.protocol.messages import Answer, Message, UpdateMetadata
from sim_engine.protocol.replica import PartitionSettings, Replica
from sim_engine.versions import Profile

State = tuple[int, ...]
"""The integers of a state. The entry for the messages is a tuple itself."""

_ProcessView = tuple[str | int, ...]
"""What can be read of a broker's process alone: see `Reads`."""


class _Network(NamedTuple):
    links_cut: tuple[tuple[Endpoint, Endpoint], ...]
    network_holds: tuple[tuple[MessageKind, Endpoint, Endpoint], ...]


class _Settings(NamedTuple):
    """The release, the configs, what derives from them, and the time, which changes as rarely."""

    profile: Profile
    configs: Configs
    topic_configs: tuple[tuple[str, Configs], ...]
    settings: tuple[tuple[TopicPartition, PartitionSettings], ...]
    broker_settings: tuple[tuple[BrokerId, TopicPartition, PartitionSettings], ...]
    now_ms: TimeMs


class _Canonical:
    """For some needs: the canonical numbers of each part, and which messages are dead."""

    def __init__(self) -> None:
        self.brokers: dict[tuple[int, int, int], tuple[int, int]] = {}
        self.clients: dict[int, int] = {}
        self.messages: dict[int, int] = {}
        self.dead: dict[tuple[int, int], bool] = {}


class States:
    """The states that can be reached from a cluster, as integers.

    `watched` is the property that is sought; what only other properties read is left out of the
    states. If `timed`, time may pass, and states have their times. If `composed`, a step may
    deliver several of the controller's commands, in the order in which they were sent. If
    `continued`, a state is also the start of a run without a budget, in which time passes.

    A state is canonical for what is left of a budget: see `relevance.py`. Without a budget,
    everything may still happen.
    """

    def __init__(
        self,
        start: ClusterState,
        history: History,
        watched: CheckedProperty,
        *,
        left: Sequence[int] | None = None,
        timed: bool = False,
        composed: bool = False,
        continued: bool = False,
    ) -> None:
        self._start = start
        self._relevance = Relevance(
            start, watched, left, timed=timed, composed=composed, continued=continued
        )
        self._composed = composed
        self._ranks_losses = timed or composed
        self._by_log = start.controller_kind.has_metadata_log
        self._watched = watched
        self._count = len(start.brokers)
        self._place = {broker.broker_id: place for place, broker in enumerate(start.brokers)}
        self._reads_clients = bool(watched.reads & CLIENTS)
        self._reads_committed = bool(watched.reads & COMMITTED)
        base = 2 * self._count
        self._controller, self._clients = base + Part.CONTROLLER, base + Part.CLIENTS
        self._network, self._settings = base + Part.NETWORK, base + Part.SETTINGS
        self._messages = base + Part.MESSAGES
        self._committed = self._messages + 1

        self._brokers: Values[Broker] = Values()
        self._processes: Values[_ProcessView] = Values()
        self._controllers: Values[Controller] = Values()
        self._all_clients: Values[Clients] = Values()
        self._networks: Values[_Network] = Values()
        self._all_settings: Values[_Settings] = Values()
        self._histories: Values[tuple[ReplicaLog, ...]] = Values()
        self._in_flight: Values[Message] = Values()
        self._views: Values[tuple[object, ...]] = Values()

        self._needs: dict[tuple[int, ...] | None, int] = {}
        self._tables: dict[int, _Canonical] = {}
        self._link_of: list[tuple[str, ...]] = []
        self._request_of: list[tuple[Endpoint, int] | None] = []
        self._may_die: list[bool] = []
        self._process_of: dict[int, int] = {}
        self._away: dict[int, int] = {}
        self._waiting: dict[int, tuple[tuple[BrokerId, int], ...]] = {}
        self._view_of: dict[int, int] = {}
        self._leaders: dict[int, tuple[int, ...]] = {}
        self._grown: dict[tuple[object, ...], int] = {}
        self._judged: dict[tuple[object, ...], int] = {}
        self._results: dict[tuple[object, ...], PropertyResult] = {}
        self._spent: dict[tuple[int, int], tuple[int, int]] = {}
        self._numbered: dict[tuple[int, int], Message] = {}
        self._epochs_in = Epochs(self._brokers, self._controllers, self._in_flight)
        self.start = self.state_of(start, history, left)

    # --- a state and its cluster ---------------------------------------------------------------

    def state_of(
        self, cluster: ClusterState, history: History, left: Sequence[int] | None = None
    ) -> State:
        """The canonical state of a cluster, for what is left of a budget."""
        return self._state_of(cluster, history, self.needs_of(left))

    def _state_of(self, cluster: ClusterState, history: History, needs: int) -> State:
        numbers = lowest_numbers(cluster)
        brokers = [renumbered(broker, numbers) for broker in cluster.brokers]
        messages = [with_number(message, numbers) for message in cluster.messages]
        state: list[object] = [
            *(self._brokers.number(broker) for broker in brokers),
            *(0 for _ in brokers),
            self._controller_number(cluster.controller),
            self._all_clients.number(cluster.clients),
            self._networks.number(network_of(cluster)),
            self._all_settings.number(settings_of(cluster)),
            tuple(self._message_number(message) for message in messages),
            self._histories.number(history.committed if self._reads_committed else ()),
        ]
        return self._canonical(state, needs)

    def needs_of(self, left: Sequence[int] | None) -> int:
        """What may still happen with what is left of a budget: see `relevance.py`."""
        key = None if left is None else tuple(left)
        known = self._needs.get(key)
        if known is None:
            known = self._needs[key] = self._relevance.needs_of(key)
        return known

    def within(self, state: State, needs: int) -> State:
        """A state that is canonical for more needs, for these."""
        return self._canonical(list(state), needs)

    def cluster_of(self, state: State) -> ClusterState:
        """The cluster of a state. Its messages have numbers that are not those of a run."""
        network = self._networks[state[self._network]]
        settings = self._all_settings[state[self._settings]]
        cluster = self._start
        return ClusterState(
            profile=settings.profile,
            seed=cluster.seed,
            now_ms=settings.now_ms,
            brokers=tuple([self._brokers[number] for number in state[: self._count]]),
            controller=self._controllers[state[self._controller]],
            messages=self._numbered_messages(cast("tuple[int, ...]", state[self._messages])),
            next_message_id=FIRST_NEW_ID,
            links_cut=network.links_cut,
            network_holds=network.network_holds,
            clients=self._all_clients[state[self._clients]],
            configs=settings.configs,
            topic_configs=settings.topic_configs,
            settings=settings.settings,
            broker_settings=settings.broker_settings,
            session_timeout_ms=cluster.session_timeout_ms,
            losses_of_contact=self._count,
        )

    def _numbered_messages(self, numbers: tuple[int, ...]) -> tuple[Message, ...]:
        messages: list[Message] = []
        for at in enumerate(numbers):
            known = self._numbered.get(at)
            if known is None:
                place, number = at
                known = self._numbered[at] = with_some_number(self._in_flight[number], place)
            messages.append(known)
        return tuple(messages)

    def _used(self, state: State, sender: BrokerId) -> tuple[int, ...]:
        """The numbers of a broker's requests that are in use."""
        used = {
            number
            for broker in state[: self._count]
            for by, number in self._waiting_at(broker)
            if by == sender
        }
        for message in cast("tuple[int, ...]", state[self._messages]):
            request = self._request_of[message]
            if request is not None and request[0] == sender:
                used.add(request[1])
        return tuple(sorted(used))

    def _waiting_at(self, broker: int) -> tuple[tuple[BrokerId, int], ...]:
        known = self._waiting.get(broker)
        if known is None:
            known = self._waiting[broker] = tuple(numbers_at(self._brokers[broker]))
        return known

    def value_at(self, place: int, number: int) -> object:
        """The value of an integer at a place of a state; of a message, if the messages are there.

        In every process it is equal and has the same `repr`.
        """
        return self._table(place)[number]

    def number_at(self, place: int, value: object) -> int:
        """The integer of a canonical value at a place, also of a value from another process."""
        if place == self._messages:
            return self._message_number(cast("Message", value))
        return self._table(place).number(value)

    def type_at(self, place: int) -> object:
        """The type of the values at a place, with which they can be decoded."""
        types: dict[int, object] = {
            self._controller: Controller,
            self._clients: Clients,
            self._network: _Network,
            self._settings: _Settings,
            self._messages: Message,
            self._committed: tuple[ReplicaLog, ...],
        }
        return types.get(place, Broker if place < self._count else _ProcessView)

    def _table(self, place: int) -> Values[Hashable]:
        tables = {
            self._controller: self._controllers,
            self._clients: self._all_clients,
            self._network: self._networks,
            self._settings: self._all_settings,
            self._messages: self._in_flight,
            self._committed: self._histories,
        }
        of_broker = self._brokers if place < self._count else self._processes
        return cast("Values[Hashable]", tables.get(place, of_broker))

    # --- canonical values ----------------------------------------------------------------------

    def _controller_number(self, controller: Controller) -> int:
        if self._by_log:
            controller = replace(controller, metadata_offset=METADATA_OFFSET)
        return self._controllers.number(controller)

    def _message_number(self, message: Message) -> int:
        number = self._in_flight.number(message)
        while len(self._link_of) <= number:
            added = self._in_flight[len(self._link_of)]
            self._link_of.append(_link(added, self._composed))
            asked_by = added.receiver if added.in_reply_to is not None else added.sender
            asked = added.id if added.in_reply_to is None else added.in_reply_to
            self._request_of.append((asked_by, asked) if asked else None)
            self._may_die.append(isinstance(added.payload, Answer | UpdateMetadata))
        return number

    def _canonical(self, state: list[object], needs: int, before: State | None = None) -> State:
        """The canonical state of some parts, for what is needed."""
        count = self._count
        numbers = cast("list[int]", state)
        table = self._tables.get(needs)
        if table is None:
            table = self._tables[needs] = _Canonical()
        for place in range(count):
            key = (place, numbers[place], numbers[self._controller])
            known = table.brokers.get(key)
            if known is None:
                known = table.brokers[key] = self._compared(*key, needs)
            numbers[place], numbers[self._controller] = known
        clients = numbers[self._clients]
        kept = table.clients.get(clients)
        if kept is None:
            value = self._relevance.clients(self._all_clients[clients], needs)
            kept = table.clients[clients] = self._all_clients.number(value)
        numbers[self._clients] = kept
        messages = cast("tuple[int, ...]", state[self._messages])
        if messages:
            messages = self._in_order(numbers, messages, table, needs)
        state[self._messages] = self._epochs_in.ranked(
            numbers, count, self._controller, messages, self._message_number
        )
        if self._ranks_losses:
            self._rank_losses(numbers)
        for place in range(count):
            numbers[count + place] = self._process_number(numbers[place])
        if self._reads_committed:
            numbers[self._committed] = self._with_committed(numbers)
        if self._reads_clients and before is not None:
            numbers[self._clients] = self._with_fates(before, numbers)
        return cast("State", tuple(state))

    def _process_number(self, broker: int) -> int:
        known = self._process_of.get(broker)
        if known is None:
            view = _process_view(self._brokers[broker])
            known = self._process_of[broker] = self._processes.number(view)
        return known

    def _compared(self, place: int, broker_number: int, number: int, needs: int) -> tuple[int, int]:
        """A broker without what makes no difference, and the controller, with incarnations that say
        only whether they are equal, and offsets that say only whether the broker has read the
        record of its registration.
        """
        broker, controller = self._brokers[broker_number], self._controllers[number]
        registered = controller.brokers[place]
        incarnation, known = (0, 0) if broker.incarnation == registered.incarnation else (1, 0)
        read = registered.broker_epoch if broker.metadata_offset >= registered.broker_epoch else 0
        broker = replace(
            self._relevance.broker(broker, needs),
            incarnation=incarnation,
            metadata_offset=read if self._by_log else 0,
        )
        if not broker.alive or not incarnation:
            # A start reads the marker of the last shutdown, and its registration what it read.
            broker = replace(broker, previous_broker_epoch=-1)
        if registered.incarnation != known:
            changed = replace(registered, incarnation=known)
            brokers = (*controller.brokers[:place], changed, *controller.brokers[place + 1 :])
            number = self._controllers.number(replace(controller, brokers=brokers))
        return self._brokers.number(broker), number

    def _rank_losses(self, numbers: list[int]) -> None:
        """Replace the order in which brokers lost contact by their ranks among those away."""
        orders: list[tuple[int, int]] = []
        for place in range(self._count):
            number = numbers[place]
            order = self._away.get(number)
            if order is None:
                order = self._away[number] = self._brokers[number].contact_lost_order
            if order:
                orders.append((order, place))
        for rank, (order, place) in enumerate(sorted(orders), 1):
            if order != rank:
                broker = self._brokers[numbers[place]]
                ranked = self._brokers.number(replace(broker, contact_lost_order=rank))
                self._away[ranked] = rank
                numbers[place] = ranked

    def _in_order(
        self, numbers: list[int], messages: tuple[int, ...], table: "_Canonical", needs: int
    ) -> tuple[int, ...]:
        kept: list[int] = []
        for message in messages:
            known = table.messages.get(message)
            if known is None:
                value = self._relevance.message(self._in_flight[message], needs)
                known = table.messages[message] = self._message_number(value)
            if not (self._may_die[known] and self._is_dead(numbers, known, kept, table, needs)):
                kept.append(known)
        if len(kept) > 1:
            kept.sort(key=self._link_of.__getitem__)
        return tuple(kept)

    def _is_dead(
        self, numbers: list[int], number: int, before: list[int], table: "_Canonical", needs: int
    ) -> bool:
        """Whether the delivery of a message changes nothing, and its place does not either."""
        message = self._in_flight[number]
        broker = numbers[self._place[message.receiving_broker]]
        known = table.dead.get((number, broker))
        if known is None:
            known = self._relevance.is_dead(message, self._brokers[broker], needs)
            table.dead[number, broker] = known
        return known and not any(separates(message, self._in_flight[other]) for other in before)

    def _with_committed(self, numbers: list[int]) -> int:
        """The committed records, with those below the high watermark of a legitimate leader."""
        controller = numbers[self._controller]
        leaders = self._leaders.get(controller)
        if leaders is None:
            leaders = self._leaders[controller] = tuple(
                self._place[one.leader]
                for one in self._controllers[controller].partitions
                if one.leader != NO_LEADER
            )
        views = [self._view(numbers[place]) for place in leaders]
        key = (controller, *views, numbers[self._committed])
        known = self._grown.get(key)
        if known is None:
            cluster = self._bare_cluster(numbers)
            before = History(committed=self._histories[numbers[self._committed]])
            grown = observe(before, self._start, cluster, THE_FRAME).committed
            known = self._grown[key] = self._histories.number(grown)
        return known

    def _with_fates(self, before: State, numbers: list[int]) -> int:
        """The clients, with the fate of each record after an action."""
        clients = numbers[self._clients]
        if not self._all_clients[clients].produced:
            return clients
        parts = (self._controller, self._clients)
        was, now = self._views_of(before), self._views_of(numbers)
        key = (*was, *now, *(before[part] for part in parts), *(numbers[part] for part in parts))
        known = self._judged.get(key)
        if known is None:
            after = self._bare_cluster(numbers)
            judged, _ = judge_fates(self._bare_cluster(before), after, THE_FRAME)
            value = self._relevance.clients(judged.clients, ANYTHING)
            known = self._judged[key] = self._all_clients.number(value)
        return known

    def _bare_cluster(self, numbers: Sequence[int]) -> ClusterState:
        """What properties read of a state: brokers, controller and clients."""
        return replace(
            self._start,
            brokers=tuple([self._brokers[number] for number in numbers[: self._count]]),
            controller=self._controllers[numbers[self._controller]],
            clients=self._all_clients[numbers[self._clients]],
            messages=(),
        )

    def _views_of(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple([self._view(number) for number in numbers[: self._count]])

    def _view(self, broker: int) -> int:
        """What properties and fates may read of a broker, as an integer."""
        known = self._view_of.get(broker)
        if known is None:
            value = self._brokers[broker]
            view = (value.process, value.incarnation, *map(_property_view, value.replicas))
            known = self._view_of[broker] = self._views.number(view)
        return known

    # --- what the search asks ------------------------------------------------------------------

    def spent(self, before: State, after: State) -> tuple[int, int]:
        """The elections and the leader epochs between two states."""
        was, now = before[self._controller], after[self._controller]
        if was == now:
            return 0, 0
        known = self._spent.get((was, now))
        if known is None:
            known = elections_between(self._controllers[was], self._controllers[now])
            self._spent[was, now] = known
        return known

    def judge(self, before: State, after: State) -> PropertyResult:
        """What the property says about a state after an action. If it compares the two, and nothing
        that it reads has changed, it has nothing to judge.
        """
        key: tuple[object, ...] = (
            self._views_of(after),
            after[self._controller],
            after[self._clients] if self._reads_clients else None,
            after[self._committed],
        )
        if self._watched.compares:
            if self._same_to_properties(before, after):
                return "not_exercised"
            key = (*key, self._views_of(before), before[self._controller], before[self._clients])
        known = self._results.get(key)
        if known is None:
            cluster = self._bare_cluster(after)
            history = History(
                committed=self._histories[after[self._committed]]
                if self._reads_committed
                else tuple(ReplicaLog() for _ in cluster.partitions),
                before=self._bare_cluster(before) if self._watched.compares else None,
            )
            partitions = cluster.partitions
            if history.before is not None:
                partitions = tuple(_changed_partitions(history.before, cluster))
            changed = ChangedAspects(frozenset(partitions), EVERYTHING)
            known = self._watched.check(observation_of(history, cluster, changed))
            self._results[key] = known
        return known

    def _same_to_properties(self, one: State, other: State) -> bool:
        parts = (self._controller, self._clients, self._committed)
        return self._views_of(one) == self._views_of(other) and all(
            one[part] == other[part] for part in parts
        )


def _process_view(broker: Broker) -> _ProcessView:
    hosted = [replica.partition for replica in broker.replicas]
    return (broker.process, broker.incarnation, *hosted)


def network_of(cluster: ClusterState) -> _Network:
    """What is kept as the network: the links that are cut, and what is held."""
    return _Network(cluster.links_cut, cluster.network_holds)


def settings_of(cluster: ClusterState) -> _Settings:
    """What is kept as the settings."""
    return _Settings(
        cluster.profile,
        cluster.configs,
        cluster.topic_configs,
        cluster.settings,
        cluster.broker_settings,
        cluster.now_ms,
    )


def _link(message: Message, composed: bool) -> tuple[str, ...]:
    """Messages with equal links stay in their order.

    The controller's last message to a broker decides whether the next one is merged with it, so all
    of those are one link. If steps are `composed`, all of the controller's messages are.
    """
    if message.sender == CONTROLLER:
        return (str(message.sender), "" if composed else str(message.receiver))
    return (str(message.sender), str(message.receiver), message.kind, message.partition or "")


def _changed_partitions(was: ClusterState, now: ClusterState) -> Iterator[TopicPartition]:
    """The partitions that an action has changed, as far as properties may depend on them."""
    everything = was.controller.brokers != now.controller.brokers
    for before, after in zip(was.controller.partitions, now.controller.partitions, strict=True):
        name = after.partition
        if (
            everything
            or before != after
            or any(
                _host_view(one, name) != _host_view(other, name)
                for one, other in zip(was.brokers, now.brokers, strict=True)
            )
        ):
            yield name


def _host_view(broker: Broker, partition: TopicPartition) -> tuple[object, ...]:
    replica = broker.replica(partition)
    return (
        len(broker.replicas),
        replica and (broker.process, broker.incarnation, *_property_view(replica)),
    )


def _property_view(replica: Replica) -> tuple[object, ...]:
    """What properties may depend on: see `observation.ChangedAspects`."""
    leading, fetcher = replica.leading, replica.fetcher
    return (
        replica.partition,
        replica.log,
        replica.high_watermark,
        replica.flushed,
        replica.epoch_cache,
        replica.leader_epoch,
        replica.loaded,
        replica.following,
        fetcher is not None and fetcher.has_fetched,
        leading and (leading.isr, leading.pending_isr and leading.pending_isr.isr),
        leading is not None,
    )

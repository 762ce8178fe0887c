"""The states of a search: canonical, and made of small integers.

A state is a tuple with one integer for each part (each broker, each broker's process, the
controller, the clients, the network, the settings, the committed records) and a tuple with one for
each message in flight. An integer stands for a value that is kept once, in a `Values` table. What
makes no difference to what can follow is not part of it:

- frame numbers and, unless the search lets time pass, times;
- the order of messages that may arrive in either order, and the numbers of messages: a request has
  the lowest number that its sender does not use, all others have none;
- responses that nobody waits for;
- the incarnation of a process, and how far it has read the metadata log: it is compared only
  whether the controller knows the one, and whether the other includes the broker's registration;
- how long ago a broker lost contact: only the order is, among those that are away;
- the committed records, the fates of records and what clients were told, unless the property reads
  them.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, Clients, ClusterState, Configs, ProducedRecord
from sim_engine.exploration.alphabet import elections_between
from sim_engine.exploration.recorded import FIRST_NEW_ID, THE_FRAME, Part
from sim_engine.exploration.request_numbers import (
    lowest_numbers,
    numbers_at,
    renumbered,
    with_number,
    with_numbers_for_all,
)
from sim_engine.identifiers import (
    CONTROLLER,
    NO_LEADER,
    BrokerId,
    Endpoint,
    FrameNumber,
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
    observation_of,
    observe,
)
from sim_engine.invariants.safety import CheckedProperty
from sim_engine.invariants.verdicts import PropertyResult
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.log import ReplicaLog
from sim_engine.protocol.messages import (
    BrokerRegistration,
    FollowerResponse,
    Message,
    MetadataRecords,
    UpdateMetadata,
)
from sim_engine.protocol.replica import PartitionSettings, Replica
from sim_engine.simulation.performing.messages import is_awaited
from sim_engine.versions import Profile

State = tuple[int, ...]
"""The integers of a state. The entry for the messages is a tuple itself."""

_Value = TypeVar("_Value", bound=Hashable)


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


class Values(Generic[_Value]):
    """Values, each kept once, and their integers."""

    def __init__(self) -> None:
        self._numbers: dict[_Value, int] = {}
        self._values: list[_Value] = []

    def number(self, value: _Value) -> int:
        """The integer of a value."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self._values)
            self._values.append(value)
        return number

    def __getitem__(self, number: int) -> _Value:
        return self._values[number]


class States:
    """The states that can be reached from a cluster, as integers.

    `watched` is the property that is sought; what only other properties read is left out of the
    states. If `timed`, time may pass, and states have their times. If `retried`, producers may
    retry, and states have what producers were told. If `composed`, a step may deliver several of
    the controller's commands, in the order in which they were sent.
    """

    def __init__(
        self,
        start: ClusterState,
        history: History,
        watched: CheckedProperty,
        *,
        timed: bool = False,
        retried: bool = False,
        composed: bool = False,
    ) -> None:
        self._start = start
        self._timed = timed
        self._composed = composed
        self._watched = watched
        self._count = len(start.brokers)
        self._place = {broker.broker_id: place for place, broker in enumerate(start.brokers)}
        self._reads_clients = bool(watched.reads & CLIENTS)
        self._tells_producers = retried or self._reads_clients
        self._reads_committed = bool(watched.reads & COMMITTED)
        base = 2 * self._count
        self._controller, self._clients = base + Part.CONTROLLER, base + Part.CLIENTS
        self._network, self._settings = base + Part.NETWORK, base + Part.SETTINGS
        self._messages = base + Part.MESSAGES
        self._committed = self._messages + 1

        self._brokers: Values[Broker] = Values()
        self._processes: Values[str] = Values()
        self._controllers: Values[Controller] = Values()
        self._all_clients: Values[Clients] = Values()
        self._networks: Values[_Network] = Values()
        self._all_settings: Values[_Settings] = Values()
        self._histories: Values[tuple[ReplicaLog, ...]] = Values()
        self._in_flight: Values[Message] = Values()
        self._views: Values[tuple[object, ...]] = Values()

        self._link_of: list[tuple[str, ...]] = []
        self._request_of: list[tuple[Endpoint, int] | None] = []
        self._dead: dict[tuple[int, int], bool] = {}
        self._known: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._process_of: dict[int, int] = {}
        self._away: dict[int, int] = {}
        self._waiting: dict[int, tuple[tuple[BrokerId, int], ...]] = {}
        self._view_of: dict[int, int] = {}
        self._leaders: dict[int, tuple[int, ...]] = {}
        self._grown: dict[tuple[object, ...], int] = {}
        self._judged: dict[tuple[object, ...], int] = {}
        self._results: dict[tuple[object, ...], PropertyResult] = {}
        self._spent: dict[tuple[int, int], tuple[int, int]] = {}
        self._numbered: dict[tuple[int, ...], tuple[Message, ...]] = {}
        self.start = self.state_of(start, history)

    # --- a state and its cluster ---------------------------------------------------------------

    def state_of(self, cluster: ClusterState, history: History) -> State:
        """The canonical state of a cluster."""
        numbers = lowest_numbers(cluster)
        brokers = [renumbered(broker, numbers) for broker in cluster.brokers]
        messages = [with_number(message, numbers) for message in cluster.messages]
        state: list[object] = [
            *(self._broker_number(broker) for broker in brokers),
            *(0 for _ in brokers),
            self._controllers.number(cluster.controller),
            self._clients_number(cluster.clients),
            self._networks.number(network_of(cluster)),
            self._all_settings.number(settings_of(cluster)),
            tuple(self._message_number(message) for message in messages),
            self._histories.number(history.committed if self._reads_committed else ()),
        ]
        return self._canonical(state)

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
        known = self._numbered.get(numbers)
        if known is None:
            messages = [self._in_flight[number] for number in numbers]
            known = self._numbered[numbers] = with_numbers_for_all(messages)
        return known

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

    def _broker_number(self, broker: Broker) -> int:
        lost_ms = broker.contact_lost_ms
        if lost_ms is not None and not self._timed:
            lost_ms = self._start.now_ms
        broker = replace(
            broker,
            timers=broker.timers if self._timed else (),
            down_since_frame=None,
            contact_lost_ms=lost_ms,
            contact_lost_order=0 if broker.contact_lost_ms is None else broker.contact_lost_order,
            known_brokers=_without_incarnations(broker.known_brokers),
        )
        if not self._tells_producers and any(replica.produces for replica in broker.replicas):
            broker = replace(
                broker, replicas=tuple(_without_produces(replica) for replica in broker.replicas)
            )
        return self._brokers.number(broker)

    def _clients_number(self, clients: Clients) -> int:
        changed = tuple(map(self._without_what_is_not_read, clients.produced))
        consumed = tuple(replace(record, frame=THE_FRAME) for record in clients.consumed)
        at_risk = clients.at_risk if self._reads_clients else ()
        return self._all_clients.number(
            replace(clients, at_risk=at_risk, produced=changed, consumed=consumed)
        )

    def _without_what_is_not_read(self, record: ProducedRecord) -> ProducedRecord:
        if not self._reads_clients and record.id is not None:
            # It was handled. What its producer was told makes a difference only for retries.
            record = replace(
                record,
                outcome=record.outcome if self._tells_producers else "pending",
                error=None,
                acked_frame=record.acked_frame if self._tells_producers else None,
                lost_frame=None,
                fate=None,
                fate_frame=None,
            )
        return replace(
            record,
            frame=THE_FRAME,
            acked_frame=_whether(record.acked_frame),
            lost_frame=_whether(record.lost_frame),
            fate_frame=_whether(record.fate_frame),
        )

    def _message_number(self, message: Message) -> int:
        payload = message.payload
        if isinstance(payload, UpdateMetadata | MetadataRecords):
            message = replace(
                message, payload=replace(payload, brokers=_without_incarnations(payload.brokers))
            )
        number = self._in_flight.number(message)
        if number == len(self._link_of):
            self._link_of.append(_link(message, self._composed))
            asked_by = message.receiver if message.in_reply_to is not None else message.sender
            asked = message.id if message.in_reply_to is None else message.in_reply_to
            self._request_of.append((asked_by, asked) if asked else None)
        return number

    def _canonical(self, state: list[object], before: State | None = None) -> State:
        """The canonical state of parts that are canonical, each for itself."""
        count = self._count
        numbers = cast("list[int]", state)
        for place in range(count):
            broker, controller = numbers[place], numbers[self._controller]
            key = (place, broker, controller)
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = self._compared(place, broker, controller)
            numbers[place], numbers[self._controller] = known
        self._rank_losses(numbers)
        for place in range(count):
            process = self._process_of.get(numbers[place])
            if process is None:
                process = self._processes.number(self._brokers[numbers[place]].process)
                self._process_of[numbers[place]] = process
            numbers[count + place] = process
        messages = cast("tuple[int, ...]", state[self._messages])
        if messages:
            state[self._messages] = self._in_order(numbers, messages)
        if self._reads_committed:
            numbers[self._committed] = self._with_committed(numbers)
        if self._reads_clients and before is not None:
            numbers[self._clients] = self._with_fates(before, numbers)
        return cast("State", tuple(state))

    def _compared(self, place: int, broker_number: int, number: int) -> tuple[int, int]:
        """A broker and the controller, with incarnations that only say whether they are equal."""
        broker, controller = self._brokers[broker_number], self._controllers[number]
        registered = controller.brokers[place]
        incarnation, known = (0, 0) if broker.incarnation == registered.incarnation else (1, 0)
        # A broker has read the record of its registration, or not.
        read = registered.broker_epoch if broker.metadata_offset >= registered.broker_epoch else 0
        if (broker.incarnation, broker.metadata_offset) != (incarnation, read):
            broker_number = self._brokers.number(
                replace(broker, incarnation=incarnation, metadata_offset=read)
            )
        if registered.incarnation != known:
            changed = replace(registered, incarnation=known)
            brokers = (*controller.brokers[:place], changed, *controller.brokers[place + 1 :])
            number = self._controllers.number(replace(controller, brokers=brokers))
        return broker_number, number

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

    def _in_order(self, numbers: list[int], messages: tuple[int, ...]) -> tuple[int, ...]:
        kept = [one for one in messages if not self._is_dead(numbers, one)]
        if len(kept) > 1:
            kept.sort(key=self._link_of.__getitem__)
        return tuple(kept)

    def _is_dead(self, numbers: list[int], number: int) -> bool:
        """Whether a message is a response that nobody waits for."""
        message = self._in_flight[number]
        if not isinstance(message.payload, FollowerResponse) or message.held:
            return False
        broker = numbers[self._place[message.receiving_broker]]
        known = self._dead.get((number, broker))
        if known is None:
            known = self._dead[number, broker] = not waits_for(
                self._brokers[broker], message, message.payload
            )
        return known

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
            known = self._judged[key] = self._clients_number(judged.clients)
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


def _whether(frame: FrameNumber | None) -> FrameNumber | None:
    return None if frame is None else THE_FRAME


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


def waits_for(broker: Broker, message: Message, response: FollowerResponse) -> bool:
    """Whether a broker does something with a response: a fetch loop waits for it, or a fetcher that
    is shutting down.
    """
    if message.partition is None:
        return True
    request = response.in_reply_to
    if any(ending.request == request for ending in broker.ending_fetchers):
        return True
    replica = broker.replica(message.partition)
    return replica is not None and is_awaited(replica, request)


def _link(message: Message, composed: bool) -> tuple[str, ...]:
    """Messages with equal links stay in their order.

    The controller's last message to a broker decides whether the next one is merged with it, so all
    of those are one link. If steps are `composed`, all of the controller's messages are.
    """
    if message.sender == CONTROLLER:
        return (str(message.sender), "" if composed else str(message.receiver))
    return (str(message.sender), str(message.receiver), message.kind, message.partition or "")


def _without_incarnations(known: tuple[BrokerRegistration, ...]) -> tuple[BrokerRegistration, ...]:
    if not any(broker.incarnation for broker in known):
        return known
    return tuple(replace(broker, incarnation=0) for broker in known)


def _without_produces(replica: Replica) -> Replica:
    leading = replica.leading
    if leading is None or not leading.produces:
        return replica
    return replace(replica, leading=replace(leading, produces=()))


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

"""What real brokers have to do for each step of a scenario: the verbs of a recording, before any of
them is carried out.

In a scenario no message moves by itself. Real followers fetch all the time. So every Fetch between
two replicas is held from the start; a `fetch` lets one round through, and a `settle` releases all
of them until nothing changes. What brokers and the controller send each other besides arrives at
once: steps that need it late are refused, by name and before anything starts.
"""

from collections.abc import Callable, Mapping
from itertools import chain, permutations
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from backend.recording.recordable import (
    METADATA_AS_A_WHOLE,
    ZK_CONTROLLER,
    is_left_out,
    of_start,
    recordable,
)
from backend.recording.settings import configs_of, coordinator_of, lags, produce_timeout_ms
from sim_engine.actions import steps
from sim_engine.class_tables import for_class
from sim_engine.conformance import recording as verbs
from sim_engine.error_texts import WrongInputError
from sim_engine.identifiers import NO_LEADER, BrokerId, Endpoint, Offset, TopicPartition
from sim_engine.releases import at_least, number_of
from sim_engine.scenario_reader.document import Scenario, ScenarioStep
from sim_engine.versions import Control, resolve_profile

THE_LEADER = NO_LEADER
"""In a planned `fetch`, the leader at that time, which only the cluster knows."""
BY_API = (2, 4)
"""From 2.4, reassignments and elections of all kinds are requests; before, they are znodes."""
SETTLES_MS = 700


class NotRecordableError(WrongInputError):
    """Real brokers cannot carry out a scenario; the message names each step with its reason."""


class Retry(Struct, frozen=True, kw_only=True):
    """In a plan, the producer's oldest request that was not acknowledged is sent again: the cluster
    decides which.
    """

    producer: str


class PlannedVerb(Struct, frozen=True, kw_only=True):
    """One verb, the step that it is of, the client that carries it out, and whether the cluster is
    read after it.
    """

    item: int
    verb: verbs.Verb | Retry
    reads: bool = True
    read_after_ms: int | None = None
    """The time that passes before that, in ms."""
    client: str | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that is to be done, and the brokers' settings."""

    control: Control
    partitions: list[list[BrokerId]]
    configs: dict[str, object]
    coordinator: BrokerId | None
    """The broker that coordinates transactions, if there are any."""
    producer: Literal["idempotent", "transactional"] | None
    """The kind of the producer that has an id, if there is one."""
    steps: list[PlannedVerb]


def plan(scenario: Scenario, release: str, control: Control) -> Plan:
    """The verbs of a scenario under a release. Raises `NotRecordableError`."""
    reasons = list(of_start(scenario))
    planner = _Planner(scenario, release, control)
    for item, step in enumerate(scenario.steps):
        if is_left_out(step, release, control):
            continue
        reason = recordable(step, scenario, control) or planner.add(item, step)
        if reason is not None:
            reasons.append(f"step {item + 1}, {step.kind}: {reason}")
    if reasons:
        raise NotRecordableError(
            "real brokers cannot carry out this scenario:\n" + "\n".join(reasons)
        )
    return Plan(
        control=control,
        partitions=[list(one.replicas) for one in scenario.topics[0].partitions],
        configs=configs_of(scenario, control),
        coordinator=coordinator_of(scenario, control),
        producer=planner.producer,
        steps=planner.planned,
    )


def _ends(follower: Endpoint, leader: Endpoint | int) -> tuple[BrokerId, BrokerId]:
    """The ends of a route. The reader allows messages of Fetch between brokers alone."""
    assert isinstance(follower, int), "a broker"
    assert isinstance(leader, int), "a broker, or the controller's node"
    return BrokerId(follower), BrokerId(leader)


class _Planner:
    """Collects the verbs, and knows what is held, in flight and not noticed."""

    def __init__(self, scenario: Scenario, release: str, control: Control) -> None:
        self.planned: list[PlannedVerb] = []
        rules = resolve_profile(release, control=control).rules
        self._coordinator = coordinator_of(scenario, control)
        self._timeout_ms = produce_timeout_ms(scenario)
        self._has_producer_ids = rules.idempotent_producers
        self._elects_uncleanly = at_least(number_of(release), BY_API)
        self._numbered: tuple[str, bool] | None = None
        """The producer with an id, and whether it is transactional."""
        self._open: str | None = None
        """The producer with an open transaction."""
        self._cut: list[tuple[BrokerId, BrokerId]] = []
        self._isolated: set[BrokerId] = set()
        """The brokers without connections to the controller."""
        self._scenario = scenario
        self._control: Control = control
        self._has_zookeeper = control == "zookeeper"
        self._item = 0
        self._gone: list[BrokerId] = []
        """Dead brokers that the controller has not noticed, oldest first."""
        self._bounced: BrokerId | None = None
        """The broker that is started again while the controller is kept from noticing."""
        self._in_flight: set[tuple[BrokerId, BrokerId]] = set()
        """The follower and the leader of each response that is held."""
        self._kept: set[tuple[BrokerId, BrokerId]] = set()
        """Those that a step holds by itself, also while everything else settles."""
        self._down: set[BrokerId] = set()
        self._frozen: set[BrokerId] = set()
        self._unread: set[BrokerId] = set()
        """The brokers whose metadata is held."""
        self._released: BrokerId | None = None
        """The broker whose metadata the step before released."""
        members = {one for p in scenario.partitions.values() for one in p.replicas}
        added = (
            one.step.replicas for one in scenario.steps if isinstance(one.step, steps.Reassign)
        )
        members.update(one for replicas in added for one in replicas or ())
        self._routes = list(permutations(sorted(members), 2))
        first = scenario.topics[0].partitions[0]
        created = verbs.CreateTopic(
            replicas=list(first.replicas), configs=dict(scenario.topics[0].configs)
        )
        self._add(created)
        self._hold_all()

    def add(self, item: int, step: ScenarioStep) -> str | None:
        """Add the verbs of a step; the reason if it cannot follow those before it."""
        self._item = item
        add = _PLANNERS.get(type(step.step))
        if not isinstance(step.step, steps.Deliver):
            self._released = None
        return None if add is None else add(self, step.step)

    def _add(
        self, verb: verbs.Verb | Retry, *, reads: bool = True, client: str | None = None
    ) -> None:
        self.planned.append(PlannedVerb(item=self._item, verb=verb, reads=reads, client=client))

    def _network(self, route: tuple[BrokerId, BrokerId], **what: str) -> None:
        follower, leader = route
        verb = verbs.Network(api="Fetch", from_=follower, to=leader, **what)  # type: ignore[arg-type]
        self._add(verb, reads=False)

    def _hold_all(self) -> None:
        for route in self._routes:
            self._network(route, hold="request")

    @property
    def producer(self) -> Literal["idempotent", "transactional"] | None:
        """The kind of the producer with an id, if there is one."""
        if self._numbered is None:
            return None
        return "transactional" if self._numbered[1] else "idempotent"

    def _take_id(self, producer: str, *, is_transactional: bool) -> str | None:
        """Let a producer have the id; the reason if it cannot."""
        if not self._has_producer_ids:
            return "this release has no idempotent producers"
        if self._numbered not in (None, (producer, is_transactional)):
            return "one producer has an id, and it is idempotent or transactional"
        self._numbered = (producer, is_transactional)
        if not is_transactional:
            return None
        if self._coordinator in self._away():
            return "the broker with the log of transactions does not respond"
        if self._coordinator in self._isolated | self._unread | {*chain.from_iterable(self._cut)}:
            return "the broker with the log of transactions does not reach every leader"
        return None

    def _away(self) -> set[BrokerId]:
        """The nodes that do not respond now."""
        frozen_controller = set() if self._bounced is None else {ZK_CONTROLLER}
        return self._down | self._frozen | frozen_controller

    def produce(self, step: steps.Produce) -> str | None:
        is_transactional = self._open == step.as_
        if step.idempotent or is_transactional:
            reason = self._take_id(step.as_, is_transactional=is_transactional)
            if reason is not None:
                return reason
        for value in step.values:
            self._add(
                verbs.Produce(
                    broker=step.broker,
                    values=[value],
                    acks=step.acks,
                    timeout_ms=step.timeout_ms or self._timeout_ms,
                    wait=False,
                    idempotent=step.idempotent and not is_transactional,
                    transactional=is_transactional,
                    sequence=step.sequence,
                ),
                client=step.as_,
            )
        return None

    def retry(self, step: steps.Retry) -> str | None:
        self._add(Retry(producer=step.as_), client=step.as_)
        return None

    def transaction(self, step: steps.Transaction) -> str | None:
        if step.do == "begin":
            reason = self._take_id(step.as_, is_transactional=True)
            if reason is not None:
                return reason
            self._open = step.as_
            self._add(verbs.Transaction(add_partition=True), client=step.as_)
            return None
        if self._open != step.as_:
            return "that producer has no open transaction"
        self._open = None
        self._add(verbs.Transaction(end=step.do), client=step.as_)
        return self._take_id(step.as_, is_transactional=True)

    def consume(self, step: steps.Consume) -> str | None:
        broker = THE_LEADER if step.broker is None else step.broker
        isolation = step.isolation or "read_uncommitted"
        verb = verbs.Consume(broker=broker, offset=Offset(0), isolation=isolation)
        self._add(verb, client=step.as_)
        return None

    def fetch(self, step: steps.Fetch) -> str | None:
        if any(follower == step.broker for follower, _ in self._in_flight):
            return "the response to the request before has not arrived"
        is_dropped = step.drop is not None
        self._add(
            verbs.Fetch(
                broker=step.broker,
                from_=THE_LEADER,
                rounds=1,
                response="held" if is_dropped else "delivered",
            )
        )
        if is_dropped:
            verb = verbs.Network(api="Fetch", from_=step.broker, to=THE_LEADER, drop="response")
            self._add(verb, reads=False)
        return None

    def deliver(self, step: steps.Deliver) -> str | None:
        if step.kind == "fetch_request":
            route = _ends(step.from_, step.to)
            if route in self._in_flight:
                return "the response to the request before has not arrived"
            self._add(verbs.Fetch(broker=route[0], from_=route[1], rounds=1, response="held"))
            self._in_flight.add(route)
            return None
        return self.release(step, is_delivered=True)

    def drop(self, step: steps.Drop) -> str | None:
        route = _ends(step.to, step.from_)
        if route not in self._in_flight:
            return "no response of that broker is in flight"
        self._in_flight.discard(route)
        self._kept.discard(route)
        self._network(route, drop="response")
        return None

    def hold(self, step: steps.Hold) -> str | None:
        if step.is_metadata_log or step.kind == steps.METADATA:
            route = _ends(step.to, verbs.KRAFT_CONTROLLER)
            self._network(route, hold="request")
            self._unread.add(route[0])
            return None
        if step.kind == "fetch_request":
            self._kept.add(_ends(step.from_, step.to))
            return None
        route = _ends(step.to, step.from_)
        if route not in self._in_flight:
            return "no response of that broker is in flight"
        self._kept.add(route)
        return None

    def release(
        self, step: steps.Deliver | steps.Release, *, is_delivered: bool = False
    ) -> str | None:
        if step.is_metadata_log or step.kind == steps.METADATA:
            route = _ends(step.to, verbs.KRAFT_CONTROLLER)
            if getattr(step, "records", None) is not None:
                # The release before it delivered everything at once.
                return None if self._released == route[0] else METADATA_AS_A_WHOLE
            self._released = route[0]
            self._network(route, release="request")
            self._unread.discard(route[0])
            self._add(verbs.Wait(ms=SETTLES_MS))
            return None
        is_request = step.kind == "fetch_request"
        route = _ends(step.from_, step.to) if is_request else _ends(step.to, step.from_)
        self._kept.discard(route)
        if is_request or not is_delivered:
            return None  # it is in flight, and delivered by another step
        if route not in self._in_flight:
            return "no response of that broker is in flight"
        self._in_flight.discard(route)
        self._network(route, release="response")
        self._add(verbs.Wait(ms=SETTLES_MS))
        return None

    def crash(self, step: steps.Crash) -> str | None:
        broker = step.broker
        session = None
        if self._has_zookeeper:
            session = "kept"
            if self._starts_unnoticed(broker):
                self._bounced = broker
                self._add(verbs.Freeze(broker=ZK_CONTROLLER), reads=False)
                session = "ended"
        self._add(verbs.Kill(broker=broker, session=session))  # type: ignore[arg-type]
        if self._bounced != broker:
            self._gone.append(broker)
        self._forget(broker)
        return None

    def _forget(self, broker: BrokerId) -> None:
        """What a dead broker sent or was sent is lost with its connections."""
        self._down.add(broker)
        self._frozen.discard(broker)
        self._in_flight = {route for route in self._in_flight if broker not in route}

    def _starts_unnoticed(self, broker: BrokerId) -> bool:
        """Whether the next step about the controller or this broker boots it."""
        for following in self._scenario.steps[self._item + 1 :]:
            step = following.step
            if isinstance(step, steps.Boot) and step.broker == broker:
                return step.session is None
            if isinstance(step, _BY_CONTROLLER):
                return False
        return False

    def power_loss(self, step: steps.PowerLoss) -> str | None:
        name = TopicPartition(f"{self._scenario.topics[0].name}-0")
        keep = (step.keep or {}).get(name)
        if keep is None or len(step.keep or {}) > 1:
            return f"keep names {name}, and no other partition"
        session = "kept" if self._has_zookeeper else None
        self._add(verbs.PowerLoss(broker=step.broker, keep=int(keep), session=session))  # type: ignore[arg-type]
        self._lose(step.broker)
        return None

    def disk_loss(self, step: steps.DiskLoss) -> str | None:
        if step.broker == self._coordinator:
            return "this broker has the log of transactions, which would be lost too"
        session = "kept" if self._has_zookeeper else None
        self._add(verbs.DiskLoss(broker=step.broker, session=session))  # type: ignore[arg-type]
        self._lose(step.broker)
        return None

    def _lose(self, broker: BrokerId) -> None:
        """A broker is dead, if it was not before, and the controller has not noticed."""
        if broker not in self._down:
            self._gone.append(broker)
        self._forget(broker)

    def shutdown(self, step: steps.Shutdown) -> str | None:
        if step.broker == self._coordinator:
            return "this broker leads the log of transactions too, which delays its shutdown"
        if self._unread - self._down - {step.broker}:
            return "the controller lets a broker stop when all others have read their metadata"
        if step.broker in self._isolated:
            return "a broker that the controller does not answer stops after minutes"
        self._add(verbs.Stop(broker=step.broker))
        self._forget(step.broker)
        return None

    def pause(self, step: steps.Pause) -> str | None:
        self._add(verbs.Freeze(broker=step.broker))
        self._frozen.add(step.broker)
        return None

    def resume(self, step: steps.Resume) -> str | None:
        self._add(verbs.Thaw(broker=step.broker))
        self._frozen.discard(step.broker)
        return None

    def start(self, step: steps.Start | steps.Boot) -> str | None:
        broker = step.broker
        if broker in self._unread:
            return "a broker does not start before it has read its metadata"
        if isinstance(step, steps.Boot) and step.session == "kept":
            if broker not in self._gone:
                return "the controller has noticed that the broker died: no session is left"
            self._add(verbs.Start(broker=broker))
            return None
        self._down.discard(broker)
        if self._bounced == broker:
            self._add(verbs.Start(broker=broker))
            self._add(verbs.Thaw(broker=ZK_CONTROLLER))
            self._bounced = None
            return None
        if self._bounced is not None:
            return "the controller is kept from noticing another broker"
        if broker in self._gone:
            self._gone.remove(broker)
            if self._has_zookeeper:
                self._add(verbs.SessionEnd(broker=broker))
        self._add(verbs.Start(broker=broker))
        return None

    def cut(self, step: steps.Cut) -> str | None:
        self._cut_link(_ends(step.from_, step.to), reads=True)
        return None

    def _cut_link(self, link: tuple[BrokerId, BrokerId], *, reads: bool) -> None:
        sender, receiver = link
        self._cut.append(link)
        # A response that is on its way to the receiver is lost.
        self._in_flight.discard((receiver, sender))
        self._kept.discard((receiver, sender))
        self._add(verbs.CutLink(from_=sender, to=receiver), reads=reads)

    def heal(self, step: steps.Heal) -> str | None:
        healed = [link for link in self._cut if step.broker in link]
        if step.broker is None:
            assert step.from_ is not None, "it says a broker or a link"
            assert step.to is not None, "it says a broker or a link"
            healed = [_ends(step.from_, step.to)]
        for sender, receiver in healed:
            if (sender, receiver) not in self._cut:
                return "that link is not cut"
            self._cut.remove((sender, receiver))
            self._add(verbs.HealLink(from_=sender, to=receiver))
        if step.broker in self._isolated:
            self._isolated.remove(step.broker)
            self._add(verbs.Reconnect(broker=step.broker))
        return None

    def isolate(self, step: steps.Isolate) -> str | None:
        if step.from_ in ("controller", "all") and step.broker not in self._isolated:
            self._isolated.add(step.broker)
            self._add(verbs.CutOff(broker=step.broker))
        if step.from_ in ("brokers", "all"):
            for other in self._scenario.broker_ids:
                for link in ((step.broker, other), (other, step.broker)):
                    if other != step.broker and link not in self._cut:
                        self._cut_link(link, reads=True)
        return None

    def detect(self, step: steps.Detect) -> str | None:
        if step.broker in self._gone:
            self._notice([step.broker])
        elif not self._has_zookeeper and step.broker in self._frozen | self._isolated:
            self._add(verbs.Wait(until=verbs.Until(fenced=[step.broker])))
        return None

    def _notice(self, brokers: list[BrokerId]) -> None:
        """The controller notices dead brokers: their znodes go, or it fences them in time."""
        for broker in brokers:
            self._gone.remove(broker)
            if self._has_zookeeper:
                self._add(verbs.SessionEnd(broker=broker))
        if brokers and not self._has_zookeeper:
            self._add(verbs.Wait(until=verbs.Until(fenced=brokers)))

    def elect(self, step: steps.Elect) -> str | None:
        if step.kind == "unclean" and not self._elects_uncleanly:
            return "before 2.4, an administrator cannot ask for an unclean election"
        self._notice([*self._gone])
        if step.kind == "clean":
            return None
        self._add(verbs.Elect(kind=step.kind))
        return self._why_no_administrator()

    def _why_no_administrator(self) -> str | None:
        """Why no node passes on an administrator's request now; None if one does."""
        if self._has_zookeeper or {*self._scenario.broker_ids} - self._away() - self._isolated:
            return None
        return "no broker runs and reaches the controller, and so none passes on the request"

    def reassign(self, step: steps.Reassign) -> str | None:
        if step.replicas is None and self._has_zookeeper:
            return "under ZooKeeper, a reassignment is not cancelled"
        replicas = None if step.replicas is None else list(step.replicas)
        self._add(verbs.Reassign(replicas=replicas))
        return self._why_no_administrator()

    def config(self, step: steps.Config) -> str | None:
        topic = None if step.topic is None else "t"
        self._add(verbs.Config(topic=topic, broker=step.broker, settings=dict(step.settings)))
        return self._why_no_administrator()

    def timer(self, _step: steps.Timer) -> str | None:
        self._add(verbs.Wait(ms=SETTLES_MS))
        return None

    def wait(self, step: steps.Advance | steps.Run) -> str | None:
        if isinstance(step, steps.Advance):
            if not (lags(self._scenario) and self._read_later(step.ms)):
                self._add(verbs.Wait(ms=step.ms))
            return None
        self._while_released(step.ms)
        return None

    def _read_later(self, ms: int) -> bool:
        """Read the cluster `ms` after each verb of the step before; whether it has one that reads.

        If followers fetched by themselves until then, as much time passes again: otherwise one of
        them may have been caught up a moment later than another, and leave the ISR later.
        """
        last = self.planned[-1]
        before = [place for place, one in enumerate(self.planned) if one.item == last.item]
        read = [place for place in before if self.planned[place].reads]
        if last.item == self._item or last.read_after_ms is not None:
            return False
        for place in read:
            self.planned[place] = replace(self.planned[place], read_after_ms=ms)
        if read and read[-1] != before[-1]:
            self._add(verbs.Wait(ms=ms), reads=False)
        return bool(read)

    def settle(self, _step: steps.Settle) -> str | None:
        self._while_released(SETTLES_MS)
        return None

    def _while_released(self, ms: int) -> None:
        """Let everything flow that no step holds by itself."""
        for route in sorted(self._in_flight - self._kept):
            self._in_flight.discard(route)
            self._network(route, release="response")
        free = [route for route in self._routes if route not in self._kept]
        for route in free:
            self._network(route, release="request")
        self._add(verbs.Wait(ms=ms))
        for route in free:
            self._network(route, hold="request")


_BY_CONTROLLER = (
    steps.Detect, steps.Elect, steps.Reassign, steps.Config, steps.Start, steps.Boot,
    steps.Shutdown, steps.Advance, steps.Run, steps.Settle, steps.Crash, steps.PowerLoss,
    steps.DiskLoss,
)  # fmt: skip
"""The steps in which the controller acts."""

_PLANNERS: Mapping[type[object], Callable[["_Planner", object], str | None]] = dict(
    (
        for_class(steps.Produce, _Planner.produce),
        for_class(steps.Retry, _Planner.retry),
        for_class(steps.Transaction, _Planner.transaction),
        for_class(steps.Consume, _Planner.consume),
        for_class(steps.Fetch, _Planner.fetch),
        for_class(steps.Deliver, _Planner.deliver),
        for_class(steps.Drop, _Planner.drop),
        for_class(steps.Hold, _Planner.hold),
        for_class(steps.Release, _Planner.release),
        for_class(steps.Crash, _Planner.crash),
        for_class(steps.PowerLoss, _Planner.power_loss),
        for_class(steps.DiskLoss, _Planner.disk_loss),
        for_class(steps.Shutdown, _Planner.shutdown),
        for_class(steps.Pause, _Planner.pause),
        for_class(steps.Resume, _Planner.resume),
        for_class(steps.Start, _Planner.start),
        for_class(steps.Boot, _Planner.start),
        for_class(steps.Cut, _Planner.cut),
        for_class(steps.Heal, _Planner.heal),
        for_class(steps.Isolate, _Planner.isolate),
        for_class(steps.Detect, _Planner.detect),
        for_class(steps.Elect, _Planner.elect),
        for_class(steps.Reassign, _Planner.reassign),
        for_class(steps.Config, _Planner.config),
        for_class(steps.Timer, _Planner.timer),
        for_class(steps.Advance, _Planner.wait),
        for_class(steps.Run, _Planner.wait),
        for_class(steps.Settle, _Planner.settle),
    )
)

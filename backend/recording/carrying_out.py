"""Carries out the verbs of a plan with real brokers, and reads the cluster after each."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from kazoo.client import KazooClient
from kazoo.exceptions import NodeExistsError, NoNodeError
from msgspec import Struct
from msgspec.structs import asdict, replace

from backend.recording.arguments import arguments_of
from backend.recording.asking import (
    TOPIC_NAME,
    TRANSACTIONS,
    Clients,
    ProduceRequested,
    RequestFailedError,
    not_sent,
    until_true,
)
from backend.recording.disks import Disk, lose_disk, read_disk, truncate_log
from backend.recording.failures import RecordingFailedError, failure
from backend.recording.frames import NetworkError
from backend.recording.metadata_log import (
    ControllerView,
    MetadataRecord,
    Schemas,
    read_metadata_log,
)
from backend.recording.nodes import Cluster
from backend.recording.plan import BY_API, THE_LEADER, Plan, PlannedVerb, Retry
from backend.recording.recordable import ZK_CONTROLLER
from backend.recording.releases import NoKafkaError
from sim_engine.class_tables import for_class
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.recording import (
    KRAFT_CONTROLLER,
    TOPIC,
    ConsumeResult,
    ProduceResult,
    RecordedBroker,
    RecordedState,
    StepInFile,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset
from sim_engine.releases import at_least, number_of
from sim_engine.versions import resolve_profile

READS_APART_S = 0.7
_READS = 3
"""One more than recordings need: on a busy machine, a command may arrive after two reads agreed."""
_SETTLES_S = 60
_WAITS_S = 120
_REGISTERS_S = 60
_CREATED_S = 30
_ELECT_BY_API = (2, 2)
"""From 2.2, a preferred election is a request."""
_LOG_OF_TRANSACTIONS = {"cleanup.policy": "compact", "min.insync.replicas": 1}
_HANGS_UP_AFTER_S = 2.0
_ANSWERS_S = 0.3
"""A response that is on its way arrives within this time."""


class NotRecordedError(RecordingFailedError):
    """A step could not be carried out or read."""


class _Controller(Struct):
    """The controller's state of the watched partition, as `RecordedState` has it."""

    fields: dict[str, object]
    leader: BrokerId


class Execution:
    """One run of a plan on a cluster of its own."""

    def __init__(self, plan: Plan, cluster: Cluster) -> None:
        self._plan = plan
        self._cluster = cluster
        self._clients = Clients(cluster.ports)
        self._number = number_of(cluster.release)
        self._rules = resolve_profile(cluster.release, control=plan.control).rules
        self._has_epochs = resolve_profile(cluster.release, control=plan.control).has_epochs
        self._schemas = None if cluster.has_zookeeper else Schemas(cluster.release)
        self._view = ControllerView(TOPIC_NAME)
        self._zookeeper = KazooClient(f"127.0.0.1:{cluster.zookeeper_port}", timeout=60)
        self._frozen: set[int] = set()
        self._requests: list[ProduceRequested] = []
        """The requests of producers whose responses were not read yet."""
        self._sent: list[ProduceRequested] = []
        """All that were not sent again."""
        self._away: set[BrokerId] = set()
        """The brokers without heartbeats when this step began."""
        self._positions: dict[str | None, Offset] = {}
        """Where each consumer reads next."""
        self._client: str | None = None
        """The client of this step."""
        self._consumed: list[ConsumeResult] = []
        """What it received in this step."""
        self.remarks: list[str] = []
        self.features: dict[str, int] = {}

    async def open(self) -> None:
        """Start all nodes. Raises `NoKafkaError`."""
        await self._cluster.open()
        if self._cluster.has_zookeeper:
            await asyncio.to_thread(self._zookeeper.start)
        starts = [self._cluster.start(broker) for broker in self._cluster.brokers]
        for broker, is_up in zip(self._cluster.brokers, await asyncio.gather(*starts), strict=True):
            if not is_up or not await until_true(
                partial(self._is_registered, broker), _REGISTERS_S
            ):
                release, line = self._cluster.release, self._cluster.last_line(f"node-{broker}")
                reason = failure("broker_down", broker=broker, release=release, printed=line)
                raise NoKafkaError(reason)
        if not self._cluster.has_zookeeper:
            self.features = await self._clients.features(self._cluster.brokers[0])

    async def close(self) -> None:
        """End everything."""
        for request in self._sent:
            request.task.cancel()
        if self._cluster.has_zookeeper:
            await asyncio.to_thread(self._zookeeper.stop)
            await asyncio.to_thread(self._zookeeper.close)
        await self._cluster.close()

    async def step(self, planned: PlannedVerb) -> StepInFile:
        """Carry out one verb, and read what it led to. Raises `NotRecordedError`."""
        self._view.begin()
        self._away = {one for one in self._cluster.brokers if self._is_away(one)}
        self._client, self._consumed = planned.client, []
        verb = self._resolved(planned)
        before = len(self._requests)
        try:
            await _VERBS[type(verb)](self, verb)
            await asyncio.sleep((planned.read_after_ms or 0) / 1000)
            saw = await self._settled() if planned.reads else None
            self._cluster.check_connections()
            self._check_sessions()
        except (NetworkError, NoKafkaError, RequestFailedError) as error:
            raise NotRecordedError(error.reason) from None
        produced, later = self._answers(before, is_read=saw is not None)
        return StepInFile(
            do={_NAMES[type(verb)]: arguments_of(verb)},
            read_after_ms=planned.read_after_ms,
            noticed=[] if isinstance(verb, verbs.CreateTopic) else self._view.noticed,
            metadata_records=None
            if self._cluster.has_zookeeper or saw is None
            else self._view.written,
            saw=saw,
            produced=produced,
            produced_later=later,
            consumed_from=next(iter(self._consumed), None),
        )

    # --- what is read ---------------------------------------------------------------------------

    async def _settled(self) -> RecordedState:
        """The state that reads agree on, with time between them. Raises `NotRecordedError`."""
        before, agreeing = await self._read(), 1
        until = time.monotonic() + _SETTLES_S
        while time.monotonic() < until:
            await asyncio.sleep(READS_APART_S)
            after = await self._read()
            agreeing = agreeing + 1 if after == before else 1
            if agreeing == _READS:
                return after
            before = after
        raise NotRecordedError(failure("not_settled", seconds=_SETTLES_S))

    async def _read(self) -> RecordedState:
        controller = self._controller()
        brokers = {broker: await self._broker(broker) for broker in self._cluster.brokers}
        end, consumed, latest = None, None, None
        if controller.leader != NO_LEADER and self._answers_now(controller.leader):
            fetched = await self._clients.fetch(controller.leader, 0)
            if fetched is not None and fetched.error is None:
                end, consumed = fetched.high_watermark, fetched.rows
            latest = await self._clients.latest_offset(controller.leader)
        committed = {}
        if self._plan.coordinator is not None and consumed is not None and isinstance(latest, int):
            committed = await self._committed(controller.leader)
        return RecordedState(
            brokers=brokers,
            consumable_end=end,
            consumed=consumed,
            list_offsets_latest=latest if isinstance(latest, int) else None,
            list_offsets_error=latest if isinstance(latest, str) else None,
            **controller.fields,  # type: ignore[arg-type]
            **committed,  # type: ignore[arg-type]
        )

    async def _committed(self, leader: BrokerId) -> dict[str, object]:
        """What a consumer with read_committed is told and reads."""
        fetched = await self._clients.fetch(leader, 0, isolation="read_committed")
        end = await self._clients.latest_offset(leader, isolation="read_committed")
        if fetched is None or fetched.error is not None:
            return {}
        return {
            "last_stable_offset": fetched.last_stable_offset,
            "consumable_end_read_committed": end,
            "fetched_read_committed": fetched.rows,
            "aborted_transactions": fetched.aborted,
            "consumed_read_committed": fetched.records,
        }

    def _check_sessions(self) -> None:
        """Raise `NotRecordedError` if a broker was fenced that no step kept from its heartbeats. It
        may have been fenced a moment before it returned. The process of one that registers
        afterwards is new: that session was of the dead one.
        """
        for number, one in enumerate(self._view.noticed):
            is_away = one.broker in self._away or self._is_away(one.broker)
            following = self._view.noticed[number + 1 :]
            is_new = any(after.registered for after in following if after.broker == one.broker)
            if one.fenced and not one.registered and not is_away and not is_new:
                raise NotRecordedError(failure("session_lost", broker=one.broker))

    def _is_away(self, broker: BrokerId) -> bool:
        """Whether a broker sends the controller no heartbeats."""
        is_cut_off = self._cluster.network.loses(broker, KRAFT_CONTROLLER)
        return is_cut_off or not self._answers_now(broker)

    def _answers_now(self, node: int) -> bool:
        return self._cluster.runs(node) and node not in self._frozen

    async def _broker(self, broker: BrokerId) -> RecordedBroker:
        disk: Disk = read_disk(
            self._cluster.data_folder(broker), str(TOPIC), has_epochs=self._has_epochs
        )
        registered = self._view.brokers.get(broker)
        live = None
        if disk.log is not None and self._rules.follower_reads and self._answers_now(broker):
            fetched = await self._clients.fetch(broker, 0)
            live = None if fetched is None or fetched.error else fetched.high_watermark
        process = "frozen" if broker in self._frozen else "running"
        return RecordedBroker(
            process="dead" if not self._cluster.runs(broker) else process,  # type: ignore[arg-type]
            live_high_watermark=live,
            fenced=None if registered is None else registered.fenced,
            in_controlled_shutdown=None
            if registered is None
            else registered.in_controlled_shutdown,
            **asdict(disk),
        )

    def _controller(self) -> _Controller:
        if self._cluster.has_zookeeper:
            return self._by_znodes()
        self._view.apply(self._metadata())
        partition = self._view.partition
        assert partition is not None, "the topic exists"
        return _Controller(
            {
                "leader": partition.leader,
                "leader_epoch": LeaderEpoch(partition.leader_epoch),
                "partition_epoch": partition.partition_epoch,
                "isr": [*partition.isr],
                "elr": [*partition.elr],
                "last_known_elr": [*partition.last_known_elr],
                "leader_recovery_state": partition.leader_recovery_state,
                "replicas": [*partition.replicas],
                "adding_replicas": [*partition.adding],
                "removing_replicas": [*partition.removing],
            },
            partition.leader,
        )

    def _metadata(self) -> list[MetadataRecord]:
        assert self._schemas is not None, "there is a metadata log"
        return read_metadata_log(self._schemas, self._cluster.data_folder(KRAFT_CONTROLLER))

    def _by_znodes(self) -> _Controller:
        path = f"/brokers/topics/{TOPIC_NAME}/partitions/0/state"
        content, stat = self._zookeeper.get(path)
        state = json.loads(content)
        epoch, _ = self._zookeeper.get("/controller_epoch")
        return _Controller(
            {
                "leader": state["leader"],
                "leader_epoch": state["leader_epoch"],
                "partition_epoch": stat.version,
                "isr": state["isr"],
                "controller_epoch": int(epoch),
            },
            state["leader"],
        )

    async def _is_registered(self, broker: BrokerId) -> bool:
        if self._cluster.has_zookeeper:
            return self._zookeeper.exists(f"/brokers/ids/{broker}") is not None
        self._view.apply(self._metadata())
        registered = self._view.brokers.get(broker)
        return registered is not None and not registered.fenced

    def _answers(
        self, before: int, *, is_read: bool
    ) -> tuple[list[ProduceResult], list[ProduceResult]]:
        """The responses to the producers' requests of this step, and to earlier ones."""
        now: list[ProduceResult] = []
        later: list[ProduceResult] = []
        waiting: list[ProduceRequested] = []
        for index, request in enumerate(self._requests):
            if request.task.done() and is_read:
                (now if index >= before else later).append(request.task.result())
                continue
            waiting.append(request)
            if index >= before:
                (value,) = request.verb.values
                now.append(ProduceResult(value=value, outcome="pending"))
        self._requests = waiting
        return now, later

    # --- what is done ---------------------------------------------------------------------------

    def _leader(self) -> BrokerId:
        return self._controller().leader

    def _resolved(self, planned: PlannedVerb) -> verbs.Verb:
        """The verb with what only the cluster knows: the present leader in place of `THE_LEADER`,
        a batch's sequence number, a consumer's position, and what a producer sends again. If there
        is nobody to ask or nothing to send, no time passes, and a remark says so.
        """
        match verb := planned.verb:
            case Retry():
                return self._again(verb.producer)
            case verbs.Fetch() if verb.from_ == THE_LEADER:
                if (leader := self._leader()) in (NO_LEADER, verb.broker, *self._frozen):
                    return self._nothing(f"broker {verb.broker} has no leader that responds")
                return replace(verb, from_=leader)
            case verbs.Network() if verb.to == THE_LEADER:
                return replace(verb, to=self._leader())
            case verbs.Consume():
                broker = self._leader() if verb.broker == THE_LEADER else verb.broker
                if broker == NO_LEADER:
                    return self._nothing("there is no leader to consume from")
                position = self._positions.get(planned.client, Offset(0))
                return replace(verb, broker=broker, offset=position)
            case verbs.Produce() if verb.idempotent or verb.transactional:
                if self._target(verb) == NO_LEADER:
                    return verb
                return replace(verb, sequence=self._clients.next_sequence(verb.sequence))
            case _:
                return verb

    def _target(self, verb: verbs.Produce) -> BrokerId:
        return self._leader() if verb.broker is None else verb.broker

    def _nothing(self, why: str) -> verbs.Wait:
        self.remarks.append(f"nothing was done: {why}")
        return verbs.Wait(ms=0)

    def _again(self, producer: str) -> verbs.Verb:
        """The oldest request of a producer that was not acknowledged, as it is sent again."""
        for request in self._sent:
            if request.client == producer and not request.is_acked:
                request.task.cancel()
                self._sent.remove(request)
                self._requests = [one for one in self._requests if one is not request]
                return replace(request.verb, broker=None, retry=True)
        return self._nothing(f"{producer} has nothing to send again")

    async def _create_topic(self, verb: verbs.CreateTopic) -> None:
        node = ZK_CONTROLLER if self._cluster.has_zookeeper else self._cluster.brokers[0]
        if self._plan.coordinator is not None:
            error = await self._clients.create_topic(
                node, [[self._plan.coordinator]], _LOG_OF_TRANSACTIONS, TRANSACTIONS
            )
            if error is not None:
                reason = failure("transactions_refused", topic=TRANSACTIONS, error=error)
                raise NotRecordedError(reason)
        error = await self._clients.create_topic(node, self._plan.partitions, verb.configs)
        if error is not None:
            raise NotRecordedError(failure("topic_refused", error=error))
        if not await until_true(self._topic_exists, _CREATED_S):
            raise NotRecordedError(failure("topic_late", seconds=_CREATED_S))
        if self._plan.producer is not None:
            await self._clients.take_id(node, self._plan.producer)

    async def _topic_exists(self) -> bool:
        if self._cluster.has_zookeeper:
            path = f"/brokers/topics/{TOPIC_NAME}/partitions/0/state"
            is_written = self._zookeeper.exists(path) is not None
        else:
            self._view.apply(self._metadata())
            is_written = self._view.partition is not None
        folders = (self._cluster.data_folder(one) / str(TOPIC) for one in self._plan.partitions[0])
        return is_written and all(folder.is_dir() for folder in folders)

    async def _produce(self, verb: verbs.Produce) -> None:
        (value,) = verb.values
        target = self._target(verb)
        is_sent = target != NO_LEADER
        sent = self._clients.produce(target, value, verb) if is_sent else not_sent(value)
        task = asyncio.create_task(sent)
        request = ProduceRequested(client=self._client, verb=verb, task=task)
        self._requests.append(request)
        self._sent.append(request)
        await asyncio.wait([task], timeout=_ANSWERS_S)

    async def _transaction(self, verb: verbs.Transaction) -> None:
        if not verb.add_partition:
            await self._clients.end_transaction(committed=verb.end == "commit")

    async def _consume(self, verb: verbs.Consume) -> None:
        if not self._answers_now(verb.broker):
            return
        fetched = await self._clients.fetch(verb.broker, verb.offset, isolation=verb.isolation)
        if fetched is None:
            return
        if fetched.error is not None:
            self._consumed.append(ConsumeResult(error=fetched.error))
            return
        self._positions[self._client] = fetched.next_offset
        received = ConsumeResult(records=fetched.records, high_watermark=fetched.high_watermark)
        self._consumed.append(received)

    async def _kill(self, verb: verbs.Kill) -> None:
        await self._cluster.kill(verb.broker)
        self._frozen.discard(verb.broker)
        if verb.session == "ended":
            await self._session_end(verbs.SessionEnd(broker=verb.broker))

    async def _session_end(self, verb: verbs.SessionEnd) -> None:
        try:
            self._zookeeper.delete(f"/brokers/ids/{verb.broker}")
        except NoNodeError:
            raise NotRecordedError(failure("no_session", broker=verb.broker)) from None

    async def _power_loss(self, verb: verbs.PowerLoss) -> None:
        if self._cluster.runs(verb.broker):
            await self._kill(verbs.Kill(broker=verb.broker, session=verb.session))
        truncate_log(self._cluster.data_folder(verb.broker), str(TOPIC), verb.keep)

    async def _disk_loss(self, verb: verbs.DiskLoss) -> None:
        if self._cluster.runs(verb.broker):
            await self._kill(verbs.Kill(broker=verb.broker, session=verb.session))
        lose_disk(self._cluster.data_folder(verb.broker))

    async def _stop(self, verb: verbs.Stop) -> None:
        """Stop a broker. Up to 1.0 it waits for its held fetches: they end as if they timed out."""
        stopping = asyncio.create_task(self._cluster.stop(verb.broker))
        while not (await asyncio.wait([stopping], timeout=_HANGS_UP_AFTER_S))[0]:
            if not self._rules.ending_fetcher_hangs_up:
                self._cluster.network.hang_up(verb.broker)
        await stopping

    async def _start(self, verb: verbs.Start) -> None:
        for broker in verb.broker_ids():
            seen = self._view.seen
            has_session = self._cluster.has_zookeeper and await self._is_registered(broker)
            is_up = await self._cluster.start(broker)
            if has_session:  # a broker that finds its old znode ends
                is_up = not await until_true(partial(self._is_down, broker), _REGISTERS_S)
            if not is_up:
                line = self._cluster.last_line(f"node-{broker}")
                self.remarks.append(failure("ended_by_itself", broker=broker, printed=line).text())
                continue
            if not await until_true(partial(self._is_back, broker, seen), _REGISTERS_S):
                reason = failure("register_late", broker=broker, seconds=_REGISTERS_S)
                raise NotRecordedError(reason)

    async def _is_down(self, broker: BrokerId) -> bool:
        return not self._cluster.runs(broker)

    async def _is_back(self, broker: BrokerId, seen: int) -> bool:
        if await self._is_down(broker):
            return True
        if self._cluster.has_zookeeper:
            return await self._is_registered(broker)
        records = self._metadata()[seen:]
        is_new = any(
            record.name == "RegisterBrokerRecord" and record.fields["broker_id"] == broker
            for record in records
        )
        return is_new and await self._is_registered(broker)

    async def _freeze(self, verb: verbs.Freeze) -> None:
        await asyncio.sleep(0.1)
        self._cluster.pause(verb.broker)
        self._frozen.add(verb.broker)

    async def _thaw(self, verb: verbs.Thaw) -> None:
        self._cluster.resume(verb.broker)
        self._frozen.discard(verb.broker)

    async def _wait(self, verb: verbs.Wait) -> None:
        if verb.ms is not None:
            await asyncio.sleep(verb.ms / 1000)
            return
        assert verb.until is not None, "the plan gives one of both"
        fenced = verb.until.fenced
        assert isinstance(fenced, list), "the plan waits for fenced brokers alone"
        if not await until_true(lambda: self._are_fenced(fenced), _WAITS_S):
            brokers = tuple(map(str, fenced))
            raise NotRecordedError(failure("fence_late", brokers=brokers, seconds=_WAITS_S))

    async def _are_fenced(self, brokers: list[BrokerId]) -> bool:
        self._view.apply(self._metadata())
        return all(self._view.brokers[one].fenced for one in brokers)

    async def _elect(self, verb: verbs.Elect) -> None:
        if at_least(self._number, _ELECT_BY_API if verb.kind == "preferred" else BY_API):
            error = await self._clients.elect(
                self._for_administrators(), unclean=verb.kind == "unclean"
            )
            self._remark("the election", error)
            return
        assert verb.kind == "preferred", "the plan refuses any other"
        await self._by_admin_znode("preferred_replica_election", {})

    async def _reassign(self, verb: verbs.Reassign) -> None:
        if at_least(self._number, BY_API):
            error = await self._clients.reassign(self._for_administrators(), verb.replicas)
            self._remark("the reassignment", error)
            return
        await self._by_admin_znode("reassign_partitions", {"replicas": verb.replicas})

    async def _by_admin_znode(self, name: str, more: Mapping[str, object]) -> None:
        """Ask the controller by a znode, which it removes when it is done."""
        partitions = [{"topic": TOPIC_NAME, "partition": 0, **more}]
        content = json.dumps({"version": 1, "partitions": partitions}).encode()
        try:
            self._zookeeper.create(f"/admin/{name}", content)
        except NodeExistsError:
            raise NotRecordedError(failure("znode_in_use", name=name)) from None

        async def is_done() -> bool:
            return self._zookeeper.exists(f"/admin/{name}") is None

        if not await until_true(is_done, 20):
            self._remark(f"/admin/{name}", "still in progress after 20 s")

    async def _config(self, verb: verbs.Config) -> None:
        resource = (
            (2, TOPIC_NAME) if verb.topic else (4, "" if verb.broker is None else str(verb.broker))
        )
        error = await self._clients.set_configs(self._for_administrators(), resource, verb.settings)
        self._remark("the change of settings", error)

    async def _cut_off(self, verb: verbs.CutOff) -> None:
        self._cluster.network.cut(verb.broker, KRAFT_CONTROLLER)

    async def _reconnect(self, verb: verbs.Reconnect) -> None:
        self._cluster.network.heal(verb.broker, KRAFT_CONTROLLER)

    async def _cut_link(self, verb: verbs.CutLink) -> None:
        self._cluster.network.cut(verb.from_, verb.to)

    async def _heal_link(self, verb: verbs.HealLink) -> None:
        self._cluster.network.heal(verb.from_, verb.to)

    async def _network(self, verb: verbs.Network) -> None:
        assert verb.api is not None, "the plan names it"
        assert verb.from_ is not None, "the plan names it"
        assert verb.to is not None, "the plan names it"
        route = (verb.api, int(verb.from_), int(verb.to))
        network = self._cluster.network
        if verb.hold is not None:
            await network.hold(route, verb.hold, is_frozen=verb.to in self._frozen)
        elif verb.release is not None:
            network.release(route, verb.release)
        elif verb.drop is not None:
            await network.drop(route, verb.drop)

    async def _fetch(self, verb: verbs.Fetch) -> None:
        if verb.from_ in self._frozen:
            raise NotRecordedError(failure("broker_paused", broker=verb.from_))
        route = ("Fetch", int(verb.broker), int(verb.from_))
        await self._cluster.network.rounds(route, verb.rounds, verb.response)

    def _for_administrators(self) -> BrokerId:
        """A node that answers an administrator: the controller, or under KRaft any broker that
        reaches it.
        """
        if self._cluster.has_zookeeper:
            return ZK_CONTROLLER
        for broker in self._cluster.brokers:
            is_cut_off = self._cluster.network.loses(broker, KRAFT_CONTROLLER)
            if self._answers_now(broker) and not is_cut_off:
                return broker
        raise NotRecordedError(failure("no_way_to_controller"))

    def _remark(self, what: str, error: str | None) -> None:
        if error is not None:
            self.remarks.append(f"{what}: {error}")


_VERBS: Mapping[type[object], Callable[[Execution, object], Awaitable[None]]] = dict(
    (
        for_class(verbs.CreateTopic, Execution._create_topic),
        for_class(verbs.Produce, Execution._produce),
        for_class(verbs.Transaction, Execution._transaction),
        for_class(verbs.Consume, Execution._consume),
        for_class(verbs.Kill, Execution._kill),
        for_class(verbs.SessionEnd, Execution._session_end),
        for_class(verbs.PowerLoss, Execution._power_loss),
        for_class(verbs.DiskLoss, Execution._disk_loss),
        for_class(verbs.Stop, Execution._stop),
        for_class(verbs.Start, Execution._start),
        for_class(verbs.Freeze, Execution._freeze),
        for_class(verbs.Thaw, Execution._thaw),
        for_class(verbs.Wait, Execution._wait),
        for_class(verbs.Elect, Execution._elect),
        for_class(verbs.Reassign, Execution._reassign),
        for_class(verbs.Config, Execution._config),
        for_class(verbs.CutOff, Execution._cut_off),
        for_class(verbs.Reconnect, Execution._reconnect),
        for_class(verbs.CutLink, Execution._cut_link),
        for_class(verbs.HealLink, Execution._heal_link),
        for_class(verbs.Network, Execution._network),
        for_class(verbs.Fetch, Execution._fetch),
    )
)
_NAMES = {kind: name for name, kind in verbs.VERBS.items()}

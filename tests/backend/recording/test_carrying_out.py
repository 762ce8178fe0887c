"""How the recorder asks, starts and ends real brokers, with fakes in their place."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from kazoo.exceptions import NodeExistsError

from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import ClientSettings
from backend.commands.walk_against import cpu_seconds
from backend.recording import asking, carrying_out, nodes
from backend.recording.asking import Clients
from backend.recording.carrying_out import Execution, NotRecordedError
from backend.recording.plan import THE_LEADER, PlannedVerb, Retry, plan
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.recording import NoticedBroker
from sim_engine.identifiers import NO_LEADER, BrokerId, Offset
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import Control

TWO = BrokerId(2)
DOCUMENT = {
    "scenario": 1,
    "id": "a",
    "brokers": [1, 2],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
    "steps": [],
}


def control_of(release: str) -> Control:
    return "zookeeper" if nodes.needs_zookeeper(release) else "kraft"


@pytest.fixture
def asked() -> list[object]:
    """What was asked, in order."""
    return []


@pytest.fixture
def execution(request: pytest.FixtureRequest, asked: list[object]) -> Execution:
    """Broker 1 is down. Everything that is asked is in `asked`, and nothing starts."""
    release: str = request.param
    made = plan(
        read_scenario_document({**DOCUMENT, "kafka": release}), release, control_of(release)
    )
    hung_up = SimpleNamespace(
        hang_up=lambda node: asked.append(("hang_up", node)), loses=lambda *_: False
    )

    async def stop(node: int) -> None:
        while ("hang_up", node) not in asked and release < "1.1":
            await asyncio.sleep(0.01)

    one = Execution(
        made,
        SimpleNamespace(  # type: ignore[arg-type]
            ports={}, release=release, has_zookeeper=made.control == "zookeeper",
            zookeeper_port=1, brokers=(1, 2), runs=lambda node: node != 1, network=hung_up,
            stop=stop,
        ),
    )  # fmt: skip

    async def ask(node: int, *_: object, **__: object) -> None:
        asked.append(node)

    def create(path: str, content: bytes) -> None:
        if path in asked:
            raise NodeExistsError
        asked.append(path)
        assert json.loads(content)["partitions"][0]["topic"] == "t"

    one._clients = SimpleNamespace(elect=ask, reassign=ask)  # type: ignore[assignment]
    one._zookeeper = SimpleNamespace(create=create, exists=lambda _path: None)
    return one


def of(*releases: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("execution", releases, indirect=True)


REASSIGN = verbs.Reassign(replicas=[BrokerId(2), BrokerId(1)])
PREFERRED = verbs.Elect(kind="preferred")


@of("2.1.1")
async def test_up_to_2_1_an_administrator_writes_znodes(
    execution: Execution, asked: list[object]
) -> None:
    await execution._reassign(REASSIGN)
    await execution._elect(PREFERRED)

    assert asked == ["/admin/reassign_partitions", "/admin/preferred_replica_election"]


@of("2.3.1")
async def test_from_2_2_a_preferred_election_is_a_request(
    execution: Execution, asked: list[object]
) -> None:
    await execution._reassign(REASSIGN)
    await execution._elect(PREFERRED)

    assert asked == ["/admin/reassign_partitions", 9]


@of("2.4.1", "3.9.1")
async def test_an_administrator_asks_the_zookeeper_controller_or_a_broker_that_runs(
    execution: Execution, asked: list[object]
) -> None:
    await execution._reassign(REASSIGN)
    await execution._elect(PREFERRED)

    assert asked == ([9, 9] if execution._cluster.has_zookeeper else [2, 2])


@of("1.1.1")
async def test_a_znode_that_exists_is_one_sentence(execution: Execution) -> None:
    await execution._reassign(REASSIGN)

    with pytest.raises(NotRecordedError, match="/admin/reassign_partitions is still in progress"):
        await execution._reassign(REASSIGN)


@of("1.0.2", "1.1.1")
async def test_up_to_1_0_the_last_fetches_of_a_broker_that_stops_end(
    execution: Execution, asked: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "_HANGS_UP_AFTER_S", 0.02)

    await execution._stop(verbs.Stop(broker=BrokerId(2)))

    assert (("hang_up", 2) in asked) is (execution._cluster.release == "1.0.2")


@of("3.9.1")
async def test_a_broker_without_the_controller_passes_nothing_on(
    execution: Execution, asked: list[object]
) -> None:
    network = SimpleNamespace(loses=lambda sender, _to: sender == 2)
    execution._cluster.network = network  # type: ignore[assignment]

    with pytest.raises(NotRecordedError, match="no broker runs that could pass on"):
        await execution._reassign(REASSIGN)
    assert asked == []


@of("1.1.1")
async def test_a_broker_that_finds_its_old_znode_is_read_when_it_has_ended(
    execution: Execution,
) -> None:
    ends = iter((True, True, False))
    execution._zookeeper.exists = lambda path: path == "/brokers/ids/1" or None

    async def start(_node: int) -> bool:
        return True  # it accepts connections before it registers

    execution._cluster = SimpleNamespace(  # type: ignore[assignment]
        has_zookeeper=True, start=start, runs=lambda _node: next(ends),
        last_line=lambda _name: "a node already exists",
    )  # fmt: skip

    await execution._start(verbs.Start(broker=BrokerId(1)))

    assert list(ends) == []
    assert execution.remarks == ["broker 1 ended by itself: a node already exists"]


@of("4.3.1")
def test_a_broker_that_runs_and_is_fenced_ends_the_recording(execution: Execution) -> None:
    loses = {"loses": lambda sender, _to: sender == 3}
    execution._cluster.network = SimpleNamespace(**loses)  # type: ignore[assignment]
    execution._frozen = {4}
    for away in (1, 3, 4):  # down, cut off, frozen
        execution._view.noticed = [NoticedBroker(broker=BrokerId(away), fenced=True)]
        execution._check_sessions()
    execution._view.noticed = [
        NoticedBroker(broker=BrokerId(2), registered=True),
        NoticedBroker(broker=BrokerId(2), fenced=False),
    ]
    execution._check_sessions()
    # The session of the dead process ends while the new one starts.
    execution._view.noticed.insert(0, NoticedBroker(broker=BrokerId(2), fenced=True))
    execution._check_sessions()

    execution._view.noticed = [NoticedBroker(broker=BrokerId(2), fenced=True)]
    with pytest.raises(NotRecordedError, match="broker 2 runs and lost its session"):
        execution._check_sessions()


@of("4.3.1")
async def test_a_broker_that_returns_as_its_session_ends_was_away(
    execution: Execution, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broker 2 is resumed, then connected again: its session ended a moment before."""
    lost: set[int] = set()
    network = {"loses": lambda broker, _: broker in lost, "heal": lambda *_: lost.clear()}
    execution._cluster.network = SimpleNamespace(**network)  # type: ignore[assignment]
    execution._cluster.resume = lambda _: None  # type: ignore[assignment, method-assign]
    execution._cluster.check_connections = lambda: None  # type: ignore[method-assign]
    fenced = [NoticedBroker(broker=BrokerId(2), fenced=one) for one in (True, False)]
    monkeypatch.setattr(execution._view, "begin", lambda: None)
    execution._view.noticed = fenced

    for away in (execution._frozen, lost):
        away.add(2)
        verb = verbs.Thaw(broker=TWO) if 2 in execution._frozen else verbs.Reconnect(broker=TWO)
        step = await execution.step(PlannedVerb(item=0, verb=verb, reads=False))
        assert step.noticed == fenced

    with pytest.raises(NotRecordedError, match="broker 2 runs and lost its session"):
        await execution.step(PlannedVerb(item=0, verb=verbs.Wait(ms=0), reads=False))


@of("4.3.1")
async def test_whoever_lags_leaves_before_a_step_is_read(
    execution: Execution, monkeypatch: pytest.MonkeyPatch
) -> None:
    execution._cluster.check_connections = lambda: None  # type: ignore[method-assign]
    passed: list[object] = []

    async def sleep(seconds: float) -> None:
        passed.append(seconds)

    async def settled() -> None:
        passed.append("read")

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(execution, "_settled", settled)
    verb = verbs.Wait(ms=0)
    step = await execution.step(PlannedVerb(item=0, verb=verb, read_after_ms=6_000))

    assert passed[-2:] == [6, "read"]
    assert step.read_after_ms == 6_000


async def test_a_producer_asks_for_its_id_until_the_broker_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "_AGAIN_S", 0)
    answers = [None, SimpleNamespace(error_code=14), SimpleNamespace(error_code=15)]
    answers.append(SimpleNamespace(error_code=0, producer_id=4, producer_epoch=1))
    clients = Clients({})

    async def ask(node: int, *_: object) -> Any:
        assert node == 2
        return answers.pop(0)

    monkeypatch.setattr(clients, "ask", ask)
    await clients.take_id(2, "idempotent")

    assert (clients._producer, answers) == ((4, 1), [])


@pytest.fixture
def cluster(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[nodes.Cluster]:
    """A cluster whose Java is a shell that prints its arguments."""
    monkeypatch.setattr(nodes, "java", lambda: "/bin/echo")
    monkeypatch.setattr(nodes, "class_path", lambda _release: ".")
    release: str = request.param
    one = nodes.Cluster(release, control_of(release), (BrokerId(1),), {}, {})
    one.ports = dict.fromkeys(one.nodes, 1000)
    one._watchdog = SimpleNamespace(pid=0)  # type: ignore[assignment]
    yield one
    shutil.rmtree(one.folder)


def advertised(cluster: nodes.Cluster, node: int) -> str | None:
    cluster._write_settings(node, dict.fromkeys(cluster.nodes, 2000))
    lines = (cluster.folder / f"node-{node}.properties").read_text().splitlines()
    settings = dict(line.split("=", 1) for line in lines)
    return settings.get("advertised.listeners")


@pytest.mark.parametrize("cluster", ["3.8.0", "3.9.1", "2.8.2"], indirect=True)
def test_every_node_names_the_forwarder_as_its_address(cluster: nodes.Cluster) -> None:
    controller, broker = cluster.nodes

    assert advertised(cluster, broker) == "PLAINTEXT://127.0.0.1:2000"
    assert advertised(cluster, controller) == {
        "3.8.0": None, "3.9.1": "CONTROLLER://127.0.0.1:2000", "2.8.2": "PLAINTEXT://127.0.0.1:2000"
    }[cluster.release]  # fmt: skip


@pytest.mark.parametrize("cluster", ["2.8.2"], indirect=True)
def test_zookeeper_listens_at_no_fixed_port(cluster: nodes.Cluster) -> None:
    process = cluster._run("zookeeper", "Main")
    process.wait()

    printed = str(cluster.last_line("zookeeper"))
    assert "-Dzookeeper.admin.enableServer=false" in printed
    assert printed.endswith("Main")


@pytest.mark.parametrize("cluster", ["3.9.1"], indirect=True)
def test_the_processor_time_of_a_node_that_has_ended_is_counted(
    cluster: nodes.Cluster, tmp_path: Path
) -> None:
    busy = tmp_path / "java"
    busy.write_text("#!/bin/sh\ni=0; while [ $i -lt 200000 ]; do i=$((i+1)); done\n")
    busy.chmod(0o755)
    cluster._java = str(busy)
    before = cpu_seconds()

    cluster._run("node-1", "kafka.Kafka").wait()

    assert cpu_seconds() > before + 0.05


@of("4.3.1")
async def test_a_fetch_from_a_paused_leader_is_not_waited_for(execution: Execution) -> None:
    execution._frozen = {2}

    with pytest.raises(NotRecordedError, match="broker 2 is paused and responds to no fetch"):
        await execution._fetch(
            verbs.Fetch(broker=BrokerId(1), from_=BrokerId(2), rounds=1, response="delivered")
        )


@of("4.3.1")
def test_what_has_nobody_to_ask_is_a_remark_and_takes_no_time(execution: Execution) -> None:
    def resolved(verb: verbs.Verb | Retry) -> verbs.Verb:
        return execution._resolved(PlannedVerb(item=0, verb=verb, client="p1"))

    fetch = verbs.Fetch(broker=BrokerId(1), from_=THE_LEADER, rounds=1, response="delivered")
    execution._leader = lambda: BrokerId(2)  # type: ignore[method-assign]
    assert resolved(fetch) == verbs.Fetch(
        broker=BrokerId(1), from_=BrokerId(2), rounds=1, response="delivered"
    )
    execution._frozen = {2}
    assert resolved(fetch) == verbs.Wait(ms=0)
    execution._leader = lambda: NO_LEADER  # type: ignore[method-assign]
    asked = (fetch, verbs.Consume(broker=THE_LEADER, offset=Offset(0)), Retry(producer="p1"))

    assert [resolved(one) for one in asked] == [verbs.Wait(ms=0)] * 3
    assert execution.remarks[-2:] == [
        "nothing was done: there is no leader to consume from",
        "nothing was done: p1 has nothing to send again",
    ]


async def test_a_producer_waits_as_long_for_a_response_as_the_leader_may_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def refused(_address: object, client: ClientSettings) -> None:
        waits.append(client.request_s)
        raise ConnectionFailedError("refused")

    monkeypatch.setattr(asking.WritingConnection, "open", refused)
    produce = verbs.Produce(broker=None, values=["m1"], acks=1, timeout_ms=300_000)

    result = await Clients({1: 1000}).produce(1, "m1", produce)

    assert (result.outcome, waits) == ("no_answer", [305])

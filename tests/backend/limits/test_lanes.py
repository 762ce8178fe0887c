"""Fair queues: a visitor with much work delays only their own requests."""

import asyncio
import gc
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
from starlette.types import Message, Receive, Scope, Send

from backend.http.errors import ClientGoneError, LimitError
from backend.limit_table import WAITING_OF_A_VISITOR
from backend.limits import lanes
from backend.limits.baton import Baton
from backend.limits.lanes import Lane, without_end
from backend.limits.turns import Turns
from backend.limits.visitors import Visitor, current_visitor, visiting
from backend.limits.visits import Visits
from backend.operations.health import Health
from sim_engine.budget import BudgetExceededError, spend
from sim_engine.identifiers import FIRST_FRAME
from tests.backend.conftest import API, SCENARIO, Service


class Gate:
    """Work that lasts until it is released, and a record of what has started."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.begun: list[str] = []

    def work(self, name: str) -> Callable[[], str]:
        def wait() -> str:
            self.begun.append(name)
            assert self.open.wait(10)
            return name

        return wait


@pytest.fixture
async def lane() -> AsyncIterator[Lane]:
    # The work of a gate never yields.
    baton = Baton(patience_s=0.001)
    lane = Lane("test", at_once=2, of_a_visitor=1, baton=baton)
    yield lane
    lane.close()


@pytest.fixture
def gate() -> Gate:
    return Gate()


def asked(lane: Lane, visitor: Visitor, work: Callable[[], str]) -> "asyncio.Task[str]":
    async def ask() -> str:
        with visiting(visitor):
            return await lane.do(without_end, work)

    return asyncio.create_task(ask())


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0.005)


async def test_a_visitors_work_delays_only_that_visitor(lane: Lane, gate: Gate):
    greedy, modest = Visitor("greedy"), Visitor("modest")
    first = [asked(lane, greedy, gate.work(f"greedy {n}")) for n in range(3)]
    await settled()

    other = asked(lane, modest, gate.work("modest"))
    await settled()

    assert gate.begun == ["greedy 0", "modest"]
    assert lane.waited_s() == 0.0  # a visitor waits only for their own work
    gate.open.set()
    assert await other == "modest"
    assert await asyncio.gather(*first) == ["greedy 0", "greedy 1", "greedy 2"]


async def test_waiting_visitors_take_turns(gate: Gate):
    lane = Lane("test", at_once=1, of_a_visitor=1)
    tasks = [asked(lane, Visitor("x"), gate.work("x"))]
    await settled()
    for name in ("a", "a", "a", "b"):
        tasks.append(asked(lane, Visitor(name), gate.work(name)))
        await settled()

    assert lane.waited_s() > 0.0
    assert lane.waiting == 4
    gate.open.set()
    await asyncio.gather(*tasks)
    assert lane.waiting == 0

    assert gate.begun == ["x", "a", "b", "a", "a"]
    lane.close()


async def test_too_much_that_waits_is_refused(
    lane: Lane, gate: Gate, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lanes, "WAITING_OF_A_VISITOR", replace(WAITING_OF_A_VISITOR, number=1))
    tasks = [asked(lane, Visitor("a"), gate.work(str(n))) for n in range(3)]
    await settled()

    gate.open.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)

    assert results[:2] == ["0", "1"]
    assert isinstance(results[2], LimitError)


async def test_a_visitor_who_disconnects_while_waiting_loses_the_turn(lane: Lane, gate: Gate):
    leaving = Visitor("a")
    tasks = [
        asked(lane, Visitor("a"), gate.work("first")),
        asked(lane, leaving, gate.work("left")),
        asked(lane, Visitor("a"), gate.work("last")),
    ]
    await settled()

    leaving.leave()
    gate.open.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)

    assert gate.begun == ["first", "last"]
    assert isinstance(results[1], ClientGoneError)


async def test_work_ends_when_no_visitor_waits_for_it(lane: Lane):
    visitor = Visitor("a")
    begun = threading.Event()

    def work() -> str:
        begun.set()
        for number in range(10**9):
            spend(FIRST_FRAME)
            if number == 10**8:
                break
        return "not stopped"

    task = asked(lane, visitor, work)
    await asyncio.to_thread(begun.wait)
    visitor.leave()

    with pytest.raises(ClientGoneError):
        await task


async def test_cancelled_work_has_ended_before_others_go_on(lane: Lane, gate: Gate):
    task = asked(lane, Visitor("a"), gate.work("a"))
    await settled()

    task.cancel()
    await settled()
    ended_early = task.done()
    gate.open.set()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert not ended_early
    assert await asked(lane, Visitor("a"), lambda: "next") == "next"


class Made:
    """Something large that work makes or refers to."""


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing collects cycles."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
async def test_abandoned_work_does_not_keep_what_it_made(lane: Lane):
    visitor = Visitor("a")
    begun = threading.Event()
    made: list[weakref.ref[Made]] = []

    def work() -> str:
        one = Made()
        made.append(weakref.ref(one))
        begun.set()
        try:
            while True:
                spend(FIRST_FRAME)
        except BudgetExceededError as error:
            kept = error  # a cycle, as any function may make one
            raise kept from None

    task = asked(lane, visitor, work)
    await asyncio.to_thread(begun.wait)
    visitor.leave()
    await asyncio.wait([task])
    assert isinstance(task.exception(), ClientGoneError)

    assert made[0]() is None


@pytest.mark.usefixtures("uncollected")
async def test_work_that_a_visitor_no_longer_waits_for_is_not_kept(lane: Lane, gate: Gate):
    first, leaving = asked(lane, Visitor("a"), gate.work("first")), Visitor("a")
    large = Made()
    made = weakref.ref(large)
    task = asked(lane, leaving, partial(lambda _: "left", large))
    del large
    await settled()

    leaving.leave()
    await asyncio.wait([task])
    assert isinstance(task.exception(), ClientGoneError)
    del task
    await settled()

    assert made() is None
    gate.open.set()
    await first


async def test_a_service_with_work_that_waits_too_long_is_not_ready(service: Service):
    waited = 0.0
    health = Health(service.services.database, waited_s=lambda: waited)

    assert await health.is_ready()
    waited = 31.0
    assert not await health.is_ready()


async def test_the_connection_is_watched_while_an_answer_is_made():
    seen: list[bool] = []
    closed = asyncio.Event()

    async def app(scope: object, receive: Callable[[], object], send: object) -> None:
        visitor = current_visitor()
        seen.append(visitor.is_gone)
        closed.set()
        await settled()
        seen.append(visitor.is_gone)

    messages = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, object]:
        if messages:
            return messages.pop()
        await closed.wait()
        return {"type": "http.disconnect"}

    async def send(_: object) -> None: ...

    scope = {"type": "http", "path": "/", "headers": [], "client": ("203.0.113.7", 1)}
    await Visits(app, Turns(Baton()))(scope, receive, send)

    assert seen == [False, True]
    assert current_visitor().network == ""


async def test_a_request_counts_until_it_computes_and_until_its_answer_begins(lane: Lane):
    baton = Baton()
    counted: list[int] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        counted.append(baton.answering.total())
        counted.append(await lane.do(without_end, lambda: baton.answering.total()))
        counted.append(baton.answering.total())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": True})
        counted.append(baton.answering.total())
        # An event stream computes as well, although its response has begun.
        await lane.do(without_end, lambda: None)
        counted.append(baton.answering.total())

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    async def send(_: Message) -> None: ...

    scope: Scope = {"type": "http", "path": "/", "headers": [], "client": None}
    await Visits(app, Turns(baton))(scope, receive, send)

    assert counted == [1, 0, 1, 0, 0]
    assert not baton.answering


async def test_a_long_run_of_one_does_not_keep_another_from_acting(service: Service, gate: Gate):
    lanes = service.services.lanes
    session = (await service.new_session())["id"]
    long = [asyncio.create_task(lanes.compute_long(gate.work("long"))) for _ in range(20)]
    await settled()

    acted = await service.act(session, 0, {"crash": {"broker": 2}})
    seen = await service.client.get(f"{API}/sessions/{session}/timeline")
    made = await service.new_session(scenario_id="s26")

    assert (acted.status_code, seen.status_code) == (201, 200)
    assert made["frames"] > 1
    assert len(gate.begun) == 1
    gate.open.set()
    await asyncio.gather(*long)
    assert (await service.new_session(scenario=SCENARIO))["frames"] == 1

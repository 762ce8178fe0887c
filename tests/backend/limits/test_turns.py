"""Turns: a burst of one visitor does not delay the others."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from backend.limits.turns import TakeTurns


class App:
    """An app whose responses begin when the test lets them."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.begins: dict[str, asyncio.Event] = {}
        self.ends: dict[str, asyncio.Event] = {}

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        path = scope["path"]
        self.begun.append(path)
        await self.begins.setdefault(path, asyncio.Event()).wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await self.ends.setdefault(path, asyncio.Event()).wait()


async def _nothing() -> Message:
    await asyncio.Event().wait()
    raise AssertionError("nothing arrives")


class Visitors:
    """Requests to an app behind turns, each of which is a task."""

    def __init__(self, **options: Any) -> None:
        self.app = App()
        self.when_sent: Callable[[], object] = lambda: None
        self._turns = TakeTurns(self.app, **options)

    async def ask(self, network: str, path: str) -> "asyncio.Task[None]":
        scope = {"type": "http", "path": path, "client": (network, 1)}
        asked = asyncio.ensure_future(self._turns(scope, _nothing, self._send))
        await self.rest()
        return asked

    async def begin(self, path: str) -> None:
        self.app.begins.setdefault(path, asyncio.Event()).set()
        await self.rest()

    async def _send(self, _message: Message) -> None:
        self.when_sent()

    @staticmethod
    async def rest() -> None:
        for _ in range(10):
            await asyncio.sleep(0)


async def test_a_visitor_s_further_requests_wait_until_a_response_begins() -> None:
    visitors = Visitors(at_once=2, patience_s=60)
    asked = [await visitors.ask("1.1.1.1", path) for path in "abcd"]
    assert visitors.app.begun == ["a", "b"]

    await visitors.begin("b")  # its body is still being sent
    assert visitors.app.begun == ["a", "b", "c"]
    await visitors.begin("a")
    assert visitors.app.begun == ["a", "b", "c", "d"]

    for task in asked:
        task.cancel()


async def test_requests_of_others_pass_them() -> None:
    visitors = Visitors(at_once=2, patience_s=60)
    asked = [await visitors.ask("1.1.1.1", path) for path in "abcd"]

    asked.append(await visitors.ask("2.2.2.2", "other"))

    assert visitors.app.begun == ["a", "b", "other"]
    for task in asked:
        task.cancel()


async def test_a_network_of_ipv6_is_one_visitor() -> None:
    visitors = Visitors(at_once=1, patience_s=60)
    asked = [await visitors.ask(f"2001:db8::{number}", f"{number}") for number in (1, 2)]
    asked.append(await visitors.ask("2001:db8:0:1::1", "other"))

    assert visitors.app.begun == ["1", "other"]
    for task in asked:
        task.cancel()


async def test_a_request_that_takes_long_does_not_hold_up_the_next() -> None:
    visitors = Visitors(at_once=1, patience_s=0.01)
    asked = [await visitors.ask("1.1.1.1", path) for path in "ab"]
    assert visitors.app.begun == ["a"]

    while visitors.app.begun != ["a", "b"]:
        await asyncio.sleep(0.005)

    for task in asked:
        task.cancel()


async def test_a_turn_is_given_back_once_however_a_request_ends() -> None:
    visitors = Visitors(at_once=1, patience_s=60)
    asked = [await visitors.ask("1.1.1.1", path) for path in "abcdef"]

    asked[1].cancel()  # while it waits
    await visitors.rest()
    await visitors.begin("a")
    visitors.app.ends["a"].set()  # has given its turn back when its response began
    await visitors.rest()
    assert visitors.app.begun == ["a", "c"]

    asked[2].cancel()  # while the app works on it
    await visitors.rest()
    assert visitors.app.begun == ["a", "c", "d"]

    # When the response is sent, the next request has been given the turn but does not run yet.
    visitors.when_sent = asked[4].cancel
    await visitors.begin("d")
    assert visitors.app.begun == ["a", "c", "d", "f"]

    for task in asked:
        task.cancel()
    await visitors.rest()
    assert (await visitors.ask("1.1.1.1", "last")).cancel()
    assert visitors.app.begun[-1] == "last"

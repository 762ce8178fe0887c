"""Turns: a burst of one visitor does not delay the others."""

import asyncio
from typing import Any

from backend.limits.baton import Baton, RecentTime
from backend.limits.turns import Turn, Turns

GREEDY, MODEST = "1.1.1.1", "2.2.2.2"


class Requests:
    """Requests that take turns. The time that a visitor has used does not pass."""

    def __init__(self, **options: Any) -> None:
        self.recent = RecentTime(clock=lambda: 0.0)
        self.baton = Baton(recent=self.recent)
        self.begun: list[str] = []
        self._turns = Turns(self.baton, **options)
        self._given: dict[str, Turn] = {}

    async def ask(self, network: str, name: str, **options: Any) -> "asyncio.Task[None]":
        async def wait() -> None:
            self._given[name] = await self._turns.take(network, **options)
            self.begun.append(name)

        asked = asyncio.ensure_future(wait())
        await rest()
        return asked

    async def ask_all(self, network: str, names: str) -> "list[asyncio.Task[None]]":
        return [await self.ask(network, name) for name in names]

    async def end(self, name: str) -> None:
        self._given[name].end()
        await rest()

    def spend(self, network: str, seconds: float) -> None:
        self._turns.note_spent(network, seconds)

    def aside(self, name: str) -> Any:
        return self._given[name].aside()


async def rest() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_visitor_s_further_requests_wait_until_a_response_begins() -> None:
    requests = Requests(at_once=2, patience_s=60)

    await requests.ask_all(GREEDY, "abcd")
    assert requests.begun == ["a", "b"]

    await requests.end("b")
    assert requests.begun == ["a", "b", "c"]
    await requests.end("b")  # later calls have no effect
    assert requests.begun == ["a", "b", "c"]
    await requests.end("a")
    assert requests.begun == ["a", "b", "c", "d"]


async def test_requests_of_others_pass_them() -> None:
    requests = Requests(at_once=2, patience_s=60)
    await requests.ask_all(GREEDY, "abcd")

    await requests.ask(MODEST, "other")

    assert requests.begun == ["a", "b", "other"]


async def test_the_next_request_begins_while_one_waits_for_other_work() -> None:
    requests = Requests(at_once=1, patience_s=60)
    await requests.ask_all(GREEDY, "abc")

    for _ in range(2):
        with requests.aside("a"):
            await rest()

            assert requests.begun == ["a", "b"]
    await requests.end("a")

    assert requests.begun == ["a", "b"]


async def test_a_request_that_takes_long_does_not_hold_up_the_next() -> None:
    requests = Requests(at_once=1, patience_s=0.01)
    await requests.ask_all(GREEDY, "ab")
    assert requests.begun == ["a"]

    while requests.begun != ["a", "b"]:
        await asyncio.sleep(0.005)


async def test_who_has_used_much_waits_while_others_are_answered() -> None:
    requests = Requests(at_once=3, patience_s=60, pause_s=60)
    requests.recent.add(GREEDY, 10)
    await requests.ask(MODEST, "modest")

    await requests.ask_all(GREEDY, "abc")
    assert requests.begun == ["modest", "a"]  # one in each pause
    with requests.aside("modest"):
        await requests.end("a")
    assert requests.begun == ["modest", "a"]
    await requests.end("modest")

    assert requests.begun == ["modest", "a", "b", "c"]


async def test_who_has_used_much_is_begun_after_each_pause() -> None:
    requests = Requests(at_once=3, patience_s=60, pause_s=0.01)
    requests.recent.add(GREEDY, 10)
    await requests.ask(MODEST, "modest")

    await requests.ask_all(GREEDY, "abc")

    while requests.begun != ["modest", "a", "b", "c"]:
        await asyncio.sleep(0.005)


async def test_whoever_used_much_at_once_pauses_for_longer() -> None:
    requests = Requests(at_once=3, patience_s=60, pause_s=0.0)
    requests.recent.add(GREEDY, 10)
    await requests.ask(MODEST, "modest")

    await requests.ask(GREEDY, "a")
    requests.spend(GREEDY, 30.0)
    await requests.ask(GREEDY, "b")

    assert requests.begun == ["modest", "a"]


async def test_visitors_who_have_used_much_wait_together() -> None:
    requests = Requests(at_once=3, patience_s=60, pause_s=60)
    others = [f"3.3.3.{number}" for number in range(5)]
    for network in others:
        requests.recent.add(network, 10)
    await requests.ask(MODEST, "modest")

    for network in others:
        await requests.ask(network, network)

    assert requests.begun == ["modest", others[0]]


async def test_threads_know_for_whom_the_loop_works() -> None:
    requests = Requests(at_once=3)
    answering = requests.baton.answering

    await requests.ask(MODEST, "a")
    assert set(answering) == {MODEST}
    with requests.aside("a"):
        assert set(answering) == set()
    assert set(answering) == {MODEST}
    await requests.end("a")

    assert set(answering) == set()


def test_who_has_used_much_waits_for_who_has_used_half() -> None:
    recent = RecentTime(much_s=1.0, clock=lambda: 0.0)
    for name, seconds in (("a", 4.0), ("b", 2.0), ("c", 1.5), ("d", 0.9)):
        recent.add(name, seconds)

    waits = {
        name: [other for other in "abcdx" if recent.waits_for(name, [other])] for name in "abcdx"
    }

    assert waits == {"a": list("bcdx"), "b": list("dx"), "c": ["x"], "d": [], "x": []}


def test_what_was_used_is_forgotten_by_half_in_five_seconds() -> None:
    now = 0.0
    recent = RecentTime(clock=lambda: now)
    recent.add("a", 8.0)
    now = 10.0
    recent.add("b", 1.0)

    assert (recent.of("a"), recent.of("b")) == (2.0, 1.0)


def test_the_visitors_who_have_used_least_are_forgotten_first() -> None:
    recent = RecentTime(clock=lambda: 0.0)
    for number in range(2000):
        recent.add(f"{number}", number + 1)

    assert recent.of("0") == 0
    assert recent.of("1999") == 2000


async def test_a_probe_passes_the_other_requests_of_its_visitor() -> None:
    requests = Requests(at_once=1, patience_s=60)
    await requests.ask_all(GREEDY, "ab")

    await requests.ask(GREEDY, "probe", is_first=True)
    await requests.end("a")

    assert requests.begun == ["a", "probe"]


async def test_a_turn_is_given_back_however_a_request_ends() -> None:
    requests = Requests(at_once=1, patience_s=60)
    asked = await requests.ask_all(GREEDY, "abcd")

    asked[1].cancel()  # while it waits
    await rest()
    await requests.end("a")
    assert requests.begun == ["a", "c"]

    # The next request has been given the turn but does not run yet.
    requests._given["c"].end()
    asked[3].cancel()
    await rest()

    await requests.ask(GREEDY, "last")
    assert requests.begun == ["a", "c", "last"]

"""Computing threads take turns; the tests count turns and measure no time."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from backend.limits.baton import Baton, RecentTime

FOR_EVER_S = 30.0


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as executor:
        yield executor


def wait_for_waiting(baton: Baton, number: int) -> None:
    for _ in range(10_000):
        if len(baton._waiting) == number:
            return
        time.sleep(0.001)
    raise AssertionError(f"{len(baton._waiting)} wait instead of {number}")


def test_long_work_pauses_while_new_work_runs(threads: ThreadPoolExecutor):
    baton = Baton(turn_s=0.0, patience_s=FOR_EVER_S)
    done: Counter[str] = Counter()
    begun, ended = threading.Event(), threading.Event()

    def long() -> None:
        with baton.computing() as let_others:
            while not ended.is_set():
                done["long"] += 1
                let_others()
                if done["long"] > 1000:
                    begun.set()

    def short() -> int:
        with baton.computing() as let_others:
            before = done["long"]
            for _ in range(500):
                let_others()
            return done["long"] - before

    running = threads.submit(long)
    assert begun.wait(10)
    meanwhile = threads.submit(short).result(10)
    went_on = done["long"]
    while done["long"] == went_on:  # and afterwards it continues
        assert not running.done()
    ended.set()

    assert meanwhile == 0
    running.result(10)


def test_long_work_pauses_while_a_response_is_prepared(threads: ThreadPoolExecutor):
    baton = Baton(turn_s=0.0, pause_s=FOR_EVER_S, recent=RecentTime(much_s=0.0))
    done: Counter[str] = Counter()
    answered = threading.Event()

    def long() -> None:
        with baton.computing() as let_others:
            baton.begin_answer("other")
            threads.submit(answer)
            let_others()
            done["went on after the answer"] += answered.is_set()

    def answer() -> None:
        answered.set()
        baton.end_answer("other")

    threads.submit(long).result(10)

    assert done == {"went on after the answer": 1}


def test_of_two_that_have_computed_as_much_each_has_its_turns(threads: ThreadPoolExecutor):
    baton = Baton(turn_s=0.0, patience_s=FOR_EVER_S)
    order: list[str] = []

    def long(name: str) -> None:
        with baton.computing() as let_others:
            while not (order or baton._waiting):  # the second one has not started yet
                time.sleep(0.001)
            for _ in range(50):
                order.append(name)
                let_others()

    for task in [threads.submit(long, name) for name in ("a", "b")]:
        task.result(10)

    changes = sum(before != after for before, after in pairwise(order))
    assert changes > 20


def test_work_that_never_yields_does_not_block_others_forever(threads: ThreadPoolExecutor):
    baton = Baton(turn_s=0.0, patience_s=0.01)
    done = threading.Event()

    def stubborn() -> bool:
        with baton.computing():
            return done.wait(10)

    def other() -> None:
        with baton.computing() as let_others:
            let_others()
            done.set()

    waited = threads.submit(stubborn)
    threads.submit(other).result(10)

    assert waited.result(10)


def test_the_visitor_who_has_computed_least_goes_first(threads: ThreadPoolExecutor):
    baton = Baton(patience_s=FOR_EVER_S)
    order: list[str] = []

    def compute(visitor: str) -> None:
        with baton.computing(visitor):
            order.append(visitor)

    with baton.computing("greedy"):
        sum(range(100_000))
        tasks = [threads.submit(compute, "greedy")]
        wait_for_waiting(baton, 1)
        tasks.append(threads.submit(compute, "modest"))
        wait_for_waiting(baton, 2)
    for task in tasks:
        task.result(10)

    assert order == ["modest", "greedy"]


def test_all_long_work_together_pauses_for_a_response(threads: ThreadPoolExecutor):
    baton = Baton(turn_s=0.0, pause_s=FOR_EVER_S, recent=RecentTime(much_s=0.0))
    turns: list[str] = []
    baton.begin_answer("other")

    def long(visitor: str) -> None:
        with baton.computing(visitor) as let_others:
            turns.append(visitor)
            let_others()
            turns.append(visitor)

    tasks = [threads.submit(long, visitor) for visitor in ("a", "b")]
    wait_for_waiting(baton, 2)
    during = list(turns)
    baton.end_answer("other")
    for task in tasks:
        task.result(10)

    assert during in (["a"], ["b"])
    assert len(turns) == 4

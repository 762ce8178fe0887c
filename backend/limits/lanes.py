"""Lanes: thread pools with a fair queue for each visitor.

A lane has a fixed number of threads. While all of them are busy, work waits in one queue for each
visitor, and the queues are served in turn. A visitor with much work therefore delays only that
visitor's own requests. Whatever takes more than a few milliseconds is done in one of the two lanes
of a process, outside its event loop.
"""

import asyncio
import time
import traceback
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

from backend.http.errors import ClientGoneError, LimitError
from backend.limit_table import COMPUTE_SECONDS, WAITING_OF_A_VISITOR
from backend.limits.baton import Baton
from backend.limits.visitors import Visitor, current_visitor
from sim_engine.budget import BudgetExceededError, within_budget

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Lane:
    """A pool of threads that visitors share fairly. Must be used from one event loop."""

    def __init__(
        self, name: str, *, at_once: int, of_a_visitor: int, baton: Baton | None = None
    ) -> None:
        """The work of all lanes with one `baton` is done in turn."""
        self._baton = Baton() if baton is None else baton
        self._at_once = at_once
        self._of_a_visitor = of_a_visitor
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name)
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[tuple[asyncio.Future[None], float]]] = OrderedDict()

    def close(self) -> None:
        """Stop the threads when their current work is done."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def waited_s(self) -> float:
        """How long the oldest work has waited for a free thread, in seconds."""
        return max(
            (
                time.monotonic() - queue[0][1]
                for network, queue in self._waiting.items()
                if self._running[network] < self._of_a_visitor
            ),
            default=0.0,
        )

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a free thread, or for other work of their visitor."""
        return sum(len(queue) for queue in self._waiting.values())

    async def do(self, may_go_on: Callable[[], Callable[[], bool]], work: Callable[[], _T]) -> _T:
        """Run work in a thread when it is the visitor's turn, as long as the visitor is connected.

        `may_go_on` is called in the thread; the work checks the function that it returns, as with
        `within_budget`. Raises BudgetExceededError if that check fails, LimitError if too much of
        the visitor's work is waiting, and ClientGoneError if the visitor has disconnected.
        """
        visitor = current_visitor()

        def watched() -> _T:
            goes_on = may_go_on()
            with self._baton.computing(visitor.network) as let_others:

                def still_wanted() -> bool:
                    let_others()
                    return not visitor.is_gone and goes_on()

                with within_budget(still_wanted):
                    try:
                        return work()
                    except Exception as error:
                        _forget_locals(error)
                        raise

        with visitor.aside():
            return await self._done(visitor, watched)

    async def _done(self, visitor: Visitor, work: Callable[[], _T]) -> _T:
        async with self._turn(visitor):
            if visitor.is_gone:
                raise _gone()
            loop = asyncio.get_running_loop()
            doing = loop.run_in_executor(self._threads, work)
            try:
                return await asyncio.shield(doing)
            except BudgetExceededError:
                if visitor.is_gone:
                    raise _gone() from None
                raise
            except asyncio.CancelledError:
                # The thread may still change the caller's data, so wait until it ends.
                visitor.leave()
                await asyncio.wait([doing])
                if not doing.cancelled():
                    doing.exception()  # otherwise it would be logged as unread
                raise
            finally:
                # Its error refers to this frame: a cycle that would keep both.
                del doing

    @asynccontextmanager
    async def _turn(self, visitor: Visitor) -> AsyncIterator[None]:
        network = visitor.network
        if self._may_start(network) and network not in self._waiting:
            self._running[network] += 1
        else:
            await self._wait(visitor)
        try:
            yield
        finally:
            self._running[network] -= 1
            if not self._running[network]:
                del self._running[network]
            self._start_next()

    def _may_start(self, network: str) -> bool:
        return self._running.total() < self._at_once and self._running[network] < self._of_a_visitor

    async def _wait(self, visitor: Visitor) -> None:
        """Returns once it is the visitor's turn. The turn is already counted."""
        queue = self._waiting.setdefault(visitor.network, deque())
        if len(queue) >= WAITING_OF_A_VISITOR.number:
            raise LimitError(WAITING_OF_A_VISITOR, retry_after_s=5)
        turn = asyncio.get_running_loop().create_future()
        queue.append((turn, time.monotonic()))
        visitor.when_gone(partial(self._leave, visitor.network, turn))
        try:
            await turn
        except asyncio.CancelledError:
            had_turn = turn.done() and not turn.cancelled()
            self._drop(visitor.network, turn)
            if had_turn:
                self._running[visitor.network] -= 1
                self._start_next()
            raise
        finally:
            visitor.when_gone(None)
            # Its error refers to this frame: a cycle that would keep both.
            del turn, queue

    def _leave(self, network: str, turn: "asyncio.Future[None]") -> None:
        if not turn.done():
            self._drop(network, turn)
            turn.set_exception(_gone())

    def _drop(self, network: str, turn: "asyncio.Future[None]") -> None:
        queue = self._waiting.get(network, deque())
        kept = deque(waiting for waiting in queue if waiting[0] is not turn)
        if kept:
            self._waiting[network] = kept
        else:
            self._waiting.pop(network, None)

    def _start_next(self) -> None:
        for network in list(self._waiting):
            if not self._may_start(network):
                continue
            queue = self._waiting[network]
            turn, _ = queue.popleft()
            if queue:
                self._waiting.move_to_end(network)
            else:
                del self._waiting[network]
            if not turn.done():  # unless it was cancelled just now
                self._running[network] += 1
                turn.set_result(None)
                return


class Lanes:
    """The two lanes of a process. They are not faster than one, because they share the baton, but
    short work never queues behind long work.
    """

    def __init__(
        self, baton: Baton | None = None, *, observe: Callable[[float], None] = lambda seconds: None
    ) -> None:
        """`observe` is called with the duration of each task in seconds."""
        baton = Baton() if baton is None else baton
        # The CPU time that one task may use.
        self._budget_s: float = COMPUTE_SECONDS.number
        self._observe = observe
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._short = Lane("short", at_once=8, of_a_visitor=2, baton=baton)
        self._long = Lane("long", at_once=8, of_a_visitor=1, baton=baton)

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[None]:
        """Inside the block, no other task of this process is inside one with this name."""
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        async with lock:
            yield

    async def compute(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        """Run short work outside the event loop when it is the visitor's turn. Raises LimitError
        (compute_seconds) if it takes too long.
        """
        return await self._within_budget(self._short, partial(work, *arguments, **named))

    async def compute_long(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        """Like `compute`, for work that may take seconds: short work does not wait for it."""
        return await self._within_budget(self._long, partial(work, *arguments, **named))

    async def prepare(self, work: Callable[[], _T]) -> _T:
        """Like `compute_long`, without a time limit: for what is made once for all visitors, or was
        made before within the limit.
        """
        return await self._long.do(without_end, partial(self._observed, work))

    def waited_s(self) -> float:
        """The longest wait of queued work in any lane, in seconds."""
        return max(self._short.waited_s(), self._long.waited_s())

    def waiting(self) -> dict[str, int]:
        """Lane → the number of its tasks that wait."""
        return {"short": self._short.waiting, "long": self._long.waiting}

    def close(self) -> None:
        """Stop the threads."""
        self._short.close()
        self._long.close()

    async def _within_budget(self, lane: Lane, work: Callable[[], _T]) -> _T:
        try:
            return await lane.do(
                partial(for_seconds, self._budget_s), partial(self._observed, work)
            )
        except BudgetExceededError as error:
            raise LimitError(COMPUTE_SECONDS, frame=error.frame) from None

    def _observed(self, work: Callable[[], _T]) -> _T:
        started = time.perf_counter()
        try:
            return work()
        finally:
            self._observe(time.perf_counter() - started)


def _gone() -> ClientGoneError:
    return ClientGoneError("The visitor has disconnected.", code="client_gone")


def for_seconds(seconds: float) -> Callable[[], bool]:
    """Return a function that checks whether this thread has used less than this many seconds of CPU
    time since the call of `for_seconds`.
    """
    end = time.thread_time() + seconds
    return lambda: time.thread_time() < end


def without_end() -> Callable[[], bool]:
    """Return true: no time limit, for work that was already accepted within the limits."""
    return lambda: True


def _forget_locals(error: BaseException) -> None:
    """Clear the local variables of all functions in which an error and those before it were raised.

    As long as anything refers to the error, they would keep what the work has made, such as a long
    run. Garbage collections are too rare for that.
    """
    raised: BaseException | None = error
    while raised is not None:
        traceback.clear_frames(raised.__traceback__)
        raised = raised.__context__

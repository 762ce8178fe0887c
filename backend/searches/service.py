"""Runs searches in separate processes, and forwards their output to everyone who listens."""

from hashlib import blake2b

import msgspec

from backend.answers.long_requests import SearchCreate
from backend.answers.searching import SearchRequest, check_search, search_request
from backend.limit_table import SEARCHES_AT_ONCE, SEARCHES_OF_A_VISITOR
from backend.sessions.timelines import Timelines
from backend.workers.work import Work, WorkerKind, Workers, failure

_KIND = WorkerKind(
    module="backend.searches.worker",
    niceness=19,
    at_once=SEARCHES_AT_ONCE,
    of_a_visitor=SEARCHES_OF_A_VISITOR,
    waits_for_listeners_s=20.0,
    kept_s=60.0,
    most_kept=16,
    failed=failure("search_failed", "The search ended early."),
)


class Searches(Workers):
    """The searches of this process: those that run, and the latest results."""

    def __init__(self, timelines: Timelines) -> None:
        super().__init__(_KIND)
        self._timelines = timelines

    async def ask(self, session_id: str, body: SearchCreate) -> Work:
        """Start a search, or join the one that asks the same. `leave` must follow.

        Raises InvalidInputError, and LimitError if no slot is free.
        """
        check_search(body)
        async with self._timelines.alone_with(session_id) as opened:
            request = await self._timelines.lanes.compute(search_request, opened, body)
        return self.join(_id_of(session_id, request), msgspec.json.encode(request))

    def stop_of(self, session_id: str, search_id: str) -> None:
        """End a search of a session with what it has examined: its listeners receive that result. A
        search that has ended is no error.
        """
        if search_id.startswith(_prefix_of(session_id)):
            self.stop(search_id)


_ID_BYTES = 8


def _prefix_of(session_id: str) -> str:
    return blake2b(session_id.encode(), digest_size=_ID_BYTES).hexdigest()


def _id_of(session_id: str, request: SearchRequest) -> str:
    """The same for the same search from the same frame: a frame of a session never changes."""
    asked = msgspec.json.encode((request.after, request.options), order="deterministic")
    return _prefix_of(session_id) + blake2b(asked, digest_size=_ID_BYTES).hexdigest()

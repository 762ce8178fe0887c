"""Runs searches in separate processes, and forwards their output to everyone who listens."""

from hashlib import blake2b

import msgspec

from backend.answers.open_run import OpenTimeline
from backend.http.errors import invalid
from backend.limit_table import SEARCHES_AT_ONCE, SEARCHES_OF_A_VISITOR
from backend.searches.schemas import SearchCreate
from backend.searches.worker import SearchRequest
from backend.sessions.timelines import Timelines
from backend.workers.work import Work, WorkerKind, Workers, failure
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET
from sim_engine.exploration.search import SearchOptions
from sim_engine.exploration.targets import SOUGHT_NAMES
from sim_engine.scenario_reader.writer import scenario_document

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
        if body.property not in SOUGHT_NAMES:
            raise invalid("/property", f"properties are {', '.join(SOUGHT_NAMES)}")
        if body.budget is not None and not body.budget.keys() <= set(BUDGET_NAMES):
            raise invalid("/budget", f"a budget may name {', '.join(BUDGET_NAMES)}")
        async with self._timelines.alone_with(session_id) as opened:
            if body.after is not None:
                opened.check_frame(body.after, where="/after")
            request = await self._timelines.lanes.compute(_request, opened, body)
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


def _request(opened: OpenTimeline, body: SearchCreate) -> SearchRequest:
    timeline = opened.timeline
    return SearchRequest(
        scenario={**scenario_document(timeline.scenario)},
        kafka=timeline.profile.kafka,
        control=timeline.profile.control,
        steps=[(done.after, done.step, done.item) for done in timeline.played_steps],
        after=timeline.head if body.after is None else body.after,
        options=SearchOptions(
            property=body.property,
            grain=body.grain,
            max_depth=body.max_depth,
            max_states=body.states,
            budget=DEFAULT_BUDGET if body.budget is None else body.budget,
            seconds=body.seconds,
            acks=body.acks,
        ),
    )

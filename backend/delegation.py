"""Which requests the computing process answers: those about runs that may take long to compute.

Those are runs of submitted scenarios that are not small, and runs that were continued for long; all
other runs are short, so this process answers for them. If one of these takes long nevertheless,
this process gives up and passes the request on. A share is only decoded when it is shown, so this
process shows it unless it is large. A request is passed on before anything of it is read but the
names of what it is about; the computing process refuses what is wrong with it.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response

from backend.brief_work import NotBriefError, briefly
from backend.identifiers import canonical_id
from backend.json_route import JsonRequest, JsonRoute
from backend.presentations.codes import canonical_code
from backend.services import Services, limits_of, services_of
from backend.sessions.small_scenarios import is_small

_READING = frozenset({"GET", "HEAD"})


class DelegatedRoute(JsonRoute):
    """A route that the computing process answers if the request may concern a long run.

    The visitor's quotas are counted here in any case.
    """

    plays_shares_again = False
    """Whether reading a share on this route computes more than decoding it."""

    async def respond(
        self, request: Request, answer: Callable[[Request], Coroutine[Any, Any, Response]]
    ) -> Response:
        """The response of this process, or of the computing process."""
        services = services_of(request)
        if services.computing is None:
            return await super().respond(request, answer)
        if not await self._is_passed_on(request, services):
            try:
                with briefly():
                    return await super().respond(request, answer)
            except NotBriefError:
                _note_long(request, services)
        else:
            for limit in limits_of(self.dependencies):
                services.take(limit)
        response = await services.computing.respond(request)
        if "code" in request.path_params:
            # The followers of a presentation are connected to this process.
            services.presentations.wake(request.path_params["code"].lower())
        return response

    async def _is_passed_on(self, request: Request, services: Services) -> bool:
        return await _may_be_long(request, services, plays_shares_again=self.plays_shares_again)


class DelegatedSearch(DelegatedRoute):
    """A delegated route whose requests about any run are passed on."""

    async def _is_passed_on(self, request: Request, services: Services) -> bool:
        session = _canonical(request.path_params.get("id"))
        return session is not None and await services.timelines.is_known(session)


class DelegatedExport(DelegatedRoute):
    """A delegated route that plays a share's steps again, or computes much for each frame."""

    plays_shares_again = True


async def _may_be_long(request: Request, services: Services, *, plays_shares_again: bool) -> bool:
    parameters = request.path_params
    if "sid" in parameters:
        sid = canonical_id(parameters["sid"])
        if sid is None or request.method == "DELETE":
            return False
        extent = await services.shares.extent(sid)
        is_shown = request.method in _READING and not plays_shares_again
        return extent.is_large if is_shown else extent.is_long
    if "code" in parameters:
        code = canonical_code(parameters["code"])
        return code is not None and await _is_long(
            await services.presentations.session_of(code), services
        )
    session = parameters.get("id")
    if request.method in _READING:
        return session is not None and await _is_long(session, services)
    body = request.document if isinstance(request, JsonRequest) else None
    if session is not None:
        step = body.get("step") if isinstance(body, dict) else None
        return await _is_long(session, services, step=step)
    if not isinstance(body, dict):
        return False
    if body.get("session") is not None:
        return await _is_long(body["session"], services)
    if body.get("scenario_text") is not None or body.get("run") is not None:
        return True
    if body.get("scenario") is not None:
        return not is_small(body["scenario"])
    return body.get("scenario_id") is None


def _note_long(request: Request, services: Services) -> None:
    session = _canonical(request.path_params.get("id"))
    if session is not None:
        services.timelines.note_long(session)


async def _is_long(session: object, services: Services, *, step: object = None) -> bool:
    """Whether a run is long, or becomes long by a step."""
    known = _canonical(session)
    if known is None:
        return False
    timelines = services.timelines
    return timelines.becomes_long(known, step) or await timelines.is_long(known)


def _canonical(session: object) -> str | None:
    """A session's id as it is stored; None for what is not an id."""
    return canonical_id(session) if isinstance(session, str) else None

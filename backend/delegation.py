"""Routes about runs, whose requests the computing process answers, if there is one.

A request is passed on before anything of it is read but the size of its body; the computing process
refuses what is wrong with it. The visitor's quotas, and ids that do not exist, are counted here.
"""

from http import HTTPStatus

from fastapi import Request, Response

from backend.identifiers import canonical_id
from backend.json_route import Answer, JsonRoute
from backend.services import CountUnknownIds, limits_of, services_of

_READING = frozenset({"GET", "HEAD"})
# The path parameters that name a run: of a session, a share or a presentation.
_NAMES = frozenset({"id", "sid", "code"})


class DelegatedRoute(JsonRoute):
    """A route that computes something about a run."""

    async def respond(self, request: Request, answer: Answer) -> Response:
        """The response of the computing process, or of this one if there is none."""
        services = services_of(request)
        if services.computing is None or not await self.is_passed_on(request):
            return await super().respond(request, answer)
        body = await self.body_of(request)
        for limit in limits_of(self.dependencies):
            services.take(limit)
        response = await services.computing.respond(request, body)
        if response.status_code == HTTPStatus.NOT_FOUND and CountUnknownIds in self.dependencies:
            services.count_unknown_id()
        if "code" in request.path_params:
            # The followers of a presentation are connected to this process.
            services.presentations.wake(request.path_params["code"].lower())
        return response

    async def is_passed_on(self, request: Request) -> bool:
        """Whether a request brings something to compute, or names a run. Other responses of such
        a room, as its JSON Schema, are constant.
        """
        return request.method not in _READING or not _NAMES.isdisjoint(request.path_params)


class DelegatedShare(DelegatedRoute):
    """A route about a share. To show it is to decode it, which takes long only if it is large. To
    delete it takes no time.
    """

    async def is_passed_on(self, request: Request) -> bool:
        """Whether a large share is shown, or a run is shared or forked."""
        if request.method not in _READING:
            return request.method == "POST"
        sid = canonical_id(request.path_params.get("sid", ""))
        return sid is not None and await services_of(request).shares.is_large(sid)

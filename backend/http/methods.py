"""The methods of an address."""

from fastapi.routing import iter_route_contexts
from starlette.requests import Request


def methods_of(request: Request) -> str:
    """The methods of every route that matches a request's path, as the header `Allow` lists them.

    The error that a router raises names only those of the first route that matches.
    """
    path = request.scope["path"]
    return ", ".join(
        sorted(
            {
                method
                for route in iter_route_contexts(request.app.routes)
                if route.path_regex.match(path)
                for method in route.methods or ()
            }
        )
    )

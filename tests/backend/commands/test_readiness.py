"""The service announces its address once requests are answered, and not before."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from starlette.applications import Starlette

from backend.commands.serve import DrainingServer


@pytest.mark.parametrize(("fails", "said"), [(False, ["prepared", "announced"]), (True, [])])
async def test_it_is_announced_once_everything_is_prepared(fails: bool, said: list[str]):
    happened: list[str] = []

    @asynccontextmanager
    async def preparing(_: Starlette) -> AsyncIterator[None]:
        if fails:
            raise OSError("the database is not reachable")
        happened.append("prepared")
        yield

    def announce() -> None:
        happened.append("announced")
        server.should_exit = True

    server = DrainingServer(
        uvicorn.Config(Starlette(lifespan=preparing), log_config=None),
        ready=announce,
        drain=lambda: None,
        drain_s=0,
    )
    # A server that cannot start ends the process.
    with socket.create_server(("127.0.0.1", 0)) as listening, suppress(SystemExit):
        await server.serve(sockets=[listening])

    assert happened == said

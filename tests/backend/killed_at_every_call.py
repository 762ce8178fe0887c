"""A program: the same work in one process after another, each killed at a later database call.

`python killed_at_every_call.py DATABASE_URL PAGES FIGURE SCENARIO` prints a JSON line for each
answer that a process got: {"at": the call at which it is killed, "what": …, "answer": …}. The last
process lives to its end.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import event

from backend.main import create_app
from backend.settings import Settings
from sim_engine.scenario_reader.reader import list_shipped

API = "/api/v1"

# With one worker, so that a call has the same number in each process.
MOST_CALLS = 200


class Killer:
    """Counts statements and commits, before and after each; kills this process at one of them."""

    def __init__(self, at: int) -> None:
        self._at = at
        self.calls = 0

    def watch(self, engine: Any) -> None:
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(engine, name, self._count)

    def _count(self, *_arguments: object) -> None:
        self.calls += 1
        if self.calls == self._at:
            os.kill(os.getpid(), signal.SIGKILL)


def key_of(at: int) -> str:
    return f"killed-at-{at}"


async def work(settings: Settings, scenario: dict[str, Any], at: int) -> None:
    app = create_app(settings)

    def tell(what: str, response: httpx.Response) -> Any:
        assert response.status_code in (200, 201), response.text
        said = json.dumps({"at": at, "what": what, "answer": response.json()})
        os.write(1, said.encode() + b"\n")
        return response.json()

    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client,
    ):
        killer = Killer(at)
        killer.watch(app.state.services.database.engine.sync_engine)
        session = tell("session", await client.post(f"{API}/sessions", json={"scenario": scenario}))
        address = f"{API}/sessions/{session['id']}"
        for number, step in enumerate(({"crash": {"broker": 2}}, {"settle": {}})):
            body = {"after": number, "step": step}
            tell(f"act {number}", await client.post(f"{address}/actions", json=body))
        body = {"session": session["id"], "at": 1}
        share = await client.post(
            f"{API}/shares", json=body, headers={"Idempotency-Key": key_of(at)}
        )
        sid = tell("share", share)["sid"]
        tell("fork", await client.post(f"{API}/shares/{sid}/fork"))
    os.write(1, json.dumps({"at": at, "what": "end", "answer": {}}).encode() + b"\n")


def main() -> None:
    database_url, pages, figure, scenario = sys.argv[1:]
    settings = Settings(
        database_url=database_url, frontend_folder=Path(pages), figure_script=Path(figure)
    )
    list_shipped()  # read once, before processes are forked
    for at in range(1, MOST_CALLS):
        child = os.fork()  # modules are imported only once
        if not child:
            asyncio.run(work(settings, json.loads(scenario), at))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(os.waitstatus_to_exitcode(status))
        assert os.WTERMSIG(status) == signal.SIGKILL
    sys.exit("there are more calls than were expected")


if __name__ == "__main__":
    main()

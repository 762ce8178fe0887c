"""A real service, one visitor who never stops, and what another visitor's action costs meanwhile.

What is measured is the processor time of the serving process until the action is answered. Time on
the clock would say more about the machine and about what else runs on it.
"""

import http.client
import itertools
import json
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.service_process import served

API = "/api/v1"
# The visitors come through a proxy that the service trusts.
OTHER = "10.66.0.1"
_OURS = "10.7.7.7"
_STEPS_OF_A_RUN = 60


@dataclass
class Neighbours:
    """A running service."""

    repository: Path
    port: int
    pid: int
    _connection: http.client.HTTPConnection = field(init=False)
    _values: Iterator[int] = field(default_factory=itertools.count)
    _run: str = ""
    _head: int = 0

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The JSON of a successful response to our visitor."""
        encoded = None if body is None else json.dumps(body).encode()
        headers["X-Forwarded-For"] = _OURS
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, path, encoded, headers)
        response = self._connection.getresponse()
        content = response.read()
        assert response.status < 300, (method, path, response.status, content[:500])
        return json.loads(content) if content else None

    def close(self) -> None:
        """Close our visitor's connection."""
        self._connection.close()

    def action_s(self) -> float:
        """The processor time in seconds of the serving process until an action is answered."""
        number = next(self._values)
        if number % _STEPS_OF_A_RUN == 0:
            made = self.ask("POST", f"{API}/sessions", {"scenario_id": "two-rounds"})
            self._run, self._head = made["id"], made["head"]
        step = {"produce": {"to": "t-0", "values": [f"v{number}"], "acks": 1, "as": "p1"}}
        started = self._processor_s()
        done = self.ask(
            "POST", f"{API}/sessions/{self._run}/actions", {"after": self._head, "step": step}
        )
        took = self._processor_s() - started
        self._head = done["head"]
        return took

    def median_s(self, count: int, *, most_s: float = 60) -> float:
        """The median of several actions, with pauses between them as a person makes them."""
        end = time.monotonic() + most_s
        took: list[float] = []
        while len(took) < 3 or (len(took) < count and time.monotonic() < end):
            took.append(self.action_s())
            time.sleep(0.02)
        return statistics.median(took)

    @contextmanager
    def beside(self, requests: list[bytes], *, connections: int = 20) -> Iterator[dict[str, int]]:
        """Inside the block, another visitor never stops. Afterwards, the yielded dictionary has the
        number of the responses with each status.
        """
        statuses: dict[str, int] = {}
        visitor = subprocess.Popen(
            [*(sys.executable, "-m", "tests.neighbours.visitor"), str(self.port), str(connections)],
            cwd=self.repository,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert visitor.stdin is not None
        assert visitor.stdout is not None
        pickle.dump(requests, visitor.stdin)
        visitor.stdin.flush()
        time.sleep(0.7)
        try:
            yield statuses
        finally:
            visitor.stdin.close()
            said = visitor.stdout.read().decode()
            visitor.stdout.close()
            visitor.wait(20)
            statuses.update(json.loads(said))

    def _processor_s(self) -> float:
        """The user and system time of all threads of the process."""
        # clock_getcpuclockid(3): the clock of another process.
        return time.clock_gettime((~self.pid << 3) | 2)


@contextmanager
def neighbours(repository: Path, database: Path) -> Iterator[Neighbours]:
    """A service on a new database, behind a proxy."""
    with served(repository, database, HIGHWATER_TRUSTED_PROXIES="127.0.0.1") as server:
        port = urlsplit(server.address).port
        assert port is not None
        service = Neighbours(repository, port, server.process.pid)
        yield service
        service.close()


def request(method: str, path: str, body: bytes | None = None, **headers: str) -> bytes:
    """One request of the other visitor."""
    lines = [f"{method} {path} HTTP/1.1", "Host: x", f"X-Forwarded-For: {OTHER}"]
    lines += ["Accept-Encoding: gzip", *(f"{name}: {value}" for name, value in headers.items())]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")

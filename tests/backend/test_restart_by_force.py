"""A real server that is killed between steps: after a restart, everything acknowledged is there."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.backend.conftest import API, SCENARIO
from tests.backend.frontend import write_frontend
from tests.service_process import Server

PATIENCE_S = 60
"""How long a response may take on a busy machine."""


@contextlib.contextmanager
def serving(
    database_url: str,
    folder: Path,
    repository: Path,
    *,
    stdout: int = subprocess.DEVNULL,
    **settings: str,
) -> Iterator[Server]:
    """A server with these settings, which is killed at the end of the block if it still runs."""
    pages, figure = write_frontend(folder)
    given = {"frontend_folder": str(pages), "figure_script": str(figure), "drain_seconds": "0"}
    variables = {f"HIGHWATER_{name.upper()}": text for name, text in (given | settings).items()}
    server = Server(
        repository,
        *("--database", database_url),
        environment={**os.environ, **variables},
        stdout=stdout,
    )
    try:
        yield server
    finally:
        server.end(signal.SIGKILL)


def produce(number: int) -> dict[str, Any]:
    return {"produce": {"to": "t-0", "values": [f"m{number}"], "as": "p1"}}


def test_a_server_that_is_killed_loses_no_step_that_it_acknowledged(
    database_url: str, tmp_path: Path, repository: Path
):
    lose_no_step(database_url, tmp_path, repository, rounds=1)


@pytest.mark.slow
def test_nor_does_one_that_is_killed_again_and_again(
    database_url: str, tmp_path: Path, repository: Path
):
    lose_no_step(database_url, tmp_path, repository, rounds=5)


def lose_no_step(database_url: str, tmp_path: Path, repository: Path, rounds: int) -> None:
    session = ""
    acknowledged: list[tuple[int, dict[str, Any]]] = []
    head = 0
    for round_ in range(rounds + 1):
        with (
            serving(database_url, tmp_path / "frontend", repository) as server,
            httpx.Client(base_url=server.address, timeout=PATIENCE_S) as client,
        ):
            if not session:
                session = client.post(f"{API}/sessions", json={"scenario": SCENARIO}).json()["id"]
            else:
                head = _head_after_restart(client, session, acknowledged, round_)
            if round_ == rounds:
                assert server.end(signal.SIGTERM) in (0, -signal.SIGTERM)
                break
            # The kill happens at a different moment in each round, while a step is in flight.
            killer = threading.Timer(0.15 + 0.1 * round_, server.end, [signal.SIGKILL])
            for number in range(1000):
                step = produce(1000 * round_ + number)
                body = {"after": head, "step": step}
                if number == 5:
                    killer.start()
                try:
                    response = client.post(f"{API}/sessions/{session}/actions", json=body)
                except httpx.TransportError:
                    break
                assert response.status_code == 201, response.text
                (made,) = response.json()["frames"]
                head = made["frame"]
                acknowledged.append((head, step))
            killer.join()
    assert len(acknowledged) >= 5 * rounds


def _head_after_restart(
    client: httpx.Client, session: str, acknowledged: list[tuple[int, dict[str, Any]]], kills: int
) -> int:
    """The newest frame, once every acknowledged step was found."""
    total = client.get(f"{API}/sessions/{session}").json()["frames"]
    frames: list[dict[str, Any]] = []
    for first in range(0, total, 500):
        address = f"{API}/sessions/{session}/timeline?from={first}&full=1"
        frames += client.get(address).json()["frames"]
    # There may be one more for each kill: committed, and killed before the response.
    assert len(acknowledged) + 1 <= len(frames) <= len(acknowledged) + 1 + kills
    for number, step in acknowledged:
        assert frames[number]["action"]["produce"]["values"] == step["produce"]["values"]
    newest = frames[-1]
    assert newest["state"]["replicas"]["t-0"]["1"]["log_end_offset"] == newest["depth"]
    return int(newest["frame"])


def test_a_server_stops_on_an_interrupt(tmp_path: Path, repository: Path):
    """The other tests end theirs with SIGTERM."""
    url = f"sqlite:///{tmp_path / 'new.db'}"

    with serving(url, tmp_path / "frontend", repository) as server:
        assert httpx.get(f"{server.address}/readyz", timeout=PATIENCE_S).status_code == 200
        assert server.end(signal.SIGINT) in (0, -signal.SIGINT, 130)


def test_a_server_that_receives_sigterm_is_not_ready_but_still_responds(
    tmp_path: Path, repository: Path
):
    """So that a load balancer notices before requests are refused; a second signal ends it."""
    url = f"sqlite:///{tmp_path / 'new.db'}"

    with serving(url, tmp_path / "frontend", repository, drain_seconds="300") as server:
        ready = f"{server.address}/readyz"
        assert httpx.get(ready, timeout=PATIENCE_S).status_code == 200
        server.process.send_signal(signal.SIGTERM)
        while httpx.get(ready, timeout=PATIENCE_S).status_code == 200:
            pass
        begun = httpx.post(
            f"{server.address}{API}/sessions", json={"scenario": SCENARIO}, timeout=PATIENCE_S
        )

        assert httpx.get(f"{server.address}/livez", timeout=PATIENCE_S).status_code == 200
        assert begun.status_code == 201
        assert server.end(signal.SIGTERM) in (0, -signal.SIGTERM)


def test_a_request_that_arrives_while_the_server_stops_is_answered(
    tmp_path: Path, repository: Path
):
    url = f"sqlite:///{tmp_path / 'new.db'}"
    body = json.dumps({"scenario": SCENARIO}).encode()
    head = "POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

    with serving(url, tmp_path / "frontend", repository) as server:
        address = urlsplit(server.address)
        with socket.create_connection((address.hostname, address.port), PATIENCE_S) as connection:
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:9])
            httpx.get(f"{server.address}/livez", timeout=PATIENCE_S)
            server.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(httpx.TransportError):
                while httpx.get(f"{server.address}/livez", timeout=PATIENCE_S).status_code == 200:
                    pass  # until it accepts no connections
            connection.sendall(body[9:])
            answer = connection.recv(65_536)

        assert answer.startswith(b"HTTP/1.1 201 ")
        assert server.end(signal.SIGTERM) in (0, -signal.SIGTERM)


def test_a_server_continues_if_its_output_is_not_read(tmp_path: Path, repository: Path):
    """A pipe is full after 64 KiB, and each request logs a line of about 150 bytes."""
    url = f"sqlite:///{tmp_path / 'new.db'}"
    reading, writing = os.pipe()
    fill = 64 * 1024

    with serving(
        url, tmp_path / "frontend", repository, stdout=writing, computing_process="false"
    ) as server:
        os.set_blocking(writing, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writing, b"x" * fill)
        os.set_blocking(writing, True)
        with httpx.Client(base_url=server.address, timeout=PATIENCE_S) as client:
            for _ in range(20):
                assert client.get("/").status_code == 200
        assert server.end(signal.SIGTERM) in (0, -signal.SIGTERM)
    os.close(writing)
    os.close(reading)


def test_the_visitors_address_is_accepted_only_from_a_trusted_proxy(
    tmp_path: Path, repository: Path
):
    def statuses(server: Server) -> set[int]:
        """The statuses of another visitor's guesses, after one has guessed until refused."""
        with httpx.Client(base_url=f"{server.address}{API}/shares", timeout=PATIENCE_S) as client:
            for n in range(700):  # more than allowed, because some are allowed again meanwhile
                missed = client.get(f"/{n:026d}", headers={"X-Forwarded-For": "203.0.113.7"})
                if missed.status_code == 429:
                    break
            assert missed.status_code == 429
            return {client.get(f"/{n:026d}").status_code for n in range(50)}

    database_url = f"sqlite:///{tmp_path / 'highwater.db'}"
    serve = partial(serving, database_url, tmp_path, repository, computing_process="false")
    with serve() as server:
        assert statuses(server) == {404}
    with serve(trusted_proxies="203.0.113.1") as server:
        assert {429} <= statuses(server) <= {404, 429}


def test_a_header_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, repository: Path
):
    url = f"sqlite:///{tmp_path / 'highwater.db'}"
    with serving(url, tmp_path, repository, computing_process="false") as server:
        address = httpx.URL(server.address)
        with socket.create_connection(
            (address.host, address.port), timeout=PATIENCE_S
        ) as connection:
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ")
            sent = 0
            with contextlib.suppress(ConnectionError):
                while sent < 8 * 1024 * 1024:
                    connection.sendall(b"a" * 65_536)
                    sent += 65_536
            assert sent < 8 * 1024 * 1024

        assert httpx.get(f"{server.address}/livez", timeout=PATIENCE_S).status_code == 200

"""Cases of docs/explanation/promises.md without another test: on both databases, in one app."""

import asyncio
import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import func, select

from backend.limit_table import all_limits
from backend.sessions.tables import SessionRow
from backend.shares.tables import ShareRow
from tests.backend.conftest import API, LOSS, PUBLIC_URL, SCENARIO, Service
from tests.service_process import served as service_served


async def shared(service: Service, scenario: dict[str, Any] = LOSS) -> tuple[str, str]:
    """A session and a share of it."""
    session = (await service.new_session(scenario=scenario))["id"]
    return session, (await service.share(session, 0))["sid"]


async def rows(service: Service) -> tuple[int, int]:
    async with service.services.database.reading() as session:
        counted = [
            await session.scalar(select(func.count()).select_from(table)) or 0
            for table in (SessionRow, ShareRow)
        ]
    return counted[0], counted[1]


@pytest.mark.parametrize(
    "change",
    [
        {"brokers": list(range(1, 11))},
        {"brokers": [1] * 2},
        {"brokers": []},
        {"brokers": [-1, 2]},
        {"topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}] * 17}]},
        {"topics": []},
        {"seed": -(2**63) - 1},
        {"seed": True},
        {"steps": [{"run": {"ms": 10**15}}]},
        {"steps": [{"produce": {"to": "t-0", "values": ["x"] * 5000, "as": "p1"}}]},
    ],
    ids=lambda change: str(change)[:40],
)
async def test_a_number_out_of_range_names_its_place(service: Service, change: dict[str, Any]):
    """6: counts of zero, negative counts, and counts beyond every limit."""
    answer = await service.send("sessions", {"scenario": {**SCENARIO, **change}}, 422)

    assert answer["errors"][0]["where"].startswith(f"/scenario/{next(iter(change))}")


async def test_one_kind_of_id_is_no_other_kind(service: Service):
    """28: each id, code, key and token of the service in place of each other kind."""
    client = service.client
    session = await service.new_session(scenario=LOSS, owned=True)
    share = await service.share(session["id"], 0)
    moment = {"first": 0, "frame": 0}
    asked = {"session": session["id"], "moment": moment}
    presented = (await client.post(f"{API}/presentations", json=asked)).json()
    kinds = {
        "session": session["id"],
        "key": session["owner_key"],
        "share": share["sid"],
        "delete token": share["delete_token"],
        "code": presented["code"],
        "token": presented["token"],
    }
    step = {"after": session["head"], "step": {"crash": {"broker": 2}}}

    for kind, value in kinds.items():
        right = {"Authorization": f"Bearer {value}"}
        own = f"{API}/sessions/{session['id']}/actions"
        answers = {
            "session": [
                await client.get(f"{API}/sessions/{value}"),
                await client.post(f"{API}/sessions/{value}/actions", json=step),
                await client.post(f"{API}/presentations", json={**asked, "session": value}),
                await client.post(
                    f"{API}/shares",
                    json={"session": value, "at": 0},
                    headers={"Idempotency-Key": f"as-{kind}"},
                ),
            ],
            "key": [await client.post(own, json=step, headers=right)],
            "share": [
                await client.get(f"{API}/shares/{value}"),
                await client.get(f"/s/{value}.svg"),
                await client.post(f"{API}/shares/{value}/fork"),
            ],
            "delete token": [await client.delete(f"{API}/shares/{share['sid']}", headers=right)],
            "code": [await client.get(f"{API}/presentations/{value}/scene")],
            "token": [
                await client.put(
                    f"{API}/presentations/{presented['code']}", json=moment, headers=right
                ),
                await client.delete(f"{API}/presentations/{presented['code']}", headers=right),
            ],
        }
        for place, seen in answers.items():
            statuses = {answer.status_code for answer in seen}
            if place != kind:
                # What has an owner says so; nothing else tells whether anything exists.
                expected = {403} if place == "key" else {404, 422} if place == "session" else {404}
                assert statuses <= expected, (kind, place)
                assert all(value not in answer.text for answer in seen), (kind, place)
        if kind == "delete token":
            assert answers[kind][0].status_code == 204


async def test_links_ignore_the_host_header_of_a_request(service: Service):
    """34: links use the public address."""
    sid = await service.shared(0, scenario=LOSS)
    headers = {
        "Host": "evil.example",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "gopher",
        "Forwarded": "host=evil.example",
        "X-Original-URL": "/evil.example",
    }

    for path in (f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.md", f"{API}/shares/{sid}", "/"):
        answer = await service.client.get(path, headers=headers)
        assert answer.status_code == 200
        assert "evil.example" not in answer.text + str(answer.headers)
    assert PUBLIC_URL in (await service.client.get(f"/s/{sid}", headers=headers)).text


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "/\\evil.example",
        "/%2f%2fevil.example",
        "/s/{sid}//evil.example",
        "/?next=//evil.example",
        "/s/{sid}?next=https://evil.example&url=//evil.example&redirect=/\\evil.example",
        "/s/{SID}?next=//evil.example",
    ],
)
async def test_no_address_leads_away(service: Service, path: str):
    """35: redirects lead only to this site."""
    sid = await service.shared(0, scenario=LOSS)
    path = path.replace("{sid}", sid).replace("{SID}", sid.upper())

    answer = await service.client.get(path)

    assert answer.status_code < 500
    location = answer.headers.get("Location", "")
    assert not location or location.startswith((f"{PUBLIC_URL}/", f"/s/{sid}"))
    assert not location.startswith("//")


@pytest.mark.parametrize(
    "path",
    [
        "/s/{sid}.json/x.css",
        "/s/{sid}.svg/x.js",
        "/s/{sid}/x.css",
        "/s/{sid}.json.css",
        "/e/v1/s/{sid}/x.css",
        "/s/{sid}%00.json",
        "/s/{sid}%0d%0aX: y",
    ],
)
async def test_what_a_cache_may_take_for_something_else_is_not_found(service: Service, path: str):
    """36: one address, one resource."""
    sid = await service.shared(0, scenario=LOSS)

    assert (await service.client.get(path.replace("{sid}", sid))).status_code == 404


async def test_a_response_that_depends_on_the_language_varies_by_it(service: Service):
    """36: otherwise one visitor's language would be cached for all visitors."""
    sid = await service.shared(0, scenario=LOSS)

    for path in (f"/s/{sid}", f"/s/{'1' * 26}"):
        answer = await service.client.get(path)
        assert "accept-language" in answer.headers.get("Vary", "").lower(), path


async def test_a_share_takes_many_readers_while_it_goes(service: Service):
    """29: a visitor who reads a share while it is deleted gets the share or 410."""
    session, _ = await shared(service)
    share = await service.share(session, 1)
    sid = share["sid"]

    *read, deleted = await asyncio.gather(
        *(service.client.get(f"{API}/shares/{sid}") for _ in range(8)),
        service.client.delete(
            f"{API}/shares/{sid}", headers={"Authorization": f"Bearer {share['delete_token']}"}
        ),
    )

    assert deleted.status_code == 204
    assert {answer.status_code for answer in read} <= {200, 410}
    assert (await service.client.get(f"{API}/shares/{sid}")).status_code == 410


async def test_a_run_at_every_limit_ends_with_its_budget(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    """65: as many brokers, partitions and steps as there may be, each step a day of time."""
    most = {limit.name: limit.number for limit in all_limits()}
    brokers, day = list(range(1, most["brokers"] + 1)), {"run": {"ms": most["step_milliseconds"]}}
    largest = {
        **SCENARIO,
        "brokers": brokers,
        "topics": [{"name": "t", "partitions": [{"replicas": brokers}] * most["partitions"]}],
    }
    endless = {**largest, "steps": [day] * (most["steps"] - 1)}
    session = await sqlite_service.new_session(scenario=largest)
    values = [f"v{number}" for number in range(most["records_a_log"])]
    written = await sqlite_service.act(
        session["id"], 0, {"produce": {"to": "t-0", "values": values, "as": "p1"}}
    )

    monkeypatch.setattr(sqlite_service.services.lanes, "_budget_s", 1.0)
    refused = [
        await sqlite_service.client.post(f"{API}/sessions", json={"scenario": endless}),
        await sqlite_service.act(session["id"], 0, day),
    ]

    assert written.status_code == 201, written.text
    for answer in refused:
        assert (answer.status_code, answer.json()["code"]) == (422, "budget_exceeded")
        assert re.search(r"frame \d+", answer.json()["detail"])
    left = await sqlite_service.client.get(f"{API}/sessions/{session['id']}")
    assert left.json()["head"] == written.json()["head"]


async def test_an_advertisement_is_plain_text(service: Service):
    """98: no address in a title or a note becomes a link, and no search engine lists it."""
    words = "win at https://spam.example/a or www.spam.example [x](https://spam.example/b)"
    session = (await service.new_session(scenario=LOSS))["id"]
    created = await service.client.post(
        f"{API}/shares",
        json={"session": session, "at": 3, "title": words, "note": f"{words}\n\n{words}"},
        headers={"Idempotency-Key": f"{session}-spam"},
    )
    sid = created.json()["sid"]

    for path in (f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.svg", f"/s/{sid}.html"):
        answer = await service.client.get(path)
        assert "noindex" in answer.headers["X-Robots-Tag"], path
        assert not re.search(r"""(href|src|action)=["']?[^"'>]*spam""", answer.text), path
    written = (await service.client.get(f"/s/{sid}.md")).text
    assert "](https://spam" not in written.replace("\\]", "")
    oembed = await service.client.get("/oembed", params={"url": f"{PUBLIC_URL}/s/{sid}"})
    assert not re.search(r"""(href|src)=["']?[^"'>]*spam""", oembed.json()["html"])


async def test_who_only_looks_makes_nothing(service: Service):
    """100: a crawler that follows every link creates no session and indexes no share."""
    session, sid = await shared(service)
    before = await rows(service)

    answers = {
        path: await service.client.get(path)
        for path in (
            f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.svg", f"/s/{sid}.json", f"/s/{sid}.md",
            f"/x/{session}", "/", "/lessons/kip-101-data-loss", "/new",
            f"{API}/sessions/{session}", f"{API}/shares/{sid}/fork",
        )
    }  # fmt: skip

    assert await rows(service) == before
    for path in (f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.svg", f"/x/{session}"):
        assert "noindex" in answers[path].headers["X-Robots-Tag"], path


@pytest.fixture(scope="module")
def served(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Host and port of `highwater serve`."""
    database = tmp_path_factory.mktemp("served") / "highwater.db"
    with service_served(repository, database, HIGHWATER_COMPUTING_PROCESS="false") as server:
        parts = urlsplit(server.address)
        assert parts.hostname is not None
        assert parts.port is not None
        yield parts.hostname, parts.port


def answers_to(served: tuple[str, int], sent: bytes) -> bytes:
    """Everything that the server answers until it closes the connection."""
    with socket.create_connection(served, timeout=20) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 5\r\nContent-Length: 6\r\n",
        b"Content-Length: 5, 6\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 5\r\nTransfer-Encoding: x\r\n",
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 15\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: x\r\n",
        b"A : b\r\n",
    ],
)
def test_two_lengths_of_one_body_are_no_request(served: tuple[str, int], head: bytes):
    """87: the server refuses a request that two parsers would interpret differently, and reads
    nothing after it as another one."""
    body = b"5\r\n12345\r\n0\r\n\r\n" if b": chunked\r" in head else b"12345"
    first = b"POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n" + body
    second = b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert answers_to(served, second).startswith(b"HTTP/1.1 200 ")

    answered = answers_to(served, first + second)

    assert answered.startswith(b"HTTP/1.1 400 ")
    assert answered.count(b"HTTP/1.1 ") == 1
    assert b'"code":"bad_request"' in answered


def test_a_server_without_file_descriptors_answers_again(repository: Path, tmp_path: Path):
    """85: connections that it cannot accept wait, and nothing else suffers."""
    few = ("sh", "-c", 'ulimit -n 96; exec "$0" "$@"')
    with service_served(repository, tmp_path / "few.db", before=few) as server:
        parts = urlsplit(server.address)
        with contextlib.ExitStack() as held:
            for _ in range(150):
                held.enter_context(socket.create_connection((parts.hostname, parts.port), 20))
            held.close()

        asked = httpx.post(
            f"{server.address}{API}/sessions", json={"scenario": SCENARIO}, timeout=60
        )

    assert asked.status_code == 201


def test_a_run_does_not_depend_on_the_order_of_hashes(repository: Path):
    """91: a run has the same bytes in every process."""

    def digest(seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "sim_engine", "run", "s26", "--json"],
            cwd=repository,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert digest("1") == digest("2")

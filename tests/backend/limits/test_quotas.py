"""Quotas of one visitor for expensive requests, which do not affect other visitors."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from backend.http.errors import LimitError
from backend.limit_table import MISSES_A_MINUTE, SESSIONS_A_MINUTE, Limit
from backend.limits.quotas import Quota
from backend.limits.visitors import network_of
from backend.settings import read_settings
from tests.backend.conftest import API, SCENARIO, StartService

FEW = {"sessions_a_minute": 2, "actions_a_minute": 2, "shares_a_minute": 1, "searches_a_minute": 1}


def quota(number: int, clock: list[float]) -> Quota:
    limit = Limit("sessions_a_minute", number, "requests", SESSIONS_A_MINUTE.status, "too_many")
    return Quota(limit, clock=lambda: clock[0])


def test_a_bucket_is_full_at_first_and_fills_again():
    clock = [0.0]
    sessions = quota(60, clock)
    for _ in range(60):
        sessions.take("a")

    with pytest.raises(LimitError) as refused:
        sessions.take("a")
    sessions.take("b")
    clock[0] += 1.0
    sessions.take("a")

    assert refused.value.headers["Retry-After"] == "1"
    with pytest.raises(LimitError):
        sessions.take("a")


def test_the_buckets_are_bounded():
    sessions = quota(60, [0.0])

    for number in range(10_100):
        sessions.take(str(number))

    assert len(sessions) == 10_000


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
    ],
)
def test_a_network_is_one_visitor(one: str, other: str, same: bool):
    assert (network_of(one) == network_of(other)) is same


async def test_each_kind_of_request_has_its_quota(tmp_path: Path, start_service: StartService):
    async with start_service(f"sqlite:///{tmp_path / 'few.db'}", **FEW) as service:
        session = (await service.new_session())["id"]
        crash = {"after": 0, "step": {"crash": {"broker": 2}}}
        key = {"Idempotency-Key": "k"}
        share = {"session": session, "at": 0}
        asked: dict[str, tuple[str, dict[str, object], dict[str, str]]] = {
            "sessions_a_minute": ("sessions", {"scenario": SCENARIO}, {}),
            "actions_a_minute": (f"sessions/{session}/actions", crash, {}),
            "shares_a_minute": ("shares", share, key),
            "searches_a_minute": (f"sessions/{session}/searches", {"max_depth": 1}, {}),
        }
        for name, (path, body, headers) in asked.items():
            seen = [
                await service.client.post(f"{API}/{path}", json=body, headers=headers)
                for _ in range(3)
            ]
            refused = seen[-1]

            assert seen[0].status_code < 300
            assert (refused.status_code, refused.json()["limit"]) == (429, name)
            assert int(refused.headers["Retry-After"]) > 0
            assert refused.json()["number"] == FEW[name]

        listed = (await service.read("limits"))["limits"]
        assert {limit["name"]: limit["number"] for limit in listed}.items() >= FEW.items()
        described = await service.read("openapi.json")
        assert described["x-limits"] == listed


async def test_two_processes_share_what_a_visitor_may_do(
    new_database_url: Callable[[], str], start_service: StartService
):
    url = await asyncio.to_thread(new_database_url)
    shared = {"processes": 2, "sessions_a_minute": 6}
    async with start_service(url, **shared) as one, start_service(url, **shared) as other:
        statuses = []
        for number in range(10):
            service = (one, other)[number % 2]
            made = await service.client.post(f"{API}/sessions", json={"scenario": SCENARIO})
            statuses.append(made.status_code)

    assert statuses == [201] * 6 + [429] * 4
    assert made.json()["number"] == 6


def test_what_cannot_be_found_is_counted_by_the_share_of_a_process():
    misses = Quota(replace(MISSES_A_MINUTE, number=6), processes=2, clock=lambda: 0.0)
    for _ in range(3):
        misses.take("a")

    with pytest.raises(LimitError):
        misses.take("a")


async def test_other_visitors_are_not_refused(tmp_path: Path, start_service: StartService):
    async with start_service(f"sqlite:///{tmp_path / 'few.db'}", **FEW) as service:
        statuses = []
        for host in ("203.0.113.7", "203.0.113.7", "203.0.113.7", "203.0.113.8"):
            transport = httpx.ASGITransport(service.app, client=(host, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                made = await client.post(f"{API}/sessions", json={"scenario": SCENARIO})
                statuses.append(made.status_code)

        assert statuses == [201, 201, 429, 201]


def test_a_quota_can_be_set_and_turned_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIGHWATER_SESSIONS_A_MINUTE", "5")
    monkeypatch.setenv("HIGHWATER_SHARES_A_MINUTE", "0")

    quotas = read_settings().quotas

    assert (quotas["sessions_a_minute"], quotas["shares_a_minute"]) == (5, 0)


async def test_a_quota_that_is_off_is_no_limit(tmp_path: Path, start_service: StartService):
    database = f"sqlite:///{tmp_path / 'none.db'}"
    async with start_service(database, sessions_a_minute=0) as service:
        await service.new_session()
        listed = (await service.read("limits"))["limits"]

    assert "sessions_a_minute" not in {limit["name"] for limit in listed}

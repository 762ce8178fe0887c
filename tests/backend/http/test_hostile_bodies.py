"""Hostile bodies always get a 4xx: a small problem document."""

import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from backend.http.errors import HighwaterError, InvalidInputError, Place
from backend.http.json_document import decoded
from backend.http.problems import problem
from tests.backend.conftest import API, SCENARIO, Service
from tests.call_count import count_calls

JSON = {"Content-Type": "application/json"}
MARK = "Zx9Qk"


def action(after: str) -> bytes:
    return f'{{"after": {after}, "step": {{"crash": {{"broker": 2}}}}}}'.encode()


def nested(depth: int) -> bytes:
    return b'{"after": 0, "step": ' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"


def titled(title: str) -> bytes:
    """A scenario with this JSON value as its title."""
    document = json.dumps({**SCENARIO, "title": "TITLE"}).replace('"TITLE"', title)
    return f'{{"scenario": {document}}}'.encode()


def run_of(grid: str, cell: str = "0", seed: str = "0") -> bytes:
    """A run of a campaign, from pieces of JSON."""
    return f'{{"grid": {grid}, "cell": {cell}, "seed": {seed}}}'.encode()


SESSIONS, ACTIONS, RUNS = "sessions", "sessions/{id}/actions", "insights/runs"
# (name, where, body, status, code); None for a code: any.
BODIES: list[tuple[str, str, bytes, int | tuple[int, ...], str | None]] = [
    ("NaN", ACTIONS, action("NaN"), 400, "bad_json"),
    ("Infinity", ACTIONS, action("Infinity"), 400, "bad_json"),
    ("-Infinity", ACTIONS, action("-Infinity"), 400, "bad_json"),
    ("1e999", ACTIONS, action("1e999"), 400, "bad_json"),
    ("-1e999", ACTIONS, action("-1e999"), 400, "bad_json"),
    ("5000 digits", ACTIONS, action("9" * 5000), 400, "bad_json"),
    ("4000 digits", ACTIONS, action("9" * 4000), 400, "bad_json"),
    ("2^63", ACTIONS, action(str(2**63)), 422, "invalid"),
    ("2^31", ACTIONS, action(str(2**31)), 422, "invalid"),
    ("true for a number", ACTIONS, action("true"), 422, "invalid"),
    ("a float for a number", ACTIONS, action("1e3"), 422, "invalid"),
    ("1.0 for a number", ACTIONS, action("1.0"), 422, "invalid"),
    ("digits in a string", ACTIONS, action('"1"'), 422, "invalid"),
    ("underscores in a string", ACTIONS, action('"1_000"'), 422, "invalid"),
    ("digits of another script", ACTIONS, action('"٣"'), 422, "invalid"),
    ("a negative number", ACTIONS, action("-1"), 422, "invalid"),
    ("a million", ACTIONS, action("1000000"), 422, "invalid"),
    ("a leading zero", ACTIONS, action("01"), 400, "bad_json"),
    ("depth 33", ACTIONS, nested(32), 400, "too_deep"),
    ("depth 500", ACTIONS, nested(500), 400, "too_deep"),
    ("depth 60,000 and no end", ACTIONS, b"[" * 60_000, 400, "too_deep"),
    (
        "depth after a string",
        ACTIONS,
        b'{"a": "]]]]\\"", "b":' + b"[" * 40 + b"]" * 40 + b"}",
        400,
        "too_deep",
    ),
    ("a lone surrogate", SESSIONS, b'{"scenario_id": "\\ud800"}', 400, "bad_json"),
    ("a lone surrogate in a title", SESSIONS, titled('"\\udfff"'), 400, "bad_json"),
    ("a lone surrogate in a key", SESSIONS, b'{"\\ud800": 1}', 400, "bad_json"),
    ("NUL", SESSIONS, b'{"scenario_id": "a\\u0000b"}', 422, "control_char"),
    ("NUL in a title", SESSIONS, titled('"a\\u0000b"'), 422, "control_char"),
    ("NUL in a key", SESSIONS, b'{"scenario": {"a\\u0000": 1}}', 422, "control_char"),
    ("NUL as itself", SESSIONS, b'{"scenario_id": "a\x00b"}', 400, "bad_json"),
    ("escape", SESSIONS, titled('"\\u001b[31m"'), 422, "control_char"),
    ("a C1 control", SESSIONS, titled('"\x85"'), 422, "control_char"),
    ("U+FFFE", SESSIONS, titled('"\ufffe"'), 422, "control_char"),
    ("invalid UTF-8", SESSIONS, b'{"scenario_id": "\xff"}', 400, "bad_json"),
    ("overlong UTF-8", SESSIONS, b'{"scenario_id": "\xc0\x80"}', 400, "bad_json"),
    ("UTF-16", SESSIONS, '{"scenario_id": "s26"}'.encode("utf-16"), 400, "bad_json"),
    ("UTF-16 without a mark", SESSIONS, '{"a": 1}'.encode("utf-16-le"), 400, "bad_json"),
    ("a byte order mark", SESSIONS, b'\xef\xbb\xbf{"scenario_id": "s26"}', 400, "bad_json"),
    ("a key twice", SESSIONS, b'{"scenario_id": "s26", "scenario_id": "s26"}', 400, "bad_json"),
    ("a key twice, deep", ACTIONS, b'{"after":0,"step":{"a":{"b":1,"b":2}}}', 400, "bad_json"),
    ("an unknown key", SESSIONS, b'{"scenario_id": "s26", "x": 1}', 422, "extra_forbidden"),
    ("__proto__", SESSIONS, b'{"scenario_id":"s26","__proto__":{}}', 422, "extra_forbidden"),
    ("constructor", SESSIONS, b'{"scenario_id":"s26","constructor":{}}', 422, "extra_forbidden"),
    ("nothing", SESSIONS, b"", 400, "bad_json"),
    ("one byte", SESSIONS, b"{", 400, "bad_json"),
    ("a space", SESSIONS, b" ", 400, "bad_json"),
    ("null", SESSIONS, b"null", 422, None),
    ("a list", SESSIONS, b"[]", 422, None),
    ("a string", SESSIONS, b'"x"', 422, None),
    ("an empty object", SESSIONS, b"{}", 422, "invalid"),
    ("two origins", SESSIONS, b'{"scenario_id": "s26", "scenario": {}}', 422, "invalid"),
    ("trailing text", SESSIONS, b'{"scenario_id": "s26"} x', 400, "bad_json"),
    ("a comment", SESSIONS, b'{"scenario_id": "s26" /* x */}', 400, "bad_json"),
    ("single quotes", SESSIONS, b"{'scenario_id': 's26'}", 400, "bad_json"),
    (
        "60,000 empty steps",
        SESSIONS,
        json.dumps({"scenario": {**SCENARIO, "steps": [{}] * 60_000}}).encode(),
        422,
        "too_many_events",
    ),
    (
        "a step of 5,000 kinds",
        ACTIONS,
        json.dumps({"after": 0, "step": {f"k{n}": 1 for n in range(5_000)}}).encode(),
        422,
        "invalid_step",
    ),
    (
        "20,000 unknown keys",
        SESSIONS,
        json.dumps({f"k{n}": 1 for n in range(20_000)}).encode(),
        422,
        "extra_forbidden",
    ),
    ("an unterminated string", SESSIONS, b'{"a": "' + b"\\" * 100_000, 400, "bad_json"),
    ("a scenario of nothing", SESSIONS, b'{"scenario": {}}', 422, "invalid_scenario"),
    ("a scenario that is none", SESSIONS, b'{"scenario": {"x": 1}}', 422, "invalid_scenario"),
    ("an unknown scenario", SESSIONS, b'{"scenario_id": "nope"}', 422, "invalid"),
    ("an unknown version", SESSIONS, b'{"scenario_id": "s26", "kafka": "x"}', 422, "invalid"),
    ("a step of two kinds", ACTIONS, b'{"after":0,"step":{"crash":{},"start":{}}}', 422, None),
    ("an unknown step", ACTIONS, b'{"after":0,"step":{"explode":{"broker":1}}}', 422, None),
    ("no step", ACTIONS, b'{"after":0,"step":{}}', 422, None),
    ("a step that is none", ACTIONS, b'{"after":0,"step":[]}', 422, "invalid"),
    ("no grid", RUNS, b'{"cell": 0, "seed": 0}', 422, "missing"),
    ("a grid that is none", RUNS, run_of("[]"), 422, "invalid"),
    ("a grid of nothing", RUNS, run_of("{}"), 422, "invalid_grid"),
    ("an unknown key of a grid", RUNS, run_of('{"grid": 1, "x": 1}'), 422, "invalid_grid"),
    (
        "an impossible grid",
        RUNS,
        run_of('{"grid": 1, "kafka": "2.1", "control": "kraft"}'),
        422,
        "invalid_grid",
    ),
    (
        "a grid of 4,096 cells",
        RUNS,
        run_of(
            json.dumps(
                {
                    "grid": 1,
                    "latency_ms": [*range(64)],
                    "faults": {"cut": [n / 10 for n in range(64)]},
                }
            )
        ),
        422,
        "invalid_grid",
    ),
    (
        "a rate without bound",
        RUNS,
        run_of('{"grid": 1, "faults": {"crash": 1e300}}'),
        422,
        "invalid_grid",
    ),
    ("a NaN in a grid", RUNS, run_of('{"grid": 1, "seed": NaN}'), 400, "bad_json"),
    ("a cell that there is not", RUNS, run_of('{"grid": 1}', "1"), 422, "invalid"),
    ("a cell below 0", RUNS, run_of('{"grid": 1}', "-1"), 422, "invalid"),
    ("a cell as text", RUNS, run_of('{"grid": 1}', '"0"'), 422, "invalid"),
    ("a seed of 20 digits", RUNS, run_of('{"grid": 1}', "0", "9" * 20), 422, "invalid"),
]


@pytest.fixture
async def addresses(service: Service) -> Callable[[str], str]:
    session = await service.new_session()
    return lambda where: f"{API}/{where.format(id=session['id'])}"


def assert_problem(response: httpx.Response, status: int, code: str | None) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert len(response.content) <= 4096
    problem: dict[str, Any] = response.json()
    assert problem["status"] == status
    assert {"type", "title", "detail", "code", "errors"} <= problem.keys()
    if code is not None:
        assert problem["code"] == code
    return problem


@pytest.mark.parametrize(
    ("where", "body", "status", "code"),
    [case[1:] for case in BODIES],
    ids=[case[0] for case in BODIES],
)
async def test_a_hostile_body_is_refused_in_words(
    service: Service,
    addresses: Callable[[str], str],
    where: str,
    body: bytes,
    status: int,
    code: str | None,
):
    response = await service.client.post(addresses(where), content=body, headers=JSON)

    assert_problem(response, status, code)


@pytest.mark.parametrize("body", [case[2] for case in BODIES], ids=[case[0] for case in BODIES])
def test_what_a_body_costs_follows_from_its_size(body: bytes):
    def judge() -> None:
        with contextlib.suppress(HighwaterError):
            decoded(body)

    assert count_calls(judge) < 200 + 4 * len(body)


@pytest.mark.parametrize(("depth", "refused"), [(32, False), (33, True)])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_depth_is_bounded_however_it_ends(
    depth: int, refused: bool, opening: bytes, closing: bytes
):
    for innermost in (b"[]", b"{}", b"1"):
        levels = depth - (innermost != b"1")
        body = opening * levels + innermost + closing * levels

        with pytest.raises(HighwaterError) if refused else contextlib.nullcontext():
            decoded(body)


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/json, text/plain",
        "application/jsonp",
        "",
    ],
)
async def test_only_json_is_taken(sqlite_service: Service, content_type: str):
    headers = {"Content-Type": content_type} if content_type else {}

    response = await sqlite_service.client.post(
        f"{API}/sessions", content=b'{"scenario_id": "s26"}', headers=headers
    )

    assert_problem(response, 415, "content_type_unsupported")


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=UTF-8"])
async def test_json_is_taken_however_it_is_spelt(sqlite_service: Service, content_type: str):
    body = json.dumps({"scenario": SCENARIO}).encode()

    response = await sqlite_service.client.post(
        f"{API}/sessions", content=body, headers={"Content-Type": content_type}
    )

    assert response.status_code == 201


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "gzip, gzip"])
async def test_nothing_is_inflated(sqlite_service: Service, encoding: str):
    bomb = gzip.compress(b" " * 10_000_000)

    response = await sqlite_service.client.post(
        f"{API}/sessions", content=bomb, headers={**JSON, "Content-Encoding": encoding}
    )

    assert_problem(response, 415, "content_encoding_unsupported")
    assert response.headers["connection"] == "close"


async def test_a_large_body_is_refused_before_it_is_read(sqlite_service: Service):
    response = await sqlite_service.client.post(
        f"{API}/sessions", content=b" " * 50_000_000, headers=JSON
    )

    assert_problem(response, 413, "body_too_large")
    assert response.headers["connection"] == "close"


@pytest.mark.parametrize("declared", [None, "10"])
async def test_a_body_is_counted_as_it_arrives(sqlite_service: Service, declared: str | None):
    sent = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(800):
            sent += 65_536
            yield b" " * 65_536

    headers = {**JSON, **({"Content-Length": declared} if declared else {})}
    request = sqlite_service.client.build_request(
        "POST", f"{API}/sessions", content=chunks(), headers=headers
    )
    response = await sqlite_service.client.send(request)

    assert_problem(response, 413, "body_too_large")
    assert sent <= 256 * 1024 + 2 * 65_536


async def test_the_largest_body_that_is_allowed_is_read(sqlite_service: Service):
    body = json.dumps({"scenario_id": "nope"}).encode()
    body += b" " * (256 * 1024 - len(body))

    response = await sqlite_service.client.post(f"{API}/sessions", content=body, headers=JSON)

    assert_problem(response, 422, "invalid")


async def test_what_was_sent_is_not_sent_back(sqlite_service: Service):
    for body in (
        {"scenario_id": MARK * 1000},
        {"scenario_id": "s26", "kafka": MARK},
        {"scenario": {**SCENARIO, "kafka": "3.9", "seed": MARK * 1000}},
    ):
        response = await sqlite_service.client.post(f"{API}/sessions", json=body)

        assert response.status_code == 422
        assert MARK * 20 not in response.text
        assert len(response.content) <= 4096


async def test_an_invalid_body_of_full_size_is_answered_in_four_kilobytes(sqlite_service: Service):
    steps = [{"explode": {"broker": n}} for n in range(7000)]
    body = json.dumps({"scenario": {**SCENARIO, "steps": steps}}).encode()
    assert 180_000 < len(body) < 256 * 1024

    response = await sqlite_service.client.post(f"{API}/sessions", content=body, headers=JSON)

    problem = assert_problem(response, 422, "invalid_scenario")
    assert problem["errors"][0]["where"].startswith("/scenario/steps/0")


@pytest.mark.parametrize("word", ["wrong ", "错误 "])
def test_a_thousand_mistakes_are_answered_in_four_kilobytes(word: str):
    places = [Place("/steps/" + "9" * 500, "\x1b[31m" + word * 500)] * 1000

    answer = bytes(problem(InvalidInputError(word * 1000, code="invalid", places=places)).body)

    assert len(answer) <= 4096
    assert b"\\u001b" not in answer
    assert json.loads(answer)["errors"]


async def test_a_place_in_the_body_is_a_json_pointer(service: Service):
    session = await service.new_session()

    response = await service.act(session["id"], 0, {"crash": {"broker": 9}})

    problem = assert_problem(response, 422, "invalid_step")
    assert problem["errors"][0]["where"] == "/step/crash/broker"
    assert "1, 2" in problem["errors"][0]["message"]


async def test_text_in_both_scripts_and_line_feeds_are_kept(service: Service):
    title = {"en": "c & <d> 🎉", "zh": "日志 — 水位"}
    note = {"en": "a\tb\nc", "zh": "一\n二"}
    document = {**SCENARIO, "title": title, "steps": [{"note": note}]}

    session = await service.new_session(scenario=document)

    read = await service.read(f"sessions/{session['id']}")
    assert read["scenario"]["title"] == title
    assert read["scenario"]["steps"] == [{"note": note}]


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_another_sites_page_changes_nothing(sqlite_service: Service, method: str):
    response = await sqlite_service.client.request(
        method, f"{API}/shares", headers={"Sec-Fetch-Site": "cross-site"}
    )

    assert_problem(response, 403, "cross_site")

"""What was rejected is not sent back: a problem contains no text of the request but plain words."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.backend.conftest import API, LOSS, Service

HOSTILE = (
    "{{7*7}}",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "\u202eZx9Qk Zx9Qk",
    "Zx9Qk Zx9Qk",
    "${jndi:ldap://x}",
    "Zx9Qk" * 60,
)
EVERYTHING: dict[str, Any] = {
    **LOSS,
    "alias": "s99",
    "control": "zookeeper",
    "rules": {"KIP-101": True},
    "seed": 1,
    "source": ["KIP-101"],
    "topics": [
        {
            "name": "t",
            "configs": {"min.insync.replicas": 1},
            "partitions": [
                {"replicas": [1, 2], "leader": 1, "isr": [1], "logs": {"1": {"log": "m1/0"}}}
            ],
        }
    ],
    "steps": [
        {"produce": {"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}},
        {"deliver": {"kind": "fetch_request", "from": 1, "to": 2}},
        {"timer": {"broker": 1, "kind": "isr_expiration"}},
        {"elect": {"partition": "t-0", "kind": "preferred", "leader": 1}},
        {"config": {"min.insync.replicas": 1, "topic": "t"}},
        {"ask": {"en": "?", "zh": "?", "answers": [{"en": "a"}, {"en": "b"}], "correct": 0}},
        {
            "expect": {
                "leader": 1,
                "violated": ["NoAckedRecordLost"],
                "errors": {"m1": "NOT_ENOUGH_REPLICAS"},
            }
        },
    ],
}
GRID: dict[str, Any] = {"grid": 1, "kafka": ["3.9"], "acks": ["all"], "faults": {"crash": [0.1]}}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("sessions", {"scenario": EVERYTHING}),
    ("sessions", {"scenario_id": "kip-101-data-loss", "kafka": "3.9", "control": "kraft"}),
    ("sessions/{id}/actions", {"after": 0, "step": EVERYTHING["steps"][0]}),
    ("sessions/{id}/comparisons", {"kafka": "3.9", "configs": {"min.insync.replicas": 1}}),
    ("sessions/{id}/searches", {"property": "NoAckedRecordLost", "budget": {"crash": 1}}),
    (
        "imports",
        {"files": [{"name": "topics.txt", "text": "Topic: t"}], "topics": ["t"], "kafka": "3.9"},
    ),
    ("insights/runs", {"grid": GRID, "cell": 0, "seed": 0}),
    ("challenges/power-of-two/tries", {"moves": [{"crash": {"broker": 1}}]}),
    ("presentations", {"session": "1" * 26, "moment": {"first": 0, "frame": 0}}),
]


def changed(value: Any, payload: str) -> Iterator[Any]:
    """The same with the payload in place of each text and key, one at a time."""
    if isinstance(value, str):
        yield payload
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield {**{name: each for name, each in value.items() if name != key}, payload: inner}
            for other in changed(inner, payload):
                yield {**value, key: other}
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            for other in changed(inner, payload):
                yield [*value[:place], other, *value[place + 1 :]]
    else:
        yield payload


@pytest.mark.parametrize("payload", HOSTILE)
async def test_no_problem_contains_a_text_of_the_request(sqlite_service: Service, payload: str):
    session = (await sqlite_service.new_session(scenario=LOSS))["id"]
    repeated: list[str] = []
    refused = 0
    for path, body in REQUESTS:
        address = f"{API}/{path.format(id=session)}"
        for hostile in changed(copy.deepcopy(body), payload):
            bodies = [hostile]
            if "scenario" in hostile and path == "sessions":
                bodies.append({"scenario_text": json.dumps(hostile["scenario"])})
            for sent in bodies:
                answer = await sqlite_service.client.post(address, json=sent)
                if answer.status_code < 400:
                    continue
                refused += 1
                told = json.dumps(answer.json(), ensure_ascii=False)
                if payload[:40] in told or json.dumps(payload)[1:40] in told:
                    repeated.append(f"{path}: {told[:600]}")

    assert refused > 100
    assert repeated == []

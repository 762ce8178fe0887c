"""Steps that the tests of sessions send, and how they read the responses."""

from typing import Any

import httpx

from tests.backend.conftest import Service

PRODUCE = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}
CRASH = {"crash": {"broker": 2}}
FETCH = {"fetch": {"broker": 2}}


async def timeline(service: Service, session: str, query: str = "full=1") -> dict[str, Any]:
    document: dict[str, Any] = await service.read(f"sessions/{session}/timeline?{query}")
    return document


def acted(response: httpx.Response) -> dict[str, Any]:
    """The response to an action, with the numbers of the new frames."""
    document: dict[str, Any] = response.json()
    answer = {name: document[name] for name in ("head", "forked", "repeated")}
    return {**answer, "frames": [frame["frame"] for frame in document["frames"]]}

"""Frames in responses are rendered once, outside the event loop, and limited in size."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from backend.frames import rendering
from backend.frames.packing import unpacked
from backend.limit_table import RESPONSE_BYTES
from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline
from tests.backend.conftest import API, LOSS, Service

PRODUCE = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, threading.Thread]]:
    """Which frames were rendered, and in which thread."""
    seen: list[tuple[int, threading.Thread]] = []

    def watched(timeline: Timeline, number: FrameNumber) -> FrameDocument:
        seen.append((number, threading.current_thread()))
        return frame_document(timeline, number)

    monkeypatch.setattr(rendering, "frame_document", watched)
    return seen


async def read(service: Service, session: str, query: str = "") -> dict[str, Any]:
    document: dict[str, Any] = await service.read(f"sessions/{session}/timeline?{query}")
    return document


async def test_a_timeline_is_rendered_once(
    sqlite_service: Service, rendered: list[tuple[int, threading.Thread]]
):
    session = await sqlite_service.new_session(scenario=LOSS)
    first = await read(sqlite_service, session["id"])
    count = len(rendered)

    again = await read(sqlite_service, session["id"])
    later = await read(sqlite_service, session["id"], "from=4")

    assert again == first
    assert count == session["frames"]
    # Only if the response begins with a different frame, that frame's complete state is rendered.
    assert [number for number, _ in rendered[count:]] == [4]
    assert [*unpacked(later["frames"])] == [*unpacked(first["frames"])][4:]


async def test_frames_are_rendered_outside_the_event_loop(
    sqlite_service: Service, rendered: list[tuple[int, threading.Thread]]
):
    session = await sqlite_service.new_session(scenario=LOSS)
    for _ in range(2):  # the second response uses what the first rendered
        assert (await sqlite_service.act(session["id"], 3, PRODUCE)).status_code < 300
    await read(sqlite_service, session["id"], "full=1")

    assert rendered
    assert threading.current_thread() not in {thread for _, thread in rendered}


async def test_a_response_contains_the_complete_states_that_fit_and_the_next_number(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rendering, "RESPONSE_BYTES", replace(RESPONSE_BYTES, number=20_000))
    session = await sqlite_service.new_session(scenario=LOSS)

    frames: list[dict[str, Any]] = []
    first: int | None = 0
    sizes = []
    while first is not None:
        address = f"{API}/sessions/{session['id']}/timeline?from={first}&full=1"
        response = await sqlite_service.client.get(address)
        sizes.append(len(response.content))
        part = response.json()
        frames += part["frames"]
        first = part["next"]

    assert len(sizes) > 2
    assert max(sizes) < 20_000 + 200
    assert [frame["frame"] for frame in frames] == list(range(session["frames"]))


async def test_what_takes_too_long_to_render_is_answered_in_parts(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await sqlite_service.new_session(scenario=LOSS)
    whole = await read(sqlite_service, session["id"])
    timelines = sqlite_service.services.timelines
    timelines.forget(session["id"])
    monkeypatch.setattr(timelines.lanes, "_budget_s", 0.0)

    part = await read(sqlite_service, session["id"])

    assert [frame["frame"] for frame in part["frames"]] == [0]
    assert (part["next"], part["total"]) == (1, whole["total"])


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rendering, "_MOST_KEPT_BYTES", 100)
    monkeypatch.setattr(rendering, "_LARGEST_KEPT_BYTES", 10)
    kept = rendering.rendered_frames()

    for number in range(50):
        kept.keep((0, FrameNumber(number), False), b"x" * 10)
    kept.keep((0, FrameNumber(50), False), b"x" * 11)

    assert [n for n in range(51) if kept.get((0, FrameNumber(n), False))] == list(range(40, 50))

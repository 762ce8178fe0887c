"""Runs of full-state links, which the page packs and unpacks: replayed, never trusted."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.limit_table import LINK_CHARACTERS
from tests.backend.conftest import API, LOSS, Service

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "full_state_links.json").read_text(encoding="utf-8")
)
CRASH = {"crash": {"broker": 2}}


async def link_of(service: Service, session: str, at: int, end: int) -> dict[str, Any]:
    answer = await service.read(f"sessions/{session}/link?at={at}&end={end}&level=message")
    assert answer["most_characters"] == LINK_CHARACTERS.number
    run: dict[str, Any] = answer["run"]
    return run


async def test_a_link_plays_the_branch_again_with_the_same_frames(service: Service):
    session = await service.new_session(scenario=LOSS)
    await service.act(session["id"], 5, CRASH)
    forked = (await service.act(session["id"], session["head"] + 1, {"settle": {}})).json()
    run = await link_of(service, session["id"], 5, forked["head"])

    made = await service.new_session(run=run, owned=True)

    async def branch_to(head: int | None, of: str) -> list[Any]:
        """The contents of each frame of a branch, without frame numbers."""
        frames = (await service.read(f"sessions/{of}/timeline?full=1"))["frames"]
        shown = []
        while head is not None:
            frame = frames[head]
            shown.append([frame[name] for name in ("depth", "item", "step", "action")])
            shown[-1].append(frame["state"]["replicas"])
            head = frame["parent"]
        return shown

    assert (run["at"], run["level"]) == (5, "message")
    assert made["forked_from"]["link"] == {"engine": made["engine"], "differs": False}
    played = await branch_to(made["head"], made["id"])
    assert played == await branch_to(forked["head"], session["id"])
    assert len(played) > 8


async def test_a_lesson_stays_that_lesson(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario_id="s26")
    run = await link_of(sqlite_service, session["id"], 0, session["head"])

    made = await sqlite_service.new_session(run=run)
    changed = {**run, "scenario": {**run["scenario"], "summary": {"en": "x", "zh": "x"}}}
    other = await sqlite_service.new_session(run=changed)

    assert (made["scenario_id"], other["scenario_id"]) == (session["scenario_id"], None)
    # A run that this engine plays differently is reported.
    assert other["forked_from"]["link"]["differs"] is False
    steps = [*run["record"][:-1]]
    shorter = await sqlite_service.new_session(run={**run, "record": steps})
    assert shorter["forked_from"]["link"]["differs"] is True


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"record": [99]}, "/run/record/0"),
        ({"record": [0, -1]}, "/run/record/1"),
        ({"record": [True]}, "/run/record/0"),
        ({"record": ["x"]}, "/run/record/0"),
        ({"record": [[9999, 0]]}, "/run/record/0"),
        ({"record": [[-1, 0]]}, "/run/record/0"),
        ({"record": [{"crash": {"broker": "x"}}]}, "/run/record/0/crash/broker"),
        ({"record": [{"note": "x"}]}, "/run/record/0"),
        ({"record": [[0, {"nothing": {}}, 0]]}, "/run/record/0"),
        ({"scenario": {}}, "/run/scenario"),
        ({"kafka": "9.9.9"}, "/kafka"),
        ({"digest": "x"}, "/run/digest"),
        ({"at": -1}, "/run/at"),
        ({"more": 1}, "/run/more"),
    ],
)
async def test_a_run_that_cannot_be_played_is_refused_with_its_place(
    sqlite_service: Service, change: dict[str, Any], where: str
):
    run = VECTORS["links"][0]["run"]

    answer = await sqlite_service.send("sessions", {"run": {**run, **change}}, 422)

    assert answer["errors"][0]["where"].startswith(where)


async def test_a_branch_that_does_not_run_through_the_frame_is_refused(sqlite_service: Service):
    session = (await sqlite_service.new_session(scenario=LOSS))["id"]
    path = f"{API}/sessions/{session}/link"

    wrong = await sqlite_service.client.get(f"{path}?at=4&end=2")
    nowhere = await sqlite_service.client.get(f"{path}?at=999")

    assert [answer.json()["errors"][0]["where"] for answer in (wrong, nowhere)] == ["/end", "/at"]

"""Presentations: followers follow the playhead, reconnect without loss, and answer anonymously."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from backend.database.database import now
from backend.limit_table import FOLLOWERS
from backend.limits.quotas import VoteLimit
from backend.limits.visitors import Visitor, visiting
from backend.operations.housekeeping import KINDS, forget
from backend.presentations.service import KEPT_FOR
from backend.presentations.tables import PresentationRow
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.scenario_reader.writer import scenario_document
from tests.backend.conftest import API, LOSS, Service, StartService

QUESTION: dict[str, Any] = {
    "key": "3",
    "text": {"en": "What does broker 1 do?", "zh": "broker 1 做什么？"},
    "answers": [
        {"en": "It keeps m2.", "zh": "保留 m2。"},
        {"en": "It cuts m2.", "zh": "截断 m2。"},
    ],
    "correct": 1,
    "reasons": [
        {"en": "m2 is above its high watermark.", "zh": "m2 在高水位以上。"},
        {"en": "Only the high watermark counts.", "zh": "只看高水位。"},
    ],
}
MOMENT: dict[str, Any] = {"first": 0, "frame": 0}
VOTERS = [f"{number:032x}" for number in range(3)]


class Follower:
    """A follower's page: all events that it has received."""

    def __init__(self, events: AsyncGenerator[bytes]) -> None:
        self._events = events
        self._told: list[tuple[str, dict[str, Any]]] = []

    async def told(
        self, name: str, right: Callable[[dict[str, Any]], bool] = lambda data: True
    ) -> dict[str, Any]:
        """The first matching event with this name; waits until it arrives."""

        async def find() -> dict[str, Any]:
            looked_at = 0
            while True:
                for other, data in self._told[looked_at:]:
                    looked_at += 1
                    if other == name and right(data):
                        return data
                self._take(await anext(self._events))

        return await asyncio.wait_for(find(), 20)

    async def is_over(self) -> bool:
        """Whether no further event arrives."""
        return await anext(self._events, None) is None

    async def leave(self) -> None:
        await self._events.aclose()

    def _take(self, chunk: bytes) -> None:
        for block in chunk.decode().strip().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "event" in fields:
                self._told.append((fields["event"], json.loads(fields["data"])))


class Presented:
    """A presentation of a run that loses a record."""

    def __init__(self, service: Service, session: dict[str, Any], created: dict[str, Any]) -> None:
        self.service = service
        self.session = session
        self.code: str = created["code"]
        self.url: str = created["url"]
        self.authorization = {"Authorization": f"Bearer {created['token']}"}

    async def show(self, **moment: Any) -> None:
        response = await self.service.client.put(
            f"{API}/presentations/{self.code}",
            json={**MOMENT, **moment},
            headers=self.authorization,
        )
        assert response.status_code == 204, response.text

    async def vote(self, voter: str, choice: int, question: str = "3") -> int:
        body = {"question": question, "voter": voter, "choice": choice}
        response = await self.service.client.post(
            f"{API}/presentations/{self.code}/votes", json=body
        )
        return response.status_code

    async def follow(self, service: Service | None = None) -> Follower:
        presentations = (service or self.service).services.presentations
        return Follower(await presentations.follow(self.code, counted=True))


async def present(service: Service, scenario: dict[str, Any] = LOSS) -> Presented:
    session = await service.new_session(scenario=scenario)
    answer = await service.send("presentations", {"session": session["id"], "moment": MOMENT})
    return Presented(service, session, answer)


async def test_followers_see_what_the_presenter_shows(sqlite_service: Service):
    presented = await present(sqlite_service)
    events = await presented.follow()
    first = await events.told("scene")

    await presented.show(first=2, frame=4, whole=True)

    shown = await events.told("scene", lambda scene: scene["version"] > first["version"])
    assert presented.url.endswith(f"/p/{presented.code}")
    assert first["begins"]
    assert [frame["frame"] for frame in first["frames"]] == [0]
    # The previous frame is included, to highlight changes, and nothing of later steps.
    assert [frame["frame"] for frame in shown["frames"]] == [1, 2, 3, 4]
    assert shown["told"]["en"] != ""
    assert shown["step_frames"][-1] == 2
    assert shown["lesson"] is None
    assert presented.session["id"] not in json.dumps([first, shown])
    await events.leave()


async def test_a_scene_names_the_lesson_until_the_presenter_takes_a_step(sqlite_service: Service):
    presented = await present(sqlite_service, dict(scenario_document(load_shipped("two-rounds"))))
    events = await presented.follow()
    assert (await events.told("scene"))["lesson"] == "two-rounds"

    session = presented.session
    await sqlite_service.act(session["id"], session["head"], {"crash": {"broker": 1}})
    crashed = session["head"] + 1
    await presented.show(first=crashed, frame=crashed)

    assert (await events.told("scene", lambda scene: scene["lesson"] is None))["step"] > 0
    await events.leave()


async def test_a_scene_has_the_message_that_the_presenter_shows(sqlite_service: Service):
    presented = await present(sqlite_service)

    await presented.show(first=3, frame=3, message=2, messages=3)

    events = await presented.follow()
    scene = await events.told("scene")
    assert (scene["message"], scene["messages"]) == (2, 3)
    await presented.show(first=2, frame=4, whole=True)
    whole = await events.told("scene", lambda told: told["version"] > scene["version"])
    assert (whole["message"], whole["messages"]) == (None, None)
    await events.leave()


async def test_a_scene_has_the_order_of_the_rows_at_the_start(sqlite_service: Service):
    reassign = {"reassign": {"partition": "t-0", "replicas": [1, 2]}}
    presented = await present(sqlite_service, {**LOSS, "steps": [LOSS["steps"][0], reassign]})
    last = presented.session["head"]

    await presented.show(first=last, frame=last)

    events = await presented.follow()
    scene = await events.told("scene")
    assert scene["order"] == {"t-0": [2, 1]}
    await events.leave()


async def test_who_connects_again_is_sent_all_that_is_shown_now(service: Service):
    presented = await present(service)
    events = await presented.follow()
    await events.told("scene")
    await events.leave()

    await presented.show(first=1, frame=1)
    await presented.show(first=2, frame=2)

    again = await (await presented.follow()).told("scene")
    assert again["frames"][-1]["frame"] == 2


async def test_followers_stay_when_who_connected_first_has_left(sqlite_service: Service):
    presented = await present(sqlite_service)
    first = Visitor("198.51.100.1")
    with visiting(first):
        gone = await presented.follow()
        await gone.told("scene")
    events = await presented.follow()
    before = await events.told("scene")

    first.leave()
    await gone.leave()
    await presented.show(first=2, frame=4, whole=True)

    shown = await events.told("scene", lambda scene: scene["version"] > before["version"])
    assert shown["frames"][-1]["frame"] == 4


async def test_another_process_sends_the_same_scene(
    service: Service, database_url: str, start_service: StartService
):
    presented = await present(service)
    async with start_service(database_url) as other:
        events = await presented.follow(other)
        here = await presented.follow()
        await events.told("scene")
        await here.told("scene")

        await presented.show(first=1, frame=1)

        shown = await events.told("scene", lambda scene: scene["frames"][-1]["frame"] == 1)
        assert shown["version"] == 2
        # And each process counts the followers of the other.
        await events.told("audience", lambda audience: audience["here"] == 2)
        await events.leave()
        await here.leave()


async def test_votes_are_counted_and_sent_once_they_are_revealed(service: Service):
    presented = await present(service)
    events = await presented.follow()
    await presented.show(question=QUESTION)
    asked = await events.told("scene", lambda scene: scene["question"] is not None)

    assert [await presented.vote(voter, 1) for voter in VOTERS[:2]] == [204, 204]
    assert await presented.vote(VOTERS[2], 1) == 204
    # A changed vote counts once.
    assert await presented.vote(VOTERS[2], 0) == 204
    hidden = await events.told("audience", lambda audience: audience["answered"] == 3)
    await presented.show(question=QUESTION, revealed=True)
    revealed = await events.told("scene", lambda scene: scene["revealed"])
    counted = await events.told("audience", lambda audience: audience["votes"] is not None)

    assert asked["question"]["correct"] is None
    assert hidden["votes"] is None
    assert asked["question"]["reasons"] is None
    assert revealed["question"]["correct"] == 1
    assert revealed["question"]["reasons"] == QUESTION["reasons"]
    assert counted == {"here": 1, "answered": 3, "votes": [1, 2]}
    assert await presented.vote(VOTERS[0], 0) == 422
    await events.leave()


async def test_a_question_may_have_no_reasons(sqlite_service: Service):
    presented = await present(sqlite_service)
    events = await presented.follow()
    asked = {key: value for key, value in QUESTION.items() if key != "reasons"}

    await presented.show(question=asked, revealed=True)
    revealed = await events.told("scene", lambda scene: scene["revealed"])

    assert revealed["question"]["correct"] == 1
    assert revealed["question"]["reasons"] is None
    await events.leave()


async def test_only_a_question_that_is_shown_takes_answers(service: Service):
    presented = await present(service)

    assert await presented.vote(VOTERS[0], 0) == 422
    await presented.show(question=QUESTION)
    assert await presented.vote(VOTERS[0], 0, question="4") == 422
    assert await presented.vote(VOTERS[0], 2) == 422


async def test_a_request_without_the_token_changes_nothing(service: Service):
    presented = await present(service)
    address = f"{API}/presentations/{presented.code}"

    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic x"}):
        response = await service.client.put(address, json=MOMENT, headers=headers)
        assert response.status_code == 404
        assert (await service.client.delete(address, headers=headers)).status_code == 404


async def test_an_ended_presentation_sends_its_end_and_returns_410(service: Service):
    presented = await present(service)
    events = await presented.follow()
    await events.told("scene")
    address = f"{API}/presentations/{presented.code}"

    ended = await service.client.delete(address, headers=presented.authorization)

    assert ended.status_code == 204
    assert (await events.told("scene", lambda scene: scene["ended"]))["ended"]
    assert await asyncio.wait_for(events.is_over(), 10)
    response = await service.client.get(f"{address}/events")
    assert (response.status_code, response.json()["code"]) == (410, "presentation_ended")


@pytest.mark.parametrize("owned", [True, False])
async def test_after_the_end_a_follower_continues_in_a_run_of_their_own(
    sqlite_service: Service, *, owned: bool
):
    session = await sqlite_service.new_session(scenario=LOSS, owned=owned)
    answer = await sqlite_service.send(
        "presentations", {"session": session["id"], "moment": MOMENT}
    )
    presented = Presented(sqlite_service, session, answer)
    address = f"{API}/presentations/{presented.code}"
    # In the middle of a step, which the copy leaves there as well.
    at = session["head"] - 1
    await presented.show(first=at, frame=at, message=1, messages=2)
    early = await sqlite_service.client.post(f"{address}/fork", json={"owned": True})
    assert (early.status_code, early.json()["code"]) == (409, "presentation_not_ended")
    await sqlite_service.client.delete(address, headers=presented.authorization)

    forked = await sqlite_service.client.post(f"{address}/fork", json={"owned": True})

    assert forked.status_code == 201
    own = forked.json()
    assert own["head"] == at
    assert own["owned"]
    assert own["owner_key"]
    assert session["id"] not in forked.text
    shown, copied = [
        (await sqlite_service.read(f"sessions/{run}/timeline?from={at}&full=1"))["frames"][0]
        for run in (session["id"], own["id"])
    ]
    assert (copied["step"], copied["state"]) == (shown["step"], shown["state"])
    acted = await sqlite_service.client.post(
        f"{API}/sessions/{own['id']}/actions",
        json={"after": own["head"], "step": {"crash": {"broker": 2}}},
        headers={"Authorization": f"Bearer {own['owner_key']}"},
    )
    assert acted.status_code == 201, acted.text


@pytest.mark.parametrize(
    ("moment", "where"),
    [
        ({"first": 0, "frame": 999}, "/frame"),
        ({"first": 3, "frame": 1}, "/first"),
        ({"first": 0, "frame": 0, "question": {**QUESTION, "answers": []}}, "/question/answers"),
        ({"first": 0}, "/frame"),
    ],
)
async def test_what_cannot_be_shown_is_refused_by_place(
    sqlite_service: Service, moment: dict[str, Any], where: str
):
    presented = await present(sqlite_service)

    response = await sqlite_service.client.put(
        f"{API}/presentations/{presented.code}", json=moment, headers=presented.authorization
    )

    assert response.status_code == 422
    assert response.json()["errors"][0]["where"] == where


@pytest.mark.parametrize("code", ["zzzzz", "0", "abc", "abcdefgh"])
async def test_there_is_no_presentation_by_another_code(sqlite_service: Service, code: str):
    response = await sqlite_service.client.get(f"{API}/presentations/{code}/events")

    assert response.status_code == 404


async def test_presentations_in_which_nothing_moves_go(fresh_service: Service):
    old, young = await present(fresh_service), await present(fresh_service)
    await old.show(question=QUESTION)
    await old.vote(VOTERS[0], 1)
    database = fresh_service.services.database
    async with database.writing() as session:
        await session.execute(
            update(PresentationRow)
            .where(PresentationRow.code == old.code)
            .values(updated_at=now() - KEPT_FOR - timedelta(minutes=1))
        )

    gone = await forget(database, KINDS["presentations"], now())

    assert gone == 1
    events = f"{API}/presentations/{old.code}/events"
    assert (await fresh_service.client.get(events)).status_code == 404
    await young.show(frame=0)


async def from_network(service: Service, host: str, presented: Presented, voter: int) -> int:
    """The status of a vote that comes from this address."""
    transport = httpx.ASGITransport(service.app, client=(host, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        body = {"question": "3", "voter": f"{voter:032x}", "choice": 0}
        answer = await client.post(f"{API}/presentations/{presented.code}/votes", json=body)
        return answer.status_code


async def test_the_votes_of_one_visitor_leave_room_for_those_of_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service.services.presentations, "_votes", VoteLimit(most=3))
    presented = await present(service)
    await presented.show(question=QUESTION)

    many = [await from_network(service, "203.0.113.7", presented, n) for n in range(5)]
    again = await from_network(service, "203.0.113.7", presented, 0)
    other = await from_network(service, "203.0.113.8", presented, 9)

    assert many == [204, 204, 204, 429, 429]
    assert (again, other) == (204, 204)


def test_the_kept_voters_are_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("backend.limits.quotas._MOST_VOTES_KEPT", 10)
    votes = VoteLimit(most=4)

    for number in range(50):
        votes.admit(f"network {number // 3}", "abcde", "3", f"{number:032x}")

    assert len(votes) <= 10


async def test_the_pages_of_presenters_count_as_followers(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.presentations.service.FOLLOWERS", replace(FOLLOWERS, number=2))
    presented = await present(sqlite_service)
    presentations = sqlite_service.services.presentations
    pages = [await presentations.follow(presented.code, counted=False) for _ in range(2)]
    for page in pages:
        await anext(page)

    refused = await sqlite_service.client.get(
        f"{API}/presentations/{presented.code}/events?as=presenter"
    )

    assert (refused.status_code, refused.json()["limit"]) == (503, "followers")
    for page in pages:
        await page.aclose()


async def test_a_code_that_is_taken_is_not_given_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    first = await present(service)
    codes = iter([first.code, first.code, "zzzzz"])
    monkeypatch.setattr("backend.presentations.service.new_code", lambda: next(codes))

    second = await present(service)

    assert second.code == "zzzzz"
    assert (await service.client.get(f"{API}/presentations/{first.code}/scene")).status_code == 200

"""The gallery lists only shares whose authors allowed it."""

from typing import Any

from backend.database.database import now
from backend.documentation.contents import FINDINGS, PAGES, page_address
from backend.shares import repository
from tests.backend.conftest import API, LOSS, SCENARIO, Service


async def shared(service: Service, key: str, scenario: Any = LOSS, **said: Any) -> dict[str, Any]:
    session = await service.new_session(scenario=scenario)
    return await service.share(session["id"], session["head"], key, **said)


async def listed(service: Service, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = await service.read(f"gallery{query}")
    return found


async def test_only_what_may_be_listed_is_listed_with_its_outcome(fresh_service: Service):
    await shared(fresh_service, "unlisted")
    lossy = await shared(fresh_service, "lossy", listed=True, title="T", note="N")
    quiet = await shared(fresh_service, "quiet", SCENARIO, listed=True)

    found = {share["sid"]: share for share in (await listed(fresh_service))["shares"]}

    assert found.keys() == {lossy["sid"], quiet["sid"]}
    said = found[lossy["sid"]]
    assert (said["title"]["zh"], said["note"], said["kafka"]) == ("T", "N", "0.10.2")
    assert [(one["acked"], one["lost"]) for one in (said, found[quiet["sid"]])] == [(2, 2), (0, 0)]


async def test_a_deleted_or_taken_down_share_disappears_immediately(fresh_service: Service):
    deleted, hidden = [await shared(fresh_service, key, listed=True) for key in ("a", "b")]

    await fresh_service.client.delete(
        f"{API}/shares/{deleted['sid']}",
        headers={"Authorization": f"Bearer {deleted['delete_token']}"},
    )
    after_deletion = [share["sid"] for share in (await listed(fresh_service))["shares"]]
    async with fresh_service.services.database.writing() as session:
        await repository.set_takedown(session, hidden["sid"], now(), "spam")

    assert after_deletion == [hidden["sid"]]
    assert (await listed(fresh_service)) == {"shares": [], "next": None}


async def test_many_are_listed_in_parts_each_once(fresh_service: Service):
    session = (await fresh_service.new_session())["id"]
    made = set()
    for number in range(30):
        response = await fresh_service.ask_to_share(session, 0, f"many-{number}", listed=True)
        made.add(response.json()["sid"])

    first = await listed(fresh_service)
    second = await listed(fresh_service, f"?after={first['next']}")

    sids = [share["sid"] for part in (first, second) for share in part["shares"]]
    assert len(first["shares"]) == 24
    assert (set(sids), len(sids), second["next"]) == (made, 30, None)


async def test_a_place_that_cannot_be_one_is_not_found(sqlite_service: Service):
    response = await sqlite_service.client.get(f"{API}/gallery?after=x")

    assert response.status_code == 404


async def test_it_has_every_finding_and_then_known_failures(sqlite_service: Service) -> None:
    own = (await sqlite_service.read("gallery/own"))["runs"]

    pages = [page_address(page) for page in PAGES if page.startswith(FINDINGS)]
    assert [run["finding"] for run in own[: len(pages)]] == pages
    known = own[len(pages) :]
    assert {run["finding"] for run in known} == {None}
    assert all(run["source"] for run in known)
    assert "kip-101-data-loss" in {run["lesson"] for run in known}
    assert len({run["lesson"] for run in own}) == len(own) == len(pages) + 7
    for run in own:
        card = await sqlite_service.client.get(f"/lessons/{run['lesson']}")
        assert card.status_code == 200, run["lesson"]

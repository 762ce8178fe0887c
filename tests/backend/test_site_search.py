"""The search over HTTP."""

import pytest

from tests.backend.conftest import API, Service


async def test_a_search_has_the_exact_place_of_each_hit(sqlite_service: Service) -> None:
    found = await sqlite_service.read("search?q=split brain&lang=en&limit=3")

    assert found["hits"][0]["address"] == "/lessons/zombie-leader"
    assert len(found["hits"]) == 3
    assert found["total"] == sum(kind["count"] for kind in found["kinds"]) > 50
    assert "zombie leader" in found["also"]


async def test_a_search_does_not_wait_for_long_work_once_there_is_an_index(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sqlite_service.read("search?q=split brain")
    monkeypatch.delattr(type(sqlite_service.services.lanes), "prepare")

    assert (await sqlite_service.read("search?q=split brain"))["total"] > 50


async def test_the_language_of_the_results_is_the_readers(sqlite_service: Service) -> None:
    chinese = await sqlite_service.read("search?q=KIP-101 truncation&lang=zh&kind=doc")
    (accepted,) = (
        await sqlite_service.client.get(
            f"{API}/search?q=unclean-election&kind=lesson&limit=1",
            headers={"Accept-Language": "zh-CN"},
        )
    ).json()["hits"]

    assert {hit["kind"] for hit in chinese["hits"]} == {"doc"}
    for hit in chinese["hits"]:
        assert "?lang=zh" in hit["address"]
        assert hit["lang"] in ("en", "zh")
    assert accepted["title"] == "Unclean 选举"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "q=a&lang=tlh",
        "q=a&kind=page",
        "q=a&limit=0",
        "q=a&limit=101",
        f"q={'a' * 201}",
        "q=a&q=b",
    ],
)
async def test_a_wrong_request_has_one_clear_error(sqlite_service: Service, query: str) -> None:
    answer = await sqlite_service.client.get(f"{API}/search?{query}")

    assert answer.status_code == 422
    assert answer.json()["errors"]

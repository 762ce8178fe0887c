"""The articles over HTTP: claims in order, each with a lesson step that shows it."""

import pytest

from tests.backend.conftest import Service


async def test_the_list_counts_the_claims_of_each_article(sqlite_service: Service) -> None:
    articles = (await sqlite_service.read("articles"))["articles"]

    assert [article["number"] for article in articles] == [0, 1, 2, 3, 4]
    assert articles[1]["title"]["zh"] == "探究Kafka原理-6.CAP理论实践(下)"
    assert all(sum(one["assessments"].values()) == one["claims"] for one in articles)


async def test_a_claim_has_its_versions_and_a_picture_of_the_step_that_shows_it(
    sqlite_service: Service,
) -> None:
    article = await sqlite_service.read("articles/1")

    claim = article["claims"][3]
    assert (claim["number"], claim["assessment"]) == (4, "right")
    held = [k for k, holds in zip(article["versions"], claim["holds"], strict=True) if holds]
    assert held == ["0.8.2", "0.9", "0.10.1", "0.10.2"]
    assert claim["holds_in"] == {"en": "up to 0.10.2", "zh": "0.10.2 及以前"}
    (watch,) = claim["watch"]
    assert (watch["lesson"], watch["step"], watch["kafka"]) == ("kip-101-data-loss", 9, "0.10.2")
    assert "removes m2" in watch["told"]["en"]
    cells = {row["broker"]: row["cells"] for row in watch["picture"]["rows"]}
    assert [cell["kind"] for cell in cells[1]] == ["committed", "cut"]


async def test_a_range_ends_with_a_release_that_is_not_on_the_menu(sqlite_service: Service) -> None:
    """isrChangeSet: up to 2.6. The menu has 2.4 and 2.7."""
    article = await sqlite_service.read("articles/0")

    assert article["claims"][5]["holds_in"]["en"] == "0.9 to 2.6"


async def test_an_article_that_does_not_exist_is_not_found(sqlite_service: Service) -> None:
    answer = await sqlite_service.read("articles/5", 404)

    assert "the last one is 4" in answer["detail"]


@pytest.mark.parametrize("path", ["/articles/5", "/articles/01", "/articles/x"])
async def test_nor_is_its_page(sqlite_service: Service, path: str) -> None:
    assert (await sqlite_service.client.get(path)).status_code == 404


async def test_the_page_of_an_article_has_its_title(sqlite_service: Service) -> None:
    page = await sqlite_service.client.get("/articles/1", headers={"Accept-Language": "zh"})

    assert "<title>探究Kafka原理-6.CAP理论实践(下) · Highwater</title>" in page.text


async def test_a_lesson_names_the_claims_that_it_shows(sqlite_service: Service) -> None:
    lesson = await sqlite_service.read("scenarios/kip-101-data-loss")

    found = [(one["article"], one["number"], one["step"]) for one in lesson["claims"]]
    assert (1, 4, 9) in found
    source = lesson["sources"][0]
    assert (source["en"], source["zh"]) == (
        "CAP theory in practice, part 2",
        "探究Kafka原理-6.CAP理论实践(下)",
    )

"""What the engine models, over HTTP, in every language that has it."""

from tests.backend.conftest import API, Service


async def test_the_sections_have_a_chinese_translation(sqlite_service: Service) -> None:
    answer = await sqlite_service.client.get(f"{API}/fidelity")

    told = answer.json()
    original, translation = told["sections"], told["translations"]["zh"]
    assert [section["name"] for section in translation] == [one["name"] for one in original]
    assert [len(section["rows"]) for section in translation] == [
        len(section["rows"]) for section in original
    ]
    assert translation[0]["rows"][1][0] == "拉取"


async def test_the_page_of_the_documentation_has_them_too(sqlite_service: Service) -> None:
    shown = await sqlite_service.client.get("/docs/explanation/fidelity?lang=zh")

    assert "没有察觉自己被取代" in shown.text
    assert "a missed deposition" not in shown.text
    assert 'href="/docs/findings/missed-deposition' in shown.text

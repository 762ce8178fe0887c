"""Recordings of real clusters over HTTP, as runs."""

import pytest

from sim_engine.languages import say as say_message
from tests.backend.conftest import API, Service

LOST = "s27-unnoticed-bounce-clean-election-0.10.2.2"


async def test_a_recording_is_a_run_with_what_was_read(sqlite_service: Service) -> None:
    run = await sqlite_service.read(f"recordings/{LOST}")
    assert (run["kafka"], run["control"]) == ("0.10.2.2", "zookeeper")
    assert run["frames"][0]["state"]["partitions"]["t-0"]["leader"] == 2
    assert [one["step"] for one in run["checkpoints"]] == list(range(1, run["steps"] + 1))
    rows = {one["where"]: one for one in run["checkpoints"][3]["compared"]}
    assert rows["saw/brokers/2/log"] == {
        "where": "saw/brokers/2/log",
        "recorded": [[0, None, "m1"], [1, None, "m2"]],
        "engine": [[0, None, "m1"], [1, None, "m2"]],
        "standing": "equal",
    }


async def test_the_list_has_the_names_of_addresses(sqlite_service: Service) -> None:
    recordings = (await sqlite_service.read("fidelity"))["recordings"]

    assert LOST in [one["name"] for one in recordings]


async def test_every_listed_recording_opens(sqlite_service: Service) -> None:
    (drawn,) = [
        one["name"]
        for one in (await sqlite_service.read("fidelity"))["recordings"]
        if one["name"].startswith("rand2-ta-")
    ]

    assert (await sqlite_service.read(f"recordings/{drawn}"))["name"] == drawn


async def test_an_operator_sees_the_words_of_a_recordings_frame(sqlite_service: Service) -> None:
    run = await sqlite_service.read(f"recordings/{LOST}")
    last = run["frames"][-1]["frame"]

    words = [
        await sqlite_service.read(f"recordings/{LOST}/words?at={at}") for at in range(last + 1)
    ]
    beyond = await sqlite_service.client.get(f"{API}/recordings/{LOST}/words?at={last + 1}")

    assert all(one["control"] == "zookeeper" and one["metrics"] for one in words)
    assert any(one["lines"] for one in words)
    assert (beyond.status_code, beyond.json()["code"]) == (422, "no_such_frame")


@pytest.mark.parametrize(
    "path", [f"{API}/recordings/s27", f"{API}/recordings/s27/words?at=0", "/recordings/s27"]
)
async def test_another_name_is_not_found(sqlite_service: Service, path: str) -> None:
    assert (await sqlite_service.client.get(path)).status_code == 404


async def test_the_error_about_a_page_is_a_page(sqlite_service: Service) -> None:
    page = await sqlite_service.client.get("/recordings/s27-unnoticed-9.9.9")

    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")


async def test_the_page_of_a_recording_has_its_title(sqlite_service: Service) -> None:
    page = await sqlite_service.client.get(f"/recordings/{LOST}")

    assert page.status_code == 200
    assert "The same with unclean election disabled" in page.text


async def test_a_recording_has_its_title_in_every_language(sqlite_service: Service) -> None:
    title = say_message("zh", "recording_titles", LOST.removesuffix("-0.10.2.2"))

    page = await sqlite_service.client.get(f"/recordings/{LOST}?lang=zh")
    run = await sqlite_service.read(f"recordings/{LOST}")

    assert title in page.text
    assert run["titles"] == run["words"]["title"] == {"en": run["title"], "zh": title}
    assert run["said"].keys() == {"en", "zh"}
    assert run["said"]["en"] == run["shows"]
    assert run["said"]["zh"].startswith("0.10.2：已确认的 m2 因 clean 选举而丢失")

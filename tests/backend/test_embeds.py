"""The embed page: a picture, the frames around its step, and the rest in parts."""

import gzip
import json
import re
from typing import Any

import httpx
import pytest

from backend.frames.packing import unpacked
from backend.runs.player import BLOCK, LARGEST_PART, SHOWN_PROPERTIES
from sim_engine.documents.runs import StoredFrame
from sim_engine.narration import catalogue
from tests.backend.conftest import SCENARIO, Service

_PUT = {"produce": {"to": "t-0", "values": ["m"], "as": "p1"}}


@pytest.fixture(scope="module")
def long_scenario() -> dict[str, Any]:
    """More frames than fit into two parts."""
    steps = [step for _ in range(LARGEST_PART) for step in (_PUT, {"fetch": {"broker": 2}})]
    return {**SCENARIO, "steps": steps}


def run_in(response: httpx.Response) -> dict[str, Any]:
    island = re.search(
        r'<script type="application/json" id="highwater-run">(.*?)</script>', response.text
    )
    assert island is not None
    run: dict[str, Any] = json.loads(island.group(1))
    return run


async def frames_of(service: Service, sid: str) -> list[dict[str, Any]]:
    share = await service.read(f"shares/{sid}?full=1")
    frames: list[dict[str, Any]] = share["frames"]
    return frames


async def test_the_picture_is_the_first_content_of_the_page(sqlite_service: Service, sid: str):
    response = await sqlite_service.client.get(f"/e/v1/s/{sid}?frame=2")

    assert response.status_code == 200
    content = response.text.split("<body>")[1]
    assert re.match(r'\s*<div id="embed"><figure class="still"><svg ', content)
    assert "frame 2 page en" in content
    assert f"/s/{sid}?frame=2" in content


async def test_a_page_has_the_frames_around_its_step_and_their_words_in_one_language(
    sqlite_service: Service, sid: str
):
    run = run_in(await sqlite_service.client.get(f"/e/v1/s/{sid}?frame=2&lang=zh"))

    frames = await frames_of(sqlite_service, sid)
    part = run["part"]
    assert (run["title"], run["at"]) == ("丢失", 2)
    shown = list(unpacked(part["frames"]))
    for frame, whole in zip(shown, frames[part["from"] :], strict=False):
        assert frame["state"] == whole["state"]
        assert frame["step"] == whole["step"]
    headlines = [frame["events"][frame["headline"]] for frame in shown if frame["events"]]
    chinese = catalogue(("zh",))["languages"]["zh"]
    for event in headlines:
        names = {event["kind"], f"{event['kind']}-{event.get('variant')}".replace(".", "-")}
        assert names & set(part["texts"]["events"])
    assert (
        part["texts"]["events"].items()
        <= {
            name: {"text": said["text"], "formula": None}
            for name, said in chinese["events"].items()
        }.items()
    )
    assert set(part["texts"]["properties"]) == set(SHOWN_PROPERTIES)


async def test_the_outline_is_of_the_whole_run(sqlite_service: Service, sid: str):
    outline = run_in(await sqlite_service.client.get(f"/e/v1/s/{sid}"))["outline"]

    frames = await frames_of(sqlite_service, sid)
    numbers = [first + at for first, count in outline["numbers"] for at in range(count)]
    assert numbers == [frame["frame"] for frame in frames]
    steps = [step for step, length in enumerate(outline["lengths"]) for _ in range(length)]
    assert steps == [frame["step"] for frame in frames]


async def test_frames_of_another_branch_keep_their_numbers(sqlite_service: Service):
    session = await sqlite_service.new_session()
    first = (await sqlite_service.act(session["id"], 0, _PUT)).json()
    forked = (await sqlite_service.act(session["id"], 0, {"crash": {"broker": 2}})).json()
    sid = (await sqlite_service.share(session["id"], forked["head"]))["sid"]

    run = run_in(await sqlite_service.client.get(f"/e/v1/s/{sid}"))

    assert run["outline"]["numbers"] == [
        [0, 1],
        [first["head"] + 1, forked["head"] - first["head"]],
    ]
    assert run["at"] == run["outline"]["total"] - 1


async def test_a_long_run_costs_no_more_to_open_than_its_outline(
    sqlite_service: Service, long_scenario: dict[str, Any]
):
    sid = await sqlite_service.shared(scenario=long_scenario)

    response = await sqlite_service.client.get(f"/e/v1/s/{sid}")
    run = run_in(response)

    assert run["outline"]["total"] > 2 * LARGEST_PART
    assert len(run["part"]["frames"]) <= 2 * BLOCK
    bare = {**run, "part": None}
    assert len(gzip.compress(json.dumps(bare).encode())) < 1000


async def test_parts_put_together_are_the_run(
    sqlite_service: Service, long_scenario: dict[str, Any]
):
    sid = await sqlite_service.shared(3, scenario=long_scenario)
    frames = await frames_of(sqlite_service, sid)

    found: list[StoredFrame] = []
    titles: dict[int, str] = {}
    for start in range(0, len(frames), LARGEST_PART):
        address = f"/e/v1/s/{sid}/frames.json?from={start}&to={start + LARGEST_PART}"
        response = await sqlite_service.client.get(address)
        assert response.headers["access-control-allow-origin"] == "*"
        part = response.json()
        assert part["from"] == start
        found += unpacked(part["frames"])
        titles |= {step["step"]: step["title"] for step in part["steps"]}

    assert [frame["state"] for frame in found] == [frame["state"] for frame in frames]
    assert set(titles) == {frame["step"] for frame in frames}


async def test_a_part_that_is_too_large_names_the_limit(sqlite_service: Service, sid: str):
    address = f"/e/v1/s/{sid}/frames.json?from={BLOCK}&to={LARGEST_PART + 2 * BLOCK}"

    problem = (await sqlite_service.client.get(address)).json()

    assert (problem["limit"], problem["number"]) == ("embed_frames", LARGEST_PART)
    assert problem["errors"][0]["where"] == "/to"
    assert LARGEST_PART % BLOCK == 0


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("from=0&to=16", 200),
        (f"from=0&to={LARGEST_PART}&lang=zh", 200),
        (f"from=0&to={LARGEST_PART + BLOCK}", 422),
        ("from=1&to=16", 422),
        ("from=0&to=15", 422),
        ("from=16&to=16", 422),
        ("from=32&to=16", 422),
        ("from=-16&to=16", 422),
        ("from=0", 422),
        ("from=0&to=16&to=32", 422),
        ("from=0&to=16&lang=fr", 422),
        ("from=160000&to=160016", 404),
    ],
)
async def test_a_part_is_of_whole_blocks_that_there_are(
    sqlite_service: Service, sid: str, query: str, status: int
):
    response = await sqlite_service.client.get(f"/e/v1/s/{sid}/frames.json?{query}")

    assert response.status_code == status
    if status != 200:
        assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("query", "theme"),
    [
        ("theme=dark", ' data-theme="dark"'),
        ("scheme=dark", ' data-theme="dark"'),
        ("theme=light&scheme=dark", ' data-theme="light"'),
        ("theme=auto", ""),
        ('theme="><script>', ""),
    ],
)
async def test_a_theme_that_the_address_names_is_the_page_s_before_any_script(
    sqlite_service: Service, sid: str, query: str, theme: str
):
    page = await sqlite_service.client.get(f"/e/v1/s/{sid}?{query}")

    assert f'<html lang="en"{theme}>' in page.text

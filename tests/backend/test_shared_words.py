"""A share shows only words of its scenario's author that its run does not contradict."""

from typing import Any

from tests.backend.conftest import API, LOSS, Service

CUT = "Broker 1 has cut m2."
START = 8
"""The entry of the steps in which broker 1 starts, and truncates before 0.11."""

TOLD: dict[str, Any] = {
    **LOSS,
    "title": {"en": "A loss", "zh": "丢失"},
    "steps": [
        *LOSS["steps"][:1],
        {"note": "m1 is sent."},
        *LOSS["steps"][1 : START + 1],
        {"note": CUT},
        *LOSS["steps"][START + 1 :],
    ],
}


async def transcript(service: Service, sid: str) -> str:
    return (await service.client.get(f"/s/{sid}.md?lang=en")).text


def marked(story: list[dict[str, Any]]) -> list[str]:
    return [step["title"]["en"] for step in story if "note" in step["marks"]]


async def test_a_share_under_another_version(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=TOLD, kafka="0.11")
    sid = (await sqlite_service.share(session["id"], session["head"]))["sid"]

    share, text = (
        await sqlite_service.read(f"shares/{sid}"),
        await transcript(sqlite_service, sid),
    )

    assert share["words"] == {**session["words"], "title": share["title"]}
    assert share["title"] == {"en": "Kafka 0.10.2: A loss", "zh": "Kafka 0.10.2：丢失"}
    assert [share["scenario"]["steps"][at] for at in share["words"]["steps"]] == [
        {"note": {"en": "m1 is sent.", "zh": "m1 is sent."}}
    ]
    assert marked(share["story"]) == ["produce m1"]
    assert text.startswith("# Kafka 0.10.2: A loss\n")
    assert "m1 is sent." in text
    assert CUT not in text
    assert TOLD["summary"]["en"] not in text


async def test_a_fork_of_it_has_them_under_the_version_that_they_are_about(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=TOLD, kafka="0.11")
    sid = (await sqlite_service.share(session["id"], session["head"]))["sid"]
    fork = (await sqlite_service.client.post(f"{API}/shares/{sid}/fork")).json()

    own = await sqlite_service.new_session(session=fork["id"], at=fork["head"], kafka="0.10.2")

    assert fork["words"]["steps"] == session["words"]["steps"]
    assert len(own["words"]["steps"]) == len(session["words"]["steps"]) + 2
    assert (own["words"]["title"], own["words"]["summary"]) == (TOLD["title"], True)


async def test_a_run_of_ones_own_with_other_settings(sqlite_service: Service):
    written = await sqlite_service.new_session(scenario=TOLD)

    other = await sqlite_service.new_session(
        session=written["id"], at=written["head"], producers={"acks": 1}
    )
    sid = (await sqlite_service.share(other["id"], other["head"]))["sid"]

    assert len(written["words"]["steps"]) == 3
    assert other["words"]["steps"] == []
    assert other["words"]["title"]["en"] == "“A loss” with other settings"
    share, text = (
        await sqlite_service.read(f"shares/{sid}"),
        await transcript(sqlite_service, sid),
    )
    assert share["title"] == other["words"]["title"]
    assert marked(share["story"]) == []
    assert not any(words in text for words in ("m1 is sent.", CUT, TOLD["summary"]["en"]))


async def test_a_branch_that_left_a_step_in_the_middle(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=TOLD)
    entries = (await sqlite_service.read(f"sessions/{session['id']}/timeline?from=0&to=90"))[
        "frames"
    ]
    started = [entry["frame"] for entry in entries if entry["item"] == START + 1]
    assert len(started) > 1
    acted = (await sqlite_service.act(session["id"], started[0], {"crash": {"broker": 2}})).json()

    whole = (await sqlite_service.share(session["id"], session["head"]))["sid"]
    branch = (await sqlite_service.share(session["id"], acted["head"]))["sid"]
    with_all = await sqlite_service.ask_to_share(
        session["id"], acted["head"], f"all-{session['id']}", branches=True
    )

    assert CUT in await transcript(sqlite_service, whole)
    share = await sqlite_service.read(f"shares/{branch}")
    assert share["title"] == {"en": "Branch of “A loss”", "zh": "“丢失”的分支"}
    assert with_all.json()["title"] == share["title"]
    assert share["scenario"]["summary"] == {"en": "", "zh": ""}
    assert share["words"]["steps"] == [1, *session["words"]["steps"][2:]]
    every = await sqlite_service.read(f"shares/{with_all.json()['sid']}")
    assert marked(every["story"]) == marked(share["story"]) == ["produce m1"]
    for sid in (branch, with_all.json()["sid"]):
        text = await transcript(sqlite_service, sid)
        assert text.startswith("# Branch of “A loss”\n")
        assert "m1 is sent." in text
        assert CUT not in text
        assert TOLD["summary"]["en"] not in text


async def test_what_a_person_did_in_a_scenario_without_steps_has_its_title(sqlite_service: Service):
    session = await sqlite_service.new_session()
    acted = (await sqlite_service.act(session["id"], 0, {"crash": {"broker": 2}})).json()

    sid = (await sqlite_service.share(session["id"], acted["head"]))["sid"]

    share = await sqlite_service.read(f"shares/{sid}")
    assert (share["title"], share["words"]["summary"]) == (session["words"]["title"], True)

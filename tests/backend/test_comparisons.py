"""Where two runs of the same steps diverge."""

from typing import Any

import pytest

from tests.backend.conftest import API, LOSS, Service


async def compare(service: Service, session: str, body: dict[str, Any]) -> Any:
    return await service.client.post(f"{API}/sessions/{session}/comparisons", json=body)


async def test_two_versions_part_where_the_rule_is_missing(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)

    response = await compare(sqlite_service, session["id"], {"kafka": "2.0.1"})

    assert response.status_code == 200, response.text
    found = response.json()
    assert (found["kafka_a"], found["kafka_b"]) == ("0.10.2", "2.0.1")
    assert found["where"] is not None
    assert found["a"] != found["b"]
    assert found["property"]["name"] == "NoAckedRecordLost"
    assert found["property"]["violated_in"] == "a"
    assert found["loss"] == found["property"]


async def test_a_version_does_not_part_from_itself(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)

    found = (await compare(sqlite_service, session["id"], {"kafka": "0.10.2"})).json()

    assert found["where"] is None
    assert found["property"] is None
    assert found["loss"] is None


async def test_two_branches_diverge_at_the_first_different_step(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)
    await sqlite_service.act(session["id"], 3, {"crash": {"broker": 2}})
    ends = [session["head"], session["head"] + 1]

    found = (await compare(sqlite_service, session["id"], {"branches": ends})).json()

    assert found["where"] is not None


async def test_another_scenario_is_compared_under_the_same_release(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario_id="s54", kafka="3.5")
    other = await sqlite_service.new_session(scenario_id="s54b", kafka="3.5", control="kraft")

    response = await compare(
        sqlite_service, session["id"], {"scenario_id": "missed-deposition-noticed"}
    )

    assert response.status_code == 200, response.text
    found = response.json()
    assert (found["scenario"], found["scenario_b"]) == (
        "missed-deposition",
        "missed-deposition-noticed",
    )
    assert (found["kafka_b"], found["control_b"]) == (session["kafka"], session["control"])
    assert [step["deliver"]["records"] for step in found["parting"]["steps_a"]] == [3]
    assert [step["deliver"]["records"] for step in found["parting"]["steps_b"]] == [1, 2]
    assert (found["where"], found["a"], found["b"]) == (
        "/clients/produced/1/outcome",
        "pending",
        "failed",
    )
    assert found["property"]["violated_in"] == "a"
    last = found["steps"][-1]
    assert (last["frame_a"], last["frame_b"]) == (session["head"], other["head"])


async def test_a_users_step_has_no_counterpart(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario_id="s54")
    await sqlite_service.act(session["id"], session["head"], {"crash": {"broker": 2}})

    found = (await compare(sqlite_service, session["id"], {"scenario_id": "s54b"})).json()

    last = found["steps"][-1]
    assert (last["item"], last["item_b"]) == (None, None)
    assert last["frame_a"] == session["head"] + 1
    assert last["frame_b"] == found["steps"][-2]["frame_b"]


async def test_other_settings_are_another_side(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)

    response = await compare(
        sqlite_service, session["id"], {"configs": {"unclean.leader.election.enable": False}}
    )

    assert response.status_code == 200, response.text
    assert response.json()["kafka_a"] == response.json()["kafka_b"]


async def test_a_scenario_that_is_not_shipped_is_nothing_to_compare_with(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)

    response = await compare(sqlite_service, session["id"], {"scenario_id": "no-such-scenario"})

    assert response.status_code == 422
    assert response.json()["code"] == "invalid"
    assert response.json()["errors"] == [
        {"where": "/scenario_id", "message": "no scenario has this id or alias"}
    ]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, ""),
        ({"kafka": "2.0.1", "configs": {}}, ""),
        ({"kafka": "2.0.1", "scenario_id": "s26"}, ""),
        ({"scenario_id": ""}, "/scenario_id"),
        ({"kafka": "0.1"}, "/kafka"),
        ({"kafka": "2.0.1", "control": "kraft"}, "/kafka"),
        ({"kafka": "2.0.1", "at": 9999}, "/at"),
        ({"branches": [1]}, "/branches"),
        ({"branches": [1, 9999]}, "/branches/1"),
        ({"configs": {"no.such.setting": 1}}, "/configs/no.such.setting"),
    ],
)
async def test_an_impossible_comparison_is_rejected_with_its_place(
    sqlite_service: Service, body: dict[str, Any], where: str
):
    session = await sqlite_service.new_session(scenario=LOSS)

    response = await compare(sqlite_service, session["id"], body)

    assert response.status_code == 422, response.text
    assert response.json()["errors"][0]["where"] == where

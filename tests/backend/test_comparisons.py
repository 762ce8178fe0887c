"""Where the same steps part."""

from typing import Any

import pytest

from tests.backend.conftest import API, LOSS, Service


async def compare(service: Service, session: str, body: dict[str, Any]) -> Any:
    return await service.client.post(f"{API}/sessions/{session}/comparisons", json=body)


async def test_two_versions_part_where_the_rule_is_missing(service: Service):
    session = await service.new_session(scenario=LOSS)

    response = await compare(service, session["id"], {"kafka": "2.0.1"})

    assert response.status_code == 200, response.text
    found = response.json()
    assert (found["kafka_a"], found["kafka_b"]) == ("0.10.2", "2.0.1")
    assert found["where"] is not None
    assert found["a"] != found["b"]
    assert found["property"]["name"] == "NoAckedRecordLost"
    assert found["property"]["violated_in"] == "a"


async def test_a_version_does_not_part_from_itself(service: Service):
    session = await service.new_session(scenario=LOSS)

    found = (await compare(service, session["id"], {"kafka": "0.10.2"})).json()

    assert found["where"] is None
    assert found["property"] is None


async def test_two_branches_part_where_somebody_did_something_else(service: Service):
    session = await service.new_session(scenario=LOSS)
    await service.act(session["id"], 3, {"crash": {"broker": 2}})
    ends = [session["head"], session["head"] + 1]

    found = (await compare(service, session["id"], {"branches": ends})).json()

    assert found["where"] is not None


async def test_other_settings_are_another_side(service: Service):
    session = await service.new_session(scenario=LOSS)

    response = await compare(
        service, session["id"], {"configs": {"unclean.leader.election.enable": False}}
    )

    assert response.status_code == 200, response.text
    assert response.json()["kafka_a"] == response.json()["kafka_b"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, ""),
        ({"kafka": "2.0.1", "configs": {}}, ""),
        ({"kafka": "0.1"}, "/kafka"),
        ({"kafka": "2.0.1", "control": "kraft"}, "/kafka"),
        ({"kafka": "2.0.1", "at": 9999}, "/at"),
        ({"branches": [1]}, "/branches"),
        ({"branches": [1, 9999]}, "/branches/1"),
        ({"configs": {"no.such.setting": 1}}, "/configs/no.such.setting"),
    ],
)
async def test_what_cannot_be_compared_is_said_by_place(
    service: Service, body: dict[str, Any], where: str
):
    session = await service.new_session(scenario=LOSS)

    response = await compare(service, session["id"], body)

    assert response.status_code == 422, response.text
    assert response.json()["errors"][0]["where"] == where

"""A run with an owner: others can read and copy it, but not change it."""

from typing import Any

from tests.backend.conftest import API, LOSS, Service

CRASH = {"crash": {"broker": 2}}


def owner(session: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {session['owner_key']}"}


async def test_without_an_owner_the_id_is_the_right_to_act(service: Service):
    session = await service.new_session(scenario=LOSS)

    acted = await act(service, session)

    assert acted == 201
    assert session["owned"] is False
    assert "owner_key" not in session


async def act(
    service: Service, session: dict[str, Any], headers: dict[str, str] | None = None
) -> int:
    response = await service.client.post(
        f"{API}/sessions/{session['id']}/actions",
        json={"after": session["head"], "step": CRASH},
        headers=headers,
    )
    return response.status_code


async def test_with_an_owner_only_the_key_is(service: Service):
    session = await service.new_session(scenario=LOSS, owned=True)
    other = await service.new_session(scenario=LOSS, owned=True)

    assert session["owned"] is True
    assert await act(service, session) == 403
    assert await act(service, session, {"Authorization": "Bearer "}) == 403
    assert await act(service, session, {"Authorization": session["owner_key"]}) == 403
    assert await act(service, session, owner(other)) == 403
    assert await act(service, session, owner(session)) == 201


async def test_a_refusal_states_the_alternative(service: Service):
    session = await service.new_session(scenario=LOSS, owned=True)

    response = await service.client.post(
        f"{API}/sessions/{session['id']}/actions", json={"after": 0, "step": CRASH}
    )

    problem = response.json()
    assert (response.status_code, problem["code"]) == (403, "not_owner")
    assert "make your own copy" in problem["detail"]
    assert session["owner_key"] not in response.text


async def test_everybody_may_read_compare_and_share(service: Service):
    session = await service.new_session(scenario=LOSS, owned=True)
    address = f"{API}/sessions/{session['id']}"

    read = (await service.client.get(address)).json()

    assert read["owned"] is True
    assert "owner_key" not in read
    assert (await service.client.get(f"{address}/choices?after=0")).status_code == 200
    assert (
        await service.client.post(f"{address}/comparisons", json={"kafka": "2.0.1"})
    ).status_code == 200
    assert (await service.share(session["id"], 0))["sid"]


async def test_a_copy_names_its_origin(service: Service):
    session = await service.new_session(scenario=LOSS, owned=True)

    copy = await service.new_session(session=session["id"], at=session["head"], owned=True)

    assert copy["forked_from"] == {"session": session["id"]}
    assert copy["frames"] == session["frames"]
    assert await act(service, copy, owner(session)) == 403
    assert await act(service, copy, owner(copy)) == 201


async def test_an_id_that_grants_the_right_to_act_is_not_disclosed_by_a_copy(service: Service):
    session = await service.new_session(scenario=LOSS)

    copy = await service.new_session(session=session["id"], at=0)

    assert copy["forked_from"] == {"session": None}


async def test_a_copy_of_a_share_names_it_and_can_have_an_owner(service: Service):
    sid = await service.shared(0, scenario=LOSS)

    fork = (await service.client.post(f"{API}/shares/{sid}/fork", json={"owned": True})).json()

    assert fork["forked_from"] == {"share": sid}
    assert await act(service, fork) == 403
    assert await act(service, fork, owner(fork)) == 201


async def test_an_owner_survives_that_the_process_forgets(service: Service):
    session = await service.new_session(scenario=LOSS, owned=True)
    service.services.timelines.forget(session["id"])

    assert await act(service, session) == 403
    assert await act(service, session, owner(session)) == 201

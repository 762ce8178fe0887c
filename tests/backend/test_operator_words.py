"""What an operator sees in a frame, of a session and of a share of it."""

from tests.backend.conftest import API, LOSS, Service
from tests.backend.test_share_branches import branched


async def test_a_session_has_the_words_of_each_frame(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)

    words = await sqlite_service.read(f"sessions/{session['id']}/words?at={session['head']}")
    nowhere = await sqlite_service.client.get(f"{API}/sessions/{session['id']}/words?at=9999")

    assert words["control"] in ("zookeeper", "kraft")
    assert {"name", "bean", "says", "value", "note"} <= words["metrics"][0].keys()
    assert (nowhere.status_code, nowhere.json()["code"]) == (422, "no_such_frame")


async def test_a_share_has_the_words_of_the_session_in_every_branch(service: Service):
    session = await branched(service)
    id_ = session["id"]
    alone = (await service.share(id_, session["head"]))["sid"]
    tree = (await service.share(id_, session["head"], f"tree-{id_}", branches=True))["sid"]
    heads = [branch["head"] for branch in (await service.read(f"sessions/{id_}"))["branches"]]

    of_session = [await service.read(f"sessions/{id_}/words?at={head}") for head in heads]
    of_tree = [await service.read(f"shares/{tree}/words?at={head}") for head in heads]
    nowhere = await service.client.get(f"{API}/shares/{alone}/words?at=9999")

    assert of_tree == of_session
    assert len({str(words) for words in of_session}) > 1
    assert await service.read(f"shares/{alone}/words?at={session['head']}") == of_session[0]
    assert (nowhere.status_code, nowhere.json()["code"]) == (422, "no_such_frame")

"""The assessment of a pasted cluster: computed, reported, and stored only as a link."""

import asyncio
import dataclasses
import json
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import func, select

from backend.answers import assessing
from backend.answers.long_requests import AssessmentCreate
from backend.assessments.tables import AssessmentRow
from backend.limit_table import ASSESSMENT_SEARCH_SECONDS
from sim_engine.assessment import report
from sim_engine.assessment.page_document import page_document
from sim_engine.documents.assessment import AssessedSearches, AssessedSetting, AssessmentPage
from tests.backend.commands.test_upkeep import highwater
from tests.backend.conftest import API, PUBLIC_URL, Service
from tests.backend.test_cards import CARD, card_of, size_of_png

# One copy, still taking writes: its power loss can lose acknowledged records.
ONE_COPY = """\
Topic: audit\tTopicId: 7cQxhYJfR0GrLr3X6pDzYw\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: min.insync.replicas=1
\tTopic: audit\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 2\tElr: \tLastKnownElr: 
"""  # noqa: E501, W291  # as the tool prints it
SECRET = "hunter2-never-stored"
PROPERTIES = f'''\
broker.id=2
log.dirs=/var/lib/kafka
sasl.jaas.config=x required password="{SECRET}";
'''


def question(text: str = ONE_COPY, **more: Any) -> dict[str, Any]:
    return {"files": [{"name": "pasted", "text": text}], **more}


async def assess(
    service: Service, body: dict[str, Any], path: str = "assessments"
) -> list[tuple[str, Any]]:
    response = await service.client.post(f"{API}/{path}", json=body, timeout=120)
    assert response.status_code == 200, response.text
    events = []
    for block in response.text.strip().split("\n\n"):
        name, data = block.split("\n")
        events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return events


async def share(service: Service, key: str, **body: Any) -> httpx.Response:
    return await service.client.post(
        f"{API}/assessments/shares",
        json=question(**body),
        headers={"Idempotency-Key": key},
        timeout=120,
    )


async def rows(service: Service) -> int:
    async with service.services.database.reading() as db:
        return await db.scalar(select(func.count()).select_from(AssessmentRow)) or 0


def page_of(document: Any) -> AssessmentPage:
    return msgspec.convert(document, AssessmentPage)


def settings_of(text: str, **changed: str) -> dict[str, AssessedSetting]:
    """The settings that a document has, by name, before anything is computed."""
    body = msgspec.convert(question(text, settings=changed), AssessmentCreate)
    _, cluster = assessing.assessment_request(body)
    return {setting.name: setting for setting in page_document(cluster).settings}


@pytest.mark.parametrize("stated", ["", ",flush.messages=1,unclean.leader.election.enable=true"])
def test_each_setting_of_the_document_can_be_changed_to_each_of_its_choices(stated: str) -> None:
    pasted = ONE_COPY.replace("min.insync.replicas=1", f"min.insync.replicas=1{stated}")
    for setting in settings_of(pasted).values():
        for choice in setting.choices:
            after = settings_of(pasted, **{setting.name: choice})[setting.name]
            assert after.values == (choice,), setting.name


async def test_the_table_comes_first_and_its_cells_as_they_are_computed(sqlite_service: Service):
    events = await assess(sqlite_service, question())

    names = [name for name, _ in events]
    assert (names[0], names[1], names[-1]) == ("started", "progress", "result")
    first, last = page_of(events[1][1]), page_of(events[-1][1])
    assert [kind.partitions for kind in first.kinds] == [kind.partitions for kind in last.kinds]
    assert first.kinds[0].cells.power_loss.verdict is None
    assert not first.is_complete
    (kind,) = last.kinds
    assert kind.partitions == ("audit-0",)
    assert kind.cells.power_loss.verdict == "can_lose"
    assert last.is_complete


async def test_nothing_is_stored_by_reading_or_reporting(sqlite_service: Service):
    await assess(sqlite_service, question())
    written = await sqlite_service.send("assessments/report", question(), 200)

    assert "audit-0" in written["markdown"]
    assert await rows(sqlite_service) == 0


async def test_the_same_question_is_answered_once(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    assessments = sqlite_service.services.assessments
    await assess(sqlite_service, question())
    monkeypatch.setattr(assessments, "_reserve", lambda work: pytest.fail("it is kept"))

    await assess(sqlite_service, question())


async def test_what_a_reader_changes_replaces_what_was_pasted(sqlite_service: Service):
    settings = {"min.insync.replicas": "2", "acks": "all"}
    events = await assess(sqlite_service, question(settings=settings, racks={"1": "a", "2": "a"}))

    document = page_of(events[-1][1])
    (changed,) = (one for one in document.settings if one.name == "min.insync.replicas")
    assert (changed.values, changed.pasted) == (("2",), ("1",))
    assert [one.rack for one in document.racks] == ["a", "a"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"files": []}, "/files"),
        ({"files": [{"name": "x", "text": "y" * 9 * 1024 * 1024}]}, ""),
        (question(down=[-1]), "/down/0"),
        (question(down=[2**31]), "/down/0"),
        (question(down=[True]), "/down/0"),
        (question(down=[77]), "/down"),
        (question(kafka="9.9"), "/kafka"),
        (question(kafka="4.1; drop table"), "/kafka"),
        (question(settings={"no.such.setting": "1"}), "/settings"),
        (question(settings={"acks": "2"}), "/settings"),
        (question(settings={"acks": 1}), "/settings/acks"),
        (question(settings={f"n{n}": "1" for n in range(17)}), "/settings"),
        (question(text="this is no output of any tool"), "/files/0/text"),
        (question(text=""), "/files"),
        (question(text="\u0000\ufffd" * 5000), "/files/0/text"),
        (question(text=ONE_COPY.replace("Isr: 2", "Isr: 9")), "/files/0/text"),
        (question(text=ONE_COPY.replace("Leader: 2", "Leader: 99999999999999999999")), "/files"),
        (question(text=ONE_COPY.replace("Replicas: 1,2", "Replicas: " + "1," * 5000)), "/files"),
        (question(x=1), "/x"),
    ],
    ids=lambda value: str(value)[:50],
)
async def test_a_wrong_request_is_refused_with_one_clear_error(
    sqlite_service: Service, body: dict[str, Any], where: str
):
    response = await sqlite_service.client.post(f"{API}/assessments", json=body, timeout=60)

    assert 400 <= response.status_code < 500, response.text
    problem = response.json()
    assert problem["detail"]
    assert len(response.content) < 8 * 1024
    if where:
        assert problem["errors"][0]["where"].startswith(where)


@pytest.mark.parametrize("path", ["assessments", "assessments/report", "assessments/shares"])
async def test_an_unreadable_text_is_refused_alike_everywhere(sqlite_service: Service, path: str):
    response = await sqlite_service.client.post(
        f"{API}/{path}", json=question(text="no tool"), headers={"Idempotency-Key": "unreadable"}
    )

    assert (response.status_code, response.json()["code"]) == (422, "unreadable_input")
    assert await rows(sqlite_service) == 0


async def searches(service: Service, body: dict[str, Any]) -> list[tuple[str, Any]]:
    return await assess(service, body, path="assessments/searches")


@pytest.fixture
def short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question of a search has a second of processor time."""
    second = dataclasses.replace(ASSESSMENT_SEARCH_SECONDS, number=1)
    monkeypatch.setattr(assessing, "ASSESSMENT_SEARCH_SECONDS", second)


@pytest.mark.usefixtures("short_searches")
async def test_a_partition_is_searched_and_its_report_and_link_contain_that(
    sqlite_service: Service,
):
    events = await searches(sqlite_service, question(partition="audit-0"))
    written = await sqlite_service.send(
        "assessments/report", question(searched=["audit-0", "audit-0"]), 200
    )
    shared = await share(sqlite_service, "searched", searched=["audit-0"])

    assert events[0][0] == "started"
    name, last = events[-1]
    found = msgspec.convert(last, AssessedSearches)
    assert name == "result"
    assert [one.question for one in found.searches] == ["crashes", "power", "cut_off"]
    power = found.searches[1]
    assert (power.outcome, power.partition) == ("found", "audit-0")
    assert power.text["en"] in written["markdown"]
    assert written["markdown"].count(power.text["en"]) == 1
    document = await sqlite_service.read(f"assessments/shares/{shared.json()['sid']}")
    assert page_of(document).searches == found.searches


@pytest.mark.usefixtures("short_searches")
async def test_the_same_search_is_answered_once(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    first = await searches(sqlite_service, question(partition="audit-0"))
    workers = sqlite_service.services.assessments.searches
    monkeypatch.setattr(workers, "_reserve", lambda work: pytest.fail("it is kept"))

    assert (await searches(sqlite_service, question(partition="audit-0")))[-1] == first[-1]


async def test_a_search_is_stopped_with_what_it_has_examined(sqlite_service: Service):
    three = ONE_COPY.replace("1,2\tIsr: 2", "1,2,3\tIsr: 1,2,3")
    body = question(text=three, partition="audit-0")
    workers = sqlite_service.services.assessments.searches
    running = asyncio.create_task(searches(sqlite_service, body))
    while not any(work.process for work in workers._running.values()):
        await asyncio.sleep(0.02)
    (search_id,) = workers._running

    stopped = await sqlite_service.client.delete(f"{API}/assessments/searches/{search_id}")
    name, last = (await running)[-1]

    assert stopped.status_code == 204
    assert (name, last["is_interrupted"]) == ("result", True)
    assert workers.find(search_id) is None, "who asks again wants a result"


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({}, "/partition"),
        ({"partition": "audit"}, "/partition"),
        ({"partition": "audit-7"}, "/partition"),
        ({"partition": "audit-0", "racks": {"7": "a"}}, "/racks"),
        ({"partition": "audit-0", "racks": {"x": "a"}}, "/racks"),
        ({"partition": "audit-0", "racks": {"1": "a" * 65}}, "/racks/1"),
    ],
)
async def test_a_wrong_search_is_refused_with_its_place(
    sqlite_service: Service, more: dict[str, Any], where: str
):
    problem = await sqlite_service.send("assessments/searches", question(**more), 422)

    assert problem["errors"][0]["where"].startswith(where)


async def test_a_link_with_the_search_of_an_unknown_partition_is_refused(sqlite_service: Service):
    refused = await share(sqlite_service, "unknown", searched=["audit-7"])

    assert refused.status_code == 422
    assert await rows(sqlite_service) == 0


async def test_a_link_shows_what_was_shared_and_can_be_deleted(service: Service):
    created = await share(service, "a-link")
    again = await share(service, "a-link")

    assert (created.status_code, again.status_code) == (201, 200)
    assert created.json() == again.json()
    sid, token = created.json()["sid"], created.json()["delete_token"]
    assert created.json()["url"] == f"{PUBLIC_URL}/assess/s/{sid}"
    other = await service.client.post(
        f"{API}/assessments/shares",
        json=question(kafka="4.1"),
        headers={"Idempotency-Key": "a-link"},
    )
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    document = await service.read(f"assessments/shares/{sid}")
    assert page_of(document).kinds[0].partitions == ("audit-0",)
    assert (await service.client.get(f"/assess/s/{sid}.json")).json() == document
    text = (await service.client.get(f"/assess/s/{sid}.md?lang=zh")).text
    assert text.endswith(f"{PUBLIC_URL}/assess/s/{sid}\n")
    assert "audit-0" in text
    address = f"{API}/assessments/shares/{sid}"
    wrong = await service.client.delete(address, headers={"Authorization": "Bearer no"})
    assert wrong.status_code == 404
    right = {"Authorization": f"Bearer {token}"}
    assert (await service.client.delete(address, headers=right)).status_code == 204
    assert (await service.client.delete(address, headers=right)).status_code == 404
    for path in (address, f"/assess/s/{sid}", f"/assess/s/{sid}.json", f"/assess/s/{sid}.png"):
        assert (await service.client.get(path)).status_code == 410, path


async def test_the_card_of_a_link_says_the_verdict(sqlite_service: Service):
    sid = (await share(sqlite_service, "a-card")).json()["sid"]

    page = await sqlite_service.client.get(f"/assess/s/{sid}")

    card = card_of(page.text, "og")
    document = page_of(await sqlite_service.read(f"assessments/shares/{sid}"))
    assert card["title"] == report.title(document, "en")[:70] or card["title"].endswith("…")
    assert "audit-0" in card["title"]
    assert "Partitions: 1 can lose" in card["description"]
    picture = await sqlite_service.client.get(card["image"].removeprefix(PUBLIC_URL))
    assert size_of_png(picture.content) == CARD
    assert page.headers["x-robots-tag"]


async def test_a_run_is_told_in_an_operators_words(sqlite_service: Service):
    pasted = ONE_COPY.replace("audit", "pay.roll").replace("Partition: 0", "Partition: 7")
    page = page_of((await assess(sqlite_service, question(pasted)))[-1][1])
    (kind,) = page.kinds
    cell = kind.cells.power_loss
    run = {**kind.starts[cell.start], "steps": list(cell.steps or ())}

    words = await sqlite_service.send("assessments/words", {"scenario": run}, 200)
    refused = await sqlite_service.send("assessments/words", {"scenario": {"x": 1}}, 422)

    assert {one["name"] for one in words["metrics"]} >= {"UnderReplicatedPartitions"}
    told = "".join(part["text"] for line in words["lines"] for part in line["parts"])
    assert "pay.roll-7" in told
    assert "pay.roll-0" not in told
    assert refused["errors"][0]["where"].startswith("/scenario")


async def test_what_a_page_keeps_for_a_reload_has_no_secret(sqlite_service: Service):
    files = [*question()["files"], {"name": "server.properties", "text": PROPERTIES}]

    kept = await sqlite_service.send("assessments/without-secrets", {"files": files}, 200)

    assert [one["name"] for one in kept["files"]] == ["pasted", "server.properties"]
    assert kept["files"][0]["text"] == ONE_COPY
    assert SECRET not in kept["files"][1]["text"]
    assert "log.dirs=/var/lib/kafka" in kept["files"][1]["text"]


async def test_no_secret_of_the_input_is_in_what_is_kept(sqlite_service: Service):
    files = [*question()["files"], {"name": "server.properties", "text": PROPERTIES}]
    body = {"files": files}

    events = await assess(sqlite_service, body)
    created = await sqlite_service.client.post(
        f"{API}/assessments/shares",
        json=body,
        headers={"Idempotency-Key": "no-secrets"},
        timeout=120,
    )

    sid = created.json()["sid"]
    shared = await sqlite_service.services.assessments.get(sid)
    kept = msgspec.json.encode(shared).decode() + json.dumps(events)
    assert SECRET not in kept
    assert "PartitionCount: 1" not in kept, "the pasted text itself is not kept either"


async def test_a_link_can_be_taken_down_erased_and_verified(
    service: Service, capsys: pytest.CaptureFixture[str]
):
    sid = (await share(service, "taken-down")).json()["sid"]
    address = f"{API}/assessments/shares/{sid}"

    assert await highwater(service, "takedown", sid, "--reason", "privacy") == 0
    hidden = await service.client.get(address)
    assert await highwater(service, "takedown", sid, "--undo") == 0
    shown = await service.client.get(address)
    assert await highwater(service, "verify") == 0
    assert await highwater(service, "takedown", sid, "--erase") == 0
    erased = await service.client.get(address)

    assert (hidden.status_code, hidden.json()["reason"]) == (410, "privacy")
    assert shown.status_code == 200
    assert (erased.status_code, await highwater(service, "takedown", sid, "--undo")) == (410, 2)


async def test_a_link_whose_contents_were_changed_is_not_shown(sqlite_service: Service):
    sid = (await share(sqlite_service, "damaged")).json()["sid"]
    async with sqlite_service.services.database.writing() as db:
        row = await db.get(AssessmentRow, sid)
        assert row is not None
        row.content = row.content[:-9] + b"x" * 9

    response = await sqlite_service.client.get(f"{API}/assessments/shares/{sid}")

    assert (response.status_code, response.json()["code"]) == (500, "share_damaged")


@pytest.mark.parametrize("sid", ["", "x", "0" * 25, "0" * 27, "..%2f..%2fetc", "0" * 26])
async def test_an_unknown_link_is_not_found(sqlite_service: Service, sid: str):
    for path in (f"{API}/assessments/shares/{sid}", f"/assess/s/{sid}", f"/assess/s/{sid}.md"):
        assert (await sqlite_service.client.get(path)).status_code in (404, 405), path

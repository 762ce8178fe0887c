"""Scenarios that are being written: validated, previewed, imported, or created from a run."""

from pathlib import Path
from typing import Any

import pytest

from backend.answers import drafts
from sim_engine.exploration.schedules import random_schedule
from sim_engine.languages import LANGUAGES, say
from sim_engine.scenario_reader.reader import read_scenario_text
from sim_engine.scenario_reader.writer import scenario_text
from tests.backend.conftest import API, LOSS, Service
from tests.sim_engine.runs import play
from tests.sim_engine.starts import start_of

REAL = Path(__file__).parents[1] / "sim_engine/cluster_import/real/4.1.1"
DRAFT = """\
id: mine
kafka: "3.9"
brokers: [1, 2]
topics:
  - name: t
    partitions:
      - replicas: [1, 2]
        logs: {1: {log: "m1 m2"}, 2: {log: m1}}
steps:
  - crash: {broker: 2}
"""


async def test_a_draft_is_shown_at_its_start_and_stored_nowhere(sqlite_service: Service):
    draft = await sqlite_service.send("drafts", {"scenario_text": DRAFT}, 200)

    replicas = draft["frame"]["state"]["replicas"]["t-0"]
    assert (draft["kafka"], draft["control"], draft["steps"]) == ("3.9", "kraft", 1)
    assert [replicas[broker]["log_end_offset"] for broker in ("1", "2")] == [2, 1]
    assert draft["frame"]["frame"] == 0
    assert {"crash": {"broker": 1}} in [choice["step"] for choice in draft["choices"]]


async def test_a_draft_that_becomes_too_long_names_its_step(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    """In the editor, an error without a line stands at the first one."""
    monkeypatch.setattr("sim_engine.simulation.timeline.MOST_FRAMES", 2)
    text = DRAFT + "  - detect: {broker: 2}\n"

    problem = await sqlite_service.send("drafts", {"scenario_text": text, "after": 2}, 422)
    started = await sqlite_service.send("sessions", {"scenario_text": text}, 422)

    for found in (problem, started):
        (place,) = found["errors"]
        assert (place["where"], place["line"], place["column"]) == ("/scenario_text/steps/1", 11, 5)
        assert set(place["said"]) == set(LANGUAGES)


def test_every_state_that_a_controller_has_written_is_shown_as_a_draft() -> None:
    for seed in range(60):
        timeline = play(random_schedule(seed))
        start = start_of(timeline, timeline.frames[timeline.head].cluster)
        if start is not None:
            shown = drafts.preview(scenario_text(start))
            assert shown["consequences"]


async def test_a_draft_is_shown_after_its_first_steps(sqlite_service: Service):
    text = DRAFT.replace("broker: 2}\n", "broker: 2}\n  - note: Look\n  - crash: {broker: 2}\n")

    after = [
        await sqlite_service.send("drafts", {"scenario_text": text, "after": steps}, 200)
        for steps in (0, 2, 9)
    ]

    assert [draft["frame"]["frame"] for draft in after] == [0, 1, 2]
    assert [draft["frame"]["state"]["brokers"]["2"]["state"] for draft in after] == [
        "running",
        "crashed",
        "crashed",
    ]
    # The second crash is not possible: the frame of the last step gives the reason.
    (refused,) = after[2]["frame"]["events"]
    assert (refused["variant"], after[2]["frame"]["item"]) == ("broker_not_running", 2)
    assert after[2]["consequences"] == []


async def test_a_draft_names_every_impossible_step_also_behind_its_frame(sqlite_service: Service):
    again = DRAFT + "  - note: Look\n  - crash: {broker: 2}\n  - detect: {broker: 2}\n"

    at_start, at_end = [
        await sqlite_service.send("drafts", {"scenario_text": again, "after": steps}, 200)
        for steps in (0, 4)
    ]

    for draft in (at_start, at_end):
        (found,) = draft["impossible"]
        assert (found["item"], set(found["reason"])) == (2, set(LANGUAGES))
        assert found["reason"]["en"] == "broker 2 is down"
    assert (at_start["frame"]["frame"], at_start["starts"]) == (0, [])
    assert at_end["starts"] == [1, 2, 3]
    assert at_end["frame"]["frame"] >= 3
    assert (await sqlite_service.send("drafts", {"scenario_text": DRAFT}, 200))["impossible"] == []


async def test_what_is_wrong_in_a_draft_has_its_line(sqlite_service: Service):
    wrong = DRAFT.replace("log: m1}", "log: m1, high_watermark: 4}")

    problem = await sqlite_service.send("drafts", {"scenario_text": wrong}, 422)

    (error,) = problem["errors"]
    assert error["where"] == "/scenario_text/topics/0/partitions/0/logs/2/high_watermark"
    assert error["line"] == 8
    assert "must be from 0 to the log end, 1, not 4" in error["message"]
    assert "repair" not in error


async def test_errors_are_in_every_language(sqlite_service: Service):
    draft = DRAFT.replace("[1, 2]", "[1, x]", 1)
    drafts = await sqlite_service.send("drafts", {"scenario_text": draft}, 422)
    files = [{"name": "a", "text": "what"}]
    imports = await sqlite_service.send("imports", {"files": files}, 422)
    release = await sqlite_service.send("imports", {"files": files, "kafka": "three"}, 422)

    for problem in (drafts, imports, release):
        for about in (problem, *problem["errors"]):
            assert about["said"].keys() == set(LANGUAGES)
            assert len(set(about["said"].values())) == len(LANGUAGES)
            assert about["said"]["en"] == about.get("message", about.get("detail"))
    assert drafts["errors"][0]["said"]["zh"] == "broker 编号必须是整数，不能是文本“x”"


async def test_ten_errors_of_a_draft_fit_into_the_document(sqlite_service: Service):
    steps = "".join(f"  - crash: {{broker: {broker}}}\n" for broker in range(11, 26))

    problem = await sqlite_service.send("drafts", {"scenario_text": DRAFT + steps}, 422)

    assert len(problem["errors"]) == 10
    assert problem["more_errors"] == 5


@pytest.mark.parametrize("lines", [1, 9, 70])
async def test_an_import_counts_all_lines_that_cannot_be_parsed(
    sqlite_service: Service, lines: int
) -> None:
    """The document has room for few of them, and the reader stores at most fifty. Only neighbours
    are one error.
    """
    text = "\n".join(f"not a line of any tool, number {number}\n" for number in range(lines))
    body = {"files": [{"name": "pasted", "text": text}]}

    problem = await sqlite_service.send("imports", body, 422)

    assert len(problem["errors"]) + problem.get("more_errors", 0) == lines
    assert ("more_errors" in problem) == (lines > 1)


async def test_neighbouring_lines_with_the_same_error_are_one_place(
    sqlite_service: Service,
) -> None:
    body = {"files": [{"name": "pasted", "text": "no tool\n" * 9}]}

    problem = await sqlite_service.send("imports", body, 422)

    (error,) = problem["errors"]
    assert (error["line"], error["last_line"]) == (1, 9)


async def test_an_error_in_a_draft_has_a_repair_if_one_is_known(sqlite_service: Service):
    wrong = DRAFT.replace("steps:", "stpes:").replace("brokers: [", "brokers: [-4, ")

    problem = await sqlite_service.send("drafts", {"scenario_text": wrong}, 422)

    repairs = {error["where"]: error.get("repair") for error in problem["errors"]}
    assert repairs == {"/scenario_text/stpes": "steps", "/scenario_text/brokers/0": "0"}


async def test_a_release_that_never_was_is_wrong_input(sqlite_service: Service):
    await sqlite_service.send("drafts", {"scenario_text": DRAFT.replace("3.9", "9.9")}, 422)


async def test_what_tools_print_becomes_a_scenario(sqlite_service: Service):
    files = [
        {"name": name, "text": (REAL / name).read_text()}
        for name in ("topics.txt", "data-2/replication-offset-checkpoint", "data-2/meta.properties")
    ]

    made = await sqlite_service.send("imports", {"files": files, "kafka": "4.1.1"}, 200)

    scenario = read_scenario_text(made["scenario_text"])
    assert scenario.kafka == made["kafka"] == "4.1.1"
    assert {"topic", "offset_file", "meta_properties"} <= {
        one["name"] for one in made["understood"]
    }
    assert all(set(one["text"]) == set(LANGUAGES) for one in made["unknown"])
    assert made["understood"][0]["line"] == 1
    draft = await sqlite_service.send("drafts", {"scenario_text": made["scenario_text"]}, 200)
    assert draft["frame"]["state"]["partitions"]["t-0"]["leader"] == 2


async def test_a_line_that_is_not_understood_is_named(sqlite_service: Service):
    files = [{"name": "a", "text": "Topic: t"}, {"name": "b", "text": "\nwhat"}]

    problem = await sqlite_service.send("imports", {"files": files}, 422)

    places = [(error["where"], error["line"]) for error in problem["errors"]]
    assert problem["code"] == "unreadable_input"
    assert places == [("/files/0/text", 1), ("/files/1/text", 2)]


@pytest.mark.parametrize(
    "body",
    [
        {"files": []},
        {"files": [{"name": "a", "text": "x"}], "kafka": "9.9"},
        {"files": [{"name": "", "text": "x"}]},
        {"files": [{"name": "a"}]},
    ],
)
async def test_what_cannot_be_imported_is_refused(sqlite_service: Service, body: dict[str, Any]):
    await sqlite_service.send("imports", body, 422)


async def test_the_schema_of_scenario_files_is_served(sqlite_service: Service):
    response = await sqlite_service.client.get(f"{API}/schemas/scenario")

    assert response.json()["properties"]["kafka"]


async def test_a_branch_is_a_file_that_plays_it_again(sqlite_service: Service):
    service = sqlite_service
    session = await service.new_session(scenario_id="s26")
    story = (await service.read(f"sessions/{session['id']}/story"))["story"]
    after = story[2]["last_frame"]
    acted = await service.act(session["id"], after, {"crash": {"broker": 1}})
    head = acted.json()["head"]

    file = await service.client.get(f"{API}/sessions/{session['id']}/file?at={head}")

    scenario = read_scenario_text(file.json()["scenario_text"])
    again = await service.new_session(scenario_text=file.json()["scenario_text"])
    kinds = [step.kind for step in scenario.steps]
    assert kinds[-1] == "crash"
    assert again["head"] == after + 1
    assert any(kind in ("note", "ask") for kind in kinds)
    whole = await service.client.get(f"{API}/sessions/{session['id']}/file?at=99999")
    assert whole.status_code == 422


async def test_the_file_of_a_whole_run_has_its_own_steps(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)

    file = await sqlite_service.client.get(f"{API}/sessions/{session['id']}/file")

    again = await sqlite_service.new_session(scenario_text=file.json()["scenario_text"])
    assert again["frames"] == session["frames"]


async def test_the_editor_and_the_import_name_what_is_left_out(sqlite_service: Service):
    text = DRAFT.replace("crash: {broker: 2}", "retention: {}").replace('"3.9"', '"7.5"')
    topics = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\tObservers: 2\n"

    problem = await sqlite_service.send("drafts", {"scenario_text": text}, 422)
    imported = await sqlite_service.send("imports", {"files": [{"name": "x", "text": topics}]}, 200)

    version, step = (place["said"] for place in problem["errors"])
    assert "Confluent Platform, which contains Kafka 3.5" in version["en"]
    assert "Confluent Platform" in version["zh"]
    assert "retention and deleted records" in step["en"]
    assert "保留策略和删除的消息" in step["zh"]
    (told,) = (one["text"] for one in imported["unknown"] if one["name"] == "left_out")
    assert "observers" in told["en"]
    assert "观察者" in told["zh"]


async def test_what_is_imported_is_kept_nowhere_as_the_page_says(
    sqlite_service: Service, caplog: pytest.LogCaptureFixture
):
    """Only a run that the reader starts from it is stored, without values of secrets."""
    text = (
        "Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n"
        "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n\n"
        "broker.id=1\nlog.dirs=/pasted-folder\nssl.key.password=s3cr3tValue\n"
    )
    body = {"files": [{"name": "pasted-name.txt", "text": text}]}
    path = Path(sqlite_service.settings.database_url.removeprefix("sqlite:///"))

    imported = await sqlite_service.send("imports", body, 200)
    await sqlite_service.send("imports", {"files": [{"name": "pasted-name.txt", "text": "?"}]}, 422)
    await sqlite_service.new_session(scenario_text=imported["scenario_text"])

    stored = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert b"Imported cluster" in stored, "the run is"
    for pasted in ("s3cr3tValue", "pasted-folder", "pasted-name.txt"):
        assert pasted.encode() not in stored
        assert pasted not in caplog.text
    assert "s3cr3tValue" not in str(imported)
    texts = {lang: say(lang, "interface/build", "clusterText") for lang in LANGUAGES}
    assert "is not kept" in texts["en"]
    assert "unless you share it" in texts["en"]
    assert "粘贴的内容不会保存" in texts["zh"]

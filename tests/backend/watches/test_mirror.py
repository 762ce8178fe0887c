"""A recording beside the engine: its steps, the first difference, and the state that is drawn, from
brokers that the engine plays and from real recordings.
"""

import asyncio
import gzip
import json
from importlib.resources import files
from typing import Any

import pytest
from msgspec.structs import replace

from backend.recording.record import recording_document
from backend.watches.mirror import Mirror
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.recording import RecordedState
from sim_engine.identifiers import BrokerId, Offset
from sim_engine.scenario_reader.reader import read_scenario_document
from tests.backend.conftest import API, StartService
from tests.backend.recorded_by_engine import Spoil, recorded_by_engine

SCENARIO = {
    "scenario": 1,
    "id": "mirrored",
    "kafka": "4.3.1",
    "brokers": [1, 2],
    "topics": [{"name": "t", "partitions": [{"replicas": [2, 1]}]}],
    "steps": [
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        {"fetch": {"broker": 1}},
        {"fetch": {"broker": 1}},
        {"crash": {"broker": 1}},
    ],
}


def recorded(spoil: Spoil = lambda _verbs, state: state) -> dict[str, Any]:
    return recording_document(recorded_by_engine(read_scenario_document(SCENARIO), "4.3.1", spoil))


def keeps_a_fetch_to_itself(done: list[verbs.Verb], state: RecordedState) -> RecordedState:
    """Brokers with an error: after a fetch, the leader's log has lost its record."""
    if sum(isinstance(one, verbs.Fetch) for one in done) == 2:
        log = state.brokers[BrokerId(2)].log
        assert log is not None
        log.clear()
    return state


def beginning(document: dict[str, Any], steps: int) -> dict[str, Any]:
    return {**document, "steps": document["steps"][:steps]}


def news_of(mirror: Mirror) -> dict[str, Any]:
    return mirror.document()


def drawn_by(mirror: Mirror, number: int) -> Any:
    return mirror.drawn(number)


def mirror_of(document: dict[str, Any]) -> Mirror:
    mirror = Mirror({"en": document["id"]}, document["kafka"], last=len(document["steps"]) - 1)
    mirror.show(document)
    return mirror


def test_what_was_recorded_so_far_is_beside_the_engine_step_by_step() -> None:
    document = recorded()
    mirror = Mirror({"en": "a"}, "4.3.1", last=len(document["steps"]) - 1, runs=2)
    assert (news_of(mirror)["stage"], drawn_by(mirror, 0)) == ("starting", None)

    for step in range(len(document["steps"])):
        mirror.at(1, step)
        mirror.show(beginning(document, step + 1))
        news = news_of(mirror)
        assert (news["stage"], news["step"], news["difference"]) == ("recording", step, None)
        assert [one["number"] for one in news["recorded"]] == [*range(step + 1)]
        assert all(one["followed"] and one["at"] for one in news["recorded"])

    crashed = news_of(mirror)["recorded"][-1]
    assert crashed["title"]["en"] == "Kill broker 1"
    assert [one["en"] for one in crashed["changes"]] == ["Broker 1 is no longer running"]
    mirror.finish("a.json")
    assert (news_of(mirror)["stage"], news_of(mirror)["file"]) == ("finished", "a.json")


def test_the_recorded_values_are_drawn_and_a_broker_is_down_as_it_was_read() -> None:
    document = recorded()

    drawn = drawn_by(mirror_of(document), len(document["steps"]) - 1)

    assert drawn is not None
    frame, engine = drawn["frame"]["state"], drawn["engine_frame"]["state"]
    assert frame["brokers"]["1"]["state"] == engine["brokers"]["1"]["state"] == "crashed"
    values = [one["value"] for one in frame["replicas"]["t-0"]["1"]["log"]]
    assert values == ["m1"]
    assert (drawn["drawn_otherwise"], drawn["why_not"]) == ([], {})
    assert {one["standing"] for one in drawn["compared"]} <= {"equal", "not_held"}


def stale(_done: list[verbs.Verb], state: RecordedState) -> RecordedState:
    """Checkpoints that are older than a truncation."""
    brokers = {
        broker: replace(one, high_watermark_checkpoint=Offset(7))
        for broker, one in state.brokers.items()
    }
    return replace(state, brokers=brokers)


def test_a_checkpoint_that_is_older_than_a_truncation_draws_no_record() -> None:
    document = recorded(stale)

    drawn = drawn_by(mirror_of(document), len(document["steps"]) - 1)

    assert drawn["drawn_otherwise"] == []
    assert drawn["frame"]["state"]["replicas"]["t-0"]["1"]["log_end_offset"] == 1


def test_the_first_difference_is_named_and_the_stage_has_what_was_recorded() -> None:
    document = recorded(keeps_a_fetch_to_itself)

    mirror = mirror_of(document)

    news = news_of(mirror)
    first = news["difference"]
    assert first == next(one["number"] for one in news["recorded"] if one["differs"])
    assert document["steps"][first]["do"]["fetch"]["broker"] == 1
    drawn = drawn_by(mirror, first)
    assert drawn is not None
    differing = {one["where"] for one in drawn["compared"] if one["standing"] == "differs"}
    assert differing == {"saw/brokers/2/log"}
    assert drawn["engine_frame"]["state"]["replicas"]["t-0"]["2"]["log_end_offset"] == 1
    assert drawn["frame"] is None or (
        drawn["frame"]["state"]["replicas"]["t-0"]["2"]["log_end_offset"] == 0
        or "saw/brokers/2/log_end_offset" in {one["where"] for one in drawn["drawn_otherwise"]}
    )


@pytest.mark.parametrize(
    "name", ["failover-and-return-0.10.2.2", "disk-loss-4.3.1", "late-answer-3.9.0"]
)
def test_every_state_of_a_real_recording_is_drawn(name: str) -> None:
    archive = files("sim_engine.conformance") / "recordings.json.gz"
    document = json.loads(json.loads(gzip.decompress(archive.read_bytes()))[name])
    mirror = mirror_of(document)

    steps = news_of(mirror)["recorded"]
    read = [one["number"] for one in steps if one["was_read"]]
    drawn = [drawn_by(mirror, number) for number in read]

    assert len(read) > 5
    assert all(one is not None and one["frame"] and one["engine_frame"] for one in drawn)
    exact = [one for one in drawn if one is not None and not one["drawn_otherwise"]]
    assert len(exact) >= 0.9 * len(drawn)
    assert all(one["at"] is None for one in steps), "a file does not say when"
    unread = next(one["number"] for one in steps if not one["was_read"])
    assert drawn_by(mirror, unread) is None


async def test_a_service_shows_the_recording_that_its_command_makes(
    migrated_file: Any, tmp_path: Any, start_service: StartService, sqlite_service: Any
) -> None:
    mirror = mirror_of(recorded())
    async with start_service(f"sqlite:///{tmp_path / 'm.db'}", watch=mirror) as service:
        asyncio.get_running_loop().call_later(1, mirror.stop)
        events = await service.client.get(f"{API}/watch/recording/events")
        step = await service.read("watch/recording/steps/0")
        answers = [
            (await service.client.get(path)).status_code
            for path in ("/watch/recording", "/watch", f"{API}/watch/recording/steps/99")
        ]

    name, data = events.text.split("\n\n")[0].split("\n")
    assert name == "event: recording"
    assert json.loads(data.removeprefix("data: "))["kafka"] == "4.3.1"
    assert step["partition"] == "t-0"
    assert answers == [200, 404, 404]
    elsewhere = await sqlite_service.client.get("/watch/recording")
    stream = await sqlite_service.client.get(f"{API}/watch/recording/events")
    assert (elsewhere.status_code, stream.status_code) == (404, 404)

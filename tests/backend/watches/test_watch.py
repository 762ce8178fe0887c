"""A watched cluster: its readings, its page and its verdicts, from a reader that is no cluster."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from typing import Any

import pytest

from backend.watches.watch import MOST_STATES, Watch, keep_reading
from sim_engine.cluster_import.parsed_state import (
    Origin,
    ParsedLog,
    ParsedPartition,
    ParsedState,
    Partition,
)
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset
from tests.backend.conftest import API, Service, StartService
from tests.backend.test_assessments import assess

NAME = Partition("audit", 7)


def state(
    leader: int = 2, isr: tuple[int, ...] = (1, 2), end: int = 12, mark: int = 10
) -> ParsedState:
    """A partition on two brokers; broker 2 has written up to `end`, and `mark` is the high
    watermark.
    """
    about = ParsedPartition(
        replicas=(BrokerId(1), BrokerId(2)),
        leader=BrokerId(leader),
        isr=tuple(map(BrokerId, isr)),
        leader_epoch=LeaderEpoch(3),
        file="",
    )
    return ParsedState(
        partitions={NAME: about},
        live={BrokerId(1), BrokerId(2)},
        controls={"kraft"},
        since={"4.1": "since_metadata_version"},
        until={"4.2": "until_metadata_version"},
        logs=[ParsedLog(partition=NAME, origin=Origin("", 0, BrokerId(2)), end=Offset(end))],
        high_watermarks={NAME: Offset(mark)},
        elr_enabled=False,
    )


def watched(*results: ParsedState | str) -> Watch:
    watch = Watch("kafka:9092", 5.0)
    for result in results:
        watch.begin()
        watch.add(result)
    return watch


@pytest.fixture
async def live(
    migrated_file: Any, tmp_path: Any, start_service: StartService
) -> AsyncIterator[Service]:
    watch = watched(
        state(), "kafka:9092: the connection was refused", state(isr=(2,), end=20, mark=20)
    )
    async with start_service(f"sqlite:///{tmp_path / 'live.db'}", watch=watch) as service:
        yield service


async def first_event(service: Service) -> dict[str, Any]:
    watch = service.services.watch
    assert watch is not None
    asyncio.get_running_loop().call_later(1, watch.stop)
    response = await service.client.get(f"{API}/watch/events")
    (name, data) = response.text.split("\n\n")[0].split("\n")
    assert name == "event: watch"
    document: dict[str, Any] = json.loads(data.removeprefix("data: "))
    return document


async def test_the_readings_are_told_with_what_changed_and_why_one_failed(live: Service) -> None:
    document = await first_event(live)

    assert (document["bootstrap"], document["interval_s"]) == ("kafka:9092", 5.0)
    first, failed, last = document["readings"]
    assert (first["changes"], first["partitions"], first["brokers"]) == ([], 1, 2)
    assert failed["failure"] == "kafka:9092: the connection was refused"
    assert [one["en"] for one in last["changes"]] == ["audit-7: 1 left the ISR"]


async def test_a_reading_is_assessed_as_a_paste_is_and_nothing_is_stored(live: Service) -> None:
    (*_, (name, page)) = await assess(live, {"reading": 3})
    (*_, (_, before)) = await assess(live, {"reading": 1})
    changed = (await assess(live, {"reading": 3, "settings": {"acks": "1"}}))[-1][1]
    gone = await live.client.post(f"{API}/assessments", json={"reading": 99})
    both = await live.client.post(
        f"{API}/assessments", json={"reading": 3, "files": [{"name": "a", "text": "b"}]}
    )

    assert name == "result"
    assert page["kinds"][0]["partitions"] == ["audit-7"]
    assert (page["kinds"][0]["isr"], before["kinds"][0]["isr"]) == ([2], [1, 2])
    assert next(one for one in changed["settings"] if one["name"] == "acks")["values"] == ["1"]
    assert (gone.status_code, gone.json()["errors"][0]["where"]) == (422, "/reading")
    assert both.status_code == 422


async def test_a_partition_is_drawn_from_the_values_that_were_read(live: Service) -> None:
    read = await live.read("watch/readings/3/partitions/audit-7")
    nowhere = await live.client.get(f"{API}/watch/readings/3/partitions/audit-8")

    drawn = read["frame"]["state"]["replicas"]["audit-7"]["2"]
    assert (drawn["high_watermark"], drawn["log_end_offset"]) == (20, 20)
    rows = {one["where"]: one for one in read["compared"]}
    assert rows["saw/brokers/2/log_end_offset"] == {
        "where": "saw/brokers/2/log_end_offset",
        "recorded": 20,
        "engine": 20,
        "standing": "equal",
    }
    assert rows["saw/isr"]["recorded"] == [2]
    assert all(one["standing"] == "equal" for one in rows.values())
    assert read["not_known"], "what no tool tells is named"
    assert nowhere.status_code == 404


async def test_a_value_that_cannot_be_drawn_as_it_was_read_is_marked(
    tmp_path: Any, start_service: StartService
) -> None:
    # The leader is the whole ISR, so everything that it has is committed at rest.
    watch = watched(state(isr=(2,), end=20, mark=10))
    async with start_service(f"sqlite:///{tmp_path / 'moves.db'}", watch=watch) as service:
        read = await service.read("watch/readings/1/partitions/audit-7")

    differing = [one for one in read["compared"] if one["standing"] == "differs"]
    assert [(one["where"], one["recorded"], one["engine"]) for one in differing] == [
        ("saw/brokers/2/high_watermark", 10, 20)
    ]


async def test_a_state_that_the_engine_cannot_be_in_is_shown_as_values_only(
    tmp_path: Any, start_service: StartService
) -> None:
    watch = watched(state(leader=1, isr=(2,)))
    async with start_service(f"sqlite:///{tmp_path / 'odd.db'}", watch=watch) as service:
        read = await service.read("watch/readings/1/partitions/audit-7")

    assert (read["frame"], read["control"]) == (None, None)
    assert "audit" in read["why_not"]["en"]
    assert {one["standing"] for one in read["compared"]} == {"not_held"}


async def test_other_services_watch_nothing_and_other_hosts_see_nothing(
    live: Service, sqlite_service: Service
) -> None:
    elsewhere = await live.client.get(f"{API}/limits", headers={"Host": "evil.example"})
    page = await sqlite_service.client.get("/watch")
    events = await sqlite_service.client.get(f"{API}/watch/events")
    reading = await sqlite_service.client.post(f"{API}/assessments", json={"reading": 1})

    assert elsewhere.status_code == 400
    assert (page.status_code, events.status_code, reading.status_code) == (404, 404, 422)
    assert (await live.client.get("/watch")).status_code == 200


def test_old_states_are_dropped_and_the_readings_stay() -> None:
    watch = watched(*(state(end=12 + number) for number in range(MOST_STATES + 5)))

    kept = [one.number for one in watch.readings() if one.state is not None]

    assert len(watch.readings()) == MOST_STATES + 5
    assert (kept[0], kept[-1], len(kept)) == (6, MOST_STATES + 5, MOST_STATES)
    assert (watch.state_of(5), watch.state_of(6) is not None) == (None, True)


def test_a_slow_reading_is_followed_at_once_and_a_failure_is_retried() -> None:
    watch, stop = Watch("kafka:9092", 0.05), threading.Event()
    results: Iterator[ParsedState | str] = iter([state(), "away", "away", state()])

    def read() -> ParsedState | str:
        stop.wait(0.1)
        result = next(results)
        if len(watch.readings()) == 3:
            stop.set()
        return result

    keep_reading(watch, read, stop, waits=False)

    readings = watch.readings()
    assert [one.failure for one in readings] == [None, "away", "away", None]
    assert all(one.took_s > watch.interval_s for one in readings)
    pauses = [
        (after.at - before.at).total_seconds() - before.took_s
        for before, after in pairwise(readings)
    ]
    assert max(pauses) < watch.interval_s
    assert readings[3].changes == (), "compared with the last one that succeeded"

"""A share as text, and a frame in one sentence."""

import re
from collections.abc import Mapping

from backend.frames.narration import headline
from sim_engine.documents.runs import StoredEvent, StoredFrame
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.scenario_reader.writer import scenario_document
from tests.backend.conftest import LOSS, Service
from tests.sim_engine.documents.test_branch_scenario import REPLACED

HEARD: StoredEvent = {"kind": "HeartbeatReceived", "numbers": {"broker": 2}, "subject": {}}
RESUMED: StoredEvent = {"kind": "BrokerResumed", "numbers": {"broker": 1}, "subject": {}}


def frame_with(*events: StoredEvent) -> StoredFrame:
    return {
        "frame": FrameNumber(1),
        "parent": FrameNumber(0),
        "depth": 1,
        "item": None,
        "step": 1,
        "events": events,
        "headline": 0,
        "changes": (),
        "moves": (),
        "properties": {},
    }


def test_a_frame_is_described_by_its_headline_event() -> None:
    frame = frame_with(HEARD, RESUMED)
    frame["headline"] = 1

    assert headline(frame, "en") == "Broker 1 resumes where it was paused."


KIP_101 = scenario_document(load_shipped("kip-101-data-loss"))
RECORDS = "Acknowledged records at the end"


async def transcript(service: Service, scenario: Mapping[str, object], lang: str = "en") -> str:
    sid = await service.shared(scenario=scenario)
    return (await service.client.get(f"/s/{sid}.md?lang={lang}")).text


def section(text: str, heading: str) -> list[str]:
    return text.split(f"\n## {heading}\n\n")[1].split("\n\n")[0].splitlines()


async def test_a_transcript_tells_steps_with_their_messages(sqlite_service: Service) -> None:
    text = await transcript(sqlite_service, LOSS)

    titles = re.findall(r"^## (?:\d+\. )?(.*)$", text, re.MULTILINE)
    assert titles[:3] == ["start", "produce m1", "fetch ×2"]
    assert titles[-2:] == [RECORDS, "Properties at the end"]
    fetched = text.split("\n## 2. fetch ×2\n\n")[1].split("\n## ")[0]
    summary, blank, *messages = fetched.splitlines()
    assert summary.startswith("Broker 1")
    assert blank == ""
    assert len([line for line in messages if line.startswith("- ")]) == 7


async def test_a_transcript_gives_the_reason_of_each_answer(sqlite_service: Service) -> None:
    asked = {
        "en": "Which one?",
        "answers": [{"en": "This one.", "zh": "这个。"}, {"en": "That one."}],
        "correct": 1,
        "reasons": [{"en": "It is too old.", "zh": "太旧了。"}, {"en": "It is the newest."}],
    }
    unexplained = {key: value for key, value in asked.items() if key != "reasons"}
    steps = [{"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}]

    text, chinese, bare = [
        await transcript(sqlite_service, {**LOSS, "steps": [*steps, {"ask": question}]}, lang)
        for question, lang in ((asked, "en"), (asked, "zh"), (unexplained, "en"))
    ]

    assert (
        "> Which one?\n>\n"
        "> 1. This one.\n>    - It is too old.\n"
        "> 2. That one. ✓\n>    - It is the newest.\n"
    ) in text
    assert "> 1. 这个。\n>    - 太旧了。\n" in chinese
    assert "> 1. This one.\n> 2. That one. ✓\n" in bare


async def test_a_transcript_ends_with_the_fate_of_each_acknowledged_record(
    sqlite_service: Service,
) -> None:
    text = await transcript(sqlite_service, KIP_101)
    chinese = await transcript(sqlite_service, KIP_101, "zh")

    assert section(text, RECORDS) == [
        "- m1, acknowledged with acks=all at offset 0 of t-0: safe",
        "- m2, acknowledged with acks=all at offset 1 of t-0: lost at step 14",
    ]
    assert section(chinese, "运行结束时已确认的消息") == [
        "- t-0 位移 0 上的 m1（acks=all）：安全",
        "- t-0 位移 1 上的 m2（acks=all）：已于第 14 步丢失",
    ]


async def test_a_record_that_another_one_replaced_is_lost(sqlite_service: Service) -> None:
    at_risk = {**REPLACED, "steps": REPLACED["steps"][:3]}

    (lost, _) = section(
        await transcript(sqlite_service, REPLACED), "Acknowledged records at the end"
    )
    (risked,) = section(
        await transcript(sqlite_service, at_risk), "Acknowledged records at the end"
    )

    assert lost.endswith(": lost at step 4")
    assert risked.endswith(": at risk since step 3")


async def test_a_transcript_names_the_properties_and_when_they_were_violated(
    sqlite_service: Service,
) -> None:
    text = await transcript(sqlite_service, REPLACED)
    chinese = await transcript(sqlite_service, REPLACED, "zh")

    properties = section(text, "Properties at the end")
    assert "- No acknowledged record is lost: violated, first at step 4" in properties
    assert "- Logs match below the high watermark: not exercised" in properties
    assert (
        "- No acknowledged record is at risk: was violated, first at step 3; holds since step 4"
    ) in properties
    assert "- 已确认的消息没有丢失：违反，首次出现在第 4 步" in section(chinese, "运行结束时的性质")
    assert not any("NoAckedRecordLost" in one for one in (text, chinese))

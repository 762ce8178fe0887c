"""Shipped lessons, message by message as fast as possible: the page always matches the frames.

`make test` steps through every seventh one, and through those that broke the page once;
`make test-all` through all of them, and rests at each message.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, expect

from sim_engine.narration import property_title
from sim_engine.narration import sentence as event_sentence
from sim_engine.scenario_reader.reader import list_shipped
from tests.browser.listbox import choose, expect_chosen
from tests.browser.run_page import (
    POSITION,
    frame_shown,
    frames_of,
    open_run,
    press,
    timeline_of,
    wait_for_run,
)

ALL = [scenario.id for scenario in list_shipped()]
ONCE_BROKEN = {
    "retry-duplicates",
    "slow-but-steady-follower",
    "expansion-waits-for-the-joiner",
    "caught-up-outsider",
    "follower-reads",
    "epoch-lookup-table",
}
SAMPLE = [lesson for at, lesson in enumerate(ALL) if at % 7 == 0 or lesson in ONCE_BROKEN]

# The properties in the strip above the stage by default: outcomes and current risks.
LOUD = {"NoAckedRecordLost", "LogMatching", "ConsistentRead", "AckedRecordAtRisk"}

TONES = {"safe": "", "at_risk": "warn", "lost": "bad"}

# Goes by messages to the end, one key as soon as the one before is done with, rests at every so
# many messages and at the end, and notes what stands there. A question takes a second press.
WALK = """async ([most, every]) => {
  const textOf = (element) => element.textContent.replace(/\\s+/g, " ").trim();
  const shown = (selector) => [...document.querySelectorAll(selector)].map(textOf);
  const timeline = document.querySelector(".track[role=slider]");
  const note = () => ({
    frame: Number(timeline.ariaValueNow),  // a lesson has one branch
    sentence: shown(".why .sentence"),
    violated: shown(".strip :is(.bad, .warn):not([data-unpromised], [data-stale]) .title"),
    unpromised: document.querySelector(".strip [data-unpromised]")?.dataset.unpromised ?? "",
    stale: [...document.querySelectorAll(".strip [data-stale]")].map((one) => one.dataset.stale),
    produced: [...document.querySelectorAll(".hw-stage .chip.told b")].map((value) => ({
      text: textOf(value),
      tone: ["bad", "warn"].find((one) => value.closest(".chip").classList.contains(one)) ?? "",
      tick: value.closest(".chip").querySelector(".tick") !== null,
    })),
    // One for each partition that is shown.
    tables: [...document.querySelectorAll(".hw-stage table:has(caption)")].map((table) => ({
      caption: textOf(table.caption),
      rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map(textOf)),
    })),
  });
  const notes = [];
  for (let pressed = 1; pressed <= 2 * most && notes.at(-1)?.frame !== most; pressed += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    const rests = pressed % every === 0 || pressed >= most;
    await new Promise((done) => setTimeout(done, rests ? 140 : 0));
    if (!rests) continue;
    // At rest, the page draws one part on each screen frame.
    for (let parts = 0; parts < 9; parts += 1) await new Promise(requestAnimationFrame);
    notes.push(note());
  }
  return notes;
}"""


@pytest.fixture
def failures(page: Page) -> list[str]:
    """The failures on the page: a script, a request, or a panel that its boundary caught."""
    found: list[str] = []

    def logged(message: ConsoleMessage) -> None:
        if message.type == "error":
            found.append(message.text)

    def uncaught(error: Error) -> None:
        found.append(str(error))

    page.on("console", logged)
    page.on("pageerror", uncaught)
    return found


def values_of(chip: str, produced: dict[str, list[str]]) -> list[str]:
    """The values that a chip stands for: one, or all of a partition from the first to the last
    ("b1 … b9").
    """
    first, _, last = chip.partition(" … ")
    for values in produced.values():
        if last in values and first in values:
            return values[values.index(first) : values.index(last) + 1]
    return [chip]


def replicas_in(rows: list[list[str]]) -> dict[str, list[str]]:
    """Broker → log end offset, high watermark and flushed offset, of a table's rows with a log."""
    return {row[0]: row[4:7] for row in rows if len(row) > 3}


def disagreements(note: dict[str, Any], frame: dict[str, Any]) -> list[str]:
    """The differences between a frame's document and the page's headline, strip, lane or table."""
    state = frame["state"]
    tables = {
        table["caption"].removeprefix("Table of the replicas of "): table["rows"]
        for table in note["tables"]
    }
    event = frame["events"][frame["headline"]]
    violated = [
        property_title(name, "en", violated=True)
        for name, property_ in frame["properties"].items()
        if name in LOUD
        and property_["first_frame"] is not None
        and property_.get("until_frame") is None
    ]
    stale = sorted(
        {
            broker
            for partition, replicas in state["replicas"].items()
            for broker, replica in replicas.items()
            if replica["role"] == "leader"
            and str(state["partitions"][partition]["leader"]) != broker
        },
        key=int,
    )
    # Kafka promises nothing for them, so no property is about them.
    unpromised = dict.fromkeys(
        one["value"]
        for one in state["clients"]["produced"]
        if one["fate"] == "lost" and one["acks"] != "all"
    )
    produced = {
        partition: [
            one["value"] for one in state["clients"]["produced"] if one["partition"] == partition
        ]
        for partition in tables
    }
    # If there are many records, the lane shows the last ones, and those that are lost or at risk.
    shown = [value for chip in note["produced"] for value in values_of(chip["text"], produced)]
    # A chip without a tick is about a record that was not acknowledged.
    toned = {
        (value, chip["tone"])
        for chip in note["produced"]
        if chip["tick"]
        for value in values_of(chip["text"], produced)
    }
    tones = {
        (one["value"], TONES[one["fate"]])
        for one in state["clients"]["produced"]
        if one["partition"] in tables and one["outcome"] == "acked" and one["value"] in shown
    }
    missing = [one for values in produced.values() for one in values[-24:] if one not in shown]
    strange = [one for one in shown if not any(one in values for values in produced.values())]
    pairs: dict[str, tuple[object, object]] = {
        "sentence": (
            note["sentence"],
            [event_sentence(event["kind"], event.get("variant"), event["numbers"], "en")],
        ),
        "violated": (sorted(note["violated"]), sorted(violated)),
        "lost without a promise": (note["unpromised"], " ".join(unpromised)),
        "stale leaders": (note["stale"], stale),
        "produced": ([*missing, *strange], []),
        "fates": (sorted(toned), sorted(tones)),
        "replicas": (
            {partition: replicas_in(rows) for partition, rows in tables.items()},
            {
                partition: {
                    f"Broker {broker}": [
                        str(replica["log_end_offset"]),
                        "–"
                        if replica["high_watermark"] is None
                        else str(replica["high_watermark"]),
                        str(replica["flushed"]),
                    ]
                    for broker, replica in state["replicas"][partition].items()
                }
                for partition in tables
            },
        ),
    }
    return [
        f"frame {note['frame']}, {name}: {found} is {wanted}"
        for name, (found, wanted) in pairs.items()
        if found != wanted
    ]


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param((SAMPLE, 7), id="sample"),
        pytest.param((ALL, 1), id="all", marks=pytest.mark.slow),
    ],
)
def test_every_message_of_a_lesson_is_shown_as_its_frame_has_it(
    page: Page, failures: list[str], chosen: tuple[list[str], int]
) -> None:
    broken: dict[str, list[str]] = {}
    lessons, every = chosen
    first = lessons[0]
    page.add_init_script("localStorage.setItem('highwater-everything', '1')")
    page.goto(f"/lessons/{first}?lang=en")
    expect_chosen(page, "Lessons", first)

    for lesson in lessons:
        # Without a reload: the selection leads to a different session's address.
        if lesson != first:
            choose(page, "Lessons", lesson)
            wait_for_run(page)
            expect_chosen(page, "Lessons", lesson)
        expect(page.locator(POSITION)).to_have_text("Start")
        page.keyboard.press("z")
        messages = int(timeline_of(page).get_attribute("aria-valuemax") or 0)
        notes = page.evaluate(WALK, [messages, every])
        expect(timeline_of(page)).to_have_attribute("aria-valuenow", str(messages))

        frames = frames_of(page)
        wrong = [text for note in notes for text in disagreements(note, frames[note["frame"]])]
        if failures or wrong:
            broken[lesson] = [*failures[:2], *wrong[:3]]
            failures.clear()

    assert broken == {}


def test_a_lookup_in_long_logs_is_on_the_stage_with_what_it_is_about(page: Page) -> None:
    open_run(page, "/lessons/epoch-lookup-table")

    # The question at the start needs a second press.
    press(page, "Shift+ArrowRight", 3)

    assert frame_shown(page) == 2
    for name in ("Broker 1: a60, offset 79", "Broker 1: b1, offset 80", "Broker 2: y1, offset 80"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    folds = page.get_by_role("button", name=re.compile(r"^Show the \d+ hidden offsets"))
    between = folds.count()
    first = folds.first.get_attribute("aria-label") or ""

    folds.first.click()

    expect(page.get_by_role("button", name=first)).to_have_count(0)
    page.get_by_role("button", name="Hide again").click()
    expect(folds).to_have_count(between)

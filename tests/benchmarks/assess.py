"""The assessment of a large cluster: 200 brokers, 20,000 partitions, settings of several kinds.

First in this process: the time from the pasted text to the first table and to the last cell. Then
in a browser: the same text is pasted, and the complete table is scrolled with the wheel. Frame
times need a machine with nothing else to do; `work`, the time of the page's thread, does not.
"""

import resource
import tempfile
import time
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from sim_engine.assessment.assessment import Assessment
from sim_engine.assessment.page_document import page_document
from sim_engine.assessment.printed import Changes
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, Problems
from tests.benchmarks.page import GOAL_FRAME_MS, heap_mb, started, work_s
from tests.benchmarks.step import percentile, serving, sqlite

BROKERS, TOPICS, PARTITIONS_A_TOPIC = 200, 400, 50
GOAL_S, GOAL_MB = 3.0, 500
FRAMES = 180

_FRAME_TIMES = """
(count) => new Promise((done) => {
  const frames = [];
  let last = null;
  const turn = (now) => {
    if (last !== null) frames.push(now - last);
    last = now;
    if (frames.length === count) done(frames);
    else requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
})
"""


def measure() -> None:
    """Prints the times of the engine, then those of the page."""
    text = described(Random(1))
    measure_cells(text)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        arguments = ("backend.cli", "serve", "--port", "0", "--database", sqlite(folder, "assess"))
        with serving(Path(folder) / "log", *arguments) as client, started(playwright) as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{client.base_url}/assess?lang=en")
            measure_page(page, text)


def measure_page(page: Page, text: str) -> None:
    """Prints how long a browser waits for the first table, and how it scrolls through the last."""
    # As a user does it: typing many lines, which `fill` does, takes a browser minutes.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.get_by_role("textbox").first.focus()
    page.keyboard.press("ControlOrMeta+V")
    began = time.monotonic()
    page.get_by_role("button", name="Show what it can lose").click()
    page.wait_for_selector("[role=grid] [role=row]", timeout=120_000)
    print(f"the page     {time.monotonic() - began:6.2f} s until its first table")
    page.wait_for_selector(".table .on-pending", state="detached", timeout=600_000)
    page.wait_for_timeout(500)
    rows = page.get_by_role("row").count()
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = work_s(devtools)
    waiting = page.evaluate_handle(f"() => {{ window.frameTimes = ({_FRAME_TIMES})({FRAMES}); }}")
    for _ in range(4):
        for distance in (-3_000, 3_000):
            devtools.send(
                "Input.synthesizeScrollGesture",
                {"x": 700, "y": 600, "yDistance": distance, "speed": 8_000},
            )
    waiting.dispose()
    frames = page.evaluate("window.frameTimes")
    each = 1000 * (work_s(devtools) - before) / FRAMES
    tails = "   ".join(f"p{share} {percentile(frames, share / 100):.1f} ms" for share in (50, 95))
    print(f"scrolling    {tails} a frame (goal: p95 {GOAL_FRAME_MS} ms), {rows} rows")
    print(f"{'':<12} work {each:.1f} ms a frame, heap {heap_mb(page):.0f} MB")


def measure_cells(text: str) -> None:
    """Prints the CPU time from the pasted text to the first table, and to the last cell."""
    began = time.process_time()
    problems = Problems()
    assessment = Assessment(
        read_files([ClusterFile("paste", text)], problems), Changes(kafka="4.1")
    )
    page_document(assessment)
    first = time.process_time() - began
    for _ in assessment.compute():
        pass
    page_document(assessment)
    last = time.process_time() - began
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    count = len(assessment.printed.partitions)
    print(f"{count:,} partitions, {len(assessment.kinds)} kinds, {assessment.total} cells")
    print(f"first table  {first:6.2f} s of CPU time (goal: {GOAL_S:g})")
    print(f"last cell    {last:6.2f} s of CPU time")
    print(f"memory       {memory_mb:6.0f} MB (goal: {GOAL_MB})")


def described(random: Random) -> str:
    """The output of kafka-topics for a cluster in which some followers have left their ISRs."""
    return "".join(_topic(random, number) for number in range(TOPICS))


def _topic(random: Random, number: int) -> str:
    name = f"topic-{number}"
    settings = [f"min.insync.replicas={random.choice((1, 2, 2))}"]
    settings += ["unclean.leader.election.enable=true"] * (random.random() < 0.1)
    settings += ["flush.messages=1"] * (random.random() < 0.1)
    lines = [
        f"Topic: {name}\tTopicId: AAAAAAAAAAAAAAAAAAAAAA\tPartitionCount: {PARTITIONS_A_TOPIC}"
        f"\tReplicationFactor: 3\tConfigs: {','.join(settings)}"
    ]
    for partition in range(PARTITIONS_A_TOPIC):
        replicas = random.sample(range(1, BROKERS + 1), 3)
        isr = replicas[: random.choices((3, 2, 1), (90, 7, 3))[0]]
        leader = random.choices((isr[0], isr[-1]), (95, 5))[0]
        lines.append(
            f"\tTopic: {name}\tPartition: {partition}\tLeader: {leader}"
            f"\tReplicas: {_listed(replicas)}\tIsr: {_listed(isr)}\tElr: \tLastKnownElr: "
        )
    return "".join(f"{line}\n" for line in lines)


def _listed(brokers: list[int]) -> str:
    return ",".join(map(str, brokers))

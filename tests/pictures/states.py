"""The pictured states: each state of a page, how to reach it, and its looks."""

import atexit
import functools
import json
import os
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.service_process import Server
from tests.touch import press_long

ROOT = Path(__file__).parents[2]
LESSON = "/lessons/kip-101-data-loss"
LONG_LOGS = "/lessons/epoch-lookup-table"
TRANSACTIONS = "/lessons/transactions"
CHALLENGE = "/challenges/at-risk"
POWER_LOSSES = "/challenges/power-of-two"
RECORDED = "s27-unnoticed-bounce-clean-election-0.10.2.2"
TWO_PARTITIONS = {
    "scenario": 1,
    "id": "two-partitions",
    "title": "Two partitions",
    "kafka": "4.1",
    "brokers": [1, 2, 3, 4],
    "topics": [
        {
            "name": "t",
            "partitions": [
                {"replicas": [1, 2, 3], "logs": {broker: {"log": "a*3/0"} for broker in (1, 2, 3)}},
                {"replicas": [4, 3, 2], "logs": {broker: {"log": "b*2/0"} for broker in (4, 3, 2)}},
            ],
        }
    ],
    "steps": [
        {"produce": {"to": "t-0", "values": ["m1", "m2"], "acks": "all", "as": "p1"}},
        {"produce": {"to": "t-1", "values": ["n1"], "acks": "all", "as": "p1"}},
        {"fetch": {"broker": 2}},
        {"crash": {"broker": 4}},
    ],
}


class Look(NamedTuple):
    """The look of a page."""

    width: int
    height: int
    lang: str = "en"
    scheme: str = "light"
    forced_colors: bool = False


LOOKS = {
    "light": Look(1440, 900),
    "dark-zh": Look(1440, 900, "zh", "dark"),
    "phone": Look(390, 844),
    "phone-dark-zh": Look(390, 844, "zh", "dark"),
    "forced": Look(1440, 900, forced_colors=True),
    "wide-dark": Look(1920, 1080, scheme="dark"),
    "narrow": Look(320, 700),
}

DESKTOP = ("light", "dark-zh")
BOTH = ("light", "phone-dark-zh")
USUAL = ("light", "dark-zh", "phone")
ALL = tuple(LOOKS)

Reach = Callable[[Page], None]
Made = Callable[[str], str]
"""Makes something at the service with this base address and returns the address of its page."""


class State(NamedTuple):
    """An address, or how to make one; the actions there, and the looks that are stored."""

    path: str | Made
    reach: Reach
    looks: tuple[str, ...] = USUAL


def nothing(page: Page) -> None:
    """The page as it loads."""


def keys(*pressed: str) -> Reach:
    """Presses these keys in order, once the run is loaded."""

    def reach(page: Page) -> None:
        run_has_come(page)
        for key in pressed:
            before = page.url
            page.keyboard.press(key)
            if key == "ArrowRight":
                page.wait_for_function("before => location.href !== before", arg=before)

    return reach


def then(first: Reach, second: Reach) -> Reach:
    """Performs these in order."""

    def reach(page: Page) -> None:
        first(page)
        second(page)

    return reach


def clicked(selector: str) -> Reach:
    """Clicks the first match."""
    return lambda page: page.locator(selector).first.click()


def run_has_come(page: Page) -> None:
    """Waits for a run and its first step."""
    page.wait_for_url(re.compile("/(lessons|x|s|recordings)/"))
    expect(page.locator(".track[role=slider]")).to_be_visible()


def simple_at_its_second_step(page: Page) -> None:
    """The simple view of a first lesson, after two steps."""
    expect(page.locator(".note").first).to_be_visible()
    for step in (1, 2):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(re.compile(f"step={step}"))


def menu_of_a_broker(page: Page) -> None:
    """The menu of a broker's actions."""
    run_has_come(page)
    page.locator('[data-broker="1"]').first.click(button="right")
    expect(page.get_by_role("menu")).to_be_visible()


def compared(page: Page) -> None:
    """The same steps under another version below."""
    run_has_come(page)
    page.get_by_role("combobox", name=re.compile("Compare|对比|比较")).first.click()
    page.locator('[role=option][data-value="v0.11"]').first.click()
    expect(page.locator(".hw-stage")).to_have_count(2)


def menu_by_touch(page: Page) -> None:
    """The menu of a broker's actions, after a long press."""
    run_has_come(page)
    press_long(page.locator('[data-broker="1"]').first)


def without_service(page: Page) -> None:
    """An action while the service cannot be reached."""
    run_has_come(page)
    page.keyboard.press("End")
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()


def presented(page: Page) -> None:
    """A presentation at a question."""
    keys("Shift+F")(page)
    expect(page.locator(".code")).to_be_visible()
    for _ in range(len(STEPS) + 1):
        page.keyboard.press("PageDown")


def revealed(page: Page) -> None:
    """The same, with the answers."""
    presented(page)
    expect(page.locator("main kbd", has_text=re.compile("^v$", re.I))).to_be_visible()
    page.keyboard.press("v")


def followed(page: Page) -> None:
    """The page of a follower of a presentation, at a question."""
    presented(page)
    code = page.locator(".code").inner_text()
    follower = page.context.new_page()
    follower.goto(code)


def broker_selected(page: Page) -> None:
    """A broker's bar of actions."""
    keys(*STEPS)(page)
    page.locator('[data-broker="1"]').first.click()
    expect(page.get_by_role("toolbar")).to_be_visible()


def message_selected(page: Page) -> None:
    """The card of a message with its actions."""
    run_has_come(page)
    page.keyboard.press("z")
    page.keyboard.press("End")
    while page.locator(".card").count() == 0:
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(250)
    page.locator(".hw-dot, .hw-dot-waiting").first.click(force=True)
    expect(page.locator(".card.selected")).to_be_visible()


def found(page: Page) -> None:
    """A found failure."""
    keys(*STEPS, "f")(page)
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("dialog h3.bad")).to_be_visible()


def assessed(page: Page) -> None:
    """The verdict about the first example, complete."""
    page.locator(".try button").first.click()
    share = page.get_by_role("button", name=re.compile("^(Share|分享)$"))
    expect(share).to_be_enabled(timeout=60_000)


def cell_open(page: Page) -> None:
    """The card of a cell, with its reason, rule and run."""
    assessed(page)
    page.locator("[role=gridcell].cell").nth(1).focus()
    expect(
        page.get_by_role("button", name=re.compile("Watch this run|观看这次运行"))
    ).to_be_visible()


def files_open(page: Page) -> None:
    """What ZooKeeper and a broker's checkpoint files contain."""
    keys("End")(page)
    page.locator("[data-files]").first.click()
    page.get_by_role("button", name="ZooKeeper").first.click()


def step_compared(page: Page) -> None:
    """The state after the last step of a recording, beside the engine."""
    expect(page.locator("[role=group] button").first).to_be_visible()
    expect(page.locator(".hw-stage")).to_be_visible()


def solved(page: Page) -> None:
    """A won challenge."""
    for broker in ("1", "2"):
        name = re.compile(rf"power.* {broker}|{broker}.*(断电|掉电)")
        page.get_by_role("button", name=name).first.click()
    expect(page.locator(".won")).to_be_visible()


def post(base_url: str, address: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    """The service's answer to a request."""
    request = urllib.request.Request(
        f"{base_url}/api/v1{address}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", **headers},
    )
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def share(base_url: str, scenario: str, **also: Any) -> str:
    """A new share of a lesson: its id."""
    session = post(base_url, "/sessions", {"scenario_id": scenario})
    body = {"session": session["id"], "at": session["head"], **also}
    key = f"picture-{session['id']}"
    sid: str = post(base_url, "/shares", body, **{"Idempotency-Key": key})["sid"]
    return sid


def player(base_url: str) -> str:
    """The player of a share, as other sites embed it."""
    return f"/e/v1/s/{share(base_url, 'kip-101-data-loss')}"


def shared(base_url: str) -> str:
    """A shared run with a note."""
    note = "Broker 2 cut its log to its high watermark, 1, before it asked anyone."
    return f"/s/{share(base_url, 'kip-101-data-loss', note=note)}"


@functools.cache
def gallery(base_url: str) -> str:
    """The gallery with three runs."""
    for scenario in ("kip-101-data-loss", "transactions", "zombie-leader"):
        share(base_url, scenario, listed=True)
    return "/gallery"


def two_partitions(base_url: str) -> str:
    """A run of two partitions."""
    session = post(base_url, "/sessions", {"scenario": TWO_PARTITIONS})
    return f"/x/{session['id']}"


def branched(base_url: str) -> str:
    """A lesson with three branches, one of them from another."""
    session = post(base_url, "/sessions", {"scenario_id": "kip-101-data-loss"})

    def act(after: int, step: dict[str, Any]) -> int:
        body = {"after": after, "step": step}
        head: int = post(base_url, f"/sessions/{session['id']}/actions", body)["head"]
        return head

    crashed = act(9, {"crash": {"broker": 1}})
    act(crashed, {"start": {"broker": 1}})
    act(crashed, {"advance": {"ms": 1000}})
    act(5, {"produce": {"to": "t-0", "values": ["m3"], "acks": 1, "as": "p1"}})
    return f"/x/{session['id']}?frame={crashed}"


@functools.cache
def beside(_base_url: str) -> str:
    """The page of a kept recording; `highwater conform --open` serves it until the program ends."""
    file = ROOT / f"tests/conformance/recordings/{RECORDED}.json"
    environment = {**os.environ, "BROWSER": "true"}
    server = Server(ROOT, command=("conform", str(file), "--open"), environment=environment)
    atexit.register(server.end)
    return server.address


STEPS = ("ArrowRight",) * 4

STATES: dict[str, State] = {
    "home": State("/", nothing, ALL),
    "home-search": State("/?q=ISR", nothing, BOTH),
    "articles": State("/articles", nothing),
    "article": State("/articles/1", nothing, ALL),
    "lesson-plan": State("/lesson-plan", nothing, USUAL),
    "challenges": State("/challenges", nothing, BOTH),
    "challenge": State(CHALLENGE, nothing, (*USUAL, "narrow")),
    "challenge-won": State(POWER_LOSSES, solved, BOTH),
    "glossary": State("/glossary", nothing, (*USUAL, "narrow")),
    "fidelity": State("/fidelity", nothing, (*BOTH, "narrow")),
    "insights": State("/insights", nothing, (*USUAL, "wide-dark", "narrow")),
    "insights-own": State("/insights", clicked("[role=tab] >> nth=1"), BOTH),
    "insights-shared": State("/insights", clicked("[role=tab] >> nth=2"), BOTH),
    "gallery": State(gallery, nothing, (*BOTH, "narrow")),
    "docs": State("/docs", nothing),
    "docs-page": State("/docs/how-to/embed", nothing, (*BOTH, "narrow")),
    "new-steps": State("/new", nothing, (*USUAL, "narrow")),
    "new-form": State("/new", clicked("[role=tab]:has-text('Cluster')"), (*USUAL, "narrow")),
    "new-file": State("/new", clicked("[role=tab] >> nth=-1")),
    "new-cluster": State("/new", clicked("[role=tab] >> nth=-2"), BOTH),
    "assess": State("/assess", nothing, (*USUAL, "narrow")),
    "assess-verdict": State("/assess", assessed, ALL),
    "assess-cell": State("/assess", cell_open, DESKTOP),
    "run-start": State(LESSON, keys(), (*DESKTOP, "phone", "phone-dark-zh")),
    "run-simple": State("/lessons/where-a-log-ends", simple_at_its_second_step, USUAL),
    "run-story": State(LESSON, keys(*STEPS), ALL),
    "run-question": State(LESSON, keys(*STEPS, "ArrowRight"), (*BOTH, "narrow")),
    "run-end": State(LESSON, keys("End"), (*BOTH, "wide-dark")),
    "run-messages": State(LESSON, keys("z", *STEPS), USUAL),
    "run-diagram": State(LESSON, keys("End", "v"), (*DESKTOP, "wide-dark", "phone")),
    "run-long-logs": State(LONG_LOGS, keys("z"), BOTH),
    "run-transactions": State(TRANSACTIONS, keys("z", *STEPS, *STEPS[:2]), ("light", "phone")),
    "run-partitions": State(two_partitions, keys(), (*USUAL, "wide-dark")),
    "run-branches": State(branched, keys("Shift+B"), (*DESKTOP, "phone", "narrow")),
    "run-menu": State(LESSON, menu_of_a_broker, DESKTOP),
    "run-menu-touch": State(LESSON, menu_by_touch, ("phone", "phone-dark-zh")),
    "run-selected": State(LESSON, broker_selected, (*DESKTOP, "phone")),
    "run-message": State(LESSON, message_selected, DESKTOP),
    "run-contents": State(LESSON, files_open, DESKTOP),
    "run-compare": State(LESSON, compared, DESKTOP),
    "run-settings": State(LESSON, then(keys(), clicked("header button.set")), DESKTOP),
    "run-form": State(LESSON, keys("Shift+P"), BOTH),
    "run-find": State(LESSON, keys("f"), BOTH),
    "run-found": State(LESSON, found, BOTH),
    "run-share": State(LESSON, keys("s")),
    "run-help": State(LESSON, keys("?"), (*DESKTOP, "phone", "narrow")),
    "run-offline": State(LESSON, without_service, BOTH),
    "recording": State(f"/recordings/{RECORDED}", keys(*STEPS), BOTH),
    "recording-beside": State(beside, step_compared, BOTH),
    "share": State(shared, keys(), (*BOTH, "narrow")),
    "present": State(LESSON, keys("Shift+F"), (*DESKTOP, "phone")),
    "present-question": State(LESSON, presented, DESKTOP),
    "present-answers": State(LESSON, revealed, DESKTOP),
    "present-follow": State(LESSON, followed, ("light", "phone", "phone-dark-zh")),
    "embed": State(player, nothing, (*USUAL, "narrow")),
    "failure": State("/x/00000000000000000000000000", nothing, BOTH),
    "not-found": State("/nothing-is-here", nothing, (*BOTH, "narrow")),
    "share-gone": State("/s/aaaaaaaaaaaa", nothing, BOTH),
}

TIMED = ".code, .qr, input[readonly], textarea[readonly], .address, time, dialog iframe"
"""What differs from run to run: addresses and codes that are made anew, and dates."""

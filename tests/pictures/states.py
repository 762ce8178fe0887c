"""The pictured states: each state of a page, how to reach it, and its looks."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

LESSON = "/lessons/kip-101-data-loss"
LONG_LOGS = "/lessons/epoch-lookup-table"
TRANSACTIONS = "/lessons/transactions"
CHALLENGE = "/challenges/at-risk"


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
}

Reach = Callable[[Page], None]


class State(NamedTuple):
    """An address, the actions there, and the looks that are stored."""

    path: str
    reach: Reach
    looks: tuple[str, ...] = ("light", "dark-zh", "phone")


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
    page.wait_for_url(re.compile("/x/"))
    expect(page.locator(".track[role=slider]")).to_be_visible()


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


def shared(base_url: str) -> str:
    """The address of a share's player, made for the picture."""

    def post(address: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{base_url}/api/v1{address}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", **headers},
        )
        with urllib.request.urlopen(request) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    session = post("/sessions", {"scenario_id": "kip-101-data-loss"})
    body = {"session": session["id"], "at": session["head"]}
    made = post("/shares", body, **{"Idempotency-Key": f"picture-{session['id']}"})
    return f"/e/v1/s/{made['sid']}"


EMBED = "{embed}"
"""Stands for the address that `shared` gives."""

ALL = tuple(LOOKS)
STEPS = ("ArrowRight",) * 4

STATES: dict[str, State] = {
    "home": State("/", nothing, ALL),
    "home-search": State("/?q=ISR", nothing, ("light", "phone-dark-zh")),
    "articles": State("/articles", nothing),
    "article": State("/articles/1", nothing, ALL),
    "challenges": State("/challenges", nothing, ("light", "phone-dark-zh")),
    "challenge": State(CHALLENGE, nothing),
    "glossary": State("/glossary", nothing),
    "fidelity": State("/fidelity", nothing, ("light", "phone-dark-zh")),
    "insights": State("/insights", nothing),
    "new-form": State("/new", nothing),
    "new-file": State("/new", clicked('[role=tab][id*="file"], [role=tab] >> nth=2')),
    "run-start": State(LESSON, keys(), ("light", "dark-zh", "phone", "phone-dark-zh")),
    "run-story": State(LESSON, keys(*STEPS), ALL),
    "run-question": State(LESSON, keys(*STEPS, "ArrowRight"), ("light", "phone-dark-zh")),
    "run-messages": State(LESSON, keys("z", *STEPS), ("light", "dark-zh", "phone")),
    "run-long-logs": State(LONG_LOGS, keys("z"), ("light", "phone-dark-zh")),
    "run-transactions": State(TRANSACTIONS, keys("z", *STEPS, *STEPS[:2]), ("light", "phone")),
    "run-menu": State(LESSON, menu_of_a_broker, ("light", "dark-zh")),
    "run-compare": State(LESSON, compared, ("light", "dark-zh")),
    "run-settings": State(LESSON, then(keys(), clicked("header button.set")), ("light", "dark-zh")),
    "run-form": State(LESSON, keys("Shift+P"), ("light", "phone-dark-zh")),
    "run-find": State(LESSON, keys("f"), ("light", "phone-dark-zh")),
    "run-share": State(LESSON, keys("s")),
    "run-help": State(LESSON, keys("?"), ("light", "dark-zh")),
    "present": State(LESSON, keys("Shift+F"), ("light", "dark-zh")),
    "embed": State(EMBED, nothing, ("light", "dark-zh", "phone")),
    "failure": State("/x/00000000000000000000000000", nothing, ("light", "phone-dark-zh")),
}

TIMED = ".code, .qr, input[readonly], textarea[readonly], .address, time, .preview iframe"
"""What differs from run to run: addresses and codes that are made anew, and dates."""

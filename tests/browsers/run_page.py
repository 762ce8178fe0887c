"""What a visitor does and sees on the page of a run."""

import re

from tests.browsers.visitor import Visitor

STRIP = ".strip"
SENTENCE = ".sentence"
TIMELINE = '[role="slider"]'
LOSS = "An acknowledged record is lost"
KEPT = "No acknowledged record is lost"


def run_opens(visitor: Visitor) -> None:
    """Waits until a run is shown: a lesson that is read, or a run of one's own."""
    visitor.wait(lambda: re.search("/(lessons|x)/", visitor.url), "a run")
    visitor.wait(lambda: visitor.text(SENTENCE), "its first sentence")


def step_of(visitor: Visitor) -> int:
    """The number of the step that is shown; -1 while its messages pass."""
    place = visitor.attribute(TIMELINE, "aria-valuetext")
    message = re.search(r"message (\d+) of (\d+)", place)
    if place == "" or (message is not None and message[1] != message[2]):
        return -1
    return int(visitor.attribute(TIMELINE, "aria-valuenow"))


def stands_at(visitor: Visitor, step: int) -> None:
    """Waits until a step is shown as a whole."""
    visitor.wait(lambda: step_of(visitor) == step, f"step {step}")


def go_to(visitor: Visitor, step: int) -> None:
    """Goes on step by step; no question may be on the way."""
    visitor.wait(lambda: step_of(visitor) >= 0, "a whole step")
    for following in range(step_of(visitor) + 1, step + 1):
        visitor.go_on()
        stands_at(visitor, following)


def answer(visitor: Visitor, words: str, *, judged: str) -> None:
    """Answers the question that is asked, reads the judgement and continues."""
    visitor.use("button", words, exact=False)
    visitor.reads("section.question", judged)
    visitor.use("button", "See what happens →")


def act(visitor: Visitor, action: str) -> None:
    """Performs one of the possible actions; on a phone they are behind a tab."""
    if visitor.phone:
        visitor.use("tab", "Act", exact=False)
    visitor.use("button", action)


def send(visitor: Visitor) -> str:
    """Shares the shown step and returns the link."""
    if visitor.by_keyboard:
        visitor.press("s")
    else:
        visitor.use("button", "Share")
    link = visitor.wait(lambda: visitor.value("dialog textarea"), "the link of the share")
    assert re.search("/s/[0-9a-z]{26}", link)
    return link

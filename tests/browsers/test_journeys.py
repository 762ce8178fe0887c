"""A learner sees a record being lost and why; an engineer breaks a cluster and shares the step."""

import pytest

from tests.browsers.visitor import Visitor

POSITION = "#why-step"
STRIP = ".strip"
SENTENCE = ".sentence"
LOSS = "An acknowledged record is lost"


def opened(visitor: Visitor, language: str = "en") -> None:
    """Opens a lesson at its start, in a new run."""
    visitor.open(f"/lessons/kip-101-data-loss?lang={language}")
    visitor.wait(lambda: "/x/" in visitor.url, "a run of one's own")
    visitor.wait(lambda: visitor.text(SENTENCE if visitor.phone else POSITION), "the start")


def stands_at(visitor: Visitor, step: int) -> None:
    """Waits until the timeline is at a step."""
    at = str(step)
    timeline = '[role="slider"]'
    visitor.wait(lambda: visitor.attribute(timeline, "aria-valuenow") == at, f"step {step}")


def test_a_newcomer_sees_a_loss_and_its_rule_without_a_click(visitor: Visitor) -> None:
    visitor.open("/?lang=en")

    visitor.reads("main", "m2 is lost")


def test_a_learner_steps_to_the_loss_by_keyboard(visitor: Visitor) -> None:
    opened(visitor)

    for _ in range(40):
        visitor.press("→")
        if LOSS in visitor.text(STRIP):
            break
    visitor.reads(STRIP, LOSS)
    visitor.reads(SENTENCE, "loses m2")

    visitor.focus("combobox", "Kafka", exact=False)
    visitor.press("Enter", "↓", "Enter")
    visitor.reads(STRIP, "No acknowledged record is lost")


def test_a_lesson_can_be_completed_by_mouse(visitor: Visitor) -> None:
    opened(visitor)

    visitor.click("button", "Next step")
    stands_at(visitor, 1)
    visitor.click("button", "Next step")
    stands_at(visitor, 2)
    visitor.click("button", "Step back")
    stands_at(visitor, 1)


def test_an_engineer_breaks_a_broker_by_keyboard_and_sends_the_moment(visitor: Visitor) -> None:
    opened(visitor)

    visitor.press("→", "1", "k")
    visitor.reads(SENTENCE, "Broker 1 crashes")
    visitor.press("s")
    link = visitor.wait(lambda: visitor.value("dialog textarea"), "the link of the share")

    assert "/s/" in link
    visitor.open(link)
    visitor.reads(SENTENCE, "Broker 1 crashes")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_engineer_breaks_a_broker_by_mouse(visitor: Visitor, language: str) -> None:
    words = {"en": ("Act", "Crash broker 1", "crashes"), "zh": ("操作", "使 broker 1 崩溃", "崩溃")}
    tab, action, told = words[language]
    opened(visitor, language)
    if visitor.phone:
        visitor.click("tab", tab, exact=False)
    visitor.click("button", action)
    visitor.reads(SENTENCE, told)

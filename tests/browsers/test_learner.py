"""A learner sees on the front page how a record is lost, and steps through the lesson."""

from tests.browsers.run_page import (
    KEPT,
    LOSS,
    SENTENCE,
    STRIP,
    answer,
    go_to,
    run_opens,
    start_over,
)
from tests.browsers.visitor import Visitor

MOST_PRESSES = 6


def test_a_newcomer_sees_a_loss_and_its_rule_without_a_click(visitor: Visitor) -> None:
    visitor.open("/?lang=en")

    visitor.reads(".said.lost", "m2 is lost")
    visitor.reads(".why", "truncates its log to its own high watermark")


def test_a_newcomer_steps_to_the_loss_on_the_front_page(person: Visitor) -> None:
    person.open("/?lang=en")
    person.wait(lambda: person.text(".said"), "the story")

    presses = 0
    while "m2 is dropped" not in person.text(".said"):
        person.go_on()
        presses += 1

    assert presses <= MOST_PRESSES
    person.reads(".why", "truncates its log to its own high watermark")


def test_a_learner_goes_from_the_front_page_to_the_loss_and_to_a_version_without_it(
    person: Visitor,
) -> None:
    person.open("/?lang=en")
    person.use("link", "Open this lesson")
    run_opens(person)
    # It plays until one takes over.
    start_over(person)

    go_to(person, 7)
    person.reads(SENTENCE, "Broker 1 crashes")
    go_to(person, 8)
    person.reads("section.question", "can m2 still be lost?")
    answer(person, "broker 1 truncates m2", judged="Correct.")
    go_to(person, 12)
    person.reads(STRIP, "at risk")
    answer(person, "It truncates m2 and continues.", judged="Incorrect.")
    go_to(person, 15)
    person.reads(SENTENCE, "m2 is lost")
    person.reads(STRIP, LOSS)

    person.choose("Kafka", "0.11")
    person.reads(STRIP, KEPT)

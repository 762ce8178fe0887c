"""A learner sees on the front page how a record is lost, and steps through the lesson."""

from tests.browsers.run_page import KEPT, LOSS, STRIP, answer, go_to, run_opens
from tests.browsers.visitor import Visitor

MOST_PRESSES = 7
SAID = ".said:not(.sizer)"


def test_a_newcomer_sees_a_loss_and_its_rule_without_a_click(visitor: Visitor) -> None:
    visitor.open("/?lang=en")

    visitor.reads(".chip.bad", "m2 is lost")
    visitor.reads(".why", "truncates its log to its own high watermark")


def test_a_newcomer_steps_to_the_loss_on_the_front_page(person: Visitor) -> None:
    person.open("/?lang=en")
    person.wait(lambda: person.text(SAID), "the story")

    presses = 0
    while "m2 is dropped" not in person.text(SAID):
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

    go_to(person, 5)
    person.reads("section.question", "What will it do with m2?")
    answer(person, "It truncates m2 from its log.", judged="Correct.")
    go_to(person, 14)
    person.reads(STRIP, LOSS)

    person.choose("Kafka", "0.11")
    person.reads(STRIP, KEPT)

"""A teacher presents to three other browsers, collects their votes and reveals them."""

from tests.browsers.run_page import run_opens
from tests.browsers.visitor import Visitor

ASKED_AT = 5
QUESTION = "What will it do with m2?"
RIGHT = "It truncates m2 from its log."
WRONG = "It keeps m2 in its log."
SHOWN = ".present"


def test_a_teacher_presents_to_three_browsers_and_collects_votes(
    person: Visitor, others: list[Visitor]
) -> None:
    person.open("/?lang=en")
    person.use("link", "Open this lesson")
    run_opens(person)
    start_presenting(person)
    code = person.wait(lambda: person.text(f"{SHOWN} .code"), "the code of the presentation")

    for other in others:
        other.by_keyboard = person.by_keyboard
        other.open(f"{code}?lang=en")
    person.reads(SHOWN, "3 followers")
    for step in range(1, ASKED_AT + 1):
        advance(person)
        person.reads(f"{SHOWN} footer", f"Step {step} of 14")
    person.reads(SHOWN, QUESTION)
    for other, choice in zip(others, (RIGHT, WRONG, RIGHT), strict=True):
        other.reads("main", QUESTION)
        other.use("button", choice, exact=False)
        other.reads("main", "your answer")
    person.reads(SHOWN, "3 have answered")
    assert "%" not in person.text(SHOWN)

    if person.by_keyboard:
        person.press("v")
    else:
        person.click("button", "reveal the answers", exact=False)
    person.reads(SHOWN, "67 %")
    for other in others:
        other.reads("main", "2 of 3, and Kafka 0.10.2 agrees")

    if person.by_keyboard:
        person.press("Escape")
    else:
        person.click("button", "leave", exact=False)
    for other in others:
        other.reads("main", "The presentation has ended.")


def start_presenting(person: Visitor) -> None:
    if person.by_keyboard:
        person.press("F")
        return
    if person.phone:
        person.click("button", "More")
    person.click("button", "Present")


def advance(person: Visitor) -> None:
    """Goes to the next step of the presentation."""
    if person.by_keyboard:
        person.press("PageDown")
    else:
        person.click("button", "watch it", exact=False)

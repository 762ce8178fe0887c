"""A reader of an article goes from a claim to the step that shows it, and back."""

from tests.browsers.run_page import LOSS, SENTENCE, STRIP, run_opens, stands_at
from tests.browsers.visitor import Visitor

ARTICLE = "CAP theory in practice, part 2"
CLAIM = "#claim-4"


def test_a_reader_goes_from_a_claim_to_its_step_and_back(person: Visitor) -> None:
    person.open("/?lang=en")
    person.turn_to("Articles")
    person.use("link", ARTICLE)
    person.reads(CLAIM, "A restarted follower truncates to its high watermark.")
    person.reads(CLAIM, "up to 0.10.2")

    person.use("link", "Watch", exact=False, within=CLAIM)
    run_opens(person)
    stands_at(person, 9)
    person.reads(SENTENCE, "truncates its log")
    assert LOSS not in person.text(STRIP)

    if person.phone:
        person.use("tab", "Why")
    person.use("link", f"Claim 4 of “{ARTICLE}”")
    person.reads(CLAIM, "Watch again")
    person.reads("main", "1 of 18 watched")

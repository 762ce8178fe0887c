"""A player takes a move back and wins a challenge."""

from tests.browsers.visitor import Visitor

GOAL = ".drawing [role=status]"


def test_a_player_wins_a_challenge(person: Visitor) -> None:
    person.open("/?lang=en")
    person.turn_to("Challenges")
    person.use("link", "Power losses instead of crashes")
    person.reads(GOAL, "Violate this property")

    person.use("button", "Cut the power of broker 1", exact=False)
    person.reads(".moves", "Cut the power of broker 1")
    person.use("button", "Undo", exact=False)
    person.reads(".moves", "your move")
    person.use("button", "Redo", exact=False)
    person.reads(".moves", "Cut the power of broker 1")
    person.use("button", "Cut the power of broker 2", exact=False)

    person.reads(GOAL, "An acknowledged record is lost")
    person.reads(".won", "Solved in 2 moves. That is the fewest known.")

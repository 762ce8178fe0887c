"""Links of every form and version ever given out, opened in every browser."""

from tests.browsers.visitor import Visitor
from tests.museum import OPENED


def test_every_form_of_a_link_shows_what_it_showed(visitor: Visitor) -> None:
    for form, words in OPENED.items():
        visitor.open(form)
        visitor.reads("body", words)

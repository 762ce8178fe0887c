"""Links of every published form and version, opened in every browser."""

from tests.browsers.visitor import Visitor
from tests.museum.opened import ON_A_PHONE, OPENED


def test_every_form_of_a_link_shows_what_it_showed(visitor: Visitor) -> None:
    for form, words in OPENED.items():
        visitor.open(form)
        visitor.reads("body", ON_A_PHONE.get(form, words) if visitor.phone else words)

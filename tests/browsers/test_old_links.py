"""Links of every published form and version, opened in every browser."""

from tests.browsers.visitor import Visitor
from tests.old_shares import OLDEST_SID, OPENED

ON_A_PHONE = {
    f"/s/{OLDEST_SID}?lang=en": "4 fetch",
    f"/s/{OLDEST_SID}?lang=en&step=4": "2 fetch",
    f"/s/{OLDEST_SID}?lang=en&frame=4": "2 fetch",
    f"/s/{OLDEST_SID}?lang=en&frame=4&step=9": "2 fetch",
    f"/s/{OLDEST_SID.replace('0', 'o')}?lang=en": "4 fetch",
    f"/s/{OLDEST_SID}?lang=en&frame=8&level=message": "high watermark from 0 to 1",
}
"""What a phone shows instead of "Step 4 of 7": the step as its foot names it, or the sentence."""


def test_every_form_of_a_link_shows_what_it_showed(visitor: Visitor) -> None:
    for form, words in OPENED.items():
        visitor.open(form)
        visitor.reads("body", ON_A_PHONE.get(form, words) if visitor.phone else words)

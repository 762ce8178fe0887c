"""Every form of a link to a page, and what can be read where it opens."""

import json

from tests.museum.exhibits import FIRST, FOLDER

_SID, _BRANCHES, _KRAFT = (FIRST.sid(name) for name in ("lesson", "branches", "kraft"))
_LINK = json.loads((FOLDER.parent / "full_state_links.json").read_text("utf-8"))["links"][0]

OPENED = {
    f"/s/{_SID}?lang=en": "Step 3 of 14",
    f"/s/{_SID}?lang=en&frame=4": "Step 2 of 14",
    f"/s/{_SID}?lang=en&frame=8&level=message": "Step 2 of 14, message 7 of 7",
    f"/s/{_SID.replace('1', 'l')}?lang=en": "Step 3 of 14",
    f"/e/v1/s/{_SID}?lang=en": "Step 3 of 14",
    f"/e/v1/s/{_SID}?lang=en&frame=4": "Step 2 of 14",
    f"/e/v1/s/{_SID}?lang=en&frame=8&level=message": "Step 2 of 14",
    f"/s/{_BRANCHES}?lang=en": "In two paragraphs.",
    f"/s/{_BRANCHES}?lang=en&frame=9": "Step 3 of 4",
    f"/e/v1/s/{_BRANCHES}?lang=en&frame=40": "Broker 2 crashes",
    f"/s/{_KRAFT}?lang=en": "Step 21 of 21",
    f"/s/{FIRST.sid('deleted')}?lang=en": "deleted",
    f"/x/{FIRST.session}?lang=en&frame=40": "Broker 2 crashes",
    f"/?lang=en#{_LINK['fragment']}": "Opened from a link that contains the run.",
    "/gallery?lang=en": "A title of its author",
    "/lessons/s26?lang=en": "Start",
    "/lessons/kip-101-data-loss?lang=en&step=3": "Step 3 of 14",
}
ON_A_PHONE = {
    form: words.replace("Step ", "").partition(" of ")[0]
    for form, words in OPENED.items()
    if form.startswith(("/s/", "/lessons/")) and words.startswith("Step ")
}
"""What a phone shows instead, in the foot of the page: the number of the step."""

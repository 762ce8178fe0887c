"""Scales down and compares two pictures in a browser, so no image library is needed."""

import base64
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page

SCALE = 0.5
"""Of the pictures that are kept; text stays recognizable, and rendering differs less."""
QUALITY = 0.72
TOLERATED = 40
"""How far a channel of 0 to 255 may be off, as fonts are drawn differently here and there."""
DIFFERING = 0.006
"""The share of pixels that may be off by more."""


class Difference(NamedTuple):
    """The part of two pictures that differs, and a picture that marks it in red."""

    share: float
    picture: bytes

    @property
    def tolerated(self) -> bool:
        """Whether different fonts on another machine may explain it."""
        return self.share <= DIFFERING


def start_drawing(browser: Browser) -> Page:
    """The page in which pictures are drawn and compared."""
    page = browser.new_page()
    page.add_script_tag(path=Path(__file__).with_name("picture_difference.js"))
    return page


def small(drawing: Page, png: bytes) -> bytes:
    """A screenshot as it is stored: WebP at half its size."""
    encoded: str = drawing.evaluate(
        "given => pictures.small(...given)", [base64.b64encode(png).decode(), SCALE, QUALITY]
    )
    return base64.b64decode(encoded)


def difference(drawing: Page, kept: bytes, now: bytes) -> Difference:
    """Where two stored pictures differ; pictures of different sizes differ everywhere."""
    both = [base64.b64encode(picture).decode() for picture in (kept, now)]
    found = drawing.evaluate("given => pictures.difference(...given)", [*both, TOLERATED])
    return Difference(float(found["share"]), base64.b64decode(found["picture"]))

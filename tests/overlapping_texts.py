"""Which texts that a reader sees on a page lie over each other."""

from pathlib import Path

from playwright.sync_api import Frame, Page

OVERLAPS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").rstrip(";\n")
"""The same as a function of a page: an expression."""


def overlapping_texts(shown: Page | Frame) -> list[str]:
    """The pairs of visible texts that intersect, with the beginnings of both.

    Texts of a dialog, a menu or a bar that stays while the page scrolls are compared with each
    other only. What is cut off by its surroundings counts as far as it is visible.
    """
    found: list[str] = shown.evaluate(OVERLAPS)
    return found

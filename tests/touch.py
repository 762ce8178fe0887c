"""A finger on the screen, which Playwright can only tap with."""

from playwright.sync_api import Locator, expect


def press_long(what: Locator) -> None:
    """Rests a finger near the left edge of an element until a menu opens, and lifts it.

    The page must be in a context with `has_touch`, in Chromium.
    """
    place = what.bounding_box()
    assert place is not None
    touch = what.page.context.new_cdp_session(what.page)
    finger = {"x": place["x"] + 20, "y": place["y"] + place["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    expect(what.page.get_by_role("menu")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

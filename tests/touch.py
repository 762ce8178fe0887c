"""A finger on the screen, which Playwright can only tap with."""

from playwright.sync_api import CDPSession, Locator, expect


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


def swipe(touch: CDPSession, start: tuple[float, float], by: tuple[float, float]) -> None:
    """Moves a finger over the page and lifts it."""

    def send(kind: str, points: list[tuple[float, float]]) -> None:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    x, y = start
    send("touchStart", [start])
    for part in (0.25, 0.5, 0.75, 1):
        send("touchMove", [(x + by[0] * part, y + by[1] * part)])
    send("touchEnd", [])

"""Helpers for the page of a run: its position, its timeline, its branches."""

import re
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect

LESSON = "/lessons/kip-101-data-loss"
"""A lesson of 14 steps in 40 messages: a question after step 5, the loss in step 14."""

LOSS = "acknowledged m2 is lost"
"""What the sentence of the lesson's loss says."""

POSITION = "#why-step"

SIDE = ".comparing .side"
"""One of the two runs that are compared."""

REST_MS = 200
"""After so long without a press the playhead rests: longer than the page waits for that."""

_RESTED = f"""
() => new Promise((rested) => setTimeout(() => {{
  const turn = (frames) => frames === 0 ? rested() : requestAnimationFrame(() => turn(frames - 1));
  turn(8);
}}, {REST_MS}))
"""

PAINTED = """
new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
"""
"""Resolves when the page has painted a frame. What the page places by its measured size is placed
right before painting: a script that reads it earlier can find it where nobody sees it."""


class Position(NamedTuple):
    """The position that the page shows; `message` is None if the whole step is shown."""

    step: int
    steps: int
    message: int | None = None
    messages: int | None = None


def open_run(page: Page, path: str = LESSON) -> None:
    """Starts a lesson and waits until the page is at its start."""
    page.goto(path)
    page.wait_for_url(re.compile("/x/"))
    expect(page.locator(POSITION)).to_have_text("Start")


def visit(page: Page, path: str, size: tuple[int, int] | None = None) -> None:
    """Opens an address in a window of this size and waits until nothing is loaded any more."""
    if size is not None:
        page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(path)
    page.wait_for_load_state("networkidle")


def open_lesson(
    page: Page, path: str = f"{LESSON}?lang=en", size: tuple[int, int] | None = None
) -> None:
    """Starts a lesson in a window of this size and waits for its first sentence."""
    if size is not None:
        page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(path)
    page.wait_for_url(re.compile("/x/"))
    expect(page.locator(".sentence")).to_be_visible()


def position_of(page: Page) -> Position:
    """The position that the page shows now, without waiting; the start is step 0 of 0."""
    text = page.locator(POSITION).inner_text()
    if text == "Start":
        return Position(0, 0)
    found = re.fullmatch(r"Step (\d+) of (\d+)(?:, message (\d+) of (\d+))?", text)
    assert found is not None, text
    step, steps, message, messages = found.groups()
    return Position(
        int(step),
        int(steps),
        None if message is None else int(message),
        None if messages is None else int(messages),
    )


def frame_shown(page: Page) -> int:
    """The number of the frame in the address, once the playhead has rested there."""
    # The page's own timer is due before this one; then it draws one part on each screen frame.
    # What the browser has then: Playwright's own note of the address may come later.
    page.evaluate(_RESTED)
    return int(page.evaluate("new URL(location.href).searchParams.get('frame')"))


def frames_of(page: Page) -> list[dict[str, Any]]:
    """All frames of the run with complete states, from the service."""
    session = page.url.split("/x/")[1].split("?")[0]
    address = f"/api/v1/sessions/{session}/timeline?full=1"
    frames: list[dict[str, Any]] = page.request.get(address).json()["frames"]
    return frames


def press(page: Page, key: str, times: int) -> None:
    """Presses a key several times, as fast as the page handles it."""
    for _ in range(times):
        page.keyboard.press(key)


def timeline_of(page: Page) -> Locator:
    """The timeline, a slider: by steps or, with the other step size, by messages."""
    return page.get_by_role("slider", name="Timeline")


def branches_of(page: Page) -> Locator:
    """The stubs of the branches next to the shown one."""
    return page.get_by_role("group", name="Branches")


def properties_of(page: Page) -> Locator:
    """The strip of properties above the stage."""
    return page.get_by_role("list", name="Properties", exact=True)


def question_of(page: Page) -> Locator:
    return page.get_by_role("region", name="What do you think?")


def answers_to(page: Page) -> tuple[str, str]:
    """The correct answer to the lesson's question, and a wrong one, as its author wrote them."""
    session = page.url.split("/x/")[1].split("?")[0]
    steps = page.request.get(f"/api/v1/sessions/{session}").json()["scenario"]["steps"]
    ask = next(step["ask"] for step in steps if "ask" in step)
    answers = [answer["en"] for answer in ask["answers"]]
    right = answers[ask["correct"]]
    return right, next(answer for answer in answers if answer != right)

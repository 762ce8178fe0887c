"""Helpers for the page of a run: its position, its timeline, its branches."""

import re
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from backend.frames.packing import unpacked

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
    expect(page.locator(".sentence")).to_be_visible()


def wait_for_run(page: Page) -> None:
    """Waits until the page of a lesson or of a run is shown."""
    expect(page.locator(".run-page main")).to_be_visible()


def open_session(page: Page, *, step: int = 0, lesson: str = LESSON) -> str:
    """Opens a run of a lesson that a session stores, which is nobody's own; the session's id."""
    name = lesson.removeprefix("/lessons/")
    made = page.request.post("/api/v1/sessions", data={"scenario_id": name}).json()
    story = page.request.get(f"/api/v1/scenarios/{name}/run").json()["story"]
    page.goto(f"/x/{made['id']}?frame={story[step]['last_frame']}&lang=en")
    wait_for_run(page)
    return str(made["id"])


def acted(page: Page) -> str:
    """Waits until the lesson on the page has become the reader's own run; the session's id."""
    page.wait_for_url(re.compile("/x/"))
    return page.url.split("/x/")[1].split("?")[0]


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
    """The number of the frame that the address shows, once the playhead has rested there."""
    # The page's own timer is due before this one; then it draws one part on each screen frame.
    # What the browser has then: Playwright's own note of the address may come later.
    page.evaluate(_RESTED)
    address = urlsplit(page.evaluate("location.href"))
    asked = {name: values[0] for name, values in parse_qs(address.query).items()}
    if not address.path.startswith("/lessons/"):
        return int(asked["frame"])
    story = _lesson_run(page)["story"]
    step = next(step for step in story if step["step"] == int(asked.get("step", 0)))
    if "message" not in asked:
        return int(step["last_frame"])
    return int(step["first_frame"]) + int(asked["message"]) - 1


def frames_of(page: Page) -> list[dict[str, Any]]:
    """All frames of the run with complete states, from the service."""
    if "/lessons/" in page.url:
        return [dict(frame) for frame in unpacked(_lesson_run(page)["frames"])]
    session = page.url.split("/x/")[1].split("?")[0]
    address = f"/api/v1/sessions/{session}/timeline?full=1"
    frames: list[dict[str, Any]] = page.request.get(address).json()["frames"]
    return frames


def _lesson_run(page: Page) -> dict[str, Any]:
    """The file of the lesson on the page."""
    address = urlsplit(page.url)
    lesson = address.path.removeprefix("/lessons/")
    kafka = parse_qs(address.query).get("kafka")
    part = "run" if kafka is None else f"runs/{kafka[0]}"
    run: dict[str, Any] = page.request.get(f"/api/v1/scenarios/{lesson}/{part}").json()
    return run


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
    steps = _lesson_run(page)["scenario"]["steps"]
    ask = next(step["ask"] for step in steps if "ask" in step)
    answers = [answer["en"] for answer in ask["answers"]]
    right = answers[ask["correct"]]
    return right, next(answer for answer in answers if answer != right)

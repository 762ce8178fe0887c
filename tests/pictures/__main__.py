"""Takes a picture of every page and state and compares it with the stored one.

    python -m tests.pictures                 all
    python -m tests.pictures run home-       those whose names begin so
    python -m tests.pictures --write [...]   keeps what is seen now

Where they differ, what is seen now and where it differs stand in var/pictures, and the exit status
is 1.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Error, sync_playwright

from tests.benchmarks.embed import chromium
from tests.pictures.picture_difference import difference, small, start_drawing
from tests.pictures.states import LOOKS, ROOT, STATES, TIMED, Look, State
from tests.service_process import serving

KEPT = Path(__file__).parent / "kept"
SEEN = ROOT / "var" / "pictures"
NOW = 1_767_225_600
"""The date that pages see: 2026-01-01."""


def taken(browser: Browser, base_url: str, state: State, look: Look) -> bytes:
    """A screenshot of a state in a look, without motion and timed content."""
    context = browser.new_context(
        base_url=base_url,
        viewport={"width": look.width, "height": look.height},
        color_scheme="dark" if look.scheme == "dark" else "light",
        reduced_motion="reduce",
        forced_colors="active" if look.forced_colors else "none",
        has_touch=look.width < 600,
    )
    try:
        page = context.new_page()
        page.clock.set_fixed_time(NOW * 1000)
        path = state.path if isinstance(state.path, str) else state.path(base_url)
        page.goto(f"{path}{'&' if '?' in path else '?'}lang={look.lang}")
        page.wait_for_load_state("networkidle")
        state.reach(page)
        page = context.pages[-1]
        page.wait_for_load_state("networkidle")
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(300)
        return page.screenshot(animations="disabled", mask=[page.locator(TIMED)])
    finally:
        context.close()


def main() -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="tests.pictures", description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of names of pictures")
    parser.add_argument("--write", action="store_true", help="keep what is seen now")
    asked = parser.parse_args()
    wanted = [
        (f"{name}.{look}", state, LOOKS[look])
        for name, state in STATES.items()
        for look in state.looks
        if not asked.names or f"{name}.{look}".startswith(tuple(asked.names))
    ]
    shutil.rmtree(SEEN, ignore_errors=True)
    SEEN.mkdir(parents=True)
    KEPT.mkdir(exist_ok=True)
    differing = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(ROOT, Path(folder) / "highwater.db") as base_url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium())
        drawing = start_drawing(browser)
        for name, state, look in wanted:
            file = KEPT / f"{name}.webp"
            try:
                now = small(drawing, taken(browser, base_url, state, look))
            except (Error, AssertionError) as error:
                differing += 1
                print(f"{name}: not reached: {str(error).splitlines()[0]}")
                continue
            if asked.write:
                file.write_bytes(now)
                continue
            if not file.exists():
                differing += 1
                print(f"{name}: none is kept; --write keeps it")
                continue
            found = difference(drawing, file.read_bytes(), now)
            if not found.tolerated:
                differing += 1
                (SEEN / f"{name}.now.webp").write_bytes(now)
                (SEEN / f"{name}.differs.png").write_bytes(found.picture)
                print(f"{name}: {found.share:.1%} differ: {SEEN / name}.differs.png")
        browser.close()
    print(f"{len(wanted)} pictures, {differing} that differ or were not reached")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

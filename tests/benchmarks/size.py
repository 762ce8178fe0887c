"""The gzipped size of what a browser loads, compared with the goal."""

import gzip
import json
import re
from pathlib import Path

DIST = Path(__file__).resolve().parent.parent.parent / "frontend" / "dist"
# A page includes the scripts and styles that it references; fonts load later and do not count.
GOALS_KB = {"embed/v1.js": 6, "embed.html": 90}
# In addition to what every page loads.
PAGES_KB = {"src/home/Home.svelte": 120, "src/run/RunPage.svelte": 200}


def measure() -> None:
    """Prints each size with its goal."""
    for name, goal_kb in GOALS_KB.items():
        file = DIST / name
        if not file.exists():
            print(f"{name:<24} is not built: make run builds it")
            continue
        loaded = {file}
        if file.suffix == ".html":
            named = re.findall(r"(?:src|href)=\"/([^\"]+\.(?:js|css))\"", file.read_text())
            loaded |= {DIST / path for path in named}
        _print(name, loaded, goal_kb)
    for name, goal_kb in PAGES_KB.items():
        if (DIST / ".vite" / "manifest.json").exists():
            _print(name, {DIST / "index.html"} | page_files(name), goal_kb)


def page_files(page: str) -> set[Path]:
    """The scripts and styles that a page of the application loads, including the shared ones."""
    manifest = json.loads((DIST / ".vite" / "manifest.json").read_text())
    waiting = ["index.html", page]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += manifest[name].get("imports", [])
    named = (
        file for name in seen for file in (manifest[name]["file"], *manifest[name].get("css", []))
    )
    return {DIST / file for file in named}


def _print(name: str, loaded: set[Path], goal_kb: int) -> None:
    total = sum(len(gzip.compress(each.read_bytes(), 9)) for each in loaded)
    print(f"{name:<24} {total / 1000:6.1f} kB gzipped (goal: {goal_kb})")

"""The gzipped size of what a browser loads, compared with the goal."""

import gzip
import re
from pathlib import Path

DIST = Path(__file__).resolve().parent.parent.parent / "frontend" / "dist"
# A page includes the scripts and styles that it references; fonts load later and do not count.
GOALS_KB = {"embed/v1.js": 6, "embed.html": 90, "index.html": 200}


def measure() -> None:
    for name, goal_kb in GOALS_KB.items():
        file = DIST / name
        if not file.exists():
            print(f"{name:<14} is not built: make run builds it")
            continue
        loaded = [file]
        if file.suffix == ".html":
            named = re.findall(r"(?:src|href)=\"/([^\"]+\.(?:js|css))\"", file.read_text())
            loaded += [DIST / path for path in named]
        total = sum(len(gzip.compress(each.read_bytes(), 9)) for each in loaded)
        print(f"{name:<14} {total / 1000:6.1f} kB gzipped (goal: {goal_kb})")

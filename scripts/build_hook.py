"""Asks, before a package is built, whether the pages are there: without them it would not serve."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NEEDED = (
    "frontend/dist/index.html",
    "frontend/dist/embed/v1.js",
    "frontend/dist-server/figure.js",
)


class PagesAreBuilt(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            return
        missing = [name for name in NEEDED if not (Path(self.root) / name).is_file()]
        if missing:
            raise SystemExit(f"{missing[0]} is missing: build the pages first, with `make package`")

"""Checks that the pages are built before a package is built: it needs them. Adds the list of
components to a wheel, and the schema of scenario files to both packages, for other programs.
"""

import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NEEDED = (
    "frontend/dist/index.html",
    "frontend/dist/assets/licenses.txt",
    "frontend/dist/docs.html",
    "frontend/dist/embed/v1.js",
    "frontend/dist/embed/licenses.txt",
    "frontend/dist/search.json.gz",
    "frontend/dist-server/figure.js",
    "frontend/dist-server/licenses.txt",
)

SCHEMA = "highwater_kafka/scenario-1.schema.json"


class PagesAreBuilt(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            return
        if missing := [name for name in NEEDED if not (Path(self.root) / name).is_file()]:
            raise SystemExit(f"{missing[0]} is missing: build the pages first, with `make package`")
        self._add_schema(build_data)
        if self.target_name == "wheel":
            build_data["sbom_files"].append(self._write_sbom())

    def _add_schema(self, build_data):
        if (Path(self.root) / SCHEMA).is_file():
            return  # this is a source distribution
        made = subprocess.run(
            [sys.executable, "-m", "sim_engine", "schema"],
            cwd=self.root,
            check=True,
            capture_output=True,
        )
        file = Path(self.root) / "build" / Path(SCHEMA).name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(made.stdout)
        build_data["force_include"][str(file)] = SCHEMA

    def _write_sbom(self):
        sys.path.insert(0, str(Path(self.root) / "scripts"))
        from sbom import sbom

        file = Path("build/highwater.cdx.json")
        (Path(self.root) / file).parent.mkdir(exist_ok=True)
        (Path(self.root) / file).write_text(sbom(Path(self.root), self.metadata.version))
        return str(file)

"""CONTRIBUTING promises how few files a change touches: here is what would make that untrue."""

import re
from pathlib import Path

from sim_engine.releases import RELEASES
from sim_engine.versions import PROFILE_NAMES

REPOSITORY = Path(__file__).parents[1]
_CODE = ("*.py", "*.ts", "*.svelte")
_GENERATED = ("openapi.ts", "names.d.ts")


def _code_files() -> list[Path]:
    folders = ("sim_engine", "backend", "analytics", "highwater", "frontend/src")
    return [
        path
        for folder in folders
        for pattern in _CODE
        for path in sorted((REPOSITORY / folder).rglob(pattern))
        if path.name not in _GENERATED and not re.search(r"test|fixture", str(path.name))
    ]


def test_a_fault_is_named_in_at_most_three_files():
    naming = [
        path.relative_to(REPOSITORY).as_posix()
        for path in _code_files()
        if "disk_loss" in path.read_text(encoding="utf-8")
    ]

    assert len(naming) <= 3, naming


def test_the_releases_are_listed_in_one_file():
    names = {*RELEASES, *PROFILE_NAMES}
    listing = [
        path.relative_to(REPOSITORY).as_posix()
        for path in _code_files()
        if len(names & set(re.findall(r"[\d.]+\d", path.read_text(encoding="utf-8")))) > 20
    ]

    assert listing == ["sim_engine/kafka_history.py"]

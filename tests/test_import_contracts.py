"""Each import contract of `pyproject.toml` is violated once, in a copy of the packages."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent

FORBIDDEN = {
    "The service's rooms build on each other in one order": (
        "backend/http/responses.py",
        "import backend.sessions.service",
    ),
    "The rooms of the analytics build on each other in one order": (
        "analytics/progress.py",
        "import analytics.campaigns.folder",
    ),
    "The service and the analytics both build on the engine, never on each other": (
        "analytics/statistics.py",
        "import backend.settings",
    ),
    "The engine is deterministic: no clock, no ambient randomness, no I/O, no framework": (
        "sim_engine/identifiers.py",
        "import random",
    ),
    "The engine's rooms build on each other in one order": (
        "sim_engine/cluster/state.py",
        "import sim_engine.simulation.timeline",
    ),
    "The protocol's rooms: a controller, a leader and a follower do not import each other": (
        "sim_engine/protocol/follower/truncation.py",
        "import sim_engine.protocol.leader.produce",
    ),
    "The two controllers do not import each other: a profile chooses one behind one protocol": (
        "sim_engine/protocol/controller/kraft/controller.py",
        "import sim_engine.protocol.controller.zookeeper.controller",
    ),
    "The simulation's rooms build on each other in one order": (
        "sim_engine/simulation/working_copy.py",
        "import sim_engine.simulation.effects.messages",
    ),
    "The functions that change a working copy import each other in one order": (
        "sim_engine/simulation/effects/messages.py",
        "import sim_engine.simulation.effects.outcomes",
    ),
    "The message receivers import each other in one order": (
        "sim_engine/simulation/receiving/metadata.py",
        "import sim_engine.simulation.receiving.arrival",
    ),
    "The action functions import each other in one order": (
        "sim_engine/simulation/performing/producers.py",
        "import sim_engine.simulation.performing.timers",
    ),
    "The service and the analytics use only the public interface of `sim_engine`": (
        "backend/settings.py",
        "import sim_engine.simulation.timeline",
    ),
    "Plug-ins of documentation tools import only those tools": (
        "highwater/embedding/__init__.py",
        "import msgspec",
    ),
    "The protocol reads no files, and neither do the rooms that run it": (
        "sim_engine/error_codes.py",
        "import pathlib",
    ),
}


def checked(root: Path) -> dict[str, str]:
    """Every contract by name, KEPT or BROKEN."""
    program = str(Path(sys.executable).with_name("lint-imports"))
    command = [program, "--no-logo", "--no-cache", "--config", str(REPOSITORY / "pyproject.toml")]
    run = subprocess.run(
        command, cwd=root, capture_output=True, text=True, env={"COLUMNS": "200"}, check=False
    )
    found = re.findall(r"^(.+?) ?(KEPT|BROKEN)(?: \(.*\))?$", run.stdout, flags=re.MULTILINE)
    return dict(found)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("packages")
    for package in ("sim_engine", "backend", "analytics", "highwater"):
        shutil.copytree(
            REPOSITORY / package, root / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return root


def test_every_contract_notices_a_forbidden_import(copy):
    before = checked(copy)
    for file, statement in FORBIDDEN.values():
        with (copy / file).open("a", encoding="utf-8") as source:
            source.write(f"\n\n{statement}\n")
    after = checked(copy)

    assert before == dict.fromkeys(FORBIDDEN, "KEPT")
    assert after == dict.fromkeys(FORBIDDEN, "BROKEN")

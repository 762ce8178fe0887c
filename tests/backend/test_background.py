"""Programs that run in the background: their priority."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backend.processes.background import in_background

PROGRAM = "import gc, os, sys\nprint(os.nice(0), gc.get_threshold()[0], *sys.argv[1:], __name__)\n"
POLICY = "import os\nprint(os.sched_getscheduler(0) == os.SCHED_IDLE)\n"


def output_of(folder: Path, program: str, niceness: int, *arguments: str) -> str:
    (folder / "told.py").write_text(program)
    path = os.pathsep.join([str(folder), *sys.path])
    told = subprocess.run(
        in_background(niceness, "told", *arguments),
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        capture_output=True,
        text=True,
    )
    return told.stdout


def test_a_program_in_the_background_has_its_priority_and_rare_collections(tmp_path: Path):
    assert output_of(tmp_path, PROGRAM, 7, "a", "b") == "7 50000 a b __main__\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this scheduling policy")
@pytest.mark.parametrize(("niceness", "only_when_idle"), [(18, "False\n"), (19, "True\n")])
def test_the_lowest_priority_computes_only_while_nothing_else_does(
    tmp_path: Path, niceness: int, only_when_idle: str
):
    assert output_of(tmp_path, POLICY, niceness) == only_when_idle

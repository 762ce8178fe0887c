"""Programs that run in the background: their priority."""

import os
import subprocess
import sys
from pathlib import Path

from backend.background import in_background

PROGRAM = "import os, sys\nprint(os.nice(0), *sys.argv[1:], __name__)\n"


def test_a_program_in_the_background_has_its_priority(tmp_path: Path):
    (tmp_path / "told.py").write_text(PROGRAM)
    path = os.pathsep.join([str(tmp_path), *sys.path])

    told = subprocess.run(
        in_background(7, "told", "a", "b"),
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        capture_output=True,
        text=True,
    )

    assert told.stdout == "7 a b __main__\n"

"""The program `highwater`, also `python -m highwater`."""

import os
import sys
from pathlib import Path

_PARTS = Path(__file__).resolve().parent / "parts"


def main() -> int:
    """Do what the command line says; the exit status."""
    if _PARTS.is_dir():
        _find_parts_first()
    from backend.cli import main as command_line

    return command_line()


def _find_parts_first() -> None:
    """Make `import backend` mean ours, here and in the processes that we start.

    Those are `python -m …`, which would look in the current folder first: a folder of the same
    name there is somebody else's.
    """
    others = os.environ.get("PYTHONPATH")
    sys.path.insert(0, str(_PARTS))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(_PARTS), *([others] if others else [])])
    os.environ["PYTHONSAFEPATH"] = "1"


if __name__ == "__main__":
    sys.exit(main())

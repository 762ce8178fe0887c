"""The program `highwater`, also `python -m highwater_kafka`."""

import os
import sys

from highwater_kafka.parts_path import PARTS


def main() -> int:
    """Run the command line and return the exit status."""
    if PARTS.is_dir():
        _find_parts_first()
    from backend.cli import main as command_line

    return command_line()


def _find_parts_first() -> None:
    """Make `import backend` find our package, in this process and in child processes.

    Child processes run `python -m …`, which searches the current folder first and could find an
    unrelated folder with the same name.
    """
    others = os.environ.get("PYTHONPATH")
    sys.path.insert(0, str(PARTS))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PARTS), *([others] if others else [])])
    os.environ["PYTHONSAFEPATH"] = "1"


if __name__ == "__main__":
    sys.exit(main())

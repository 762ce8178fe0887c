"""The program `highwater`, also `python -m highwater_kafka`."""

import os
import sys

from highwater_kafka.parts_path import PARTS


def main() -> int:
    """Run the command line and return the exit status."""
    _find_parts_first()
    from backend.cli import main as command_line

    return command_line()


def spark_job() -> int:
    """Run a Spark job in this process, for a file that `spark-submit` starts, and return the exit
    status.
    """
    _find_parts_first()
    from analytics.__main__ import main as job
    from sim_engine.command_line import as_program

    return as_program(job)


def _find_parts_first() -> None:
    """Make `import backend` find our package, in this process and in child processes.

    `python -m …` searches the current folder first and could find an unrelated folder with the
    name of a package of ours, or of a library. In a
    repository, there is nothing to do.
    """
    is_wheel = PARTS.parents[1].is_file()  # as Spark's `--py-files` has it
    if not (is_wheel or PARTS.is_dir()):
        return
    others = os.environ.get("PYTHONPATH")
    here = ("", os.getcwd())
    sys.path[:] = [str(PARTS), *(path for path in sys.path if path not in here)]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PARTS), *([others] if others else [])])
    os.environ["PYTHONSAFEPATH"] = "1"


if __name__ == "__main__":
    sys.exit(main())

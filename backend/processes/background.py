"""Runs a module with a low priority.

    python backend/processes/background.py NICENESS MODULE ARGUMENTS…

It is named by its file, so that a program that has its own modules of our names, or that has
imported ours from an unusual place, starts ours.

With the lowest priority, 19, Linux also gives it a processor only while nothing else wants it.

The priority is lowered before the module is imported, because the imports alone take a tenth of a
second of processor time, which the requests to the service need.
"""

import os
import runpy
import sys
from pathlib import Path

_LOWEST = 19
_CODE = Path(__file__).resolve().parents[2]


def in_background(niceness: int, module: str, *arguments: str) -> list[str]:
    """The command that runs a module in a process with this niceness: 19 is the lowest priority."""
    return [sys.executable, "-P", __file__, str(niceness), module, *arguments]


def main() -> None:
    """Run the module that the second argument names."""
    if sys.platform != "win32":
        niceness = int(sys.argv[1])
        os.nice(niceness)
        if niceness == _LOWEST and sys.platform == "linux":
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    del sys.argv[:2]
    sys.path.insert(0, str(_CODE))
    from backend.processes.interpreter import collect_rarely

    collect_rarely()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

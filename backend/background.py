"""Runs a module with the lowest priority: `python -m backend.background MODULE ARGUMENTS…`.

The priority is lowered before the module is imported, because the imports alone take a tenth of a
second of processor time, which the requests to the service need.
"""

import os
import runpy
import sys

_LOWEST_PRIORITY = 19


def in_background(module: str, *arguments: str) -> list[str]:
    """The command that runs a module in a process of the lowest priority."""
    return [sys.executable, "-m", __name__, module, *arguments]


def main() -> None:
    """Run the module that the first argument names."""
    if sys.platform != "win32":
        os.nice(_LOWEST_PRIORITY)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

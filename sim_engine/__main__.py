"""`python -m sim_engine`: the engine from the command line."""

import sys
from io import TextIOWrapper

from sim_engine.cli import main

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Values and titles are not only Latin, whatever the locale says.
            stream.reconfigure(encoding="utf-8")
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read this has stopped, as `head` does; that is not our failure.
        sys.stderr.close()
        status = 0
    sys.exit(status)

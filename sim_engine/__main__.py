"""`python -m sim_engine`: the engine from the command line."""

import sys

from sim_engine.command_line import as_program, main

if __name__ == "__main__":
    sys.exit(as_program(main))

"""Settings of Python for a process that must respond quickly while its threads compute."""

import gc
import sys

# The time for which a computing thread keeps the interpreter while the event loop waits for it, in
# seconds. A response takes many iterations of the loop: with Python's default of 5 ms, a long run
# made each of them 20 times slower.
_THREAD_TURN_S = 0.0005
# A full collection stops every thread for as long as it takes to look through all runs in memory,
# up to a tenth of a second. What the service drops is rarely part of a cycle, so they may be rare:
# a young collection each 5,000 new objects, a full one at most each 5,000 × 20 × 100.
_THRESHOLDS = (5_000, 20, 100)
# What a program imports stays: looking for garbage in it takes a sixth of the time of its start.
_AT_START = (50_000, 20, 100)


def collect_rarely() -> None:
    """Let garbage collections be rare from the start of a process that no one waits for."""
    gc.set_threshold(*_AT_START)


def tune() -> None:
    """Let threads change often, and garbage collections be rare."""
    sys.setswitchinterval(_THREAD_TURN_S)
    gc.set_threshold(*_THRESHOLDS)


def exempt_from_collection() -> None:
    """Exempt all that exists from garbage collection: modules, routes and lessons stay until the
    end, and each full collection would look through them.
    """
    gc.collect()
    gc.freeze()

"""How often a long computation reports."""

import time
from collections.abc import Callable


def every(seconds: float) -> Callable[[], bool]:
    """A function that is true when it is first called, and then once in so many seconds at most."""
    reported = -seconds

    def is_due() -> bool:
        nonlocal reported
        now = time.monotonic()
        if now - reported < seconds:
            return False
        reported = now
        return True

    return is_due

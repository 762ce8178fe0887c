"""Sessions: a scenario and every step taken in it."""

"""A run being played: its scenario, and every step that was done in it."""

"""Searches for a failure from a frame of a session, in a separate process and within a budget."""

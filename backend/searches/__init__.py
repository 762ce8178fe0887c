"""Looking for a failure from a frame of a session: in a process of its own, within a budget."""

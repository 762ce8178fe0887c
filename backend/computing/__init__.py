"""Runs are computed in a process of their own, so that nobody else waits for a long one."""

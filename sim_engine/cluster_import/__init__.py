"""Converts the output of a real cluster to a scenario that starts from its state.

Pure functions. The input is texts and bytes with their names; the result is a scenario, the
interpretation of each part, and the assumptions. Input that cannot be parsed is rejected with its
file and line, never skipped.
"""

"""Bounded search for the shortest path to a violation, checked random schedules, and shrinking of
failing scenarios. Finding nothing does not prove that a setup is safe.
"""

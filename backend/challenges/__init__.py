"""Challenges: played move by move, and judged by the engine."""

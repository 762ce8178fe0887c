"""Honest and hostile visitors together, for minutes, on a real service."""

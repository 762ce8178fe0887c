"""Immutable links: a stored timeline, what can be shown of it, and its deletion."""

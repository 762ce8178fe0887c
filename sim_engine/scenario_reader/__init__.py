"""Scenario files: their format, their reader, and the check of their expectations."""
